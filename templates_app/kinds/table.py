"""Table: the one kind that a spreadsheet holds too."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Annotated, Any, ClassVar, Literal

from django.conf import settings
from pydantic import BeforeValidator, Field, WithJsonSchema, field_validator

from config.api.models import StrictModel
from templates_app.expressions.grammar import parse_path
from templates_app.expressions.helpers import (
    Format,
    Style,
    local,
    parse_date,
    parse_datetime,
    parse_format,
    plain_text,
)
from templates_app.kinds.base import Align, Path, Section, Text
from templates_app.kinds.uses import text_uses
from templates_app.resolved import Cell, ResolvedColumn, ResolvedTable
from templates_app.scope import ResolveError, Scope, walk
from templates_app.variables import ELEMENT, FormatText, Use, Variable, check_format, find, format_of


def _width(value: Any) -> Any:
    if isinstance(value, (int, float)) and not isinstance(value, bool) and 1 <= value <= 2000:
        return float(value)
    if isinstance(value, str) and value.endswith("%"):
        share = value[:-1]
        if share.isascii() and share.isdigit() and 1 <= int(share[:5]) <= 100:
            return value
    raise ValueError('must be millimetres from 1 to 2000, or a share such as "25%"')


Width = Annotated[
    float | str,
    BeforeValidator(_width),
    WithJsonSchema(
        {
            "anyOf": [
                {"type": "number", "minimum": 1, "maximum": 2000},
                {"type": "string", "pattern": r"^([1-9]\d?|100)%$"},
            ]
        }
    ),
]


class TableColumn(StrictModel):
    """One column: which field of each row it shows, and how."""

    key: Path = Field(description="Field of the row, dotted for nested objects.", examples=["price"])
    header: Annotated[str, Field(max_length=500)] | None = Field(
        default=None, description="Head of the column; without one, the key.", examples=["Price"]
    )
    width: Width | None = Field(
        default=None, description="Millimetres or a share of the table; without one, from the content."
    )
    align: Align | None = Field(
        default=None, description="Without one, numbers stand right and the rest left."
    )
    format: FormatText | None = None

    @field_validator("format")
    @classmethod
    def _known_format(cls, value: str | None) -> str | None:
        return check_format(value)


class TableSection(Section):
    """A table with one row per entry of a list."""

    label: ClassVar[str] = "Table"
    type: Literal["table"]
    source: Path = Field(description="The variable that holds the rows.", examples=["items"])
    columns: list[TableColumn] = Field(min_length=1, description="Columns from left to right.")
    title: Text | None = Field(default=None, description="Title above the table, and name of the worksheet.")
    zebra: bool = Field(default=False, description="Shade every other row.")
    size: float = Field(default=9, ge=4, le=40, description="Font size in points.")
    empty_text: Text = Field(default="", description="Printed in place of the rows when there are none.")

    @field_validator("columns")
    @classmethod
    def _not_too_many(cls, value: list[TableColumn]) -> list[TableColumn]:
        if len(value) > settings.MAX_COLUMNS:
            raise ValueError(f"must have at most {settings.MAX_COLUMNS} entries (MAX_COLUMNS)")
        return value

    def uses(self) -> Iterator[Use]:
        """Yield the list and the fields of its rows."""
        source = parse_path(self.source)
        yield Use(source, "list")
        for column in self.columns:
            helper = parse_format(column.format)[0] if column.format else None
            yield Use.with_helper((*source, ELEMENT, *parse_path(column.key)), helper)
        yield from text_uses(
            self.title or "", self.empty_text, *(column.header or "" for column in self.columns)
        )

    def resolve(self, scope: Scope) -> ResolvedTable:
        """Collect the rows as typed cells; raises ResolveError for a row that is no object."""
        source = parse_path(self.source)
        entries = scope.rows(self.source)
        for index, entry in enumerate(entries):
            if not isinstance(entry, dict):
                raise ResolveError({f"data.{self.source}[{index}]": "must be an object"})
        columns = [self._column(column, scope, source) for column in self.columns]
        cells = [
            _cells(
                parse_path(given.key), find(scope.variables, (*source, *parse_path(given.key))), column.format
            )
            for given, column in zip(self.columns, columns, strict=True)
        ]
        return ResolvedTable(
            title=scope.text(self.title or ""),
            columns=columns,
            rows=[[cell(entry) for cell in cells] for entry in entries],
            zebra=self.zebra,
            size=self.size,
            empty_text=scope.text(self.empty_text),
        )

    def _column(self, column: TableColumn, scope: Scope, source: tuple[str, ...]) -> ResolvedColumn:
        variable = find(scope.variables, (*source, *parse_path(column.key)))
        if column.format:
            written = Format(*parse_format(column.format), scope.style)
        else:
            written = format_of(variable, scope.style)
        numeric = written.helper in {"number", "integer", "currency", "percent"}
        header = scope.text(column.header) if column.header is not None else column.key
        return ResolvedColumn(header, column.width, column.align or ("right" if numeric else "left"), written)


def _cells(path: tuple[str, ...], variable: Variable | None, written: Format) -> Callable[[Any], Cell]:
    """Return a function from a row to its typed cell: dates become dates, text helpers are applied."""
    style: Style = written.style
    read: Callable[[Any], Any] = (
        (lambda row: row.get(path[0])) if len(path) == 1 else (lambda row: walk(row, path))
    )
    if written.helper in {"number", "integer", "currency", "percent"}:
        return lambda row: _single(read(row), style)
    if written.helper == "date":
        return lambda row: _day(read(row), style)
    if written.helper in {"datetime", "time"}:
        return lambda row: _moment(read(row), style)
    if written.helper is None:
        return lambda row: _single(read(row), style)
    return lambda row: None if (value := read(row)) is None else written.text(value)


def _single(value: Any, style: Style) -> Cell:
    return plain_text(value, style) if isinstance(value, (list, dict)) else value


def _day(value: Any, style: Style) -> Cell:
    moment = parse_datetime(value)
    return local(moment, style).date() if moment else parse_date(value) or _single(value, style)


def _moment(value: Any, style: Style) -> Cell:
    moment = parse_datetime(value)
    return local(moment, style) if moment else _day(value, style)
