"""Resolved sections, a class per kind; a table has a module of its own."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any, ClassVar, Final, Literal

from config.value import value
from templates_app.expressions.helpers import Format
from templates_app.resolved.look import ImageFile, Rich

Align = Literal["left", "center", "right"]
ChartType = Literal["bar", "stacked_bar", "column", "stacked_column", "line", "area", "pie", "donut"]
ROUND_CHARTS: Final = frozenset({"pie", "donut"})  # they have no axes
# `end` is where lines end: the right, in a document from right to left the left.
TextAlign = Literal["left", "center", "right", "justify", "end"]


class ResolvedSection:
    """Base of the resolved sections; renderers find the function for one by its `kind`."""

    __slots__ = ()

    kind: ClassVar[str]
    announced: ClassVar[bool] = False  # a text right before it introduces it, and stays with it

    def parts(self) -> Sequence[Sequence[ResolvedSection]]:
        """Return the lists of sections inside this one, in the order of reading."""
        return ()


@value
class ResolvedPlace(ResolvedSection):
    """A section and where it is written, for who asks which section drew what: a render does without.

    `place` is the path from the section around it, such as `columns[1].sections[0]`.
    """

    kind: ClassVar[str] = "place"

    section: ResolvedSection
    place: str


@value
class ResolvedLanguage(ResolvedSection):
    """A section in another language (BCP 47) than what is around it."""

    kind: ClassVar[str] = "language"

    section: ResolvedSection
    language: str


@value
class ResolvedHeading(ResolvedSection):
    """A heading of level 1 to 6; it becomes a bookmark and an entry of the table of contents."""

    kind: ClassVar[str] = "heading"

    text: Rich
    level: int
    align: TextAlign
    numbered: str = ""  # "2.1", when the template numbers its headings


@value
class ResolvedText(ResolvedSection):
    """A block of text; newlines are kept, an empty line parts paragraphs."""

    kind: ClassVar[str] = "text"

    text: Rich
    align: TextAlign
    size: float | None  # None: the theme's
    bold: bool
    italic: bool
    color: str | None
    hyphenate: bool = True


@value
class ResolvedImage(ResolvedSection):
    """An image in a frame of `width` x `height` mm; one given keeps the ratio, none is the natural size.

    With both: `fit` shows it whole, `cover` fills the frame and cuts, `exact` stretches.
    """

    kind: ClassVar[str] = "image"
    announced: ClassVar[bool] = True

    image: ImageFile | None  # None: an optional image that the data does not give
    width: float | None
    height: float | None
    align: Align
    alt: str
    mode: Literal["fit", "cover", "exact"] = "fit"
    link: str | None = None


@value
class ResolvedPair:
    """A label and its value.

    `typed` is what `value` writes and how, where that is one number or moment: a sheet's cell can hold it.
    """

    label: Rich
    value: Rich
    strong: bool
    typed: tuple[Any, Format] | None = None


@value
class ResolvedKeyValue(ResolvedSection):
    """Pairs in `columns` columns; aligned right they make a totals block."""

    kind: ClassVar[str] = "key_value"
    announced: ClassVar[bool] = True

    pairs: Sequence[ResolvedPair]
    columns: int
    align: Align
    label_width: float | None
    size: float | None = None  # points


@value
class ResolvedItem:
    """An entry of a list and the list below it."""

    text: Rich
    children: Sequence[ResolvedItem] = ()


@value
class ResolvedList(ResolvedSection):
    """Items with a bullet or a number; `style` is how the outermost level counts."""

    kind: ClassVar[str] = "list"
    announced: ClassVar[bool] = True

    items: Sequence[ResolvedItem]
    ordered: bool
    style: Literal["decimal", "alpha", "roman", "outline"] = "decimal"
    start: int = 1
    size: float | None = None  # points


@value
class ResolvedDivider(ResolvedSection):
    """A horizontal rule; `thickness` in points."""

    kind: ClassVar[str] = "divider"

    thickness: float
    color: str | None  # None: the theme's rule


@value
class ResolvedSpacer(ResolvedSection):
    """Empty height."""

    kind: ClassVar[str] = "spacer"

    height: float


@value
class ResolvedPageBreak(ResolvedSection):
    """The next section begins a new page."""

    kind: ClassVar[str] = "page_break"


@value
class ResolvedColumnOfSections:
    """Sections under each other; `width` in mm, "25%", "2*" (a share of what is left), None is "1*"."""

    sections: Sequence[ResolvedSection]
    width: float | str | None


@value
class ResolvedColumns(ResolvedSection):
    """Sections side by side, `gap` mm apart."""

    kind: ClassVar[str] = "columns"

    columns: Sequence[ResolvedColumnOfSections]
    gap: float

    def parts(self) -> Sequence[Sequence[ResolvedSection]]:
        """Return the sections of each column."""
        return [column.sections for column in self.columns]


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
class ResolvedGroup(ResolvedSection):
    """The same sections for each entry of a list."""

    kind: ClassVar[str] = "group"

    entries: Sequence[Sequence[ResolvedSection]]
    keep_together: bool
    page_break: bool  # between two entries
    gap: float | None  # millimetres between two entries; None: as between boxes, without a frame as sections
    frame: Frame

    def parts(self) -> Sequence[Sequence[ResolvedSection]]:
        """Return the sections of each entry."""
        return self.entries


@value
class ResolvedBox(ResolvedSection):
    """Sections in a frame."""

    kind: ClassVar[str] = "box"

    sections: Sequence[ResolvedSection]
    frame: Frame
    keep_together: bool

    def parts(self) -> Sequence[Sequence[ResolvedSection]]:
        """Return its sections."""
        return (self.sections,)


@value
class ResolvedContents(ResolvedSection):
    """A table of contents: the headings up to `levels` with the pages they stand on."""

    kind: ClassVar[str] = "table_of_contents"

    title: Rich
    levels: int


@value
class Series:
    """One series of a chart; as many values as there are categories, None leaves a gap."""

    name: str
    values: Sequence[float | None]
    color: str | None = None


@value
class ResolvedChart(ResolvedSection):
    """A chart; pie and donut draw the first series only."""

    kind: ClassVar[str] = "chart"
    announced: ClassVar[bool] = True

    chart: ChartType
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
    category_title: str = ""  # of the axes; pies have none
    value_title: str = ""


@value
class ResolvedBarcode(ResolvedSection):
    """A bar code; `value` was checked against its symbology."""

    kind: ClassVar[str] = "barcode"
    announced: ClassVar[bool] = True

    symbology: Literal["qr", "code128", "ean13", "datamatrix", "pdf417"]
    value: str
    width: float | None  # millimetres
    height: float | None
    align: Align
    text: bool  # the value below the bars
    error_correction: Literal["L", "M", "Q", "H"] = "M"


@value
class ResolvedSigner:
    """One line to sign on; `typed` is what `date` writes, as that of a pair."""

    name: Rich
    role: Rich
    image: ImageFile | None = None
    date: Rich = ""
    typed: tuple[Any, Format] | None = None


@value
class ResolvedSignature(ResolvedSection):
    """Lines to sign on, side by side; kept on one page."""

    kind: ClassVar[str] = "signature"

    signers: Sequence[ResolvedSigner]
    columns: int
    height: float  # millimetres above each line


def every_section(sections: Sequence[ResolvedSection], around: str) -> Iterator[tuple[Any, str]]:
    """Yield sections and those inside them, in the order of reading, with their languages (BCP 47).

    `around` is the language of all without one. Places and languages are no sections of their own.
    """
    for section in sections:
        language = around
        if isinstance(section, ResolvedPlace):
            section = section.section
        if isinstance(section, ResolvedLanguage):
            language, section = section.language, section.section
        yield section, language
        for part in section.parts():
            yield from every_section(part, language)
