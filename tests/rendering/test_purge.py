"""Retention: files and personal data go after their time, counters stay; a kill at any step is harmless."""

from __future__ import annotations

from collections.abc import Callable
from datetime import datetime, timedelta
from io import StringIO
from typing import Any

import pytest
from django.core.files.base import ContentFile
from django.core.files.storage import default_storage
from django.core.management import call_command
from django.utils import timezone

from accounts import audit
from accounts.audit import record
from accounts.models import AuditEntry, Organization
from accounts.webhooks import upkeep
from accounts.webhooks.models import WebhookEvent
from assets import services as assets
from config.api.ids import first_id, new_id
from rendering import retention
from rendering.models import Batch, Document
from rendering.retention import purge
from rendering.sweeping import sweep
from tests.conftest import ApiClient
from tests.factories import DocumentFactory, OrganizationFactory, TemplateFactory
from tests.failures import raiser
from tests.jobs import run_jobs
from tests.links import kept
from usage.models import MonthlyCount

pytestmark = pytest.mark.django_db
NOW = timezone.now()


def id_of(prefix: str, moment: datetime) -> str:
    """Return an id that was made at a moment."""
    return first_id(prefix, moment)[:-16] + new_id(prefix)[-16:]


def aged(days: float, organization: Organization, **fields: Any) -> Document:
    """Return a completed document with a file, so many days old."""
    made = NOW - timedelta(days=days)
    pk = id_of("doc", made)
    file = f"documents/{organization.pk}/{pk}.pdf"
    default_storage.save(file, ContentFile(b"personal"))
    fields = {
        "completed": True,
        "external_user_id": "ann",
        "filename": "ann.pdf",
        "reference": "ann's order",
        "created_by": "user:ann",
    } | fields
    template = fields.pop("template", None) or TemplateFactory(organization=organization)
    return DocumentFactory(
        id=pk, template=template, file=file, created_at=made, lease_expires_at=made, **fields
    )


def batch_of(organization: Organization, days: float, **fields: Any) -> Batch:
    """Return a batch that ended, so many days old."""
    made = NOW - timedelta(days=days)
    usual: dict[str, Any] = {
        "template_version": 1,
        "format": "pdf",
        "output": "files",
        "status": "completed",
        "total": 1,
        "filename": "some.pdf",
    }
    template = fields.pop("template", None) or TemplateFactory(organization=organization)
    return Batch.objects.create(
        id=id_of("bat", made), organization=organization, template=template, created_at=made, **usual | fields
    )


@pytest.fixture
def keeper() -> Organization:
    return OrganizationFactory(name="Keeps everything")


@pytest.fixture
def monthly() -> Organization:
    organization = OrganizationFactory(name="Keeps a month")
    Organization.objects.filter(pk=organization.pk).update(retention_days=30)
    organization.refresh_from_db()
    return organization


def test_what_is_over_its_time_goes_and_counters_stay(keeper: Organization, monthly: Organization) -> None:
    kept_for_ever = aged(4000, keeper)
    old, fresh = aged(30.01, monthly), aged(29.9, monthly)
    failed = aged(40, monthly, completed=False, status="failed", error="data.ann: must be a number")
    MonthlyCount.objects.create(
        organization=monthly, month=NOW.date().replace(day=1), template_id="t", format="pdf", documents=2
    )
    done = purge()
    assert (done.documents, done.organizations) == (2, [monthly.pk])
    assert set(Document.objects.values_list("pk", flat=True)) == {kept_for_ever.pk, fresh.pk}
    assert not default_storage.exists(old.file)
    assert not default_storage.exists(failed.file)
    assert default_storage.exists(fresh.file)
    assert default_storage.exists(kept_for_ever.file)
    assert MonthlyCount.objects.get().documents == 2
    assert purge().documents == 0


def test_a_dry_run_only_counts(monthly: Organization) -> None:
    old = aged(31, monthly)
    out = StringIO()
    call_command("purge", "--dry-run", stdout=out)
    assert "1 documents of 1 organizations would be deleted" in out.getvalue()
    assert default_storage.exists(old.file)
    out = StringIO()
    call_command("purge", stdout=out)
    assert "1 documents of 1 organizations deleted" in out.getvalue()
    assert not Document.objects.exists()


def test_a_dry_run_of_the_command_counts_what_the_run_deletes(
    keeper: Organization, monthly: Organization
) -> None:
    aged(31, monthly)
    yearly = OrganizationFactory()
    Organization.objects.filter(pk=yearly.pk).update(retention_days=365)
    for organization, days in ((keeper, 31), (keeper, 29), (monthly, 31), (yearly, 31), (yearly, 366)):
        event = WebhookEvent.objects.create(organization=organization, type="document.completed", body="{}")
        WebhookEvent.objects.filter(pk=event.pk).update(created_at=NOW - timedelta(days=days))
    default_storage.save(f"assets/{keeper.pk}/ast_00000000000000000000000000.png", ContentFile(b"x"))
    said = []
    for options in ({"dry_run": True}, {}):
        out = StringIO()
        call_command("purge", stdout=out, **options)
        said.append(out.getvalue())
    assert "4 webhook events would be deleted" in said[0]
    assert "1 documents of 1 organizations would be deleted" in said[0]
    assert said[0].replace("would be deleted", "deleted") == said[1]
    assert "0 files without an asset" not in said[1]


def test_what_is_being_rendered_stays(monthly: Organization) -> None:
    working = aged(31, monthly, completed=False, status="processing")
    assert purge().documents == 0
    Document.objects.update(lease_expires_at=NOW - timedelta(days=1))
    sweep()
    assert purge().documents == 1
    assert not Document.objects.filter(pk=working.pk).exists()


class Killed(BaseException):
    """`kill -9`, as far as a test can."""


class Dying:
    """A function that works `times` times and then, after or instead of its work, is killed."""

    def __init__(self, function: Callable[..., Any], times: int, *, works_once_more: bool = False) -> None:
        self.function, self.left, self.works_once_more = function, times, works_once_more

    def __call__(self, *arguments: Any) -> Any:
        self.left -= 1
        if self.left >= 0 or self.works_once_more:
            self.function(*arguments)
        if self.left < 0:
            raise Killed


@pytest.mark.parametrize(
    ("files", "works_once_more"),
    [(0, False), (0, True), (1, False), (1, True), (2, True)],
    ids=["before any file", "after a file", "after a row", "in the middle", "before the last row"],
)
def test_a_kill_at_any_step(
    monthly: Organization, monkeypatch: pytest.MonkeyPatch, files: int, works_once_more: bool
) -> None:
    documents = [aged(31, monthly) for _ in range(3)]
    with monkeypatch.context() as patch:
        dying = Dying(default_storage.delete, files, works_once_more=works_once_more)
        patch.setattr(default_storage, "delete", dying)
        with pytest.raises(Killed):
            purge()
    # Nothing of anybody is left in the rows, and nobody sees them.
    assert {row.external_user_id for row in Document.objects.all()} == {None}
    assert {row.reference for row in Document.objects.all()} == {None}
    assert {row.filename + row.created_by for row in Document.objects.all()} == {""}
    assert not Document.objects.completed().exists()
    sweep()
    purge()
    assert not Document.objects.exists()
    assert not any(default_storage.exists(document.file) for document in documents)


def test_a_lost_storage_ends_the_run_and_the_next_goes_on(
    monthly: Organization, monkeypatch: pytest.MonkeyPatch
) -> None:
    old = aged(31, monthly)

    def lost(name: str) -> None:
        raise OSError(5, "Input/output error")

    with monkeypatch.context() as patch:
        patch.setattr(default_storage, "delete", lost)
        purge()
    assert default_storage.exists(old.file)
    assert sweep() == 1
    assert not default_storage.exists(old.file)
    assert not Document.objects.exists()


def test_a_scheduled_run_ends_and_a_later_one_goes_on(
    monthly: Organization, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(retention, "BATCH", 2)
    template = TemplateFactory(organization=monthly)
    for _ in range(5):
        aged(31, monthly, template=template)
    monkeypatch.setattr(retention, "SCHEDULED_SECONDS", 0.0)
    retention.scheduled_purge()
    assert Document.objects.count() == 3
    assert purge().documents == 3


def test_an_organization_with_much_to_delete_keeps_no_other_waiting(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(retention, "BATCH", 1)
    monkeypatch.setattr(retention, "SCHEDULED_SECONDS", 0.0)
    owners = sorted((OrganizationFactory() for _ in range(3)), key=lambda owner: owner.pk)
    Organization.objects.update(retention_days=30)
    for owner, count in zip(owners, (5, 1, 1), strict=True):
        for _ in range(count):
            aged(31, owner)
    left: list[list[int]] = []
    for _ in range(4):
        retention.scheduled_purge()
        left.append([owner.documents.count() for owner in owners])
    assert left == [[4, 1, 1], [4, 0, 1], [4, 0, 0], [3, 0, 0]]


def test_batches_go_with_their_documents(monthly: Organization) -> None:
    template = TemplateFactory(organization=monthly)
    file = f"documents/{monthly.pk}/all.zip"
    default_storage.save(file, ContentFile(b"personal"))
    batch = batch_of(monthly, 31, template=template, output="zip", filename="all.zip", file=file)
    aged(31, monthly, template=template, batch=batch, batch_index=0)
    done = purge()
    assert (done.documents, done.batches) == (1, 1)
    assert not Batch.objects.exists()
    assert not default_storage.exists(file)


def test_all_batches_go_however_many_and_whatever_becomes_of_one(
    monthly: Organization, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(retention, "BATCH", 2)
    template = TemplateFactory(organization=monthly)
    first, *_ = [batch_of(monthly, 40 - n, template=template, file=f"batches/{n}.zip") for n in range(7)]
    fresh = batch_of(monthly, 30.01, template=template)
    aged(29.9, monthly, template=template, batch=fresh, batch_index=0)
    assert purge(dry_run=True).batches == 7

    def delete(name: str) -> None:
        if name == first.file:
            raise PermissionError(name)

    monkeypatch.setattr(default_storage, "delete", delete)
    assert purge().batches == 6
    assert set(Batch.objects.values_list("pk", flat=True)) == {first.pk, fresh.pk}


def test_a_scheduled_run_ends_among_webhook_events(
    monthly: Organization, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(upkeep, "_CHUNK", 1)
    monkeypatch.setattr(retention, "SCHEDULED_SECONDS", 0.0)
    for _ in range(5):
        event = WebhookEvent.objects.create(organization=monthly, type="document.completed", body="{}")
        WebhookEvent.objects.filter(pk=event.pk).update(created_at=NOW - timedelta(days=31))
    retention.scheduled_purge()
    assert WebhookEvent.objects.count() == 3  # one of the organization's turn, one of everybody's
    assert purge().webhook_events == 3


def test_a_purge_of_a_batch_that_was_killed_is_finished_whatever_is_kept_by_then(
    monthly: Organization, monkeypatch: pytest.MonkeyPatch
) -> None:
    file = f"batches/{monthly.pk}/all.zip"
    default_storage.save(file, ContentFile(b"personal"))
    template = TemplateFactory(organization=monthly)
    batch_of(monthly, 31, template=template, output="zip", filename="all.zip", file=file)
    with monkeypatch.context() as patch:
        patch.setattr(default_storage, "delete", raiser(KeyboardInterrupt()))
        with pytest.raises(KeyboardInterrupt):
            purge()
    Organization.objects.filter(pk=monthly.pk).update(retention_days=None)
    run_jobs()
    assert not Batch.objects.exists()
    assert not default_storage.exists(file)


def test_webhook_events_of_the_organization_go(keeper: Organization, monthly: Organization) -> None:
    for organization in (keeper, monthly):
        event = WebhookEvent.objects.create(organization=organization, type="document.completed", body="{}")
        WebhookEvent.objects.filter(pk=event.pk).update(created_at=NOW - timedelta(days=31))
    purge()
    assert not WebhookEvent.objects.filter(organization=monthly).exists()


def test_idempotency_keys_are_forgotten_after_their_day(keeper: Organization) -> None:
    old = aged(1.1, keeper, idempotency_digest="a" * 64, request_digest="b" * 64)
    fresh = aged(0.9, keeper, idempotency_digest="c" * 64, request_digest="d" * 64)
    assert purge().idempotency_keys == 1
    old.refresh_from_db()
    fresh.refresh_from_db()
    assert (old.idempotency_digest, old.request_digest) == (None, "")
    assert fresh.idempotency_digest == "c" * 64


def test_idempotency_keys_of_batches_are_forgotten_too(keeper: Organization) -> None:
    old, fresh = (
        batch_of(keeper, days, idempotency_digest=digest * 64, request_digest="b" * 64)
        for days, digest in ((1.1, "a"), (0.9, "c"))
    )
    assert purge(dry_run=True).idempotency_keys == 1
    assert purge().idempotency_keys == 1
    old.refresh_from_db()
    fresh.refresh_from_db()
    assert (old.idempotency_digest, old.request_digest) == (None, "")
    assert fresh.idempotency_digest == "c" * 64


def entry_of(organization: Organization, days: float) -> AuditEntry:
    """Return an entry of the audit log, so many days old."""
    entry = record(organization, "system", "keys.rotated")
    AuditEntry.objects.filter(pk=entry.pk).update(at=NOW - timedelta(days=days))
    return entry


def test_the_audit_log_is_kept_for_ever_unless_a_setting_says_for_how_long(
    keeper: Organization, monthly: Organization, settings: Any
) -> None:
    AuditEntry.objects.all().delete()
    for owner in (keeper, monthly):
        entry_of(owner, 400)
    assert settings.AUDIT_LOG_DAYS is None
    assert (purge(dry_run=True).audit_entries, purge().audit_entries) == (0, 0)
    settings.AUDIT_LOG_DAYS = 365
    fresh = [entry_of(owner, 364.9).pk for owner in (keeper, monthly)]
    assert (purge(dry_run=True).audit_entries, AuditEntry.objects.count()) == (2, 4)
    out = StringIO()
    call_command("purge", stdout=out)
    assert "2 audit entries deleted" in out.getvalue()
    assert sorted(AuditEntry.objects.values_list("pk", flat=True)) == fresh


def test_a_scheduled_run_ends_among_audit_entries(
    keeper: Organization, settings: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    AuditEntry.objects.all().delete()
    settings.AUDIT_LOG_DAYS = 30
    monkeypatch.setattr(audit, "_CHUNK", 2)
    monkeypatch.setattr(retention, "SCHEDULED_SECONDS", 0.0)
    for days in (35, 29.99, 34, 33, 32, 1):  # the clock of the machine that wrote the second was ahead
        entry_of(keeper, days)
    left = []
    for _ in range(3):
        retention.scheduled_purge()
        left.append(AuditEntry.objects.count())
    assert left == [5, 4, 3]
    assert purge().audit_entries == 1
    assert AuditEntry.objects.filter(at__lt=NOW - timedelta(days=30)).count() == 0


def test_nobody_sees_what_was_purged(secret: ApiClient, acme: Organization) -> None:
    Organization.objects.filter(pk=acme.pk).update(retention_days=1)
    document_id = secret.render(secret.published()).json()["documentId"]
    assert purge(now=timezone.now() + timedelta(days=2)).documents == 1
    assert secret.get(f"/v1/downloads/{document_id}").json()["message"] == "Document not found"
    assert secret.get("/v1/usage").json()["total"] == 1


def test_files_that_no_asset_owns_are_swept(keeper: Organization) -> None:
    """A kill between file and row of an upload, or between row and file of a deletion, leaves such files."""
    assets.sweep(NOW + timedelta(days=1))  # what other tests left
    folder = f"assets/{keeper.pk}"
    owned = assets.upload_asset(
        organization=keeper,
        name="logo.svg",
        content=b"<svg xmlns='http://www.w3.org/2000/svg' width='1' height='1'/>",
        actor="system",
    )
    old, young = id_of("ast", NOW - timedelta(hours=2)), id_of("ast", NOW)
    for name in (
        f"{folder}/{old}.png",
        f"{folder}/{young}.png",
        "assets/org_gone/ast_00000000000000000000000000.png",
    ):
        default_storage.save(name, ContentFile(b"x"))
    later = NOW + timedelta(hours=1, seconds=-5)
    assert assets.sweep(NOW) == 2
    assert kept(folder) == sorted([owned.file, f"{folder}/{young}.png"])
    assert assets.sweep(later + timedelta(hours=1)) == 1
    assert kept(folder) == [owned.file]
