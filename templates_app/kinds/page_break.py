"""Page break."""

from __future__ import annotations

from collections.abc import Iterator
from typing import ClassVar, Literal

from templates_app.kinds.base import Section
from templates_app.resolved import ResolvedPageBreak
from templates_app.scope import Scope
from templates_app.variables import Use


class PageBreakSection(Section):
    """The next section begins a new page."""

    kind_label: ClassVar[str] = "Page break"
    type: Literal["page_break"]

    def uses(self) -> Iterator[Use]:
        """Read nothing."""
        return iter(())

    def resolve(self, scope: Scope) -> ResolvedPageBreak:
        """Return the break."""
        return ResolvedPageBreak()
