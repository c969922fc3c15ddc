"""What is counted, by which labels, over several processes; who may read it."""

from __future__ import annotations

import errno
import os
import re
import subprocess
import sys
from collections import defaultdict
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest
import yaml
from django.core.files.storage import default_storage
from django.test import Client
from django.utils import timezone
from django_tasks_db.models import DBTaskResult
from prometheus_client.parser import text_string_to_metric_families

from config import metrics, metrics_page
from config.jobs import queue
from config.jobs.models import Worker
from rendering.formats import RENDERERS
from rendering.models import Document
from tests.conftest import ApiClient
from tests.jobs import run_jobs
from tests.webhooks.receiver import receiving

ROOT = Path(__file__).resolve().parent.parent.parent


@pytest.fixture(autouse=True)
def _open(settings: Any) -> None:
    settings.METRICS_OPEN = True


def scrape(**headers: str) -> dict[tuple[str, frozenset[tuple[str, str]]], float]:
    """Return every sample by name and labels, read as Prometheus reads them."""
    answer = Client().get("/metrics", headers=headers)
    assert answer.status_code == 200, answer.content
    families = text_string_to_metric_families(answer.content.decode())
    return {(s.name, frozenset(s.labels.items())): s.value for f in families for s in f.samples}


class Counted:
    """How samples grow while a block runs."""

    def __enter__(self) -> Counted:
        self._before = scrape()
        return self

    def __exit__(self, *_: object) -> None:
        self._after = scrape()

    def of(self, name: str, **labels: str) -> float:
        key = (name, frozenset(labels.items()))
        return self._after.get(key, 0.0) - self._before.get(key, 0.0)


def test_requests_are_counted_by_pattern_never_by_id(secret: ApiClient) -> None:
    with Counted() as counted:
        template_id = secret.create()["id"]
        for _ in range(3):
            secret.get(f"/v1/templates/{template_id}")
        secret.get("/v1/templates/tpl_unknown")
        secret.get("/v1/nothing/here")
        secret.get("/nothing/at/all.php")
        secret.request("BREW", "/v1/templates")
        secret.request("OPTIONS", "/v1/templates", access_control_request_method="POST")
        secret.post("/v1/templates", b"{}", content_length="99999999999")
    requests = "documents_http_requests_total"
    one, every = "/v1/templates/{id}", "/v1/templates"
    assert counted.of(requests, route=one, method="GET", status="200") == 3
    assert counted.of(requests, route=one, method="GET", status="404") == 1
    assert counted.of(requests, route="unknown", method="GET", status="404") == 2
    assert counted.of(requests, route=every, method="other", status="405") == 1
    assert counted.of(requests, route=every, method="OPTIONS", status="204") == 1
    assert counted.of(requests, route=every, method="POST", status="413") == 1
    assert counted.of("documents_http_request_seconds_count", route=one, method="GET") == 4
    assert not re.search(r"(tpl|org|doc)_[0-9a-z]{26}", Client().get("/metrics").content.decode())


def full(*_: object) -> None:
    raise OSError(errno.ENOSPC, "No space left on device")


def test_renders_and_their_failures_are_counted_by_format(
    secret: ApiClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    template_id = secret.published()
    with Counted() as counted:
        size = secret.render(template_id).json()["fileSizeBytes"]
        secret.render(template_id, format="xlsx")
        monkeypatch.setattr(default_storage, "save", full)
        assert secret.render(template_id).status_code == 503
    assert counted.of("documents_render_seconds_count", format="pdf") == 1
    assert counted.of("documents_render_seconds_count", format="xlsx") == 1
    assert counted.of("documents_render_bytes_sum", format="pdf") == size
    assert counted.of("documents_render_failures_total", format="pdf", kind="unavailable") == 1


def test_refusals_of_the_rate_limit_are_counted(secret: ApiClient, settings: Any) -> None:
    settings.RATE_LIMIT = "2/h"
    with Counted() as counted:
        assert [secret.get("/v1/orgs").status_code for _ in range(5)] == [200, 200, 429, 429, 429]
    assert counted.of("documents_rate_limit_refusals_total") == 3


def test_failures_are_told_apart_by_who_is_to_blame(
    secret: ApiClient, settings: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(*args: Any) -> None:
        raise ZeroDivisionError

    template_id = secret.published()
    with Counted() as counted:
        with monkeypatch.context() as patch:
            patch.setattr(RENDERERS["pdf"], "render", fail)
            assert secret.render(template_id).status_code == 500
        settings.MAX_PAGES = 0
        assert secret.render(template_id).status_code == 400
    assert counted.of("documents_render_failures_total", format="pdf", kind="fault") == 1
    assert counted.of("documents_render_failures_total", format="pdf", kind="refused") == 1


def test_a_render_that_somebody_cancelled_is_no_failure(
    secret: ApiClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    draw = RENDERERS["pdf"].render

    def cancelled_meanwhile(*args: Any) -> None:
        draw(*args)
        assert secret.delete(f"/v1/documents/{Document.objects.get().pk}").status_code == 204

    template_id = secret.published()
    monkeypatch.setattr(RENDERERS["pdf"], "render", cancelled_meanwhile)
    with Counted() as counted:
        assert secret.render(template_id).status_code == 503
    assert not counted.of("documents_render_failures_total", format="pdf", kind="unavailable")


def test_webhook_outcomes_are_counted(secret: ApiClient, settings: Any) -> None:
    settings.WEBHOOK_ALLOWED_HOSTS = ["127.0.0.1"]
    with receiving() as receiver, Counted() as counted:
        assert secret.post("/v1/webhooks", {"url": receiver.url}).status_code == 201
        secret.published()
        run_jobs()
        receiver.reply = 500
        secret.published()
        run_jobs()
    assert len(receiver.messages) == 2
    assert counted.of("documents_webhook_attempts_total", outcome="delivered") == 1
    assert counted.of("documents_webhook_attempts_total", outcome="failed") == 1


@pytest.mark.django_db
def test_the_queue_is_read_when_somebody_asks() -> None:
    now = timezone.now()
    for name, status, run_after, age in [
        ("default", "READY", now - timedelta(seconds=30), 30),
        ("default", "READY", now - timedelta(seconds=90), 200),
        ("default", "READY", now + timedelta(hours=1), 500),
        ("default", "RUNNING", now, 900),
        ("default", "SUCCESSFUL", now, 900),
        ("slow", "RUNNING", now, 5),
    ]:
        job = DBTaskResult.objects.create(
            status=status,
            queue_name=name,
            run_after=run_after,
            args_kwargs={},
            task_path="x",
            backend_name="default",
            exception_class_path="",
            traceback="",
        )
        DBTaskResult.objects.filter(pk=job.pk).update(enqueued_at=now - timedelta(seconds=age))
    rows = {row.queue: row for row in queue.queue_rows()}
    assert (rows["default"].ready, rows["default"].later, rows["default"].running) == (2, 1, 1)
    assert 90 <= rows["default"].oldest_seconds < 150
    assert (rows["slow"].ready, rows["slow"].running, rows["slow"].oldest_seconds) == (0, 1, 0)
    assert rows["io"] == queue.QueueRow("io")  # a queue is there, also when it is empty
    samples = scrape()
    assert samples["documents_queue_jobs", frozenset({("queue", "default"), ("state", "ready")})] == 2


@pytest.mark.django_db
def test_workers_count_while_they_give_a_sign_of_life(settings: Any) -> None:
    nothing: frozenset[tuple[str, str]] = frozenset()
    counts = [scrape()["documents_workers", nothing]]
    for name, ago in (("a:1", 0), ("a:2", settings.JOB_LEASE / 2), ("b:1", settings.JOB_LEASE + 5)):
        seen = timezone.now() - timedelta(seconds=ago)
        Worker.objects.create(id=name, host=name[0], pid=1, started_at=seen, seen_at=seen)
        counts.append(scrape()["documents_workers", nothing])
    assert counts == [0, 1, 2, 2]


@pytest.mark.django_db
def test_the_disk_is_looked_at_when_somebody_asks() -> None:
    samples = scrape()
    nothing: frozenset[tuple[str, str]] = frozenset()
    size, free = (samples[f"documents_data_dir_{what}_bytes", nothing] for what in ("size", "free"))
    assert 0 < free < size


@pytest.mark.django_db
def test_what_has_not_failed_yet_is_counted_as_none() -> None:
    """Prometheus sees no growth of what begins with 1."""
    metrics.observe_render("pdf", 0.1, 1000)
    metrics.observe_request("/v1/documents", "GET", 200, 0.1)
    samples = scrape()
    for status in metrics.ERRORS:
        labels = frozenset({("route", "/v1/documents"), ("method", "GET"), ("status", status)})
        assert ("documents_http_requests_total", labels) in samples
    for kind in metrics.FAILURES:
        labels = frozenset({("format", "pdf"), ("kind", kind)})
        assert ("documents_render_failures_total", labels) in samples
    for outcome in metrics.OUTCOMES:
        assert ("documents_webhook_attempts_total", frozenset({("outcome", outcome)})) in samples


def test_a_lost_database_hides_the_queue_and_nothing_else(monkeypatch: pytest.MonkeyPatch) -> None:
    def lost() -> list[Any]:
        raise RuntimeError("gone")

    monkeypatch.setattr(queue, "queue_rows", lost)
    metrics.count_webhook("delivered")
    names = {name for name, _ in scrape()}
    assert "documents_webhook_attempts_total" in names
    assert not any(name.startswith(("documents_queue", "documents_workers")) for name in names)


@pytest.mark.parametrize(
    ("token", "is_open", "headers", "address", "status"),
    [
        ("", False, {}, "127.0.0.1", 403),  # whoever a proxy on this machine speaks for
        ("", False, {}, "::1", 403),
        ("", False, {"authorization": "Bearer "}, "127.0.0.1", 403),
        ("", False, {"x-forwarded-for": "127.0.0.1"}, "127.0.0.1", 403),
        ("", True, {}, "10.0.0.7", 200),
        ("s3same", False, {"authorization": "Bearer s3same"}, "10.0.0.7", 200),
        ("s3same", False, {"authorization": "Bearer s3sam"}, "10.0.0.7", 401),
        ("s3same", False, {"authorization": "Bearer séame"}, "127.0.0.1", 401),
        ("s3same", True, {}, "127.0.0.1", 401),
    ],
)
@pytest.mark.django_db
def test_who_may_read(
    settings: Any, token: str, is_open: bool, headers: dict[str, str], address: str, status: int
) -> None:
    settings.METRICS_TOKEN, settings.METRICS_OPEN = token, is_open
    answer = Client().get("/metrics", headers=headers, REMOTE_ADDR=address)
    assert answer.status_code == status
    assert "s3same" not in answer.content.decode()
    assert (b"documents_http" in answer.content) == (status == 200)


CHILD = """
import sys
from django.conf import settings
settings.configure(DATA_DIR=sys.argv[2])
from config import metrics
for _ in range(int(sys.argv[1])):
    metrics.count_webhook("delivered")
metrics.observe_render("pdf", 0.2, 1000)
print(metrics._made.webhooks.labels("delivered")._value.get(), flush=True)
sys.stdin.read()
"""


def sums() -> dict[str, float]:
    """Return the samples of DATA_DIR, those of a name added up."""
    found: defaultdict[str, float] = defaultdict(float)
    for family in metrics_page.collected().collect():
        for sample in family.samples:
            found[sample.name] += sample.value
    return found


@pytest.mark.live
def test_processes_add_up_and_a_killed_one_is_continued(tmp_path: Path, settings: Any) -> None:
    def child(count: int) -> subprocess.Popen[str]:
        process = subprocess.Popen(
            [sys.executable, "-c", CHILD, str(count), str(tmp_path)],
            cwd=ROOT,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
        )
        return process

    first, second = child(3), child(4)
    try:
        assert first.stdout is not None
        assert second.stdout is not None
        assert {first.stdout.readline(), second.stdout.readline()} == {"3.0\n", "4.0\n"}
        second.kill()
        second.wait()
        third = child(10)
        try:
            assert third.stdout is not None
            # It goes on where the killed one ended, in the same files.
            assert third.stdout.readline() == "14.0\n"
            assert sorted(path.name for path in (tmp_path / "metrics").glob("counter_*")) == [
                "counter_0.db",
                "counter_1.db",
            ]
            settings.DATA_DIR = tmp_path
            samples = sums()
            assert samples["documents_webhook_attempts_total"] == 17
            assert samples["documents_render_seconds_count"] == 3
            third.kill()
            third.wait()
            metrics.clean()
            # Only the counts of the living one are left.
            assert sums()["documents_webhook_attempts_total"] in (3, 14)
        finally:
            third.kill()
            third.communicate()
    finally:
        for process in (first, second):
            process.kill()
            process.communicate()


def test_a_full_disk_costs_the_counts_and_nothing_else(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setattr(metrics, "_made", None)
    monkeypatch.setattr(metrics, "_next_try", 0.0)
    monkeypatch.setattr(metrics, "_RESERVED_BYTES", 2**40)
    monkeypatch.setattr(os, "posix_fallocate", full)
    before = len(os.listdir("/proc/self/fd"))
    metrics.count_refusal()
    metrics.count_refusal()
    assert caplog.text.count("Metrics cannot be kept") == 1
    assert len(os.listdir("/proc/self/fd")) == before  # and no slot: it would be held for nothing
    monkeypatch.setattr(metrics, "_next_try", 0.0)  # a minute later
    made: Any = object()
    monkeypatch.setattr(metrics, "_make", lambda: made)
    assert metrics._instruments() is made


def test_the_alerts_ask_for_what_is_counted(secret: ApiClient) -> None:
    secret.render(secret.published())
    rules = yaml.safe_load((ROOT / "deploy/prometheus/alerts.yaml").read_text())["groups"][0]["rules"]
    asked = {name for rule in rules for name in re.findall(r"\bdocuments_\w+", rule["expr"])}
    assert asked <= {name for name, _ in scrape()}
