"""The editor's form of the kind `list`."""

from __future__ import annotations

from dashboard.editor.kinds.base import MORE, KindForm

FORM = KindForm(
    help="Bullets or numbers.",
    group="Text",
    icon="list",
    starter={"items": ["First item", "Second item"]},
    fields={
        "items": {
            "label": "Fixed items",
            "help": "The same in every document. Either these or entries from a list. "
            "Enter begins the next one.",
        },
        "source": {"label": "Entries from a list"},
        "content": {
            "label": "Text of an entry",
            "help": "{{item}} is the entry, {{item.name}} a field of it.",
        },
        "childrenKey": MORE | {"label": "Field with entries below"},
        "start": MORE,
    },
)
