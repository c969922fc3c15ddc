"""What texts and entries of lists read from the data."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from templates_app.expressions.formulas import parse_formula
from templates_app.expressions.grammar import Expression, parse
from templates_app.paths import ELEMENT
from templates_app.variables import ITEM, Use


def text_uses(*texts: str | None) -> Iterator[Use]:
    """Yield a use for each expression of the texts."""
    for text in texts:
        if text and "{{" in text:
            for part in parse(text):
                if isinstance(part, Expression):
                    yield Use.with_helper(part.path, part.helper)


def image_uses(source: str | None) -> Iterator[Use]:
    """Yield a use for each expression of an image's source."""
    if source and "{{" in source:
        parts = parse(source)
        for part in parts:
            if isinstance(part, Expression):
                yield Use(part.path, "image" if len(parts) == 1 else None)


def entry_uses(name: str, source: tuple[str, ...], uses: Iterable[Use]) -> Iterator[Use]:
    """Yield uses as seen from around a list: `name` in them stands for an entry of the list at `source`."""
    for use in uses:
        path = use.path
        if use.outer is not None and use.outer[0] == name:
            path = use.outer
        if path[0] != name:
            yield use
        elif len(path) > 1:
            yield Use((*source, ELEMENT, *path[1:]), use.type, None if path is use.outer else use.outer)


def row_formula_uses(
    formula: str,
    source: tuple[str, ...],
    names: frozenset[str] = frozenset(),
    computed: frozenset[str] = frozenset(),
) -> Iterator[Use]:
    """Yield what a formula over the rows of the list at `source` reads; see `row_use`.

    Names in `computed` are those of other formulas over the same rows.
    """
    for path in parse_formula(formula).row_names:
        if ".".join(path) not in computed:
            yield from row_use(source, path, "number", names)


def row_use(
    source: tuple[str, ...],
    path: tuple[str, ...],
    type: str | None = None,
    names: frozenset[str] = frozenset(),
) -> Iterator[Use]:
    """Yield the use of a name in a row's formula or condition; those in `names` are fields of the row."""
    if path[0] != ITEM:
        yield Use((*source, ELEMENT, *path), type, None if path[0] in names else path)
    elif len(path) > 1:
        yield Use((*source, ELEMENT, *path[1:]), type)
