"""List with bullets or numbers."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Annotated, Any, ClassVar, Literal, Self

from config.api.models import Discriminator, Field, StrictModel, Tag, WholeNumber, model_validator
from templates_app.expressions.grammar import parse_path
from templates_app.kinds.base import Name, Path, Text, Written
from templates_app.kinds.uses import entry_uses, text_uses
from templates_app.paths import ELEMENT
from templates_app.resolved import ResolvedItem, ResolvedList
from templates_app.scope import Scope
from templates_app.variables import ITEM, Use

MAX_LEVELS = 6


def _form(value: Any) -> str:
    return "<text>" if isinstance(value, str) else "<item>"


class ListItem(StrictModel):
    """An item with items below it."""

    content: Text = Field(description="Text of the item.")
    items: Annotated[list[Entry], Field(max_length=1000)] = Field(default=[], description="Items below it.")


# Tags in angle brackets are left out of error paths.
Entry = Annotated[Annotated[Text, Tag("<text>")] | Annotated[ListItem, Tag("<item>")], Discriminator(_form)]


class ListSection(Written):
    """Fixed items, or one item per entry of a list; `{{item}}` is the entry."""

    kind_label: ClassVar[str] = "List"
    type: Literal["list"]
    items: Annotated[list[Entry], Field(min_length=1, max_length=1000)] | None = Field(
        default=None,
        description="Fixed items: texts, or `{content, items}` with items below; give these or `source`.",
        examples=[["Free of charge", {"content": "{{note}}", "items": ["in detail"]}]],
    )
    source: Path | None = Field(default=None, description="The variable that holds the entries.")
    content: Text = Field(
        default="{{item}}",
        description="Text of one entry of `source`.",
        examples=["{{item.name}}: {{item.hours}} h"],
    )
    children_key: Name | None = Field(
        default=None, description="Field of an entry that holds the entries below it.", examples=["parts"]
    )
    ordered: bool = Field(default=False, description="Numbers in place of bullets.")
    style: Literal["decimal", "alpha", "roman", "outline"] = Field(
        default="decimal",
        description="How the outermost level counts; `outline` counts all levels as clauses: 1., 1.1, 1.1.1.",
    )
    start: WholeNumber = Field(default=1, ge=1, le=100_000, description="The first number.")
    size: float | None = Field(
        default=None, ge=4, le=40, description="Font size in points; without one, the theme's."
    )

    @model_validator(mode="after")
    def _one_origin(self) -> Self:
        if (self.items is None) == (self.source is None):
            raise ValueError("give either items or source")
        if _levels(self.items or ()) > MAX_LEVELS:
            raise ValueError(f"items must not nest deeper than {MAX_LEVELS} levels")
        return self

    def uses(self) -> Iterator[Use]:
        """Yield what the items, or the entries of the list, read."""
        if self.source is None:
            yield from text_uses(*_texts(self.items or ()))
            return
        source = parse_path(self.source)
        yield Use(source, "list")
        yield from entry_uses(ITEM, source, text_uses(self.content))
        if self.children_key is not None:
            below = (*source, ELEMENT, self.children_key)
            yield Use(below, "list")
            yield from entry_uses(ITEM, below, text_uses(self.content))

    def resolve(self, scope: Scope) -> ResolvedList:
        """Fill the items."""
        if self.source is None:
            items = [_fixed(item, scope) for item in self.items or ()]
        else:
            items = [self._entry(entry, 1) for entry in scope.entries(ITEM, self.source)]
        return ResolvedList(items, self.ordered, self.style, self.start, self.size)

    def _entry(self, scope: Scope, level: int) -> ResolvedItem:
        """Fill one entry and those below it; deeper ones than MAX_LEVELS are left out."""
        below: Sequence[ResolvedItem] = ()
        if self.children_key is not None and level < MAX_LEVELS and isinstance(scope.value((ITEM,)), dict):
            entries = scope.entries(ITEM, f"{ITEM}.{self.children_key}")
            below = [self._entry(entry, level + 1) for entry in entries]
        return ResolvedItem(scope.rich(self.content), below)


def _levels(items: Sequence[str | ListItem]) -> int:
    return 1 + max((_levels(item.items) for item in items if isinstance(item, ListItem)), default=0)


def _texts(items: Sequence[str | ListItem]) -> Iterator[str]:
    for item in items:
        if isinstance(item, str):
            yield item
        else:
            yield item.content
            yield from _texts(item.items)


def _fixed(item: str | ListItem, scope: Scope) -> ResolvedItem:
    if isinstance(item, str):
        return ResolvedItem(scope.rich(item))
    return ResolvedItem(scope.rich(item.content), [_fixed(child, scope) for child in item.items])
