"""A real bucket, then PostgreSQL, dies or stands still under a running service: nothing is restarted."""

from __future__ import annotations

import os
import signal
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import httpx
import pytest

from tests.live import plain
from tests.live.service import Api, Service, wait_for
from tests.parts import Parts
from tests.parts.bucket import ACCESS_KEY, SECRET_KEY, start_bucket
from tests.parts.keeper import bucket_answers, own_folder, postgres_answers, redis_answers, wait_until_ready
from tests.parts.postgres import start_postgres
from tests.parts.process import Server, free_ports
from tests.parts.redis import start_redis
from tests.parts.session import SECRETS

pytestmark = [pytest.mark.real, pytest.mark.live]

TEMPLATE = {"name": "T", "formats": ["pdf"], "sections": [{"type": "text", "content": "Dear {{name}}"}]}
ANSWERS = {"bucket": bucket_answers, "postgres": postgres_answers, "redis": redis_answers}
MESSAGES = {
    "storage": "Storage is unavailable; try again",
    "database": "The database is unavailable; try again",
}
PATIENCE = 60.0


class World:
    """A service on parts of its own, which can be killed and started again."""

    def __init__(self, folder: Path) -> None:
        self.servers: dict[str, Server] = {}
        try:
            self.servers["bucket"] = start_bucket(folder / "bucket")
            self.wait_for("bucket")  # it takes many ports: only now is free what is free
            redis_port, postgres_port = free_ports(2)
            self.servers["redis"] = start_redis(folder / "redis", redis_port)
            self.servers["postgres"] = start_postgres(
                folder / "postgres", postgres_port, durable=True
            )  # or it forgets what it accepted
            self.wait_for("redis")
            self.wait_for("postgres")
            parts = Parts(
                postgres_url=self.servers["postgres"].address,
                redis_url=self.servers["redis"].address,
                s3_endpoint_url=self.servers["bucket"].address,
                access_key=ACCESS_KEY,
                secret_key=SECRET_KEY,
                versions="",
            )
            parts.create_database("service")
            parts.create_bucket("service")
            on = parts.environment("service", 0, "service") | SECRETS
            self.service = Service(
                folder / "data", on=on, WORKERS=2, JOB_WORKERS=1, JOB_LEASE=5, DATABASE_TIMEOUT=5
            )
            self.service.start()
        except BaseException:
            self.end()
            raise
        self.processes = {*self.service.workers(), *self.service.job_workers()}
        account = self.service.create_account()
        self.api = Api(self.service.url, {"x-api-key": account.secret_key})
        self.template_id = self.api.published(**TEMPLATE)

    def wait_for(self, name: str) -> None:
        server = self.servers[name]
        wait_until_ready({server: lambda: ANSWERS[name](server.address)})

    def kill(self, name: str) -> None:
        """End a part as a crash of its machine does."""
        process = self.servers[name].process
        # PostgreSQL takes its own processes along by this one; after SIGKILL they would hold its data.
        process.send_signal(signal.SIGQUIT if name == "postgres" else signal.SIGKILL)
        process.wait(30)

    def start(self, name: str) -> None:
        self.servers[name] = self.servers[name].start_again()
        self.wait_for(name)

    def pause(self, name: str) -> None:
        """Have a part, with its own processes, stand still."""
        for process in self._family(name):
            os.kill(process, signal.SIGSTOP)

    def resume(self, name: str) -> None:
        for process in self._family(name):
            os.kill(process, signal.SIGCONT)

    def _family(self, name: str) -> list[int]:
        pid = self.servers[name].process.pid
        children = Path(f"/proc/{pid}/task/{pid}/children").read_text().split()
        return [pid, *map(int, children)]

    def ready(self) -> tuple[int, dict[str, Any]]:
        answer = plain.get(f"{self.service.url}/readyz", timeout=30)
        return answer.status_code, answer.json()

    def render(self, **fields: Any) -> httpx.Response:
        return self.api.render(self.template_id, {"name": "Ann"}, **fields)

    def end(self) -> None:
        if hasattr(self, "service"):
            self.service.stop()
        for server in self.servers.values():
            server.process.send_signal(server.end_signal)
        for server in self.servers.values():
            server.end(10)


@pytest.fixture(scope="module")
def world() -> Iterator[World]:
    with own_folder() as folder:  # PostgreSQL, which may run as another user, cannot reach pytest's
        world = World(folder)
        try:
            yield world
        finally:
            world.end()


@pytest.mark.parametrize(("part", "lost"), [("bucket", "storage"), ("postgres", "database")])
def test_a_part_dies_and_comes_back(world: World, part: str, lost: str) -> None:
    wait_for(lambda: world.render().status_code == 200, PATIENCE, "renders")
    wait_for(lambda: world.ready()[0] == 200, PATIENCE, "readiness")
    waiting: list[str] = []

    def accept() -> str:
        answer = world.render(headers={"prefer": "respond-async"})
        assert answer.status_code == 202, answer.text
        return str(answer.json()["documentId"])

    if part == "postgres":
        waiting += [accept() for _ in range(20)]  # some are in work when it dies
    world.kill(part)
    try:
        refused = world.render()
        assert refused.status_code == 503
        assert refused.json() == {"message": MESSAGES[lost], "requestId": refused.headers["x-request-id"]}
        assert int(refused.headers["retry-after"]) > 0

        status, body = wait_for(
            lambda: (found := world.ready())[0] == 503 and found, PATIENCE, f"{lost} is down"
        )
        assert body["message"] == f"Not ready: {', '.join(down(body))}"
        assert lost in down(body)
        assert plain.get(f"{world.service.url}/healthz", timeout=30).status_code == 200
        if part == "bucket":
            assert down(body) == ["storage"]
            assert world.api.http.get("/v1/templates").status_code == 200
            waiting.append(accept())
            wait_for(
                lambda: "waits for a lost part" in world.service.log.read_text(), PATIENCE, "the job waits"
            )
    finally:
        world.start(part)
    wait_for(lambda: world.render().status_code == 200, PATIENCE, "renders")
    wait_for(lambda: world.ready()[0] == 200, PATIENCE, "readiness")
    for document_id in waiting:
        ready = wait_for(lambda pk=document_id: completed(world, pk), PATIENCE, "the document of a job")
        assert plain.get(ready["downloadUrl"]).content.startswith(b"%PDF")
    assert {*world.service.workers(), *world.service.job_workers()} == world.processes, (
        "nothing was restarted"
    )


def test_a_database_that_stands_still_is_given_up(world: World) -> None:
    """Its machine is paused: what is connected stays so, and nothing answers."""
    wait_for(lambda: world.render().status_code == 200, PATIENCE, "renders")
    world.pause("postgres")
    try:
        for _ in range(2):  # with a connection, then without one
            refused = world.render()
            assert refused.status_code == 503
            assert refused.json()["message"] == MESSAGES["database"]
    finally:
        world.resume("postgres")
    wait_for(lambda: world.render().status_code == 200, PATIENCE, "renders")
    assert {*world.service.workers(), *world.service.job_workers()} == world.processes


def down(body: dict[str, Any]) -> list[str]:
    """Return the parts that a readiness answer calls down."""
    return [name for name, check in body["checks"].items() if check["status"] == "down"]


def completed(world: World, document_id: str) -> Any:
    """Return a document once it is completed; none may fail."""
    answer = world.api.http.get(f"/v1/documents/{document_id}")
    if answer.status_code == 503:  # each web worker finds by itself that the database is back
        return None
    body = answer.json()
    assert body["status"] in {"processing", "completed"}, body
    return body["status"] == "completed" and body
