"""The editor's form of the kind `image`."""

from __future__ import annotations

from dashboard.editor.kinds.base import MORE, SILENT, KindForm

FORM = KindForm(
    help="A logo, a photo, a drawing.",
    group="Media",
    icon="image",
    words="picture photograph",
    fields={
        "source": {
            "label": "Image",
            "help": "Click to choose an uploaded image, or take a file; {{logo}} lets the data bring it.",
        },
        "align": SILENT,
        "mode": MORE,
        "link": MORE,
    },
)
