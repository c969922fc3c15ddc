"""How letters look."""

from __future__ import annotations

from dataclasses import replace

from config.value import value


@value
class TextStyle:
    """Face, size in points, colour and marks of a stretch of text.

    `family` is `body`, `heading` (the theme's two) or `code`. `line_size` is that of the text around it, by
    which lines under and through it go; None: its own.
    """

    size: float
    color: str
    bold: bool = False
    italic: bool = False
    family: str = "body"
    underline: bool = False
    strike: bool = False
    rise: float = 0.0  # points above the baseline
    link: str | None = None
    tint: str | None = None  # behind the letters
    line_size: float | None = None

    def but(self, **changes: object) -> TextStyle:
        """Return the style with some fields changed."""
        return replace(self, **changes)  # type: ignore[arg-type]
