"""Periodic work once for all processes: `serve` and every worker offer to do it, and one has the turn."""

from __future__ import annotations

from datetime import timedelta

from django.db import IntegrityError

from config import clocks, housekeeping
from config.jobs.models import Turn


def run_due() -> None:
    """Run the registered housekeeping jobs whose time has come, and look at this machine's clock."""
    clocks.watch()
    housekeeping.run_registered(has_turn)


def has_turn(name: str, every: float) -> bool:
    """Tell whether the job is due and nobody else has taken this turn; take it.

    A clock that is far ahead must not put the turn off for all: it is not this machine's that counts.
    """
    now = clocks.shared_now()
    if not Turn.objects.filter(pk=name).exists():
        try:
            Turn.objects.create(pk=name, due_at=now + timedelta(seconds=every))
        except IntegrityError:
            return False
        return True
    due = Turn.objects.filter(pk=name, due_at__lte=now)
    # Looked at first: SQLite's write lock is not taken to find that nothing is due. Half a second of grace,
    # or a pass that comes a moment too early would skip every other turn.
    return due.exists() and due.update(due_at=now + timedelta(seconds=every - 0.5)) == 1
