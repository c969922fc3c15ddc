"""Routes of `/v1/templates`. An id may hold anything, an escaped slash too: what names nothing is a 404."""

from django.urls import re_path

from config.api.bodies import build
from templates_app.bodies import TemplateCreate, TemplateUpdate
from templates_app.kinds import KINDS
from templates_app.page import PageSettings
from templates_app.variables import Variable
from templates_app.views import TemplateViewSet

# While there is one thread, so that no request has to.
build(*KINDS.values(), Variable, PageSettings, TemplateCreate, TemplateUpdate)

TEMPLATE = r"^templates/(?P<id>[^/]+)"

urlpatterns = [
    re_path(r"^templates$", TemplateViewSet.as_view({"get": "list", "post": "create"})),
    re_path(TEMPLATE + "/publish$", TemplateViewSet.as_view({"post": "publish"})),
    re_path(TEMPLATE + "/versions$", TemplateViewSet.as_view({"get": "versions"})),
    re_path(TEMPLATE + "/versions/(?P<version>[^/]+)$", TemplateViewSet.as_view({"get": "version"})),
    re_path(
        r"^templates/(?P<id>[\s\S]+)$",
        TemplateViewSet.as_view({"get": "retrieve", "patch": "partial_update", "delete": "destroy"}),
    ),
]
