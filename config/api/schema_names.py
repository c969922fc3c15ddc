"""What makes the OpenAPI document good to generate clients from: one name for each thing, and no noise.

Generators make a class of whatever has a name. Without one they invent it (`Status2`, `ErrorErrorsInner`),
and the same list of values in two places becomes two types that do not fit each other.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Final

_PREFIX: Final = "#/components/schemas/"
# Lists of values by the name that they get, and a field where each of them stands. They get it wherever they
# stand.
NAMED: Final = {
    "Format": "Template.formats",
    "TemplateStatus": "Template.status",
    "DocumentStatus": "Document.status",
    "BatchStatus": "Batch.status",
    "BatchOutput": "Batch.output",
    "DeliveryStatus": "WebhookDelivery.status",
    "EventType": "WebhookCreate.eventTypes",
    "MessageType": "WebhookDelivery.eventType",
    "VariableType": "Variable.type",
    "Alignment": "ImageSection.align",
    "HeadingAlignment": "HeadingSection.align",
    "TextAlignment": "TextSection.align",
    "ColumnAlignment": "TableColumn.align",
    "Operator": "Condition.is",
    "Aggregate": "TableColumn.total",
}
# Fields that hold one of these values where the lower app, which shows them, does not know the list.
HOLDING: Final = {
    "Format": ("Document", "DocumentSummary", "Batch", "BatchSummary", "UsageRow"),
}


def name_values(result: dict[str, Any]) -> None:
    """Make the lists of values in NAMED components, and refer to them; raises KeyError where one is gone."""
    schemas: dict[str, Any] = result["components"]["schemas"]
    named = {}
    for name, place in NAMED.items():
        component, field = place.split(".")
        found = next(_enums(schemas[component]["properties"][field]))
        named[frozenset(found["enum"]) - {None}] = name
        schemas[name] = {"type": "string", "enum": [value for value in found["enum"] if value is not None]}
    for node in [*_enums({**schemas, **dict.fromkeys(NAMED)}), *_enums([result["paths"]])]:
        name = named.get(frozenset(node["enum"]) - {None}, "")
        if not name or "const" in node:
            continue
        reference = {"$ref": _PREFIX + name}
        is_nullable = None in node.pop("enum")
        del node["type"]
        node.update({"anyOf": [reference, {"type": "null"}]} if is_nullable else reference)
    for name, components in HOLDING.items():
        for component in components:
            field = schemas[component]["properties"][name.lower()]
            del field["type"]
            field["$ref"] = _PREFIX + name
    result["components"]["schemas"] = dict(sorted(schemas.items()))


def _enums(node: Any) -> Iterator[dict[str, Any]]:
    """Yield every schema that lists values."""
    if isinstance(node, dict):
        if isinstance(node.get("enum"), list):
            yield node
        for name, child in node.items():
            if name not in {"default", "example", "examples", "propertyNames"}:
                yield from _enums(child)
    elif isinstance(node, list):
        for child in node:
            yield from _enums(child)


def plain(result: dict[str, Any]) -> None:
    """Take out what says nothing, and what generators make something of all the same.

    Titles that repeat a name without its capitals become names of classes. An answer's fields are read-only
    by themselves; marked so, they get a second, empty class "for writing". A field without a value has none
    by default: said in so many words it becomes one that must be sent.
    """
    for schema in result["components"]["schemas"].values():
        _plain(schema)


def _plain(node: Any) -> None:
    if isinstance(node, list):
        for child in node:
            _plain(child)
    if not isinstance(node, dict):
        return
    if isinstance(node.get("title"), str):
        del node["title"]
    if node.get("readOnly") is True:
        del node["readOnly"]
    if "default" in node and node["default"] is None:
        del node["default"]
    for name, child in node.items():
        if name == "properties":
            for field in child.values():
                _plain(field)
        elif name not in {"default", "example", "examples", "enum"}:
            _plain(child)
