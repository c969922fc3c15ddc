"""Assets: images and fonts that templates use; uploading, looking at, renaming and deleting them."""

from __future__ import annotations

import time
from typing import Final

from django import forms
from django.conf import settings
from django.contrib import messages
from django.core.files.uploadedfile import UploadedFile
from django.http import Http404, HttpResponse
from django.shortcuts import redirect, render
from django.urls import path, reverse
from django.views.decorators.http import require_GET, require_http_methods, require_POST

from assets.fonts import CONTENT_TYPE as FONT_TYPE
from assets.fonts import MAX_FONT_BYTES
from assets.models import Asset
from assets.references import MOST_LISTED, AssetInUse, uses_of
from assets.services import (
    MAX_NAME_LENGTH,
    AssetGone,
    delete_asset,
    read_asset,
    read_upload,
    rename_asset,
    upload_asset,
)
from config.api.ids import is_storable
from config.files import content_disposition
from config.names import short_name
from dashboard.access import MemberRequest, member
from dashboard.forms import Form
from dashboard.pages import FOREVER, Question, ask, by_key
from dashboard.views.preview import json_answer

PAGE_SIZE: Final = 24
KINDS: Final = (("", "All"), (Asset.Kind.IMAGE.value, "Images"), (Asset.Kind.FONT.value, "Fonts"))
ACCEPTED: Final = "image/png,image/jpeg,image/webp,image/svg+xml,font/ttf,.ttf"
# A drawing may bring its own styles, and nothing else; opened by itself it is nobody's page.
POLICY_OF_CONTENT: Final = "default-src 'none'; style-src 'unsafe-inline'; img-src data:; sandbox"
SAMPLE: Final = "Sphinx of black quartz, judge my vow"


class RenameForm(Form):
    """The name of an asset."""

    name = forms.CharField(
        label="Name", max_length=MAX_NAME_LENGTH, widget=forms.TextInput(attrs={"autocomplete": "off"})
    )


@require_GET
@member("viewer")
def assets(request: MemberRequest) -> HttpResponse:
    """Show the assets, the newest first."""
    return _list(request)


@require_POST
@member("editor")
def upload(request: MemberRequest) -> HttpResponse:
    """Store the files of the form, each for itself: one that is refused does not keep the others out.

    A hundred small files may be images of seconds each: those that come too late are refused unseen.

    A script that sends one file with `Accept: application/json` gets `{name, url}` or a 422 with `message`.
    """
    stored, refusals = [], []
    deadline = time.monotonic() + settings.RENDER_TIMEOUT
    for given in request.FILES.getlist("files"):
        try:
            if time.monotonic() > deadline:
                raise ValueError("the files before it took too long; upload it again")
            stored.append(_store(request, given))
        except ValueError as error:
            refusals.append((given.name or "A file", _sentence(str(error))))
    if not stored and not refusals:
        refusals.append(("No file", "Choose at least one file to upload."))
    if request.headers.get("Accept") == "application/json":
        if refusals:
            return json_answer({"message": refusals[0][1]}, status=422)
        url = reverse("dashboard:asset", args=[request.organization.pk, stored[0].pk])
        return json_answer({"name": stored[0].name, "url": url})
    if stored:
        names = ", ".join(short_name(asset.name) for asset in stored[:3])
        more = f" and {len(stored) - 3} more" if len(stored) > 3 else ""
        messages.success(request, f"Uploaded {names}{more}.")
    if refusals:
        return _list(request, refusals=refusals, status=422)
    return redirect("dashboard:assets", request.organization.pk)


@require_GET
@member("viewer")
def asset(request: MemberRequest, asset_id: str) -> HttpResponse:
    """Show an asset: what it is, its id, and the templates that need it."""
    return _asset(request, _find(request, asset_id))


@require_POST
@member("editor")
def rename(request: MemberRequest, asset_id: str) -> HttpResponse:
    """Change the name of an asset."""
    row = _find(request, asset_id)
    form = RenameForm(request.POST)
    if form.is_valid():
        try:
            rename_asset(asset=row, name=form.cleaned_data["name"], actor=request.caller.author)
        except AssetGone as error:
            raise Http404(str(error)) from None
        except ValueError as error:
            form.add_error("name", _sentence(str(error)))
        else:
            messages.success(request, "The name is saved.")
            return redirect("dashboard:asset", request.organization.pk, row.pk)
    return _asset(request, row, form)


@require_http_methods(["GET", "POST"])
@member("editor")
def delete(request: MemberRequest, asset_id: str) -> HttpResponse:
    """Ask, then delete an asset that no template needs."""
    row = _find(request, asset_id)
    back = reverse("dashboard:asset", args=[request.organization.pk, row.pk])
    if request.method == "POST":
        name = row.name
        try:
            delete_asset(asset=row, actor=request.caller.author)
        except AssetGone as error:
            raise Http404(str(error)) from None
        except AssetInUse as error:
            messages.error(request, str(error))
            return redirect(back)
        messages.success(request, f"{short_name(name)} is deleted.")
        return redirect("dashboard:assets", request.organization.pk)
    if uses := uses_of(row):
        messages.error(request, str(AssetInUse(row, uses)))
        return redirect(back)
    question = Question(
        title="Delete this asset?",
        button="Delete",
        back=back,
        text=f"{row.name} is removed for good.",
        consequences=(
            "No template uses it. Requests whose data names it by its id will be refused.",
            "Documents rendered before keep their copy.",
        ),
        dangerous=True,
    )
    return ask(request, question, area="assets")


@require_GET
@member("viewer")
def content(request: MemberRequest, asset_id: str) -> HttpResponse:
    """Send the file, from here: pages of ours load nothing from a bucket's address."""
    found = read_asset(organization=request.organization, asset_id=asset_id)
    if found is None:
        raise Http404("No such asset")
    data, row = found
    answer = HttpResponse(data, content_type=row.content_type)
    answer["Content-Disposition"] = content_disposition(row.filename, "inline")
    answer["Content-Security-Policy"] = POLICY_OF_CONTENT
    answer["Cache-Control"] = FOREVER  # the file of an asset never changes
    return answer


@require_GET
@member("viewer")
def fonts(request: MemberRequest) -> HttpResponse:
    """Send the style sheet that shows fonts (`?id=...&id=...`) in elements with the class `font-<id>`."""
    wanted = [value for value in request.GET.getlist("id")[:PAGE_SIZE] if is_storable(value)]
    rows = Asset.objects.visible_to(request.caller).filter(kind=Asset.Kind.FONT, pk__in=wanted)
    rules = []
    for row in rows:
        address = reverse("dashboard:asset_content", args=[request.organization.pk, row.pk])
        rules.append(
            f'@font-face {{ font-family: "{row.pk}"; src: url("{address}") format("truetype"); '
            f'font-display: block; }}\n.font-{row.pk} {{ font-family: "{row.pk}", var(--sans); }}\n'
        )
    answer = HttpResponse("".join(rules), content_type="text/css; charset=utf-8")
    answer["Cache-Control"] = "private, max-age=3600"
    return answer


def _list(
    request: MemberRequest, *, refusals: list[tuple[str, str]] | None = None, status: int = 200
) -> HttpResponse:
    kind = request.GET.get("kind", "")
    rows = Asset.objects.visible_to(request.caller)
    if kind in Asset.Kind.values:
        rows = rows.filter(kind=kind)
    here = reverse("dashboard:assets", args=[request.organization.pk])
    page = by_key(request, rows, size=PAGE_SIZE, at=here)
    context = {
        "area": "assets",
        "page": page,
        "kind": kind,
        "kinds": KINDS,
        "is_first": not page.rows and not request.GET,
        "fonts": [row.pk for row in page.rows if row.kind == Asset.Kind.FONT],
        "refusals": refusals or [],
        "accepted": ACCEPTED,
        "largest_image": settings.MAX_ASSET_BYTES,
        "largest_font": MAX_FONT_BYTES,
        "largest": max(settings.MAX_ASSET_BYTES, MAX_FONT_BYTES),
    }
    return render(request, "dashboard/assets/assets.html", context, status=status)


def _asset(request: MemberRequest, row: Asset, form: RenameForm | None = None) -> HttpResponse:
    uses = uses_of(row)
    context = {
        "area": "assets",
        "asset": row,
        "is_font": row.content_type == FONT_TYPE,
        "fonts": [row.pk] if row.kind == Asset.Kind.FONT else [],
        "uses": uses,
        "more_uses": len(uses) == MOST_LISTED,
        "sample": SAMPLE,
        "form": form or RenameForm(initial={"name": row.name}),
    }
    return render(request, "dashboard/assets/asset.html", context, status=422 if form else 200)


def _find(request: MemberRequest, asset_id: str) -> Asset:
    row = Asset.objects.visible_to(request.caller).by_id(asset_id)
    if row is None:
        raise Http404("No such asset")
    return row


def _store(request: MemberRequest, given: UploadedFile) -> Asset:
    return upload_asset(
        organization=request.organization,
        name=given.name or "",
        content=read_upload(given),
        actor=request.caller.author,
    )


def _sentence(text: str) -> str:
    return f"{text[:1].upper()}{text[1:]}."


urls = [
    path("assets", assets, name="assets"),
    path("assets/upload", upload, name="upload_asset"),
    path("assets/fonts.css", fonts, name="asset_fonts"),
    path("assets/<str:asset_id>", asset, name="asset"),
    path("assets/<str:asset_id>/content", content, name="asset_content"),
    path("assets/<str:asset_id>/rename", rename, name="rename_asset"),
    path("assets/<str:asset_id>/delete", delete, name="delete_asset"),
]
