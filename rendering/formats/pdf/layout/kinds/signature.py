"""Lines to sign on, side by side: room or an image above each, name, role and date below. Points."""

from __future__ import annotations

from typing import Final

from config.value import dataclass
from rendering.formats.pdf.layout.column import drop
from rendering.formats.pdf.layout.flow import Flow
from rendering.formats.pdf.layout.graphics.pictures import fitted, picture
from rendering.formats.pdf.layout.items import Item, Rules
from rendering.formats.pdf.layout.measures import EPSILON, HAIRLINE, MM
from rendering.formats.pdf.typeset.paragraph import Paragraph, compose, place
from rendering.formats.pdf.typeset.style import TextStyle
from templates_app.resolved import ImageFile, ResolvedSignature, ResolvedSigner, Rich, TextAlign, plain

GAP: Final = 16.0  # above and below the whole
COLUMN_GAP: Final = 6 * MM  # as of `columns`: what stands in those begins at the same places
NARROWEST: Final = 60.0  # of a line that anybody can sign on
WHOLE: Final = 90 * MM  # width that one line takes as a whole; of more it takes half, as one of two does
ALONE: Final = 70 * MM  # least width of such a half
ROW_GAP: Final = 18.0
BELOW_LINE: Final = 4.0
LEADING: Final = 1.32
SMALL: Final = 0.9  # size of role and date, in font sizes
DATE_WIDTH: Final = 0.45  # share of a column that the date may take beside the name
OVERLAP: Final = 2.0  # how far an image of a signature reaches below its line


@dataclass(frozen=True, slots=True)
class _Field:
    """What stands below one line."""

    signer: ResolvedSigner
    lines: tuple[Paragraph, ...]
    date: Paragraph | None

    @property
    def height(self) -> float:
        """The height below the line."""
        texts = sum(paragraph.height for paragraph in self.lines)
        return BELOW_LINE + max(texts, self.date.height if self.date else 0.0)


def render(section: ResolvedSignature, flow: Flow) -> None:
    """Draw the lines, as many in a row as wished and room; all stay on one page if they fit on one."""
    if not section.signers:
        return
    room = int((flow.width + COLUMN_GAP) / (NARROWEST + COLUMN_GAP))
    count = max(1, min(section.columns, len(section.signers), room))
    width = _width(count, flow.width)
    fields = [_field(signer, flow, width) for signer in section.signers]
    rows = [fields[start : start + count] for start in range(0, len(fields), count)]
    # On a very small page the room to sign gives way to the names.
    tallest = max(field.height for field in fields)
    above = min(section.height * MM, flow.height * 0.5, max(flow.height - tallest, 0.0))
    heights = [min(above + max(field.height for field in row), flow.height) for row in rows]
    flow.gap(GAP)
    flow.open("Div")
    total = sum(heights) + ROW_GAP * (len(rows) - 1)
    if total <= flow.height:
        flow.need(total)
    for row, height in zip(rows, heights, strict=True):
        flow.need(height)
        for index, field in enumerate(row):
            before = index * (width + COLUMN_GAP)
            x = flow.left + (flow.width - width - before if flow.typesetter.mirrored else before)
            _draw(field, flow, x, width, above)
        flow.advance(height)
        flow.gap(ROW_GAP / max(flow.theme.spacing, 0.01))
    flow.close()
    flow.gap(GAP)


def _width(count: int, available: float) -> float:
    """Return the width of each of `count` lines side by side; one alone does not go over a whole page."""
    if count == 1 and available > WHOLE:
        return max((available - COLUMN_GAP) / 2, ALONE)
    return max((available - COLUMN_GAP * (count - 1)) / count, 1.0)


def _field(signer: ResolvedSigner, flow: Flow, width: float) -> _Field:
    theme = flow.theme
    small = flow.style(theme.size * SMALL, color=theme.muted)
    date = None
    room = width
    if plain(signer.date):
        far: TextAlign = "left" if flow.typesetter.mirrored else "right"
        date = _set(signer.date, small, flow, width * DATE_WIDTH, far)
        room = width - date.natural_width - 8.0
    lines = []
    if plain(signer.name):
        lines.append(_set(signer.name, flow.style(bold=True), flow, room, flow.aligned("left")))
    if plain(signer.role):
        lines.append(_set(signer.role, small, flow, room if not lines else width, flow.aligned("left")))
    return _Field(signer, tuple(lines), date)


def _set(text: Rich, style: TextStyle, flow: Flow, width: float, align: TextAlign) -> Paragraph:
    return compose(
        text,
        style,
        max(width, 1.0),
        typesetter=flow.typesetter,
        align=align,
        leading=style.size * LEADING,
        hyphenate="long",
    )


def _draw(field: _Field, flow: Flow, x: float, width: float, above: float) -> None:
    """Place one line to sign on, and what stands above and below it."""
    line = flow.y - above
    name = plain(field.signer.name)
    if field.signer.image is not None:
        flow.tag(flow.element("Figure", alt=name) if name else None)
        flow.put(_signed(field.signer.image, flow, (x, line, width, above), name))
    flow.put(Rules(((x, line, x + width, line),), flow.theme.muted, HAIRLINE))
    y = line - BELOW_LINE
    mirrored = flow.typesetter.mirrored
    date, below = field.date, y
    for paragraph in field.lines:
        flow.tag(flow.element("P"))
        flow.put(*_lines(paragraph, x + width - paragraph.width if mirrored else x, below, flow.bottom))
        below -= paragraph.height
    if date is not None:
        flow.tag(flow.element("P"))
        flow.put(*_lines(date, x if mirrored else x + width - date.width, y, flow.bottom))


def _signed(image: ImageFile, flow: Flow, room: tuple[float, float, float, float], name: str) -> Item:
    """Return the image of a signature standing on its line, as large as the room above allows."""
    x, line, width, above = room
    wide, high = fitted(image, max(width - 8.0, 1.0), max(above - 2.0 + OVERLAP, 1.0), "fit")
    return picture(image, x + 4.0, line - OVERLAP, wide, high, name, typesetter=flow.typesetter)


def _lines(paragraph: Paragraph, x: float, y: float, floor: float) -> list[Item]:
    """Return the lines from `y` down; those of a name longer than the page are cut off at its end."""
    items: list[Item] = []
    for line in paragraph.lines:
        if y - paragraph.leading < floor - EPSILON:
            break
        items += place(line, x, y - drop(line, paragraph.leading), "p")
        y -= paragraph.leading
    return items
