"""The bodies by which templates are written: what an author sends, checked with every message."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, Any, Final

from pydantic import Field, ValidationError, WithJsonSchema, field_validator

from config.api.bodies import BodyModel, Label, PartialBody
from config.api.errors import from_pydantic, invalid
from config.api.models import StrictModel
from templates_app import formats, patterns
from templates_app.compiled import MAX_VARIABLES, PAGE_PLACES, check_nesting
from templates_app.computed import computations
from templates_app.content import LONGEST_NAME
from templates_app.errors import invalid_page_expression, invalid_section_expression
from templates_app.expressions.grammar import first_invalid, texts
from templates_app.kinds.any_section import AnySection
from templates_app.page import PageSettings
from templates_app.variables import Variable, check_unique

# JSON values inside of sections, variables and page, each: a large template has some thousands.
MAX_VALUES: Final = 100_000
_COUNTED: Final = ("sections", "variables", "page")
_MANY: Final = f"must hold at most {MAX_VALUES} values altogether"
# Expressions inside of all sections, and of the page: checking as many takes seconds.
MAX_EXPRESSIONS: Final = 100_000

Name = Annotated[
    str, Field(min_length=1, max_length=LONGEST_NAME, pattern=patterns.VISIBLE, examples=["Invoice"])
]
Description = Annotated[str, Field(max_length=2000)]
Formats = Annotated[list[str], Field(min_length=1, max_length=20, examples=[["pdf", "xlsx"]])]
Sections = Annotated[list[AnySection], Field(min_length=1)]
ExternalUserId = Annotated[
    Label,
    Field(
        description="The end user it belongs to, who can read all its versions, also those from before; "
        "null is the organization itself. Ignored with a public key.",
        examples=["user-42"],
    ),
]


def _format_items(schema: dict[str, Any]) -> None:
    schema["items"] = {"type": "string", "enum": list(formats.known())}


class _Checks(BodyModel):
    """Checks that create and update share."""

    @field_validator("formats", check_fields=False)
    @classmethod
    def _known_formats(cls, value: list[str]) -> list[str]:
        if any(name not in formats.known() for name in value):
            raise ValueError("must list " + formats.must_be().removeprefix("must be "))
        return list(dict.fromkeys(value))

    @field_validator("sections", check_fields=False)
    @classmethod
    def _not_too_many(cls, value: list[Any]) -> list[Any]:
        check_nesting(value)
        return value

    @field_validator("variables", check_fields=False)
    @classmethod
    def _unique_names(cls, value: list[Variable] | None) -> list[Variable] | None:
        declared = [variable for variable in value or () if not variable.inferred]
        if len(declared) > MAX_VARIABLES:
            raise ValueError(f"must have at most {MAX_VARIABLES} entries")
        computations(declared)
        return check_unique(value)


Page = Annotated[PageSettings, Field(description="Paper, header and footer, theme, locale and document.")]
SampleData = Annotated[dict[str, Any], WithJsonSchema({"type": "object", "additionalProperties": True})]
Variables = list[Variable]


class TemplateCreate(_Checks):
    """Body of `POST /v1/templates`."""

    name: Name
    formats: Formats = Field(json_schema_extra=_format_items)
    sections: Sections
    description: Description | None = None
    variables: Variables | None = None
    page: Page | None = None
    sample_data: SampleData | None = None
    external_user_id: ExternalUserId | None = None


class TemplateUpdate(_Checks, PartialBody):
    """Body of `PATCH /v1/templates/{id}`: any subset; what is not sent stays."""

    name: Name = ""
    formats: Formats = Field(default=[], json_schema_extra=_format_items)
    sections: Sections = []
    description: Description | None = None
    variables: Variables | None = None
    page: Page | None = None
    sample_data: SampleData | None = None
    external_user_id: ExternalUserId | None = None


def parse_body(model: type[BodyModel], body: Mapping[str, Any]) -> dict[str, Any]:
    """Return the given fields of a template body as values to store.

    Expressions are checked before shapes: raises the ApiError that names section and expression, else
    the 400 that lists every offending field.
    """
    _check_expressions(body)
    _check_amounts(body)
    try:
        parsed = model.model_validate(body)
    except ValidationError as error:
        raise invalid(from_pydantic(error, tagged="sections")) from None
    return {field: _stored(getattr(parsed, field)) for field in parsed.model_fields_set}


def _check_expressions(body: Mapping[str, Any]) -> None:
    """Raise the 400 of the first broken expression in sections or page, whatever their shape.

    Also that of more expressions than any template needs, as soon as they are too many.
    """
    sections = body.get("sections")
    left = MAX_EXPRESSIONS
    for number, section in enumerate(sections if isinstance(sections, list) else (), start=1):
        left = _less_expressions(left, section, "sections")
        if error := first_invalid(section):
            raise invalid_section_expression(number, error)
    page = body.get("page")
    left = MAX_EXPRESSIONS
    for place in PAGE_PLACES:
        settings = page.get(place) if isinstance(page, dict) else None
        left = _less_expressions(left, settings, "page")
        if error := first_invalid(settings):
            raise invalid_page_expression(place, error)


def _less_expressions(left: int, value: Any, part: str) -> int:
    """Return how many expressions a part of the body may still hold after `value`."""
    for text in texts(value):
        left -= text.count("{{")
        if left < 0:
            raise invalid({part: f"must hold at most {MAX_EXPRESSIONS} expressions altogether"})
    return left


def _check_amounts(body: Mapping[str, Any]) -> None:
    """Raise the 400 of a part that holds more than any template needs.

    Each wrong value costs a kilobyte until all of them are known: two million took three gigabytes.
    """
    many = {name: _MANY for name in _COUNTED if _holds_more(body.get(name), MAX_VALUES)}
    if many:
        raise invalid(many)


def _holds_more(value: Any, most: int) -> bool:
    """Tell whether JSON has more than so many values inside, at any depth."""
    count, left = 0, [value]
    while left:
        node = left.pop()
        inside = node.values() if isinstance(node, dict) else node if isinstance(node, list) else ()
        count += len(inside)
        if count > most:
            return True
        left += [child for child in inside if isinstance(child, (dict, list))]
    return False


def _stored(value: Any) -> Any:
    """Return JSON as the author wrote it: fields that were not given are not stored."""
    if isinstance(value, list):
        return [_stored(item) for item in value]
    if isinstance(value, StrictModel):
        return value.model_dump(exclude_unset=True)
    return value
