"""Formulas of computed columns and variables: `qty * price`, `sum(items.total)`, `if(a > 0, a, 0)`. Pure.

The grammar is in `formula_grammar.py`, what operators do with single values in `scalars.py`. In short:
decimals are exact, a division has 28 digits, rounding is half up. What cannot be calculated is nothing: a
division by zero, a product with an empty factor, arithmetic with a text. In sums and differences an empty
operand counts as 0.

A column is calculated as a whole, one operator after the other: as whole numbers with a scale where every
cell fits (`exact.py`), else value by value.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from decimal import Decimal
from functools import lru_cache, partial
from itertools import zip_longest
from operator import is_
from typing import TYPE_CHECKING, Any, cast

from templates_app.expressions import exact, scalars
from templates_app.expressions.exact import Fixed, constant, fixed
from templates_app.expressions.formula_excel import excel_formula
from templates_app.expressions.formula_grammar import (
    MAX_LENGTH,
    Aggregate,
    Call,
    Chain,
    InvalidFormula,
    Literal,
    Name,
    Node,
    Unary,
    names_in,
    parse_tree,
)
from templates_app.expressions.scalars import aggregate
from templates_app.paths import ELEMENT, Path

if TYPE_CHECKING:
    from templates_app.resolved import Cell

__all__ = ["Formula", "InvalidFormula", "aggregate", "parse_formula"]

# A column while it is calculated.
Column = Fixed | Sequence[Any]
Read = Callable[[Path], Any]
MAX_JOINED = 200_000_000  # characters of one column that `&` makes


def _no_hurry() -> None:
    """Let a formula take its time."""


class Formula:
    """A parsed formula.

    `names` are the paths that `value` reads, each once, in the order of the text: `("customer", "rate")`, and
    with `"[]"` where an aggregate goes through a list: `sum(items.total)` reads `("items", "[]", "total")`,
    `sum(prices)` reads `("prices", "[]")`.

    `row_names` are the paths that `column` reads, relative to a row: `qty * price` reads `("qty",)` and
    `("price",)`; `total / sum(total)` reads `("total",)` only, because an aggregate of an undotted name goes
    over the column of the whole table; `sum(parts.price)` reads `("parts", "[]", "price")`, the list inside
    each row.
    """

    __slots__ = ("_tree", "names", "row_names", "source")

    def __init__(self, source: str, tree: Node) -> None:
        self.source = source
        self._tree = tree
        found = list(names_in(tree))
        self.names: Sequence[Path] = tuple(dict.fromkeys(name.path for name in found))
        self.row_names: Sequence[Path] = tuple(dict.fromkeys(map(_row_path, found)))

    def __repr__(self) -> str:
        return f"Formula({self.source!r})"

    def column(
        self,
        read: Callable[[Path], Sequence[Any]],
        count: int,
        check_time: Callable[[], None] = _no_hurry,
    ) -> list[Cell]:
        """Return the cells of a computed column of `count` rows.

        `read(path)` gets each of `row_names` once and returns `count` values: cells, or lists of cells where
        the path holds `"[]"`. Never raises for data: what cannot be calculated is None. Numbers come as ints,
        as floats where these show the exact decimal, else as Decimals. `check_time` is called for every
        operator and every list that is aggregated in a row, and may raise.
        """
        if not count:
            return []
        columns = {path: read(path) for path in self.row_names}
        found = _Rows(columns, count, check_time).evaluate(self._tree)
        return found.cells() if isinstance(found, Fixed) else list(map(scalars.result, found))

    def value(self, read: Callable[[Path], Any]) -> Cell:
        """Return the value of a computed variable.

        `read(path)` gets each of `names` once and returns the value at the path, or a list of values where
        the path holds `"[]"`. Never raises for data: what cannot be calculated is None.
        """
        columns = {path: [read(path)] for path in self.names}
        found = _Rows(columns, 1, _no_hurry, whole=False).evaluate(self._tree)
        return cast("Cell", scalars.result(_values(found)[0]))

    def excel(
        self, cell: Callable[[Path], str | None], gaps: Callable[[Path], bool] = lambda path: False
    ) -> str | None:
        """Return the live formula of one row without its `=`, such as `B2*C2`; None when there is none.

        `cell(path)` returns the reference of a row's cell (`B2`), and the range of the whole column
        (`$B$2:$B$90`) for a path that ends in `"[]"`; None for what is not on the sheet. Write it only into
        cells whose value is not None: a spreadsheet takes an empty factor for zero. `gaps(path)` tells
        whether a column has empty cells, which comparisons must pass over.
        """
        return excel_formula(self._tree, cell, gaps)


def parse_formula(text: str) -> Formula:
    """Return the formula; raises InvalidFormula. Cached."""
    if len(text) > MAX_LENGTH:
        parse_tree(text)
    return _parsed(text)


@lru_cache(maxsize=1024)
def _parsed(text: str) -> Formula:
    return Formula(text, parse_tree(text))


def _row_path(name: Name) -> Path:
    return name.path[:-1] if name.whole else name.path


def _values(column: Column) -> Sequence[Any]:
    """Return the values of a column one by one, numbers as Decimals."""
    return column.decimals() if isinstance(column, Fixed) else column


class _Rows:
    """Evaluates a tree for `count` rows at once.

    `whole`: an aggregate of an undotted name goes over the column, not over a list in each row.
    """

    def __init__(
        self,
        columns: Mapping[Path, Sequence[Any]],
        count: int,
        check_time: Callable[[], None],
        *,
        whole: bool = True,
    ) -> None:
        self._columns = columns
        self._count = count
        self._check_time = check_time
        self._whole = whole
        self._fixed: dict[Path, Column] = {}

    def evaluate(self, node: Node) -> Column:
        """Return the column of a tree."""
        match node:
            case Literal():
                return _constant(node.value, self._count)
            case Name():
                return self._named(_row_path(node) if self._whole else node.path)
            case Unary():
                operand = self.evaluate(node.operand)
                return _negated(operand) if node.operator == "-" else [not held for held in _truths(operand)]
            case Chain():
                column = self.evaluate(node.first)
                for operator, right in node.rest:
                    self._check_time()
                    column = self._joined(operator, column, right)
                return column
            case Aggregate():
                return self._aggregated(node)
        return _called(node, [self.evaluate(argument) for argument in node.arguments])

    def _named(self, path: Path) -> Column:
        if path not in self._fixed:
            cells = self._columns[path]
            # Zip and list comparison want lists; readers may give tuples.
            cells = cells if isinstance(cells, list) else list(cells)
            self._fixed[path] = fixed(cells) or scalars.cleaned(cells)
        return self._fixed[path]

    def _joined(self, operator: str, left: Column, operand: Node) -> Column:
        if operator == "/" and isinstance(left, Fixed) and isinstance(operand, Literal):
            number = operand.value
            if not isinstance(number, (str, bool)) and (found := exact.divided(left, number)):
                return found
        return _combined(operator, left, self.evaluate(operand))

    def _aggregated(self, node: Aggregate) -> Column:
        names = list(names_in(node.argument))
        lists = list(dict.fromkeys(name.path for name in names if ELEMENT in name.path))
        if self._whole and any(name.whole for name in names):
            # Over the whole column, the same for every row.
            return _constant(_aggregate_column(node.function, self.evaluate(node.argument)), self._count)
        singles = [name.path for name in names if ELEMENT not in name.path]
        columns = [self._columns[path] for path in (*lists, *singles)]
        found_rows: list[Any] = []
        before: Sequence[Any] = ()
        for given in zip(*columns, strict=True):
            # A list around the rows is the same for all of them: it is aggregated once.
            if before and all(map(is_, given, before)):
                found_rows.append(found_rows[-1])
                continue
            before = given
            found_rows.append(self._aggregated_once(node, lists, singles, given))
        return scalars.cleaned(found_rows)

    def _aggregated_once(
        self, node: Aggregate, lists: Sequence[Path], singles: Sequence[Path], given: Sequence[Any]
    ) -> Any:
        """Return the aggregate of one row; `given` are its lists, then the single values beside them."""
        self._check_time()
        entries = list(map(_list, given[: len(lists)]))
        count = max(map(len, entries))
        if not count:
            return aggregate(node.function, [])
        inner: dict[Path, Sequence[Any]] = {
            path: [value] * count for path, value in zip(singles, given[len(lists) :], strict=True)
        }
        inner.update(zip(lists, zip(*zip_longest(*entries), strict=True), strict=False))
        found = _Rows(inner, count, self._check_time, whole=False).evaluate(node.argument)
        return _aggregate_column(node.function, found)


def _aggregate_column(function: str, column: Column) -> Any:
    return aggregate(function, column.cells() if isinstance(column, Fixed) else column)


def _constant(value: Any, count: int) -> Column:
    return constant(value, count) or scalars.cleaned([value]) * count


def _list(value: Any) -> Sequence[Any]:
    return value if isinstance(value, (list, tuple)) else ()


# ---------------------------------------------------------------- columns

_FIXED: dict[str, Callable[[Fixed, Fixed], Fixed | None]] = {
    "+": exact.plus,
    "-": exact.minus,
    "*": exact.times,
}
_SINGLE: dict[str, Callable[[Any, Any], Any]] = {
    "+": scalars.plus,
    "-": scalars.minus,
    "*": scalars.times,
    "/": scalars.divide,
}
_COMPARED: dict[str, Callable[[Sequence[int], Sequence[int]], list[bool]]] = {
    "=": lambda left, right: [a == b for a, b in zip(left, right, strict=True)],
    "!=": lambda left, right: [a != b for a, b in zip(left, right, strict=True)],
    "<": lambda left, right: [a < b for a, b in zip(left, right, strict=True)],
    "<=": lambda left, right: [a <= b for a, b in zip(left, right, strict=True)],
    ">": lambda left, right: [a > b for a, b in zip(left, right, strict=True)],
    ">=": lambda left, right: [a >= b for a, b in zip(left, right, strict=True)],
}


def _combined(operator: str, left: Column, right: Column) -> Column:
    if operator in {"and", "or"}:
        combine = all if operator == "and" else any
        return list(map(combine, zip(_truths(left), _truths(right), strict=True)))
    if isinstance(left, Fixed) and isinstance(right, Fixed):
        if operator in _FIXED and (found := _FIXED[operator](left, right)) is not None:
            return found
        if operator in _COMPARED and (pair := exact.aligned(left, right)) is not None:
            return _COMPARED[operator](pair[0].ints, pair[1].ints)
        if operator == "/":
            return exact.quotients(left, right)
    if operator == "&":
        return _joined(_values(left), _values(right))
    single = _SINGLE.get(operator) or scalars.comparison(operator)
    return list(map(single, _values(left), _values(right)))


def _joined(left: Sequence[Any], right: Sequence[Any]) -> list[str | None]:
    """Join two columns as texts; from MAX_JOINED characters on there is nothing."""
    room = MAX_JOINED
    texts: list[str | None] = []
    for first, second in zip(left, right, strict=True):
        text = scalars.joined(first, second) if room > 0 else None
        room -= len(text or "")
        texts.append(text)
    return texts


def _truths(column: Column) -> list[bool]:
    if isinstance(column, Fixed):
        return list(map(bool, column.ints))
    return list(map(scalars.truth, column))


def _negated(column: Column) -> Column:
    return exact.negative(column) if isinstance(column, Fixed) else list(map(scalars.negative, column))


def _called(node: Call, columns: list[Column]) -> Column:
    if node.function == "if":
        return _chosen(*columns)
    if node.function == "round":
        return _rounded(node, columns)
    if node.function in _ONE:
        quick, single = _ONE[node.function]
        column = columns[0]
        return quick(column) if isinstance(column, Fixed) else list(map(single, column))
    return _aggregated_rows(node.function, columns)


def _aggregated_rows(function: str, columns: list[Column]) -> Column:
    """Return `max(a, b)` and the like for every row."""
    whole = [column for column in columns if isinstance(column, Fixed)]
    choose = {"min": min, "max": max}.get(function)
    if choose and len(whole) == len(columns) and (found := exact.extreme(whole, choose)) is not None:
        return found
    single = partial(scalars.row_aggregate, function)
    return scalars.cleaned(map(single, *map(_values, columns)))


_ONE: dict[str, tuple[Callable[[Fixed], Fixed], Callable[[Any], Any]]] = {
    "abs": (exact.absolute, scalars.absolute),
    "floor": (exact.floored, scalars.floored),
    "ceil": (exact.ceiled, scalars.ceiled),
}


def _rounded(node: Call, columns: list[Column]) -> Column:
    digits = node.arguments[1] if len(node.arguments) > 1 else Literal(0)
    column = columns[0]
    if isinstance(digits, Literal) and type(digits.value) is int and digits.value <= scalars.MAX_DIGITS:
        if isinstance(column, Fixed):
            return exact.rounded(column, digits.value)
        step = Decimal(1).scaleb(-digits.value)
        return [scalars.to_step(value, step) for value in column]
    return list(map(scalars.rounded, _values(column), _values(columns[1])))


def _chosen(condition: Column, then: Column, otherwise: Column | None = None) -> Column:
    held = _truths(condition)
    if isinstance(then, Fixed) and isinstance(otherwise, Fixed) and (pair := exact.aligned(then, otherwise)):
        first, second = pair
        ints = [a if each else b for each, a, b in zip(held, first.ints, second.ints, strict=True)]
        return Fixed(ints, first.scale, max(first.bound, second.bound))
    others = [None] * len(held) if otherwise is None else _values(otherwise)
    return [a if each else b for each, a, b in zip(held, _values(then), others, strict=True)]
