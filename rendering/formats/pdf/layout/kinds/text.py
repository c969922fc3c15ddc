"""Running text: newlines are kept, an empty line parts paragraphs.

Text much larger than the theme's is for display, as a title is: its lines stand closer together, and a word
is divided only where it is wider than a line. A short line before what it announces stays with it.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from rendering.formats.pdf.layout.flow import Flow
from rendering.formats.pdf.layout.measures import BLOCK_GAP, PARAGRAPH_GAP
from rendering.formats.pdf.typeset.paragraph import Composer, Hyphenate
from rendering.formats.pdf.typeset.rich import paragraphs
from templates_app.resolved import ResolvedText, Rich, Theme, plain

CHECKED: Final = 20  # paragraphs between two looks at the clock
DISPLAY: Final = 1.5  # of the theme's size: what is larger is for display
LARGE: Final = 2.0  # of the theme's size: from here on, lines stand as close together as those of headings
CLOSER: Final = 0.85  # so close, of the theme's leading
CLOSEST: Final = 1.15  # in font sizes: no closer than this, unless the theme's leading is
COLONS: Final = (":", "：")  # they end what announces the next section
ANNOUNCING: Final = 3  # lines that such an end may have to stay with that section


def render(section: ResolvedText, flow: Flow) -> None:
    """Draw the paragraphs of a text; an empty one leaves nothing."""
    parts = paragraphs(section.text)
    if not parts:
        return
    style = flow.style(section.size, color=section.color, bold=section.bold, italic=section.italic)
    align = flow.aligned(section.align)
    composer = Composer(
        style,
        flow.width,
        flow.typesetter,
        align,
        leading_of(style.size, flow.theme),
        hyphenate=_hyphenation(section, style.size, flow.theme),
    )
    flow.gap(BLOCK_GAP)
    for number, part in enumerate(parts):
        if number:
            flow.gap(PARAGRAPH_GAP * style.size / 10)
            if number % CHECKED == 0:
                flow.limits.check_time()
        paragraph = composer.paragraph(part)
        if align == "center":
            paragraph = composer.even(part, paragraph)
        if number == len(parts) - 1 and flow.announces and _leads_in(parts, len(paragraph.lines)):
            flow.hold_paragraph(paragraph, flow.left, "p")
            break
        flow.tag(flow.element("P"))
        flow.paragraph(paragraph, flow.left, "p")
    flow.gap(BLOCK_GAP)


def leading_of(size: float, theme: Theme) -> float:
    """Return the distance of lines of a size (both points): the theme's, and closer for display."""
    large = (size / theme.size - DISPLAY) / (LARGE - DISPLAY)
    if large <= 0:
        return theme.leading * size
    closest = max(theme.leading * CLOSER, min(theme.leading, CLOSEST))
    return (theme.leading - (theme.leading - closest) * min(large, 1.0)) * size


def _hyphenation(section: ResolvedText, size: float, theme: Theme) -> Hyphenate:
    """Return which words are divided; in justified lines all may be, which gaps would spread otherwise."""
    if not section.hyphenate:
        return "none"
    display = size > DISPLAY * theme.size and section.align != "justify"
    return "long" if display else "all"


def _leads_in(parts: Sequence[Rich], lines: int) -> bool:
    """Tell whether a text ends with so many lines that only announce what follows."""
    return (lines == 1 and len(parts) == 1) or (
        lines <= ANNOUNCING and plain(parts[-1]).rstrip().endswith(COLONS)
    )
