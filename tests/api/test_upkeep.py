"""What goes on behind the service: one failure keeps nothing else from being done, and nothing is left."""

from __future__ import annotations

import errno
from collections.abc import Callable, Iterator
from datetime import timedelta
from io import StringIO
from typing import Any

import pytest
from django.core.cache import cache
from django.core.files.base import ContentFile
from django.core.files.storage import FileSystemStorage, default_storage
from django.core.management import call_command
from django.utils import timezone

from accounts.models import Organization
from config.api.ids import first_id, new_id
from rendering import orphans
from rendering.deletion import MOST_FAILURES
from rendering.models import Batch, Document
from rendering.orphans import scheduled_sweep, sweep_orphans
from rendering.retention import purge
from rendering.sweeping import sweep
from tests.conftest import ApiClient
from tests.factories import BatchFactory, DocumentFactory, OrganizationFactory, TemplateFactory

pytestmark = pytest.mark.django_db
NOW = timezone.now()
LONG_AGO = timedelta(days=3)


def refusing(names: set[str]) -> Callable[[str], None]:
    """Return a `delete` that fails for some names, as for a file with another owner."""
    delete = default_storage.delete

    def refuse(name: str) -> None:
        if name in names:
            raise OSError(errno.EACCES, "denied")
        delete(name)

    return refuse


def interrupted(count: int) -> list[Document]:
    """Return documents whose render was killed after the file was written, oldest first."""
    template = TemplateFactory()
    found = []
    for number in range(count):
        lease = NOW - LONG_AGO + timedelta(minutes=number)
        name = f"documents/{template.organization_id}/doc_{number}.pdf"
        default_storage.save(name, ContentFile(b"x"))
        found.append(DocumentFactory(template=template, file=name, lease_expires_at=lease))
    return found


def test_one_file_that_cannot_be_deleted_blocks_no_sweep(monkeypatch: pytest.MonkeyPatch) -> None:
    first, *others = interrupted(4)
    with monkeypatch.context() as patch:
        patch.setattr(default_storage, "delete", refusing({first.file}))
        assert sweep() == 3
        assert sweep() == 0, "it is looked at again later, not at once"
    assert not any(default_storage.exists(document.file) for document in others)
    assert Document.objects.get(pk=first.pk).file == first.file
    Document.objects.filter(pk=first.pk).update(lease_expires_at=NOW - LONG_AGO)
    assert sweep() == 1
    assert not default_storage.exists(first.file)
    assert set(Document.objects.values_list("status", "file")) == {("failed", "")}


def test_a_sweep_without_a_storage_ends(monkeypatch: pytest.MonkeyPatch) -> None:
    documents = interrupted(MOST_FAILURES + 5)
    asked: list[str] = []

    def lost(name: str) -> None:
        asked.append(name)
        raise OSError(errno.EIO, "away")

    with monkeypatch.context() as patch:
        patch.setattr(default_storage, "delete", lost)
        assert sweep() == 0
    assert len(asked) == MOST_FAILURES
    Document.objects.update(lease_expires_at=NOW - LONG_AGO)
    assert sweep() == len(documents)


def test_a_storage_that_was_given_up_is_not_waited_for_again(
    secret: ApiClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A file may arrive whose arrival nobody heard of: it is swept, when somebody has the time."""
    template_id = secret.published()
    store, asked = default_storage.save, []

    def unheard(name: str, content: Any) -> str:
        store(name, content)
        raise OSError(errno.EIO, "no answer")

    with monkeypatch.context() as patch:
        patch.setattr(default_storage, "save", unheard)
        patch.setattr(default_storage, "delete", asked.append)
        answer = secret.render(template_id)
    assert (answer.status_code, answer.json()["message"]) == (503, "Storage is unavailable; try again")
    assert asked == []
    document = Document.objects.get()
    assert (document.status, default_storage.exists(document.file)) == ("failed", True)
    sweep()
    assert not default_storage.exists(document.file)
    assert Document.objects.get().file == ""


def test_one_batch_that_cannot_be_deleted_blocks_no_purge(
    secret: ApiClient, acme: Organization, monkeypatch: pytest.MonkeyPatch
) -> None:
    Organization.objects.filter(pk=acme.pk).update(retention_days=1)
    template = TemplateFactory(organization=acme)
    made = []
    for number in range(3):
        pk = first_id("bat", NOW - LONG_AGO)[:-16] + new_id("bat")[-16:]
        name = f"batches/{acme.pk}/{pk}.zip"
        default_storage.save(name, ContentFile(b"x"))
        made.append(
            Batch.objects.create(
                id=pk, organization=acme, template=template, template_version=1, format="pdf", output="zip",
                status="completed", total=1, filename=f"{number}.zip", file=name, created_at=NOW - LONG_AGO,
            )
        )  # fmt: skip
    first = min(made, key=lambda batch: batch.pk)
    with monkeypatch.context() as patch:
        patch.setattr(default_storage, "delete", refusing({first.file}))
        assert purge().batches == 2
    assert list(Batch.objects.values_list("pk", flat=True)) == [first.pk]
    assert purge().batches == 1
    assert not default_storage.exists(first.file)


def put(folder: str, name: str) -> str:
    """Store a file and return its path."""
    default_storage.save(f"{folder}/{name}", ContentFile(b"x"))
    return f"{folder}/{name}"


def day(organization: Organization, ago: timedelta, kind: str = "documents") -> str:
    """Return the folder of a day."""
    return f"{kind}/{organization.pk}/{NOW - ago:%Y/%m/%d}"


@pytest.fixture
def files(acme: Organization) -> Iterator[dict[str, str]]:
    """Files of all sorts: those that begin with "orphan" are nobody's."""
    template = TemplateFactory(organization=acme)
    old, today = day(acme, LONG_AGO), day(acme, timedelta(0))
    found = {
        "orphan": put(old, "doc_00000000000000000000000001.pdf"),
        "orphan of a failed one": put(old, "doc_00000000000000000000000002.xlsx"),
        "orphan of a batch": put(day(acme, LONG_AGO, "batches"), "bat_00000000000000000000000001.zip"),
        "document": put(old, "doc_00000000000000000000000003.pdf"),
        "being deleted": put(old, "doc_00000000000000000000000004.pdf"),
        "young": put(today, "doc_00000000000000000000000005.pdf"),
        "not ours": put(old, "README.txt"),
        "of an unknown organization": put("documents/org_x/2020/01/01", "doc_00000000000000000000000001.pdf"),
        "unlike a day": put(f"documents/{acme.pk}", "doc_00000000000000000000000001.pdf"),
    }
    if isinstance(default_storage, FileSystemStorage):
        found["orphan draft"] = put(old, ".doc_00000000000000000000000003.pdf.0123abcd.part")
        found["draft in work"] = put(old, ".doc_00000000000000000000000006.pdf.0123abcd.part")
    fields: dict[str, Any] = {"template": template, "created_at": NOW - LONG_AGO}
    DocumentFactory(id="doc_00000000000000000000000002", status="failed", file="", **fields)
    DocumentFactory(id="doc_00000000000000000000000003", completed=True, file=found["document"], **fields)
    DocumentFactory(
        id="doc_00000000000000000000000004", status="deleted", file=found["being deleted"], **fields
    )
    DocumentFactory(
        id="doc_00000000000000000000000006", file=f"{old}/doc_00000000000000000000000006.pdf", **fields
    )
    yield found
    for name in found.values():
        default_storage.delete(name)


def left(files: dict[str, str]) -> set[str]:
    return {what for what, name in files.items() if default_storage.exists(name)}


def test_files_that_no_row_knows_are_swept(files: dict[str, str]) -> None:
    ours = {what for what in files if not what.startswith("orphan")}
    orphaned = len(files) - len(ours)
    assert sweep_orphans(dry_run=True) == orphaned
    assert left(files) == set(files)
    assert sweep_orphans() == orphaned
    assert left(files) == ours
    assert sweep_orphans() == 0


def test_a_file_is_older_than_a_day_before_it_is_swept(acme: Organization) -> None:
    name = put(day(acme, timedelta(0)), "doc_00000000000000000000000007.pdf")
    midnight = NOW.replace(hour=0, minute=0, second=0, microsecond=0)
    assert sweep_orphans(now=midnight + timedelta(days=1, hours=23)) == 0
    assert sweep_orphans(now=midnight + timedelta(days=2)) == 1
    assert not default_storage.exists(name)


@pytest.mark.parametrize(
    ("status", "stays"), [("processing", True), ("completed", True), ("failed", False), ("cancelled", False)]
)
def test_the_file_of_a_batch_that_came_to_nothing_is_nobodys(
    status: str, stays: bool, acme: Organization
) -> None:
    """A worker that is killed between the end of a batch and the end of its file leaves that behind."""
    name = put(day(acme, LONG_AGO, "batches"), "bat_00000000000000000000000009.zip")
    BatchFactory(
        id="bat_00000000000000000000000009",
        template=TemplateFactory(organization=acme),
        output="zip",
        status=status,
        file=name,
    )
    assert sweep_orphans() == (not stays)
    assert default_storage.exists(name) is stays
    default_storage.delete(name)


def test_the_command_sweeps_them_too(files: dict[str, str]) -> None:
    out = StringIO()
    call_command("purge", stdout=out)
    assert f"{sum(what.startswith('orphan') for what in files)} files without a document" in out.getvalue()
    assert not any(what.startswith("orphan") for what in left(files))


def test_a_name_of_another_organization_is_its_own(acme: Organization) -> None:
    """A row protects the file that it names, not one of the same id in somebody else's folder."""
    globex = OrganizationFactory(name="Globex")
    mine = put(day(acme, LONG_AGO), "doc_00000000000000000000000008.pdf")
    theirs = put(day(globex, LONG_AGO), "doc_00000000000000000000000008.pdf")
    DocumentFactory(
        id="doc_00000000000000000000000008",
        completed=True,
        file=mine,
        template=TemplateFactory(organization=acme),
    )
    assert sweep_orphans() == 1
    assert (default_storage.exists(mine), default_storage.exists(theirs)) == (True, False)
    default_storage.delete(mine)


def test_the_scheduled_sweep_goes_on_where_it_was_and_rests_for_a_week(
    acme: Organization, monkeypatch: pytest.MonkeyPatch
) -> None:
    names = [
        put(day(acme, timedelta(days=ago)), f"doc_0000000000000000000000001{ago}.pdf") for ago in (5, 40, 400)
    ]
    monkeypatch.setattr(orphans, "SCHEDULED_SECONDS", -1.0)  # an organization or a folder at a time
    looked: list[str] = []
    look = orphans._sweep_folder

    def looking(folder: str, dry_run: bool) -> int:
        looked.append(folder)
        return look(folder, dry_run)

    monkeypatch.setattr(orphans, "_sweep_folder", looking)
    for _ in range(6):
        scheduled_sweep()
    assert looked == sorted(name.rpartition("/")[0] for name in names)
    assert not any(default_storage.exists(name) for name in names)
    cache.delete("orphans:done")
    for _ in range(2):  # there are no batches to look into
        scheduled_sweep()
    assert len(looked) == 4


def test_organizations_that_were_looked_into_are_not_even_listed_again(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    first, second = sorted((OrganizationFactory(), OrganizationFactory()), key=lambda owner: owner.pk)
    names = [put(day(owner, LONG_AGO), "doc_00000000000000000000000021.pdf") for owner in (first, second)]
    cache.set("orphans:cursor", f"documents/{second.pk}/2020/01/01")
    listed: list[str] = []
    look = default_storage.listdir

    def looking(folder: str) -> Any:
        listed.append(folder)
        return look(folder)

    monkeypatch.setattr(default_storage, "listdir", looking)
    scheduled_sweep()
    assert all(folder.startswith(f"documents/{second.pk}") for folder in listed)
    assert [default_storage.exists(name) for name in names] == [True, False]
    default_storage.delete(names[0])


def test_organizations_without_files_take_the_scheduled_sweep_no_longer_than_others(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    *_, last = sorted((OrganizationFactory() for _ in range(4)), key=lambda owner: owner.pk)
    orphan = put(day(last, LONG_AGO), "doc_00000000000000000000000041.pdf")
    monkeypatch.setattr(orphans, "SCHEDULED_SECONDS", -1.0)  # an organization at a time
    runs = 0
    while default_storage.exists(orphan):
        assert cache.get("orphans:done") is None
        scheduled_sweep()
        runs += 1
    assert runs == 8  # four have no batches, three of them no documents


def test_a_folder_whose_files_cannot_be_deleted_keeps_no_other_from_being_swept(
    acme: Organization, monkeypatch: pytest.MonkeyPatch
) -> None:
    stuck = {
        put(day(acme, timedelta(days=40)), f"doc_000000000000000000000000{n}.pdf")
        for n in range(10, 10 + MOST_FAILURES)
    }
    loose = put(day(acme, LONG_AGO), "doc_00000000000000000000000031.pdf")
    with monkeypatch.context() as patch:
        patch.setattr(default_storage, "delete", refusing(stuck))
        with pytest.raises(OSError, match="cannot be deleted"):
            scheduled_sweep()
        scheduled_sweep()
    assert not default_storage.exists(loose)
    for name in stuck:
        default_storage.delete(name)
