"""The editor's form of the kind `group`."""

from __future__ import annotations

from dashboard.editor.kinds.base import MORE, KindForm

FORM = KindForm(
    help="Sections repeated for each entry of a list.",
    group="Layout",
    icon="repeat",
    words="loop",
    starter={"source": "items", "sections": [{"type": "text", "content": "{{item.name}}"}]},
    fields={
        "background": MORE,
        "border": MORE,
        "borderColor": MORE,
        "padding": MORE,
        "radius": MORE,
        "accent": MORE,
        "as": MORE | {"label": "Name of an entry"},
    },
)
