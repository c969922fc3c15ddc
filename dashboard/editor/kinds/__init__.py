"""The kinds that the editor knows more of than their models say, in the order of its picker.

A kind's module bears its name and has `FORM`; every kind has one.
"""

from __future__ import annotations

from importlib import import_module
from typing import Final

from dashboard.editor.kinds.base import KindForm

NAMES: Final = (
    "heading",
    "text",
    "key_value",
    "table",
    "list",
    "image",
    "chart",
    "barcode",
    "signature",
    "columns",
    "box",
    "group",
    "divider",
    "spacer",
    "page_break",
    "table_of_contents",
)

KIND_FORMS: Final[dict[str, KindForm]] = {name: import_module(f"{__name__}.{name}").FORM for name in NAMES}
