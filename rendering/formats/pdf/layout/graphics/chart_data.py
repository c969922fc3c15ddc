"""What charts draw: cleaned names and numbers."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from decimal import Decimal

from config.value import dataclass
from rendering.formats.pdf.layout.graphics.scales import number_text
from templates_app.expressions.helpers import Format
from templates_app.expressions.texts import compact_text


@dataclass(frozen=True, slots=True)
class Values:
    """A series: one value or gap per category."""

    name: str
    values: Sequence[float | None]
    color: str


@dataclass(frozen=True, slots=True)
class ChartData:
    """Categories and series of a chart."""

    categories: Sequence[str]
    series: Sequence[Values]
    format: Format
    whole: bool = False  # no value has decimals: none are written

    def all(self) -> Iterator[float]:
        """Yield every value there is."""
        for series in self.series:
            yield from (value for value in series.values if value is not None)

    def sums(self) -> Iterator[float]:
        """Yield how far the stacks reach, up and down."""
        for index in range(len(self.categories)):
            found = [series.values[index] for series in self.series]
            yield sum(value for value in found if value is not None and value > 0)
            yield sum(value for value in found if value is not None and value < 0)

    def text(self, value: float) -> str:
        """Return a value as the chart writes it."""
        return number_text(Decimal(repr(value)), self.format, whole=self.whole)

    def short_text(self, value: float) -> str:
        """Return a value as short as its locale writes it; the usual text where there is no shorter one."""
        usual, written = self.text(value), self.format
        short = compact_text(Decimal(repr(value)), written.helper, written.argument, written.style)
        return short if short is not None and len(short) < len(usual) else usual
