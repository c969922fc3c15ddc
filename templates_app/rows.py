"""The rows of a list as formulas, conditions and columns see them: by column. Pure."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from copy import copy
from typing import Any, Final

from config.value import dataclass
from templates_app.cells import typed_cells
from templates_app.checks import Columns
from templates_app.expressions.bulk import texts_of
from templates_app.expressions.formulas import Formula
from templates_app.expressions.grammar import Expression, parse
from templates_app.expressions.helpers import Format
from templates_app.paths import ELEMENT, Path, gather
from templates_app.resolved import Cell, ImageFile, Rich, plain
from templates_app.richtext import marks_of
from templates_app.scope import ResolveError, Scope, Types
from templates_app.variables import ITEM, Variable

PART: Final = 65_536  # rows of a very long table that are worked on together


@dataclass(frozen=True, slots=True)
class RowGroup:
    """Rows `start` to `stop` that share a value of the `level`th key."""

    level: int
    start: int
    stop: int


class Rows:
    """The list at `source`, whose entries must be objects.

    `formulas` are the computed columns by their key, `names` what else formulas surely find in a row.

    Raises ResolveError when it is no list, or for the first entry that is no object.
    """

    def __init__(
        self,
        scope: Scope,
        source: Path,
        formulas: Mapping[str, Formula],
        names: frozenset[str] = frozenset(),
    ) -> None:
        self.scope = scope
        self.source = source
        self.rows: Sequence[Any] = scope.rows(".".join(source))
        self.types: Types = scope.types.entry(ITEM, source)
        self.formulas = formulas
        self._names = names
        self._columns: dict[Path, list[Any]] = {}
        self._kinds: dict[Path, frozenset[type]] = {}
        self._order: list[int] | None = None
        # Those of the check, when the values come from there.
        self._taken = getattr(scope.values, "columns", None) or Columns()
        if not set(map(type, self.rows)) <= {dict}:
            for index, row in enumerate(self.rows):
                if not isinstance(row, dict):
                    raise ResolveError({f"data.{self.place(index)}": "must be an object"})

    @property
    def count(self) -> int:
        """How many there are."""
        return len(self.rows)

    def limit(self, most: int, name: str) -> None:
        """Raise ResolveError when there are more rows than `name` takes."""
        if self.count > most:
            place = self.scope.place(self.source)
            raise ResolveError({f"data.{place}": f"has {self.count} entries: {name} takes at most {most}"})

    def place(self, index: int, path: Path = ()) -> str:
        """Return where a cell stands in the data."""
        index = self._order[index] if self._order is not None else index
        return ".".join((f"{self.scope.place(self.source)}[{index}]", *path))

    def variable(self, path: Path) -> Variable | None:
        """Return the variable of a field of the rows."""
        return self.types.variable((ITEM, *path))

    def field(self, path: Path) -> list[Any]:
        """Return a field of every row as the data has it."""
        found = self._columns.get(path)
        if found is None:
            if len(path) == 1:
                found, self._kinds[path] = self._taken.take(self.rows, path[0])
            else:
                found = [gather(row, path) for row in self.rows]
            self._columns[path] = found
        return found

    def cells(self, path: Path, written: Format) -> list[Cell]:
        """Return a field of every row as typed cells."""
        values = self.field(path)
        return typed_cells(values, written, self._kinds.get(path))

    def read(self, path: Path) -> Sequence[Any]:
        """Return what a name in a row's formula or condition stands for, once per row."""
        self.scope.budget.check_time()
        if path[0] == ITEM and len(path) > 1:
            return self.field(path[1:])
        if ".".join(path) in self.formulas:
            return self.computed(".".join(path))
        if self._is_outer(path[0]):
            return [self.scope.gather(path)] * self.count
        return self.field(path)

    def some(self, part: slice) -> Rows:
        """Return some of the rows, to be worked on for themselves: nothing is kept of them here."""
        rows = copy(self)
        rows.rows = self.rows[part]
        rows._order = None if self._order is None else self._order[part]
        rows._columns, rows._kinds, rows._taken = {}, {}, Columns()
        return rows

    def parts(self) -> Iterator[Rows]:
        """Yield all rows, some at a time."""
        for start in range(0, self.count, PART):
            yield self.some(slice(start, start + PART))

    def is_local(self, formula: Formula) -> bool:
        """Tell whether a row's result depends on that row alone, and not on whole columns."""
        if any(ELEMENT in name for name in formula.names):
            return False
        keys = [".".join(name) for name in formula.names if name[0] != ITEM]
        return all(self.is_local(self.formulas[key]) for key in keys if key in self.formulas)

    def computed(self, key: str) -> list[Any]:
        """Return the cells of a computed column; those of the same table do not depend on each other."""
        found = self._columns.get((ELEMENT, key))
        if found is None:
            found = self._columns[ELEMENT, key] = self.formula(self.formulas[key])
        return found

    def formula(self, formula: Formula) -> list[Any]:
        """Return the cells of a formula over the rows."""
        self.scope.budget.check_time()
        found = formula.column(self.read, self.count, self.scope.budget.check_time)
        if str in set(map(type, found)):
            self.scope.budget.write(sum(len(cell) for cell in found if isinstance(cell, str)))
        return found

    def declares(self, name: str) -> bool:
        """Tell whether the variable of the list declares a field."""
        field = self.variable((name,))
        return field is not None and not field.inferred

    def _is_outer(self, name: str) -> bool:
        """Tell whether only the document, or an entry around, has the name: see `Use.outer`."""
        if name in self._names or self.declares(name):
            return False
        declared = self.scope.variables.get(name)
        return name in self.scope.locals or (declared is not None and not declared.inferred)

    def gather(self, keys: Sequence[Sequence[Any]]) -> list[RowGroup]:
        """Put rows of equal keys together, in order of first appearance; return the groups, outer ones first.

        `keys` are columns, the outermost first.
        """
        order, groups = gathered(keys, self.count)
        self.rows = [self.rows[index] for index in order]
        self._columns = {path: [column[index] for index in order] for path, column in self._columns.items()}
        self._order = order
        self._taken = Columns()
        return groups

    def scope_of(self, index: int) -> Scope:
        """Return the scope of one row."""
        return self.scope.child(ITEM, self.rows[index], self.types, self.place(index))

    def texts(self, template: str) -> list[Rich]:
        """Return a template filled in for each row."""
        if marks_of(template) or "|markdown" in template:
            return [self.scope_of(index).rich(template) for index in range(self.count)]
        columns = [
            self._written(part) if isinstance(part, Expression) else [part] * self.count
            for part in parse(template)
        ]
        return list(map("".join, zip(*columns, strict=True))) if columns else [""] * self.count

    def plain_texts(self, template: str) -> list[str]:
        """Return a template filled in for each row, without marks."""
        return [plain(text) for text in self.texts(template)]

    def _written(self, expression: Expression) -> list[str]:
        if expression.path[0] != ITEM:
            text = self.scope.write(expression)
            self.scope.budget.write(len(text) * self.count)
            return [text] * self.count
        if len(expression.path) == 1:
            return [""] * self.count
        written = self.types.format_for(expression)
        texts = texts_of(written, typed_cells(self.field(expression.path[1:]), written))
        self.scope.budget.write(sum(map(len, texts)))
        return texts

    def images(self, references: Sequence[Any], path: Path) -> list[ImageFile | None]:
        """Return the image that each cell names; raises ResolveError with the place of the first bad one."""
        known: dict[str, ImageFile | None] = {"": None}
        found = []
        for index, value in enumerate(references):
            reference = value.strip() if isinstance(value, str) else ""
            if reference not in known:
                try:
                    known[reference] = self.scope.load(reference)
                except ValueError as error:
                    raise ResolveError({f"data.{self.place(index, path)}": str(error)}) from None
            found.append(known[reference])
        return found


def gathered(keys: Sequence[Sequence[Any]], count: int) -> tuple[list[int], list[RowGroup]]:
    """Return the order of rows with equal keys together, and the groups in it."""
    order: list[int] = []
    groups: list[RowGroup] = []

    def part(rows: Sequence[int], level: int) -> None:
        if level == len(keys):
            order.extend(rows)
            return
        column = keys[level]
        buckets: dict[Any, list[int]] = {}
        for row in rows:
            value = column[row]
            # True is no 1 here, whatever Python says.
            buckets.setdefault((value is True or value is False, value), []).append(row)
        for bucket in buckets.values():
            groups.append(RowGroup(level, len(order), len(order) + len(bucket)))
            part(bucket, level + 1)

    part(range(count), 0)
    return order, groups


def formatted(written: Format, value: Any) -> str:
    """Return one typed cell as text."""
    return texts_of(written, typed_cells([value], written))[0]
