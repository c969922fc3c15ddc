"""The playground: a render with data of one's own, and the request that makes it as code.

Without a tick at "Keep as a document" the render is a trial: the same checks and the same pages, but nothing
is stored or counted. With it, it is a render like one of the API.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any, Final

from django import forms
from django.core.exceptions import PermissionDenied
from django.core.files.storage import default_storage
from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.urls import path, reverse
from django.views.decorators.http import require_GET, require_POST

from accounts.models import Membership
from config.api.errors import ApiError
from config.api.objects import parse_object
from config.api.urls import base_url
from config.files import content_disposition
from dashboard.access import MemberRequest, member, refusal
from dashboard.editor.samples import MADE_UP, sample_data, shown_data
from dashboard.forms import Form
from dashboard.playground.snippets import KEY_VARIABLE, snippets
from dashboard.previews import spend_preview
from dashboard.views.preview import json_answer, two_parts
from rendering.formats import RENDERERS
from rendering.models import Document
from rendering.services import render_document
from rendering.trial import Trial, try_render
from templates_app.models import Template

MOST_OFFERED: Final = 100  # templates in the list: those changed last, and the one that is chosen
GENERATED: Final = "*"  # the choice of data made from the variables; no sample has this name
SCRIPT: Final = "multipart/form-data"


class RequestForm(Form):
    """The request: data as JSON, and what else a body may have."""

    format = forms.ChoiceField(label="Format", required=False)
    values = forms.CharField(
        label="Data",
        required=False,
        strip=False,
        widget=forms.Textarea(attrs={"rows": 18, "spellcheck": "false", "autocomplete": "off"}),
    )
    filename = forms.CharField(
        label="File name",
        required=False,
        widget=forms.TextInput(attrs={"autocomplete": "off", "placeholder": "Automatic"}),
    )
    user = forms.CharField(
        label="End user",
        required=False,
        widget=forms.TextInput(attrs={"autocomplete": "off", "spellcheck": "false", "placeholder": "None"}),
    )
    keep = forms.BooleanField(
        label="Keep as a document",
        required=False,
        help_text="Stored, listed and counted like a render of the API. Without it nothing is.",
    )

    def __init__(self, template: Template, membership: Membership, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields["format"].choices = [(name, name.upper()) for name in template.formats]  # type: ignore[attr-defined]
        if not membership.may(Membership.Role.EDITOR):
            del self.fields["keep"]

    def refuse(self, problems: list[dict[str, str]]) -> None:
        """Show what is wrong at the fields it is about."""
        places = {"externalUserId": "user", "data": "values", "filename": "filename", "format": "format"}
        self.is_valid()
        for problem in problems:
            name = places.get(problem["field"].partition(".")[0].partition("[")[0])
            texts = [problem["message"]] if name not in {None, "values"} else problem.values()
            self.add_error(name, ": ".join(filter(None, texts)))


def body_of(template: Template, given: Mapping[str, Any]) -> dict[str, Any]:
    """Return the body of `POST /v1/render` that a form says; raises ApiError 400 for broken JSON."""
    body: dict[str, Any] = {
        "templateId": template.pk,
        "format": given.get("format") or template.formats[0],
        "data": parse_object((given.get("values") or "{}").encode("utf-8", "surrogatepass"), "data"),
    }
    optional = {"filename": given.get("filename"), "externalUserId": given.get("user")}
    return body | {name: value.strip() for name, value in optional.items() if value and value.strip()}


@require_GET
@member("viewer")
def playground(request: MemberRequest) -> HttpResponse:
    """Show the form with a template (`?template=`) and one of its samples (`?sample=`)."""
    template = _chosen(request, request.GET.get("template", ""))
    if template is None:
        return _page(request, None, None)
    sample = request.GET.get("sample", "")
    form = RequestForm(
        template,
        request.membership,
        initial={"format": template.formats[0], "values": _text(_data(template, sample))},
    )
    return _page(request, template, form, sample=sample)


@require_POST
@member("viewer")
def run(request: MemberRequest) -> HttpResponse:
    """Render the form's request.

    A script (`Accept: multipart/form-data`) gets two parts, `result` and `file`, or a refusal as JSON with
    `problems` by their fields. Without scripts the document itself is the answer, or the page with errors.
    """
    by_script = request.headers.get("Accept") == SCRIPT
    template = _chosen(request, request.POST.get("template", ""))
    if template is None:
        return _refused(request, None, None, ApiError(404, "Template not found"), by_script)
    form = RequestForm(template, request.membership, request.POST)
    keep = bool(request.POST.get("keep"))
    if keep and not request.membership.may(Membership.Role.EDITOR):
        raise PermissionDenied(refusal(request.membership, Membership.Role.EDITOR))
    try:
        spend_preview(request)
        body = body_of(template, request.POST)
        if keep:
            document, _ = render_document(caller=request.caller, body=body)
            return _kept(request, document, by_script)
        return _shown(try_render(caller=request.caller, body=body), by_script)
    except ApiError as error:
        return _refused(request, template, form, error, by_script)


@require_POST
@member("viewer")
def code(request: MemberRequest) -> HttpResponse:
    """Return the part of the page with the form's request as code."""
    template = _chosen(request, request.POST.get("template", ""))
    if template is None:
        return HttpResponse(status=404)
    shown = _code(request, template, request.POST)
    return render(request, "dashboard/playground/_code.html", shown)


def _chosen(request: MemberRequest, template_id: str) -> Template | None:
    """Return a published template: the one with this id, else the one that was changed last."""
    published = Template.objects.visible_to(request.caller).filter(status=Template.Status.PUBLISHED)
    if template_id:
        return published.by_id(template_id)
    return published.order_by("-updated_at", "-id").first()


def _offered(request: MemberRequest, chosen: Template) -> list[tuple[str, str]]:
    published = Template.objects.visible_to(request.caller).filter(status=Template.Status.PUBLISHED)
    names = dict(published.order_by("-updated_at", "-id").values_list("pk", "name")[:MOST_OFFERED])
    names[chosen.pk] = chosen.name
    return sorted(names.items(), key=lambda item: (item[1].lower(), item[0]))


def _data(template: Template, sample: str) -> dict[str, Any]:
    """Return the data of a sample: the default one, a named one, or one made from the variables."""
    if sample and sample != GENERATED:
        row = template.samples.filter(name=sample).first()
        if row is not None:
            return dict(row.data)
    if sample == GENERATED:
        return sample_data(template.variables)
    return shown_data(template.sample_data, template.variables).data


def _text(data: dict[str, Any]) -> str:
    return json.dumps(data, indent=2, ensure_ascii=False)


def _samples(template: Template) -> list[tuple[str, str]]:
    """Return the samples to choose from, by the value of the choice."""
    shown = shown_data(template.sample_data, template.variables)
    named = [(name, name) for name in template.samples.values_list("name", flat=True)]
    generated = [(GENERATED, MADE_UP)] if template.sample_data and template.variables else []
    return [("", shown.name), *named, *generated]


def _code(request: MemberRequest, template: Template, given: Mapping[str, Any]) -> dict[str, Any]:
    """Return what the part with the code shows; why there is none while the data is no JSON object."""
    try:
        body = body_of(template, given)
    except ApiError as error:
        return {"broken": error.message}
    return {"snippets": snippets(f"{base_url(request)}/v1/render", body), "key_variable": KEY_VARIABLE}


def _page(
    request: MemberRequest,
    template: Template | None,
    form: RequestForm | None,
    *,
    sample: str = "",
    status: int = 200,
) -> HttpResponse:
    context: dict[str, Any] = {"area": "playground", "template": template, "form": form}
    if template is not None and form is not None:
        context |= _code(request, template, form.data if form.is_bound else form.initial) | {
            "templates": _offered(request, template),
            "samples": _samples(template),
            "sample": sample,
        }
    return render(request, "dashboard/playground/playground.html", context, status=status)


def _shown(trial: Trial, by_script: bool) -> HttpResponse:
    if by_script:
        result: dict[str, Any] = {
            "filename": trial.filename,
            "format": trial.renderer.name,
            "bytes": len(trial.file),
            "milliseconds": trial.milliseconds,
            "sheets": trial.sheets,
            "password": trial.password,
        }
        return two_parts(result, trial.file, trial.renderer)
    answer = HttpResponse(trial.file, content_type=trial.renderer.content_type)
    answer["Content-Disposition"] = content_disposition(trial.filename, "inline")
    return answer


def _kept(request: MemberRequest, document: Document, by_script: bool) -> HttpResponse:
    page = reverse("dashboard:document", args=[request.organization.pk, document.pk])
    if not by_script:
        return redirect(page)
    with default_storage.open(document.file, "rb") as stored:
        content = bytes(stored.read())
    result: dict[str, Any] = {
        "filename": document.filename,
        "format": document.format,
        "bytes": document.file_size_bytes,
        "milliseconds": document.render_time_ms,
        "sheets": [],
        "document": document.pk,
        "url": page,
    }
    return two_parts(result, content, RENDERERS[document.format])


def _refused(
    request: MemberRequest,
    template: Template | None,
    form: RequestForm | None,
    error: ApiError,
    by_script: bool,
) -> HttpResponse:
    problems = [{"field": field, "message": text} for field, text in error.errors.items()]
    problems = problems or [{"field": _field(error.message), "message": _message(error.message)}]
    if by_script:
        answer = json_answer({"message": error.message, "problems": problems}, status=error.status)
    else:
        if form is not None:
            form.refuse(problems)
        answer = _page(request, template, form, status=422 if error.status == 400 else error.status)
    for name, value in error.headers.items():
        answer[name] = value
    return answer


def _field(message: str) -> str:
    """Return the path that a message about data begins with, such as `data.items[3].price`; else nothing."""
    if message.startswith("Malformed JSON"):
        return "data"
    path_, colon, _ = message.partition(": ")
    return path_ if colon and path_.startswith("data") and " " not in path_ else ""


def _message(message: str) -> str:
    return message.removeprefix(f"{_field(message)}: ")


urls = [
    path("playground", playground, name="playground"),
    path("playground/render", run, name="playground_render"),
    path("playground/code", code, name="playground_code"),
]
