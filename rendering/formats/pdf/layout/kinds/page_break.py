"""The next section begins a new page."""

from __future__ import annotations

from rendering.formats.pdf.layout.flow import Flow
from templates_app.resolved import ResolvedPageBreak


def render(section: ResolvedPageBreak, flow: Flow) -> None:
    """Ask for the break."""
    flow.break_page()
