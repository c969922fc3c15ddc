"""What OpenAPI shows of webhooks beside the endpoints: examples, and the messages that we send."""

from __future__ import annotations

from typing import Any

from drf_spectacular.utils import (
    OpenApiExample,
    OpenApiResponse,
    OpenApiWebhook,
    extend_schema,
)

from accounts.webhooks.events import MESSAGE_TYPES, TEST_TYPE, MessageType

SECRET_ONLY: Any = [{"secretKey": []}]

_WEBHOOK = {
    "id": "whk_01k9xq3v7m2c8r5t0w4y6z1b3d",
    "url": "https://hooks.example.com/documents",
    "description": "Order system",
    "eventTypes": ["document.completed", "document.failed"],
    "enabled": True,
    "secret": "whsec_****9fKe",
    "failingSince": None,
    "disabledAt": None,
    "disabledReason": "",
    "createdAt": "2026-11-02T08:15:30.123456Z",
    "updatedAt": "2026-11-02T08:15:30.123456Z",
}

WEBHOOK_EXAMPLE = OpenApiExample("Webhook", value=_WEBHOOK, response_only=True, status_codes=["200"])
SECRET_EXAMPLE = OpenApiExample(
    "Secret in full",
    value=_WEBHOOK | {"secret": "whsec_AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAEXAMPLE0="},
    response_only=True,
    status_codes=["200", "201"],
)
WRITE_EXAMPLE = OpenApiExample(
    "Two types",
    value={name: _WEBHOOK[name] for name in ("url", "description", "eventTypes")},
    request_only=True,
)
# A delivery as lists have it, what is shown of it alone, and one that is about to be sent.
DELIVERY: dict[str, Any] = {
    "id": "dlv_01k9xq3v7m2c8r5t0w4y6z1b3d",
    "eventId": "evt_01k9xq3v7m2c8r5t0w4y6z1b3d",
    "eventType": "template.published",
    "status": "delivered",
    "attempts": 2,
    "lastStatusCode": 204,
    "lastError": "",
    "createdAt": "2026-11-05T09:00:00.130021Z",
    "nextAttemptAt": None,
    "completedAt": "2026-11-05T09:00:06.201133Z",
}
ATTEMPTS: dict[str, Any] = {
    "body": '{"type":"template.published","timestamp":"2026-11-05T09:00:00.130021Z","data":{...}}',
    "log": [
        {
            "number": 1,
            "startedAt": "2026-11-05T09:00:00.200000Z",
            "durationMs": 84,
            "statusCode": 502,
            "error": "The receiver answered 502",
            "response": "Bad gateway",
        },
        {
            "number": 2,
            "startedAt": "2026-11-05T09:00:06.100000Z",
            "durationMs": 96,
            "statusCode": 204,
            "error": "",
            "response": "",
        },
    ],
}
PENDING: dict[str, Any] = {
    "status": "pending",
    "attempts": 0,
    "lastStatusCode": None,
    "nextAttemptAt": "2026-11-05T09:00:00.130021Z",
    "completedAt": None,
    "log": [],
}


MESSAGES = {
    "document.completed": "A document is ready. `data` is the document as `GET /v1/documents/{id}` shows it, "
    "without a link: `GET /v1/downloads/{id}` gives a fresh one.",
    "document.failed": "A document could not be rendered. `data` is the document.",
    "batch.completed": "A batch has come to its end. `data` is the batch as lists show it.",
    "template.published": "A template became renderable. `data` is the template as lists show it.",
    "template.archived": "A template was archived. `data` is the template as lists show it.",
    "credentials.rotated": "All credentials of the organization were replaced. `data` names the organization "
    "and the time, no key.",
    "webhook.test": "What `POST /v1/webhooks/{id}/test` sends, whatever types the webhook wants. `data` "
    "names the webhook.",
}
REPEATED = " Sent at least once, with the same id each time."


_TIME = {"type": "string", "format": "date-time"}
# What `data` is, by type of message: components of the API, or what only messages have.
_DATA = {
    "document.completed": "DocumentSummary",
    "document.failed": "DocumentSummary",
    "batch.completed": "BatchSummary",
    "template.published": "TemplateSummary",
    "template.archived": "TemplateSummary",
    "credentials.rotated": "CredentialsRotated",
    TEST_TYPE: "WebhookTest",
}
_OWN = {
    "CredentialsRotated": {
        "type": "object",
        "description": "Whose credentials were replaced, and when; no keys.",
        "properties": {"organizationId": {"type": "string"}, "rotatedAt": _TIME},
        "required": ["organizationId", "rotatedAt"],
    },
    "WebhookTest": {
        "type": "object",
        "description": "Names the webhook that is tested.",
        "properties": {"webhookId": {"type": "string"}, "message": {"type": "string"}},
        "required": ["webhookId", "message"],
    },
}


def add_messages(result: dict[str, Any], generator: Any, request: Any, public: bool) -> dict[str, Any]:
    """Add the body of each type of message, and their union, which is what a receiver reads."""
    schemas = result["components"]["schemas"] | _OWN
    by_type = {type: f"#/components/schemas/{_name(type)}" for type in MESSAGE_TYPES}
    for type in MESSAGE_TYPES:
        schemas[_name(type)] = _message_schema(type)
    schemas["WebhookMessage"] = {
        "description": "The body of a message, whatever it tells. Verify its signature before you read it.",
        "oneOf": [{"$ref": reference} for reference in by_type.values()],
        "discriminator": {"propertyName": "type", "mapping": by_type},
    }
    result["components"]["schemas"] = dict(sorted(schemas.items()))
    return result


def _name(type: str) -> str:
    return "".join(part.capitalize() for part in type.split(".")) + "Message"


def _message_schema(type: str) -> dict[str, Any]:
    return {
        "type": "object",
        "description": MESSAGES[type],
        "properties": {
            "type": {"type": "string", "const": type, "description": "What happened."},
            "timestamp": _TIME | {"description": "When it happened; the same over all attempts."},
            "data": {"$ref": f"#/components/schemas/{_DATA[type]}"},
        },
        "required": ["type", "timestamp", "data"],
    }


def _message(type: MessageType) -> OpenApiWebhook:
    first, second = type.split(".")
    return OpenApiWebhook(
        name=type,
        decorator=extend_schema(
            operation_id=first + second.capitalize(),
            summary=type,
            description=MESSAGES[type] + " Signed by the Standard Webhooks convention: headers `webhook-id`, "
            "`webhook-timestamp`, `webhook-signature`." + (REPEATED if type != TEST_TYPE else " Sent once."),
            # Not the endpoints' own tag: generators make a class of each, and one would replace the other.
            tags=["events"],
            request={"application/json": {"$ref": f"#/components/schemas/{_name(type)}"}},
            responses={"2XX": OpenApiResponse(description="Received; anything else is tried again.")},
        ),
    )


document_completed = _message("document.completed")
document_failed = _message("document.failed")
batch_completed = _message("batch.completed")
template_published = _message("template.published")
template_archived = _message("template.archived")
credentials_rotated = _message("credentials.rotated")
webhook_test = _message(TEST_TYPE)
