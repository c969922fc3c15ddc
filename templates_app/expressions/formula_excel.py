"""Formulas as a spreadsheet writes them, so that a computed column stays live. Pure."""

from __future__ import annotations

from collections.abc import Callable
from decimal import Decimal
from itertools import accumulate

from templates_app.expressions.formula_grammar import (
    Aggregate,
    Call,
    Chain,
    Literal,
    Name,
    Node,
    Unary,
    children,
    names_in,
)
from templates_app.paths import ELEMENT, Path

_MAX_LENGTH = 8192
_MAX_TEXT = 255  # UTF-16 units
_MAX_ARGUMENTS = 255
_MAX_LEVELS = 64  # of functions within functions
# How strong each operator binds in a spreadsheet; 9 is a value.
_STRENGTH = {"=": 1, "!=": 1, "<": 1, "<=": 1, ">": 1, ">=": 1, "&": 2, "+": 3, "-": 3, "*": 4, "/": 4}
_COMPARISONS = frozenset({"=", "!=", "<", "<=", ">", ">="})
_OVER_SEVERAL = frozenset({"sum", "average", "count", "min", "max"})
_SIGN, _VALUE = 5, 9
_FUNCTIONS = {
    "abs": "ABS",
    "floor": "INT",
    "sum": "SUM",
    "average": "AVERAGE",
    "count": "COUNTA",
    "min": "MIN",
    "max": "MAX",
}

Written = tuple[str, int]


class _Impossible(Exception):
    """A part that has no equal in a spreadsheet."""


def excel_formula(
    node: Node, cell: Callable[[Path], str | None], gaps: Callable[[Path], bool] = lambda path: False
) -> str | None:
    """Return the formula of a tree without its `=`; None when a part of it has no equal.

    `gaps(path)` tells whether a row may have no value there: no number is equal to, above or below that,
    while a spreadsheet compares with zero.
    """
    try:
        text = _Writer(cell, gaps).write(node)[0]
    except _Impossible:
        return None
    return text if len(text) < _MAX_LENGTH and _levels(text) <= _MAX_LEVELS else None


def units(text: str) -> int:
    """Return the length of a text as Excel counts: in UTF-16 units, so that an emoji has two."""
    return len(text) if text.isascii() else len(text.encode("utf-16-le", "surrogatepass")) // 2


def _levels(text: str) -> int:
    """Return how many brackets of a formula are open at once, not counting those in its texts."""
    brackets = "".join(text.split('"')[::2])
    return max(accumulate((sign == "(") - (sign == ")") for sign in brackets), default=0)


class _Writer:
    def __init__(self, cell: Callable[[Path], str | None], gaps: Callable[[Path], bool]) -> None:
        self._cell = cell
        self._gaps = gaps

    def write(self, node: Node) -> Written:
        """Return the text of a tree and how strong its last operator binds."""
        match node:
            case Literal():
                return _literal(node.value)
            case Name():
                return self._reference(node.path), _VALUE
            case Unary():
                if node.operator == "not":
                    return f"NOT({self._condition(node.operand)})", _VALUE
                return f"-{self._inside(_number(node.operand), _SIGN)}", _SIGN
            case Chain():
                return self._chain(node)
            case Aggregate():
                return self._aggregate(node), _VALUE
        return self._call(node)

    def _reference(self, path: Path) -> str:
        if ELEMENT in path[:-1] or (found := self._cell(path)) is None:
            raise _Impossible
        return found

    def _inside(self, node: Node, strength: int) -> str:
        text, own = self.write(node)
        return text if own >= strength else f"({text})"

    def _condition(self, node: Node) -> str:
        """Return a part that is surely true or false: a spreadsheet refuses a text as a condition."""
        if not _is_condition(node):
            raise _Impossible
        return self.write(node)[0]

    def _chain(self, node: Chain) -> Written:
        operator, right = node.rest[0]
        if operator in {"and", "or"}:
            parts = [node.first, *(operand for _, operand in node.rest)]
            return f"{operator.upper()}({','.join(map(self._condition, parts))})", _VALUE
        if operator in {"=", "!="} and any(_is_text(side) for side in (node.first, right)):
            # The operator of a spreadsheet takes "a" and "A" for equal.
            same = f"EXACT({self.write(node.first)[0]},{self.write(right)[0]})"
            return (same if operator == "=" else f"NOT({same})"), _VALUE
        if operator in _COMPARISONS:
            return self._comparison(operator, node.first, right)
        if operator in {"+", "-"}:
            return self._summed(node), _STRENGTH[operator]
        strength, checked = _STRENGTH[operator], self._joined if operator == "&" else _number
        text = self._inside(checked(node.first), strength)
        for sign, operand in node.rest:
            text += sign + self._inside(checked(operand), strength + 1)
        return text, strength

    def _joined(self, node: Node) -> Node:
        """Return a part that `&` joins alike: a spreadsheet has other words for true, and 0 for nothing."""
        if _is_condition(node) or (_is_numeric(node) and self._may_be_nothing(node)):
            raise _Impossible
        return node

    def _summed(self, node: Chain) -> str:
        """Return a sum: what cannot be calculated counts as nothing there, and spoils a spreadsheet's."""
        strength = _STRENGTH["+"]
        text = self._term(node.first, strength)
        for sign, operand in node.rest:
            text += sign + self._term(operand, strength + 1)
        return text

    def _term(self, node: Node, strength: int) -> str:
        if _is_open_if(_number(node)):
            # Its text for nothing would spoil the sum, and is no error.
            condition, *branches = children(node)
            parts = [self._condition(condition), *(self._term(branch, 0) for branch in branches), "0"]
            return f"IF({','.join(parts[:3])})"
        return f"IFERROR({self.write(node)[0]},0)" if _may_fail(node) else self._inside(node, strength)

    def _comparison(self, operator: str, left: Node, right: Node) -> Written:
        """Return a comparison, which holds for no side that is empty or cannot be calculated."""
        alike = _is_numeric(left) and _is_numeric(right)
        if not alike and not (operator in {"=", "!="} and _is_condition(left) and _is_condition(right)):
            raise _Impossible  # a spreadsheet puts every text above every number, and true above both
        strength = _STRENGTH[operator]
        fails = _may_fail(left) or _may_fail(right)
        guard = self._guard(left, right)
        if not fails and not guard:
            sign = "<>" if operator == "!=" else operator
            return f"{self._inside(left, strength + 1)}{sign}{self._inside(right, strength + 1)}", strength
        if _has_open_if(left) or _has_open_if(right):
            raise _Impossible
        sign = "=" if operator == "!=" else operator
        text = f"{self._inside(left, strength + 1)}{sign}{self._inside(right, strength + 1)}"
        text = f"AND({guard},{text})" if guard else text
        text = f"IFERROR({text},FALSE)" if fails else text
        return (f"NOT({text})" if operator == "!=" else text), _VALUE

    def _guard(self, *sides: Node) -> str:
        """Return the condition under which the side that may be empty is not; empty without such a one."""
        names = [name for side in sides for name in names_in(side) if not name.whole]
        empty = [name for name in names if self._gaps(name.path)]
        if not empty:
            return ""
        if len(empty) > 1 or not any(side is empty[0] for side in sides):
            raise _Impossible
        return f"ISNUMBER({self._reference(empty[0].path)})"

    def _call(self, node: Call) -> Written:
        if node.function == "if":
            condition, *branches = node.arguments
            parts = [self._condition(condition), *(self.write(branch)[0] for branch in branches)]
            return f"IF({','.join(parts if len(branches) > 1 else [*parts, chr(34) * 2])})", _VALUE
        if node.function in _OVER_SEVERAL and any(map(self._may_be_nothing, node.arguments)):
            raise _Impossible  # they pass over what cannot be calculated, for a spreadsheet an error or zero
        if len(node.arguments) > _MAX_ARGUMENTS:
            raise _Impossible
        if node.function == "ceil":
            return f"-INT(-{self._inside(_number(node.arguments[0]), _SIGN)})", _SIGN
        parts = [self.write(_number(argument))[0] for argument in node.arguments]
        if node.function == "round":
            return f"ROUND({','.join(parts if len(parts) > 1 else [*parts, '0'])})", _VALUE
        return f"{_FUNCTIONS[node.function]}({','.join(parts)})", _VALUE

    def _may_be_nothing(self, node: Node) -> bool:
        """Return whether a part that is no empty cell itself may be nothing."""
        if isinstance(node, Name):
            return False
        return _may_fail(node) or any(self._gaps(name.path) for name in names_in(node) if not name.whole)

    def _aggregate(self, node: Aggregate) -> str:
        if not all(name.whole for name in names_in(node.argument)):
            raise _Impossible
        text = self.write(node.argument)[0]
        if isinstance(node.argument, Name):
            return f"{_FUNCTIONS[node.function]}({text})"
        if node.function != "sum" or not _is_product(node.argument):
            raise _Impossible
        return f"SUMPRODUCT({text})"


def _literal(value: int | Decimal | str | bool) -> Written:
    if isinstance(value, bool):
        return ("TRUE" if value else "FALSE"), _VALUE
    if isinstance(value, str):
        if units(value) > _MAX_TEXT or not value.isprintable():
            raise _Impossible
        return '"' + value.replace('"', '""') + '"', _VALUE
    return (str(value) if isinstance(value, int) else format(value, "f")), _VALUE


def _may_fail(node: Node) -> bool:
    """Return whether a spreadsheet may find an error where a formula of ours finds nothing."""
    match node:
        case Literal():
            return isinstance(node.value, str)
        case Chain():
            operator = node.rest[0][0]
            if operator not in {"*", "/"}:
                return operator == "&"  # the terms of sums, and comparisons, see to it themselves
            if any(sign == "/" and not _is_divisor(operand) for sign, operand in node.rest):
                return True
        case Call():
            if _has_open_if(node):
                return True
            if node.function == "if":
                return any(map(_may_fail, node.arguments[1:]))
        case Aggregate():
            return node.function == "average"
    return any(map(_may_fail, children(node)))


def _number(node: Node) -> Node:
    """Return a part to calculate with: a spreadsheet calculates with true, and with digits in a text."""
    if not _is_numeric(node):
        raise _Impossible
    return node


def _is_numeric(node: Node) -> bool:
    """Return whether a part is a number or nothing; so are the columns that have a letter."""
    match node:
        case Literal():
            return not isinstance(node.value, (str, bool))
        case Unary():
            return node.operator == "-"
        case Chain():
            return node.rest[0][0] in {"+", "-", "*", "/"}
        case Call() if node.function == "if":
            return all(map(_is_numeric, node.arguments[1:]))
    return True


def _is_open_if(node: Node) -> bool:
    """Return whether a part is an `if` that may be the text for nothing."""
    if not isinstance(node, Call) or node.function != "if":
        return False
    return len(node.arguments) < 3 or any(map(_is_open_if, node.arguments[1:]))


def _is_divisor(node: Node) -> bool:
    return isinstance(node, Literal) and not isinstance(node.value, str) and bool(node.value)


def _has_open_if(node: Node) -> bool:
    """Return whether an `if` without an `else` is in a tree: a spreadsheet's is a text then."""
    if isinstance(node, Call) and node.function == "if" and len(node.arguments) < 3:
        return True
    return any(map(_has_open_if, children(node)))


def _is_condition(node: Node) -> bool:
    match node:
        case Literal():
            return isinstance(node.value, bool)
        case Unary():
            return node.operator == "not"
        case Chain():
            return node.rest[0][0] in {"and", "or", "=", "!=", "<", "<=", ">", ">="}
    return False


def _is_text(node: Node) -> bool:
    return isinstance(node, Literal) and isinstance(node.value, str)


def _is_product(node: Node) -> bool:
    """Return whether a tree multiplies and adds ranges and numbers only."""
    match node:
        case Name():
            return True
        case Literal():
            return not isinstance(node.value, (str, bool))
        case Chain():
            operands = [node.first, *(operand for _, operand in node.rest)]
            return node.rest[0][0] in {"*", "+", "-"} and all(map(_is_product, operands))
    return False
