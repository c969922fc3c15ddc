"""The content of a template: what an author writes, as a request body and as typed values."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Annotated, Any

from django.conf import settings
from pydantic import Field, ValidationError, WithJsonSchema, field_validator

from config.api.errors import ApiError, from_pydantic, invalid
from config.api.models import BodyModel
from templates_app import formats
from templates_app.errors import invalid_page_expression, invalid_section_expression
from templates_app.expressions.grammar import InvalidExpression, first_invalid
from templates_app.kinds import KINDS, AnySection
from templates_app.kinds.base import Section
from templates_app.kinds.uses import text_uses
from templates_app.page import PageSettings
from templates_app.variables import Use, Variable, check_unique, with_inferred

MAX_VARIABLES = 1000

Name = Annotated[str, Field(min_length=1, max_length=200, pattern=r"\S", examples=["Invoice"])]
Description = Annotated[str, Field(max_length=2000)]
Formats = Annotated[list[str], Field(min_length=1, max_length=20, examples=[["pdf", "xlsx"]])]
Sections = Annotated[list[AnySection], Field(min_length=1)]
ExternalUserId = Annotated[
    str,
    Field(
        min_length=1,
        max_length=255,
        description="The end user it belongs to; null is the organization itself. Ignored with a public key.",
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
        if len(value) > settings.MAX_SECTIONS:
            raise ValueError(f"must have at most {settings.MAX_SECTIONS} entries (MAX_SECTIONS)")
        return value

    @field_validator("variables", check_fields=False)
    @classmethod
    def _unique_names(cls, value: list[Variable] | None) -> list[Variable] | None:
        declared = [variable for variable in value or () if not variable.inferred]
        if len(declared) > MAX_VARIABLES:
            raise ValueError(f"must have at most {MAX_VARIABLES} entries")
        return check_unique(value)

    @field_validator("external_user_id", check_fields=False)
    @classmethod
    def _printable(cls, value: str | None) -> str | None:
        if value is not None and not value.isprintable():
            raise ValueError("must have printable characters only")
        return value


Page = Annotated[PageSettings, Field(description="Paper, margins, header, footer and locale.")]
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


class TemplateUpdate(_Checks):
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
    check_expressions(body)
    try:
        parsed = model.model_validate(body)
    except ValidationError as error:
        raise invalid(from_pydantic(error, tagged="sections")) from None
    return {field: _stored(getattr(parsed, field)) for field in parsed.model_fields_set}


def check_expressions(body: Mapping[str, Any]) -> None:
    """Raise the 400 of the first broken expression in sections, header or footer, whatever their shape."""
    sections = body.get("sections")
    for number, section in enumerate(sections if isinstance(sections, list) else (), start=1):
        if error := first_invalid(section):
            raise invalid_section_expression(number, error)
    page = body.get("page")
    for place in ("header", "footer"):
        if isinstance(page, dict) and (error := first_invalid(page.get(place))):
            raise invalid_page_expression(place, error)


def _stored(value: Any) -> Any:
    """Return JSON as the author wrote it: fields that were not given are not stored."""
    if isinstance(value, list):
        return [_stored(item) for item in value]
    if hasattr(value, "model_dump"):
        return value.model_dump(mode="json", by_alias=True, exclude_unset=True)
    return value


class BrokenContent(Exception):
    """Stored content that cannot be used: written before a check existed, or behind the service's back."""


class BrokenExpression(BrokenContent):
    """Stored content with a broken expression; `place` says where."""

    def __init__(self, place: str, error: InvalidExpression, refusal: ApiError) -> None:
        super().__init__(str(error))
        self.place = place
        self.expression = error.expression
        self._refusal = refusal

    def refusal(self) -> ApiError:
        """Return what a write of this content would have answered."""
        return self._refusal


@dataclass(frozen=True)
class Content:
    """One version of a template as stored; typed parts are made when first needed."""

    name: str
    description: str
    formats: Sequence[str]
    sections: Sequence[Mapping[str, Any]]
    variables: Sequence[Mapping[str, Any]]
    page: Mapping[str, Any]
    sample_data: Mapping[str, Any]

    def kinds(self) -> list[str]:
        """Return the kind of each section, in order."""
        return [str(section.get("type")) for section in self.sections if isinstance(section, dict)]

    def check(self) -> None:
        """Raise BrokenExpression or BrokenContent when stored content cannot be rendered."""
        for number, section in enumerate(self.sections, start=1):
            if error := first_invalid(section):
                raise BrokenExpression(f"section {number}", error, invalid_section_expression(number, error))
        for place in ("header", "footer"):
            if error := first_invalid(self.page.get(place)):
                raise BrokenExpression(f"page {place}", error, invalid_page_expression(place, error))
        try:
            self.typed_sections, self.typed_page, self.typed_variables  # noqa: B018
        except (ValidationError, KeyError, AttributeError, TypeError) as error:
            raise BrokenContent("Template cannot be rendered: its stored content is not valid") from error

    @cached_property
    def typed_sections(self) -> list[Section]:
        """The sections as models."""
        return [KINDS[section["type"]].model_validate(section) for section in self.sections]

    @cached_property
    def typed_page(self) -> PageSettings:
        """The page settings as a model."""
        return PageSettings.model_validate(self.page or {})

    @cached_property
    def typed_variables(self) -> list[Variable]:
        """Declared and inferred variables."""
        return with_inferred([Variable.model_validate(variable) for variable in self.variables], self._uses())

    def _uses(self) -> Iterable[Use]:
        for section in self.typed_sections:
            yield from section.uses()
        for band in (self.typed_page.header, self.typed_page.footer):
            if band is not None:
                uses = text_uses(band.left, band.center, band.right)
                yield from (use for use in uses if use.path not in {("page", "number"), ("page", "count")})
