"""Bar codes as filled rectangles: sharp at any size. Lengths are points."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Final

from config.value import dataclass
from rendering.formats.pdf.layout.graphics.lettering import Lettering
from rendering.formats.pdf.layout.items import Group, Item, Rect, Rects
from rendering.formats.pdf.layout.measures import MM
from templates_app.barcodes import LINEAR, QUIET, Symbol, encode

if TYPE_CHECKING:
    from rendering.formats.pdf.typeset.style import TextStyle
    from templates_app.resolved import ResolvedBarcode

Box = tuple[float, float, float, float]

BLACK: Final = "#000000"  # scanners want contrast: never the theme's ink
WHITE: Final = "#ffffff"
# The width of one module where the template gives no size: what phones and hand scanners read without effort.
MODULE: Final = {
    "qr": 0.5 * MM,
    "code128": 0.33 * MM,
    "ean13": 0.33 * MM,
    "datamatrix": 0.6 * MM,
    "pdf417": 0.35 * MM,
}
QR_WIDTH: Final = 25 * MM  # with its quiet zone; larger only when the modules would become too small
LEAST_QR_MODULE: Final = 0.33 * MM
BAR_HEIGHT: Final = {"code128": 12 * MM, "ean13": 20 * MM}
LEAST_BAR_HEIGHT: Final = 4 * MM
GUARD: Final = 5  # modules that the guard bars of EAN-13 reach further down
TEXT_SIZE: Final = {"code128": 8.0, "ean13": 10.0}
TEXT_HEIGHT: Final = {"code128": 0.92, "ean13": 0.72}  # of a line of text, in font sizes
TEXT_AIR: Final = {"code128": 4.0, "ean13": 2.0}  # above it, where taller bars do not reach down beside it
# Dark runs of EAN-13 that belong to the guards: left, middle, right (module positions).
_EAN_GUARDS: Final = frozenset({0, 2, 46, 48, 92, 94})

EAN_GROUP: Final = 12.5  # modules to a point of type: six digits then stand between the long bars
BASELINE: Final = 0.03  # of the digits of EAN-13, in font sizes
LEAST_READ: Final = 5.0
LEAST_TEXT: Final = 3.0


@dataclass(frozen=True, slots=True)
class Code:
    """A code with its quiet zone, lower left corner at 0, 0."""

    width: float
    height: float
    items: Sequence[Item]


def draw_barcode(section: ResolvedBarcode, lettering: Lettering, most: tuple[float, float]) -> Code:
    """Return a code of the wished size, no larger than `most`; raises ValueError for a wrong value."""
    symbol = encode(section.symbology, section.value, section.error_correction)
    if section.symbology in LINEAR:
        return _linear(section, symbol, lettering, most)
    return _matrix(section, symbol, most)


def alternative(section: ResolvedBarcode) -> str:
    """Return what the code says, for those who cannot see it."""
    return section.value[:200]


# ---------------------------------------------------------------- matrices


def _matrix(section: ResolvedBarcode, symbol: Symbol, most: tuple[float, float]) -> Code:
    """QR, Data Matrix and PDF417: modules are square, the frame given only limits them."""
    quiet = QUIET[section.symbology][0]
    across, down = symbol.width + 2 * quiet, symbol.height + 2 * quiet
    module = MODULE[section.symbology]
    if section.symbology == "qr":
        module = max(QR_WIDTH / across, LEAST_QR_MODULE)
    wishes = [wish * MM / count for wish, count in ((section.width, across), (section.height, down)) if wish]
    module = min(*(wishes or [module]), most[0] / across, most[1] / down)
    width, height = across * module, down * module
    # Counted in modules, from the top: shorter to write than points, and neighbours meet exactly.
    matrix = (module, 0, 0, -module, quiet * module, height - quiet * module)
    dark = Group((Rects(merged(symbol), BLACK),), matrix)
    return Code(width, height, (Rect(0, 0, width, height, fill=WHITE), dark))


def merged(symbol: Symbol) -> list[tuple[int, int, int, int]]:
    """Return dark rectangles (x, y from the top, width, height) in modules.

    A run that is the same in the rows below is one rectangle: fewer of them, and no hairlines between.
    """
    done: list[tuple[int, int, int, int]] = []
    growing: dict[tuple[int, int], int] = {}  # run: the row where it began
    y = 0
    for tall, runs in symbol.rows:
        here = frozenset(runs)
        for run in [run for run in growing if run not in here]:
            start = growing.pop(run)
            done.append((run[0], start, run[1], y - start))
        for run in runs:
            growing.setdefault(run, y)
        y += tall
    done += [(run[0], start, run[1], y - start) for run, start in growing.items()]
    return done


# ---------------------------------------------------------------- bars


def _linear(
    section: ResolvedBarcode, symbol: Symbol, lettering: Lettering, most: tuple[float, float]
) -> Code:
    """Code 128 and EAN-13: bars as high as wished, the value below them."""
    before, after = QUIET[section.symbology]
    across = before + symbol.width + after
    wish = section.width * MM if section.width else across * MODULE[section.symbology]
    module = min(wish, most[0]) / across
    usual = TEXT_SIZE[section.symbology]
    size = max(usual * module / MODULE[section.symbology], LEAST_READ)
    # The digits of EAN-13 stand between bars and grow with them; what is below a Code 128 is a remark.
    size = min(size, module * EAN_GROUP if section.symbology == "ean13" else usual)
    # Below a code narrower than any scanner reads there is no room for digits either.
    shown = section.text and size >= LEAST_TEXT
    air = TEXT_AIR[section.symbology]
    below = size * TEXT_HEIGHT[section.symbology] + air if shown else 0.0
    height = section.height * MM if section.height else BAR_HEIGHT[section.symbology] + below
    height = min(max(height, LEAST_BAR_HEIGHT + below), most[1])
    bars = max(height - below, 1.0)
    left = before * module
    boxes = [(left + x * module, height - bars, wide * module, bars) for x, wide in symbol.rows[0][1]]
    items: list[Item] = [Rect(0, 0, across * module, height, fill=WHITE)]
    if shown and section.symbology == "ean13":
        boxes = _with_guards(boxes, symbol, min(GUARD * module, below * 0.6))
        items += [Rects(boxes, BLACK), *_ean_text(symbol.text, left, module, size, lettering)]
    else:
        items.append(Rects(boxes, BLACK))
        if shown:
            items += _text_below(symbol.text, across * module, size, lettering)
    return Code(across * module, height, items)


def _with_guards(boxes: Sequence[Box], symbol: Symbol, further: float) -> list[Box]:
    return [
        (x, y - further, wide, tall + further) if first in _EAN_GUARDS else (x, y, wide, tall)
        for (x, y, wide, tall), (first, _) in zip(boxes, symbol.rows[0][1], strict=True)
    ]


def _ean_text(text: str, left: float, module: float, size: float, lettering: Lettering) -> list[Item]:
    """Return the digits where people look for them: one before the bars, six under each half."""
    style = lettering.style(size, BLACK)
    parts = (
        (text[0], left - 6.5 * module),
        (text[1:7], left + 24.5 * module),
        (text[7:], left + 70.5 * module),
    )
    lines: list[Item] = []
    for digits, middle in parts:
        wide = lettering.width(digits, style)
        room = (40 if len(digits) == 6 else 9) * module
        if len(digits) == 6 and wide < room * 0.9:
            lines += _spread(digits, middle - room / 2, room, style, lettering)
        else:
            lines += lettering.line(digits, style, middle, BASELINE * size, "middle", "figure")
    return lines


def _spread(digits: str, x: float, room: float, style: TextStyle, lettering: Lettering) -> list[Item]:
    """Return digits at even distances."""
    step = room / len(digits)
    lines: list[Item] = []
    for index, digit in enumerate(digits):
        place = x + (index + 0.5) * step
        lines += lettering.line(digit, style, place, BASELINE * style.size, "middle", "figure")
    return lines


def _text_below(text: str, width: float, size: float, lettering: Lettering) -> list[Item]:
    style = lettering.style(size, BLACK)
    return lettering.line(
        lettering.fitted(text, style, width), style, width / 2, size * 0.2, "middle", "figure"
    )
