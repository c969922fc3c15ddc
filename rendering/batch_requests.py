"""The body of a batch."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Literal

from django.conf import settings
from pydantic import Field

from config.api.bodies import BodyModel
from config.api.errors import invalid
from rendering.requests import ExternalUserId, Filename, Format, Reference, TemplateVersion, read_request

MAX_ITEMS = 10_000


class BatchItem(BodyModel):
    """One document of a batch."""

    data: dict[str, Any] = Field(
        description="Values of the template's variables.", json_schema_extra={"additionalProperties": True}
    )
    filename: Filename = None
    external_user_id: ExternalUserId = None
    reference: Reference = None


class BatchRequest(BodyModel):
    """Many documents of one published template."""

    template_id: str = Field(min_length=1, examples=["tpl_01jd0000000000000000000000"])
    format: Format = None
    items: list[BatchItem] = Field(
        min_length=1,
        max_length=MAX_ITEMS,
        description="One document each. Data that does not fit fails its own document, not the batch.",
    )
    output: Literal["files", "zip", "merged"] = Field(
        default="files",
        description=(
            "`files`: the documents alone. `zip`: also one archive of them. `merged`: also one PDF of them, "
            "with a bookmark for each."
        ),
    )
    filename: Filename = Field(default=None, description="Name of the zip or merged file.")
    reference: Reference = Field(
        default=None, description="Your own name for the batch; its items have theirs."
    )
    template_version: TemplateVersion = None


def parse_batch_request(body: Mapping[str, Any], *, is_public: bool) -> BatchRequest:
    """Return the typed body; raises the 400 that lists every offending field, `items[3].data` for one.

    A public key decides the owner itself, so `externalUserId` of its items does not count.
    """
    if is_public and isinstance(items := body.get("items"), list):
        owned = [
            {name: value for name, value in item.items() if name != "externalUserId"}
            if isinstance(item, dict)
            else item
            for item in items[: MAX_ITEMS + 1]
        ]
        body = {**body, "items": owned}
    request, errors = read_request(BatchRequest, body)
    if request is not None and len(request.items) > settings.MAX_UNFINISHED_ITEMS:
        # They could never wait all at once: this is not a matter of coming back later.
        errors["items"] = f"must have at most {settings.MAX_UNFINISHED_ITEMS} entries"
    if errors or request is None:
        raise invalid(errors)
    return request
