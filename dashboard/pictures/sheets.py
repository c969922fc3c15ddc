"""A worksheet as a picture: the first rows and columns, as a spreadsheet program shows them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import lru_cache
from importlib import resources
from itertools import pairwise
from typing import Any, Final

from PIL import Image, ImageDraw, ImageFont

from rendering.formats.pdf.typeset import faces
from rendering.formats.pdf.typeset.chains import SANS, fallbacks

RATIO: Final = 1.35  # height to width
UNITS: Final = 400  # of the width; the measures below are in units
MOST_COLUMNS: Final = 12
MEASURED: Final = 24  # lines that decide how wide a column is
RIM_WIDTH, ROW, HEAD, PADDING, SIZE, SMALL = 20, 17, 15, 5, 9, 7
NARROWEST, WIDEST = 34, 130

PAPER, INK, FAINT, GRID = "#ffffff", "#1f2430", "#7b8190", "#e3e5ea"
RIM, TITLES, TOTALS, ACCENT = "#f3f4f7", "#e9eef6", "#f6f7f9", "#1d6f42"


def sheet_image(sheets: Sequence[Mapping[str, Any]], width: int) -> Image.Image:
    """Return the first of `sheets` (rendering.preview_sheets.sheets_of), `width` pixels wide."""
    image = Image.new("RGB", (width, int(width * RATIO)), PAPER)
    pen = _Pen(ImageDraw.Draw(image), width / UNITS, mirrored=bool(sheets and sheets[0]["mirrored"]))
    columns = sheets[0]["columns"][:MOST_COLUMNS] if sheets else []
    bottom = int(UNITS * RATIO) - ROW
    lines = [{"kind": "head", "cells": [column["head"] for column in columns]}]
    lines += (sheets[0]["lines"] if sheets else [])[: (bottom - HEAD) // ROW]
    edges = _edges(pen, len(columns), lines[:MEASURED])
    _draw_grid(pen, edges, bottom)
    for index, line in enumerate(lines):
        _draw_line(pen, line, HEAD + index * ROW, edges, columns)
    _draw_tabs(pen, [sheet["name"] for sheet in sheets], bottom)
    return image


def _edges(pen: _Pen, count: int, lines: Sequence[Mapping[str, Any]]) -> list[float]:
    """Return where columns begin and end: as wide as their texts; empty ones fill the rest of the picture."""
    edges = [float(RIM_WIDTH)]
    for index in range(count):
        texts = [line["cells"][index] for line in lines if line["cells"]]
        wanted = max((pen.length(text, bold=True) for text in texts), default=0) + 2 * PADDING
        edges.append(edges[-1] + min(max(wanted, NARROWEST), WIDEST))
    while edges[-1] < UNITS:
        edges.append(edges[-1] + 60)
    return edges


def _draw_grid(pen: _Pen, edges: Sequence[float], bottom: int) -> None:
    pen.box(0, 0, UNITS, HEAD, RIM)
    pen.box(0, 0, RIM_WIDTH, bottom, RIM)
    for index, (left, right) in enumerate(pairwise(edges)):
        pen.rule(left, 0, left, bottom)
        pen.label((left + right) / 2, HEAD / 2, chr(ord("A") + index))
    for number, top in enumerate(range(HEAD, bottom, ROW), start=1):
        pen.rule(0, top, UNITS, top)
        pen.label(RIM_WIDTH / 2, top + ROW / 2, str(number))


def _draw_line(
    pen: _Pen, line: Mapping[str, Any], top: int, edges: Sequence[float], columns: Sequence[Any]
) -> None:
    kind = line["kind"]
    bold = kind != "row"
    if fill := {"head": TITLES, "group": TOTALS, "subtotal": TOTALS, "total": TOTALS}.get(kind):
        pen.box(edges[0] + 1, top + 1, edges[max(len(columns), 1)], top + ROW, fill)
    if kind == "group":
        pen.text(edges[0], top, line["title"], UNITS - edges[0], bold=True, end=pen.mirrored)
    for index, text in enumerate(line["cells"][: len(columns)]):
        end = columns[index]["align"] == "right"
        pen.text(edges[index], top, text, edges[index + 1] - edges[index], bold=bold, end=end)


def _draw_tabs(pen: _Pen, names: Sequence[str], bottom: int) -> None:
    high = UNITS * RATIO
    pen.box(0, bottom, UNITS, high, RIM)
    pen.rule(0, bottom, UNITS, bottom)
    left = float(RIM_WIDTH)
    for index, name in enumerate(names[:4]):
        room = min(pen.length(name, bold=True), 90) + 4 * PADDING
        if index == 0:
            pen.box(left, bottom, left + room, high, PAPER)
            pen.box(left, high - 2, left + room, high, ACCENT)
        pen.text(left + PADDING, bottom, name, room, bold=index == 0, end=pen.mirrored)
        left += room


class _Pen:
    """Draws in units, each of them `scale` pixels; `mirrored` counts them from the right."""

    def __init__(self, draw: ImageDraw.ImageDraw, scale: float, *, mirrored: bool) -> None:
        self.mirrored = mirrored
        self._draw = draw
        self._scale = scale

    def box(self, left: float, top: float, right: float, bottom: float, fill: str) -> None:
        scale = self._scale
        if self.mirrored:
            left, right = UNITS - right, UNITS - left
        self._draw.rectangle((left * scale, top * scale, right * scale - 1, bottom * scale - 1), fill=fill)

    def rule(self, left: float, top: float, right: float, bottom: float) -> None:
        scale = self._scale
        if self.mirrored:
            left, right = UNITS - right, UNITS - left
        self._draw.line((left * scale, top * scale, right * scale, bottom * scale), fill=GRID)

    def length(self, text: str, *, bold: bool) -> float:
        return self._font(bold, text).getlength(_one_line(text)) / self._scale

    def text(
        self, left: float, top: float, text: str, room: float, *, bold: bool = False, end: bool = False
    ) -> None:
        """Write into a cell, at the right with `end`; what has no room is left out."""
        if self.mirrored:
            left = UNITS - left - room
        font = self._font(bold, text)
        shown = _one_line(text)
        while shown and font.getlength(shown) > (room - 2 * PADDING + 1) * self._scale:
            shown = shown[:-1]
        x = left + room - PADDING if end else left + PADDING
        place = (x * self._scale, (top + ROW / 2) * self._scale)
        self._draw.text(place, shown, fill=INK, font=font, anchor="rm" if end else "lm")

    def label(self, x: float, y: float, text: str) -> None:
        place = ((UNITS - x if self.mirrored else x) * self._scale, y * self._scale)
        self._draw.text(place, text, fill=FAINT, font=self._font(False, text, SMALL), anchor="mm")

    def _font(self, bold: bool, text: str, size: int = SIZE) -> ImageFont.FreeTypeFont:
        return _font(_face(bold, _one_line(text)), round(size * self._scale))


def _one_line(text: str) -> str:
    return " ".join(text.split())[:60]


def _face(bold: bool, text: str) -> str:
    """Return the bundled face that has the letters of a text, or most of them."""
    usual = SANS[bold]
    return usual if text.isascii() else _face_of("".join(sorted(set(text) - {" "})), usual, bold)


@lru_cache(maxsize=1024)
def _face_of(letters: str, usual: str, bold: bool) -> str:
    most, found = -1, usual
    for name in (usual, *fallbacks("", bold)):
        covered = sum(map(faces.bundled(name).covers, letters))
        if covered > most:
            most, found = covered, name
        if covered == len(letters):
            break
    return found


@lru_cache(maxsize=32)
def _font(face: str, pixels: int) -> ImageFont.FreeTypeFont:
    with resources.as_file(resources.files("rendering.formats.pdf") / "fonts" / f"{face}.ttf") as path:
        return ImageFont.truetype(str(path), pixels)
