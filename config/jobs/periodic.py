"""Periodic work once for all processes: `serve` and every worker offer to do it, and one has the turn."""

from __future__ import annotations

from datetime import timedelta

from django.db import IntegrityError
from django.utils import timezone

from config import housekeeping
from config.jobs.models import Turn


def run_due() -> None:
    """Run the registered housekeeping jobs whose time has come."""
    housekeeping.run_registered(has_turn)


def has_turn(name: str, every: float) -> bool:
    """Tell whether the job is due and nobody else has taken this turn; take it."""
    now = timezone.now()
    turn = Turn.objects.filter(pk=name).first()
    if turn is None:
        try:
            Turn.objects.create(pk=name, due_at=now + timedelta(seconds=every))
        except IntegrityError:
            return False
        return True
    if turn.due_at > now:
        return False
    # Half a second of grace, or a pass that comes a moment too early would skip every other turn.
    due_at = now + timedelta(seconds=every - 0.5)
    return Turn.objects.filter(pk=name, due_at=turn.due_at).update(due_at=due_at) == 1
