"""Batches and jobs in the admin: to look at. Their data is never shown."""

from __future__ import annotations

from typing import Any

from django.contrib import admin
from django.db.models import QuerySet
from django.http import HttpRequest
from django_tasks_db.models import DBTaskResult
from unfold.decorators import display

from accounts.admin_filters import OrganizationFilter
from accounts.admin_pages import ReadOnlyAdmin, badge, identifier, moment
from config.api.ids import is_id
from config.jobs.models import Job
from rendering.models import Batch


@admin.register(Batch)
class BatchAdmin(ReadOnlyAdmin):
    """Every organization's batches, newest first."""

    list_display = ("header", "organization", "shown_status", "output", "progress", "created", "completed_on")
    list_filter = ("status", "output", ("organization", OrganizationFilter))
    list_select_related = ("organization",)
    search_fields = ("filename", "=id", "=organization__id")
    search_help_text = "File name, id, or id of the organization"
    ordering = ("-id",)
    created = moment("created_at", "Created")
    completed_on = moment("completed_at", "Ended")
    readonly_fields = ("created", "completed_on", "shown_status", "progress", "shown_id")
    fieldsets = (
        (
            None,
            {
                "fields": (
                    ("filename", "shown_status"),
                    "error",
                    ("organization", "external_user_id"),
                    "reference",
                    ("template", "template_version"),
                    ("format", "output"),
                    ("progress", "shown_id"),
                    ("created", "completed_on"),
                )
            },
        ),
    )

    @display(description="Batch", header=True, ordering="filename")
    def header(self, batch: Batch) -> tuple[Any, ...]:
        """File name over id."""
        return batch.filename, identifier(batch.pk)

    @display(description="Status", ordering="status")
    def shown_status(self, batch: Batch) -> str:
        """The status as a badge."""
        return badge(batch.status)

    @display(description="Items")
    def progress(self, batch: Batch) -> str:
        """How far it is."""
        failed = f", {batch.failed:,} failed" if batch.failed else ""
        return f"{batch.completed:,} of {batch.total:,}{failed}"

    @display(description="Id")
    def shown_id(self, batch: Batch) -> str:
        """The id as code."""
        return identifier(batch.pk)


# The page that comes with django_tasks_db is not of this house, nor are its words.
admin.site.unregister(DBTaskResult)


@admin.register(Job)
class JobAdmin(ReadOnlyAdmin):
    """What is in the queue, what is running, and what was given up within a week. What is done is deleted."""

    list_display = ("task", "shown_status", "queue_name", "priority", "attempts", "due", "begun")
    list_filter = ("status", "queue_name", "priority")
    ordering = ("-priority", "run_after")
    due = moment("run_after", "Due")
    begun = moment("started_at", "Begun")
    ended = moment("finished_at", "Given up")
    readonly_fields = ("task", "arguments", "shown_status", "history", "due", "begun", "ended")
    fieldsets = (
        (
            None,
            {
                "fields": (
                    ("task", "shown_status"),
                    ("arguments", "queue_name"),
                    ("due", "begun"),
                    "history",
                    ("exception_class_path", "ended"),
                )
            },
        ),
    )

    def get_queryset(self, request: HttpRequest) -> QuerySet[Job]:
        """Leave out what may hold a caller's data: the texts of exceptions."""
        jobs: QuerySet[Job] = super().get_queryset(request)
        return jobs.defer("traceback", "return_value")

    @display(description="Job", ordering="task_path")
    def task(self, job: Job) -> str:
        """The name of its function."""
        return job.task_path.rpartition(".")[2].replace("_", " ").capitalize()

    @display(description="Status", ordering="status")
    def shown_status(self, job: Job) -> str:
        """The status as a badge."""
        return badge(job.status.lower())

    @display(description="Attempts")
    def attempts(self, job: Job) -> int:
        """How often it was begun."""
        return len(job.worker_ids)

    @display(description="Of")
    def arguments(self, job: Job) -> str:
        """The ids that it was given; what else it was given, such as the address of a mail, stays hidden."""
        given = job.args_kwargs["args"]
        return ", ".join(str(each) if isinstance(each, int) or is_id(each) else "…" for each in given)

    @display(description="Attempts")
    def history(self, job: Job) -> str:
        """The workers that began it, and how that ended."""
        return "\n".join(job.worker_ids) or "none yet"
