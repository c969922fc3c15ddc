"""Image."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Annotated, ClassVar, Literal

from config.api.models import Field
from templates_app.kinds.base import GivenImage, Text, Written
from templates_app.kinds.uses import image_uses, text_uses
from templates_app.resolved import Align, ResolvedImage
from templates_app.richtext import safe_link
from templates_app.scope import Scope
from templates_app.variables import Use


class ImageSection(Written):
    """An image from the organization's assets or from the data; never from a path or address."""

    kind_label: ClassVar[str] = "Image"
    type: Literal["image"]
    source: GivenImage = Field(
        description="An asset id, a data URI, or an expression that gives one of them.",
        examples=["{{logo}}"],
    )
    width: float | None = Field(
        default=None, ge=1, le=2000, description="Millimetres; one of both keeps the ratio."
    )
    height: float | None = Field(
        default=None, ge=1, le=2000, description="Millimetres; one of both keeps the ratio."
    )
    align: Align = Field(default="left", description="Place on the line.")
    alt: Text = Field(default="", description="Text for those who cannot see the image.")

    mode: Literal["fit", "cover", "exact"] = Field(
        default="fit",
        description="With width and height: show it whole, fill the frame and cut, or stretch.",
    )
    link: Annotated[str, Field(max_length=2000)] | None = Field(
        default=None, description="Address that the image leads to: https, http, mailto or tel."
    )

    def uses(self) -> Iterator[Use]:
        """Yield the image and what the alternative text reads."""
        yield from image_uses(self.source)
        yield from text_uses(self.alt, self.link)

    def resolve(self, scope: Scope) -> ResolvedImage:
        """Load the image."""
        return ResolvedImage(
            scope.image(self.source, "source"),
            self.width,
            self.height,
            self.align,
            scope.text(self.alt),
            self.mode,
            safe_link(scope.text(self.link)) if self.link else None,
        )
