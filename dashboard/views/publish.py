"""Publishing: what would go wrong comes first."""

from __future__ import annotations

from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import redirect
from django.urls import path
from django.views.decorators.http import require_http_methods

from config.api.errors import ApiError
from config.names import short_name
from dashboard.access import MemberRequest, member
from dashboard.previews import draws, spend_preview
from dashboard.publishing import judge, seen_version
from dashboard.views.template import find, page, to_template
from templates_app.errors import template_was_changed
from templates_app.models import Template
from templates_app.services import publish_template


@require_http_methods(["GET", "POST"])
@member("editor")
@draws
def publish(request: MemberRequest, template_id: str) -> HttpResponse:
    """Render every sample in every format and list what would go wrong; then publish.

    Errors stop. Warnings are accepted by `accept`, the token that came with them: when they have become
    others meanwhile, the new ones are shown. Only the `version` that the page showed is published: what
    somebody has saved meanwhile is shown first.
    """
    row = find(request, template_id)
    if row.status != Template.Status.DRAFT:
        messages.info(request, f"{short_name(row.name)} is {row.get_status_display().lower()} already.")
        return to_template(request, row)
    seen = seen_version(request.POST)
    if request.method == "POST" and seen != row.version:
        return _shown_again(request, row, template_was_changed(row.version))
    spend_preview(request)
    verdict = judge(row)
    if request.method == "POST" and verdict.lets_pass(request.POST.get("accept", "")):
        try:
            publish_template(
                templates=Template.objects.visible_to(request.caller),
                template_id=row.pk,
                author=request.caller.author,
                expected_version=seen,
            )
        except ApiError as error:  # archived or changed by somebody else in this moment
            return _shown_again(request, row, error)
        messages.success(request, f"{short_name(row.name)} is published: the API renders it now.")
        return to_template(request, row)
    status = 422 if request.method == "POST" else 200
    return page(request, row, "publish", verdict=verdict, asked=status == 422, status=status)


def _shown_again(request: MemberRequest, row: Template, error: ApiError) -> HttpResponse:
    """Tell why nothing was published, and show what there is now."""
    messages.error(request, f"Nothing was published. {error.message}.")
    return redirect("dashboard:publish", request.organization.pk, row.pk)


urls = [path("templates/<str:template_id>/publish", publish, name="publish")]
