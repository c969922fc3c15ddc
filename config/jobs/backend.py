"""The backend of `django_tasks`: `django_tasks_db` with a time to run for every task."""

from __future__ import annotations

from typing import Any

from django.utils import timezone
from django_tasks.exceptions import InvalidTaskError
from django_tasks_db.backend import DatabaseBackend

from config.jobs import PRIORITIES


class JobsBackend(DatabaseBackend):
    """Tasks as rows, each with a moment from which on it may run: the queue is a range of one index."""

    def validate_task(self, task: Any) -> None:
        """Refuse priorities that no worker looks for."""
        super().validate_task(task)
        if task.priority not in PRIORITIES:
            raise InvalidTaskError(f"priority must be one of {PRIORITIES}")

    def enqueue(self, task: Any, args: Any, kwargs: Any) -> Any:
        """Store a task; one without a time may run now."""
        # django_tasks_db would store the end of time, which sorts behind everything that is not due yet.
        return super().enqueue(task if task.run_after else task.using(run_after=timezone.now()), args, kwargs)
