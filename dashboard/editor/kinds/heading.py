"""The editor's form of the kind `heading`."""

from __future__ import annotations

from dashboard.editor.kinds.base import MORE, ONE_LINE, SILENT, KindForm

FORM = KindForm(
    help="A title or subtitle; the PDF lists it as a bookmark.",
    group="Text",
    icon="heading",
    words="title chapter annex",
    starter={"content": "New heading", "level": 2},
    fields={
        "content": ONE_LINE | SILENT,
        "align": {"help": "End: at the right, in Arabic or Hebrew at the left."},
        "numbered": MORE,
    },
)
