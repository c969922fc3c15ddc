"""Killed at every write: nothing is lost, half-written or counted twice, wherever an operation ends.

A process that is killed writes nothing more. So each operation is run again and again, and from its first,
second, third ... write on every write raises `Killed`, which no handler takes for a failure, until it comes
to its end. After each time the client asks again, what mends in production runs, and the promises are
checked. `tests/live` kills processes, at moments of chance.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from datetime import timedelta
from typing import Any

import orjson
import pytest
from django.core.files.storage import default_storage
from django.db import connection
from django.utils import timezone
from django_tasks_db.models import DBTaskResult

from accounts.models import AuditEntry, Organization
from accounts.webhooks import sending
from accounts.webhooks.models import WebhookDelivery, WebhookEvent
from assets import services as assets
from assets.models import Asset
from config.jobs import queue
from rendering.models import Batch, BatchChunk, Document, RenderInput
from rendering.orphans import sweep_orphans
from rendering.retention import purge
from rendering.sweeping import sweep
from templates_app.models import Template, TemplateVersion
from tests.conftest import INVOICE_DATA, ApiClient, secret_client
from tests.factories import OrganizationFactory, WebhookFactory
from tests.jobs import run_jobs
from tests.links import kept_of
from usage.models import MonthlyCount

# With real commits: what an operation has committed stays when it ends. On one database: a write is a write.
pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.embedded]

MOST_POINTS = 200
SVG = b'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 40 20"><rect width="4" height="4"/></svg>'


class Killed(BaseException):
    """The process is gone."""


class Life:
    """Lets so many writes pass and no more."""

    def __init__(self, patch: pytest.MonkeyPatch) -> None:
        self.left: int | None = None  # None: as many as there are
        self.is_over = False
        for name in ("save", "delete"):
            patch.setattr(default_storage, name, self._spent_on(getattr(default_storage, name)))
        patch.setattr(sending, "send", self._spent_on(self._receive))
        self.received: list[str] = []

    @contextmanager
    def of(self, writes: int) -> Iterator[None]:
        """End what is inside at the write behind so many."""
        self.left, self.is_over = writes, False
        try:
            with connection.execute_wrapper(self._execute), suppress(Killed):
                yield
        finally:
            self.left = None

    def _spend(self) -> None:
        if self.left is None:
            return
        if self.left == 0:
            self.is_over = True
            raise Killed
        self.left -= 1

    def _execute(self, run: Callable[..., Any], sql: str, *args: Any) -> Any:
        if sql.lstrip().startswith(("INSERT", "UPDATE", "DELETE")):
            self._spend()
        return run(sql, *args)

    def _spent_on(self, write: Callable[..., Any]) -> Callable[..., Any]:
        def do(*args: Any, **options: Any) -> Any:
            self._spend()
            done = write(*args, **options)
            self._spend()
            return done

        return do

    def _receive(self, url: str, *, headers: dict[str, str], **_: Any) -> sending.Answer:
        self.received.append(headers["webhook-id"])
        return sending.Answer(status_code=204)


class Stage:
    """An organization with a published template, and what is to be found there."""

    def __init__(self, *, is_told: bool) -> None:
        self.organization = OrganizationFactory()
        self.client: ApiClient = secret_client(self.organization)
        self.template_id = self.client.published()
        self.documents = self.counted = 0
        self.key = self.taken = ""
        if is_told:
            WebhookFactory(organization=self.organization)

    def begin(self, number: int, operation: Operation) -> None:
        """Prepare a time: an operation that takes a document finds one."""
        self.key = f"k-{number}"
        if operation.find:
            self.taken = operation.find(self)
        self.documents += operation.makes
        self.counted += operation.makes + operation.takes


def render(stage: Stage, **headers: str) -> None:
    body = {"templateId": stage.template_id, "data": INVOICE_DATA}
    stage.client.post("/v1/render", body, idempotency_key=stage.key, **headers)
    run_jobs()


def render_later(stage: Stage) -> None:
    render(stage, prefer="respond-async")


def batch(stage: Stage, output: str = "zip", items: int = 1) -> str:
    body = {"templateId": stage.template_id, "items": [{"data": INVOICE_DATA}] * items, "output": output}
    answer = stage.client.post("/v1/batches", body, idempotency_key=stage.key)
    run_jobs()
    return str(answer.json()["id"])


def batch_of_files(stage: Stage) -> None:
    batch(stage, "files", 2)


def batch_in_one(stage: Stage) -> None:
    batch(stage, "merged", 2)


def delete_batch(stage: Stage) -> None:
    stage.client.delete(f"/v1/batches/{stage.taken}")
    run_jobs()


def delete(stage: Stage) -> None:
    stage.client.delete(f"/v1/documents/{stage.taken}")


def find_document(stage: Stage) -> str:
    return str(stage.client.render(stage.template_id).json()["documentId"])


def find_batch(stage: Stage) -> str:
    return batch(stage, "merged", 2)


def keep_for_a_day(stage: Stage) -> None:
    Organization.objects.filter(pk=stage.organization.pk).update(retention_days=1)
    purge(now=timezone.now() + timedelta(days=2))


def update(stage: Stage) -> None:
    stage.client.patch(f"/v1/templates/{stage.template_id}", {"name": f"Template {stage.key}"})


def upload(stage: Stage) -> None:
    assets.upload_asset(organization=stage.organization, name="b.svg", content=SVG, actor="system")


def upload_and_delete(stage: Stage) -> None:
    upload(stage)
    for asset in Asset.objects.filter(organization=stage.organization):
        assets.delete_asset(asset=asset, actor="system")


@dataclass(frozen=True)
class Operation:
    """What is done, and how many documents it makes or takes: those of what it is to `find`.

    `is_repeated` by the client afterwards; `is_told` to a webhook.
    """

    do: Callable[[Stage], object]
    makes: int = 0
    takes: int = 0
    find: Callable[[Stage], str] | None = None
    is_repeated: bool = True
    is_told: bool = False


OPERATIONS = {
    "render": Operation(render, makes=1),
    "render later": Operation(render_later, makes=1, is_told=True),
    "batch": Operation(batch, makes=1),
    "batch of files": Operation(batch_of_files, makes=2),
    "batch in one": Operation(batch_in_one, makes=2),
    "delete a batch": Operation(delete_batch, takes=2, find=find_batch),
    "delete a document": Operation(delete, takes=1, find=find_document),
    "purge": Operation(keep_for_a_day, takes=1, find=find_document),
    "purge a batch": Operation(keep_for_a_day, takes=2, find=find_batch),
    "update a template": Operation(update, is_repeated=False),
    "upload and delete an asset": Operation(upload_and_delete),
}


@pytest.mark.parametrize("name", OPERATIONS)
def test_killed_at_every_write(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    operation, life = OPERATIONS[name], Life(monkeypatch)
    stage = Stage(is_told=operation.is_told)
    for writes in range(MOST_POINTS):
        stage.begin(writes, operation)
        with life.of(writes):
            operation.do(stage)
        let_leases_expire()
        if operation.is_repeated:
            operation.do(stage)
        recover()
        check(stage, life.received)
        if not life.is_over:
            break
    assert 0 < writes < MOST_POINTS - 1


def let_leases_expire() -> None:
    """Let those who died be taken for dead. What belongs to a job is the queue's, which loses nothing."""
    past = timezone.now() - timedelta(seconds=1)
    of_requests = Document.objects.filter(render_input=None, batch=None)
    of_requests.filter(lease_expires_at__gt=past).update(lease_expires_at=past)
    WebhookDelivery.objects.update(claimed_until=None)
    queue.reap(0)


def recover() -> None:
    """Do what workers and housekeeping do, in time."""
    for _ in range(2):
        let_leases_expire()
        sweep()
        run_jobs(later=True)
    soon = timezone.now() + timedelta(days=2)
    assets.sweep(now=soon)
    sweep_orphans(now=soon)


def check(stage: Stage, received: list[str]) -> None:
    """Assert what is promised about an organization, whatever became of an operation."""
    mine = {"organization": stage.organization}
    completed = Document.objects.filter(**mine, status="completed")
    assert completed.count() == stage.documents
    assert set(Document.objects.filter(**mine).values_list("status", flat=True)) <= {"completed", "failed"}
    for document in completed:
        assert default_storage.size(document.file) == document.file_size_bytes
    counted = sum(MonthlyCount.objects.filter(**mine).values_list("documents", flat=True))
    assert counted == stage.counted
    batches = Batch.objects.filter(**mine)
    assert not batches.exclude(status="completed").exists()
    assert all((each.completed, each.failed) == (each.total, 0) for each in batches)
    files = {
        *completed.values_list("file", flat=True),
        *batches.exclude(file="").values_list("file", flat=True),
    }
    files |= set(Asset.objects.filter(**mine).values_list("file", flat=True))
    assert set(kept_of(stage.organization.pk)) == files
    assert not BatchChunk.objects.exists()
    assert not RenderInput.objects.exists()
    assert not DBTaskResult.objects.exists()
    check_history(Template.objects.get(pk=stage.template_id))
    check_events(stage, received)


def check_history(template: Template) -> None:
    versions = TemplateVersion.objects.filter(template=template).order_by("version")
    assert list(versions.values_list("version", flat=True)) == list(range(1, template.version))
    updates = AuditEntry.objects.filter(object_id=template.pk, action="template.updated").count()
    assert updates == template.version - 1


def check_events(stage: Stage, received: list[str]) -> None:
    """Assert that each end of a document is told once, and that each message has arrived."""
    events = WebhookEvent.objects.filter(organization=stage.organization)
    bodies = events.filter(type="document.completed").values_list("body", flat=True)
    told = [orjson.loads(body)["data"]["documentId"] for body in bodies]
    assert len(told) == len(set(told))
    assert set(events.values_list("pk", flat=True)) <= set(received)
    deliveries = WebhookDelivery.objects.filter(event__in=events)
    assert set(deliveries.values_list("status", flat=True)) <= {"delivered"}
