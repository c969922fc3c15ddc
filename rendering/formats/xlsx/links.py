"""Hyperlinks of one worksheet, up to as many as Excel takes. Pure."""

from __future__ import annotations

import re
from collections.abc import Iterator
from html import escape
from typing import Final
from urllib.parse import quote, urlsplit

from templates_app.expressions.formula_excel import units

MOST_LINKS: Final = 65_530  # in a worksheet
LONGEST_LINK: Final = 2079
BATCH: Final = 1000
_UNSAFE: Final = re.compile(r"""[\x00-\x20"<>\\^`{|}\x7f-\x9f\ud800-\udfff\ufffe\uffff]""")
_HOST: Final = re.compile(r"(?:[A-Za-z0-9._~:-]|[^\x00-\x7f])+")  # colons are those of an IPv6 address


class Links:
    """Cells with their targets; cells with the same target share one relationship."""

    def __init__(self) -> None:
        """Begin with none."""
        self._cells: list[tuple[str, int]] = []
        self._numbers: dict[str, int] = {}
        self._known: dict[str, str | None] = {}  # addresses as they are written

    def __bool__(self) -> bool:
        return bool(self._cells)

    def add(self, cell: str, target: str) -> bool:
        """Link a cell; returns False where a worksheet takes no more or no such address."""
        if len(self._cells) >= MOST_LINKS:
            return False
        if target not in self._known:
            self._known[target] = _address(target)
        address = self._known[target]
        if address is None:
            return False
        self._cells.append((cell, self._numbers.setdefault(address, len(self._numbers) + 1)))
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


def _address(target: str) -> str | None:
    """Return an address as a workbook holds it, None for one that is too long or has no host.

    Programs that read each relationship as a URI refuse the whole workbook for a host that cannot be one.
    """
    address = _UNSAFE.sub(lambda match: quote(match[0], errors="replace"), target)
    if units(address) > LONGEST_LINK:
        return None
    try:
        place = urlsplit(address)
        if place.scheme in {"http", "https"} and (
            place.port == 0 or not _HOST.fullmatch(place.hostname or "")
        ):
            return None
    except ValueError:  # of the brackets of a host, or of a port
        return None
    return address
