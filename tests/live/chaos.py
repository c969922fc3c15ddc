"""Renders and a batch while processes are killed at random and connections are cut: all of it once.

`make chaos` is the large one: 500 asynchronous renders and a batch of 1,000 on the real parts. It asks for
every document by its Idempotency-Key until it is accepted, as a careful client does, then demands that each
is completed, its file is there, usage is exact, and each event arrived, under one id, at least once.
"""

from __future__ import annotations

import argparse
import os
import random
import signal
import tempfile
import threading
import time
from collections import Counter, defaultdict
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

import httpx
import orjson

from tests.live import plain
from tests.live.service import Api, Service, wait_for

CLIENTS = 4
TEMPLATE: dict[str, Any] = {
    "name": "Statement",
    "formats": ["pdf", "xlsx"],
    "sections": [
        {"type": "heading", "content": "Statement {{number}}"},
        {"type": "table", "source": "rows", "columns": [{"key": "text", "header": "Text"}]},
    ],
}
# A delivery that a killed worker had claimed is tried again when the claim of a minute is over.
END_CLAIMS = (
    "UPDATE webhooks_webhookdelivery SET claimed_until = '2020-01-01 00:00:00' "
    "WHERE status = 'pending' AND claimed_until IS NOT NULL",
    "UPDATE django_tasks_database_dbtaskresult SET run_after = '2020-01-01 00:00:00' "
    "WHERE status = 'READY' AND task_path LIKE '%webhooks%'",
)


class Receiver:
    """A webhook receiver: for each event's subject, how often each message id arrived."""

    def __init__(self) -> None:
        self.seen: dict[tuple[str, str], Counter[str]] = defaultdict(Counter)
        lock, seen = threading.Lock(), self.seen

        class Handler(BaseHTTPRequestHandler):
            def do_POST(self) -> None:
                body = orjson.loads(self.rfile.read(int(self.headers["Content-Length"])))
                subject = body["data"].get("documentId") or body["data"]["id"]
                with lock:
                    seen[body["type"], subject][self.headers["webhook-id"]] += 1
                self.send_response(204)
                self.end_headers()

            def log_message(self, *args: Any) -> None:
                pass

        self._server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.url = f"http://127.0.0.1:{self._server.server_port}/hook"
        threading.Thread(target=self._server.serve_forever, daemon=True).start()

    def close(self) -> None:
        """Stop listening."""
        self._server.shutdown()
        self._server.server_close()

    def subjects(self, type: str) -> set[str]:
        """Return the ids that events of a type were about."""
        return {subject for kind, subject in list(self.seen) if kind == type}


class Havoc:
    """Kills processes of the services at random moments, each kind early, and cuts their connections.

    The next kill comes when some documents more are done: on a busy machine a worker may take seconds to
    start, and one that is killed before that proves nothing.
    """

    def __init__(
        self,
        services: list[Service],
        done: Callable[[], int],
        cut: Callable[[], None] | None,
        *,
        most: int,
        seed: int,
    ) -> None:
        self._services, self._done, self._cut, self._most = services, done, cut, most
        self._chance = random.Random(seed)
        self._stop = threading.Event()
        self._thread = threading.Thread(target=self._wreak, daemon=True)
        self.kills: Counter[str] = Counter()

    def __enter__(self) -> Havoc:
        self._thread.start()
        return self

    def __exit__(self, *exception: object) -> None:
        self._stop.set()
        self._thread.join()

    def killed(self) -> int:
        """Return how many processes were killed."""
        return self.kills["job workers"] + self.kills["web workers"]

    def cut(self) -> None:
        """Cut every connection to the database, where it has connections."""
        if self._cut is not None:
            self._cut()
            self.kills["cuts"] += 1

    def _wreak(self) -> None:
        while not self._stop.is_set():
            goal = self._done() + self._chance.randint(1, self._most)
            while self._done() < goal:
                if self._stop.wait(0.1):
                    return
            time.sleep(self._chance.uniform(0, 0.3))
            service = self._chance.choice(self._services)
            self._kill("job workers", service.job_workers())
            if self._chance.random() < 0.5 or not self.kills["web workers"]:
                self._kill("web workers", service.workers())

    def _kill(self, kind: str, pids: list[int]) -> None:
        try:
            if pids:
                os.kill(self._chance.choice(pids), signal.SIGKILL)
                self.kills[kind] += 1
        except ProcessLookupError:
            pass


def accepted(api: Api, path: str, body: Any, key: str, headers: dict[str, str]) -> Any:
    """Send a request until it is accepted, whatever dies, and return the body of the answer."""
    give_up = time.monotonic() + 300
    while True:
        try:
            answer = api.http.post(path, json=body, headers=headers | {"idempotency-key": key})
            if answer.status_code in (200, 202):
                return answer.json()
            assert answer.status_code >= 500, answer.text
        except httpx.TransportError:
            pass
        assert time.monotonic() < give_up, f"{path} was not accepted"
        time.sleep(0.2)


def get(api: Api, path: str) -> httpx.Response:
    """Read until there is an answer."""
    while True:
        try:
            answer = api.http.get(path)
            if answer.status_code < 500:
                return answer
        except httpx.TransportError:
            pass
        time.sleep(0.2)


def documents(api: Api) -> list[Any]:
    """Return every document of the organization."""
    rows, path = [], "/v1/documents?limit=1000"
    while path:
        answer = get(api, path)
        rows += answer.json()
        path = answer.links.get("next", {}).get("url", "")
    return rows


def wreak_havoc(
    services: list[Service],
    *,
    renders: int,
    items: int,
    kills: int,
    cut: Callable[[], None] | None,
    seed: int,
    end_claims: bool = False,
) -> str:
    """Render, kill and cut, then check what is left; return a line about it. The services are running.

    About so many processes are killed, and no fewer: a machine that is done too soon gets more to render.
    `end_claims` ages the claims of deliveries that killed workers leave, instead of waiting for a minute.
    """
    receiver = Receiver()
    account = services[0].create_account()
    headers = {"x-api-key": account.secret_key}
    with ExitStack() as stack:
        stack.callback(receiver.close)
        apis = [stack.enter_context(Api(service.url, headers)) for service in services]
        api = apis[0]
        types = ["document.completed", "document.failed", "batch.completed"]
        hook = api.http.post("/v1/webhooks", json={"url": receiver.url, "eventTypes": types})
        assert hook.status_code == 201, hook.text
        template_id = api.published(**TEMPLATE)

        def ask(number: int) -> str:
            rows = [{"text": f"Row {row}"} for row in range(random.Random(number).choice((1, 5, 50, 500)))]
            body = {"templateId": template_id, "data": {"number": str(number), "rows": rows}}
            body["format"] = "xlsx" if number % 5 == 0 else "pdf"
            made = accepted(
                apis[number % len(apis)], "/v1/render", body, f"render-{number}", {"prefer": "respond-async"}
            )
            return str(made["documentId"])

        def done() -> int:
            return int(get(api, "/v1/usage").json()["total"])

        with (
            Havoc(services, done, cut, most=2 * (renders + items) // kills, seed=seed) as havoc,
            ThreadPoolExecutor(CLIENTS) as pool,
        ):
            batch_items = [{"data": {"number": f"batch {number}"}} for number in range(items)]
            batch = {"templateId": template_id, "items": batch_items, "output": "files"}
            batch_id = accepted(api, "/v1/batches", batch, "batch", {})["id"]
            havoc.cut()
            ids = set(pool.map(ask, range(renders)))
            havoc.cut()
            ended = lambda: done() >= renders + items  # noqa: E731
            killed = lambda: havoc.killed() >= kills  # noqa: E731
            # Kills come with documents that are done.
            while wait_for(lambda: ended() or killed(), 600 + renders + items, "kills") and not killed():
                ids |= set(pool.map(ask, range(renders, renders + CLIENTS)))
                renders += CLIENTS

            wait_for(ended, 600 + renders + items, "every document", pause=0.2)
            batch_ended = lambda: get(api, f"/v1/batches/{batch_id}").json()["completedAt"]  # noqa: E731
            wait_for(batch_ended, 180, "the end of the batch")
        for service in services:
            wait_for(service.answers, 180, "a web worker after the kills")

        rows = documents(api)
        by_status = Counter(row["status"] for row in rows)
        assert by_status == {"completed": renders + items}, by_status
        assert len(ids) == renders
        assert {row["documentId"] for row in rows if row["batchId"] is None} == ids
        indexes = sorted(row["batchIndex"] for row in rows if row["batchId"] == batch_id)
        assert indexes == list(range(items))
        progress = get(api, f"/v1/batches/{batch_id}").json()["items"]
        assert (progress["completed"], progress["failed"]) == (items, 0)
        assert get(api, "/v1/usage").json()["total"] == renders + items
        with ThreadPoolExecutor(CLIENTS) as pool:
            sizes = dict(pool.map(lambda row: (row["documentId"], size_of_file(api, row)), rows))
        assert sizes == {row["documentId"]: row["fileSizeBytes"] for row in rows}

        expected = {row["documentId"] for row in rows}

        def all_told() -> bool:
            if end_claims:
                services[0].change_rows(*END_CLAIMS)
            return receiver.subjects("document.completed") >= expected

        wait_for(all_told, 300, "every event", pause=0.5)
        wait_for(lambda: receiver.subjects("batch.completed") == {batch_id}, 180, "the batch's event")
        assert receiver.subjects("document.completed") == expected
        assert not receiver.subjects("document.failed")
        assert all(len(counted) == 1 for counted in receiver.seen.values()), "one event under two ids"
        repeated = sum(sum(counted.values()) > 1 for counted in receiver.seen.values())
    return (
        f"{renders} renders and a batch of {items}, {dict(havoc.kills)} killed or cut: "
        f"all completed once, {repeated} of {len(receiver.seen)} events arrived more than once"
    )


def size_of_file(api: Api, row: Any) -> int:
    """Return the size of a document's file, fetched by a fresh link."""
    link = get(api, f"/v1/downloads/{row['documentId']}?redirect=false").json()["downloadUrl"]
    answer = plain.get(link, timeout=60)
    assert answer.status_code == 200, link
    return len(answer.content)


def database_cutter(service: Service) -> Callable[[], None] | None:
    """Return what ends every connection to the service's database; None for SQLite."""
    url = service.parts.get("DATABASE_URL")
    if not url:
        return None

    def cut() -> None:
        import psycopg

        with psycopg.connect(url, autocommit=True) as connection:
            connection.execute(
                "SELECT pg_terminate_backend(pid) FROM pg_stat_activity "
                "WHERE datname = current_database() AND pid <> pg_backend_pid()"
            )

    return cut


def main() -> None:
    """The large one: two machines on the real parts with TEST_STACK=real, else the embedded default."""
    parser = argparse.ArgumentParser(prog="python -m tests.live.chaos", description=__doc__)
    parser.add_argument("--renders", type=int, default=500)
    parser.add_argument("--items", type=int, default=1000)
    parser.add_argument("--kills", type=int, default=100)
    parser.add_argument("--seed", type=int, default=random.randrange(10**6))
    options = parser.parse_args()
    print(f"seed {options.seed}", flush=True)
    settings: dict[str, str | int] = {"WORKERS": 2, "JOB_LEASE": 5, "WEBHOOK_ALLOWED_HOSTS": "127.0.0.1"}
    with tempfile.TemporaryDirectory() as folder, ExitStack() as stack:
        services = [Service(Path(folder) / "first", JOB_WORKERS=1, **settings)]
        if services[0].parts:
            services.append(Service(Path(folder) / "second", on=services[0].parts, JOB_WORKERS=1, **settings))
        for service in services:
            stack.callback(service.stop)
            service.start()
        started = time.monotonic()
        print(
            wreak_havoc(
                services,
                renders=options.renders,
                items=options.items,
                kills=options.kills,
                cut=database_cutter(services[0]),
                seed=options.seed,
            )
        )
        print(f"{time.monotonic() - started:.0f} seconds")


if __name__ == "__main__":
    main()
