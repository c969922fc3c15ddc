"""The editor's form of the kind `columns`."""

from __future__ import annotations

from dashboard.editor.kinds.base import SILENT, KindForm

FORM = KindForm(
    help="Sections side by side.",
    group="Layout",
    icon="columns-2",
    starter={
        "columns": [
            {"sections": [{"type": "text", "content": ""}]},
            {"sections": [{"type": "text", "content": ""}]},
        ]
    },
    fields={
        "columns": SILENT | {"noun": "column", "starter": {"sections": []}},
    },
)
