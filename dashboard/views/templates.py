"""The list of templates, and their pictures."""

from __future__ import annotations

from collections.abc import Container, Sequence
from importlib import resources
from typing import Any, Final

from django.db.models import Q
from django.db.models.functions import Lower
from django.http import Http404, HttpResponse
from django.shortcuts import render
from django.urls import path
from django.views.decorators.http import require_GET

from config.api.ids import is_storable
from dashboard.access import MemberRequest, member
from dashboard.pages import FOREVER, asks_for, by_number
from dashboard.pictures.thumbnails import thumbnail
from dashboard.previews import TooManyPreviews, spend_preview
from templates_app.models import Template, TemplateQuerySet

PAGE_SIZE: Final = 24
STATUSES: Final = (("", "All"), ("draft", "Drafts"), ("published", "Published"), ("archived", "Archived"))
SORTS: Final[dict[str, tuple[str, Sequence[Any]]]] = {
    "": ("Last changed", ("-updated_at", "-id")),
    "name": ("Name", (Lower("name"), "id")),
    "new": ("Newest", ("-id",)),
}


@require_GET
@member("viewer")
def templates(request: MemberRequest) -> HttpResponse:
    """List the organization's templates as cards: searched, filtered, sorted, paged."""
    words = request.GET.get("q", "").strip()
    status = _one_of(request.GET.get("status", ""), [name for name, _ in STATUSES])
    sort = _one_of(request.GET.get("sort", ""), SORTS)
    own = Template.objects.visible_to(request.caller).light()
    rows = _found(own, words, status).order_by(*SORTS[sort][1])
    page = by_number(request, rows, size=PAGE_SIZE)
    context = {
        "area": "templates",
        "page": page,
        "words": words,
        "status": status,
        "sort": sort,
        "statuses": STATUSES,
        "sorts": [(name, label) for name, (label, _) in SORTS.items()],
        # Before the first template there is nothing to search.
        "is_first": not page.rows and not (words or request.GET.get("page")) and not own.exists(),
    }
    name = "_results" if asks_for(request, "results") else "list"
    return render(request, f"dashboard/templates/{name}.html", context)


@require_GET
@member("viewer")
def picture(request: MemberRequest, template_id: str) -> HttpResponse:
    """Send the first page of a template as PNG, or a drawn sheet where there is none to show.

    With `?v=` of the present version the answer never changes and stays in the browser.
    """
    template = Template.objects.visible_to(request.caller).select_related("organization").by_id(template_id)
    if template is None:
        raise Http404("Template not found")
    try:
        image = thumbnail(template, lambda: spend_preview(request))
    except TooManyPreviews as error:
        return HttpResponse(_placeholder(), "image/svg+xml", error.status, headers=error.headers)
    if image is None:
        return HttpResponse(_placeholder(), content_type="image/svg+xml")
    answer = HttpResponse(image, content_type="image/png")
    if request.GET.get("v") == str(template.version):
        answer["Cache-Control"] = FOREVER
    return answer


def _found(rows: TemplateQuerySet, words: str, status: str) -> TemplateQuerySet:
    """Return the templates with a status (archived ones only when asked for) that words are about."""
    archived = Template.Status.ARCHIVED
    rows = rows.filter(status=status) if status else rows.exclude(status=archived)
    if not words:
        return rows
    if not is_storable(words):
        return rows.none()
    return rows.filter(Q(name__icontains=words) | Q(pk=words) | Q(external_user_id=words))


def _one_of(given: str, known: Container[str]) -> str:
    return given if given in known else ""


def _placeholder() -> bytes:
    return (resources.files("dashboard") / "pictures" / "placeholder.svg").read_bytes()


urls = [
    path("templates", templates, name="templates"),
    path("templates/<str:template_id>/thumbnail", picture, name="thumbnail"),
]
