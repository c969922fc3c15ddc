"""Pies and rings: the shares of the first series, clockwise from the top in the order of the data. Points."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import TYPE_CHECKING, Final

from reportlab.graphics import shapes

from config.value import dataclass
from rendering.formats.palette import on, palette
from rendering.formats.pdf.layout.graphics.chart_data import ChartData
from rendering.formats.pdf.layout.graphics.legends import Entry, draw_legend
from rendering.formats.pdf.layout.graphics.sketch import Area, Sketch, tone
from templates_app.expressions.helpers import Format

if TYPE_CHECKING:
    from templates_app.resolved import ResolvedChart

HOLE: Final = 0.62  # of a ring, in radii
SEAM: Final = 1.25  # white between two slices
THIN: Final = 4.0  # outer edge of a slice below which its seams are thinner, or nothing of it would be left
LARGEST: Final = 130.0  # radius
OUTSIDE: Final = 7.0  # from the edge to a name beside it


@dataclass(frozen=True, slots=True)
class Slice:
    """A share of the whole between two angles (radians, anticlockwise)."""

    name: str
    value: float
    share: float
    color: str
    start: float
    end: float

    @property
    def middle(self) -> float:
        """The angle in the middle."""
        return (self.start + self.end) / 2


def draw(sketch: Sketch, data: ChartData, area: Area, section: ResolvedChart) -> None:
    """Draw a pie or ring with its legend into an area; values that are not positive have no share."""
    slices = _slices(sketch, data)
    entries = [Entry(each.color, each.name, _percent(each.share, data.format)) for each in slices]
    area = draw_legend(sketch, entries, section.legend, area)
    named = section.legend == "none" and any(each.name for each in slices)
    side = min(area.width * 0.26, 90.0) if named else 0.0
    radius = min((area.width - 2 * side) / 2, area.height / 2 - (8.0 if named else 0.0), LARGEST) - 1
    center = (area.x + area.width / 2, area.y + area.height / 2)
    if radius < 5:
        return
    hole = radius * HOLE if section.chart == "donut" else 0.0
    if not slices:
        ring = shapes.Circle(*center, radius - 1, fillColor=None, strokeColor=tone(sketch.theme.rule))
        sketch.add(ring)
        sketch.text("–", sketch.looks.category, center[0], center[1] - 2.5, "middle")
        return
    seams = [_seam(each, radius) if len(slices) > 1 else 0.0 for each in slices]
    for each, seam in sorted(zip(slices, seams, strict=True), key=lambda pair: -pair[1]):
        _draw_slice(sketch, each, center, radius, hole, seam)
    if section.labels:
        _draw_shares(sketch, slices, center, radius, hole, data)
    if named:
        _draw_names(sketch, slices, center, radius, area)


def _slices(sketch: Sketch, data: ChartData) -> list[Slice]:
    values = (
        [value if value is not None and value > 0 else 0.0 for value in data.series[0].values]
        if data.series
        else []
    )
    total = math.fsum(values)
    if total <= 0 or not math.isfinite(total):
        return []
    colors = palette(sketch.theme.accent, len(values))
    found: list[Slice] = []
    angle = math.pi / 2
    for index, value in enumerate(values):
        if value:
            end = angle - 2 * math.pi * value / total
            found.append(Slice(data.categories[index], value, value / total, colors[index], end, angle))
            angle = end
    return found


def _percent(share: float, written: Format) -> str:
    """Return a share for people: whole percents, less than one with a decimal."""
    return Format("percent", "0" if share >= 0.00995 else "1", written.style).text(share)


def _seam(each: Slice, radius: float) -> float:
    """Return the width of the white around a slice; thin ones are drawn over the seams of the others."""
    return SEAM * min((each.end - each.start) * radius / THIN, 1.0) ** 2


def _draw_slice(
    sketch: Sketch, each: Slice, center: tuple[float, float], radius: float, hole: float, seam: float
) -> None:
    wedge = shapes.Wedge(
        *center,
        radius,
        math.degrees(each.start),
        math.degrees(each.end),
        fillColor=tone(each.color),
        strokeColor=tone("#ffffff") if seam else None,
        strokeWidth=seam or SEAM,
        strokeLineJoin=1,
    )
    if hole:
        wedge.radius1 = wedge.yradius1 = hole
    sketch.add(wedge)


def _draw_shares(
    sketch: Sketch,
    slices: Sequence[Slice],
    center: tuple[float, float],
    radius: float,
    hole: float,
    data: ChartData,
) -> None:
    """Write each share into its slice where there is room, and the total into the hole of a ring."""
    style = sketch.looks.value.but(bold=True)
    middle = (radius + hole) / 2 if hole else radius * 0.66
    for each in slices:
        text = _percent(each.share, data.format)
        wide = sketch.lettering.width(text, style)
        chord = 2 * middle * math.sin(min((each.end - each.start) / 2, math.pi / 2))
        if chord < max(wide, style.size) + 4 or (hole and radius - hole < wide + 4):
            continue
        x, y = center[0] + middle * math.cos(each.middle), center[1] + middle * math.sin(each.middle)
        sketch.text(
            text, style.but(color=on(each.color, sketch.theme.ink)), x, y - style.size * 0.33, "middle"
        )
    if hole:
        size = min(max(hole * 0.3, 8.0), 18.0)
        total = style.but(size=size, color=sketch.theme.ink)
        text = data.text(math.fsum(each.value for each in slices))
        wide = sketch.lettering.width(text, total)
        if wide > hole * 1.7:
            total = total.but(size=size * hole * 1.7 / wide)
        if total.size >= 5:
            sketch.text(text, total, center[0], center[1] - total.size * 0.33, "middle")


def _draw_names(
    sketch: Sketch, slices: Sequence[Slice], center: tuple[float, float], radius: float, area: Area
) -> None:
    """Write the names around a pie that has no legend; one that would meet another is left out."""
    style = sketch.looks.legend
    taken: dict[bool, list[float]] = {True: [], False: []}
    for each in sorted(slices, key=lambda slice_: -slice_.share):
        cos, sin = math.cos(each.middle), math.sin(each.middle)
        x, y = center[0] + (radius + OUTSIDE) * cos, center[1] + (radius + OUTSIDE) * sin - style.size * 0.33
        right = cos >= 0
        room = area.right - x if right else x - area.x
        y = min(max(y, area.y + 1), area.top - style.size)
        if any(abs(y - other) < style.size * 1.1 for other in taken[right]):
            continue
        taken[right].append(y)
        text = sketch.lettering.fitted(each.name, style, max(room, 1.0))
        sketch.text(text, style, x, y, "start" if right else "end")
