"""Which format each cell of a column has: its kind, conditional style, link, and whether it wraps."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import repeat
from typing import Any, Final

from config.value import dataclass
from rendering.formats.xlsx.cells import pattern_of
from rendering.formats.xlsx.links import Links
from rendering.formats.xlsx.styles import (
    BODY,
    BOOLEAN_FORMAT,
    DATE_FORMAT,
    DATETIME_FORMAT,
    LINK,
    WHOLE_FORMAT,
    Looks,
    Properties,
    changes,
    side,
)
from rendering.formats.xlsx.texts import SharedTexts
from templates_app.expressions.helpers import MOMENT_HELPERS
from templates_app.resolved import CellStyle, ResolvedColumn

Slot = str | Sequence[str]
Note = tuple[bool, bool]  # wrapped; looks like a formula
PLAIN: Final[Note] = (False, False)


@dataclass(frozen=True, slots=True)
class Setting:
    """What a column shares with its table and workbook."""

    looks: Looks
    texts: SharedTexts
    styles: Sequence[CellStyle] = ()
    live: frozenset[int] = frozenset()  # styles that a conditional format of the sheet takes care of
    mirrored: bool = False  # the sheet runs from right to left


class ColumnLook:
    """Chooses the formats of one column's cells."""

    def __init__(self, column: ResolvedColumn, letters: str, setting: Setting, *, after_right: bool) -> None:
        """Prepare; a column of text after one that stands right keeps a distance from it."""
        self.links: Links | None = None  # of the current worksheet
        self.align = side(column.align, mirrored=setting.mirrored)
        self.place: Properties = {"align": self.align}
        if after_right and self.align == "left":
            self.place["indent"] = 1
        self._letters = letters
        self._setting = setting
        self._base: Properties = {**BODY, **self.place} | ({"bold": True} if column.bold else {})
        pattern = pattern_of(column.format)
        self._patterns = {
            # A number among dates is no day: 20260101 would be one that no calendar has.
            "number": None if column.format.helper in MOMENT_HELPERS else pattern,
            "long": WHOLE_FORMAT,
            "plain": pattern or BOOLEAN_FORMAT,
            "day": pattern or DATE_FORMAT,
            "moment": pattern or DATETIME_FORMAT,
        }
        self.general = self._patterns["number"] is None
        self._known: dict[tuple[str, int, bool, Note], str] = {}
        live = setting.live | {-1}
        self._styles = None if column.styles is None or live.issuperset(column.styles) else column.styles
        self._targets = column.links if column.links is not None and any(column.links) else None

    @property
    def fills(self) -> bool:
        """Tell whether some of the cells have a background of their own."""
        used = () if self._styles is None else set(self._styles) - self._setting.live - {-1}
        return any(self._setting.styles[style].background for style in used)

    def attributes(
        self,
        kind: str,
        attributes: str,
        start: int,
        rows: Sequence[str],
        notes: Sequence[Note] | None = None,
    ) -> list[Slot]:
        """Return the slots from the row's number to the end of the cell's opening tag.

        Enters the links of the rows from `start` on; call it once for a chunk.
        """
        if notes is None and self._styles is None and self._targets is None:
            return [f'" s="{self._xf((kind, -1, False, PLAIN))}"{attributes}>']
        keys = list(
            zip(repeat(kind), self._shades(start, rows), self._linked(start, rows), notes or repeat(PLAIN))
        )
        known = {key: self._xf(key) for key in dict.fromkeys(keys)}
        return ['" s="', list(map(known.__getitem__, keys)), f'"{attributes}>']

    def one(self, kind: str, index: int, row: str, note: Note) -> str:
        """Return the format of one cell, and enter its link."""
        ((shade, linked),) = zip(self._shades(index, [row]), self._linked(index, [row]), strict=True)
        return self._xf((kind, shade, linked, note))

    def blanks(self, start: int, rows: Sequence[str]) -> list[str] | None:
        """Return empty cells where a conditional style shades a row, empty text elsewhere; None for none."""
        if self._styles is None:
            return None
        shades = self._shades(start, rows)
        known = {
            shade: self._xf(("text", shade, False, PLAIN)) for shade in dict.fromkeys(shades) if shade >= 0
        }
        return [
            f'<c r="{self._letters}{row}" s="{known[shade]}"/>' if shade >= 0 else ""
            for shade, row in zip(shades, rows, strict=True)
        ]

    def _shades(self, start: int, rows: Sequence[str]) -> Sequence[int]:
        """Return the conditional style of each cell, -1 for none."""
        if self._styles is None:
            return [-1] * len(rows)
        shades = self._styles[start : start + len(rows)]
        live = self._setting.live
        return [-1 if shade in live else shade for shade in shades] if live else shades

    def _linked(self, start: int, rows: Sequence[str]) -> Sequence[bool]:
        """Enter the links of the cells; return which of them the worksheet takes."""
        if self._targets is None or self.links is None:
            return [False] * len(rows)
        add, letters = self.links.add, self._letters
        targets = self._targets[start : start + len(rows)]
        return [
            bool(target) and add(f"{letters}{row}", target or "")
            for target, row in zip(targets, rows, strict=True)
        ]

    def _xf(self, key: tuple[str, int, bool, Note]) -> str:
        found = self._known.get(key)
        if found is None:
            kind, shade, linked, note = key
            properties = self.properties(kind, note) | (LINK if linked else {})
            if shade >= 0:
                properties |= changes(self._setting.styles[shade])
            found = self._known[key] = self._setting.looks.xf(properties)
        return found

    def properties(self, kind: str, note: Note = PLAIN) -> Properties:
        """Return a format as XlsxWriter properties; `kind` is number, long, plain, day, moment or text."""
        wrapped, quoted = note
        pattern = self._patterns.get(kind)
        more: dict[str, Any] = {"num_format": pattern} if pattern else {}
        if wrapped:
            more["text_wrap"] = True
        if quoted:
            more["quote_prefix"] = True
        return self._base | more
