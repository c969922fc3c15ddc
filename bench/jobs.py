"""The queue with 100,000 jobs in it, beside the same queue with none: `python -m bench.jobs`.

Times one enqueue, and one claim with its end, on SQLite and on PostgreSQL. Rounds with and without the
others take turns in one run; a figure is the median of the quietest round. The others are, in turn: due at
once behind those that are measured (a large batch beside single renders), due at once in front of them in the
same priority, not due yet (retries), and due in the other queue (webhooks).
Goal: at most 1.5 times the time with none.
"""

from __future__ import annotations

import argparse
import time
from collections.abc import Callable
from datetime import datetime
from statistics import median
from typing import Final

QUEUED: Final = 100_000
ROUNDS: Final = 3
MEASURED: Final = 200
GOAL: Final = 1.5


def main() -> None:
    """Measure each database in a process of its own."""
    parser = argparse.ArgumentParser(prog="python -m bench.jobs", description=__doc__)
    parser.add_argument("--queued", type=int, default=QUEUED, help="other jobs in the queue (%(default)s)")
    parser.add_argument("--plans", action="store_true", help="print the plan of a claim with them")
    parser.add_argument("--measure", help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.measure:
        measure(options.measure, options.queued, options.plans)
        return
    from bench.databases import measure_each

    print(f"{'':12}{'others':16}{'enqueue ms':>12}{'with none':>12}{'ratio':>8}", end="")
    print(f"{'dequeue ms':>14}{'with none':>12}{'ratio':>8}", flush=True)
    plans = ["--plans"] if options.plans else []
    measure_each("bench.jobs", [f"--queued={options.queued}", *plans], durable=True)


def measure(name: str, queued: int, plans: bool) -> None:
    """Print one line for each kind of other jobs."""
    import django

    django.setup()
    from datetime import timedelta

    from django.core.management import call_command
    from django.utils import timezone

    from config.jobs import IO, LOW, NORMAL

    call_command("migrate", verbosity=0)

    def in_front() -> None:
        fill(queued, NORMAL, timezone.now())

    def behind() -> None:
        fill(queued, LOW, timezone.now())

    def not_due() -> None:
        fill(queued, NORMAL, timezone.now() + timedelta(days=1))

    def elsewhere() -> None:
        fill(queued, NORMAL, timezone.now(), queue=IO)

    others_by_kind: dict[str, Callable[[], None]] = {
        "behind": behind,
        "in front": in_front,
        "not due": not_due,
        "other queue": elsewhere,
    }
    for kind, store in others_by_kind.items():
        found: dict[bool, list[tuple[float, float]]] = {False: [], True: []}
        for _ in range(ROUNDS):
            for others in (False, True):
                empty()
                if others:
                    store()
                found[others].append(one_round())
                if others and plans and len(found[True]) == ROUNDS:
                    show_plan()
        enqueue, dequeue = (
            [min(pair[i] for pair in found[others]) for others in (True, False)] for i in (0, 1)
        )
        line = f"{name:12}{kind:16}"
        for width, (with_others, alone) in ((12, enqueue), (14, dequeue)):
            ratio = with_others / alone
            line += f"{with_others:{width}.3f}{alone:12.3f}{ratio:8.2f}{'' if ratio <= GOAL else ' miss'}"
        print(line, flush=True)


def empty() -> None:
    """Leave a queue as it is when everything was done: without rows, and cleaned up."""
    from django.db import connection
    from django_tasks_db.models import DBTaskResult

    with connection.cursor() as cursor:
        cursor.execute(f"DELETE FROM {DBTaskResult._meta.db_table}")
        if connection.vendor == "postgresql":
            cursor.execute(f"VACUUM ANALYZE {DBTaskResult._meta.db_table}")


def fill(count: int, priority: int, run_after: datetime, queue: str = "default") -> None:
    """Store jobs without asking each of them: the first one is copied by the database."""
    from django.db import connection
    from django_tasks_db.models import DBTaskResult

    from rendering.tasks import render_in_background

    other = render_in_background.using(priority=priority, run_after=run_after, queue_name=queue)
    other.enqueue("other")
    columns = ", ".join(str(field.column) for field in DBTaskResult._meta.fields if not field.primary_key)
    new_id = "gen_random_uuid()" if connection.vendor == "postgresql" else "lower(hex(randomblob(16)))"
    table = DBTaskResult._meta.db_table
    with connection.cursor() as cursor:
        cursor.execute(
            "WITH RECURSIVE numbers(n) AS"
            f" (SELECT 1 UNION ALL SELECT n + 1 FROM numbers WHERE n < {count - 1})"
            f" INSERT INTO {table} (id, {columns}) SELECT {new_id}, {columns} FROM {table}, numbers"
        )


def one_round() -> tuple[float, float]:
    """Return the median milliseconds of an enqueue, and of a claim with its end."""
    from django.db import connection, transaction
    from django_tasks_db.models import DBTaskResult

    from config.jobs import DEFAULT, queue
    from rendering.tasks import render_in_background

    if connection.vendor == "postgresql":
        with connection.cursor() as cursor:  # as autovacuum does beside a queue that grows
            cursor.execute(f"VACUUM ANALYZE {DBTaskResult._meta.db_table}")
    enqueues, dequeues = [], []
    for number in range(MEASURED):
        started = time.perf_counter()
        with transaction.atomic():
            render_in_background.enqueue(str(number))
        enqueues.append(time.perf_counter() - started)
    for _ in range(MEASURED):
        started = time.perf_counter()
        task = queue.claim("bench", DEFAULT)
        assert task is not None
        queue.finish(task)
        dequeues.append(time.perf_counter() - started)
    return median(enqueues) * 1000, median(dequeues) * 1000


def show_plan() -> None:
    """Print how the database finds the next job."""
    from django.db import connection
    from django.utils import timezone
    from django_tasks_db.models import DBTaskResult

    from config.jobs import DEFAULT, NORMAL

    due = DBTaskResult.objects.filter(
        status="READY", queue_name=DEFAULT, priority=NORMAL, run_after__lte=timezone.now()
    ).order_by("run_after")
    options = {"analyze": True, "buffers": True} if connection.vendor == "postgresql" else {}
    print(due[:1].explain(format=None, **options))


if __name__ == "__main__":
    main()
