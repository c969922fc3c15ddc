"""Hyperlinks of one worksheet, up to as many as Excel takes. Pure."""

from __future__ import annotations

import re
from collections.abc import Iterator
from html import escape
from typing import Final
from urllib.parse import quote

MOST_LINKS: Final = 65_530  # in a worksheet
LONGEST_LINK: Final = 2079
BATCH: Final = 1000
_UNSAFE: Final = re.compile(r"""[\x00-\x20"<>\\^`{|}\x7f-\x9f\ud800-\udfff\ufffe\uffff]""")


class Links:
    """Cells with their targets; cells with the same target share one relationship."""

    def __init__(self) -> None:
        """Begin with none."""
        self._cells: list[tuple[str, int]] = []
        self._numbers: dict[str, int] = {}

    def __bool__(self) -> bool:
        return bool(self._cells)

    def add(self, cell: str, target: str) -> bool:
        """Link a cell; returns False where a worksheet takes no more or no such long link."""
        if len(self._cells) >= MOST_LINKS:
            return False
        target = _UNSAFE.sub(lambda match: quote(match[0], errors="replace"), target)
        if len(target) > LONGEST_LINK:
            return False
        self._cells.append((cell, self._numbers.setdefault(target, len(self._numbers) + 1)))
        return True

    def targets(self) -> list[str]:
        """Return the targets in the order of their relationships, without the part after `#`."""
        return [target.partition("#")[0] for target in self._numbers]

    def pieces(self, first: int) -> Iterator[str]:
        """Yield the links as XML; the first relationship has the number `first` + 1."""
        places = [""]
        for target in self._numbers:
            anchor = target.partition("#")[2]
            places.append(f' location="{escape(anchor)}"' if anchor else "")
        for start in range(0, len(self._cells), BATCH):
            yield "".join(
                [
                    f'<hyperlink ref="{cell}" r:id="rId{first + number}"{places[number]}/>'
                    for cell, number in self._cells[start : start + BATCH]
                ]
            )
