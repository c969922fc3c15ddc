"""The section kinds, in one table. Adding one: `docs/developing.md`."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, get_args

from pydantic import Field
from typing_extensions import TypeAliasType

from templates_app.kinds.barcode import BarcodeSection
from templates_app.kinds.base import Section
from templates_app.kinds.box import BoxSection
from templates_app.kinds.chart import ChartSection
from templates_app.kinds.columns import ColumnOfSections, ColumnsSection
from templates_app.kinds.divider import DividerSection
from templates_app.kinds.group import GroupSection
from templates_app.kinds.heading import HeadingSection
from templates_app.kinds.image import ImageSection
from templates_app.kinds.key_value import KeyValueSection
from templates_app.kinds.list import ListSection
from templates_app.kinds.page_break import PageBreakSection
from templates_app.kinds.signature import SignatureSection
from templates_app.kinds.spacer import SpacerSection
from templates_app.kinds.table import TableSection
from templates_app.kinds.table_of_contents import TableOfContentsSection
from templates_app.kinds.text import TextSection

_Union = (
    HeadingSection
    | TextSection
    | TableSection
    | ImageSection
    | KeyValueSection
    | ListSection
    | DividerSection
    | SpacerSection
    | PageBreakSection
    | ColumnsSection
    | GroupSection
    | BoxSection
    | TableOfContentsSection
    | ChartSection
    | BarcodeSection
    | SignatureSection
)
if TYPE_CHECKING:
    AnySection = Section
else:
    # A named type, so that the schema has one component `Section` and clients one name for it.
    AnySection = TypeAliasType("Section", Annotated[_Union, Field(discriminator="type")])

# Kinds that hold sections could not name the type before it was there.
for _model in (ColumnOfSections, ColumnsSection, GroupSection, BoxSection):
    _model.model_rebuild(_types_namespace={"AnySection": AnySection})

# `type` on the wire -> model; the union above is the only list.
KINDS: dict[str, type[Section]] = {
    get_args(model.model_fields["type"].annotation)[0]: model for model in get_args(_Union)
}
