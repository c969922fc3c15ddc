"""A template's history: its versions, two of them side by side, an old one as a document, restoring."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Final
from urllib.parse import urlencode

from django.contrib import messages
from django.db.models import QuerySet
from django.http import Http404, HttpResponse
from django.shortcuts import redirect
from django.urls import path
from django.views.decorators.http import require_GET, require_http_methods

from config.api.errors import ApiError
from config.files import content_disposition
from dashboard.access import MemberRequest, member
from dashboard.editor.samples import MADE_UP, shown_data
from dashboard.history.definition import blocks_of
from dashboard.history.rendered import MOST_PAGES, PICTURE_WIDTH, compare, digest_of, picture_of, rendered
from dashboard.history.words import entries_of, words_of
from dashboard.pages import by_key, whole_number
from dashboard.pictures.raster import NoPages
from dashboard.previews import TooManyPreviews, draws, spend_preview
from dashboard.publishing import Verdict, judge, seen_version
from dashboard.views.template import find, page, to_template
from templates_app.changes import changes_between
from templates_app.models import Template, TemplateVersion
from templates_app.samples import DEFAULT_NAME, samples_of
from templates_app.services import update_template

PAGE_SIZE: Final = 20
MOST_WORDS: Final = 60  # changes that a page about two versions lists
PICTURE_SECONDS: Final = 600


@dataclass(frozen=True)
class Chosen:
    """The sample that versions are rendered with; `query` names it in an address."""

    name: str
    data: dict[str, Any]
    query: str
    is_made_up: bool = False

    @property
    def digest(self) -> str:
        """Stands for the data in the address of a picture: browsers keep pictures for a while."""
        return digest_of(self.data)


@require_GET
@member("viewer")
def history(request: MemberRequest, template_id: str) -> HttpResponse:
    """List the versions of a template, the newest first: who, when, and what changed in words."""
    row = find(request, template_id)
    earlier: QuerySet[TemplateVersion] = row.versions.only(
        "version", "created_at", "created_by", "template_id"
    )
    listed = by_key(request, earlier, key="version", parse=int, size=PAGE_SIZE)
    entries = list(listed.rows)
    if not listed.previous:
        entries.insert(0, TemplateVersion.of(row))
    words = words_of(row, [entry.version for entry in entries])
    lines = [(entry, words[entry.version]) for entry in entries]
    return page(request, row, "history", lines=lines, page=listed)


@require_GET
@member("viewer")
@draws
def version(request: MemberRequest, template_id: str, version: int) -> HttpResponse:
    """Show a version beside another (`?with=`, else the one before): in words, on paper, as definition."""
    row = find(request, template_id)
    given = request.GET.get("with", "")
    number = whole_number(given)
    other = version - 1 if number is None else number
    entries = entries_of(row, {version, other})
    if version not in entries or (given and other not in entries):
        raise Http404("The template never had this version")
    after = entries[max(entries)]
    before = entries[min(entries)]
    sample = _sample(request, row, after)
    changes = changes_between(before.body(), after.body())
    compared = compare(before, after, sample.data, lambda: spend_preview(request))
    return page(
        request,
        row,
        "version",
        tab="history",
        shown=entries[version],
        before=before,
        after=after,
        is_alone=before is after,
        changes=changes[:MOST_WORDS],
        more=max(0, len(changes) - MOST_WORDS),
        blocks=blocks_of(before.body(), after.body()),
        compared=compared,
        most_pages=MOST_PAGES,
        picture_width=PICTURE_WIDTH,
        sample=sample,
        samples=_offered(row, sample),
    )


@require_GET
@member("viewer")
def page_picture(request: MemberRequest, template_id: str, version: int, number: int) -> HttpResponse:
    """Send a page of a version as PNG."""
    row = find(request, template_id)
    entry = _entry(row, version)
    try:
        data = _sample(request, row, entry).data
        picture = picture_of(entry, data, number, lambda: spend_preview(request))
    except TooManyPreviews as error:
        return HttpResponse(status=error.status, headers=error.headers)
    except (ApiError, NoPages, IndexError):
        raise Http404("There is no such page") from None
    answer = HttpResponse(picture, content_type="image/png")
    answer["Cache-Control"] = f"private, max-age={PICTURE_SECONDS}"
    return answer


@require_GET
@member("viewer")
@draws
def document(request: MemberRequest, template_id: str, version: int) -> HttpResponse:
    """Render a version with a sample; nothing is stored or counted."""
    row = find(request, template_id)
    entry = _entry(row, version)
    format = request.GET.get("format", "")
    if format not in entry.formats:
        raise Http404("This version has no such format")
    spend_preview(request)
    try:
        made = rendered(entry, _sample(request, row, entry).data, format)
    except ApiError as error:
        messages.error(request, f"Version {version} cannot be rendered with this sample. {error.message}.")
        return redirect("dashboard:version", request.organization.pk, row.pk, version)
    answer = HttpResponse(made.file, content_type=made.renderer.content_type)
    place = "inline" if format == "pdf" else "attachment"
    name = f"{row.name} version {version}.{made.renderer.extension}"
    answer["Content-Disposition"] = content_disposition(name, place)
    return answer


@require_http_methods(["GET", "POST"])
@member("editor")
@draws
def restore(request: MemberRequest, template_id: str, version: int) -> HttpResponse:
    """Show what would change, then make an old version's content the newest version.

    A published template passes the gate first, as for every save of it.
    """
    row = find(request, template_id)
    entry = _entry(row, version)
    body = entry.body()
    if row.is_archived or body == row.body():
        reason = "An archived template cannot be changed" if row.is_archived else "This is how it is already"
        messages.info(request, f"{reason}.")
        return redirect("dashboard:version", request.organization.pk, row.pk, version)
    live = row.status == Template.Status.PUBLISHED
    if live:
        spend_preview(request)
    verdict = judge(row, body=body) if live else Verdict(())
    if request.method == "POST" and verdict.lets_pass(request.POST.get("accept", "")):
        if _restored(request, row, entry, body):
            return to_template(request, row)
        return redirect("dashboard:restore", request.organization.pk, row.pk, version)
    changes = changes_between(row.body(), body)
    return page(
        request,
        row,
        "restore",
        tab="history",
        entry=entry,
        changes=changes[:MOST_WORDS],
        more=max(0, len(changes) - MOST_WORDS),
        verdict=verdict,
        live=live,
        asked=request.method == "POST",
        status=422 if request.method == "POST" else 200,
    )


def _restored(request: MemberRequest, row: Template, entry: TemplateVersion, body: dict[str, Any]) -> bool:
    """Store the content unless somebody else has saved since the question was shown; tell the person."""
    try:
        changed = update_template(
            templates=Template.objects.visible_to(request.caller),
            template=row,
            body=body,
            author=request.caller.author,
            may_move=False,
            # What was shown for a draft is not restored to what has been published meanwhile.
            expected_status=request.POST.get("status") or row.status,
            expected_version=seen_version(request.POST),
        )
    except ApiError as error:
        messages.error(request, f"Nothing was restored. {error.message}.")
        return False
    messages.success(request, f"Version {entry.version} is back, as version {changed.version}.")
    return True


def _entry(row: Template, version: int) -> TemplateVersion:
    entry = entries_of(row, {version}).get(version)
    if entry is None:
        raise Http404("The template never had this version")
    return entry


def _sample(request: MemberRequest, row: Template, entry: TemplateVersion) -> Chosen:
    """Return the sample `?sample=`; else the version's own, or that of the version `?of=`."""
    name = request.GET.get("sample", "")
    for sample in samples_of(row) if name not in {"", DEFAULT_NAME, MADE_UP} else ():
        if sample["name"] == name:
            return Chosen(name, sample["data"], urlencode({"sample": name}))
    given = request.GET.get("of", "")
    if (number := whole_number(given)) is not None:
        entry = _entry(row, number)
    shown = shown_data(entry.sample_data or row.sample_data, entry.variables)
    return Chosen(shown.name, shown.data, urlencode({"of": entry.version}), shown.is_made_up)


def _offered(row: Template, chosen: Chosen) -> list[str]:
    """Return the names of the samples to choose from: named ones, and what is taken without a choice."""
    named = [each["name"] for each in samples_of(row)]
    return [MADE_UP if chosen.is_made_up else DEFAULT_NAME, *named]


urls = [
    path("templates/<str:template_id>/history", history, name="history"),
    path("templates/<str:template_id>/history/<int:version>", version, name="version"),
    path("templates/<str:template_id>/history/<int:version>/restore", restore, name="restore"),
    path("templates/<str:template_id>/history/<int:version>/document", document, name="version_document"),
    path(
        "templates/<str:template_id>/history/<int:version>/pages/<int:number>.png",
        page_picture,
        name="page_picture",
    ),
]
