"""Heading."""

from __future__ import annotations

from collections.abc import Iterator
from typing import ClassVar, Literal

from config.api.models import Field, WholeNumber
from templates_app.kinds.base import Text, Written
from templates_app.kinds.uses import text_uses
from templates_app.resolved import ResolvedHeading
from templates_app.scope import Scope
from templates_app.variables import Use


class HeadingSection(Written):
    """A heading of level 1 (largest) to 6."""

    kind_label: ClassVar[str] = "Heading"
    type: Literal["heading"]
    content: Text = Field(description="Text of the heading.", examples=["Invoice {{invoice_number}}"])
    level: WholeNumber = Field(default=1, ge=1, le=6, description="1 is the largest.")
    align: Literal["left", "center", "right", "end"] = Field(
        default="left",
        description="Alignment on the line: `left` is where lines begin, from right to left the "
        "right; `end` is the other side.",
    )
    numbered: bool = Field(
        default=True, description="Takes part where the page numbers its headings (`numberHeadings`)."
    )

    def uses(self) -> Iterator[Use]:
        """Yield what the text reads."""
        return text_uses(self.content)

    def resolve(self, scope: Scope) -> ResolvedHeading:
        """Fill the text."""
        number = scope.numbering.next(self.level) if scope.numbering and self.numbered else ""
        return ResolvedHeading(scope.rich(self.content), self.level, self.align, number)
