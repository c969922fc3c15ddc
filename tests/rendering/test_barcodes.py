"""Bar codes as items: painted and read back, their sizes, and values that are none."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from typing import Any

import pytest
import zxingcpp
from hypothesis import given
from hypothesis import strategies as st
from PIL import Image, ImageDraw

from rendering.formats.base import RenderError
from rendering.formats.pdf.layout.graphics.barcodes import draw_barcode, merged
from rendering.formats.pdf.layout.items import Group, Item, Rects, TextLine
from rendering.formats.pdf.layout.measures import CAP_HEIGHT
from templates_app.barcodes import check_barcode, encode
from templates_app.resolved import ResolvedBarcode
from tests.cases import cases
from tests.rendering.graphics import HEIGHT, MM, WIDTH, figure, laid, lettering, texts


def barcode(symbology: str, value: str, **more: Any) -> ResolvedBarcode:
    values = {"width": None, "height": None, "align": "left", "text": True} | more
    return ResolvedBarcode(symbology, value, **values)  # type: ignore[arg-type]


def bitmap(items: Sequence[Item], width: float, height: float, scale: float = 6.0) -> Image.Image:
    """The dark rectangles, painted."""
    image = Image.new("L", (math.ceil(width * scale), math.ceil(height * scale)), 255)
    draw = ImageDraw.Draw(image)
    for x, y, w, h in dark(items):
        left, top = round(x * scale), round((height - y - h) * scale)
        right, bottom = round((x + w) * scale), round((height - y) * scale)
        draw.rectangle((left, top, right - 1, bottom - 1), fill=0)
    return image


def dark(items: Sequence[Item]) -> Iterator[tuple[float, float, float, float]]:
    """The filled rectangles, those of groups (which scale and turn upside down) where they stand."""
    for item in items:
        if isinstance(item, Rects):
            yield from item.boxes
        elif isinstance(item, Group):
            a, _, _, d, e, f = item.matrix
            for x, y, w, h in dark(item.items):
                yield a * x + e, min(d * y, d * (y + h)) + f, a * w, abs(d) * h


@pytest.mark.parametrize(
    ("symbology", "value", "read"),
    [
        ("qr", "https://example.com/invoices/2026-0001?x=ä€漢", None),
        ("qr", "x" * 900, None),
        ("code128", "INV-2026/000123", None),
        ("ean13", "590123412345", "5901234123457"),
        ("ean13", "5901234123457", None),
        ("datamatrix", "Serial 123 äöü", None),
        ("pdf417", "Boarding pass M1DOE/JOHN E7XYZ", None),
    ],
)
@pytest.mark.parametrize("text", [True, False])
def test_codes_can_be_read_back(symbology: str, value: str, read: str | None, text: bool) -> None:
    code = draw_barcode(barcode(symbology, value, text=text), lettering(), (WIDTH, HEIGHT))
    (found,) = zxingcpp.read_barcodes(bitmap(code.items, code.width, code.height))
    assert found.text == (read or value)
    if text and symbology in ("code128", "ean13"):
        assert "".join(texts(code.items)) == (read or value)


def test_digits_of_an_ean_grow_with_its_bars_on_one_baseline() -> None:
    sizes = []
    for width in (40.0, 80.0):
        section = barcode("ean13", "5901234123457", width=width)
        code = draw_barcode(section, lettering(), (WIDTH, HEIGHT))
        digits = [item for item in code.items if isinstance(item, TextLine)]
        assert len({round(line.y, 3) for line in digits}) == 1
        sizes.append(digits[0].runs[0].size)
    assert sizes[1] == pytest.approx(2 * sizes[0])


@pytest.mark.parametrize("size", [{}, {"width": 25.0}, {"width": 90.0, "height": 30.0}])
def test_the_text_of_a_code_128_stands_clear_of_its_bars(size: dict[str, float]) -> None:
    code = draw_barcode(barcode("code128", "ABC-123456", **size), lettering(), (WIDTH, HEIGHT))
    (line,) = [item for item in code.items if isinstance(item, TextLine)]
    (bars,) = [item for item in code.items if isinstance(item, Rects)]
    capitals = line.y + CAP_HEIGHT * line.runs[0].size
    assert min(bottom for _, bottom, _, _ in bars.boxes) - capitals >= 1.3 * MM


@pytest.mark.parametrize("level", ["L", "M", "Q", "H"])
def test_error_correction_of_qr(level: str) -> None:
    code = draw_barcode(barcode("qr", "A" * 100, error_correction=level), lettering(), (WIDTH, HEIGHT))
    (found,) = zxingcpp.read_barcodes(bitmap(code.items, code.width, code.height))
    assert found.ec_level == level


def test_sizes_of_codes() -> None:
    qr = draw_barcode(barcode("qr", "https://example.com"), lettering(), (WIDTH, HEIGHT))
    assert qr.width == qr.height == pytest.approx(25 * MM)
    wished = draw_barcode(barcode("qr", "https://example.com", width=40), lettering(), (WIDTH, HEIGHT))
    assert wished.width == pytest.approx(40 * MM)
    narrow = draw_barcode(barcode("code128", "x" * 60), lettering(), (100.0, HEIGHT))
    assert narrow.width == pytest.approx(100)
    (items,) = laid(barcode("qr", "https://example.com", align="right"))
    group = figure(items)
    assert group.alt == "https://example.com"
    assert group.matrix[4] == pytest.approx(WIDTH - 25 * MM)


def test_runs_are_merged_and_cover_the_same_modules() -> None:
    symbol = encode("qr", "merge me")
    boxes = merged(symbol)
    cells = [(x + i, y + j) for x, y, w, h in boxes for i in range(w) for j in range(h)]
    wanted = {
        (start + i, y) for y, (_, runs) in enumerate(symbol.rows) for start, wide in runs for i in range(wide)
    }
    assert len(cells) == len(set(cells))
    assert set(cells) == wanted
    assert len(boxes) < sum(len(runs) for _, runs in symbol.rows)


@pytest.mark.parametrize(
    ("symbology", "value", "reason"),
    [
        ("qr", "", "a QR code cannot be empty"),
        ("qr", "x" * 3000, "the value is too long for a QR code"),
        ("qr", "x" * 1_000_000, "the value is too long for a QR code"),
        ("code128", "x" * 300, "the value is too long for a Code 128"),
        ("code128", "漢字", "a Code 128 holds Latin letters, digits and signs only"),
        ("ean13", "123", "an EAN-13 has 12 digits, or 13 with its check digit"),
        ("ean13", "٠١٢٣٤٥٦٧٨٩٠١", "an EAN-13 has 12 digits"),
        ("ean13", "5901234123450", "the check digit of this EAN-13 must be 7, not 0"),
        ("datamatrix", "x" * 2400, "the value is too long for a Data Matrix"),
        ("pdf417", "x" * 1900, "the value is too long for a PDF417"),
        ("qr", "half \ud800", "the value cannot be a QR code"),
        ("aztec", "x", "unknown bar code"),
    ],
)
def test_values_that_are_no_code(symbology: str, value: str, reason: str) -> None:
    with pytest.raises(ValueError, match=reason):
        check_barcode(symbology, value)
    with pytest.raises(RenderError, match="Bar code: "):
        laid(barcode(symbology, value))


@given(st.sampled_from(["qr", "code128", "datamatrix", "pdf417", "ean13"]), st.text(max_size=60))
@cases(80)
def test_any_value_is_encoded_or_refused(symbology: str, value: str) -> None:
    try:
        symbol = encode(symbology, value)
    except ValueError:
        return
    assert symbol.width > 0
    assert symbol.rows
