"""Where content is wrong: every broken expression with the exact path of its field. Pure."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from itertools import islice
from typing import Any, Final

from config.api.errors import ApiError, field_path
from templates_app.compiled import PAGE_PLACES
from templates_app.expressions.grammar import InvalidExpression, broken

MOST_PROBLEMS: Final = 200
# Of one text: a page of code that was pasted there must not hide what is wrong elsewhere.
MOST_OF_A_TEXT: Final = 20


def problems_of(refusal: ApiError, body: Mapping[str, Any]) -> list[dict[str, str]]:
    """Return what a refusal of `body` is about, as `{field, message}` for the editor's fields.

    A refusal that names no field is about expressions (all of them are listed, each with its `expression` as
    it stands in the text; the refusal has the first), or about the whole: its field is empty then.
    """
    if refusal.errors:
        return [{"field": field, "message": text} for field, text in refusal.errors.items()]
    found = [
        {"field": path, "message": str(error), "expression": error.expression}
        for path, error in islice(broken_expressions(body), MOST_PROBLEMS)
    ]
    return found or [{"field": "", "message": refusal.message}]


def broken_expressions(body: Mapping[str, Any]) -> Iterator[tuple[str, InvalidExpression]]:
    """Yield the broken expressions of sections and page with the path of their text, in document order."""
    sections = body.get("sections")
    for index, section in enumerate(sections if isinstance(sections, list) else ()):
        yield from _broken(section, ("sections", index))
    page = body.get("page")
    for place in PAGE_PLACES:
        if isinstance(page, dict):
            yield from _broken(page.get(place), ("page", place))


def _broken(value: Any, place: tuple[int | str, ...]) -> Iterator[tuple[str, InvalidExpression]]:
    """Look through a JSON value without recursion: bodies may be nested deeply."""
    pending = [(value, place)]
    while pending:
        node, path = pending.pop()
        if isinstance(node, str):
            told = {error.expression: error for error in islice(broken(node), MOST_OF_A_TEXT)}
            yield from ((field_path(path), error) for error in told.values())
        elif isinstance(node, dict):
            pending.extend((child, (*path, key)) for key, child in reversed(node.items()))
        elif isinstance(node, list):
            pending.extend((node[index], (*path, index)) for index in reversed(range(len(node))))
