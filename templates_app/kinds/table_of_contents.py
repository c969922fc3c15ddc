"""Table of contents."""

from __future__ import annotations

from collections.abc import Iterator
from typing import ClassVar, Literal

from config.api.models import Field, WholeNumber
from templates_app.kinds.base import Text, Written
from templates_app.kinds.uses import text_uses
from templates_app.resolved import ResolvedContents
from templates_app.scope import Scope
from templates_app.variables import Use


class TableOfContentsSection(Written):
    """The headings of the document with their pages."""

    kind_label: ClassVar[str] = "Table of contents"
    type: Literal["table_of_contents"]
    title: Text = Field(
        default="", description="Title above it; it is no heading itself.", examples=["Contents"]
    )
    levels: WholeNumber = Field(default=3, ge=1, le=6, description="Headings up to this level are listed.")

    def uses(self) -> Iterator[Use]:
        """Yield what the title reads."""
        return text_uses(self.title)

    def resolve(self, scope: Scope) -> ResolvedContents:
        """Fill the title."""
        return ResolvedContents(scope.rich(self.title), self.levels)
