"""Empty height."""

from __future__ import annotations

from rendering.formats.pdf.layout.flow import Flow
from rendering.formats.pdf.layout.measures import MM
from templates_app.resolved import ResolvedSpacer


def render(section: ResolvedSpacer, flow: Flow) -> None:
    """Leave the height blank."""
    flow.skip(section.height * MM)
