"""The editor's form of the kind `table_of_contents`."""

from __future__ import annotations

from dashboard.editor.kinds.base import ONE_LINE, KindForm

FORM = KindForm(
    help="The headings with their page numbers.",
    group="Text",
    icon="list-tree",
    words="toc index overview",
    fields={
        "title": ONE_LINE,
    },
)
