"""`/v1/webhooks`: for secret keys only."""

from __future__ import annotations

from typing import Any

from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import OpenApiParameter, OpenApiResponse, extend_schema
from rest_framework.request import Request
from rest_framework.response import Response

from accounts.caller import caller_of
from accounts.webhooks import errors, services
from accounts.webhooks.models import Webhook, WebhookDelivery, WebhookQuerySet
from accounts.webhooks.schema import (
    SECRET_EXAMPLE,
    SECRET_ONLY,
    WEBHOOK_EXAMPLE,
    WRITE_EXAMPLE,
)
from accounts.webhooks.serializers import (
    WebhookDeliverySerializer,
    WebhookDeliverySummarySerializer,
    WebhookSerializer,
    WebhookWithSecretSerializer,
)
from config.api.errors import must_be_one_of
from config.api.pagination import page
from config.api.parameters import choice
from config.api.schema import PAGE_HEADERS, PAGE_PARAMETERS, carries, links, refusal
from config.api.urls import base_url
from config.api.views import ApiViewSet

ID = OpenApiParameter("id", OpenApiTypes.STR, OpenApiParameter.PATH, description="Webhook id.")
DELIVERY_ID = OpenApiParameter(
    "deliveryId", OpenApiTypes.STR, OpenApiParameter.PATH, description="Delivery id."
)
STATUS = OpenApiParameter(
    "status",
    OpenApiTypes.STR,
    enum=WebhookDelivery.Status.values,
    description="Only deliveries that stand so.",
)
FORBIDDEN = refusal("The key is a public one.", errors.SECRET_KEY_REQUIRED)
NOT_FOUND = refusal("Unknown id or another organization's webhook.", errors.NOT_FOUND)
DELIVERY_NOT_FOUND = refusal(
    "Unknown webhook or delivery, or one that is older than the log (30 days).",
    errors.NOT_FOUND,
    errors.DELIVERY_NOT_FOUND,
)
WRONG_PAGE = refusal("A wrong limit or cursor.", "limit: must be a whole number from 1 to 1000")
BAD_ADDRESSES = (
    "url: must begin with https://",
    "url: the host intranet.example.com has no address, or one that is not public",
)
BAD_BODY = refusal(
    "The body does not hold fields of a webhook, or its address is not public.",
    "eventTypes: must not be empty",
    "body: required",
    *BAD_ADDRESSES,
)
TOO_MANY = refusal(
    "The body does not hold a webhook, its address is not public, or there are too many.",
    "eventTypes: must not be empty; url: required",
    *BAD_ADDRESSES,
    f"An organization can have at most {services.MAX_WEBHOOKS} webhooks",
)
ACCEPTED = OpenApiResponse(
    WebhookDeliverySerializer, description="It is sent now; `Location` names the delivery."
)
BY_WEBHOOK = ("getWebhook", "updateWebhook", "deleteWebhook", "testWebhook", "listWebhookDeliveries")


class SecretKeyViewSet(ApiViewSet):
    """Endpoints that a public key may not use."""

    def initial(self, request: Request, *args: Any, **kwargs: Any) -> None:
        """Refuse public keys, after the request was counted and before anything is looked up."""
        super().initial(request, *args, **kwargs)
        if caller_of(request).is_public:
            raise errors.secret_key_required()

    def _webhooks(self, request: Request) -> WebhookQuerySet:
        return Webhook.objects.of(caller_of(request).organization.pk)

    def _webhook(self, request: Request, id: str) -> Webhook:
        webhook = self._webhooks(request).by_id(id)
        if webhook is None:
            raise errors.webhook_not_found()
        return webhook


class WebhookViewSet(SecretKeyViewSet):
    """Webhooks of the organization."""

    @extend_schema(
        operation_id="listWebhooks",
        summary="List webhooks",
        description="The organization's webhooks, newest first.",
        parameters=PAGE_PARAMETERS,
        auth=SECRET_ONLY,
        responses={200: OpenApiResponse(WebhookSerializer(many=True)), 400: WRONG_PAGE, 403: FORBIDDEN},
        examples=[WEBHOOK_EXAMPLE],
        extensions=PAGE_HEADERS,
    )
    def list(self, request: Request) -> Response:
        """Return the organization's webhooks."""
        rows, headers = page(request, self._webhooks(request))
        return Response(WebhookSerializer(rows, many=True).data, headers=headers)

    @extend_schema(
        operation_id="createWebhook",
        summary="Create a webhook",
        description="Events are sent from now on. The answer holds the secret in full, this once: "
        "your receiver needs it to verify messages.",
        request=services.WebhookCreate,
        auth=SECRET_ONLY,
        responses={201: WebhookWithSecretSerializer, 400: TOO_MANY, 403: FORBIDDEN},
        examples=[WRITE_EXAMPLE, SECRET_EXAMPLE],
        extensions=links(201, *BY_WEBHOOK, id="$response.body#/id") | carries(_201=("Location",)),
    )
    def create(self, request: Request) -> Response:
        """Create a webhook."""
        caller = caller_of(request)
        created = services.create_webhook(
            organization=caller.organization, body=self.json_object(request), actor=caller.author
        )
        headers = {"Location": _address(request, created.webhook.pk)}
        return Response(WebhookWithSecretSerializer(created).data, status=201, headers=headers)

    @extend_schema(
        operation_id="getWebhook",
        summary="Get a webhook",
        parameters=[ID],
        auth=SECRET_ONLY,
        responses={200: WebhookSerializer, 403: FORBIDDEN, 404: NOT_FOUND},
        examples=[WEBHOOK_EXAMPLE],
    )
    def retrieve(self, request: Request, id: str) -> Response:
        """Return one webhook."""
        return Response(WebhookSerializer(self._webhook(request, id)).data)

    @extend_schema(
        operation_id="updateWebhook",
        summary="Update a webhook",
        description="Fields that are not sent stay. Enabling a webhook that the service disabled gives it a "
        "fresh start; what failed meanwhile can be replayed.",
        parameters=[ID],
        request=services.WebhookUpdate,
        auth=SECRET_ONLY,
        responses={200: WebhookSerializer, 400: BAD_BODY, 403: FORBIDDEN, 404: NOT_FOUND},
        examples=[WRITE_EXAMPLE, WEBHOOK_EXAMPLE],
    )
    def partial_update(self, request: Request, id: str) -> Response:
        """Change a webhook."""
        webhook = services.update_webhook(
            webhook=self._webhook(request, id),
            body=self.json_object(request, may_be_empty=False),
            actor=caller_of(request).author,
        )
        return Response(WebhookSerializer(webhook).data)

    @extend_schema(
        operation_id="deleteWebhook",
        summary="Delete a webhook",
        description="Its delivery log goes too; what was not delivered yet is not sent any more.",
        parameters=[ID],
        request=None,
        auth=SECRET_ONLY,
        responses={204: OpenApiResponse(description="Deleted."), 403: FORBIDDEN, 404: NOT_FOUND},
    )
    def destroy(self, request: Request, id: str) -> Response:
        """Delete a webhook."""
        services.delete_webhook(webhook=self._webhook(request, id), actor=caller_of(request).author)
        return Response(status=204)

    @extend_schema(
        operation_id="rotateWebhookSecret",
        summary="Rotate a webhook's secret",
        description="Replaces the secret. For 24 hours messages carry two signatures, one with each secret, "
        "so that the receiver can change over at any moment. A body is ignored.",
        parameters=[ID],
        request=None,
        auth=SECRET_ONLY,
        responses={200: WebhookWithSecretSerializer, 403: FORBIDDEN, 404: NOT_FOUND},
        examples=[SECRET_EXAMPLE],
    )
    def rotate_secret(self, request: Request, id: str) -> Response:
        """Replace the secret."""
        rotated = services.rotate_secret(webhook=self._webhook(request, id), actor=caller_of(request).author)
        return Response(WebhookWithSecretSerializer(rotated).data)

    @extend_schema(
        operation_id="testWebhook",
        summary="Send a test event",
        description="Sends a `webhook.test` event, whatever types the webhook wants and also when it is "
        "disabled. It is sent once; get the delivery to see what came of it. A body is ignored.",
        parameters=[ID],
        request=None,
        auth=SECRET_ONLY,
        responses={202: ACCEPTED, 403: FORBIDDEN, 404: NOT_FOUND},
        extensions=carries(_202=("Location",)),
    )
    def test(self, request: Request, id: str) -> Response:
        """Send a test event."""
        delivery = services.send_test(webhook=self._webhook(request, id))
        return _accepted(request, delivery)


class WebhookDeliveryViewSet(SecretKeyViewSet):
    """The delivery log of a webhook."""

    @extend_schema(
        operation_id="listWebhookDeliveries",
        summary="List deliveries",
        description="What was sent to this webhook in the last 30 days, and what is still to be sent, newest "
        "first.",
        parameters=[ID, STATUS, *PAGE_PARAMETERS],
        auth=SECRET_ONLY,
        responses={
            200: OpenApiResponse(WebhookDeliverySummarySerializer(many=True)),
            400: refusal(
                "A wrong status, limit or cursor.", f"status: {must_be_one_of(WebhookDelivery.Status.values)}"
            ),
            403: FORBIDDEN,
            404: NOT_FOUND,
        },
        extensions=PAGE_HEADERS,
    )
    def list(self, request: Request, id: str) -> Response:
        """Return deliveries without their attempts."""
        webhook = self._webhook(request, id)
        wrong: dict[str, str] = {}
        status = choice(request.query_params, "status", WebhookDelivery.Status.values, wrong)
        shown, headers = page(request, services.deliveries_of(webhook, status=status), errors=wrong)
        return Response(WebhookDeliverySummarySerializer(shown, many=True).data, headers=headers)

    @extend_schema(
        operation_id="getWebhookDelivery",
        summary="Get a delivery",
        description="The message and every attempt to deliver it.",
        parameters=[ID, DELIVERY_ID],
        auth=SECRET_ONLY,
        responses={200: WebhookDeliverySerializer, 403: FORBIDDEN, 404: DELIVERY_NOT_FOUND},
    )
    def retrieve(self, request: Request, id: str, deliveryId: str) -> Response:
        """Return one delivery with its attempts."""
        delivery = services.find_delivery(self._webhook(request, id), deliveryId)
        return Response(WebhookDeliverySerializer(delivery).data)

    @extend_schema(
        operation_id="replayWebhookDelivery",
        summary="Replay a delivery",
        description="Sends the message again now, with the same `webhook-id` and body, and repeats it as if "
        "it were new when that fails. A delivery that waits for its next attempt gets it now. "
        "A body is ignored.",
        parameters=[ID, DELIVERY_ID],
        request=None,
        auth=SECRET_ONLY,
        responses={
            202: ACCEPTED,
            400: refusal("The webhook is disabled.", errors.DISABLED),
            403: FORBIDDEN,
            404: DELIVERY_NOT_FOUND,
        },
        extensions=carries(_202=("Location",)),
    )
    def replay(self, request: Request, id: str, deliveryId: str) -> Response:
        """Send a delivery again."""
        delivery = services.replay_delivery(
            delivery=services.find_delivery(self._webhook(request, id), deliveryId),
            actor=caller_of(request).author,
        )
        return _accepted(request, delivery)


def _accepted(request: Request, delivery: WebhookDelivery) -> Response:
    """Answer with a delivery that will be tried, and where to look what came of it."""
    headers = {"Location": _address(request, delivery.webhook_id, "deliveries", delivery.pk)}
    return Response(WebhookDeliverySerializer(delivery).data, status=202, headers=headers)


def _address(request: Request, *parts: str) -> str:
    return "/".join((base_url(request), "v1/webhooks", *parts))
