"""Image."""

from __future__ import annotations

from collections.abc import Iterator
from typing import ClassVar, Literal

from pydantic import Field

from templates_app.expressions.grammar import Expression, parse
from templates_app.kinds.base import Align, Section, Text
from templates_app.kinds.uses import text_uses
from templates_app.resolved import ResolvedImage
from templates_app.scope import Scope
from templates_app.variables import Use


class ImageSection(Section):
    """An image from the organization's assets or from the data; never from a path or address."""

    label: ClassVar[str] = "Image"
    type: Literal["image"]
    source: str = Field(
        min_length=1,
        max_length=5_000_000,
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

    def uses(self) -> Iterator[Use]:
        """Yield the image and what the alternative text reads."""
        parts = parse(self.source)
        for part in parts:
            if isinstance(part, Expression):
                yield Use(part.path, "image" if len(parts) == 1 else None)
        yield from text_uses(self.alt)

    def resolve(self, scope: Scope) -> ResolvedImage:
        """Load the image."""
        image = scope.image(self.source, "source")
        return ResolvedImage(image, self.width, self.height, self.align, scope.text(self.alt))
