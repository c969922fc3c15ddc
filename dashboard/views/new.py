"""A new template: blank, or from the gallery of starters."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from copy import deepcopy
from typing import Any, Final

from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.urls import path
from django.views.decorators.http import require_http_methods

from config.api.errors import ApiError
from dashboard.access import MemberRequest, member
from dashboard.editor.kinds import KIND_FORMS
from rendering.formats import RENDERERS
from rendering.formats.base import RenderError
from templates_app.services import create_template

HEADING: Final[dict[str, Any]] = {"type": "heading", "content": "New document"}


@require_http_methods(["GET", "POST"])
@member("editor")
def new(request: MemberRequest) -> HttpResponse:
    """Show the gallery and ask for a name; make a draft and open it.

    A starter without a name keeps its own; formats are asked for a blank template only.
    """
    # The demo's data are computed when they are first needed.
    from dashboard.starters import STARTERS

    given = request.POST if request.method == "POST" else request.GET
    starter = next((each for each in STARTERS if each.slug == given.get("starter")), None)
    name = given.get("name", "").strip()
    chosen = request.POST.getlist("formats") if request.method == "POST" and not starter else ["pdf"]
    errors: dict[str, str] = {}
    if request.method == "POST":
        body: Mapping[str, Any] = {"name": name, "formats": chosen, **_blank(chosen)}
        if starter is not None:
            body = {**starter.body, "name": name or starter.name}
        try:
            template = create_template(
                organization=request.organization, body=body, author=request.caller.author
            )
        except ApiError as error:
            errors = _by_field(error, name=name, chosen=chosen)
        else:
            return redirect("dashboard:edit", request.organization.pk, template.pk)
    context = {
        "area": "templates",
        "name": name,
        "chosen": chosen,
        "formats": list(RENDERERS),
        "starters": STARTERS,
        "starter": starter.slug if starter else "",
        "errors": errors,
    }
    return render(request, "dashboard/templates/new.html", context, status=422 if errors else 200)


def _blank(formats: Sequence[str]) -> dict[str, Any]:
    """Return what a blank template begins with: a heading, and a table where a format demands one."""
    sections = [HEADING]
    try:
        for renderer in filter(None, map(RENDERERS.get, formats)):
            renderer.check([HEADING["type"]])
    except RenderError:
        sections.append({"type": "table", **deepcopy(dict(KIND_FORMS["table"].starter or {}))})
    return {"sections": sections, "page": {"footer": {"right": "Page {{page.number}} of {{page.count}}"}}}


def _by_field(refusal: ApiError, *, name: str, chosen: list[str]) -> dict[str, str]:
    """Return why nothing was made, in words for people, by the field of the page that is to be corrected."""
    errors: dict[str, str] = {}
    for place, text in (refusal.errors or {"name": refusal.message}).items():
        errors.setdefault("formats" if place.startswith("formats") else "name", text)
    if "name" in errors and not name:
        errors["name"] = "Give the template a name."
    if "formats" in errors and not chosen:
        errors["formats"] = "Choose at least one format."
    return errors


urls = [path("templates/new", new, name="new_template")]
