"""Computed variables: in which order their formulas are worked out, and their values in checked data. Pure.

A name in a formula is a field of the same entry, else of the entry around it, else a variable of the
document: the innermost place that declares it. What nobody declares is taken from the same entry.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from graphlib import CycleError, TopologicalSorter
from typing import Any

from config.value import dataclass
from templates_app.checks import column_of
from templates_app.expressions.formulas import Formula, parse_formula
from templates_app.paths import ELEMENT, Path, gather, walk
from templates_app.variables import Use, Variable


@dataclass(frozen=True, slots=True)
class Computation:
    """One computed variable: the place of its value, and for each name the place it is read from.

    `levels[name]` counts the lists of `path` that the name's record lies in: 0 is the document.
    """

    path: Path
    formula: Formula
    levels: Mapping[Path, int]

    def reads(self) -> Iterator[Path]:
        """Yield the full paths that the formula reads."""
        for name, level in self.levels.items():
            yield _prefix(self.path, level) + name


def computations(variables: Sequence[Variable]) -> tuple[Computation, ...]:
    """Return what is to be computed, in an order that works; raises ValueError for a cycle."""
    found = list(_computations(variables, (), [_names(variables)]))
    if not found:
        return ()
    by_path = {computation.path: computation for computation in found}
    order = TopologicalSorter(_dependencies(by_path))
    try:
        return tuple(by_path[path] for path in order.static_order() if path in by_path)
    except CycleError as error:
        circle = [path for path in error.args[1] if path in by_path]
        if circle[0] != circle[-1] or len(circle) == 1:  # it began at a record that holds one of them
            circle.append(circle[0])
        names = " -> ".join(".".join(step for step in path if step != ELEMENT) for path in circle)
        raise ValueError(f"computed variables must not depend on each other in a circle: {names}") from None


def computed_uses(plan: Iterable[Computation]) -> Iterator[Use]:
    """Yield what the formulas read."""
    for computation in plan:
        for path in computation.reads():
            yield Use(path, "number")


def with_computed(
    plan: Sequence[Computation], values: Mapping[str, Any], check_time: Callable[[], None] = lambda: None
) -> dict[str, Any]:
    """Return checked values with the computed ones; what changes is copied, the data stays as it is.

    `check_time` is called for each computed value and for each column that a formula reads.
    """
    if not plan:
        return dict(values)
    result = dict(values)
    copied: set[Path] = set()
    for computation in plan:
        _copy(result, computation.path[:-1], copied)
        _fill(computation, computation.path, [result], result, check_time)
    return result


def _names(variables: Iterable[Variable]) -> frozenset[str]:
    return frozenset(variable.name for variable in variables if not variable.inferred)


def _computations(
    variables: Sequence[Variable], prefix: Path, records: list[frozenset[str]]
) -> Iterator[Computation]:
    """Walk declared variables; `records` has the names declared in the document and in each list around."""
    for variable in variables:
        path = (*prefix, variable.name)
        if variable.value is not None:
            formula = parse_formula(variable.value)
            names = formula.names if len(records) == 1 else formula.row_names
            yield Computation(path, formula, {name: _level(name, records) for name in names})
        elif variable.fields and variable.type == "list":
            inner = [*records, _names(variable.fields)]
            yield from _computations(variable.fields, (*path, ELEMENT), inner)
        elif variable.fields:
            yield from _computations(variable.fields, path, records)


def _level(name: Path, records: Sequence[frozenset[str]]) -> int:
    for level in range(len(records) - 1, -1, -1):
        if name[0] in records[level]:
            return level
    return len(records) - 1


def _prefix(path: Path, level: int) -> Path:
    """Return the part of a path up to its `level`th list."""
    end = 0
    for _ in range(level):
        end = path.index(ELEMENT, end) + 1
    return path[:end]


def _dependencies(by_path: Mapping[Path, Computation]) -> dict[Path, list[Path]]:
    """Return for each path what must be there before it.

    A record stands between what is computed in it and who reads the whole of it: each with each would be the
    square of their number.
    """
    found: dict[Path, list[Path]] = {}
    for path in by_path:
        for end in range(len(path), 1, -1):
            inside = found.setdefault(path[: end - 1], [])
            inside.append(path[:end])
            if len(inside) > 1:
                break  # the records around this one are known
    for path, computation in by_path.items():
        parts = found.setdefault(path, [])
        for read in computation.reads():
            around = (read[:end] for end in range(1, len(read) + 1))
            parts += [place for place in around if place in by_path]
            if read in found and read not in by_path:
                parts.append(read)
    return found


def _copy(document: dict[str, Any], path: Path, copied: set[Path]) -> None:
    """Replace each object and list on `path` by a copy that may be changed, once."""
    for end in range(1, len(path) + 1):
        if path[:end] in copied or path[end - 1] == ELEMENT:
            continue
        copied.add(path[:end])
        for holder in _holders(document, path[: end - 1]):
            value = holder.get(path[end - 1])
            if isinstance(value, dict):
                holder[path[end - 1]] = dict(value)
            elif isinstance(value, list):
                holder[path[end - 1]] = [dict(row) if isinstance(row, dict) else row for row in value]


def _holders(document: dict[str, Any], path: Path) -> list[dict[str, Any]]:
    """Return the records at a path that ends before a name."""
    found: list[Any] = [document]
    for name in path:
        if name == ELEMENT:
            found = [row for value in found if isinstance(value, list) for row in value]
        else:
            found = [value.get(name) for value in found if isinstance(value, dict)]
    return [value for value in found if isinstance(value, dict)]


def _fill(
    computation: Computation,
    path: Path,
    records: list[Any],
    holder: Any,
    check_time: Callable[[], None],
) -> None:
    """Compute below `holder`; `path` is what is left to go, `records` the document and the entries around."""
    check_time()
    if ELEMENT not in path:
        holder = walk(holder, path[:-1])
        if isinstance(holder, dict):
            levels = computation.levels
            holder[path[-1]] = computation.formula.value(lambda name: gather(records[levels[name]], name))
        return
    end = path.index(ELEMENT)
    rows = walk(holder, path[:end])
    if not isinstance(rows, list):
        return
    rows = [row for row in rows if isinstance(row, dict)]
    rest = path[end + 1 :]
    if ELEMENT not in rest:
        _fill_column(computation, rest, records, rows, check_time)
        return
    for row in rows:
        _fill(computation, rest, [*records, row], row, check_time)


def _fill_column(
    computation: Computation,
    target: Path,
    records: list[Any],
    rows: list[Any],
    check_time: Callable[[], None],
) -> None:
    """Compute one field of every row."""

    def read(path: Path) -> list[Any]:
        check_time()
        level = computation.levels[path]
        if level == len(records):
            return column_of(rows, path[0]) if len(path) == 1 else [gather(row, path) for row in rows]
        return [gather(records[level], path)] * len(rows)

    cells = computation.formula.column(read, len(rows), check_time)
    for row, cell in zip(rows, cells, strict=True):
        holder = row if len(target) == 1 else walk(row, target[:-1])
        if isinstance(holder, dict):
            holder[target[-1]] = cell
