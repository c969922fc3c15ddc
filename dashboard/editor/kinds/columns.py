"""The editor's form of the kind `columns`."""

from __future__ import annotations

from dashboard.editor.kinds.base import SILENT, KindForm

FORM = KindForm(
    help="Sections side by side.",
    group="Layout",
    icon="columns-2",
    words="two columns parties",
    starter={
        "columns": [
            {"sections": [{"type": "text", "content": ""}]},
            {"sections": [{"type": "text", "content": ""}]},
        ]
    },
    fields={
        "columns": SILENT | {"noun": "column", "starter": {"sections": []}},
        "columns.width": {
            "help": "Millimetres, such as 50; 25% of the width; or a share of what is left: *, 2*. "
            "Without one, all are alike.",
        },
    },
)
