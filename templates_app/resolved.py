"""Resolved documents: what is left of a template once data has filled it. Plain values, no format.

Renderers read these and nothing else. Lengths are millimetres, font sizes points.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date, datetime
from decimal import Decimal
from typing import Any, Literal

from templates_app.expressions.helpers import Format

Align = Literal["left", "center", "right"]
# What a table cell holds: typed, so that a spreadsheet gets numbers and dates, not their text.
Cell = str | int | float | Decimal | bool | date | datetime | None


@dataclass(frozen=True, slots=True)
class ImageFile:
    """A checked image: PNG or JPEG bytes, its size in pixels."""

    content: bytes
    content_type: str
    width: int
    height: int


@dataclass(frozen=True, slots=True)
class ResolvedHeading:
    """A heading of level 1 to 6."""

    text: str
    level: int
    align: Align
    kind: str = "heading"


@dataclass(frozen=True, slots=True)
class ResolvedText:
    """A block of text; newlines are kept, an empty line parts paragraphs."""

    text: str
    align: Literal["left", "center", "right", "justify"]
    size: float
    bold: bool
    italic: bool
    color: str | None
    kind: str = "text"


@dataclass(frozen=True, slots=True)
class ResolvedColumn:
    """One column of a table; `format` turns its typed cells into text and names the spreadsheet format."""

    header: str
    width: float | str | None  # millimetres, "25%" of the available width, or None (from the content)
    align: Align
    format: Format


@dataclass(frozen=True, slots=True)
class ResolvedTable:
    """A table: typed cells, row by row, as many in each row as there are columns."""

    title: str
    columns: Sequence[ResolvedColumn]
    rows: Sequence[Sequence[Cell]]
    zebra: bool
    size: float
    empty_text: str
    kind: str = "table"


@dataclass(frozen=True, slots=True)
class ResolvedImage:
    """An image of `width` x `height` mm; one given keeps the ratio, none is the natural size."""

    image: ImageFile | None  # None: an optional image that the data does not give
    width: float | None
    height: float | None
    align: Align
    alt: str
    kind: str = "image"


@dataclass(frozen=True, slots=True)
class ResolvedPair:
    """A label and its value."""

    label: str
    value: str
    strong: bool


@dataclass(frozen=True, slots=True)
class ResolvedKeyValue:
    """Pairs in `columns` columns; aligned right they make a totals block."""

    pairs: Sequence[ResolvedPair]
    columns: int
    align: Align
    label_width: float | None
    kind: str = "key_value"


@dataclass(frozen=True, slots=True)
class ResolvedList:
    """Items with a bullet or a number."""

    items: Sequence[str]
    ordered: bool
    kind: str = "list"


@dataclass(frozen=True, slots=True)
class ResolvedDivider:
    """A horizontal rule; `thickness` in points."""

    thickness: float
    color: str
    kind: str = "divider"


@dataclass(frozen=True, slots=True)
class ResolvedSpacer:
    """Empty height."""

    height: float
    kind: str = "spacer"


@dataclass(frozen=True, slots=True)
class ResolvedPageBreak:
    """The next section begins a new page."""

    kind: str = "page_break"


@dataclass(frozen=True, slots=True)
class ResolvedBand:
    """Header or footer: three texts on one line; PAGE_NUMBER and PAGE_COUNT stand for what layout knows."""

    left: str
    center: str
    right: str


# Private-use characters: caller data cannot be mistaken for them, `resolve` removes them from values.
PAGE_NUMBER = "\ue000"
PAGE_COUNT = "\ue001"


@dataclass(frozen=True, slots=True)
class ResolvedPage:
    """The paper: size and margins in millimetres, orientation already applied."""

    width: float
    height: float
    margin_top: float
    margin_right: float
    margin_bottom: float
    margin_left: float
    header: ResolvedBand | None
    footer: ResolvedBand | None


@dataclass(frozen=True, slots=True)
class ResolvedDocument:
    """Everything a renderer needs. `created_at` is an input, so that the same input gives the same bytes."""

    title: str
    language: str
    page: ResolvedPage
    sections: Sequence[Any]
    created_at: datetime
