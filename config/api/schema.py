"""OpenAPI: how our typed models, errors and headers appear in the generated schema."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from drf_spectacular.extensions import OpenApiSerializerExtension
from drf_spectacular.openapi import AutoSchema
from drf_spectacular.plumbing import ResolvedComponent
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import (
    OpenApiExample,
    OpenApiParameter,
    OpenApiResponse,
    extend_schema_serializer,
)
from pydantic import BaseModel
from pydantic.json_schema import model_json_schema

from config.api.middleware import TOO_SLOW
from config.api.schema_names import name_values, plain


def listing(description: str, *messages: str) -> str:
    """Return the description of an answer with its texts as examples."""
    return description + "".join(f"\n- `{message}`" for message in messages)


FIELD_ERROR_SCHEMA: dict[str, Any] = {
    "type": "object",
    "description": "What is wrong with one field.",
    "required": ["field", "message"],
    "properties": {
        "field": {
            "type": "string",
            "description": "Path of the field in the request.",
            "examples": ["data.items[3].price"],
        },
        "message": {"type": "string", "examples": ["must be a number"]},
    },
}
ERROR_SCHEMA: dict[str, Any] = {
    "type": "object",
    "description": "Every non-2xx answer has this body.",
    "required": ["message", "requestId"],
    "properties": {
        "message": {"type": "string", "description": "What went wrong, in one line."},
        "errors": {
            "type": "array",
            "description": "Only for validation: one entry per offending field.",
            "items": {"$ref": "#/components/schemas/FieldError"},
        },
        "requestId": {"type": "string", "description": "Quote it when you ask the operator."},
    },
}
RATE_HEADERS = {
    "RateLimit-Limit": "Requests that the key may make in one window.",
    "RateLimit-Remaining": "Requests left in this window.",
    "RateLimit-Reset": "Seconds until the window ends.",
}
# Headers by name with type and meaning; which answers carry them is said by `carries` and `finish`.
HEADERS = {
    "X-Request-Id": ("string", "Id of the request."),
    **{name: ("integer", text) for name, text in RATE_HEADERS.items()},
    "WWW-Authenticate": ("string", 'The scheme of the keys: `ApiKey realm="api"`.'),
    "Retry-After": ("integer", "Seconds after which to try again."),
    "Location": ("string", "Where to go: the link of a download, or what was created or accepted."),
    "Preference-Applied": ("string", "`respond-async`, where the request preferred it."),
    "Idempotent-Replayed": ("string", "`true` where an earlier request with this key has made the result."),
    "ETag": ("string", "The state of what the answer shows, for `If-Match`."),
    "Link": ("string", 'The next page, as `<...>; rel="next"`; absent on the last one.'),
}
# Statuses that invite to try again say when.
RETRIED = {"409", "429", "503"}
# Answers that any operation may give, by status: their name, meaning and an example of the message.
# Those of the keys are in the order in which they are checked.
COMMON_ERRORS = {
    "400": (
        "BadRequest",
        "The request cannot be read, its host is not the service's, or the signed `x-user-id` is too long.",
        "x-user-id: must be printable text of at most 255 characters",
    ),
    "401": (
        "Unauthorized",
        listing(
            "The key is missing or not valid, or the public key's origin or user is not.",
            "Missing x-api-key header",
            "Invalid API key",
            "Public key requires Origin header",
            "Invalid Origin header",
            "Domain shop.example.com is not in allowedDomains",
            "Public key requires x-user-id and x-user-hash headers",
            "Invalid x-user-hash",
        ),
        "Invalid API key",
    ),
    "429": (
        "TooManyRequests",
        "The key has used its requests of this minute.",
        "Rate limit exceeded: try again in 12 seconds",
    ),
    "500": (
        "InternalServerError",
        "A fault of the service; the request id finds it in the log.",
        "Internal server error",
    ),
    "503": (
        "ServiceUnavailable",
        "A part of the service (database, cache, storage) is lost. `Retry-After` says when to try again.",
        "The database is unavailable; try again",
    ),
}
# Those of operations that take a body.
BODY_ERRORS = {
    "408": ("RequestTimeout", "The request body came too slowly.", TOO_SLOW),
    "413": (
        "ContentTooLarge",
        "The request body is larger than MAX_BODY_BYTES.",
        "Request body is too large: the limit is 33554432 bytes (MAX_BODY_BYTES)",
    ),
    "415": (
        "UnsupportedMediaType",
        "The body is not application/json in UTF-8, or it is compressed.",
        "Unsupported content type: send the body as application/json",
    ),
}
PAGE_PARAMETERS = [
    OpenApiParameter(
        "limit",
        {"type": "integer", "minimum": 1, "maximum": 1000, "default": 1000},
        description="Entries per page.",
    ),
    OpenApiParameter(
        "cursor", OpenApiTypes.STR, description="Taken from the `next` link of the previous page."
    ),
]


def shown_as(value: Mapping[str, Any], *, accepted: Mapping[str, Any] | None = None) -> Callable[[Any], Any]:
    """Decorate a serializer with an example of a 200 or 201, and of a 202 where that looks different."""
    examples = [OpenApiExample("Example", value, response_only=True)]
    if accepted is not None:
        examples.append(OpenApiExample("Accepted", accepted, response_only=True, status_codes=["202"]))
    return extend_schema_serializer(examples=examples)


def links(status: int, *operation_ids: str, **parameters: str) -> dict[str, Any]:
    """Return an extension that `finish` turns into OpenAPI links: what an answer's ids lead to.

    `parameters` map a name to a runtime expression such as `$response.body#/id`.
    """
    return {
        "x-links": {
            str(status): {name: {"operationId": name, "parameters": parameters} for name in operation_ids}
        }
    }


def carries(**names: tuple[str, ...]) -> dict[str, Any]:
    """Return an extension that `finish` turns into headers of HEADERS by status: `_202=("Location",)`."""
    return {"x-carries": {status.removeprefix("_"): found for status, found in names.items()}}


PAGE_HEADERS = carries(_200=("Link",))


def refusal(description: str, *messages: str) -> OpenApiResponse:
    """Return a documented error answer with its texts as examples."""
    return OpenApiResponse(response=ErrorBody, description=listing(description, *messages))


class ErrorBody(BaseModel):
    """Marker that the extension below replaces by ERROR_SCHEMA."""


class PydanticModels(OpenApiSerializerExtension):
    """Describe request bodies by their pydantic models, as the caller writes them."""

    target_class = BaseModel
    match_subclasses = True
    priority = 1

    def get_name(self, auto_schema: AutoSchema, direction: str) -> str:
        """Return the model's own name."""
        return "Error" if self.target is ErrorBody else self.target.__name__

    def map_serializer(self, auto_schema: AutoSchema, direction: str) -> dict[str, Any]:
        """Return the JSON schema; parts become components of their own."""
        if self.target is ErrorBody:
            return ERROR_SCHEMA
        return pydantic_schema(self.target, auto_schema)


def pydantic_schema(model: Any, auto_schema: AutoSchema) -> dict[str, Any]:
    """Return the JSON schema of `model` with its definitions registered as components."""
    schema: dict[str, Any] = model_json_schema(
        model, ref_template="#/components/schemas/{model}", mode="validation"
    )
    for name, definition in schema.pop("$defs", {}).items():
        auto_schema.registry.register_on_missing(
            ResolvedComponent(name=name, type=ResolvedComponent.SCHEMA, object=name, schema=definition)
        )
    return schema


class ApiSchema(AutoSchema):
    """Operation ids in camelCase verbs, as client generators like them."""

    def get_tags(self) -> list[str]:
        """Group operations by their first path segment."""
        return [self.path.removeprefix("/v1/").split("/")[0]]


def only_v1(endpoints: list[tuple[str, str, str, Any]]) -> list[tuple[str, str, str, Any]]:
    """Keep the endpoints of the API."""
    return [endpoint for endpoint in endpoints if endpoint[0].startswith("/v1")]


def finish(result: dict[str, Any], generator: Any, request: Any, public: bool) -> dict[str, Any]:
    """Add what every operation shares: common errors, rate headers, request id."""
    # Collected anew: the messages of webhooks are described after the generator has collected its components.
    components = result["components"] = generator.registry.build({})
    components.setdefault("schemas", {}).update(Error=ERROR_SCHEMA, FieldError=FIELD_ERROR_SCHEMA)
    components["headers"] = {
        name: {"description": text, "schema": {"type": kind}} for name, (kind, text) in HEADERS.items()
    }
    components["responses"] = {
        name: _common_error(status, description, example)
        for status, (name, description, example) in (COMMON_ERRORS | BODY_ERRORS).items()
    }
    for path in result["paths"].values():
        for operation in path.values():
            _finish_operation(operation)
    _drop(result, "x-spec-enum-id")
    name_values(result)
    plain(result)
    return result


def _drop(node: Any, key: str) -> None:
    """Remove the generator's own bookkeeping."""
    for child in node.values() if isinstance(node, dict) else node if isinstance(node, list) else ():
        _drop(child, key)
    if isinstance(node, dict):
        node.pop(key, None)


def _common_error(status: str, description: str, message: str) -> dict[str, Any]:
    content = {
        "schema": {"$ref": "#/components/schemas/Error"},
        "example": {"message": message, "requestId": "5f0c9b1e7d8a4c52"},
    }
    return {
        "description": description,
        "content": {"application/json": content},
        "headers": _headers(status),
    }


def _headers(status: str, *more: str) -> dict[str, Any]:
    """Return the headers of an answer: what this one carries, and what all of its status do."""
    names = [*more, "X-Request-Id"]
    names += RATE_HEADERS if status not in {"401", "408", "413"} else ()
    names += ["Retry-After"] if status in RETRIED else ()
    names += ["WWW-Authenticate"] if status == "401" else ()
    return {name: {"$ref": f"#/components/headers/{name}"} for name in names}


def _finish_operation(operation: dict[str, Any]) -> None:
    responses = operation["responses"]
    if "requestBody" in operation:
        # Without required fields, as in an update, the generator takes it for one that may be absent.
        operation["requestBody"]["required"] = True
    carried = dict(operation.pop("x-carries", {}))
    for status, targets in operation.pop("x-links", {}).items():
        responses[status]["links"] = targets
    for status, response in responses.items():
        response["description"] = response["description"] or "Done."
        response["headers"] = _headers(status, *carried.pop(status, ()))
    if carried:
        raise ValueError(f"{operation['operationId']} has no answers {sorted(carried)} to carry headers")
    for status, (name, *_) in (COMMON_ERRORS | (BODY_ERRORS if "requestBody" in operation else {})).items():
        responses.setdefault(status, {"$ref": f"#/components/responses/{name}"})
    operation["responses"] = dict(sorted(responses.items()))
