"""The editor: open a template, save it, publish it; the rest is in `static/dashboard/editor`."""

from __future__ import annotations

from typing import Any, Final

from django.db import transaction
from django.http import Http404, HttpResponse
from django.shortcuts import render
from django.urls import path, reverse
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_POST

from assets.models import Asset
from config.api.errors import ApiError
from config.api.urls import base_url
from dashboard.access import MemberRequest, member
from dashboard.editor.catalogue import catalogue
from dashboard.editor.problems import problems_of
from dashboard.playground.first_use import first_request
from dashboard.playground.snippets import KEY_VARIABLE
from dashboard.previews import spend_preview
from dashboard.publishing import Verdict, judge
from dashboard.views.preview import json_answer, json_body
from templates_app.bodies import TemplateUpdate, parse_body
from templates_app.models import Template
from templates_app.samples import digest_of, replace_samples, samples_of
from templates_app.serializers import TemplateSerializer
from templates_app.services import apply_update, check_expected, check_update, publish_template

MOST_ASSETS: Final = 500
TABS: Final = (
    ("sections", "Sections"), ("variables", "Variables"), ("samples", "Sample data"), ("page", "Page"),
    ("json", "JSON"),
)  # fmt: skip
# Those that the modules of the editor draw, besides the kinds' own.
ICONS: Final = frozenset(
    {
        "arrow-down", "arrow-up", "bold", "braces", "circle-alert", "copy", "download", "ellipsis",
        "grip-vertical", "italic", "link", "pencil", "play", "plus", "square", "trash-2", "upload",
        "wand-sparkles", "x",
    }
)  # fmt: skip


@require_http_methods(["GET"])
@never_cache  # who goes back to it after saving is not to find what was there before
@member("viewer")
def edit(request: MemberRequest, template_id: str) -> HttpResponse:
    """Show the editor; who may not change anything looks at it."""
    template = _template(request, template_id)
    data = {
        **catalogue(),
        **_state(template),
        "assets": _assets(request),
        "mayEdit": request.membership.may("editor") and not template.is_archived,
        "person": request.user.email,
        "urls": {
            name: reverse(f"dashboard:{name}", kwargs=_place(request, template_id))
            for name in ("save", "publish_saved")
        }
        | {
            name: reverse(f"dashboard:{name}", kwargs={"organization_id": request.organization.pk})
            for name in ("preview", "sample")
        },
    }
    context = {
        "template": template,
        "data": data,
        "icons": sorted(ICONS | {kind["icon"] for kind in data["kinds"]}),
        "tabs": TABS,
        "back": reverse("dashboard:template", kwargs=_place(request, template_id)),
    }
    return render(request, "dashboard/editor/edit.html", context)


@require_POST
@member("editor")
def save(request: MemberRequest, template_id: str) -> HttpResponse:
    """Store `{version, status, samplesDigest, content, samples}`: one update; null is no change.

    Content is one version entry. Somebody else's save since `version`, publication since `status`, or change
    of the named samples since `samplesDigest` is a 409 with `current`, what is stored now; nothing is changed
    then. What is wrong is a 400 with `problems`, as of a preview. Content of a published template passes the
    gate: errors, or warnings that `accept` does not stand for, are a 422 with `gate`. `isArchived` tells what
    no save can change any more.
    """
    template = _template(request, template_id)
    content: dict[str, Any] = {}
    try:
        body = json_body(request)
        given = body.get("content")
        content = given if isinstance(given, dict) else {}
        if given is not None and (refusal := _gate(request, template, body, content)):
            return refusal
        version, status = _version(body), _status(body, template)
        fields = None
        if given is not None:
            check_expected(template, version, status)
            fields = check_update(template=template, body=content, may_move=False)
        with transaction.atomic():
            if fields is not None:
                template = apply_update(
                    templates=Template.objects.visible_to(request.caller),
                    template=template,
                    fields=fields,
                    author=request.caller.author,
                    expected_version=version,
                    expected_status=status,
                )
                version = template.version
            if body.get("samples") is not None:
                replace_samples(
                    template=template,
                    samples=body["samples"],
                    expected_version=version,
                    expected_status=status,
                    expected_digest=str(body.get("samplesDigest")),
                )
    except ApiError as error:
        answer = {"message": error.message, "problems": problems_of(error, content)}
        return _failed(request, template_id, error, answer)
    return json_answer(_state(template))


@require_POST
@member("editor")
def publish_saved(request: MemberRequest, template_id: str) -> HttpResponse:
    """Publish the stored template, `{version, accept}`; the editor saves before it asks.

    What is not at `version` any more, the one that its author sees, is a 409 with `current`. The gate answers
    as for a save. The answer has the `use` of it too: where to try it, and the request that renders it.
    """
    row = _template(request, template_id)
    try:
        body = json_body(request)
        check_expected(row, _version(body))
        if row.status == Template.Status.DRAFT:
            spend_preview(request)
            if not (verdict := judge(row)).lets_pass(body.get("accept") or ""):
                return _refused(verdict)
        template = publish_template(
            templates=Template.objects.visible_to(request.caller),
            template_id=template_id,
            author=request.caller.author,
            expected_version=_version(body),
        )
    except ApiError as error:
        return _failed(request, template_id, error, {"message": error.message})
    return json_answer(_state(template) | {"use": _use(request, template)})


def _gate(
    request: MemberRequest, template: Template, body: dict[str, Any], content: dict[str, Any]
) -> HttpResponse | None:
    """Return the refusal of the publish gate, None for what may be saved as far as it is concerned.

    A draft may be anything; who works on an old version is told that first. Raises the ApiError of content
    that cannot be stored: it names every field.
    """
    is_expected = template.version == _version(body) and template.status == _status(body, template)
    if template.status != Template.Status.PUBLISHED or not is_expected:
        return None
    parse_body(TemplateUpdate, content)
    spend_preview(request)
    verdict = judge(template, body=content, samples=body.get("samples"))
    return None if verdict.lets_pass(body.get("accept") or "") else _refused(verdict)


def _refused(verdict: Verdict) -> HttpResponse:
    return json_answer({"message": "Look at what was found first", "gate": verdict.as_json()}, status=422)


def _failed(
    request: MemberRequest, template_id: str, error: ApiError, answer: dict[str, Any]
) -> HttpResponse:
    """Answer what could not be done; where somebody else was faster, with what is stored now."""
    template = _template(request, template_id)
    answer |= {"isArchived": template.is_archived}
    if error.status == 409:
        is_own = template.content_created_by == request.caller.author
        answer |= {"current": _state(template) | {"isOwn": is_own}}
    return json_answer(answer, status=error.status, headers=error.headers)


def _state(template: Template) -> dict[str, Any]:
    """Return what the editor holds of a stored template."""
    samples = samples_of(template)
    return {
        "template": dict(TemplateSerializer(template).data),
        "samples": samples,
        "samplesDigest": digest_of(samples),
        "author": template.content_created_by,
        "savedAt": template.content_created_at.isoformat(),
    }


def _use(request: MemberRequest, template: Template) -> dict[str, str]:
    """Return what somebody wants to know who has just published a template."""
    in_organization = {"organization_id": request.organization.pk}
    return {
        "playground": f"{reverse('dashboard:playground', kwargs=in_organization)}?template={template.pk}",
        "keys": reverse("dashboard:keys", kwargs=in_organization),
        "page": reverse("dashboard:template", kwargs=_place(request, template.pk)),
        "curl": first_request(template, base_url(request)),
        "keyVariable": KEY_VARIABLE,
    }


def _assets(request: MemberRequest) -> list[dict[str, Any]]:
    """Return the newest assets, to choose images and fonts from."""
    assets = Asset.objects.visible_to(request.caller).order_by("-pk")[:MOST_ASSETS]
    return [dict(row) for row in assets.values("id", "name", "kind")]


def _template(request: MemberRequest, template_id: str) -> Template:
    template = Template.objects.visible_to(request.caller).by_id(template_id)
    if template is None:
        raise Http404("Template not found")
    return template


def _version(body: dict[str, Any]) -> int:
    """Return the version that the editor began with; one that is none cannot be the present one."""
    version = body.get("version")
    return version if isinstance(version, int) else -1


def _status(body: dict[str, Any], template: Template) -> str:
    """Return the status that the author knows of; without one, that which the gate went by."""
    return str(body.get("status") or template.status)


def _place(request: MemberRequest, template_id: str) -> dict[str, str]:
    return {"organization_id": request.organization.pk, "template_id": template_id}


urls = [
    path("templates/<str:template_id>/edit", edit, name="edit"),
    path("templates/<str:template_id>/save", save, name="save"),
    path(
        "templates/<str:template_id>/publish-saved",
        publish_saved,
        name="publish_saved",
    ),
]
