"""Job workers as processes: killed, paused and asked to stop in the middle of a job."""

from __future__ import annotations

import os
import signal
import subprocess
import time
from collections.abc import Callable, Iterator
from typing import Any

import pytest

from tests.live.service import Account, Api, Service, wait_for

pytestmark = [pytest.mark.live, pytest.mark.xdist_group("live")]

LEASE = 3
TEMPLATE: dict[str, Any] = {
    "name": "Rows",
    "formats": ["pdf"],
    "sections": [{"type": "table", "source": "rows", "columns": [{"key": "text", "header": "Text"}]}],
}


class Stage:
    """A service without job workers, and those that a test starts."""

    def __init__(self, service: Service, api: Api) -> None:
        self.service, self.api = service, api
        self.template_id = api.published(**TEMPLATE)
        self._workers: list[subprocess.Popen[bytes]] = []

    def worker(self) -> subprocess.Popen[bytes]:
        """Start a worker."""
        self._workers.append(self.service.start_worker())
        return self._workers[-1]

    def render(self, rows: int) -> str:
        """Ask for a document without waiting for it."""
        data = {"rows": [{"text": f"Row {number} of a long table"} for number in range(rows)]}
        answer = self.api.render(self.template_id, data, headers={"prefer": "respond-async"})
        assert answer.status_code == 202, answer.text
        return str(answer.json()["documentId"])

    def status(self, document_id: str) -> str:
        """Return the status of a document."""
        return str(self.api.http.get(f"/v1/documents/{document_id}").json()["status"])

    def completed(self, *ids: str) -> None:
        """Wait until documents are completed."""
        wait_for(lambda: all(self.status(pk) == "completed" for pk in ids), 90, "completion", pause=0.2)

    def counted(self) -> int:
        """Return how many documents usage knows."""
        return int(self.api.http.get("/v1/usage").json()["total"])

    def end(self) -> None:
        """End the workers, paused ones too."""
        for worker in self._workers:
            worker.kill()
            worker.wait(10)


@pytest.fixture
def stage(start_service: Callable[..., Service]) -> Iterator[Stage]:
    """A service on its own: a worker of this test finds no other test's jobs."""
    service = start_service(WORKERS=2, JOB_WORKERS=0, JOB_LEASE=LEASE, MAX_PAGES=100_000)
    account: Account = service.create_account()
    with Api(service.url, {"x-api-key": account.secret_key}) as api:
        stage = Stage(service, api)
        try:
            yield stage
        finally:
            stage.end()


def test_jobs_outlive_killed_paused_and_stopped_workers(stage: Stage) -> None:
    first = stage.worker()
    stage.completed(stage.render(1))

    # Killed in the middle of a job: another worker takes it up once the lease is over.
    killed = stage.render(150_000)
    time.sleep(1.0)
    assert stage.status(killed) == "processing"
    first.send_signal(signal.SIGKILL)
    first.wait(10)
    second = stage.worker()
    stage.completed(killed)
    assert stage.counted() == 2

    # Paused in the middle of a job, which another one does; when it goes on, nothing is done twice.
    paused = stage.render(150_000)
    time.sleep(1.0)
    assert stage.status(paused) == "processing"
    second.send_signal(signal.SIGSTOP)
    third = stage.worker()
    stage.completed(paused)
    second.send_signal(signal.SIGCONT)
    after = [stage.render(1) for _ in range(4)]
    stage.completed(*after)
    assert stage.counted() == 7

    # Asked to stop in the middle of a job: it finishes that and ends.
    last = stage.render(100_000)
    time.sleep(1.0)
    for worker in (second, third):
        worker.send_signal(signal.SIGTERM)
    assert [worker.wait(60) for worker in (second, third)] == [0, 0]
    assert stage.status(last) == "completed"
    assert stage.counted() == 8


@pytest.mark.embedded
def test_serve_keeps_a_worker_and_ends_it(start_service: Callable[..., Service]) -> None:
    service = start_service(WORKERS=2, JOB_WORKERS="")
    (worker,) = wait_for(service.job_workers, 30, "a job worker")
    os.kill(worker, signal.SIGKILL)
    wait_for(lambda: [pid for pid in service.job_workers() if pid != worker], 30, "another job worker")
    left = service.job_workers()
    service.stop()
    wait_for(lambda: not any(os.path.exists(f"/proc/{pid}/cmdline") for pid in left), 10, "end of the worker")
