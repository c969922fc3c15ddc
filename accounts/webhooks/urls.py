"""Routes of `/v1/webhooks`. An id may hold anything, an escaped slash too: what names nothing is a 404."""

from django.urls import re_path

from accounts.webhooks.views import WebhookDeliveryViewSet, WebhookViewSet

WEBHOOK = r"^webhooks/(?P<id>[^/]+)"
DELIVERY = WEBHOOK + "/deliveries/(?P<deliveryId>[^/]+)"

urlpatterns = [
    re_path(r"^webhooks$", WebhookViewSet.as_view({"get": "list", "post": "create"})),
    re_path(WEBHOOK + "/rotate-secret$", WebhookViewSet.as_view({"post": "rotate_secret"})),
    re_path(WEBHOOK + "/test$", WebhookViewSet.as_view({"post": "test"})),
    re_path(WEBHOOK + "/deliveries$", WebhookDeliveryViewSet.as_view({"get": "list"})),
    re_path(DELIVERY + "/replay$", WebhookDeliveryViewSet.as_view({"post": "replay"})),
    re_path(DELIVERY + "$", WebhookDeliveryViewSet.as_view({"get": "retrieve"})),
    re_path(
        r"^webhooks/(?P<id>[\s\S]+)$",
        WebhookViewSet.as_view({"get": "retrieve", "patch": "partial_update", "delete": "destroy"}),
    ),
]
