"""What the OpenAPI document says beside the types: defaults, examples and headers hold as they stand."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from jsonschema import Draft202012Validator

from accounts.models import Organization
from accounts.webhooks.events import MESSAGE_TYPES
from config.api.middleware import EXPOSED_HEADERS
from tests.api.tools import HEADING, errors_of
from tests.conftest import INVOICE, ApiClient, user_client
from tests.factories import WebhookFactory

SCHEMA = json.loads((Path(__file__).parents[2] / "docs/openapi.json").read_text())
COMPONENTS = SCHEMA["components"]
TYPED = {"type", "$ref", "anyOf", "oneOf", "enum"}
# What the schemas of bodies are written in.
KEYWORDS = {
    "additionalProperties", "anyOf", "const", "default", "dependentRequired", "description", "discriminator",
    "enum", "examples", "exclusiveMinimum", "format", "items", "maxItems", "maxLength", "maxProperties",
    "maximum", "minItems", "minLength", "minProperties", "minimum", "oneOf", "pattern", "properties",
    "propertyNames", "required", "type",
}  # fmt: skip


def shown(node: Any, path: str = "") -> Iterator[tuple[str, Any, Any]]:
    """Yield every default and example with its schema, and where it stands."""
    if isinstance(node, list):
        for index, part in enumerate(node):
            yield from shown(part, f"{path}/{index}")
    elif isinstance(node, dict):
        if "schema" in node:
            examples = node.get("examples", {})
            values = [example["value"] for example in examples.values()]
            yield from ((path, node["schema"], value) for value in values)
            if "example" in node:
                yield path, node["schema"], node["example"]
        elif TYPED & set(node) and not path.endswith("/properties"):
            values = [*node.get("examples", ()), *([node["default"]] if "default" in node else ())]
            yield from ((path, node, value) for value in values)
        for name, part in node.items():
            if name not in {"example", "examples", "default"}:
                yield from shown(part, f"{path}/{name}")


def test_defaults_and_examples_fit_their_schemas() -> None:
    values = list(shown(SCHEMA))
    assert len(values) > 200
    wrong = [
        (path, value, error.message)
        for path, schema, value in values
        for error in Draft202012Validator({**schema, "components": COMPONENTS}).iter_errors(value)
    ]
    assert not wrong


def test_every_body_that_is_sent_or_answered_is_shown_by_an_example() -> None:
    missing = []
    for path, operations in SCHEMA["paths"].items():
        for method, operation in operations.items():
            answers = operation["responses"].items()
            bodies = [("request", operation.get("requestBody", {}))]
            bodies += [(status, answer) for status, answer in answers if status[0] == "2"]
            missing += [
                (method, path, name)
                for name, body in bodies
                for content in body.get("content", {}).values()
                if "examples" not in content
            ]
    assert not missing


def nodes(node: Any) -> Iterator[dict[str, Any]]:
    """Yield every object of the document, examples and defaults left out."""
    if isinstance(node, list):
        for part in node:
            yield from nodes(part)
    elif isinstance(node, dict):
        yield node
        for name, part in node.items():
            if name not in {"example", "examples", "default"}:
                yield from nodes(part)


def test_references_lead_to_what_is_there() -> None:
    """Clients made from the schema stop at the first that does not; messages of webhooks have theirs."""
    references = {node["$ref"] for node in nodes(SCHEMA) if isinstance(node.get("$ref"), str)}
    named = {f"#/components/{part}/{name}" for part, content in COMPONENTS.items() for name in content}
    assert "#/components/schemas/DocumentCompletedMessage" in references
    assert references <= named


def test_limits_are_in_the_words_of_json_schema() -> None:
    """Pydantic writes its own word for a limit that it cannot place, and no client knows it."""
    bounded = [node for node in nodes(COMPONENTS["schemas"]) if isinstance(node.get("type"), str)]
    assert len(bounded) > 300
    assert set().union(*bounded) <= KEYWORDS


def test_every_message_that_webhooks_get_is_described() -> None:
    types = COMPONENTS["schemas"]["WebhookMessage"]["discriminator"]["mapping"]
    assert set(SCHEMA["webhooks"]) == set(types) == set(MESSAGE_TYPES)
    bodies = {
        type: message["post"]["requestBody"]["content"]["application/json"]["schema"]["$ref"]
        for type, message in SCHEMA["webhooks"].items()
    }
    assert bodies == types


def test_messages_have_no_class_of_clients_in_common_with_the_endpoints() -> None:
    """Generators make a class of each tag, one of the endpoints and one of the messages, in the same file."""
    told = {tag for message in SCHEMA["webhooks"].values() for tag in message["post"]["tags"]}
    asked = {
        tag for path in SCHEMA["paths"].values() for operation in path.values() for tag in operation["tags"]
    }
    assert told.isdisjoint(asked)


def test_every_operation_has_a_name_of_its_own() -> None:
    """Those of messages too: clients have a method of each."""
    operations = [
        operation["operationId"]
        for place in (SCHEMA["paths"], SCHEMA["webhooks"])
        for path in place.values()
        for operation in path.values()
    ]
    assert len(operations) > 40
    assert len(set(operations)) == len(operations)


def test_links_give_parameters_alone() -> None:
    """The validator of openapi-generator refuses the whole document for a body that is no text."""
    links = [node["links"] for node in nodes(SCHEMA["paths"]) if "links" in node]
    assert links
    assert {key for by_name in links for link in by_name.values() for key in link} == {
        "operationId",
        "parameters",
    }


def test_each_list_of_values_has_one_name() -> None:
    """Otherwise a client has as many types of it as there are places, which do not fit each other."""
    lists: dict[frozenset[str], list[str]] = {}
    for place, node in [*COMPONENTS["schemas"].items(), *SCHEMA["paths"].items()]:
        for found in nodes(node):
            if "enum" in found and "const" not in found:
                lists.setdefault(frozenset(found["enum"]), []).append(place)
    assert lists[frozenset({"pdf", "xlsx"})] == ["Format"]
    assert not {values: places for values, places in lists.items() if len(places) > 1}


def test_nothing_makes_generators_name_or_part_what_is_one() -> None:
    """Titles become classes beside those of the components, `readOnly` a second class of each answer."""
    for node in nodes(COMPONENTS["schemas"]):
        assert not isinstance(node.get("title"), str), node
        assert node.get("readOnly") is not True, node
        assert node.get("default", ...) is not None, node
    schemas = COMPONENTS["schemas"]
    objects = [
        part
        for schema in schemas.values()
        for field in schema.get("properties", {}).values()
        for part in nodes(field)
        if isinstance(part.get("properties"), dict) and part.get("type") == "object"
    ]
    assert not objects


@pytest.mark.parametrize(
    ("name", "fields"),
    [
        ("TemplateUpdate", None),
        ("WebhookUpdate", None),
        ("PageSettings", {"firstHeader", "firstFooter", "firstBackground"}),
    ],
)
def test_a_field_that_means_something_else_when_it_is_sent_has_no_default(
    name: str, fields: set[str] | None
) -> None:
    """Clients made from the schema send defaults by themselves."""
    schema = COMPONENTS["schemas"][name]
    properties = schema["properties"]
    assert not [field for field in fields or properties if "default" in properties[field]]
    assert not set(fields or properties) & set(schema.get("required", ()))


def documented(method: str, path: str, status: int) -> set[str]:
    """Return the headers that the document promises for an answer, where it stands or under its name."""
    answer = SCHEMA["paths"][path][method]["responses"][str(status)]
    if "$ref" in answer:
        answer = COMPONENTS["responses"][answer["$ref"].removeprefix("#/components/responses/")]
    return set(answer["headers"])


def test_answers_carry_the_headers_that_are_documented(secret: ApiClient, settings: Any) -> None:
    template_id = secret.published(sections=[HEADING])
    body = {"templateId": template_id, "data": {}}
    batch = {"templateId": template_id, "items": [{"data": {}}]}
    rendered = secret.post("/v1/render", body, idempotency_key="k")
    document_id = rendered.json()["documentId"]
    answers = [
        ("post", "/v1/render", rendered),
        ("post", "/v1/render", secret.post("/v1/render", body, idempotency_key="k")),
        ("post", "/v1/render", secret.post("/v1/render", body, prefer="respond-async")),
        ("post", "/v1/render", secret.post("/v1/render", {})),
        ("post", "/v1/templates", secret.post("/v1/templates", INVOICE)),
        ("post", "/v1/batches", secret.post("/v1/batches", batch, idempotency_key="b")),
        ("post", "/v1/batches", secret.post("/v1/batches", batch, idempotency_key="b")),
        ("get", "/v1/downloads/{id}", secret.get(f"/v1/downloads/{document_id}")),
        ("get", "/v1/documents", secret.get("/v1/documents?limit=1")),
        ("get", "/v1/templates/{id}", secret.get("/v1/templates/none")),
        ("get", "/v1/templates/{id}", secret.get(f"/v1/templates/{template_id}")),
        ("patch", "/v1/templates/{id}", secret.patch(f"/v1/templates/{template_id}", {"name": "a"})),
        ("post", "/v1/templates/{id}/publish", secret.post(f"/v1/templates/{template_id}/publish")),
    ]
    settings.RATE_LIMIT = "1/d"
    answers += [("get", "/v1/orgs", secret.get("/v1/orgs")) for _ in range(2)]
    told = {name.strip() for name in EXPOSED_HEADERS.split(",")}
    seen = set()
    for method, path, answer in answers:
        sent = told & set(answer.headers)
        assert sent <= documented(method, path, answer.status_code), (method, path, answer.status_code)
        seen |= sent
    # A file's own headers come with the signed link, which is no endpoint of the document, and `Allow` with a
    # method that none has.
    assert seen == told - {"Accept-Ranges", "Allow", "Content-Disposition", "Content-Range"}


def test_what_refuses_any_request_is_documented(acme: Organization, secret: ApiClient) -> None:
    long_id = user_client(acme, "x" * 256)
    nobody = ApiClient()
    for path, operations in SCHEMA["paths"].items():
        address = path.replace("{", "").replace("}", "")
        for method in operations:
            refused = long_id.request(method.upper(), address, {})
            assert (refused.status_code, bool(documented(method, path, 400))) == (400, True)
            unknown = nobody.request(method.upper(), address, {})
            assert unknown.status_code == 401
            assert "WWW-Authenticate" in unknown.headers.keys() & documented(method, path, 401)


def test_a_body_that_is_described_is_needed(acme: Organization, secret: ApiClient) -> None:
    ids = {"templates": secret.create()["id"], "webhooks": WebhookFactory(organization=acme).pk}
    for path, operations in SCHEMA["paths"].items():
        address = path.replace("{id}", ids.get(path.split("/")[2], ""))
        for method, operation in operations.items():
            if "requestBody" in operation:
                assert operation["requestBody"]["required"], (method, path)
                assert "required" in errors_of(secret.request(method.upper(), address)).values()


def test_a_retry_is_told_when() -> None:
    """Each answer that invites to try again has its `Retry-After`."""
    for path, operations in SCHEMA["paths"].items():
        for method, operation in operations.items():
            for status in {"409", "429", "503"} & set(operation["responses"]):
                assert "Retry-After" in documented(method, path, int(status))
