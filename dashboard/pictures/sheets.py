"""A worksheet as a picture: the first rows and columns, as a spreadsheet program shows them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import lru_cache
from importlib import resources
from itertools import pairwise
from typing import Any, Final

from PIL import Image, ImageDraw, ImageFont

RATIO: Final = 1.35  # height to width
MOST_COLUMNS: Final = 7
SCALE: Final = 2
ROW, HEAD, PADDING, SIZE, SMALL = 20, 18, 6, 10, 8

PAPER, INK, FAINT, GRID = "#ffffff", "#1f2430", "#7b8190", "#e3e5ea"
RIM, TITLES, TOTALS, ACCENT = "#f3f4f7", "#e9eef6", "#f6f7f9", "#1d6f42"


def sheet_image(sheets: Sequence[Mapping[str, Any]], width: int) -> Image.Image:
    """Return the first of `sheets` (rendering.preview_sheets.sheets_of), `width` pixels wide."""
    wide, high = width // SCALE, int(width * RATIO) // SCALE
    image = Image.new("RGB", (wide * SCALE, high * SCALE), PAPER)
    pen = _Pen(ImageDraw.Draw(image))
    columns = sheets[0]["columns"][:MOST_COLUMNS] if sheets else []
    edges = _edges(columns, sheets[0]["lines"] if sheets else [], wide)
    bottom = high - ROW
    lines = [{"kind": "head", "cells": [column["head"] for column in columns]}]
    lines += (sheets[0]["lines"] if sheets else [])[: (bottom - HEAD) // ROW]
    for index, line in enumerate(lines):
        _draw_line(pen, line, HEAD + index * ROW, edges, columns)
    _draw_rims(pen, edges, bottom, wide)
    _draw_tabs(pen, [sheet["name"] for sheet in sheets], bottom, wide, high)
    return image


def _edges(columns: Sequence[Any], lines: Sequence[Any], wide: int) -> list[int]:
    """Return where columns begin and end: as wide as their texts ask, together the whole width."""
    rim = 22
    if not columns:
        return [rim, wide]
    wanted = []
    for index, column in enumerate(columns):
        texts = [column["head"], *(line["cells"][index] for line in lines[:20] if line["cells"])]
        wanted.append(min(max((len(text) for text in texts), default=0), 26) + 3)
    edges, room = [rim], wide - rim
    for part in wanted:
        edges.append(edges[-1] + room * part // sum(wanted))
    edges[-1] = wide
    return edges


def _draw_line(pen: _Pen, line: Mapping[str, Any], top: int, edges: Sequence[int], columns: Any) -> None:
    kind = line["kind"]
    bold = kind != "row"
    if fill := {"head": TITLES, "group": TOTALS, "subtotal": TOTALS, "total": TOTALS}.get(kind):
        pen.box(edges[0], top, edges[-1], top + ROW, fill)
    pen.rule(edges[0], top + ROW, edges[-1], top + ROW)
    if kind == "group":
        pen.text(edges[0] + PADDING, top, line["title"], edges[-1] - edges[0], bold=True)
    for index, text in enumerate(line["cells"][: len(columns)]):
        left, right = edges[index], edges[index + 1]
        end = columns[index]["align"] == "right"
        pen.text(right - PADDING if end else left + PADDING, top, text, right - left, bold=bold, end=end)


def _draw_rims(pen: _Pen, edges: Sequence[int], bottom: int, wide: int) -> None:
    pen.box(0, 0, wide, HEAD, RIM)
    pen.box(0, 0, edges[0], bottom, RIM)
    for index, (left, right) in enumerate(pairwise(edges)):
        pen.rule(left, 0, left, bottom)
        pen.label((left + right) / 2, HEAD / 2, chr(ord("A") + index))
    pen.rule(0, HEAD, wide, HEAD)
    for number, top in enumerate(range(HEAD, bottom - ROW + 1, ROW), start=1):
        pen.rule(0, top, edges[0], top)
        pen.label(edges[0] / 2, top + ROW / 2, str(number))


def _draw_tabs(pen: _Pen, names: Sequence[str], bottom: int, wide: int, high: int) -> None:
    pen.box(0, bottom, wide, high, RIM)
    pen.rule(0, bottom, wide, bottom)
    left = 22.0
    for index, name in enumerate(names[:3]):
        room = min(len(name), 16) * 6 + 14
        if index == 0:
            pen.box(left, bottom, left + room, high, PAPER)
            pen.box(left, high - 2, left + room, high, ACCENT)
        pen.text(left + PADDING, bottom, name, room, bold=index == 0)
        left += room


class _Pen:
    """Draws in units of half a pixel's density: SCALE pixels each."""

    def __init__(self, draw: ImageDraw.ImageDraw) -> None:
        self._draw = draw

    def box(self, left: float, top: float, right: float, bottom: float, fill: str) -> None:
        self._draw.rectangle((left * SCALE, top * SCALE, right * SCALE - 1, bottom * SCALE - 1), fill=fill)

    def rule(self, left: float, top: float, right: float, bottom: float) -> None:
        self._draw.line((left * SCALE, top * SCALE, right * SCALE, bottom * SCALE), fill=GRID)

    def text(
        self, x: float, top: float, text: str, room: float, *, bold: bool = False, end: bool = False
    ) -> None:
        font = _font(bold)
        shown = " ".join(text.split())[:60]
        while shown and font.getlength(shown) > (room - 2 * PADDING) * SCALE:
            shown = shown[:-1]
        place = (x * SCALE, (top + ROW / 2) * SCALE)
        self._draw.text(place, shown, fill=INK, font=font, anchor="rm" if end else "lm")

    def label(self, x: float, y: float, text: str) -> None:
        self._draw.text((x * SCALE, y * SCALE), text, fill=FAINT, font=_font(False, SMALL), anchor="mm")


@lru_cache(maxsize=4)
def _font(bold: bool, size: int = SIZE) -> ImageFont.FreeTypeFont:
    name = f"SourceSans3-{'SemiBold' if bold else 'Regular'}.ttf"
    with resources.as_file(resources.files("rendering.formats.pdf") / "fonts" / name) as path:
        return ImageFont.truetype(str(path), size * SCALE)
