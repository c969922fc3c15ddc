"""The editor's form of the kind `key_value`."""

from __future__ import annotations

from dashboard.editor.kinds.base import MORE, ONE_LINE, SILENT, KindForm

FORM = KindForm(
    help="Labels with values: invoice number, due date, totals.",
    group="Data",
    icon="rows-3",
    words="pairs facts details sum",
    starter={"items": [{"label": "Number", "value": "{{number}}"}]},
    fields={
        "items": SILENT
        | {
            "label": "Pairs",
            "control": "grid",
            "shown": ["label", "value", "strong"],
            "noun": "pair",
            "starter": {"label": "", "value": ""},
        },
        "items.label": ONE_LINE,
        "items.strong": {"label": "Bold"},
        "labelWidth": MORE,
        "size": MORE,
    },
)
