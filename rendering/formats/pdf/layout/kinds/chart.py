"""Charts: the title, then one figure that stays on a page."""

from __future__ import annotations

from rendering.formats.base import RenderError
from rendering.formats.pdf.layout.column import drop
from rendering.formats.pdf.layout.flow import Flow
from rendering.formats.pdf.layout.graphics.charts import described, draw_chart
from rendering.formats.pdf.layout.graphics.lettering import Lettering
from rendering.formats.pdf.layout.measures import FRAME_GAP, MM
from rendering.formats.pdf.typeset.paragraph import Paragraph, compose, place
from templates_app.resolved import ResolvedChart

TITLE_SIZE = 1.05  # in font sizes of the theme
TITLE_LEADING = 1.25
TITLE_GAP = 8.0
MOST_TITLE = 0.4  # share of the height that a title may take


def render(section: ResolvedChart, flow: Flow) -> None:
    """Draw a chart in a box of its width and height, its title included. Raises RenderError."""
    width = min(section.width * MM if section.width else flow.width, flow.width)
    height = min(section.height * MM, flow.height)
    title = _title(section, flow, width)
    above = title.height + TITLE_GAP if title else 0.0
    if above > height * MOST_TITLE:
        height = min(height + above, flow.height)
    flow.gap(FRAME_GAP)
    flow.need(height)
    x = flow.x_of(width, section.align)
    if title:
        y = flow.y
        flow.tag(flow.element("P"))
        for line in title.lines:
            flow.put(*place(line, x, y - drop(line, title.leading), "caption"))
            y -= title.leading
    bottom, high = flow.y - height, max(height - above, 0.0)
    try:
        items = draw_chart(section, width, high, Lettering(flow.typesetter), flow.theme)
    except ValueError as error:
        raise RenderError(f"Chart: {error}") from error
    if items:
        flow.figure(items, x, bottom, alt=described(section), clip=(0.0, 0.0, width, high))
    flow.advance(height)
    flow.gap(FRAME_GAP)


def _title(section: ResolvedChart, flow: Flow, width: float) -> Paragraph | None:
    if not section.title:
        return None
    style = flow.style(flow.theme.size * TITLE_SIZE, bold=True)
    leading = style.size * TITLE_LEADING
    return compose(section.title, style, width, typesetter=flow.typesetter, leading=leading, hyphenate="long")
