"""Colours of charts: the theme's accent first, then hues that stay apart for colour-blind eyes too."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

# Neighbours differ in lightness as well as in hue, so that they can be told apart in grey.
HUES: Final = (
    "#e9a23b",  # amber
    "#2f9c8f",  # teal
    "#b5482f",  # brick
    "#86b5da",  # sky
    "#7a5ca8",  # violet
    "#b9b463",  # olive
    "#d58bab",  # rose
    "#6a7684",  # slate
)
# What is mixed into all of them each time that they come again, and how much of it.
SHADES: Final = (("#ffffff", 0.0), ("#ffffff", 0.35), ("#000000", 0.35), ("#ffffff", 0.6), ("#000000", 0.55))
AREA_OPACITY: Final = 0.16
NEAR: Final = 80.0  # distance in RGB below which two colours look alike


def palette(accent: str, count: int) -> list[str]:
    """Return `count` colours; after all hues they come again, lighter and darker in turn."""
    base = [accent, *(hue for hue in HUES if _distance(hue, accent) > NEAR)]
    return [
        mixed(base[index % len(base)], *SHADES[index // len(base) % len(SHADES)]) for index in range(count)
    ]


def area_opacity(series: int) -> float:
    """Return the opacity of the areas of so many series: none hides another one, or the grid."""
    return AREA_OPACITY if series > 1 else AREA_OPACITY * 1.3


def channels(color: str) -> tuple[int, int, int]:
    """Return red, green and blue of `#rrggbb`."""
    return int(color[1:3], 16), int(color[3:5], 16), int(color[5:7], 16)


def mixed(color: str, other: str, share: float) -> str:
    """Return a colour with `share` of another in it."""
    pairs = zip(channels(color), channels(other), strict=True)
    return "#" + "".join(f"{round(a + (b - a) * share):02x}" for a, b in pairs)


def on(color: str, dark: str) -> str:
    """Return the colour of text upon another: white, or `dark` upon light ones."""
    linear = [(c / 255 / 12.92) if c <= 10 else ((c / 255 + 0.055) / 1.055) ** 2.4 for c in channels(color)]
    luminance = 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]
    return "#ffffff" if luminance < 0.32 else dark


def _distance(first: str, second: str) -> float:
    a: Sequence[int] = channels(first)
    b: Sequence[int] = channels(second)
    return float(sum((x - y) ** 2 for x, y in zip(a, b, strict=True)) ** 0.5)
