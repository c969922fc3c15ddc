"""Frames around sections: what they draw, and what a flow knows of those around it. Lengths are points."""

from __future__ import annotations

from dataclasses import field
from typing import Final, Literal

from config.value import dataclass, value
from rendering.formats.pdf.layout.items import Item, Rect
from rendering.formats.pdf.layout.measures import MM
from templates_app.resolved import Frame

ACCENT: Final = 3.0  # width of the strong line at a side
LEAST_INSIDE: Final = 30.0  # height of content that a frame begins with on a page


@dataclass(slots=True)
class OpenFrame:
    """A frame whose content is being laid out; `index` and `top` are where it begins on this page."""

    frame: Frame
    left: float
    width: float
    index: int
    top: float
    mirrored: bool


@value
class DrawnFrame:
    """A frame that was drawn: its items on the page, and its box (left, top, width, height)."""

    frame: Frame
    index: int
    count: int
    box: tuple[float, float, float, float]
    mirrored: bool

    def grown(self, height: float) -> list[Item]:
        """Return its items for a box that is so much higher."""
        left, top, width, high = self.box
        return frame_items(self.frame, left, top, width, high + height, mirrored=self.mirrored)


@dataclass(slots=True)
class Nesting:
    """How deep in frames the flow is: padding above and below that every further page repeats."""

    above: float = 0.0
    below: float = 0.0
    frames: list[OpenFrame] = field(default_factory=list)


def inset(frame: Frame) -> float:
    """Return how far inside of its edges a frame's content stands: never upon its border."""
    return max(frame.padding * MM, frame.border)


def frame_items(
    frame: Frame, left: float, top: float, width: float, height: float, *, mirrored: bool
) -> list[Item]:
    """Return background, border and accent of a frame; the accent is where lines begin, a straight side."""
    items: list[Item] = []
    side: Literal["left", "right"] = "right" if mirrored else "left"
    if frame.background or frame.border:
        half = frame.border / 2
        items.append(
            Rect(
                left + half,
                top - height + half,
                max(width - 2 * half, 0.1),
                max(height - 2 * half, 0.1),
                fill=frame.background,
                stroke=(frame.border_color or "#aeb7c2") if frame.border else None,
                thickness=frame.border,
                radius=frame.radius * MM,
                square=side if frame.accent else None,
            )
        )
    if frame.accent:
        x = left + width - ACCENT if mirrored else left
        items.append(Rect(x, top - height, ACCENT, height, fill=frame.accent))
    return items
