"""Placed items: what layout hands to the writer, and what tests look at. Plain values.

Points; the origin is the lower left corner of the page, y grows upwards. An item says what it is (`role`):
`h1` to `h6`, `p`, `li`, `caption`, `th`, `td`, `label`, `value`, `figure`, `link`, `artifact` (what a page
repeats or what only decorates). Text is in glyphs already; `text` tells what they say, in reading order.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Final, Literal

from config.value import dataclass, value
from templates_app.resolved import ImageFile

if TYPE_CHECKING:
    from rendering.formats.pdf.layout.structure import Element

ARTIFACT: Final = "artifact"


@value
class TextRun:
    """Glyphs of one face, one size and one colour, set one after the other.

    `font` is the document's name of the face ("F1"); `code` is the inside of a TJ array: PDF strings and
    kerning in thousandths, such as `(AV)80(A)` or `<0024003F>`, Latin-1 characters only, already escaped.
    `actual` is True when the glyphs alone would not give `text` back to who copies it. Every byte 32 of an
    8-bit font is `spread` points wider. `after` is the font that the code leaves behind, when it has changed
    it (`]TJ/F2 10 Tf[`).
    """

    font: str
    size: float
    color: str
    code: str
    width: float
    text: str
    rise: float = 0.0
    actual: bool = False
    spread: float = 0.0
    after: str = ""


@value
class TextLine:
    """A line of runs in visual order; `x`, `y` is the start of its baseline.

    `ascent` and `descent` (both positive, points) are the height that it takes above and below. `said` is
    what it says where its runs, one after the other, do not; a soft hyphen ends a word that goes on, a
    zero-width space one that goes on without a hyphen.
    """

    x: float
    y: float
    runs: Sequence[TextRun]
    role: str
    ascent: float = 0.0
    descent: float = 0.0
    said: str = ""

    @property
    def width(self) -> float:
        """The width of all runs."""
        return sum(run.width for run in self.runs)

    @property
    def text(self) -> str:
        """What the line says; visual order of runs for mixed directions."""
        return "".join(run.text for run in self.runs)


@value
class TextBlock:
    """Many lines in one size and colour, written at once: the cells of a table on a page, a paragraph.

    `code` is ready page code without BT, ET, colour and the font that it begins with; `lines` gives the same
    as single lines, for whoever inspects the layout. The code leaves the font `after` behind when it has
    changed it, and every space `spread` points wider.
    """

    font: str
    size: float
    color: str
    code: str
    lines: Callable[[], Iterator[TextLine]]
    role: str = "td"
    after: str = ""
    spread: float = 0.0


@value
class Rect:
    """A rectangle; lower left corner, fill and stroke colours or None.

    Corners at the side `square` are not round.
    """

    x: float
    y: float
    width: float
    height: float
    fill: str | None = None
    stroke: str | None = None
    thickness: float = 0.5
    radius: float = 0.0
    role: str = ARTIFACT
    square: Literal["left", "right"] | None = None


@value
class Rects:
    """Many filled rectangles (x, y, width, height) of one colour: stripes of a table, modules of a code."""

    boxes: Sequence[tuple[float, float, float, float]]
    fill: str
    role: str = ARTIFACT


@value
class Rules:
    """Straight lines (x1, y1, x2, y2) of one colour and thickness."""

    lines: Sequence[tuple[float, float, float, float]]
    color: str
    thickness: float = 0.5
    dash: tuple[float, ...] = ()
    role: str = ARTIFACT


@value
class Path:
    """A shape; `code` is PDF path construction (`m`, `l`, `c`, `h`, `re`), without painting operators."""

    code: str
    fill: str | None = None
    stroke: str | None = None
    thickness: float = 1.0
    dash: tuple[float, ...] = ()
    even_odd: bool = False
    cap: int = 0
    join: int = 0
    role: str = ARTIFACT


@value
class Picture:
    """An image stretched over a box; PNG, JPEG or WebP (SVG becomes a Group of paths in layout)."""

    x: float
    y: float
    width: float
    height: float
    image: ImageFile
    alt: str = ""
    role: str = "figure"


@value
class Group:
    """Items under a matrix (a b c d e f), clipped to a box (x, y, width, height), of an opacity."""

    items: Sequence[Item]
    matrix: tuple[float, float, float, float, float, float] = (1, 0, 0, 1, 0, 0)
    clip: tuple[float, float, float, float] | None = None
    opacity: float = 1.0
    role: str = ""  # of the whole, such as "figure"; empty: each item's own
    alt: str = ""

    @classmethod
    def moved(cls, items: Sequence[Item], dx: float, dy: float) -> Group:
        """Return items shifted to the right and up."""
        return cls(items, (1, 0, 0, 1, dx, dy))


@value
class Link:
    """An area that leads to an address, or to an Anchor when `target` begins with `#`."""

    x: float
    y: float
    width: float
    height: float
    target: str
    role: str = "link"


@value
class Anchor:
    """A place that links lead to; with a `title` also an entry of the outline (`level` from 1)."""

    name: str
    y: float
    title: str = ""
    level: int = 0
    role: str = ""


@value
class Late:
    """Items that can be made only when all pages are there.

    `build(numbers, count)`: page number of each anchor's name, and number of pages.
    """

    build: Callable[[Mapping[str, int], int], Sequence[Item]]
    role: str = ""


@value
class Region:
    """The area that a section takes; draws nothing. `place` is its path in the content.

    Only a layout with places has them (`layout/places.py`).
    """

    x: float
    y: float
    width: float
    height: float
    place: str
    role: str = ""


@value
class Language:
    """What follows is in another language (BCP 47), up to the one with an empty `tag`; may be nested."""

    tag: str
    role: str = ""


@value
class Tag:
    """What follows on the page belongs to an element of the structure, up to the next one: not the artifacts.

    None: to none, it only decorates. Only tagged documents have them.
    """

    element: Element | None
    role: str = ""


Item = (
    TextLine
    | TextBlock
    | Rect
    | Rects
    | Rules
    | Path
    | Picture
    | Group
    | Link
    | Anchor
    | Late
    | Region
    | Language
    | Tag
)

UNSEEN: Final = (Region, Language, Tag)  # what draws nothing and leads nowhere


@dataclass(slots=True)
class Page:
    """One page on its way to the writer; `number` counts from 1.

    The first items, `ground` of them, are behind everything that sections draw.
    """

    number: int
    width: float
    height: float
    items: list[Item]
    ground: int = 0
