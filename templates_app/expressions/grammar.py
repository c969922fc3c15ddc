r"""The expression grammar: text with `{{...}}` to parts. Pure.

    text        = { literal | "\{{" literal | "{{" expression "}}" }
    expression  = path [ "|" helper [ ":" argument ] [ "@" place { "," place } ] ]
    place       = locale | time zone
    path        = name { "." name }          name: up to 100 letters, digits, "_" and "-"
    argument    = characters without white space, braces and "|"

No white space anywhere inside the braces (specification section 2). `\{{` prints `{{`.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import lru_cache
from typing import Any, Final

from config.value import dataclass
from templates_app.expressions.helpers import HELPERS, HelperArgumentError, split_call

# A name is as long as a declared variable's may be: inferred ones must survive being sent back.
# So many steps nest variables deep enough for anybody, and never deeper than JSON bodies may.
_PATH = re.compile(r"[\w-]{1,100}(?:\.[\w-]{1,100}){0,19}")
NO_PATH: Final = "must be a name or a dotted path such as customer.name, without braces"
_MAX_QUOTED = 2000
# Characters of a text whose parts are kept: callers may send any number of longer ones.
MAX_KEPT: Final = 2000
_MAX_UNCLOSED = 120


class InvalidExpression(ValueError):
    """A `{{...}}` that is not an expression: `expression` as the author wrote it, and why."""

    def __init__(self, expression: str, reason: str) -> None:
        super().__init__(f'"{expression}" is not a valid expression: {reason}')
        self.expression = expression
        self.reason = reason


@dataclass(frozen=True, slots=True)
class Expression:
    """A parsed `{{path|helper:argument}}`; `source` is its exact text."""

    source: str
    path: tuple[str, ...]
    helper: str | None = None
    argument: str | None = None


Part = str | Expression


def parse(text: str) -> tuple[Part, ...]:
    """Split `text` into literals and expressions; raises InvalidExpression for the first broken one."""
    return _parsed(text) if len(text) <= MAX_KEPT else _parse(text)


@lru_cache(maxsize=4096)
def _parsed(text: str) -> tuple[Part, ...]:
    return _parse(text)


def _parse(text: str) -> tuple[Part, ...]:
    parts: list[Part] = []
    for before, source in _pieces(text):
        if before:
            parts.append(before)
        if source:
            parts.append(_expression(source))
    return tuple(parts)


def broken(text: str) -> Iterator[InvalidExpression]:
    """Yield every broken expression of `text`, as `parse` would raise it, in the order of the text."""
    for _, source in _pieces(text):
        try:
            if source:
                _expression(source)
        except InvalidExpression as error:
            yield error


def _pieces(text: str) -> Iterator[tuple[str, str]]:
    """Yield each `{{...}}` as it is written, after the literal text before it; either may be empty."""
    literal: list[str] = []
    position = 0
    while (start := text.find("{{", position)) >= 0:
        if start > 0 and text[start - 1] == "\\" and start - 1 >= position:
            literal.append(text[position : start - 1] + "{{")
            position = start + 2
            continue
        literal.append(text[position:start])
        end = text.find("}}", start + 2)
        if end < 0:
            end = len(text)
        while text.startswith("{{{", start) and text.startswith("}", end + 2):
            end += 1  # the author closes as many braces as were opened
        yield "".join(literal), text[start : end + 2]
        literal = []
        position = end + 2
    literal.append(text[position:])
    yield "".join(literal), ""


def parse_path(text: str) -> tuple[str, ...]:
    """Split a dotted path; raises ValueError when it is none."""
    if not _PATH.fullmatch(text):
        raise ValueError(f"{NO_PATH}: at most 20 names of at most 100 characters")
    return tuple(text.split("."))


def texts(value: Any) -> Iterator[str]:
    """Yield every string of a JSON value, its keys too, in document order. Bodies may be nested deeply."""
    pending = [value]
    while pending:
        node = pending.pop()
        if isinstance(node, str):
            yield node
        elif isinstance(node, dict):
            for key, child in reversed(node.items()):
                pending += (child, key)
        elif isinstance(node, list):
            pending.extend(reversed(node))


def first_invalid(value: Any) -> InvalidExpression | None:
    """Return the first broken expression in any string of a JSON value, in document order."""
    for text in texts(value):
        if "{{" in text:
            try:
                parse(text)
            except InvalidExpression as error:
                return error
    return None


def _expression(source: str) -> Expression:
    if not source.endswith("}}"):
        raise InvalidExpression(shortened(source, _MAX_UNCLOSED), 'it is not closed with "}}"')
    inner = source[2:-2]
    if not inner:
        raise InvalidExpression(source, "it names no variable")
    if any(character.isspace() for character in inner):
        raise InvalidExpression(shortened(source), _why_no_spaces(inner))
    path, bar, call = inner.partition("|")
    if not _PATH.fullmatch(path):
        raise InvalidExpression(
            shortened(source),
            "names have only letters, digits, _ and -, at most 100 each, with dots between at most 20 names",
        )
    if not bar:
        return Expression(source, tuple(path.split(".")))
    if "{" in call or "|" in call:
        raise InvalidExpression(shortened(source), "an expression takes one helper")
    helper, argument = split_call(call)
    if helper not in HELPERS:
        raise InvalidExpression(
            shortened(source), f'unknown helper "{shortened(helper)}"; known are {", ".join(sorted(HELPERS))}'
        )
    try:
        HELPERS[helper].check_argument(argument)
    except HelperArgumentError as error:
        raise InvalidExpression(shortened(source), str(error)) from None
    return Expression(source, tuple(path.split(".")), helper, argument)


def _why_no_spaces(inner: str) -> str:
    """Return what to write in place of an expression with white space, which may be in the argument alone."""
    path, _, call = inner.partition("|")
    helper, argument = split_call(call)
    if helper not in HELPERS or argument is None or not _PATH.fullmatch(path):
        return "write one name without spaces, such as {{invoice_number}}, or \\{{ for literal braces"
    try:
        HELPERS[helper].check_argument(argument)
    except HelperArgumentError:
        return f"the argument of a helper has no spaces, as in {{{{{path}|{HELPERS[helper].call}}}}}"
    declared = f'declare "{path}" with the format "{call}"'
    return f"an argument has spaces in a format only: write two expressions, or {declared}"


def shortened(text: str, limit: int = _MAX_QUOTED) -> str:
    """Quote the exact text; only what nobody would read to its end is cut."""
    return text if len(text) <= limit else text[: limit - 1] + "…"
