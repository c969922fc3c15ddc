"""Parts of a table: its columns, groups of rows, and what a worksheet shows."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Annotated, Any, Literal

from config.api.models import (
    BeforeValidator,
    Discriminator,
    Field,
    MissingValue,
    StrictModel,
    Tag,
    ValidationInfo,
    WholeNumber,
    WithJsonSchema,
    field_validator,
)
from templates_app.conditions import Condition
from templates_app.expressions.grammar import parse_path
from templates_app.expressions.helpers import parse_format
from templates_app.kinds.base import Color, Path
from templates_app.kinds.uses import entry_uses, row_formula_uses, row_use, text_uses
from templates_app.paths import ELEMENT
from templates_app.resolved import CellStyle
from templates_app.variables import ITEM, FormatText, FormulaText, LocaleText, Use, check_format

CellText = Annotated[str, Field(max_length=10_000)]


def _width(value: Any) -> Any:
    if isinstance(value, (int, float)) and not isinstance(value, bool) and 1 <= value <= 2000:
        return float(value)
    if isinstance(value, str) and value[-1:] in {"%", "*"}:
        number = value[:-1]
        if value == "*" or (number.isascii() and number.isdigit() and 1 <= int(number[:5]) <= 100):
            return value
    raise ValueError('must be millimetres from 1 to 2000, or a share such as "25%"')


Width = Annotated[
    float | str,
    BeforeValidator(_width),
    WithJsonSchema(
        {
            "anyOf": [
                {"type": "number", "minimum": 1, "maximum": 2000},
                {"type": "string", "pattern": r"^(([1-9]\d?|100)[%*]|\*)$"},
            ]
        }
    ),
]


class ConditionalLook(StrictModel):
    """How cells look where a condition over their row holds."""

    when: Condition = Field(description="Names are fields of the row.")
    color: Color | None = Field(default=None, description="Colour of the letters as #rrggbb.")
    background: Color | None = Field(default=None, description="Colour behind the letters as #rrggbb.")
    bold: bool = Field(default=False, description="Bold letters.")
    italic: bool = Field(default=False, description="Italic letters.")

    def look(self) -> CellStyle:
        """Return what it changes about a cell."""
        return CellStyle(self.color, self.background, self.bold, self.italic)

    def uses(self, source: tuple[str, ...], computed: frozenset[str], names: frozenset[str]) -> Iterator[Use]:
        """Yield what the condition reads; see `TableColumn.uses`."""
        for use in self.when.uses():
            if ".".join(use.path) not in computed:
                yield from row_use(source, use.path, use.type, names)


class TableColumn(StrictModel):
    """One column: which field of each row it shows, or what it computes or writes, and how."""

    value: FormulaText | None = Field(
        default=None,
        description="A formula over the fields of the row, such as `quantity * price`; `key` then names its "
        "result for other formulas, totals and groups.",
        examples=["quantity * price"],
    )
    content: CellText | None = Field(
        default=None,
        description="Text of the cell in place of the value alone; `{{item.x}}` is a field of the row. A "
        "worksheet has the value where `key` or `value` gives one.",
        examples=["**{{item.name}}**\n{{item.note}}"],
    )
    key: Path | None = Field(
        default=None,
        validate_default=True,
        description="Field of the row, dotted for nested objects; needed without `value` and `content`.",
        examples=["price"],
    )
    header: Annotated[str, Field(max_length=500)] | None = Field(
        default=None, description="Head of the column; without one, the key.", examples=["Price"]
    )
    head_group: Annotated[str, Field(max_length=500)] = Field(
        default="", description="A head above the heads of neighbouring columns that share it."
    )
    width: Width | None = Field(
        default=None,
        description='Millimetres, a share of the table ("25%"), or of what is left ("*", "2*"); without one, '
        "from the content.",
    )
    align: Literal["left", "center", "right", "decimal"] | None = Field(
        default=None, description="Without one, numbers stand right and the rest left."
    )
    format: FormatText | None = None
    locale: LocaleText | None = None
    overflow: Literal["wrap", "shrink", "cut"] = Field(
        default="wrap", description="What becomes of a text that is wider than the column."
    )
    display: Literal["text", "image", "check", "link"] = Field(
        default="text",
        description="`image`: the value is an asset id or data URI; `check`: a mark for true; `link`: the "
        "value is an address.",
    )
    link: CellText | None = Field(
        default=None, description="Address that the cell leads to: https, http, mailto or tel."
    )
    total: Literal["sum", "average", "count", "min", "max"] | None = Field(
        default=None, description="Printed below the rows, and below groups with subtotals."
    )
    bold: bool = Field(default=False, description="Bold letters.")
    styles: Annotated[list[ConditionalLook], Field(max_length=20)] = Field(
        default=[], description="Looks under conditions; the first that holds counts."
    )

    @field_validator("key")
    @classmethod
    def _something_to_show(cls, value: str | None, info: ValidationInfo) -> str | None:
        # A broken formula or text is reported itself.
        if value is None and all(info.data.get(name, "") is None for name in ("value", "content")):
            raise MissingValue
        return value

    @field_validator("format")
    @classmethod
    def _known_format(cls, value: str | None) -> str | None:
        return check_format(value)

    def uses(self, source: tuple[str, ...], computed: frozenset[str], names: frozenset[str]) -> Iterator[Use]:
        """Yield what one column reads.

        `computed` are the keys of the table's computed columns, `names` those that its columns show.
        """
        if self.value is not None:
            yield from row_formula_uses(self.value, source, names, computed)
        elif self.key is not None and self.key not in computed:
            helper = parse_format(self.format)[0] if self.format else None
            use = Use.with_helper((*source, ELEMENT, *parse_path(self.key)), helper)
            yield Use(use.path, "image") if self.display == "image" else use
        yield from entry_uses(ITEM, source, text_uses(self.content, self.link))
        for style in self.styles:
            yield from style.uses(source, computed, names)
        yield from text_uses(self.header, self.head_group)


class RowGrouping(StrictModel):
    """Rows with equal values stand together, under a heading."""

    key: Path = Field(description="Field of the row, or key of a computed column.", examples=["city"])
    title: CellText | None = Field(
        default=None,
        description="Heading of a group: `{{group.value}}`, `{{group.count}}`, and fields of its first row "
        "as `{{item.x}}`; without one, the value.",
    )
    format: FormatText | None = None
    subtotals: bool = Field(
        default=True, description="Totals of the columns that have one, below each group."
    )
    label: CellText = Field(
        default="",
        description="In front of the subtotals; may hold what the title may.",
        examples=["Sum {{group.value}}"],
    )

    @field_validator("format")
    @classmethod
    def _known_format(cls, value: str | None) -> str | None:
        return check_format(value)


class CarryForward(StrictModel):
    """Running totals at the end of a page and the beginning of the next."""

    brought: Annotated[str, Field(max_length=200)] = Field(
        default="Brought forward", description="Label at the top of a page."
    )
    carried: Annotated[str, Field(max_length=200)] = Field(
        default="Carried forward", description="Label at the end of a page."
    )


def _carried(value: Any) -> str:
    return "<labels>" if isinstance(value, dict | CarryForward) else "<flag>"


# Tags in angle brackets are left out of error paths.
CarriesForward = Annotated[
    Annotated[bool, Tag("<flag>")] | Annotated[CarryForward, Tag("<labels>")], Discriminator(_carried)
]


class SheetSettings(StrictModel):
    """What only a worksheet shows."""

    name: Annotated[str, Field(max_length=200)] = Field(
        default="", description="Name of the worksheet; without one, the title."
    )
    freeze_columns: WholeNumber = Field(
        default=0, ge=0, le=50, description="So many columns stay in view, besides the head."
    )
    autofilter: bool = Field(default=True, description="Filters in the head.")
    table: bool = Field(default=False, description="An Excel table, with its look and its name.")
    formulas: bool = Field(
        default=True, description="Totals and computed columns are live formulas, not only their values."
    )
