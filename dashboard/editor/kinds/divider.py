"""The editor's form of the kind `divider`."""

from __future__ import annotations

from dashboard.editor.kinds.base import KindForm

FORM = KindForm(
    help="A line across the page.",
    group="Layout",
    icon="minus",
    words="rule",
)
