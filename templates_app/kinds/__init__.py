"""The section kinds, in one table. Adding one: `docs/developing.md`."""

from __future__ import annotations

from collections.abc import Mapping
from importlib import import_module
from typing import TYPE_CHECKING, Final

from config.late_table import LateTable
from templates_app.kinds.any_section import AnySection

if TYPE_CHECKING:
    from templates_app.kinds.base import Section

__all__ = ["KINDS", "AnySection"]


# The class of each kind, in the module of its name; loaded when the kind is first asked for.
_CLASSES: Final = {
    "heading": "HeadingSection",
    "text": "TextSection",
    "table": "TableSection",
    "image": "ImageSection",
    "key_value": "KeyValueSection",
    "list": "ListSection",
    "divider": "DividerSection",
    "spacer": "SpacerSection",
    "page_break": "PageBreakSection",
    "columns": "ColumnsSection",
    "group": "GroupSection",
    "box": "BoxSection",
    "table_of_contents": "TableOfContentsSection",
    "chart": "ChartSection",
    "barcode": "BarcodeSection",
    "signature": "SignatureSection",
}


def _load(kind: str) -> type[Section]:
    model: type[Section] = getattr(import_module(f"{__name__}.{kind}"), _CLASSES[kind])
    return model


KINDS: Final[Mapping[str, type[Section]]] = LateTable(_CLASSES, _load)
