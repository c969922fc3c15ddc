r"""The grammar of formulas: text to a tree. Pure.

    formula    = or
    or         = and { "or" and }
    and        = not { "and" not }
    not        = { "not" } comparison
    comparison = joined [ ( "=" | "!=" | "<>" | "<" | "<=" | ">" | ">=" ) joined ]
    joined     = sum { "&" sum }
    sum        = product { ( "+" | "-" ) product }
    product    = sign { ( "*" | "/" ) sign }
    sign       = { "-" } value
    value      = number | text | "true" | "false" | path | "(" formula ")"
               | function "(" formula { "," formula } ")"
    path       = name { "." name } with "[]" after the name of a list, where an aggregate needs to be told
    name       = letters, digits and "_", not beginning with a digit; "[unit-price]" for any other name
    text       = "double" or 'single' quotes, doubled to mean themselves

White space is free. Functions and the words and, or, not, true, false may be written in capitals.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import field, replace
from decimal import Decimal

from config.patterns import late
from config.value import dataclass
from templates_app.expressions.grammar import parse_path, shortened
from templates_app.paths import ELEMENT, Path

MAX_LENGTH = 1000
MAX_DEPTH = 50
AGGREGATES = ("sum", "average", "count", "min", "max")
# Name and the least and most arguments of the other functions.
FUNCTIONS = {"if": (2, 3), "round": (1, 2), "abs": (1, 1), "floor": (1, 1), "ceil": (1, 1)}
_ALIASES = {"<>": "!=", "==": "="}
# Operators from weak to strong, those of one level left to right; `not` and the sign stand before a value.
_LEVELS: tuple[tuple[str, ...], ...] = (
    ("or",),
    ("and",),
    (),
    ("=", "!=", "<", "<=", ">", ">="),
    ("&",),
    ("+", "-"),
    ("*", "/"),
    (),
)
_LEVEL = {operator: level for level, operators in enumerate(_LEVELS) for operator in operators}
_NOT, _COMPARISON, _SIGN = 2, 3, 7


class InvalidFormula(ValueError):
    """A text that is no formula; the message quotes the place and says what is wrong there."""

    def __init__(self, text: str, position: int, reason: str) -> None:
        place = (
            f'at character {position + 1} ("{shortened(text[position:], 30)}")'
            if text[position:]
            else "at its end"
        )
        super().__init__(f'"{shortened(text, 200)}" is not a valid formula: {place}: {reason}')
        self.position = position
        self.reason = reason


# ---------------------------------------------------------------- the tree


@dataclass(frozen=True, slots=True)
class Literal:
    """A number, a text, true or false."""

    value: int | Decimal | str | bool


@dataclass(frozen=True, slots=True)
class Name:
    """A path; a `whole` one stands undotted in an aggregate: a list, or the column of the whole table."""

    path: Path
    whole: bool = False
    position: int = field(default=0, compare=False)


@dataclass(frozen=True, slots=True)
class Unary:
    """`-` or `not`."""

    operator: str
    operand: Node


@dataclass(frozen=True, slots=True)
class Chain:
    """Operators of one level, left to right: as flat as the author wrote it."""

    first: Node
    rest: tuple[tuple[str, Node], ...]


@dataclass(frozen=True, slots=True)
class Call:
    """A function of single values; `sum(a, b)` too."""

    function: str
    arguments: tuple[Node, ...]


@dataclass(frozen=True, slots=True)
class Aggregate:
    """A function over a list; the names in `argument` that go through it hold "[]" or are `whole`."""

    function: str
    argument: Node


Node = Literal | Name | Unary | Chain | Call | Aggregate


def children(node: Node) -> Sequence[Node]:
    """Return the nodes right below one."""
    match node:
        case Unary():
            return (node.operand,)
        case Chain():
            return (node.first, *(operand for _, operand in node.rest))
        case Call():
            return node.arguments
        case Aggregate():
            return (node.argument,)
    return ()


def names_in(node: Node) -> Iterator[Name]:
    """Yield the names of a tree in the order of the text."""
    if isinstance(node, Name):
        yield node
    for child in children(node):
        yield from names_in(child)


# ---------------------------------------------------------------- tokens

_NAME = r"(?:[^\W\d]\w*|\[[\w.-]+\])"
_TOKEN = late(
    rf"""\s*(?:
        (?P<number>[0-9]+(?:\.[0-9]+)?|\.[0-9]+)(?![\w.])
      | (?P<text>"(?:[^"]|"")*"|'(?:[^']|'')*')
      | (?P<path>{_NAME}(?:\[\])?(?:\.(?:\w+|\[[\w.-]+\])(?:\[\])?)*)
      | (?P<operator><=|>=|<>|!=|==|[-+*/&=<>(),])
    )""",
    re.VERBOSE,
)
_SEGMENT = late(r"\[\]|[\w-]+")


@dataclass(frozen=True, slots=True)
class _Token:
    kind: str
    text: str
    position: int


def _tokens(text: str) -> list[_Token]:
    found: list[_Token] = []
    position = 0
    end = len(text.rstrip())
    while position < end:
        match = _TOKEN.match(text, position)
        if match is None:
            start = position + len(text[position:]) - len(text[position:].lstrip())
            raise InvalidFormula(text, start, _unreadable(text[start]))
        kind = match.lastgroup or ""
        found.append(_Token(kind, match[kind], match.start(kind)))
        position = match.end()
    return [*found, _Token("end", "", end)]


def _unreadable(character: str) -> str:
    if character in "\"'":
        return "the text is not closed"
    if character == "[":
        return "a quoted name is written [unit-price]"
    if character.isdigit():
        return "a number is written 1234.5; a name that begins with a digit is written [2nd]"
    if character in "^%":
        return f'"{character}" is no operator here'
    return "this character has no meaning in a formula"


# ---------------------------------------------------------------- parser


def parse_tree(text: str) -> Node:
    """Return the tree of a formula; raises InvalidFormula."""
    if len(text) > MAX_LENGTH:
        raise InvalidFormula(text, MAX_LENGTH, f"a formula has at most {MAX_LENGTH} characters")
    parser = _Parser(text)
    node = parser.formula()
    if parser.token.kind != "end":
        raise parser.error('expected an operator, such as "+"')
    for name in _outside(node):
        if ELEMENT in name.path:
            raise InvalidFormula(
                text, name.position, 'a list is read by an aggregate, such as "sum(items.total)"'
            )
    return node


def _outside(node: Node) -> Iterator[Name]:
    """Yield the names that no aggregate reads through its list."""
    if isinstance(node, Name):
        yield node
    if not isinstance(node, Aggregate):
        for child in children(node):
            yield from _outside(child)


class _Parser:
    def __init__(self, text: str) -> None:
        self._text = text
        self._tokens = _tokens(text)
        self._at = 0
        self._depth = 0

    @property
    def token(self) -> _Token:
        return self._tokens[self._at]

    def error(self, reason: str, token: _Token | None = None) -> InvalidFormula:
        return InvalidFormula(self._text, (token or self.token).position, reason)

    def formula(self, level: int = 0) -> Node:
        """Read operators of at least `level` with what they join."""
        self._depth += 1
        if self._depth > MAX_DEPTH:
            raise self.error(f"a formula nests at most {MAX_DEPTH} levels")
        node = self._prefixed(level)
        while (operator := self._operator()) and (own := _LEVEL[operator]) >= level:
            rest = []
            while operator in _LEVELS[own]:
                self._at += 1
                rest.append((operator, self.formula(own + 1)))
                operator = self._operator() or ""
                if own == _COMPARISON and operator in _LEVELS[own]:
                    raise self.error('two comparisons are joined with "and"')
            node = Chain(node, tuple(rest))
        self._depth -= 1
        return node

    def _prefixed(self, level: int) -> Node:
        if level <= _NOT and self._take("not"):
            return Unary("not", self.formula(_NOT))
        if self._take("-"):
            return Unary("-", self.formula(_SIGN))
        return self._value()

    def _word(self) -> str:
        """Return the present token as an operator or a word would be written."""
        token = self.token
        text = token.text.lower() if token.kind == "path" else token.text
        return _ALIASES.get(text, text) if token.kind in {"operator", "path"} else ""

    def _operator(self) -> str | None:
        word = self._word()
        return word if word in _LEVEL else None

    def _take(self, word: str) -> bool:
        """Step over an operator or a word, if it stands here."""
        found = self._word() == word
        self._at += found
        return found

    def _value(self) -> Node:
        token = self.token
        self._at += 1
        if token.kind == "number":
            return Literal(Decimal(token.text) if "." in token.text else int(token.text))
        if token.kind == "text":
            quote = token.text[0]
            return Literal(token.text[1:-1].replace(quote * 2, quote))
        if token.kind == "path":
            return self._path(token)
        if token.kind == "operator" and token.text == "(":
            node = self.formula()
            self._close(token)
            return node
        raise self.error("expected a number, a text, a name or (", token)

    def _close(self, opened: _Token) -> None:
        if not self._take(")"):
            raise self.error(f'expected ")" for the "(" at character {opened.position + 1}')

    def _path(self, token: _Token) -> Node:
        if self.token.text == "(" and self.token.kind == "operator":
            return self._call(token)
        if token.text.lower() in {"true", "false"}:
            return Literal(token.text.lower() == "true")
        if token.text.lower() in {"and", "or", "not"}:
            raise self.error(f"expected a value; a field of this name is written [{token.text}]", token)
        path = tuple(_SEGMENT.findall(token.text))
        try:
            parse_path(".".join(step for step in path if step != ELEMENT))
        except ValueError as error:
            raise self.error(str(error), token) from None
        return Name(path, position=token.position)

    def _call(self, token: _Token) -> Node:
        function, opened = token.text.lower(), self.token
        if function not in AGGREGATES and function not in FUNCTIONS:
            known = ", ".join(sorted((*AGGREGATES, *FUNCTIONS)))
            raise self.error(f'unknown function "{token.text}"; known are {known}', token)
        self._at += 1
        arguments = [self.formula()]
        while self._take(","):
            arguments.append(self.formula())
        self._close(opened)
        if function in AGGREGATES:
            return self._aggregate(function, arguments, token)
        least, most = FUNCTIONS[function]
        if not least <= len(arguments) <= most:
            wanted = str(least) if least == most else f"{least} or {most}"
            raise self.error(f'"{function}" takes {wanted} argument{"s" * (wanted != "1")}', token)
        return Call(function, tuple(arguments))

    def _aggregate(self, function: str, arguments: list[Node], token: _Token) -> Node:
        names = [name for argument in arguments for name in _outside(argument)]
        if len(arguments) > 1 or not names:
            return Call(function, tuple(arguments))
        if _has_aggregate(arguments[0]):
            raise self.error(f'"{function}" cannot go over another aggregate of a list', token)
        lists = {_list_of(name.path) for name in names if ELEMENT in name.path}
        marked = bool(lists)
        if not marked:
            lists = {name.path[:-1] for name in names if len(name.path) > 1}
        if len(lists) > 1 or any(name.path.count(ELEMENT) > 1 for name in names):
            example = f"{function}(items[].total * rate.net)"
            raise self.error(f'"{function}" goes over one list; mark it with [], as in "{example}"', token)
        prefix = None if marked or not lists else next(iter(lists))
        return Aggregate(function, _through(arguments[0], prefix, marked))


def _has_aggregate(node: Node) -> bool:
    return isinstance(node, Aggregate) or any(map(_has_aggregate, children(node)))


def _list_of(path: Path) -> Path:
    return path[: path.index(ELEMENT)]


def _through(node: Node, prefix: Path | None, marked: bool) -> Node:
    """Return the argument of an aggregate with "[]" in the names that go through its list."""
    match node:
        case Name() if not marked:
            if prefix is None:
                return replace(node, path=(*node.path, ELEMENT), whole=True)
            return replace(node, path=(*prefix, ELEMENT, node.path[-1])) if len(node.path) > 1 else node
        case Unary():
            return replace(node, operand=_through(node.operand, prefix, marked))
        case Chain():
            rest = tuple((operator, _through(operand, prefix, marked)) for operator, operand in node.rest)
            return Chain(_through(node.first, prefix, marked), rest)
        case Call():
            return Call(node.function, tuple(_through(each, prefix, marked) for each in node.arguments))
    return node
