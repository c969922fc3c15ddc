"""The content of a template, as stored and as typed values."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import cached_property
from typing import Any, Final

from config.value import dataclass
from templates_app.compiled import BrokenContent, BrokenExpression, Compiled, compile_content
from templates_app.kinds.base import Section
from templates_app.page import PageSettings
from templates_app.variables import Variable

__all__ = ["LONGEST_NAME", "BrokenContent", "BrokenExpression", "Content"]

LONGEST_NAME: Final = 200  # characters of a template's name


@dataclass(frozen=True)
class Content:
    """One version of a template as stored; typed parts are made when first needed."""

    name: str
    description: str
    formats: Sequence[str]
    sections: Sequence[Mapping[str, Any]]
    variables: Sequence[Mapping[str, Any]]
    page: Mapping[str, Any]
    sample_data: Mapping[str, Any]

    def kinds(self) -> list[str]:
        """Return the kind of each section, in document order, those inside other sections too."""
        return [str(section.get("type")) for section in _stored_sections(self.sections)]

    def check(self) -> None:
        """Raise BrokenExpression or BrokenContent when stored content cannot be rendered."""
        self.compiled  # noqa: B018

    @cached_property
    def compiled(self) -> Compiled:
        """The typed content, shared between renders: not to be changed. Raises as `check` does."""
        return compile_content(self.sections, self.variables, self.page)

    @property
    def typed_sections(self) -> Sequence[Section]:
        """The sections as models."""
        return self.compiled.sections

    @property
    def typed_page(self) -> PageSettings:
        """The page settings as a model."""
        return self.compiled.page

    @property
    def typed_variables(self) -> list[Variable]:
        """Declared and inferred variables."""
        return self.compiled.variables


def _stored_sections(sections: Any) -> Iterator[Mapping[str, Any]]:
    """Yield stored sections and those inside them, whatever shape they are in."""
    pending = [sections]
    while pending:
        node = pending.pop()
        if isinstance(node, (list, tuple)):
            pending.extend(reversed(node))
        elif isinstance(node, dict):
            if "type" in node:
                yield node
            if (inside := node.get("sections")) is not None:
                pending.append(inside)
            if node.get("type") == "columns" and (inside := node.get("columns")) is not None:
                pending.append(inside)
