"""Job workers as processes: killed, paused and asked to stop in the middle of a job."""

from __future__ import annotations

import subprocess
from collections.abc import Iterator
from typing import Any

import pytest

from tests.live.service import Api, Service, pause, resume, wait_for

pytestmark = [pytest.mark.live]

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
        self.asked: list[str] = []
        self._workers: list[subprocess.Popen[bytes]] = []

    def worker(self) -> subprocess.Popen[bytes]:
        """Start a worker."""
        self._workers.append(self.service.start_worker())
        return self._workers[-1]

    def render(self, rows: int = 1) -> str:
        """Ask for a document without waiting for it."""
        data = {"rows": [{"text": f"Row {number} of a long table"} for number in range(rows)]}
        answer = self.api.render(self.template_id, data, headers={"prefer": "respond-async"})
        assert answer.status_code == 202, answer.text
        self.asked.append(str(answer.json()["documentId"]))
        return self.asked[-1]

    def catch(self, *workers: subprocess.Popen[bytes]) -> str:
        """Pause the workers while one of them renders, and return the id of that document.

        No machine is too fast: a document that was completed meanwhile is followed by one twice as long.
        """
        rows = 10_000
        while True:
            document_id = self.render(rows)
            # The attempt is counted, committed, when the drawing begins.
            wait_for(lambda pk=document_id: self.row(pk)[1], 120, "begin of an attempt", pause=0.005)
            pids = [worker.pid for worker in workers]
            pause(*pids)
            if self.row(document_id)[0] == "processing" and self.service.is_writable():
                return document_id
            resume(*pids)
            self.completed(document_id)
            rows *= 2

    def row(self, document_id: str) -> tuple[str, int]:
        """Return status and attempt of a document, whatever the web workers are doing."""
        query = f"SELECT status, attempt FROM rendering_document WHERE id = '{document_id}'"
        ((status, attempt),) = self.service.rows(query)
        return status, attempt

    def completed(self, *ids: str) -> None:
        """Wait until documents are completed."""
        wait_for(lambda: all(self.row(pk)[0] == "completed" for pk in ids), 180, "completion")

    def all_completed_once(self) -> None:
        """Check that each document that was asked for is there, and counted once."""
        self.completed(*self.asked)
        assert self.api.http.get("/v1/usage").json()["total"] == len(self.asked)

    def end(self) -> None:
        """End the workers, paused ones too."""
        for worker in self._workers:
            worker.kill()
            worker.wait(10)


@pytest.fixture
def stage(service: Service, api: Api) -> Iterator[Stage]:
    """The shared service has no job worker, and nobody else leaves it a job."""
    stage = Stage(service, api)
    try:
        yield stage
    finally:
        stage.end()


def test_jobs_outlive_killed_paused_and_stopped_workers(stage: Stage) -> None:
    first = stage.worker()
    stage.completed(stage.render())

    # Killed in the middle of a job: another worker takes it up once the lease is over.
    killed = stage.catch(first)
    first.kill()
    first.wait(10)
    second = stage.worker()
    stage.completed(killed)
    assert stage.row(killed)[1] == 2
    stage.all_completed_once()

    # Paused in the middle of a job, which another one does; when it goes on, nothing is done twice.
    paused = stage.catch(second)
    third = stage.worker()
    stage.completed(paused)
    assert stage.row(paused)[1] == 2
    resume(second.pid)
    for _ in range(4):
        stage.render()
    stage.all_completed_once()

    # Asked to stop in the middle of a job: it finishes that and ends.
    last = stage.catch(second, third)
    for worker in (second, third):
        worker.terminate()
    resume(second.pid, third.pid)
    assert [worker.wait(120) for worker in (second, third)] == [0, 0]
    assert stage.row(last) == ("completed", 1)
    stage.all_completed_once()
