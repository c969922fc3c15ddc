"""Stored content as typed values, made once for many renders.

The cache goes by the content itself, so that a row that was changed behind the service's back is never taken
for what it was. What it holds is shared by all threads: nobody changes it.
"""

from __future__ import annotations

import marshal
from collections.abc import Mapping, Sequence
from typing import Any, Final

from config.api.errors import ApiError
from config.kept import Kept
from config.limits import limit
from config.value import dataclass
from templates_app.computed import Computation, computations, computed_uses
from templates_app.errors import invalid_page_expression, invalid_section_expression
from templates_app.expressions.grammar import InvalidExpression, first_invalid
from templates_app.kinds import KINDS
from templates_app.kinds.base import Section, depth_of, nested, sections_uses
from templates_app.page import PageSettings
from templates_app.scope import Types
from templates_app.variables import Variable, with_inferred

MAX_NESTING: Final = 8
MAX_VARIABLES: Final = 1000
MAX_ENTRIES: Final = 256
MAX_BYTES: Final = 32 * 2**20  # of stored content in the cache, all entries together
HASHED: Final = 1024  # bytes of stored content that its hash is made of, about
# The parts of the page that hold expressions, as they are called on the wire.
PAGE_PLACES: Final = (
    "header", "footer", "firstHeader", "firstFooter", "watermark", "background", "firstBackground", "title",
    "author", "subject", "protection",
)  # fmt: skip


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
class Compiled:
    """Typed content. `plan` are the computed variables in an order that works."""

    sections: Sequence[Section]
    page: PageSettings
    variables: list[Variable]
    plan: tuple[Computation, ...]
    types: Types


def compile_content(sections: Sequence[Any], variables: Sequence[Any], page: Mapping[str, Any]) -> Compiled:
    """Return stored content typed; raises BrokenExpression or BrokenContent when it cannot be rendered."""
    stored = _packed((sections, variables, page, limit("MAX_COLUMNS")))
    if stored is None:
        return _compile(sections, variables, page)
    return _kept.get(stored, lambda: _compile(sections, variables, page), lambda compiled: len(stored))


def check_nesting(sections: Sequence[Section]) -> None:
    """Raise ValueError for sections that are too many, or stand too deep in each other."""
    if sum(1 for _ in nested(sections)) > (most := limit("MAX_SECTIONS")):
        raise ValueError(f"must have at most {most} entries (MAX_SECTIONS)")
    if depth_of(sections) > MAX_NESTING:
        raise ValueError(f"must not nest deeper than {MAX_NESTING} levels")


class _Stored(bytes):
    """Stored content as a key: equal where all bytes are, found by some of them.

    To hash all of a logo takes longer than to compare it.
    """

    __slots__ = ()

    def __hash__(self) -> int:
        """Return what equal bytes have in common."""
        return hash((len(self), self[:: 1 + len(self) // HASHED]))


# By stored form: the content used last.
_kept: Final = Kept[_Stored, Compiled](MAX_BYTES, MAX_ENTRIES, worth=8)


def _packed(stored: tuple[Any, ...]) -> _Stored | None:
    """Return stored content as bytes that tell 1, 1.0 and true apart; None when it is no JSON."""
    try:
        return _Stored(marshal.dumps(stored, 2))  # version 2: the same bytes whichever strings are shared
    except ValueError:
        return None


def _compile(sections: Sequence[Any], variables: Sequence[Any], page: Mapping[str, Any]) -> Compiled:
    for number, section in enumerate(sections, start=1):
        if error := first_invalid(section):
            raise BrokenExpression(f"section {number}", error, invalid_section_expression(number, error))
    for place in PAGE_PLACES:
        if error := first_invalid(page.get(place) if isinstance(page, dict) else None):
            raise BrokenExpression(f"page {place}", error, invalid_page_expression(place, error))
    try:
        typed = [KINDS[section["type"]].model_validate(section) for section in sections]
        if depth_of(typed) > MAX_NESTING:
            raise ValueError("sections nest too deep")
        settled = PageSettings.model_validate(page or {})
        declared = [Variable.model_validate(variable) for variable in variables]
        plan = computations(declared)
        uses = [*sections_uses(typed), *settled.uses(), *computed_uses(plan)]
        complete = with_inferred(declared, uses)
    except (KeyError, AttributeError, TypeError, ValueError, RecursionError) as error:
        raise BrokenContent("Template cannot be rendered: its stored content is not valid") from error
    types = Types({variable.name: variable for variable in complete}, settled.style())
    return Compiled(typed, settled, complete, plan, types)
