"""The editor's form of the kind `box`."""

from __future__ import annotations

from dashboard.editor.kinds.base import MORE, KindForm

FORM = KindForm(
    help="Sections in a frame, with a background.",
    group="Layout",
    icon="square",
    words="border callout",
    fields={
        "radius": MORE,
        "accent": MORE,
        "keepTogether": MORE,
    },
)
