"""How a worksheet looks. Widths are characters of the default font, heights points."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from config.value import dataclass
from rendering.formats.palette import on
from templates_app.resolved import CellStyle, Theme

if TYPE_CHECKING:
    from xlsxwriter.workbook import Workbook

Properties = dict[str, Any]

INK: Final = "#1b2430"
HEAD: Final = "#e9eef3"  # a little stronger than on paper: so is the grid around it
STRIPE: Final = "#f6f8fa"
HOUSE: Final = Theme()
BODY: Final[Properties] = {"valign": "top"}
LINK: Final[Properties] = {"font_color": "#0563c1", "underline": 1}

LINE: Final = 15.0
MOST_HEIGHT: Final = 409.0  # of a row
HEADER_PADDING: Final = 7.0

LEAST_WIDTH: Final = 8.0
MOST_WIDTH: Final = 60.0
PADDING: Final = 2.5  # room for the filter's button and a margin
MILLIMETRES: Final = 1.95  # to one character of width

WHOLE_FORMAT: Final = "0"
DATE_FORMAT: Final = "yyyy-mm-dd"
BOOLEAN_FORMAT: Final = '"TRUE";"TRUE";"FALSE"'  # for LibreOffice; Excel has its own words
DATETIME_FORMAT: Final = "yyyy-mm-dd hh:mm"
PICTURE_HEIGHT: Final = 45.0  # points, of a row with images


@dataclass(frozen=True, slots=True)
class Dress:
    """How the lines of a table that are no rows look in a theme, and the stripes of its rows."""

    header: Properties
    group: Properties
    subtotal: Properties
    total: Properties
    zebra: str

    @classmethod
    def of(cls, theme: Theme) -> Dress:
        """Take over what a theme names; the house style has colours of its own in cells."""
        behind = HEAD if theme.tint == HOUSE.tint else theme.tint
        header = {
            "bold": True,
            "font_color": on(behind, theme.ink),
            "bg_color": behind,
            "bottom": 1,
            "bottom_color": theme.rule_strong,
            "valign": "vcenter",
            "text_wrap": True,
        }
        ends = {"top": 1, "top_color": theme.ink, "bottom": 6, "bottom_color": theme.ink}
        return cls(
            header,
            group={"bold": True, "bg_color": theme.tint, "font_color": on(theme.tint, theme.ink)},
            subtotal={"bold": True, "top": 1, "top_color": theme.rule_strong},
            total={"bold": True, **ends},
            zebra=STRIPE if theme.zebra == HOUSE.zebra else theme.zebra,
        )


def side(align: str, *, mirrored: bool) -> str:
    """Return the side of a cell where text stands: `left` is where lines begin, `end` where they end.

    That is the right in a mirrored sheet, in which left and right of an alignment are still left and right.
    """
    if align in {"left", "end"}:
        return "right" if mirrored is (align == "left") else "left"
    return "right" if align == "decimal" else align


class Looks:
    """The cell formats of one workbook, each made once; a cell names its format by number."""

    def __init__(self, workbook: Workbook) -> None:
        """Begin with none."""
        self._workbook = workbook
        self._known: dict[tuple[tuple[str, Any], ...], str] = {}

    def xf(self, properties: Properties) -> str:
        """Return the number of the format with these XlsxWriter properties, in digits."""
        key = tuple(properties.items())
        found = self._known.get(key)
        if found is None:
            found = self._known[key] = str(self._workbook.add_format(properties)._get_xf_index())
        return found


def changes(style: CellStyle) -> Properties:
    """Return what a conditional style changes, as XlsxWriter properties."""
    wanted = {
        "font_color": style.color,
        "bg_color": style.background,
        "bold": style.bold,
        "italic": style.italic,
    }
    return {name: value for name, value in wanted.items() if value}
