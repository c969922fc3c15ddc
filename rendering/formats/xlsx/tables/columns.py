"""A column's cells as XML, a chunk of rows at a time.

A chunk is a sequence of slots: constants, and lists with one text per row. Columns of one type (numbers,
dates, texts, booleans) never call a function per cell; mixed ones take the exact way, cell by cell.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace
from datetime import date, datetime
from decimal import Decimal
from itertools import repeat
from typing import Any, Final

from config.value import dataclass
from rendering.formats.xlsx.cells import (
    DECIMAL_TYPES,
    GENERAL_DIGITS,
    digits,
    long,
    moment,
    number,
    serial,
    serials,
    storable,
)
from rendering.formats.xlsx.lengths import has_wide, length, lines_of
from rendering.formats.xlsx.styles import PADDING, Properties
from rendering.formats.xlsx.tables.column_looks import ColumnLook, Setting, Slot
from rendering.formats.xlsx.texts import FORMULA_STARTS, element, escaped, inline, legal, unmarked
from templates_app.expressions.helpers import MOMENT_HELPERS, TEXT_HELPERS
from templates_app.resolved import ResolvedColumn

Keep = list[bool] | None  # rows that have a cell; None: all of them
MOST_REMEMBERED: Final = 50_000  # serials of dates
ISO_DAY: Final = len("2026-11-21")
SAMPLE: Final = 1000
UNIQUE: Final = 0.95  # of a sample that differs: sharing texts would not pay


@dataclass(frozen=True, slots=True)
class Chunk:
    """Cells of one column in some rows: slots, and how many lines each row takes (None: one)."""

    slots: list[Slot]
    lines: list[int] | None = None


@dataclass(frozen=True, slots=True)
class _Rows:
    """Values of a column in some rows of a sheet."""

    values: Sequence[Any]
    types: set[type]  # without that of None
    start: int
    numbers: Sequence[str]  # of the sheet's rows, in digits
    keep: Keep = None


class ColumnCells:
    """Writes the cells of one column."""

    def __init__(
        self, column: ResolvedColumn, letters: str, setting: Setting, *, after_right: bool = False
    ) -> None:
        """Prepare; `fit` gives the width before cells are written.

        A column of text after one that stands right keeps a distance from it.
        """
        self.column = column
        self.letters = letters
        self.values: Sequence[Any] = shown_values(column)
        self.formula: list[str] | None = None  # a live formula, split where the row's number goes
        self.width = 0.0
        self.look = ColumnLook(column, letters, setting, after_right=after_right)
        self._looks = setting.looks
        self._shared = setting.texts
        self._room = 1.0
        self._as_text = column.format.helper in TEXT_HELPERS
        self._start = f'<c r="{letters}'
        self._serials: dict[Any, str | None] = {}
        self._sharing: bool | None = None

    def fit(self, width: float) -> None:
        """Set the width in characters; longer text is wrapped."""
        self.width = width
        self._room = max(width - PADDING / 2, 1.0)

    # ---------------------------------------------------------------- a chunk

    def chunk(self, start: int, stop: int, numbers: Sequence[str]) -> Chunk:
        """Return the cells of the rows `start` to `stop`; `numbers` are the sheet's row numbers in digits.

        Raises RenderError for a text longer than a cell holds.
        """
        values = self.values[start:stop]
        types = set(map(type, values))
        keep: Keep = None
        if type(None) in types:
            types.discard(type(None))
            keep = [value is not None for value in values]
        if self._as_text and types and types != {str}:
            write = self.column.format.text
            values = [v if v is None or isinstance(v, str) else write(v) for v in values]
            types = {str}
        rows = _Rows(values, types, start, numbers, keep)
        if not types:
            return self._nothing(rows)
        return (
            self._numbers(rows)
            or self._booleans(rows)
            or self._moments(rows)
            or self._texts(rows)
            or self._mixed(rows)
        )

    def _nothing(self, rows: _Rows) -> Chunk:
        blanks = self.look.blanks(rows.start, rows.numbers)
        return Chunk([] if blanks is None else [blanks])

    def _numbers(self, rows: _Rows) -> Chunk | None:
        if not rows.types <= DECIMAL_TYPES:
            return None
        values = rows.values
        if rows.keep is not None:
            values = [0 if value is None else value for value in values]
        bodies = digits(values, rows.types)
        if bodies is None:
            return None
        middle: list[Slot] = ["<v>"]
        if self.formula is not None:
            middle = ["<f>", escaped(self.formula[0])]
            for piece in self.formula[1:]:
                middle += [rows.numbers, escaped(piece)]
            middle.append("</f><v>")
        attributes = self.look.attributes(self._kind_of_numbers(bodies), "", rows.start, rows.numbers)
        return self._cells(rows, [*attributes, *middle, bodies, "</v></c>"])

    def _kind_of_numbers(self, bodies: Sequence[str]) -> str:
        """Return "long" for whole numbers that a cell without a number format would shorten."""
        if not self.look.general or max(map(len, bodies)) <= GENERAL_DIGITS:
            return "number"
        return "long" if any(map(long, bodies)) and "." not in "".join(bodies) else "number"

    def _booleans(self, rows: _Rows) -> Chunk | None:
        if rows.types != {bool}:
            return None
        bodies = ["1" if value else "0" for value in rows.values]
        attributes = self.look.attributes("plain", ' t="b"', rows.start, rows.numbers)
        return self._cells(rows, [*attributes, "<v>", bodies, "</v></c>"])

    def _moments(self, rows: _Rows) -> Chunk | None:
        """Write days or moments (ISO text as well where the format is one); each is worked out once."""
        kind = self._kind_of_moments(rows)
        if kind is None:
            return None
        known = self._serials
        if len(known) > MOST_REMEMBERED:
            known.clear()
        known[None] = ""
        new = [value for value in dict.fromkeys(rows.values) if value not in known]
        if rows.types == {date}:
            known.update(zip(new, serials(new), strict=True))
        else:
            for value in new:
                day = moment(value, self.column.format)
                known[value] = None if day is None else serial(day)
        bodies: list[Any] = list(map(known.__getitem__, rows.values))
        if None in bodies:
            return None
        attributes = self.look.attributes(kind, "", rows.start, rows.numbers)
        return self._cells(rows, [*attributes, "<v>", bodies, "</v></c>"])

    def _kind_of_moments(self, rows: _Rows) -> str | None:
        """Return "day" or "moment" when all values are of one kind."""
        if rows.types == {date}:
            return "day"
        if rows.types == {datetime}:
            return "moment"
        if rows.types != {str} or self.column.format.helper not in MOMENT_HELPERS:
            return None
        lengths = {len(value) for value in rows.values if value is not None}
        return "day" if lengths == {ISO_DAY} else "moment" if min(lengths) > ISO_DAY else None

    # ---------------------------------------------------------------- texts

    def _texts(self, rows: _Rows) -> Chunk | None:
        """Write texts: those that repeat go to the workbook's table, the others into their cells."""
        values = rows.values
        if rows.types != {str} or (self.column.format.helper in MOMENT_HELPERS and self._iso(values)):
            return None
        distinct = dict.fromkeys(values)
        if self._share() and self._shared.learn(distinct):
            bodies: list[Any] = list(map(self._shared.indexes.__getitem__, values))
            kind, before, after = ' t="s"', "<v>", "</v></c>"
        else:
            bodies, edges = inline(values)
            kind, after = ' t="inlineStr"', "</t></is></c>"
            before = '<is><t xml:space="preserve">' if edges else "<is><t>"
        keep = [body is not None for body in bodies] if None in bodies else None
        if keep is not None:
            if not any(keep):
                return self._nothing(rows)
            bodies = ["" if body is None else body for body in bodies]
        notes, lines = self._notes(values, distinct)
        attributes = self.look.attributes("text", kind, rows.start, rows.numbers, notes)
        return self._cells(replace(rows, keep=keep), [*attributes, before, bodies, after], lines)

    def _iso(self, values: Sequence[Any]) -> bool:
        """Return whether one of the texts is a date in a column of dates."""
        return any(value and moment(value, self.column.format) for value in values)

    def _share(self) -> bool:
        """Return whether texts repeat enough to be shared, by a sample of the whole column."""
        if self._sharing is None:
            values = self.values
            sample = values[:: max(1, len(values) // SAMPLE)]
            self._sharing = len(set(sample)) < max(len(sample) * UNIQUE, 8)
        return self._sharing

    def _notes(
        self, values: Sequence[Any], distinct: dict[Any, None]
    ) -> tuple[list[tuple[bool, bool]] | None, list[int] | None]:
        """Return which cells are wrapped or look like formulas, and how many lines each row takes."""
        texts = [text for text in distinct if text]
        joined = "\n" + "\n".join(texts)
        broken = "\r" in joined or joined.count("\n") != len(texts)
        wraps = broken or max(map(length if has_wide(joined) else len, texts)) > self._room
        quotes = any("\n" + sign in joined for sign in FORMULA_STARTS)
        if not wraps and not quotes:
            return None, None
        lines = {text: lines_of(text, self._room) if text else 1 for text in distinct}
        notes = {text: (lines[text] > 1, bool(text) and text.startswith(FORMULA_STARTS)) for text in distinct}
        return list(map(notes.__getitem__, values)), list(map(lines.__getitem__, values)) if wraps else None

    # ---------------------------------------------------------------- cell by cell

    def _mixed(self, rows: _Rows) -> Chunk:
        """Write cells of different types, or such as no quick way can take."""
        cells: list[str] = self.look.blanks(rows.start, rows.numbers) or [""] * len(rows.numbers)
        lines = [1] * len(cells)
        for index, value in enumerate(rows.values):
            kind, attributes, content, lines[index] = self._single(value)
            if content:
                quoted = isinstance(value, str) and value.startswith(FORMULA_STARTS)
                note = (lines[index] > 1, quoted and kind == "text")
                xf = self.look.one(kind, rows.start + index, rows.numbers[index], note)
                cells[index] = f'{self._start}{rows.numbers[index]}" s="{xf}"{attributes}>{content}</c>'
        return Chunk([cells], lines if max(lines) > 1 else None)

    def _single(self, value: Any) -> tuple[str, str, str, int]:
        """Return look, attributes, content (empty: no cell) and lines of one value."""
        if value is None or value == "":
            return "text", "", "", 1
        day = moment(value, self.column.format)
        if day is not None:
            stored = serial(day)
            if stored is not None:
                return ("moment" if isinstance(day, datetime) else "day"), "", f"<v>{stored}</v>", 1
            value = self.column.format.text(value)
        if isinstance(value, bool):
            return "plain", ' t="b"', f"<v>{int(value)}</v>", 1
        if isinstance(value, int | float | Decimal) and storable(value):
            stored = number(value)
            kind = "long" if self.look.general and long(stored) else "number"
            return kind, "", f"<v>{stored}</v>", 1
        text = legal(str(value))
        content = f"<is>{element(text)}</is>" if text else ""
        return "text", ' t="inlineStr"', content, lines_of(text, self._room)

    def is_number(self, value: Any) -> bool:
        """Return whether a cell holds a value as a number; a day is one, a number of many digits is not."""
        _, attributes, content, _ = self._single(value)
        return bool(content) and not attributes

    def cell(self, value: Any, row: int, look: Properties, formula: str | None = None) -> str:
        """Return a cell outside of the rows (of a total); without a value, one that only shows its look.

        Give a formula for what `is_number` only.
        """
        kind, attributes, content, _ = self._single(value)
        xf = self._looks.xf(self.look.properties(kind) | look)
        if formula is not None:
            content = f"<f>{escaped(formula)}</f>{content}"
        return f'{self._start}{row}" s="{xf}"{attributes}>{content}</c>'

    def _cells(self, rows: _Rows, slots: list[Slot], lines: list[int] | None = None) -> Chunk:
        """Put the cells' starts in front; rows that `keep` leaves out get no cell."""
        slots = [self._start, rows.numbers, *slots]
        if rows.keep is not None:
            spread: list[Iterable[str]] = [repeat(s) if isinstance(s, str) else s for s in slots]
            cells = map("".join, zip(*spread, strict=False))
            blanks = self.look.blanks(rows.start, rows.numbers) or repeat("")
            slots = [
                [c if wanted else blank for c, wanted, blank in zip(cells, rows.keep, blanks, strict=False)]
            ]
        return Chunk(slots, lines)


def shown_values(column: ResolvedColumn) -> Sequence[Any]:
    """Return what the cells hold: the values, or the author's text where it is all that there is."""
    if column.display == "image":
        return [None] * len(column.values)
    values: Sequence[Any] = column.values
    if column.display == "check":
        values = [v if v is None or isinstance(v, str) else bool(v) for v in values]
    if column.texts is not None and not (column.key or column.formula):
        values = [text if isinstance(text, str) else unmarked(text) for text in column.texts]
    if column.display == "link" and column.links is not None:
        values = [
            link if value in {None, ""} and link else value
            for value, link in zip(values, column.links, strict=True)
        ]
    return values
