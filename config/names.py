"""Names within sentences. Pure."""

from __future__ import annotations

from typing import Final

MOST_LETTERS: Final = 60


def short_name(name: object) -> str:
    """Return a name, or its beginning and its end: there is what tells long ones from each other."""
    text = str(name)
    if len(text) <= MOST_LETTERS:
        return text
    end = MOST_LETTERS // 3
    return f"{text[: MOST_LETTERS - end - 1].rstrip()}…{text[-end:].lstrip()}"
