"""How letters look."""

from __future__ import annotations

from dataclasses import replace

from config.value import value


@value
class TextStyle:
    """Face, size in points, colour and marks of a stretch of text.

    `family` is `body`, `heading` (the theme's two) or `code`.
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

    def but(self, **changes: object) -> TextStyle:
        """Return the style with some fields changed."""
        return replace(self, **changes)  # type: ignore[arg-type]
