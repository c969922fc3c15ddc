"""The editor's form of the kind `text`."""

from __future__ import annotations

from dashboard.editor.kinds.base import MORE, SILENT, KindForm

FORM = KindForm(
    help="A paragraph, an address, a note.",
    group="Text",
    icon="text",
    words="letter",
    starter={"content": ""},
    fields={
        "content": SILENT,
        "align": {"help": "End: at the right, in Arabic or Hebrew at the left."},
        "size": MORE,
        "bold": MORE | SILENT,
        "italic": MORE | SILENT,
        "color": MORE | SILENT,
        "hyphenate": MORE,
    },
)
