"""Paths of the assets; mounted under `/v1/`."""

from django.urls import path, re_path

from assets.views import AssetViewSet

urlpatterns = [
    path("assets", AssetViewSet.as_view({"get": "list"}), name="assets"),
    re_path(r"^assets/(?P<id>[\s\S]+)$", AssetViewSet.as_view({"get": "retrieve"}), name="asset"),
]
