"""The editor's form of the kind `barcode`."""

from __future__ import annotations

from dashboard.editor.kinds.base import MORE, ONE_LINE, SILENT, KindForm

FORM = KindForm(
    help="QR code, EAN, Code 128 and others.",
    group="Media",
    icon="qr-code",
    words="payment",
    starter={"value": "{{number}}", "symbology": "qr"},
    fields={
        "value": ONE_LINE | {"label": "Content"},
        "symbology": SILENT | {"label": "Kind of code"},
        "align": SILENT,
        "text": MORE | {"label": "Print the value"},
        "errorCorrection": MORE,
    },
)
