"""The editor's form of the kind `page_break`."""

from __future__ import annotations

from dashboard.editor.kinds.base import KindForm

FORM = KindForm(
    help="What follows begins a new page.",
    group="Layout",
    icon="separator-horizontal",
    words="next page annex",
)
