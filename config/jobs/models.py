"""Workers, and whose turn it is. The tasks themselves are rows of `django_tasks_db`."""

from __future__ import annotations

from django.db import models
from django_tasks_db.models import DBTaskResult


class Worker(models.Model):
    """A worker process that is alive: its heartbeat is the lease of every task that it runs."""

    id = models.CharField(primary_key=True, max_length=120, editable=False)
    host = models.CharField(max_length=255)
    pid = models.PositiveIntegerField()
    started_at = models.DateTimeField()
    # By the clock of the database: those of the machines need not agree.
    seen_at = models.DateTimeField(db_index=True)

    def __str__(self) -> str:
        return self.id


class Job(DBTaskResult):
    """A task under the name that people know it by, for the admin."""

    class Meta:
        proxy = True
        verbose_name = "job"

    def __str__(self) -> str:
        return f"{self.task_path.rpartition('.')[2].replace('_', ' ').capitalize()} ({self.pk})"


class Turn(models.Model):
    """When a periodic job is due next; whoever moves the moment on has the turn."""

    name = models.CharField(primary_key=True, max_length=200, editable=False)
    due_at = models.DateTimeField()

    def __str__(self) -> str:
        return self.name
