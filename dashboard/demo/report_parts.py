"""What the chapters of the quarterly report share, and its cover with the contents."""

from __future__ import annotations

from typing import Any, Final

from dashboard.demo.base import (
    AMBER,
    BLUE,
    MUTED,
    TEAL,
    TINT,
    box,
    column,
    columns,
    image,
    page_break,
    pairs,
    rule,
    space,
    text,
    when,
)

Section = dict[str, Any]


def prose(content: str) -> Section:
    return text(content, align="justify", size=10.5)


def figure(label: str, value: str, note: str, **frame: Any) -> list[Section]:
    """Return a figure with what it is and how it moved, in a box."""
    lines = (
        text(label, size=8, color=MUTED),
        text(value, size=17, bold=True, color=BLUE),
        text(note, size=8, color=TEAL),
    )
    return [box(*lines, **{"background": TINT, "padding": 3.5, "radius": 1.5, **frame})]


def caption(content: str) -> Section:
    return text(content, size=8.5, italic=True, color=MUTED)


def chart(kind: str, source: str, series: list[dict[str, Any]], alt: str, **more: Any) -> Section:
    return {
        "type": "chart",
        "chart": kind,
        "source": source,
        "category": "{{item.name}}",
        "series": series,
        "alt": alt,
        **more,
    }


QUARTERS: Final = [
    {"key": "current", "name": "Q3 2025", "color": BLUE},
    {"key": "previous", "name": "Q3 2024", "color": "#a9bfd3"},
]
# Changes to the better and to the worse.
CHANGES: Final = [
    {"when": when("change", "less", value=0), "color": "#b3261e"},
    {"when": when("change", "greaterOrEqual", value=0.1), "color": "#14602f", "bold": True},
]
CHANGE: Final = column("change", "Change", 21, styles=CHANGES)


def results(*names: str) -> list[dict[str, Any]]:
    """Return the look of the lines that are results of those above them."""
    return [{"when": when("name", "in", value=list(names)), "bold": True, "background": TINT}]


COVER: Final[list[Section]] = [
    image("{{logo}}", width=70, alt="Fennmark"),
    space(52),
    text("QUARTERLY REPORT", size=12, bold=True, color=TEAL),
    text("{{quarter}}", size=40, bold=True, color=BLUE),
    columns([rule(color=AMBER, thickness=3)], [], widths=(42, "*")),
    space(2),
    text(
        "Revenue grew by {{growth|percent:1}} to ${{revenue|number:1}} million. Lighting brought half of the "
        "growth, and the dealer configurator went live two weeks early.",
        size=14,
        color=MUTED,
    ),
    space(46),
    box(
        pairs(
            [
                ("Company", "**{{company}}**"),
                ("Period", "{{period_from|date:long}} to {{period_to|date:long}}"),
                ("Published", "{{published|date:long}}"),
                ("Contact", "{{contact}}"),
            ]
        ),
        background=TINT,
        accent=BLUE,
        padding=6,
    ),
    page_break(),
    {"type": "table_of_contents", "title": "Contents", "levels": 2},
]
