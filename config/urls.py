"""The only place that mounts apps."""

from django.contrib import admin
from django.urls import URLPattern, URLResolver, include, path, re_path
from django.views.generic import RedirectView
from drf_spectacular.views import SpectacularSwaggerView

from config.api.reference import DocumentView
from config.api.views import no_such_endpoint
from config.storage import serve_signed_file

admin.autodiscover()

api: list[URLPattern | URLResolver] = [
    path("", include("rendering.urls")),
    path("", include("templates_app.urls")),
    path("", include("assets.urls")),
    path("", include("usage.urls")),
    path("", include("accounts.urls")),
    path("", include("accounts.webhooks.urls")),
    re_path(r"^.*$", no_such_endpoint),
]

urlpatterns = [
    path("v1/", include(api)),
    path("v1", no_such_endpoint),
    path(
        "api/v1",
        SpectacularSwaggerView.as_view(url_name="openapi", template_name="config/reference.html"),
        name="reference",
    ),
    path("api/v1/", RedirectView.as_view(url="/api/v1")),
    path("api/v1/openapi.json", DocumentView.as_view(), name="openapi"),
    path("files/<path:name>", serve_signed_file),
    # One page looks at old passwords, counts the wrong ones and ends the other sessions.
    path("admin/password_change/", RedirectView.as_view(pattern_name="dashboard:password")),
    path("admin/", admin.site.urls),
    path("admin", RedirectView.as_view(url="/admin/")),
    path("", include("dashboard.urls")),
]

handler404 = "dashboard.views.errors.not_found"
handler500 = "config.outages.server_error"
