"""The next section begins a new page."""

from __future__ import annotations

from rendering.formats.pdf.flow import Flow
from templates_app.resolved import ResolvedPageBreak


def render(section: ResolvedPageBreak, flow: Flow) -> None:
    """End the page; at the end of the document, or on an empty page, nothing happens."""
    flow.break_page()
