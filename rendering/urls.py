"""Routes of renders, documents, downloads and batches; an id may hold anything."""

from django.urls import path, re_path

from rendering.batch_views import BatchViewSet
from rendering.views import DocumentViewSet, DownloadViewSet, RenderViewSet

urlpatterns = [
    path("render", RenderViewSet.as_view({"post": "create"})),
    path("documents", DocumentViewSet.as_view({"get": "list"})),
    re_path(
        r"^documents/(?P<id>[\s\S]+)$",
        DocumentViewSet.as_view({"get": "retrieve", "delete": "destroy"}),
    ),
    re_path(r"^downloads/(?P<id>[\s\S]+)$", DownloadViewSet.as_view({"get": "retrieve"})),
    path("batches", BatchViewSet.as_view({"get": "list", "post": "create"})),
    re_path(r"^batches/(?P<id>[^/]+)/cancel$", BatchViewSet.as_view({"post": "cancel"})),
    re_path(
        r"^batches/(?P<id>[\s\S]+)$",
        BatchViewSet.as_view({"get": "retrieve", "delete": "destroy"}),
    ),
]
