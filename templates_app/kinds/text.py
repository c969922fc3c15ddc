"""Text."""

from __future__ import annotations

from collections.abc import Iterator
from typing import ClassVar, Literal

from config.api.models import Field
from templates_app.kinds.base import Color, Text, Written
from templates_app.kinds.uses import text_uses
from templates_app.resolved import ResolvedText
from templates_app.scope import Scope
from templates_app.variables import Use


class TextSection(Written):
    """A block of text; newlines are kept, an empty line parts paragraphs."""

    kind_label: ClassVar[str] = "Text"
    type: Literal["text"]
    content: Text = Field(description="The text.", examples=["Dear {{customer.name}},"])
    align: Literal["left", "center", "right", "justify", "end"] = Field(
        default="left",
        description="Alignment of the lines: `left` is where lines begin, from right to left the "
        "right; `end` is the other side.",
    )
    size: float | None = Field(
        default=None, ge=4, le=200, description="Font size in points; without one, the theme's."
    )
    bold: bool = Field(default=False, description="Bold letters.")
    italic: bool = Field(default=False, description="Italic letters.")
    color: Color | None = Field(default=None, description="Colour of the letters as #rrggbb.")
    hyphenate: bool = Field(default=True, description="Words may be divided at the ends of lines.")

    def uses(self) -> Iterator[Use]:
        """Yield what the text reads."""
        return text_uses(self.content)

    def resolve(self, scope: Scope) -> ResolvedText:
        """Fill the text."""
        return ResolvedText(
            scope.rich(self.content),
            self.align,
            self.size,
            self.bold,
            self.italic,
            self.color,
            self.hyphenate,
        )
