"""Routes of `/v1/render` and `/v1/downloads`."""

from django.urls import path, re_path

from rendering.views import DownloadViewSet, RenderViewSet

urlpatterns = [
    path("render", RenderViewSet.as_view({"post": "create"})),
    re_path(r"^downloads/(?P<id>[\s\S]+)$", DownloadViewSet.as_view({"get": "retrieve"})),
]
