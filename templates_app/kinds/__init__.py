"""The section kinds, in one table. Adding one: `docs/developing.md`."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from importlib import import_module
from typing import TYPE_CHECKING

from templates_app.kinds.any_section import AnySection

if TYPE_CHECKING:
    from templates_app.kinds.base import Section

__all__ = ["KINDS", "AnySection"]


class _Kinds(Mapping[str, "type[Section]"]):
    """Models by `type` on the wire, each loaded when it is first asked for, from the module of its name."""

    def __init__(self, **classes: str) -> None:
        self._classes = classes
        self._models: dict[str, type[Section]] = {}

    def __getitem__(self, kind: str) -> type[Section]:
        try:
            return self._models[kind]
        except KeyError:
            module = import_module(f"templates_app.kinds.{kind}" if kind in self._classes else __name__)
            model: type[Section] = getattr(module, self._classes[kind])
            return self._models.setdefault(kind, model)

    def __contains__(self, kind: object) -> bool:
        return kind in self._classes

    def __iter__(self) -> Iterator[str]:
        return iter(self._classes)

    def __len__(self) -> int:
        return len(self._classes)


KINDS: Mapping[str, type[Section]] = _Kinds(
    heading="HeadingSection",
    text="TextSection",
    table="TableSection",
    image="ImageSection",
    key_value="KeyValueSection",
    list="ListSection",
    divider="DividerSection",
    spacer="SpacerSection",
    page_break="PageBreakSection",
    columns="ColumnsSection",
    group="GroupSection",
    box="BoxSection",
    table_of_contents="TableOfContentsSection",
    chart="ChartSection",
    barcode="BarcodeSection",
    signature="SignatureSection",
)
