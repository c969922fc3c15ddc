"""Where the generated forms are not good enough: better words, special controls. Data only.

A kind that is not named here is shown as its model says.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Final


@dataclass(frozen=True)
class KindNote:
    """How the picker shows a kind; `icon` is one of `dashboard/icons`."""

    help: str = ""
    group: str = "More"
    icon: str = "square"


# In the order of the picker.
KIND_NOTES: Final[dict[str, KindNote]] = {
    "heading": KindNote("A title or subtitle; the PDF lists it as a bookmark.", "Text", "heading"),
    "text": KindNote("A paragraph, an address, a note.", "Text", "text"),
    "key_value": KindNote("Labels with values: invoice number, due date, totals.", "Data", "rows-3"),
    "table": KindNote("One row per entry of a list, with totals and groups.", "Data", "table"),
    "list": KindNote("Bullets or numbers.", "Text", "list"),
    "image": KindNote("A logo, a photo, a drawing.", "Media", "image"),
    "chart": KindNote("Bars, lines or a pie from a list.", "Data", "chart-column"),
    "barcode": KindNote("QR code, EAN, Code 128 and others.", "Media", "qr-code"),
    "signature": KindNote("Lines to sign on.", "Media", "signature"),
    "columns": KindNote("Sections side by side.", "Layout", "columns-2"),
    "box": KindNote("Sections in a frame, with a background.", "Layout", "square"),
    "group": KindNote("Sections repeated for each entry of a list.", "Layout", "repeat"),
    "divider": KindNote("A line across the page.", "Layout", "minus"),
    "spacer": KindNote("Blank height.", "Layout", "move-vertical"),
    "page_break": KindNote("What follows begins a new page.", "Layout", "separator-horizontal"),
    "table_of_contents": KindNote("The headings with their page numbers.", "Text", "list-tree"),
}

# A field's name anywhere, or the place of one field.
LABELS: Final[dict[str, str]] = {
    "showIf": "Show only if",
    "content": "Text",
    "source": "List",
    "image.source": "Image",
    "list.source": "Entries from a list",
    "list.content": "Text of an entry",
    "list.items": "Fixed items",
    "list.childrenKey": "Field with entries below",
    "group.as": "Name of an entry",
    "key_value.items": "Pairs",
    "key_value.items.strong": "Bold",
    "table.zebra": "Shade every other row",
    "table.head": "Show the head",
    "table.repeatHead": "Repeat it on each page",
    "table.totals": "Line of totals",
    "table.rules": "Lines",
    "table.keepRows": "Keep rows whole",
    "table.keepWithNext": "Keep with the next section",
    "table.minRows": "Rows kept with the head",
    "table.groupBy": "Groups of rows",
    "table.styles": "Looks under conditions",
    "table.sheet": "Worksheet",
    "table.columns.key": "Field",
    "table.columns.value": "Formula",
    "table.columns.header": "Head",
    "table.columns.content": "Text of the cell",
    "table.columns.headGroup": "Head above",
    "table.columns.styles": "Looks under conditions",
    "table.groupBy.key": "Field",
    "chart.chart": "Kind of chart",
    "chart.category": "Name on the axis",
    "chart.series.key": "Field",
    "chart.series.value": "Formula",
    "barcode.symbology": "Kind of code",
    "barcode.text": "Print the value",
    "barcode.value": "Content",
    "color": "Colour",
    "colors": "Colours",
    "borderColor": "Colour of the border",
    "center": "Centre",
    "format": "Format",
    "gap": "Gap between",
    "alt": "Description for screen readers",
    "page.firstHeader": "Header of the first page",
    "page.firstFooter": "Footer of the first page",
    "page.coverSheet": "Cover sheet in workbooks",
    "page.numberHeadings": "Number the headings",
    "page.tagged": "Accessible PDF (tagged)",
    "page.archivable": "Archivable PDF (PDF/A)",
    "page.timezone": "Time zone",
    "page.theme.leading": "Line height",
    "page.theme.font": "Typeface",
    "page.theme.headingFont": "Typeface of headings",
    "page.theme.colors.ink": "Text",
    "page.theme.colors.muted": "Labels",
    "page.theme.colors.accent": "Accent",
    "page.theme.colors.rule": "Fine lines",
    "page.theme.colors.ruleStrong": "Strong lines",
    "page.theme.colors.tint": "Behind heads",
    "page.theme.colors.zebra": "Every other row",
    "page.watermark.text": "Words",
    "page.protection": "Passwords and permissions",
    "page.protection.userPassword": "Password to open",
    "page.protection.ownerPassword": "Password to change",
    "page.protection.allowPrint": "May be printed",
    "page.protection.allowCopy": "May be copied from",
    "page.protection.allowChange": "May be changed",
}

# Help that says no more than its label.
SILENT: Final = frozenset(
    {
        "heading.content", "text.content", "text.align", "heading.align", "table.columns",
        "columns.columns", "key_value.items", "text.bold", "text.italic", "text.color", "table.rules",
        "table.zebra", "table.head", "chart.title", "table.columns.bold",
        "signature.signers", "chart.series", "image.align", "barcode.align", "barcode.symbology",
        "page.theme.headingFont", "page.author", "page.subject", "page.numberHeadings", "page.protection",
    }
)  # fmt: skip

# Fields that a form shows on demand, by the place of the form.
MORE: Final[dict[str, frozenset[str]]] = {
    "heading": frozenset({"numbered"}),
    "text": frozenset({"size", "color", "bold", "italic", "hyphenate"}),
    "table": frozenset(
        {
            "size", "emptyText", "head", "repeatHead", "padding", "styles", "groupBy", "carryForward",
            "keepRows", "minRows", "keepWithNext", "sheet",
        }
    ),
    "table.columns": frozenset(
        {
            "value", "content", "headGroup", "locale", "overflow", "display", "link", "bold", "styles",
            "width", "align",
        }
    ),
    "image": frozenset({"mode", "link"}),
    "key_value": frozenset({"labelWidth"}),
    "list": frozenset({"childrenKey", "start"}),
    "group": frozenset({"as", "background", "border", "borderColor", "padding", "radius", "accent"}),
    "box": frozenset({"radius", "accent", "keepTogether"}),
    "chart": frozenset({"width", "align", "alt", "labels", "legend"}),
    "barcode": frozenset({"errorCorrection", "text"}),
    "signature": frozenset({"height"}),
    "signature.signers": frozenset({"image"}),
}  # fmt: skip
# The same in every form but that of the page, where it is the document's own.
MORE_BUT_FOR_PAGE: Final = frozenset({"language"})

# Place of a field (or `*.` and its name) -> what replaces the generated description.
CONTROLS: Final[dict[str, dict[str, Any]]] = {
    "table.columns": {"control": "grid", "shown": ["header", "key", "format", "total"], "noun": "column"},
    "*.source": {"of": "list"},
    "table.columns.key": {"of": "row"},
    "table.columns.value": {
        "example": "quantity * price",
        "help": "Computed from fields of the row, such as quantity * price; Field then names the result.",
    },
    "table.groupBy.key": {"of": "row", "begins": "row"},
    "chart.series.key": {"of": "row"},
    "table.groupBy": {"noun": "level"},
    "table.carryForward": {"control": "carry"},
    "key_value.items": {"control": "grid", "shown": ["label", "value", "strong"], "noun": "pair"},
    "chart.series": {"noun": "series"},
    "signature.signers": {"noun": "signer"},
    "columns.columns": {"noun": "column"},
    "image.source": {
        "control": "image",
        "help": "Click to choose an uploaded image, or take a file; {{logo}} lets the data bring it.",
    },
    "signature.signers.image": {"control": "image"},
    "chart.category": {
        "multiline": False,
        "help": "How each row is named on the axis: {{item.month}} prints a field of it.",
    },
    "list.items": {"help": "The same in every document. Either these or entries from a list."},
    "list.content": {"help": "{{item}} is the entry, {{item.name}} a field of it."},
    "table.columns.link": {"row": True, "multiline": False},
    "heading.content": {"multiline": False},
    "table.title": {"multiline": False},
    "table.totalsLabel": {"multiline": False},
    "table.emptyText": {"multiline": False},
    "table.groupBy.title": {"multiline": False, "row": True},
    "table.groupBy.label": {"multiline": False, "row": True},
    "chart.title": {"multiline": False},
    "chart.series.name": {"multiline": False, "help": "Name in the legend; without one, that of the field."},
    "chart.chart": {"help": "Bars lie, columns stand."},
    "chart.series.value": {
        "example": "quantity * price",
        "help": "Instead of a field: computed from fields of the row, such as quantity * price.",
    },
    "table_of_contents.title": {"multiline": False},
    "key_value.items.label": {"multiline": False},
    "signature.signers.name": {"multiline": False},
    "signature.signers.role": {"multiline": False},
    "signature.signers.date": {"multiline": False},
    "barcode.value": {"multiline": False},
    "*.alt": {"multiline": False},
    "page.size": {"control": "paper"},
    **{f"page.margins.{side}": {"unit": "mm"} for side in ("top", "right", "bottom", "left")},
    **{f"page.size.{side}": {"unit": "mm"} for side in ("width", "height")},
    "page.currency": {"control": "suggest", "suggestions": "currencies"},
    "page.timezone": {"control": "suggest", "suggestions": "timezones"},
    "page.locale": {"control": "suggest", "suggestions": "locales"},
    "*.language": {"control": "suggest", "suggestions": "locales"},
    "page.theme.headings": {"control": "headings"},
    "page.firstHeader": {"tri": True},
    "page.firstFooter": {"tri": True},
    "*.styles": {"noun": "look"},
}

OPTION_LABELS: Final[dict[str, str]] = {
    "center": "Centre",
    "qr": "QR code",
    "code128": "Code 128",
    "ean13": "EAN-13",
    "datamatrix": "Data Matrix",
    "pdf417": "PDF417",
    "fit": "Show it whole",
    "cover": "Fill the frame",
    "exact": "Stretch",
    "L": "L (7%)",
    "M": "M (15%)",
    "Q": "Q (25%)",
    "H": "H (30%)",
    "A3": "A3", "A4": "A4", "A5": "A5", "A6": "A6",
    "decimal": "Decimal",
    "check": "Check mark",
    "alpha": "a, b, c",
    "roman": "i, ii, iii",
}  # fmt: skip

# Kind, or place of a list -> a new one; else what is required, by its examples.
STARTERS: Final[dict[str, dict[str, Any]]] = {
    "heading": {"content": "New heading", "level": 2},
    "text": {"content": ""},
    "table": {
        "source": "items",
        "columns": [
            {"key": "name", "header": "Item"},
            {"key": "quantity", "header": "Quantity", "format": "integer"},
            {"key": "price", "header": "Price", "format": "currency"},
            {
                "key": "amount",
                "header": "Amount",
                "value": "quantity * price",
                "format": "currency",
                "total": "sum",
            },
        ],
        "totalsLabel": "Total",
    },
    "key_value": {"items": [{"label": "Number", "value": "{{number}}"}]},
    "list": {"items": ["First item", "Second item"]},
    "chart": {
        "chart": "column",
        "source": "months",
        "category": "{{item.month}}",
        "series": [{"name": "Amount", "key": "amount"}],
    },
    "columns": {
        "columns": [
            {"sections": [{"type": "text", "content": ""}]},
            {"sections": [{"type": "text", "content": ""}]},
        ]
    },
    "group": {"source": "items", "sections": [{"type": "text", "content": "{{item.name}}"}]},
    "barcode": {"value": "{{number}}", "symbology": "qr"},
    "signature": {"signers": [{"name": "{{name}}"}]},
    "table.columns": {"key": "field", "header": "Head"},
    "key_value.items": {"label": "", "value": ""},
    "columns.columns": {"sections": []},
}
