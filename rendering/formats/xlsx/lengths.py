"""How much room texts take in cells, in characters of the usual width. Pure."""

from __future__ import annotations

from typing import Final

from config.patterns import late

# East Asian signs and emoji are about as wide as two digits.
_WIDE: Final = late(
    "[\u1100-\u115f\u2e80-\u303e\u3041-\ua4cf\ua960-\ua97c\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f"
    "\uff01-\uff60\uffe0-\uffe6\U0001f300-\U0001faff\U00020000-\U0003fffd]"
)


def has_wide(text: str) -> bool:
    """Return whether a text has signs that take the room of two; Latin ones are told at once."""
    if text.isascii():
        return False
    try:
        text.encode("latin-1")
    except UnicodeEncodeError:
        return _WIDE.search(text) is not None
    return False


def length(text: str) -> int:
    """Return how many characters wide a text is on one line."""
    return len(text) if text.isascii() else len(text) + len(_WIDE.findall(text))


def lines_of(text: str, room: float) -> int:
    """Return about how many lines a text takes in a column of `room` characters."""
    if "\n" not in text and length(text) <= room:
        return 1
    return sum(max(-int(-length(line) // room), 1) for line in text.split("\n"))
