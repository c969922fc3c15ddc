"""How much room texts take in cells, in characters of the usual width. Pure."""

from __future__ import annotations

from typing import Final

from config.patterns import late

# East Asian signs and emoji are about as wide as two digits.
_WIDE: Final = late(
    "[\u1100-\u115f\u2e80-\u303e\u3041-\ua4cf\ua960-\ua97c\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f"
    "\uff01-\uff60\uffe0-\uffe6\U0001f300-\U0001faff\U00020000-\U0003fffd]"
)
# High bytes of UTF-16 below which none of these signs is.
_NARROW: Final = bytes(
    set(range(256)) - {0x11, *range(0x2E, 0xA5), 0xA9, *range(0xAC, 0xE0), 0xF9, 0xFA, 0xFE, 0xFF}
)


def has_wide(text: str) -> bool:
    """Return whether a text has signs that take the room of two; made for long texts without any."""
    if text.isascii():
        return False
    try:
        text.encode("latin-1")
    except UnicodeEncodeError:
        high = text.encode("utf-16-le", "surrogatepass")[1::2]
        return bool(high.translate(None, _NARROW)) and _WIDE.search(text) is not None
    return False


def length(text: str) -> int:
    """Return how many characters wide a text is on one line."""
    return len(text) if text.isascii() else len(text) + len(_WIDE.findall(text))


def lines_of(text: str, room: float) -> int:
    """Return about how many lines a text takes in a column of `room` characters."""
    if "\n" not in text and length(text) <= room:
        return 1
    return sum(max(-int(-length(line) // room), 1) for line in text.split("\n"))
