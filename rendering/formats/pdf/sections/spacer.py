"""Empty height."""

from __future__ import annotations

from rendering.formats.pdf.flow import Flow
from rendering.formats.pdf.styles import MM
from templates_app.resolved import ResolvedSpacer


def render(section: ResolvedSpacer, flow: Flow) -> None:
    """Leave `height` mm blank; what does not fit on the page is not carried over."""
    flow.skip(section.height * MM)
