"""Charts."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from typing import Annotated, Any, ClassVar, Literal, Self

from config.api.models import Field, StrictModel, field_validator, model_validator
from templates_app.expressions.formulas import parse_formula
from templates_app.expressions.grammar import parse_path
from templates_app.expressions.helpers import Format, parse_format, to_decimal
from templates_app.kinds.base import Color, Path, Text, Written
from templates_app.kinds.uses import entry_uses, row_formula_uses, text_uses
from templates_app.paths import ELEMENT
from templates_app.resolved import ROUND_CHARTS, Align, ChartType, ResolvedChart, Series
from templates_app.rows import Rows
from templates_app.scope import Scope
from templates_app.variables import ITEM, FormatText, FormulaText, Use, check_format, format_of

MAX_CATEGORIES = 500


class ChartSeries(StrictModel):
    """The values of one colour: a field of the rows, or a formula over them."""

    name: Text = Field(default="", description="Name in the legend; without one, the key.")
    key: Path | None = Field(default=None, description="Field of the row.", examples=["amount"])
    value: FormulaText | None = Field(
        default=None, description="In place of `key`: a formula over the fields of the row."
    )
    color: Color | None = Field(default=None, description="Colour as #rrggbb; without one, the theme's.")

    @model_validator(mode="after")
    def _one_origin(self) -> Self:
        if (self.key is None) == (self.value is None):
            raise ValueError("give either key or value")
        return self


class ChartSection(Written):
    """A chart over the rows of a list."""

    kind_label: ClassVar[str] = "Chart"
    type: Literal["chart"]
    chart: ChartType = Field(default="column", description="Kind of chart; bars lie, columns stand.")
    source: Path = Field(description="The variable that holds the rows.", examples=["months"])
    category: Annotated[str, Field(min_length=1, max_length=1000)] = Field(
        description="Name of a row on the axis, as text: `{{item.x}}` is a field of the row.",
        examples=["{{item.month}}"],
    )
    series: Annotated[list[ChartSeries], Field(min_length=1, max_length=20)] = Field(
        description="`name`, `key` or `value` (a formula), `color`; pies take the first alone."
    )
    title: Text = Field(default="", description="Title above the chart.")
    category_title: Text = Field(default="", description="What the axis of names shows; pies have no axes.")
    value_title: Text = Field(default="", description="What the axis of values shows, such as its unit.")
    format: FormatText | None = None
    width: float | None = Field(
        default=None, ge=10, le=2000, description="Millimetres; without one, all there is."
    )
    height: float = Field(default=70, ge=10, le=1000, description="Millimetres.")
    align: Align = Field(default="left", description="Place on the line, when a width is given.")
    legend: Literal["bottom", "right", "none"] | None = Field(
        default=None, description="Without one, at the bottom when there is more than one name to tell apart."
    )
    labels: bool = Field(default=False, description="Print the values beside their marks.")
    alt: Text = Field(default="", description="Text for those who cannot see the chart; else its title.")

    @field_validator("format")
    @classmethod
    def _known_format(cls, value: str | None) -> str | None:
        return check_format(value)

    def uses(self) -> Iterator[Use]:
        """Yield the list, the fields of its rows, and what the texts read."""
        source = parse_path(self.source)
        yield Use(source, "list")
        yield from entry_uses(ITEM, source, text_uses(self.category))
        for series in self.series:
            if series.key is not None:
                yield Use((*source, ELEMENT, *parse_path(series.key)), "number")
            else:
                yield from row_formula_uses(series.value or "", source)
            yield from text_uses(series.name)
        yield from text_uses(self.title, self.category_title, self.value_title, self.alt)

    def resolve(self, scope: Scope) -> ResolvedChart:
        """Collect the series; raises ResolveError for rows that are none or too many."""
        rows = Rows(scope, parse_path(self.source), {})
        rows.limit(MAX_CATEGORIES, "a chart")
        several = len(self.series) > 1 or self.chart in ROUND_CHARTS
        title = scope.rich(self.title)
        return ResolvedChart(
            chart=self.chart,
            title=title,
            categories=rows.plain_texts(self.category),
            series=[_series(series, rows) for series in self.series],
            format=self._format(rows),
            width=self.width,
            height=self.height,
            align=self.align,
            legend=self.legend or ("bottom" if several else "none"),
            labels=self.labels,
            category_title=scope.text(self.category_title),
            value_title=scope.text(self.value_title),
            alt=scope.text(self.alt) or scope.text(self.title),
        )

    def _format(self, rows: Rows) -> Format:
        """Return how values are written: by the chart's format, else as the first series' variable."""
        style = rows.scope.style
        if self.format is not None:
            return Format(*parse_format(self.format), style)
        key = self.series[0].key
        written = format_of(rows.variable(parse_path(key)), style) if key is not None else None
        return written if written is not None and written.helper else Format("number", None, style)


def _series(series: ChartSeries, rows: Rows) -> Series:
    if series.key is not None:
        cells: Sequence[Any] = rows.field(parse_path(series.key))
    else:
        cells = rows.formula(parse_formula(series.value or ""))
    name = rows.scope.text(series.name) if series.name else series.key or ""
    return Series(name, [_number(cell) for cell in cells], series.color)


def _number(cell: Any) -> float | None:
    """Return a value that can be drawn; a chart leaves a gap for every other."""
    exact = to_decimal(cell)
    if exact is None:
        return None
    try:
        number = float(exact)
    except OverflowError:
        return None
    return number if math.isfinite(number) else None
