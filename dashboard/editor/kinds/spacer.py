"""The editor's form of the kind `spacer`."""

from __future__ import annotations

from dashboard.editor.kinds.base import KindForm

FORM = KindForm(
    help="Blank height.",
    group="Layout",
    icon="move-vertical",
    words="gap empty distance",
)
