"""Bar codes as plain modules, and whether a value can be one. Pure: no page, no drawing.

A symbology is checked where a template is filled, so that a value that no scanner could read back is refused
with its reason; the same symbol is drawn later.
"""

from __future__ import annotations

import re
from functools import lru_cache
from itertools import groupby
from typing import Any, Final, Literal

from config.value import dataclass

Symbology = Literal["qr", "code128", "ean13", "datamatrix", "pdf417"]
ErrorCorrection = Literal["L", "M", "Q", "H"]

NAMES: Final[dict[str, str]] = {
    "qr": "QR code",
    "code128": "Code 128",
    "ean13": "EAN-13",
    "datamatrix": "Data Matrix",
    "pdf417": "PDF417",
}
LINEAR: Final = frozenset({"code128", "ean13"})
# White modules left and right (and above and below, if not linear) that a scanner needs.
QUIET: Final[dict[str, tuple[int, int]]] = {
    "qr": (4, 4),
    "code128": (10, 10),
    "ean13": (11, 7),
    "datamatrix": (2, 2),
    "pdf417": (2, 2),
}
MOST_LETTERS: Final = 8000  # more than any symbology holds: longer values are not even tried
_FORMATS: Final = {
    "qr": "QRCode",
    "code128": "Code128",
    "ean13": "EAN13",
    "datamatrix": "DataMatrix",
    "pdf417": "PDF417",
}

Run = tuple[int, int]  # first dark module, how many


@dataclass(frozen=True, slots=True)
class Symbol:
    """A code without its quiet zone: `rows` from the top, each its height and its dark runs, in modules."""

    width: int
    height: int
    rows: tuple[tuple[int, tuple[Run, ...]], ...]
    text: str  # for people: the value, of EAN-13 with its check digit


def check_barcode(symbology: str, value: str, error_correction: str = "M") -> None:
    """Raise ValueError, with a reason for the author, when `value` cannot be encoded."""
    encode(symbology, value, error_correction)


@lru_cache(maxsize=256)
def encode(symbology: str, value: str, error_correction: str = "M") -> Symbol:
    """Return the modules of a value; raises ValueError, with a reason for the author."""
    name = NAMES.get(symbology)
    if name is None:
        raise ValueError(f"unknown bar code: {symbology[:40]}")
    if not value:
        raise ValueError(f"a {name} cannot be empty")
    if len(value) > MOST_LETTERS or (
        not value.isascii() and len(value.encode(errors="replace")) > MOST_LETTERS
    ):
        raise ValueError(f"the value is too long for a {name}")
    if symbology == "ean13":
        value = _checked_ean(value)
    return _symbol(symbology, name, value, error_correction)


def _checked_ean(value: str) -> str:
    """Return 13 digits: the check digit is added to 12, and must be right in 13."""
    if not re.fullmatch(r"\d{12,13}", value, re.ASCII):
        raise ValueError("an EAN-13 has 12 digits, or 13 with its check digit")
    total = sum(int(digit) * (3 if index % 2 else 1) for index, digit in enumerate(value[:12]))
    check = str(-total % 10)
    if len(value) == 13 and value[12] != check:
        raise ValueError(f"the check digit of this EAN-13 must be {check}, not {value[12]}")
    return value[:12] + check


def _symbol(symbology: str, name: str, value: str, error_correction: str) -> Symbol:
    import zxingcpp  # loaded with the first bar code

    options: dict[str, Any] = {}
    if symbology == "qr":
        options["ec_level"] = error_correction
    elif symbology == "datamatrix":
        options["force_square"] = True  # what fits is drawn in a square frame
    try:
        made = zxingcpp.create_barcode(value, getattr(zxingcpp.BarcodeFormat, _FORMATS[symbology]), **options)
        image: Any = made.to_image(scale=1, add_hrt=False, add_quiet_zones=False)
        pixels = memoryview(image)
    except Exception as error:  # ValueError with an internal text, RuntimeError for half surrogates
        raise ValueError(_reason(symbology, name, str(error))) from None
    height, width = pixels.shape or (0, 0)
    content = pixels.tobytes()
    lines = [content[start : start + width] for start in range(0, height * width, width)]
    if symbology in LINEAR:
        lines = lines[:1]
    rows = tuple((len(list(same)), _runs(line)) for line, same in groupby(lines))
    return Symbol(width, len(lines), rows, value)


def _reason(symbology: str, name: str, error: str) -> str:
    if "too long" in error:
        return f"the value is too long for a {name}"
    if symbology == "code128":
        return "a Code 128 holds Latin letters, digits and signs only (ISO 8859-1)"
    return f"the value cannot be a {name}"


def _runs(line: bytes) -> tuple[Run, ...]:
    """Return the dark stretches of a line of pixels (0 is black)."""
    spans = map(re.Match.span, re.finditer(rb"\x00+", line))
    return tuple([(start, stop - start) for start, stop in spans])
