"""A table section and its rows to a ResolvedTable, a column at a time."""

from __future__ import annotations

from array import array
from collections.abc import Sequence
from decimal import Decimal
from typing import TYPE_CHECKING, Final

from templates_app.cells import CellsOnDemand, typed_cells
from templates_app.expressions.formulas import Formula, aggregate, parse_formula
from templates_app.expressions.grammar import parse_path
from templates_app.expressions.helpers import MOMENT_HELPERS, NUMBER_HELPERS, Format, parse_format
from templates_app.resolved import (
    Cell,
    CellStyle,
    ConditionalStyle,
    ResolvedColumn,
    ResolvedGroupOfRows,
    ResolvedTable,
    Rich,
    SheetOptions,
    plain,
)
from templates_app.richtext import safe_link
from templates_app.rows import PART, RowGroup, Rows, formatted
from templates_app.scope import Scope, Types
from templates_app.variables import Variable, format_of

if TYPE_CHECKING:
    from templates_app.kinds.table import TableSection
    from templates_app.kinds.table_parts import ConditionalLook, RowGrouping, TableColumn

# More cells than that are made when they are asked for: a sheet of a million rows keeps its memory flat.
EAGER_CELLS: Final = 2_000_000
LOOKED_AT: Final = 300  # rows whose values tell whether a column without a format holds numbers
_NUMBERS: Final = frozenset({int, float, Decimal})
_NUMBERS_OR_NOTHING: Final = _NUMBERS | {type(None)}
NO_VALUE: Final = "—"  # heads a group of rows that have no value to be gathered by


def resolve_table(section: TableSection, scope: Scope) -> ResolvedTable:
    """Return the table with its cells; raises ResolveError for rows that are none."""
    rows = Rows(scope, parse_path(section.source), section.formulas, section.row_names)
    groups = _gather(section, rows)
    on_demand = not groups and rows.count * len(section.columns) > EAGER_CELLS
    looks = _Looks(section, on_demand)
    columns = [_column(column, index, rows, looks, on_demand) for index, column in enumerate(section.columns)]
    totals = section.totals and rows.count and any(column.total for column in section.columns)
    return ResolvedTable(
        title=scope.rich(section.title) if section.title else "",
        columns=columns,
        count=rows.count,
        zebra=section.zebra,
        size=section.size,
        empty_text=scope.rich(section.empty_text),
        styles=looks.all,
        conditions=looks.live,
        groups=_groups(section, rows, groups, columns),
        totals=_totals(columns, 0, rows.count) if totals else None,
        totals_label=scope.rich(section.totals_label),
        rules=section.rules,
        padding=section.padding,
        repeat_head=section.repeat_head,
        head=section.head,
        keep_rows=section.keep_rows,
        min_rows=section.min_rows,
        keep_with_next=section.keep_with_next,
        carry=section.carry_forward is not False,
        carry_labels=_carry_labels(section, scope),
        sheet=_sheet(section, scope),
    )


def column_format(column: TableColumn, rows: Rows) -> Format:
    """Return how a column's cells are written: by its own format, else as its variable is."""
    if column.display == "check":  # a mark needs the value itself, not its word
        return Format(None, None, rows.scope.style)
    text = column.format or ("number" if column.value is not None else None)
    return rows.scope.types.column_format(rows.source, column.key, text, column.locale)


def _column(column: TableColumn, index: int, rows: Rows, looks: _Looks, on_demand: bool) -> ResolvedColumn:
    written = column_format(column, rows)
    texts = rows.texts(column.content) if column.content is not None else None
    values = _values(column, written, rows, texts, on_demand)
    images = links = None
    if column.display == "image":
        raw = rows.field(parse_path(column.key)) if column.key and not column.value else values
        images = rows.images(raw, parse_path(column.key or "value"))
    if column.link is not None:
        links = [safe_link(text) for text in rows.plain_texts(column.link)]
    elif column.display == "link":
        links = [safe_link(value) if isinstance(value, str) else None for value in values]
    header = rows.scope.rich(column.header) if column.header is not None else column.key or ""
    return ResolvedColumn(
        key=column.key or "",
        header=header,
        width=column.width,
        align=column.align or ("right" if _of_numbers(column, written, values, texts) else "left"),
        format=written,
        values=values,
        texts=texts if texts is not values else None,
        links=links,
        images=images,
        display=column.display,
        overflow=column.overflow,
        head_group=rows.scope.text(column.head_group),
        styles=looks.of_column(column, index, rows, written),
        formula=_formula(column, rows),
        total=column.total,
        bold=column.bold,
    )


def _of_numbers(
    column: TableColumn, written: Format, values: Sequence[Cell], texts: Sequence[Rich] | None
) -> bool:
    """Tell whether a column holds numbers: by its format, else by the first of its values.

    A formula without a format is taken for one of numbers, until its values are words.
    """
    formula = column.value is not None and column.format is None
    if (written.helper is not None and not formula) or texts is not None or column.display != "text":
        return written.helper in NUMBER_HELPERS
    found = set(map(type, values[:LOOKED_AT]))
    if formula:
        return written.helper in NUMBER_HELPERS and (str not in found or not found.isdisjoint(_NUMBERS))
    return not found.isdisjoint(_NUMBERS) and found <= _NUMBERS_OR_NOTHING


def _values(
    column: TableColumn, written: Format, rows: Rows, texts: Sequence[Rich] | None, on_demand: bool
) -> Sequence[Cell]:
    on_demand = on_demand and column.display == "text"
    if column.key in rows.formulas or column.value is not None:
        formula = rows.formulas.get(column.key or "") or parse_formula(column.value or "")
        if on_demand and rows.is_local(formula):
            return CellsOnDemand(
                rows.count, lambda part: typed_cells(rows.some(part).formula(formula), written)
            )
        found = rows.computed(column.key) if column.key is not None else rows.formula(formula)
        return typed_cells(found, written)
    if column.key is not None:
        path = parse_path(column.key)
        if on_demand:
            return CellsOnDemand(rows.count, lambda part: rows.some(part).cells(path, written))
        return rows.cells(path, written)
    assert texts is not None  # a column without key and value has a content: checked when it was written
    return [plain(text) for text in texts] if any(type(text) is not str for text in texts) else texts  # type: ignore[return-value]


def _formula(column: TableColumn, rows: Rows) -> Formula | None:
    """Return the formula of a computed column, or of the computed field that it shows."""
    if column.value is not None:
        return parse_formula(column.value)
    variable = rows.variable(parse_path(column.key)) if column.key is not None else None
    if variable is None or variable.value is None:
        return None
    formula = parse_formula(variable.value)
    # A name of the document may be that of a column as well, which a worksheet would take for it.
    return formula if all(rows.declares(name[0]) for name in formula.row_names) else None


class _Looks:
    """The conditional looks of a table, numbered, and which cells have them."""

    def __init__(self, section: TableSection, small: bool) -> None:
        """`small`: of very many rows, looks are kept in few bytes each."""
        self.all: list[CellStyle] = []
        self.live: list[ConditionalStyle] = []
        self._of_rows = [(look, self._number(look)) for look in section.styles]
        self._small = small
        self._held: dict[int, Sequence[int]] = {}
        self._shared: Sequence[int] | None = None  # of columns that have no looks of their own

    def _number(self, look: ConditionalLook) -> int:
        made = look.look()
        if made not in self.all:
            self.all.append(made)
        return self.all.index(made)

    def of_column(self, column: TableColumn, index: int, rows: Rows, written: Format) -> Sequence[int] | None:
        """Return the number of the look of each cell of a column, None when it has no looks at all."""
        own = [(look, self._number(look)) for look in column.styles]
        if not own and not self._of_rows:
            return None
        if self._shared is None:
            none = array("h", [-1]) * rows.count if self._small else [-1] * rows.count
            self._shared = self._chosen(none, self._of_rows, rows)
        for look, number in own:
            live = _live(look, column, index, number, written)
            if live is None:
                break  # it stands in the cells, where a live one behind it would cover it
            self.live.append(live)
        return self._chosen(self._shared, own, rows)

    def _chosen(
        self, chosen: Sequence[int], looks: Sequence[tuple[ConditionalLook, int]], rows: Rows
    ) -> Sequence[int]:
        """Return the number of each row's look: the first that holds, else what it has `chosen` already."""
        for look, number in reversed(looks):
            held = self._rows_that_hold(look, rows)
            found = (number if holds else known for known, holds in zip(chosen, held, strict=True))
            chosen = array("h", found) if self._small else list(found)
        return chosen

    def _rows_that_hold(self, look: ConditionalLook, rows: Rows) -> Sequence[int]:
        held = self._held.get(id(look))
        if held is None:
            style = rows.scope.style
            if self._small:
                held = b"".join(bytes(look.when.rows(part.read, part.count, style)) for part in rows.parts())
            else:
                held = look.when.rows(rows.read, rows.count, style)
            self._held[id(look)] = held
        return held


def _live(
    look: ConditionalLook, column: TableColumn, index: int, number: int, written: Format
) -> ConditionalStyle | None:
    """Return the condition for a spreadsheet, when it is one on the column itself."""
    found = look.when.live()
    if found is None or column.key is None:
        return None
    path, operator, value = found
    if ".".join(path).removeprefix("item.") != column.key or not _tells_apart(written, value):
        return None
    return ConditionalStyle(index, operator, typed_cells([value], written)[0], number)


def _tells_apart(written: Format, value: Cell) -> bool:
    """Tell whether only values equal to one make its cell: helpers of texts write several alike."""
    if written.helper == "yesno":
        return isinstance(value, bool)
    return written.helper is None or written.helper in NUMBER_HELPERS | MOMENT_HELPERS


def _gather(section: TableSection, rows: Rows) -> list[RowGroup]:
    if not section.group_by:
        return []
    return rows.gather([_key_cells(group, rows) for group in section.group_by])


def _key_cells(group: RowGrouping, rows: Rows) -> Sequence[Cell]:
    if group.key in rows.formulas:
        return rows.computed(group.key)
    return typed_cells(rows.field(parse_path(group.key)), _key_format(group, rows))


def _key_format(group: RowGrouping, rows: Rows) -> Format:
    if group.format is not None:
        return Format(*parse_format(group.format), rows.scope.style)
    if group.key in rows.formulas:
        return Format("number", None, rows.scope.style)
    return format_of(rows.variable(parse_path(group.key)), rows.scope.style)


def _groups(
    section: TableSection, rows: Rows, groups: Sequence[RowGroup], columns: Sequence[ResolvedColumn]
) -> list[ResolvedGroupOfRows]:
    if not groups:
        return []
    keys = [_key_cells(group, rows) for group in section.group_by]
    formats = [_key_format(group, rows) for group in section.group_by]
    types = [_group_types(group, rows) for group in section.group_by]
    any_total = any(column.total for column in columns)
    made = []
    for group in groups:
        wanted = section.group_by[group.level]
        value = keys[group.level][group.start]
        title: Rich = formatted(formats[group.level], value) if wanted.title is None else ""
        label: Rich = wanted.label
        if wanted.title is not None or "{{" in wanted.label:
            shown = value
            if value in (None, "") and formatted(formats[group.level], NO_VALUE) == NO_VALUE:
                shown = NO_VALUE  # not where it would be taken for something, as for a yes
            inside = rows.scope_of(group.start).child(
                "group", {"value": shown, "count": group.stop - group.start}, types[group.level]
            )
            title = inside.rich(wanted.title) if wanted.title is not None else title
            label = inside.rich(wanted.label)
        if not plain(title).strip():
            title = NO_VALUE
        subtotals = _totals(columns, group.start, group.stop) if wanted.subtotals and any_total else None
        made.append(ResolvedGroupOfRows(group.level, title, group.start, group.stop, subtotals, label))
    return made


def _group_types(group: RowGrouping, rows: Rows) -> Types:
    """Return the types of a group's title: its value is written as the rows' field is."""
    written = _key_format(group, rows)
    text = None if written.helper is None else ":".join(filter(None, (written.helper, written.argument)))
    value = Variable(name="value", format=text, locale=written.style.locale)
    count = Variable(name="count", type="number")
    return rows.types.with_variable("group", Variable(name="group", type="object", fields=[value, count]))


def _totals(columns: Sequence[ResolvedColumn], start: int, stop: int) -> list[Cell]:
    return [_total(column.total, column.values, start, stop) if column.total else None for column in columns]


def _total(function: str, values: Sequence[Cell], start: int, stop: int) -> Cell:
    """Return a total of some rows; very many are taken part by part, exactly."""
    if stop - start <= PART or function == "average":
        return aggregate(function, values[start:stop])
    parts = [aggregate(function, values[at : min(at + PART, stop)]) for at in range(start, stop, PART)]
    return aggregate("sum" if function == "count" else function, parts)


def _carry_labels(section: TableSection, scope: Scope) -> tuple[str, str]:
    given = section.carry_forward
    if isinstance(given, bool):
        return ("Brought forward", "Carried forward")
    return (scope.text(given.brought), scope.text(given.carried))


def _sheet(section: TableSection, scope: Scope) -> SheetOptions | None:
    sheet = section.sheet
    if sheet is None:
        return None
    name = scope.text(sheet.name)
    return SheetOptions(name, sheet.freeze_columns, sheet.autofilter, sheet.table, sheet.formulas)
