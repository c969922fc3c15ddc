"""The bodies by which templates are written: what an author sends, checked with every message."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, Any, Final

from pydantic import Field, ValidationError, WithJsonSchema, field_validator

from config.api.bodies import BodyModel, PartialBody
from config.api.errors import from_pydantic, invalid
from config.api.models import StrictModel
from templates_app import formats, patterns
from templates_app.compiled import MAX_VARIABLES, PAGE_PLACES, check_nesting
from templates_app.computed import computations
from templates_app.content import LONGEST_NAME
from templates_app.errors import invalid_page_expression, invalid_section_expression
from templates_app.expressions.grammar import first_invalid
from templates_app.kinds.any_section import AnySection
from templates_app.page import PageSettings
from templates_app.variables import Variable, check_unique

# JSON values inside of sections, variables and page, each: a large template has some thousands.
MAX_VALUES: Final = 100_000
_COUNTED: Final = ("sections", "variables", "page")
# Expressions inside of each of these: checking as many takes seconds.
MAX_EXPRESSIONS: Final = 100_000

Name = Annotated[
    str, Field(min_length=1, max_length=LONGEST_NAME, pattern=patterns.VISIBLE, examples=["Invoice"])
]
Description = Annotated[str, Field(max_length=2000)]
Formats = Annotated[list[str], Field(min_length=1, max_length=20, examples=[["pdf", "xlsx"]])]
Sections = Annotated[list[AnySection], Field(min_length=1)]
ExternalUserId = Annotated[
    str,
    Field(
        min_length=1,
        max_length=255,
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

    @field_validator("external_user_id", check_fields=False)
    @classmethod
    def _printable(cls, value: str | None) -> str | None:
        if value is not None and not value.isprintable():
            raise ValueError("must have printable characters only")
        return value


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
    the 400 that lists every offending field; before both that of a part that is too large to be checked.
    """
    _check_amounts(body)
    check_expressions(body)
    try:
        parsed = model.model_validate(body)
    except ValidationError as error:
        raise invalid(from_pydantic(error, tagged="sections")) from None
    return {field: _stored(getattr(parsed, field)) for field in parsed.model_fields_set}


def _check_amounts(body: Mapping[str, Any]) -> None:
    """Raise the 400 of a part that holds more than any template needs.

    Each wrong value costs a kilobyte until all of them are known: two million took three gigabytes.
    """
    many = {name: told for name in _COUNTED if (told := _too_many(body.get(name)))}
    if many:
        raise invalid(many)


def _too_many(value: Any) -> str | None:
    """Say what JSON holds too much of, at any depth: values or expressions."""
    values, expressions, left = 0, 0, [value]
    while left:
        node = left.pop()
        if isinstance(node, str):
            expressions += node.count("{{")
            if expressions > MAX_EXPRESSIONS:
                return f"must hold at most {MAX_EXPRESSIONS} expressions altogether"
            continue
        inside = node.values() if isinstance(node, dict) else node if isinstance(node, list) else ()
        values += len(inside)
        if values > MAX_VALUES:
            return f"must hold at most {MAX_VALUES} values altogether"
        left += inside
    return None


def check_expressions(body: Mapping[str, Any]) -> None:
    """Raise the 400 of the first broken expression in sections or page, whatever their shape."""
    sections = body.get("sections")
    for number, section in enumerate(sections if isinstance(sections, list) else (), start=1):
        if error := first_invalid(section):
            raise invalid_section_expression(number, error)
    page = body.get("page")
    for place in PAGE_PLACES:
        if isinstance(page, dict) and (error := first_invalid(page.get(place))):
            raise invalid_page_expression(place, error)


def _stored(value: Any) -> Any:
    """Return JSON as the author wrote it: fields that were not given are not stored."""
    if isinstance(value, list):
        return [_stored(item) for item in value]
    if isinstance(value, StrictModel):
        return value.model_dump(exclude_unset=True)
    return value
