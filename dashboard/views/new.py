"""A new template: blank, or from the gallery of starters."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.urls import path
from django.views.decorators.http import require_http_methods

from config.api.errors import ApiError
from dashboard.access import MemberRequest, member
from rendering.formats import RENDERERS
from templates_app.services import create_template

# What a blank template begins with: one section at least.
BLANK: Final[dict[str, Any]] = {
    "sections": [{"type": "heading", "content": "New document"}],
    "page": {"footer": {"right": "Page {{page.number}} of {{page.count}}"}},
}


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
    message = ""
    if request.method == "POST":
        body: Mapping[str, Any] = {"name": name, "formats": chosen, **BLANK}
        if starter is not None:
            body = {**starter.body, "name": name or starter.name}
        try:
            template = create_template(
                organization=request.organization, body=body, author=request.caller.author
            )
        except ApiError as error:
            message = error.message
        else:
            return redirect("dashboard:edit", request.organization.pk, template.pk)
    context = {
        "area": "templates",
        "name": name,
        "chosen": chosen,
        "formats": list(RENDERERS),
        "starters": STARTERS,
        "starter": starter.slug if starter else "",
        "message": message,
    }
    return render(request, "dashboard/templates/new.html", context, status=400 if message else 200)


urls = [path("templates/new", new, name="new_template")]
