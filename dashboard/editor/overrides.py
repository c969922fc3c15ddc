"""Where the generated forms are not good enough in many kinds, or in the page settings. Data only.

What is of one kind alone is in `kinds/<kind>.py`.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from dashboard.editor.kinds.base import MORE, ONE_LINE, SILENT, Better

# A field's name, in every form; what the form of its kind says goes before.
ANY_FIELD: Final[Mapping[str, Better]] = {
    "showIf": {"label": "Show only if"},
    "content": {"label": "Text"},
    "source": {"label": "List", "of": "list"},
    "color": {"label": "Colour"},
    "colors": {"label": "Colours"},
    "borderColor": {"label": "Colour of the border"},
    "center": {"label": "Centre"},
    "gap": {"label": "Gap between"},
    "alt": {"label": "Description for screen readers"} | ONE_LINE,
    "styles": {"noun": "look"},
    "language": MORE | {"control": "suggest", "suggestions": "locales"},
}

MILLIMETRES: Final = {"unit": "mm"}
# Place of a field in the page settings.
PAGE_FIELDS: Final[Mapping[str, Better]] = {
    "size": {"control": "paper"},
    **{f"size.{side}": MILLIMETRES for side in ("width", "height")},
    **{f"margins.{side}": MILLIMETRES for side in ("top", "right", "bottom", "left")},
    "firstHeader": {"label": "Header of the first page", "tri": True},
    "firstFooter": {"label": "Footer of the first page", "tri": True},
    "firstBackground": {
        "label": "Background of the first page",
        "help": "Such as a letterhead; without one, as on the others.",
    },
    "watermark.text": {"label": "Words"},
    "theme.font": {"label": "Typeface"},
    "theme.headingFont": SILENT | {"label": "Typeface of headings"},
    "theme.leading": {"label": "Line height"},
    "theme.colors.ink": {"label": "Text"},
    "theme.colors.muted": {"label": "Labels"},
    "theme.colors.accent": {"label": "Accent"},
    "theme.colors.rule": {"label": "Fine lines"},
    "theme.colors.ruleStrong": {"label": "Strong lines"},
    "theme.colors.tint": {"label": "Behind heads"},
    "theme.colors.zebra": {"label": "Every other row"},
    "theme.headings": {"control": "headings"},
    "locale": {"control": "suggest", "suggestions": "locales"},
    "timezone": {"label": "Time zone", "control": "suggest", "suggestions": "timezones"},
    "language": {"more": False},  # the document's own
    "currency": {"control": "suggest", "suggestions": "currencies"},
    "author": SILENT,
    "subject": SILENT,
    "numberHeadings": SILENT | {"label": "Number the headings"},
    "tagged": {"label": "Accessible PDF (tagged)"},
    "archivable": {"label": "Archivable PDF (PDF/A)"},
    "protection": SILENT | {"label": "Passwords and permissions"},
    "protection.userPassword": {"label": "Password to open"},
    "protection.ownerPassword": {"label": "Password to change"},
    "protection.allowPrint": {"label": "May be printed"},
    "protection.allowCopy": {"label": "May be copied from"},
    "protection.allowChange": {"label": "May be changed"},
    "coverSheet": {"label": "Cover sheet in workbooks"},
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
    "check": "Check mark",
    "alpha": "a, b, c",
    "roman": "i, ii, iii",
    "outline": "1., 1.1, 1.1.1",
}
