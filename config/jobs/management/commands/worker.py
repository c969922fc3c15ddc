"""`python manage.py worker`: run what requests have left to be done."""

from __future__ import annotations

import logging
import os
import signal
import time
from argparse import ArgumentParser
from typing import Any

from django.conf import settings
from django.core.management.base import BaseCommand, CommandError

from config import jobs, tracing
from config.backends import limit_answers
from config.checks import OURS
from config.health import require_migrations
from config.jobs.supervisor import GRACE, Supervisor
from config.jobs.worker import Worker
from config.processes import cores, end_with_parent, spare_collections
from config.shared_secrets import note_start

logger = logging.getLogger(__name__)


class Command(BaseCommand):
    """Work until SIGTERM: running tasks finish, and those that take too long go back into the queue."""

    help = "Run asynchronous renders, batches, webhooks and housekeeping: any number of workers, anywhere."
    requires_system_checks = OURS

    def add_arguments(self, parser: ArgumentParser) -> None:
        """Declare how many processes work on which queues."""
        parser.add_argument("--processes", type=int, default=1, help="worker processes; 0: one per core")
        parser.add_argument("--queues", default=",".join(jobs.LANES), help="queues to work on (%(default)s)")
        parser.add_argument("--name", default=None, help="id of this worker; made up when not given")
        parser.add_argument("--parent", type=int, default=None, help="process to end with")

    def handle(
        self, *args: Any, processes: int, queues: str, name: str | None, parent: int | None, **options: Any
    ) -> None:
        """Check the options, then work in this process or look after several."""
        chosen = [queue.strip() for queue in queues.split(",") if queue.strip()]
        if processes < 0:
            raise CommandError("--processes must not be negative")
        if not chosen or not set(chosen) <= jobs.LANES.keys():
            raise CommandError(f"--queues must be among {', '.join(jobs.LANES)}")
        if parent is not None:
            end_with_parent(parent, settings.RENDER_TIMEOUT + GRACE)
        else:
            require_migrations()
            note_start()
            logger.info("Working on %s (processes: %s)", ", ".join(chosen), processes or cores())
        if processes == 1:
            make_room()
            limit_answers(settings.DATABASES, settings.DATABASE_TIMEOUT)
            tracing.start(settings.OTEL_EXPORTER_OTLP_ENDPOINT)
            spare_collections()
            if not Worker(name=name, queues=chosen).run():
                # A thread that does not end would keep the interpreter; its task is back in the queue.
                logging.shutdown()
                os._exit(0)
            return
        supervisor = Supervisor(processes or cores(), queues=chosen)
        received: list[int] = []
        for number in (signal.SIGTERM, signal.SIGINT):
            signal.signal(number, lambda number, _: received.append(number))
        supervisor.start()
        while not received:
            time.sleep(0.2)
        supervisor.stop()


def make_room() -> None:
    """Give each thread that may ask at the same time a connection of the pool, where there is one."""
    pool = settings.DATABASES["default"].get("OPTIONS", {}).get("pool")
    if pool:
        # Beside the tasks: the claims, the heartbeat, the housekeeping.
        pool["max_size"] = max(pool["max_size"], sum(jobs.LANES.values()) + 3)
