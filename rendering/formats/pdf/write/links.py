"""Areas of a page that lead somewhere, and the places they lead to (ISO 32000-2, 12.3.2, 12.5.6.5)."""

from __future__ import annotations

from typing import Final
from urllib.parse import quote

from rendering.formats.pdf.layout.items import Link
from rendering.formats.pdf.numbers import number
from rendering.formats.pdf.write.file import PdfFile
from rendering.formats.pdf.write.images import Matrix
from rendering.formats.pdf.write.page_code import IDENTITY

# Checked before; looked at again because a `javascript:` or `file:` here would be obeyed by a reader.
_SCHEMES: Final = ("http://", "https://", "mailto:", "tel:")
_KEPT: Final = "%/:?#[]@!$&'()*+,;=~-._"


def area(item: Link, matrix: Matrix) -> str:
    """Return the code of the smallest upright rectangle of the page that holds a link."""
    left, low, right, high = item.x, item.y, item.x + item.width, item.y + item.height
    if matrix != IDENTITY:
        a, b, c, d, e, f = matrix
        corners = [(x * a + y * c + e, x * b + y * d + f) for x in (left, right) for y in (low, high)]
        (left, *_, right), (low, *_, high) = (sorted(axis) for axis in zip(*corners, strict=True))
    return f"[{number(left)} {number(low)} {number(right)} {number(high)}]"


def is_address(target: str) -> bool:
    """Tell whether a link may lead there."""
    return target.lower().startswith(_SCHEMES)


def write_address(where: str, target: str, file: PdfFile, entries: str = "") -> int:
    """Write a link to an address and return its number; `entries` are more of its dictionary."""
    address = quote(target, safe=_KEPT, errors="replace")
    return file.add(_annotation(where, f"/A<</S/URI/URI{file.text(address)}>>{entries}"))


def write_jump(where: str, place: str, file: PdfFile, entries: str = "") -> int:
    """Write a link to a place of the document and return its number."""
    return file.add(_annotation(where, f"/Dest{place}{entries}"))


def place(page: int, y: float) -> str:
    """Return the code of a destination: a height on the page of this object number."""
    return f"[{page} 0 R/XYZ null {number(y)} null]"


def _annotation(where: str, action: str) -> str:
    # Flag 4: printed like the rest, as archives want it. No border: the text shows that it is a link.
    return f"<</Type/Annot/Subtype/Link/Rect{where}/Border[0 0 0]/F 4{action}>>"
