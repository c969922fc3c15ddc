"""The body of a render."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Annotated, Any

from pydantic import Field, ValidationError, field_validator

from config.api.errors import from_pydantic, invalid
from config.api.models import BodyModel, WholeNumber
from templates_app import formats


def _format_enum(schema: dict[str, Any]) -> None:
    schema.pop("anyOf", None)
    schema.update({"type": ["string", "null"], "enum": [*formats.known(), None]})


class RenderRequest(BodyModel):
    """What to render: a published template, its data and a format."""

    template_id: str = Field(min_length=1, examples=["tpl_01jd0000000000000000000000"])
    data: dict[str, Any] = Field(
        description="Values of the template's variables.",
        json_schema_extra={"additionalProperties": True},
        examples=[{"invoice_number": "2026-0042", "customer": {"name": "Ada Lovelace"}}],
    )
    format: str | None = Field(
        default=None,
        description="Without one: pdf where the template has it, else xlsx.",
        json_schema_extra=_format_enum,
    )
    filename: Annotated[str, Field(min_length=1, max_length=200)] | None = Field(
        default=None,
        description="Name of the downloaded file; the extension is added.",
        examples=["invoice-42"],
    )
    external_user_id: Annotated[str, Field(min_length=1, max_length=255)] | None = Field(
        default=None,
        description="End user who owns the document (secret key only); without one, the template's.",
    )
    template_version: Annotated[WholeNumber, Field(ge=1, le=2**31 - 1)] | None = Field(
        default=None, description="An earlier version of the template; without one, the current one."
    )

    @field_validator("external_user_id")
    @classmethod
    def _printable(cls, value: str | None) -> str | None:
        if value is not None and not value.isprintable():
            raise ValueError("must have printable characters only")
        return value

    @field_validator("filename")
    @classmethod
    def _no_path(cls, value: str | None) -> str | None:
        if value is not None and (
            not value.isprintable() or re.search(r"[/\\]", value) or not value.strip(" .")
        ):
            raise ValueError("must be a file name without slashes and control characters")
        return value


def parse_render_request(body: Mapping[str, Any], *, is_public: bool) -> RenderRequest:
    """Return the typed body; raises the 400 that lists every offending field (specification section 4).

    A public key decides the owner itself, so its body's `externalUserId` does not count.
    """
    if is_public:
        body = {name: value for name, value in body.items() if name != "externalUserId"}
    errors: dict[str, str] = {}
    parsed = None
    try:
        parsed = RenderRequest.model_validate(body)
    except ValidationError as error:
        errors = from_pydantic(error)
    if body.get("templateId") == "":
        errors["templateId"] = "required"
    name = body.get("format")
    if name is not None and name not in formats.known():
        errors["format"] = formats.must_be()
    if errors or parsed is None:
        raise invalid(errors)
    return parsed
