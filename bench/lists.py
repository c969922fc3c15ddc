"""Pages with lists of 1,000 rows beside the same pages with 10: `make bench-lists`.

One organization has ten of everything, another a thousand. Their owners ask for each page in turns, in one
process, on SQLite and on PostgreSQL; medians of the processor's time are compared, so that other programs on
the machine do not count, and beside them the medians of all the time, which the database's share is in.
Goal: at most 1.5 times the time, and no page with more than 12 queries.
"""

from __future__ import annotations

import argparse
import time
from statistics import median
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from django.test import Client

FEW, MANY = 10, 1000
TURNS: Final = 24
WARM_UP: Final = 4
GOAL: Final = 1.5
MOST_QUERIES: Final = 12
PAGES: Final = {
    "templates": "/templates",
    "documents": "/documents",
    "documents, of a template": "/documents?template=Template",
    "documents, of a time": "/documents?since=2020-01-01&format=pdf",
    "batches": "/documents/batches",
    "items of a batch": "/documents/batches/{batch}",
    "assets": "/assets",
    "usage by template": "/usage",
    "usage by end user": "/usage?by=user",
    "members and invitations": "/settings/members",
    "deliveries of a webhook": "/settings/webhooks/{webhook}",
    "attempts of a delivery": "/settings/webhooks/{webhook}/deliveries/{delivery}",
    "audit log": "/settings/audit",
    "audit log, of a person": "/settings/audit?actor={owner}",
    "sessions": "@/account/sessions",
}


def main() -> None:
    """Measure each database in a process of its own."""
    parser = argparse.ArgumentParser(prog="python -m bench.lists", description=__doc__)
    parser.add_argument("--turns", type=int, default=TURNS, help="requests for each page (%(default)s)")
    parser.add_argument("--only", default="", help="measure the pages whose names begin so")
    parser.add_argument("--measure", help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.measure:
        measure(options.measure, options.turns, options.only)
        return
    from bench.databases import measure_each

    arguments = [f"--turns={options.turns}", f"--only={options.only}"]
    measure_each("bench.lists", arguments, environment={"ALLOWED_HOSTS": "testserver"})


def measure(name: str, turns: int, only: str) -> None:
    """Print one line for each page."""
    import django

    django.setup()
    from django.core.management import call_command
    from django.db import connection
    from django.test import Client
    from django.test.utils import CaptureQueriesContext

    from bench.lists_data import fill
    from config.static import collect_static

    call_command("migrate", verbosity=0)
    collect_static()
    sides = []
    for rows in (FEW, MANY):
        filled = fill(rows)
        client = Client()
        client.force_login(filled.owner)
        sides.append((client, filled))
    print(f"{name:28}{'ms of CPU':>12}{f'with {FEW}':>10}{'ratio':>8}", end="")
    print(f"{'ms in all':>12}{f'with {FEW}':>10}{'ratio':>8}{'queries':>9}")
    for page, path in PAGES.items():
        if not page.startswith(only):
            continue
        addresses = [filled.address(path) for _, filled in sides]
        with CaptureQueriesContext(connection) as queries:
            ask(sides[1][0], addresses[1])
        asked = len(queries)  # the next request forgets them
        cpu, wall = _times([client for client, _ in sides], addresses, turns)
        print(f"{page:28}", end="")
        for few, many in (cpu, wall):
            print(f"{many:12.1f}{few:10.1f}{many / few:8.2f}", end="")
        is_missed = cpu[1] / cpu[0] > GOAL or wall[1] / wall[0] > GOAL or asked > MOST_QUERIES
        print(f"{asked:9}{'  missed' if is_missed else ''}", flush=True)


def _times(
    clients: list[Client], addresses: list[str], turns: int
) -> tuple[tuple[float, float], tuple[float, float]]:
    """Return the medians in ms for few and for many rows: of the processor's time, and of all the time."""
    cpu: list[list[float]] = [[], []]
    wall: list[list[float]] = [[], []]
    for _ in range(WARM_UP + turns):
        for side in (0, 1):
            started = time.process_time(), time.perf_counter()
            ask(clients[side], addresses[side])
            cpu[side].append((time.process_time() - started[0]) * 1000)
            wall[side].append((time.perf_counter() - started[1]) * 1000)
    few_cpu, many_cpu = (median(taken[WARM_UP:]) for taken in cpu)
    few_wall, many_wall = (median(taken[WARM_UP:]) for taken in wall)
    return (few_cpu, many_cpu), (few_wall, many_wall)


def ask(client: Client, address: str) -> None:
    """Get a page whole; raises AssertionError for anything but the page."""
    answer = client.get(address)
    assert answer.status_code == 200, (address, answer.status_code)


if __name__ == "__main__":
    main()
