"""Batches: the list, one batch while it is at work, cancelling and deleting it."""

from __future__ import annotations

from typing import Final

from django.contrib import messages
from django.http import Http404, HttpResponse
from django.shortcuts import redirect, render
from django.urls import path, reverse
from django.views.decorators.http import require_GET, require_http_methods

from config.api.urls import base_url
from config.names import short_name
from dashboard.access import MemberRequest, member
from dashboard.pages import asks_for, by_key, whole_number, whole_page
from dashboard.views.documents import ask_before_removal
from rendering.batches import cancel_batch, remove_batch
from rendering.files import link_of_batch
from rendering.models import Batch, Document
from rendering.serializers import STATUSES

OUTPUTS: Final = {
    Batch.Output.FILES: "Single files",
    Batch.Output.ZIP: "One zip",
    Batch.Output.MERGED: "One merged PDF",
}


@require_GET
@member("viewer")
def batches(request: MemberRequest) -> HttpResponse:
    """List the batches, the newest first."""
    page = by_key(request, Batch.objects.visible_to(request.caller).with_templates())
    return render(
        request, "dashboard/documents/batches.html", {"area": "documents", "tab": "batches", "page": page}
    )


@require_GET
@member("viewer")
def batch(request: MemberRequest, batch_id: str) -> HttpResponse:
    """Show a batch with its documents; the part with the progress asks for itself again while it works."""
    row = _find(request, batch_id)
    context = {
        "area": "documents",
        "batch": row,
        "output": OUTPUTS[Batch.Output(row.output)],
        "done": row.done,
        "waiting": max(0, row.total - row.done),
        "percent": round(100 * row.done / row.total) if row.total else 100,
        "has_file": row.status == Batch.Status.COMPLETED and bool(row.file),
    }
    if asks_for(request, "progress"):
        return (
            whole_page() if row.has_ended else render(request, "dashboard/documents/_progress.html", context)
        )
    status = request.GET.get("status", "")
    items = Document.objects.visible_to(request.caller).filter(batch=row)
    if status in STATUSES:
        items = items.filter(status=status)
    context |= {
        "page": by_key(request, items.with_templates(), key="batch_index", parse=_index),
        "status_shown": status,
        "statuses": [(each.value, each.label) for each in STATUSES],
    }
    return render(request, "dashboard/documents/batch.html", context)


@require_GET
@member("viewer")
def download(request: MemberRequest, batch_id: str) -> HttpResponse:
    """Redirect to a fresh signed link to the zip or merged file."""
    url = link_of_batch(_find(request, batch_id), base_url(request))
    if not url:
        raise Http404("The batch has no file")
    return redirect(url)


@require_http_methods(["GET", "POST"])
@member("editor")
def cancel(request: MemberRequest, batch_id: str) -> HttpResponse:
    """Ask, then stop a batch."""
    row = _find(request, batch_id)
    if request.method == "POST":
        ended = row.has_ended
        if cancel_batch(row) is None:
            raise Http404("The batch was deleted meanwhile")
        if ended:
            messages.info(request, "The batch had ended before.")
        else:
            messages.success(request, "The batch is cancelled.")
        return redirect("dashboard:batch", request.organization.pk, row.pk)
    return ask_before_removal(
        request,
        title="Cancel this batch?",
        button="Cancel the batch",
        stay="Let it run",
        back=_page(request, row),
        text=f"{row.filename}: {row.done} of {row.total} are done.",
        consequences=(
            "What is done stays, and can be downloaded.",
            "What was not begun never is, and no zip or merged file is made.",
        ),
    )


@require_http_methods(["GET", "POST"])
@member("editor")
def delete(request: MemberRequest, batch_id: str) -> HttpResponse:
    """Ask, then delete a batch with its documents."""
    row = _find(request, batch_id)
    if request.method == "POST":
        remove_batch(row)
        messages.success(request, f"{short_name(row.filename)} is deleted.")
        return redirect("dashboard:batches", request.organization.pk)
    return ask_before_removal(
        request,
        title="Delete this batch?",
        button="Delete",
        back=_page(request, row),
        text=f"{row.filename} and its {row.total} documents are removed for good.",
        consequences=(
            "Files are deleted, and links to them stop working at once.",
            *(() if row.has_ended else ("It is cancelled: what was not begun never is.",)),
            "Usage still counts what was rendered.",
        ),
    )


def _index(text: str) -> int:
    number = whole_number(text)
    if number is None:
        raise ValueError(text)
    return number


def _find(request: MemberRequest, batch_id: str) -> Batch:
    row = Batch.objects.visible_to(request.caller).with_templates().by_id(batch_id)
    if row is None:
        raise Http404("No such batch")
    return row


def _page(request: MemberRequest, row: Batch) -> str:
    return reverse("dashboard:batch", args=[request.organization.pk, row.pk])


# Before those of documents: `batches` is no id.
urls = [
    path("documents/batches", batches, name="batches"),
    path("documents/batches/<str:batch_id>", batch, name="batch"),
    path("documents/batches/<str:batch_id>/download", download, name="download_batch"),
    path("documents/batches/<str:batch_id>/cancel", cancel, name="cancel_batch"),
    path("documents/batches/<str:batch_id>/delete", delete, name="delete_batch"),
]
