"""Routes of `/v1/usage`."""

from django.urls import path

from usage.views import UsageViewSet

urlpatterns = [
    path("usage", UsageViewSet.as_view({"get": "month"})),
    path("usage/trend", UsageViewSet.as_view({"get": "trend"})),
]
