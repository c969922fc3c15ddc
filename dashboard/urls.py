"""Addresses of the dashboard: each area brings its own list. Mounted at `/`."""

from django.http import HttpResponse
from django.shortcuts import redirect
from django.urls import URLPattern, URLResolver, include, path
from django.views.decorators.http import require_GET

from dashboard.access import MemberRequest, member
from dashboard.navigation import landing
from dashboard.views import (
    account,
    assets,
    audit,
    batches,
    documents,
    editor,
    history,
    members,
    new,
    people,
    playground,
    preview,
    publish,
    settings,
    template,
    templates,
    usage,
    webhooks,
)

app_name = "dashboard"


@require_GET
@member("viewer")
def organization(request: MemberRequest) -> HttpResponse:
    """Go to the page that an organization opens with."""
    return redirect(landing(request.membership))


# Under /o/<organization id>/, with `dashboard.access.member` on every view.
of_organization: list[URLPattern | URLResolver] = [
    *settings.urls,
    *members.urls,
    *audit.urls,
    *webhooks.urls,
    *new.urls,
    *editor.urls,
    *preview.urls,
    *templates.urls,
    *template.urls,
    *history.urls,
    *publish.urls,
    *batches.urls,
    *documents.urls,
    *playground.urls,
    *usage.urls,
    *assets.urls,
]

urlpatterns: list[URLPattern | URLResolver] = [
    *people.urls,
    *account.urls,
    path("o/<str:organization_id>", organization, name="organization"),
    path("o/<str:organization_id>/", include(of_organization)),
]
