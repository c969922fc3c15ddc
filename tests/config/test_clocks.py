"""Machines whose clocks differ: what one of them may end, take or put off for the others."""

from __future__ import annotations

import logging
from collections.abc import Callable, Iterator
from datetime import timedelta

import pytest
from django.db import OperationalError
from django.utils import timezone

from config import clocks, jobs
from config.jobs import periodic, queue
from config.jobs.models import Turn
from rendering.models import Document
from rendering.sweeping import sweep
from tests.config.tasks import note
from tests.factories import DocumentFactory
from tests.parts.session import REAL

needs_postgres = pytest.mark.skipif(not REAL, reason="SQLite has the clock of its machine")
pytestmark = pytest.mark.django_db


@pytest.fixture
def ahead(monkeypatch: pytest.MonkeyPatch) -> Callable[[float], None]:
    """Set the clock of this machine so many minutes ahead."""
    right = timezone.now

    def set_clock(minutes: float) -> None:
        monkeypatch.setattr(timezone, "now", lambda: right() + timedelta(minutes=minutes))

    return set_clock


@pytest.fixture(autouse=True)
def _unseen() -> Iterator[None]:
    clocks._differs.clear()
    yield
    clocks._differs.clear()


@needs_postgres
def test_a_machine_that_is_ahead_ends_no_render_of_the_others(ahead: Callable[[float], None]) -> None:
    begun = DocumentFactory(status=Document.Status.PROCESSING)
    Document.objects.update(lease_expires_at=timezone.now() + timedelta(seconds=90))
    ahead(5)
    assert sweep() == 0
    Document.objects.update(lease_expires_at=timezone.now() - timedelta(minutes=6))
    ahead(-60)
    assert sweep() == 1
    begun.refresh_from_db()
    assert begun.status == Document.Status.FAILED


@needs_postgres
def test_a_machine_that_is_far_ahead_puts_no_turn_off(ahead: Callable[[float], None]) -> None:
    ahead(60 * 24 * 365)
    assert periodic.has_turn("job", 30)
    assert not periodic.has_turn("job", 30)
    ahead(0)
    assert Turn.objects.get().due_at < timezone.now() + timedelta(seconds=31)


@needs_postgres
def test_a_worker_that_is_behind_takes_jobs_at_once(ahead: Callable[[float], None]) -> None:
    note.enqueue("a")
    ahead(-5)
    task = queue.claim("behind", jobs.DEFAULT)
    assert task is not None
    queue.put_back(task, "again")
    ahead(5)
    assert queue.claim("ahead", jobs.DEFAULT) is not None


@needs_postgres
def test_a_clock_that_differs_is_told_once_and_its_end_too(
    ahead: Callable[[float], None], caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.INFO, "config.clocks")
    for minutes in (0, 5, 5, 0, -5):
        ahead(minutes)
        clocks.watch()
    first, second, third = (record.getMessage() for record in caplog.records)
    assert "is 300 seconds ahead of that of the database: set both by NTP" in first
    assert "agree again" in second
    assert "is 300 seconds behind that of the database" in third


def test_a_lost_database_is_told_by_others(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    def lost() -> timedelta:
        raise OperationalError("gone")

    monkeypatch.setattr(clocks, "ahead_of_database", lost)
    clocks.watch()
    assert caplog.records == []
