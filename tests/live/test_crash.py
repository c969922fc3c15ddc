"""Workers killed in mid-render, at random moments: what is left agrees with itself after a sweep.

`CRASHES=100 pytest tests/live/test_crash.py` for the full hundred.
"""

from __future__ import annotations

import contextlib
import os
import random
import signal
import threading
import time
from collections import Counter
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import httpx
import pytest

from tests.live.service import Account, Api, Service, wait_for

pytestmark = [pytest.mark.embedded, pytest.mark.live]

CRASHES = int(os.environ.get("CRASHES") or 4)
ROUNDS = 5  # of so many kills at most, until one of them has met a render
RENDERERS = 4
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
        self._stop.clear()
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
            rows = chance.choice((0, 1, 1, 5, 5, 20, 200, 800))
            data = {"number": str(rows), "rows": [{"text": f"Row {i}", "amount": i} for i in range(rows)]}
            try:
                answer = self.api.render(self.template_id, data, format=chance.choice(("pdf", "xlsx")))
                self.outcomes[str(answer.status_code)] += 1
            except httpx.TransportError:
                self.outcomes["cut off"] += 1
                time.sleep(0.05)


def kill_one_after_another(service: Service, account: Account, load: Load, count: int) -> None:
    """Kill `count` workers in mid-render, always the one that has been serving longest.

    Every other time the moment is random; else it is when a file has just appeared, so that many kills
    fall between the file and the completion of its row.
    """
    chance = random.Random()
    for number in range(count):
        served = load.outcomes["200"] + chance.randint(1, 8)
        wait_for(lambda goal=served: load.outcomes["200"] >= goal, 120, "renders after a kill")
        if number % 2:
            time.sleep(chance.uniform(0, 0.3))
        else:
            before = files(service, account).keys()
            appeared = lambda known=before: files(service, account).keys() - known  # noqa: E731
            wait_for(appeared, 60, "a new file", pause=0.001)
        oldest = service.workers()[0]
        os.kill(oldest, signal.SIGKILL)
        wait_for(lambda gone=oldest: gone not in service.workers(), 60, "end of a killed worker")


def let_leases_expire(service: Service, account: Account) -> int:
    """Age the leases of the renders that are left, instead of waiting for them; return how many there are."""
    with contextlib.closing(service.open_sqlite()) as database:
        aged = database.execute(
            "UPDATE rendering_document SET lease_expires_at = '2020-01-01 00:00:00' "
            "WHERE status = 'processing' AND organization_id = ?",
            [account.id],
        ).rowcount
        database.commit()
    return aged


def documents(service: Service, account: Account) -> list[tuple[str, str, int | None]]:
    """Return status, file name and size of every document."""
    assert service.rows("PRAGMA integrity_check") == [("ok",)]
    return service.rows(
        f"SELECT status, file, file_size_bytes FROM rendering_document WHERE organization_id = '{account.id}'"
    )


def processing(service: Service, account: Account) -> int:
    """Return how many documents are not ended."""
    return sum(status == "processing" for status, _, _ in documents(service, account))


def files(service: Service, account: Account) -> dict[str, int]:
    """Return the size of every stored file of the organization, hidden drafts included."""
    root = service.data_dir / "files"
    sizes = {}
    for path in (*(root / "documents" / account.id).rglob("*"), *(root / ".drafts").glob("*")):
        # A draft may be renamed between the listing and the look at it.
        with contextlib.suppress(FileNotFoundError):
            if path.is_file():
                sizes[str(path.relative_to(root))] = path.stat().st_size
    return sizes


def test_killed_workers_leave_nothing_half_done(
    service: Service, account: Account, api: Api, capsys: pytest.CaptureFixture[str]
) -> None:
    """Leases outlive the test (RENDER_TIMEOUT): the service's own sweep does not come before the checks."""
    load = Load(api, api.published(**TEMPLATE))
    for _ in range(ROUNDS):
        with load.running():
            kill_one_after_another(service, account, load, CRASHES)
        if processing(service, account):
            break
    left = let_leases_expire(service, account)
    before = {name for status, name, _ in documents(service, account) if status == "completed"}
    orphans = files(service, account).keys() - before
    drafts = {name for name in orphans if name.startswith(".drafts/")}
    swept = service.manage("sweep").strip()
    # The service sweeps every half minute too, and may have been there first.
    wait_for(lambda: not processing(service, account), 60, "the sweep of the rest")
    found = documents(service, account)
    completed = {name: size for status, name, size in found if status == "completed"}
    counts = Counter(status for status, _, _ in found)
    with capsys.disabled():
        print(
            f"\n{CRASHES} kills: answers {dict(load.outcomes)}; before the sweep {left} left processing, "
            f"{len(orphans)} files without a completed row, {len(drafts)} of them drafts; {swept}; "
            f"then {dict(counts)}"
        )
    assert set(load.outcomes) == {"200", "cut off"}
    assert int(swept.removesuffix(" interrupted renders swept")) <= left
    assert counts["failed"] == left > 0
    assert counts["completed"] >= load.outcomes["200"] > CRASHES
    assert files(service, account) == completed
    # The last kills may have left both workers still starting.
    wait_for(service.answers, 120, "a worker after the kills")
    assert api.http.get("/v1/usage").json()["total"] == counts["completed"]
    assert api.render(load.template_id, {"number": "1", "rows": []}).status_code == 200
