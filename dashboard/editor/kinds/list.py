"""The editor's form of the kind `list`."""

from __future__ import annotations

from dashboard.editor.kinds.base import MORE, KindForm

FORM = KindForm(
    help="Bullets, numbers, or the clauses of a contract.",
    group="Text",
    icon="list",
    words="numbered numbering items sub-clauses",
    starter={"items": ["First item", "Second item"]},
    fields={
        "items": {
            "label": "Fixed items",
            "help": "The same in every document. Either these or entries from a list. "
            "Enter begins the next one; lines that are pasted are one each.",
        },
        "source": {"label": "Entries from a list"},
        "content": {
            "label": "Text of an entry",
            "help": "{{item}} is the entry, {{item.name}} a field of it.",
        },
        "style": {
            "label": "Numbers",
            "help": "How items are counted; 1., 1.1, 1.1.1 counts all levels, as clauses of a contract.",
            "turnsOn": "ordered",  # bullets have no numbers
        },
        "childrenKey": MORE | {"label": "Field with entries below"},
        "start": MORE,
        "size": MORE,
    },
)
