"""Drawings of the product catalogue: pots in profile, each glazed in its own colours, as small SVG."""

from __future__ import annotations

from typing import Final

from dashboard.starters.base import svg

GROUND: Final = "#f3ece2"
# Profiles on a ground of 120 x 100; each stands on 84.
_SHAPES: Final = {
    "vase": "M52 18h16c-2 12 2 16 8 24 9 12 10 28-2 42H46C34 70 35 54 44 42c6-8 10-12 8-24z",
    "bottle": "M56 12h8v22c0 6 16 10 16 28v22H40V62c0-18 16-22 16-28z",
    "bowl": "M24 46h72c0 22-12 34-24 38H48C36 80 24 68 24 46z",
    "plate": "M14 64h92c-4 10-22 18-34 20H48c-12-2-30-10-34-20z",
    "mug": "M36 34h40v42c0 5-3 8-8 8H44c-5 0-8-3-8-8z",
    "jug": "M44 20h30l-4 14c8 8 12 18 12 28 0 10-4 18-10 22H42c-8-6-10-14-10-24 0-10 6-20 14-28z",
    "planter": "M30 36h60l-8 48H38z",
    "lantern": "M40 30c0-10 8-16 20-16s20 6 20 16v54H40z",
}
_HANDLES: Final = {
    "mug": "M76 44h6c12 0 12 24 0 24h-6",
    "jug": "M76 32c18-4 20 26 4 34",
}
_EXTRAS: Final = {
    "planter": '<path d="M60 36C58 22 48 16 38 14c2 12 10 20 22 22 0-14 8-24 22-28 0 14-8 26-22 28" '
    'fill="#6f8a64"/>',
    "lantern": '<circle cx="52" cy="48" r="4" fill="#f6d58a"/><circle cx="68" cy="48" r="4" fill="#f6d58a"/>'
    '<circle cx="60" cy="60" r="4" fill="#f6d58a"/><circle cx="52" cy="72" r="4" fill="#f6d58a"/>'
    '<circle cx="68" cy="72" r="4" fill="#f6d58a"/>',
}


def _pot(shape: str, clay: str, glaze: str, ground: str) -> str:
    """Return the drawing of a pot: clay, glaze that ends in a wave, light from the left.

    What lies outside the profile is painted over with the ground.
    """
    handle = f'<path d="{_HANDLES[shape]}" stroke="{glaze}" stroke-width="5"/>' if shape in _HANDLES else ""
    return (
        f'<rect x="10" y="8" width="100" height="78" fill="{clay}"/>'
        f'<path d="M10 8h100v60c-10 4-16-6-26-2s-14 8-26 2-28 6-48-2z" fill="{glaze}"/>'
        '<path d="M10 8h44v78H10z" fill="#ffffff" fill-opacity="0.13"/>'
        f'<path d="M8 6h104v82H8z{_SHAPES[shape]}" fill="{ground}" fill-rule="evenodd"/>'
        f"{handle}{_EXTRAS.get(shape, '')}"
    )


def drawing(shape: str, clay: str, glaze: str) -> str:
    """Return a pot of one of the shapes as a data URI."""
    return svg(
        120,
        100,
        f'<rect width="120" height="100" rx="4" fill="{GROUND}"/>{_pot(shape, clay, glaze, GROUND)}'
        '<ellipse cx="60" cy="87" rx="34" ry="3" fill="#dccfbd"/>',
    )


def shelf() -> str:
    """Return a shelf with pots of all collections as a data URI."""
    row = (
        ("jug", "#7a5a45", "#6f8a64"),
        ("vase", "#d8c4a6", "#4f7f8f"),
        ("bottle", "#8b7d78", "#3b3a41"),
        ("planter", "#8a6249", "#a9502f"),
        ("mug", "#d8c4a6", "#4f7f8f"),
        ("lantern", "#3b3a41", "#2f2e36"),
    )
    pots = "".join(
        f'<g transform="translate({16 + 104 * place} 20)">{_pot(shape, clay, glaze, GROUND)}</g>'
        for place, (shape, clay, glaze) in enumerate(row)
    )
    return svg(
        660,
        132,
        f'<rect width="660" height="132" rx="6" fill="{GROUND}"/>{pots}'
        '<path d="M24 104h612v5H24z" fill="#a9502f"/>',
    )


def still_life() -> str:
    """Return the picture of the cover as a data URI: three pots on a table before the sun."""
    return svg(
        170,
        120,
        '<circle cx="112" cy="50" r="40" fill="#d98a5b"/>'
        '<path d="M40 22h18c-2 14 3 18 10 27 10 14 11 36-3 57H33C19 85 20 63 30 49c7-9 12-13 10-27z" '
        'fill="#efe3d2"/>'
        '<path d="M26 56c10 6 18-3 28 1s14 1 18-2c-3-8-8-12-11-18-3-5-3-9-3-15H40c2 14-3 18-10 27z" '
        'fill="#3f5b57"/>'
        '<path d="M74 74h66c0 18-11 28-22 32H96c-11-4-22-14-22-32z" fill="#efe3d2"/>'
        '<path d="M74 74h66c0 5-1 9-3 13-10 5-16-3-26 0s-20 5-34-1c-2-4-3-8-3-12z" fill="#a9502f"/>'
        '<path d="M0 106h170" stroke="#efe3d2" stroke-width="1.2"/>',
    )


def mark() -> str:
    """Return the mark of the pottery as a data URI."""
    return svg(
        48,
        48,
        '<circle cx="24" cy="24" r="23" fill="#a9502f"/>'
        '<path d="M14 20h20c0 10-4 15-7 17h-6c-3-2-7-7-7-17z" fill="#f6efe4"/>'
        '<path d="M20 15c-2-3 2-4 0-7M28 15c-2-3 2-4 0-7" stroke="#f6efe4" stroke-width="1.6" '
        'stroke-linecap="round"/>',
    )
