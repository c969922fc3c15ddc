"""Resolved documents: what is left of a template once data has filled it. Plain values, no format.

Renderers read these and nothing else. Lengths are millimetres, font sizes points, colours `#rrggbb`.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import field
from datetime import date, datetime
from decimal import Decimal
from typing import TYPE_CHECKING, Any, Literal

from config.value import value
from templates_app.expressions.helpers import Format

if TYPE_CHECKING:
    from templates_app.expressions.formulas import Formula

Align = Literal["left", "center", "right"]
TextAlign = Literal["left", "center", "right", "justify"]
CellAlign = Literal["left", "center", "right", "decimal"]
Overflow = Literal["wrap", "shrink", "cut"]
Display = Literal["text", "image", "check", "link"]
# What a table cell holds: typed, so that a spreadsheet gets numbers and dates, not their text.
Cell = str | int | float | Decimal | bool | date | datetime | None


# ---------------------------------------------------------------- text


@value
class Span:
    """A piece of text with its inline marks; `link` is a checked http(s), mailto or tel address."""

    text: str
    bold: bool = False
    italic: bool = False
    underline: bool = False
    strike: bool = False
    script: Literal["", "super", "sub"] = ""
    code: bool = False
    color: str | None = None
    link: str | None = None


# Text without any mark is a plain string: the common case, and the quick one.
Rich = str | tuple[Span, ...]


def plain(text: Rich) -> str:
    """Return the words alone, without their marks."""
    return text if isinstance(text, str) else "".join(span.text for span in text)


# ---------------------------------------------------------------- files


@value
class ImageFile:
    """A checked image: PNG, JPEG, WebP or SVG bytes, its size in pixels (SVG: in CSS pixels)."""

    content: bytes
    content_type: str
    width: int
    height: int


@value
class FontFamily:
    """An organization's own typeface: TTF bytes of up to four faces; a missing one is the regular."""

    name: str
    regular: bytes
    bold: bytes | None = None
    italic: bytes | None = None
    bold_italic: bytes | None = None


# ---------------------------------------------------------------- look


@value
class HeadingLook:
    """Looks of one heading level; lengths in points."""

    size: float
    color: str
    before: float
    after: float
    bold: bool = True


@value
class Theme:
    """How a document looks, in one place; lengths are points here. The defaults are the house style."""

    font: FontFamily | None = None  # None: the bundled family
    heading_font: FontFamily | None = None  # None: `font`
    size: float = 10.0
    leading: float = 1.42  # line height of running text, in font sizes
    ink: str = "#1b2430"
    muted: str = "#5c6776"
    accent: str = "#1f4b73"
    rule: str = "#dfe3e8"
    rule_strong: str = "#aeb7c2"
    tint: str = "#f1f4f7"  # behind table heads, boxes and code
    zebra: str = "#f8f9fb"
    spacing: float = 1.0  # factor on every gap between blocks
    headings: Mapping[int, HeadingLook] = field(
        default_factory=lambda: {
            1: HeadingLook(24, "#1b2430", 22, 10),
            2: HeadingLook(15, "#1f4b73", 20, 7),
            3: HeadingLook(12, "#1b2430", 15, 5),
            4: HeadingLook(10.5, "#1f4b73", 13, 4),
            5: HeadingLook(10, "#1b2430", 11, 3),
            6: HeadingLook(9, "#5c6776", 10, 3),
        }
    )


# ---------------------------------------------------------------- sections


@value
class ResolvedPlace:
    """A section and where it is written, for who asks which section drew what: a render does without.

    `place` is the path from the section around it, such as `columns[1].sections[0]`.
    """

    section: Any
    place: str
    kind: str = "place"


@value
class ResolvedHeading:
    """A heading of level 1 to 6; it becomes a bookmark and an entry of the table of contents."""

    text: Rich
    level: int
    align: Align
    numbered: str = ""  # "2.1", when the template numbers its headings
    kind: str = "heading"


@value
class ResolvedText:
    """A block of text; newlines are kept, an empty line parts paragraphs."""

    text: Rich
    align: TextAlign
    size: float | None  # None: the theme's
    bold: bool
    italic: bool
    color: str | None
    hyphenate: bool = True
    kind: str = "text"


@value
class CellStyle:
    """What a condition changes about a cell."""

    color: str | None = None
    background: str | None = None
    bold: bool = False
    italic: bool = False


@value
class ResolvedColumn:
    """One column of a table with its cells; every list is as long as the table has rows.

    In a very long table `values` makes its cells when they are asked for and keeps none: take slices of a few
    thousand rows (each is a list), and do not copy the whole.
    `format` turns typed cells into text and names the spreadsheet format. `texts` replaces that text where
    the author wrote a template for the cell (marks included). `styles` holds indexes into the table's
    `styles`, -1 for none. `formula` is the computed column's own, over the keys of the other columns.
    """

    key: str
    header: Rich
    width: float | str | None  # millimetres, "25%" of the available width, "*" or "2*" shares, None: content
    align: CellAlign
    format: Format
    values: Sequence[Cell]
    texts: Sequence[Rich] | None = None
    links: Sequence[str | None] | None = None
    images: Sequence[ImageFile | None] | None = None
    display: Display = "text"
    overflow: Overflow = "wrap"
    head_group: str = ""  # neighbours with the same one share a head above their own
    styles: Sequence[int] | None = None
    formula: Formula | None = None
    total: str | None = None  # sum, average, count, min, max
    bold: bool = False


@value
class ResolvedGroupOfRows:
    """Rows `start` to `stop` (exclusive) that share a value; outer groups come before inner ones.

    `subtotals` has one cell per column (None: nothing), or is None when the group has no subtotals.
    """

    level: int  # 0 is the outermost
    title: Rich
    start: int
    stop: int
    subtotals: Sequence[Cell] | None
    label: Rich = ""  # in front of the subtotals


@value
class ConditionalStyle:
    """A condition on one column that a spreadsheet can hold live; `style` indexes the table's `styles`."""

    column: int
    operator: str  # equals, not_equals, greater, greater_or_equal, less, less_or_equal
    value: Cell
    style: int


@value
class ResolvedTable:
    """A table, stored by column; rows are in printed order (groups gathered), each exactly once."""

    title: Rich
    columns: Sequence[ResolvedColumn]
    count: int  # rows
    zebra: bool
    size: float | None  # None: a point less than the theme's
    empty_text: Rich
    styles: Sequence[CellStyle] = ()
    conditions: Sequence[ConditionalStyle] = ()
    groups: Sequence[ResolvedGroupOfRows] = ()
    totals: Sequence[Cell] | None = None  # one per column; a count is written without the column's format
    totals_label: Rich = ""
    rules: Literal["horizontal", "grid", "none"] = "horizontal"
    padding: float | None = None  # millimetres, above and below the text
    repeat_head: bool = True
    head: bool = True
    keep_rows: bool = True  # a row is not parted between pages unless it is taller than one
    min_rows: int = 2  # rows that stay with the head, and with a group's heading
    keep_with_next: bool = False  # the last rows stay with the block that follows
    carry: bool = False  # brought forward and carried forward lines for the columns with a sum
    carry_labels: tuple[str, str] = ("Brought forward", "Carried forward")
    sheet: SheetOptions | None = None
    kind: str = "table"


@value
class SheetOptions:
    """What only a spreadsheet shows."""

    name: str = ""  # of the worksheet; empty: the title
    freeze_columns: int = 0
    autofilter: bool = True
    excel_table: bool = False
    formulas: bool = True  # totals and computed columns are live


@value
class ResolvedImage:
    """An image in a frame of `width` x `height` mm; one given keeps the ratio, none is the natural size.

    With both: `fit` shows it whole, `cover` fills the frame and cuts, `exact` stretches.
    """

    image: ImageFile | None  # None: an optional image that the data does not give
    width: float | None
    height: float | None
    align: Align
    alt: str
    mode: Literal["fit", "cover", "exact"] = "fit"
    link: str | None = None
    kind: str = "image"


@value
class ResolvedPair:
    """A label and its value."""

    label: Rich
    value: Rich
    strong: bool


@value
class ResolvedKeyValue:
    """Pairs in `columns` columns; aligned right they make a totals block."""

    pairs: Sequence[ResolvedPair]
    columns: int
    align: Align
    label_width: float | None
    kind: str = "key_value"


@value
class ResolvedItem:
    """An entry of a list and the list below it."""

    text: Rich
    children: Sequence[ResolvedItem] = ()


@value
class ResolvedList:
    """Items with a bullet or a number; `style` is how the outermost level counts."""

    items: Sequence[ResolvedItem]
    ordered: bool
    style: Literal["decimal", "alpha", "roman"] = "decimal"
    start: int = 1
    kind: str = "list"


@value
class ResolvedDivider:
    """A horizontal rule; `thickness` in points."""

    thickness: float
    color: str | None  # None: the theme's rule
    kind: str = "divider"


@value
class ResolvedSpacer:
    """Empty height."""

    height: float
    kind: str = "spacer"


@value
class ResolvedPageBreak:
    """The next section begins a new page."""

    kind: str = "page_break"


@value
class ResolvedColumnOfSections:
    """Sections under each other; `width` in mm, "25%", "2*" (a share of what is left), None is "1*"."""

    sections: Sequence[Any]
    width: float | str | None


@value
class ResolvedColumns:
    """Sections side by side, `gap` mm apart."""

    columns: Sequence[ResolvedColumnOfSections]
    gap: float
    kind: str = "columns"


@value
class Frame:
    """Background and border around sections; lengths in millimetres, the border in points."""

    background: str | None = None
    border: float = 0.0
    border_color: str | None = None
    padding: float = 0.0
    radius: float = 0.0
    accent: str | None = None  # a strong line at the left


@value
class ResolvedGroup:
    """The same sections for each entry of a list."""

    entries: Sequence[Sequence[Any]]
    keep_together: bool
    page_break: bool  # between two entries
    gap: float  # millimetres between two entries
    frame: Frame
    kind: str = "group"


@value
class ResolvedBox:
    """Sections in a frame."""

    sections: Sequence[Any]
    frame: Frame
    keep_together: bool
    kind: str = "box"


@value
class ResolvedContents:
    """A table of contents: the headings up to `levels` with the pages they stand on."""

    title: Rich
    levels: int
    kind: str = "table_of_contents"


@value
class Series:
    """One series of a chart; as many values as there are categories, None leaves a gap."""

    name: str
    values: Sequence[float | None]
    color: str | None = None


@value
class ResolvedChart:
    """A chart; pie and donut draw the first series only."""

    chart: Literal["bar", "stacked_bar", "column", "stacked_column", "line", "area", "pie", "donut"]
    title: Rich
    categories: Sequence[str]
    series: Sequence[Series]
    format: Format
    width: float | None  # millimetres; None: all there is
    height: float
    align: Align
    legend: Literal["bottom", "right", "none"]
    labels: bool  # the values beside their marks
    alt: str
    kind: str = "chart"


@value
class ResolvedBarcode:
    """A bar code; `value` was checked against its symbology."""

    symbology: Literal["qr", "code128", "ean13", "datamatrix", "pdf417"]
    value: str
    width: float | None  # millimetres
    height: float | None
    align: Align
    text: bool  # the value below the bars
    error_correction: Literal["L", "M", "Q", "H"] = "M"
    kind: str = "barcode"


@value
class ResolvedSigner:
    """One line to sign on."""

    name: Rich
    role: Rich
    image: ImageFile | None = None
    date: Rich = ""


@value
class ResolvedSignature:
    """Lines to sign on, side by side; kept on one page."""

    signers: Sequence[ResolvedSigner]
    columns: int
    height: float  # millimetres above each line
    kind: str = "signature"


# ---------------------------------------------------------------- page


@value
class ResolvedBand:
    """Header or footer: three texts on one line, or sections; PAGE_NUMBER and PAGE_COUNT in any of its texts
    stand for what layout knows."""

    left: Rich = ""
    center: Rich = ""
    right: Rich = ""
    sections: Sequence[Any] = ()
    height: float | None = None  # millimetres; None: as its content takes


# Private-use characters: caller data cannot be mistaken for them, `resolve` removes them from values.
PAGE_NUMBER = "\ue000"
PAGE_COUNT = "\ue001"


@value
class Watermark:
    """Words or an image across every page, behind the content."""

    text: str = ""
    image: ImageFile | None = None
    color: str = "#9aa3ad"
    opacity: float = 0.15
    angle: float = 45.0  # degrees, anticlockwise
    size: float | None = None  # points; None: as large as the page takes


@value
class ResolvedPage:
    """The paper: size and margins in millimetres, orientation already applied."""

    width: float
    height: float
    margin_top: float
    margin_right: float
    margin_bottom: float
    margin_left: float
    header: ResolvedBand | None = None
    footer: ResolvedBand | None = None
    # None: as on the other pages; an empty band: nothing
    first_header: ResolvedBand | None = None
    first_footer: ResolvedBand | None = None
    watermark: Watermark | None = None
    background: ImageFile | None = None  # covers every page


@value
class Protection:
    """Passwords and what a reader without the owner's may do."""

    user_password: str = ""
    owner_password: str = ""
    allow_print: bool = True
    allow_copy: bool = True
    allow_change: bool = False


@value
class ResolvedDocument:
    """Everything a renderer needs. `created_at` is an input, so that the same input gives the same bytes."""

    title: str
    language: str
    page: ResolvedPage
    sections: Sequence[Any]
    created_at: datetime
    author: str = ""
    subject: str = ""
    theme: Theme = field(default_factory=Theme)
    protection: Protection | None = None
    cover_sheet: bool = False  # xlsx: a first worksheet with the text
