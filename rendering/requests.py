"""The body of a render."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Annotated, Any, TypeVar

from pydantic import AfterValidator, BeforeValidator, Field, ValidationError

from config.api.bodies import BodyModel, Label, printable
from config.api.errors import from_pydantic, invalid
from config.api.models import whole
from templates_app import formats

Request = TypeVar("Request", bound=BodyModel)


def _format_enum(schema: dict[str, Any]) -> None:
    schema.pop("anyOf", None)
    schema.update({"type": ["string", "null"], "enum": [*formats.known(), None]})


def _no_path(value: str) -> str:
    if re.search(r"[/\\]", printable(value)) or not value.strip(" ."):
        raise ValueError("must be a file name: without slashes, and more than dots and blanks")
    return value


# The fields that a render shares with the items of a batch.
Format = Annotated[
    str | None,
    Field(
        description="Without one: pdf where the template has it, else xlsx.", json_schema_extra=_format_enum
    ),
]
Filename = Annotated[
    Annotated[str, Field(min_length=1, max_length=200), AfterValidator(_no_path)] | None,
    Field(
        description="Name of the downloaded file, without slashes; the extension is added.",
        examples=["invoice-42"],
    ),
]
ExternalUserId = Annotated[
    Label | None,
    Field(description="End user who owns the document (secret key only); without one, the template's."),
]
Reference = Annotated[
    Label | None,
    Field(
        description=(
            "Your own name for it, such as the number of an order. It comes back with the document, in "
            "messages of webhooks too, and lists can be filtered by it. It need not be unique."
        ),
        examples=["order-4711"],
    ),
]
TemplateVersion = Annotated[
    Annotated[int, Field(ge=1, le=2**31 - 1), BeforeValidator(whole)] | None,
    Field(description="An earlier version of the template; without one, the current one."),
]


class RenderRequest(BodyModel):
    """What to render: a published template, its data and a format."""

    template_id: str = Field(min_length=1, examples=["tpl_01jd0000000000000000000000"])
    data: dict[str, Any] = Field(
        description="Values of the template's variables.",
        json_schema_extra={"additionalProperties": True},
        examples=[{"invoice_number": "2026-0042", "customer": {"name": "Ada Lovelace"}}],
    )
    format: Format = None
    filename: Filename = None
    external_user_id: ExternalUserId = None
    reference: Reference = None
    template_version: TemplateVersion = None


def parse_render_request(body: Mapping[str, Any], *, is_public: bool) -> RenderRequest:
    """Return the typed body; raises the 400 that lists every offending field (specification section 4).

    A public key decides the owner itself, so its body's `externalUserId` does not count.
    """
    if is_public:
        body = {name: value for name, value in body.items() if name != "externalUserId"}
    request, errors = read_request(RenderRequest, body)
    if errors or request is None:
        raise invalid(errors)
    return request


def read_request(model: type[Request], body: Mapping[str, Any]) -> tuple[Request | None, dict[str, str]]:
    """Return the typed body of a render or a batch, None for a wrong one, and the errors by field."""
    try:
        return model.model_validate(body), _wrong_basics(body)
    except ValidationError as error:
        return None, from_pydantic(error) | _wrong_basics(body)


def _wrong_basics(body: Mapping[str, Any]) -> dict[str, str]:
    """Return what the contract says of a template and a format in its own words, by field."""
    errors: dict[str, str] = {}
    if body.get("templateId") == "":
        errors["templateId"] = "required"
    name = body.get("format")
    if name is not None and name not in formats.known():
        errors["format"] = formats.must_be()
    return errors
