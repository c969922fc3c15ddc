"""Workers killed in mid-render, at random moments: what is left agrees with itself after a sweep.

`CRASHES=100 pytest tests/live/test_crash.py` for the full hundred.
"""

from __future__ import annotations

import contextlib
import os
import random
import signal
import sqlite3
import threading
import time
from collections import Counter
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import httpx
import pytest

from tests.live.service import Api, Service, wait_for

pytestmark = [pytest.mark.embedded, pytest.mark.live, pytest.mark.xdist_group("live")]

CRASHES = int(os.environ.get("CRASHES") or 8)
RENDERERS = 8
TEMPLATE: dict[str, Any] = {
    "name": "Statement",
    "formats": ["pdf", "xlsx"],
    "sections": [
        {"type": "heading", "content": "Statement {{number}}"},
        {
            "type": "table",
            "source": "rows",
            "columns": [{"key": "text", "header": "Text"}, {"key": "amount", "format": "currency"}],
        },
    ],
}


class Load:
    """Renders of all sizes without a pause, whatever becomes of them; `outcomes` counts how they ended."""

    def __init__(self, api: Api, template_id: str) -> None:
        self.api, self.template_id = api, template_id
        self.outcomes: Counter[str] = Counter()
        self._stop = threading.Event()

    @contextlib.contextmanager
    def running(self) -> Iterator[None]:
        """Keep rendering inside the `with`; when it ends no request is on its way any more."""
        with ThreadPoolExecutor(RENDERERS) as pool:
            done = [pool.submit(self._render, random.Random(seed)) for seed in range(RENDERERS)]
            try:
                yield
            finally:
                self._stop.set()
        for future in done:
            future.result()

    def _render(self, chance: random.Random) -> None:
        while not self._stop.is_set():
            # Most are small, so that many moments lie between the file and the completion; some are long.
            rows = chance.choice((0, 1, 1, 5, 5, 20, 200, 1500))
            data = {"number": str(rows), "rows": [{"text": f"Row {i}", "amount": i} for i in range(rows)]}
            try:
                answer = self.api.render(self.template_id, data, format=chance.choice(("pdf", "xlsx")))
                self.outcomes[str(answer.status_code)] += 1
            except httpx.TransportError:
                self.outcomes["cut off"] += 1
                time.sleep(0.05)


def kill_one_after_another(service: Service, load: Load, count: int) -> None:
    """Kill `count` workers in mid-render, always the one that has been serving longest.

    Every other time the moment is random; else it is when a file has just appeared, so that many kills
    fall between the file and the completion of its row.
    """
    chance = random.Random()
    for number in range(count):
        served = load.outcomes["200"] + chance.randint(1, 8)
        wait_for(lambda goal=served: load.outcomes["200"] >= goal, 60, "renders after a kill")
        if number % 2:
            time.sleep(chance.uniform(0, 0.3))
        else:
            before = files(service).keys()
            wait_for(lambda known=before: files(service).keys() - known, 60, "a new file", pause=0.001)
        oldest = service.workers()[0]
        os.kill(oldest, signal.SIGKILL)
        wait_for(lambda gone=oldest: gone not in service.workers(), 10, "end of a killed worker")


def let_leases_expire(service: Service) -> int:
    """Age the leases of the renders that are left, instead of waiting for them; return how many there are."""
    with contextlib.closing(sqlite3.connect(service.data_dir / "database.sqlite3", timeout=30)) as database:
        aged = database.execute(
            "UPDATE rendering_document SET lease_expires_at = '2020-01-01 00:00:00' "
            "WHERE status = 'processing'"
        ).rowcount
        database.commit()
    return aged


def documents(service: Service) -> list[tuple[str, str, int | None]]:
    """Return status, file name and size of every document."""
    with contextlib.closing(sqlite3.connect(service.data_dir / "database.sqlite3", timeout=30)) as database:
        assert database.execute("PRAGMA integrity_check").fetchone() == ("ok",)
        return database.execute("SELECT status, file, file_size_bytes FROM rendering_document").fetchall()


def files(service: Service) -> dict[str, int]:
    """Return the size of every stored file, hidden drafts included."""
    root = service.data_dir / "files"
    sizes = {}
    for path in root.rglob("*"):
        # A draft may be renamed between the listing and the look at it.
        with contextlib.suppress(FileNotFoundError):
            if path.is_file():
                sizes[str(path.relative_to(root))] = path.stat().st_size
    return sizes


def test_killed_workers_leave_nothing_half_done(
    start_service: Callable[..., Service], capsys: pytest.CaptureFixture[str]
) -> None:
    # Leases outlive the test, so that the service's own sweep does not come before the checks.
    service = start_service(WORKERS=2, RENDER_TIMEOUT=900)
    account = service.create_account()
    with Api(service.url, {"x-api-key": account.secret_key}) as api:
        load = Load(api, api.published(**TEMPLATE))
        with load.running():
            kill_one_after_another(service, load, CRASHES)
        left = let_leases_expire(service)
        completed_before = {name for status, name, _ in documents(service) if status == "completed"}
        orphans = files(service).keys() - completed_before
        drafts = {name for name in orphans if name.endswith(".part")}
        swept = service.manage("sweep").strip()
        found = documents(service)
        completed = {name: size for status, name, size in found if status == "completed"}
        counts = Counter(status for status, _, _ in found)
        with capsys.disabled():
            print(
                f"\n{CRASHES} kills: answers {dict(load.outcomes)}; before the sweep {left} left processing, "
                f"{len(orphans)} files without a completed row, {len(drafts)} of them drafts; {swept}; "
                f"then {dict(counts)}"
            )
        assert set(load.outcomes) == {"200", "cut off"}
        assert swept == f"{left} interrupted renders swept"
        assert counts["processing"] == 0
        assert counts["failed"] == left > 0
        assert counts["completed"] >= load.outcomes["200"] > CRASHES
        assert files(service) == completed
        # The last kills may have left both workers still starting.
        wait_for(service.answers, 60, "a worker after the kills")
        assert api.http.get("/v1/usage").json()["total"] == counts["completed"]
        assert api.render(load.template_id, {"number": "1", "rows": []}).status_code == 200
