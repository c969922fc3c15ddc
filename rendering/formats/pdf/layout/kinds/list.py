"""Lists with bullets or numbers, nested; texts hang beside their mark."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Final

from config.value import dataclass
from rendering.formats.counters import OUTLINE, marks, style_of_level
from rendering.formats.directions import RIGHT_TO_LEFT_MARK
from rendering.formats.pdf.layout.column import drop, first_lines
from rendering.formats.pdf.layout.flow import Flow
from rendering.formats.pdf.layout.measures import BLOCK_GAP
from rendering.formats.pdf.typeset.bidi import base_direction
from rendering.formats.pdf.typeset.paragraph import compose, place
from rendering.formats.pdf.typeset.rich import cleaned
from rendering.formats.pdf.typeset.style import TextStyle
from templates_app.resolved import ResolvedItem, ResolvedList, TextAlign, plain

if TYPE_CHECKING:
    from rendering.formats.pdf.layout.structure import Attributes

# Of the theme's font size; they grow and shrink with a size of the list's own.
INDENT: Final = 15.0
ITEM_GAP: Final = 3.0
NUMBER_AIR: Final = 8.0  # between number and text
BULLET_AIR: Final = 7.0
LEAST: Final = 60.0  # width that deeper levels must leave for their texts
CHECKED: Final = 100  # items between two looks at the clock

NUMBERINGS: Final = {
    "decimal": "Decimal",
    "alpha": "LowerAlpha",
    "roman": "LowerRoman",
}  # ISO 32000-2, 14.8.5.5
BULLETS: Final = ("•", "–", "▪")
_SIDES: Final[tuple[TextAlign, TextAlign]] = ("left", "right")  # where texts begin


@dataclass(slots=True)
class _Level:
    """The items of one list and how they are marked; `gutter` is where their texts begin."""

    items: Sequence[ResolvedItem]
    marks: Iterator[str]
    begin: float
    gutter: float
    depth: int
    at: int = 0  # the item that comes next
    mark: str = ""  # of the item that was drawn last

    @property
    def text_begin(self) -> float:
        """Where the texts begin, from the start of the outermost list."""
        return self.begin + self.gutter

    def partner(self) -> ResolvedItem | None:
        """Return the item without which the next one is not drawn, where both are short: none stands alone.

        That is the second one for the first, and the last for the one before it, of the outermost list.
        """
        after = self.at + 1
        if self.depth or after == len(self.items) or self.items[self.at].children:
            return None
        return self.items[after] if self.at == 0 or after == len(self.items) - 1 else None


def render(section: ResolvedList, flow: Flow) -> None:
    """Draw the items, each with its bullet or number; markers stay with the first line of their texts."""
    if not section.items:
        return
    style = flow.style(section.size)
    accent = style.but(color=flow.theme.accent)
    rtl = flow.typesetter.mirrored or base_direction(plain(section.items[0].text)) == "rtl"
    flow.gap(BLOCK_GAP)
    flow.open("L", _numbering(section, 0))
    gutters = _gutters(section, flow, style) if section.ordered and section.style == OUTLINE else ()
    levels = [_level(section, section.items, flow, style, None, gutters)]
    count = 0
    while levels:
        level = levels[-1]
        if level.at == len(level.items):
            levels.pop()
            flow.close()
            if levels:  # it stood in an item of the level above
                _end_item(flow)
            continue
        count += 1
        if count % CHECKED == 0:
            flow.limits.check_time()
        level.mark = next(level.marks)
        item = level.items[level.at]
        _draw(item, level, flow, (style, accent), rtl=rtl)
        level.at += 1
        if not item.children:
            _end_item(flow)
        else:
            flow.open("L", _numbering(section, level.depth + 1))
            levels.append(_level(section, item.children, flow, style, level, gutters))
    flow.gap(BLOCK_GAP)


def _numbering(section: ResolvedList, depth: int) -> Attributes:
    """Return what a list of the structure says about its marks."""
    return {"ListNumbering": NUMBERINGS[style_of_level(section.style, depth)] if section.ordered else "Disc"}


def _end_item(flow: Flow) -> None:
    flow.close()  # its body
    flow.close()


def _level(
    section: ResolvedList,
    items: Sequence[ResolvedItem],
    flow: Flow,
    style: TextStyle,
    above: _Level | None,
    gutters: Sequence[float],
) -> _Level:
    depth = above.depth + 1 if above else 0
    begin = above.text_begin if above else 0.0
    if section.ordered:
        first = 1 if above else section.start
        counted = range(first, first + len(items))
        numbers = marks(section.style, depth, flow.typesetter.language, counted, above.mark if above else "")
        gutter = gutters[depth] if gutters else _gutter(numbers, flow, style)
    else:
        numbers = [BULLETS[depth % len(BULLETS)]] * len(items)
        gutter = INDENT * _scale(style, flow)
    room = flow.width - begin
    gutter = min(gutter, max(room - LEAST, 0.0) if above else room / 2)
    return _Level(items, iter(numbers), begin, gutter, depth)


def _gutter(numbers: Sequence[str], flow: Flow, style: TextStyle) -> float:
    """Return the width of the widest mark and of the air behind it."""
    font = flow.typesetter.font(style)
    # Only the longest can be the widest: a list may have many items.
    longest = max(map(len, numbers))
    widest = max(font.width(text, style.size) for text in _some(numbers, longest))
    scale = _scale(style, flow)
    return max(INDENT * scale, widest + NUMBER_AIR * scale)


def _scale(style: TextStyle, flow: Flow) -> float:
    """Return how large the type is beside the theme's: nothing changes where it is the theme's itself."""
    return style.size / flow.theme.size


def _gutters(section: ResolvedList, flow: Flow, style: TextStyle) -> list[float]:
    """Return the gutter of each level of clauses: texts of a level begin at one place, whatever is above."""
    found: list[float] = []
    widest, first = "", section.start
    level = [section.items]
    while level:
        flow.limits.check_time()
        widest += "0" * len(str(first - 1 + max(map(len, level)))) + "."
        found.append(_gutter([widest if not found else widest.removesuffix(".")], flow, style))
        first, level = 1, [item.children for items in level for item in items if item.children]
    return found


def _some(numbers: Sequence[str], longest: int) -> list[str]:
    """Return the numbers that may be the widest: those of most characters, a hundred at most."""
    found = [number for number in numbers if len(number) >= longest - 1]
    return found[-100:]


def _draw(
    item: ResolvedItem, level: _Level, flow: Flow, styles: tuple[TextStyle, TextStyle], *, rtl: bool
) -> None:
    style, accent = styles
    mark = level.mark
    setter, leading = flow.typesetter, flow.theme.leading * style.size
    begin = level.text_begin
    width = flow.width - begin
    scale = _scale(style, flow)
    text, align = cleaned(item.text), _SIDES[rtl]
    paragraph = compose(text, style, width, typesetter=setter, align=align, leading=leading)
    together = leading * first_lines(len(paragraph.lines))  # the mark stands beside them
    partner = level.partner()
    if partner is not None and len(paragraph.lines) < 3:
        other = compose(cleaned(partner.text), style, width, typesetter=setter, align=align, leading=leading)
        together += ITEM_GAP * scale + leading * len(other.lines) if len(other.lines) < 3 else 0.0
    flow.need(together)
    air = (BULLET_AIR if mark in BULLETS else NUMBER_AIR) * scale
    if rtl:  # the full stop is at the left of its number
        mark = f"{RIGHT_TO_LEFT_MARK}{mark}"
    marker = compose(mark, accent, flow.width, typesetter=setter, leading=leading).lines[0]
    if 0 < level.gutter < marker.width:  # in the narrowest of columns
        accent = accent.but(size=accent.size * level.gutter / marker.width)
        marker = compose(mark, accent, flow.width, typesetter=setter, leading=leading).lines[0]
    marker.x = 0.0
    # Numbers end, and bullets stand, at the same distance from the text, but not outside of the column.
    air = min(air, max(level.gutter - marker.width, 0.0))
    x = flow.left + begin - air - marker.width
    if rtl:
        x = flow.left + width + air
    flow.open("LI")
    if level.gutter > 0:
        flow.tag(flow.element("Lbl"))
        flow.put(*place(marker, x, flow.y - drop(marker, leading), "li"))
    flow.open("LBody")
    flow.tag(flow.element("P"))
    flow.paragraph(paragraph, flow.left if rtl else flow.left + begin, "li")
    flow.gap(ITEM_GAP * scale)
