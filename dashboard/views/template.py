"""A template's own page, and what can be done to it as a whole."""

from __future__ import annotations

import json
from calendar import month_abbr
from typing import Any

from django import forms
from django.contrib import messages
from django.http import Http404, HttpResponse
from django.shortcuts import redirect, render
from django.urls import path, reverse
from django.utils import timezone
from django.views.decorators.http import require_GET, require_http_methods, require_POST

from config.api.errors import ApiError
from config.api.urls import base_url
from config.files import content_disposition
from config.names import short_name
from dashboard.access import MemberRequest, member
from dashboard.forms import Form
from dashboard.pages import Question, ask
from dashboard.playground.first_use import first_request
from dashboard.playground.snippets import KEY_VARIABLE
from templates_app.models import Template
from templates_app.samples import samples_of
from templates_app.services import archive_template, duplicate_template, update_template
from usage.queries import trend


class MoveForm(Form):
    """Whom a template belongs to."""

    user = forms.CharField(
        label="End user's id",
        required=False,
        max_length=255,
        help_text="As your application names its users. Leave it empty for the organization itself.",
        widget=forms.TextInput(
            attrs={"autocomplete": "off", "spellcheck": "false", "placeholder": "user-42"}
        ),
    )


@require_GET
@member("viewer")
def template(request: MemberRequest, template_id: str) -> HttpResponse:
    """Show a template: how it looks, where it stands, how much it is used."""
    row = find(request, template_id)
    months = trend(caller=request.caller, today=timezone.now().date(), template_id=row.pk)
    return page(
        request,
        row,
        "overview",
        months=[(f"{month_abbr[each['month']]} {each['year']}", each["documents"]) for each in months],
        most=max(each["documents"] for each in months),
        last_month=months[-2]["documents"],
        this_month=months[-1]["documents"],
        samples=samples_of(row),
        playground=f"{reverse('dashboard:playground', args=[request.organization.pk])}?template={row.pk}",
        curl=first_request(row, base_url(request)) if row.status == Template.Status.PUBLISHED else "",
        key_variable=KEY_VARIABLE,
    )


@require_http_methods(["GET", "POST"])
@member("editor")
def archive(request: MemberRequest, template_id: str) -> HttpResponse:
    """Ask, saying what it means, then archive."""
    row = find(request, template_id)
    if request.method == "POST":
        own = Template.objects.visible_to(request.caller)
        archive_template(templates=own, template_id=row.pk, author=request.caller.author)
        messages.success(request, f"{short_name(row.name)} is archived.")
        return to_template(request, row)
    if row.is_archived:
        return to_template(request, row)
    months = trend(caller=request.caller, today=timezone.now().date(), template_id=row.pk)
    return ask(
        request,
        Question(
            title=f"Archive {row.name}?",
            button="Archive",
            back=reverse("dashboard:template", args=[request.organization.pk, row.pk]),
            text=_usage_sentence(months[-2]["documents"], months[-1]["documents"]),
            consequences=(
                "Requests to render it are refused from now on with “Template is not published”. Programs "
                "that still ask for it will fail.",
                "It disappears from the API's list of templates. Here it stays under “Archived”, with its "
                "history, to be looked at, exported and duplicated.",
                "Documents that it made stay, and so do their links.",
                "An archived template cannot be changed or published again. A duplicate of it can.",
            ),
            dangerous=True,
        ),
        area="templates",
    )


@require_POST
@member("editor")
def duplicate(request: MemberRequest, template_id: str) -> HttpResponse:
    """Make a draft with the same content and samples, for the same end user."""
    row = find(request, template_id)
    try:
        made = duplicate_template(template=row, author=request.caller.author)
    except ApiError as error:
        messages.error(request, f"It cannot be duplicated as it is. {error.message}.")
        return to_template(request, row)
    messages.success(request, f"This is the duplicate of {short_name(row.name)}: a draft of its own.")
    return to_template(request, made)


@require_http_methods(["GET", "POST"])
@member("editor")
def move(request: MemberRequest, template_id: str) -> HttpResponse:
    """Give a template to another end user, or to the organization itself."""
    row = find(request, template_id)
    if row.is_archived:
        messages.error(request, "An archived template stays where it is.")
        return to_template(request, row)
    form = MoveForm(
        request.POST if request.method == "POST" else None, initial={"user": row.external_user_id or ""}
    )
    if form.is_valid():
        user = form.cleaned_data["user"] or None
        if user == row.external_user_id:
            return to_template(request, row)
        try:
            update_template(
                templates=Template.objects.visible_to(request.caller),
                template=row,
                body={"externalUserId": user},
                author=request.caller.author,
                may_move=True,
            )
        except ApiError as error:
            form.add_error("user", next(iter(error.errors.values()), error.message))
        else:
            whose = f"to the end user {short_name(user)}" if user else "to the organization itself"
            messages.success(request, f"{short_name(row.name)} belongs {whose} now.")
            return to_template(request, row)
    status = 422 if form.errors else 200
    return page(request, row, "move", form=form, status=status)


@require_GET
@member("viewer")
def export(request: MemberRequest, template_id: str) -> HttpResponse:
    """Send the content as a file that the editor imports and the API takes."""
    row = find(request, template_id)
    text = json.dumps(row.body(), indent=2, ensure_ascii=False) + "\n"
    answer = HttpResponse(text, content_type="application/json; charset=utf-8")
    answer["Content-Disposition"] = content_disposition(f"{row.name}.json", "attachment")
    return answer


def find(request: MemberRequest, template_id: str) -> Template:
    """Return a template of the organization; raises Http404."""
    row = Template.objects.visible_to(request.caller).by_id(template_id)
    if row is None:
        raise Http404("Template not found")
    row.organization = request.organization
    return row


def to_template(request: MemberRequest, row: Template) -> HttpResponse:
    """Go to a template's page."""
    return redirect("dashboard:template", request.organization.pk, row.pk)


def page(
    request: MemberRequest, row: Template, name: str, *, status: int = 200, **context: Any
) -> HttpResponse:
    """Show a page about a template; `tab` is the name of the page unless the context has another."""
    shown = {"area": "templates", "tab": name, "template": row} | context
    return render(request, f"dashboard/template/{name}.html", shown, status=status)


def _usage_sentence(last: int, now: int) -> str:
    if not last and not now:
        return "It made no document last month and none this month."
    made = f"{last} document{'' if last == 1 else 's'}" if last else "no document"
    return f"It made {made} last month, and {now or 'none'} this month so far."


urls = [
    path("templates/<str:template_id>", template, name="template"),
    path("templates/<str:template_id>/archive", archive, name="archive"),
    path("templates/<str:template_id>/duplicate", duplicate, name="duplicate"),
    path("templates/<str:template_id>/move", move, name="move"),
    path("templates/<str:template_id>/export.json", export, name="export_template"),
]
