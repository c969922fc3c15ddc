"""The editor's form of the kind `table`."""

from __future__ import annotations

from dashboard.editor.kinds.base import MORE, ONE_LINE, SILENT, KindForm

FORM = KindForm(
    help="One row per entry of a list, with totals and groups.",
    group="Data",
    icon="table",
    words="prices sum items positions rows",
    starter={
        "source": "items",
        "columns": [
            {"key": "name", "header": "Item"},
            {"key": "quantity", "header": "Quantity", "format": "integer"},
            {"key": "price", "header": "Price", "format": "currency"},
            {
                "key": "amount",
                "header": "Amount",
                "value": "quantity * price",
                "format": "currency",
                "total": "sum",
            },
        ],
        "totalsLabel": "Total",
    },
    fields={
        "columns": SILENT
        | {
            "control": "grid",
            "shown": ["header", "key", "format", "total"],
            "noun": "column",
            "starter": {"key": "field", "header": "Head"},
        },
        "columns.value": MORE
        | {
            "label": "Formula",
            "example": "quantity * price",
            "help": "Computed from fields of the row, such as quantity * price; Field then names the result.",
        },
        "columns.content": MORE | {"label": "Text of the cell"},
        "columns.key": {"label": "Field", "of": "row"},
        "columns.header": {"label": "Head"},
        "columns.headGroup": MORE | {"label": "Head above"},
        "columns.width": MORE
        | {
            "help": "Millimetres, such as 50; 25% of the table; or a share of what is left: *, 2*. "
            "Without one, from the content.",
        },
        "columns.align": MORE,
        "columns.locale": MORE,
        "columns.overflow": MORE,
        "columns.display": MORE,
        "columns.link": ONE_LINE | MORE | {"row": True},
        "columns.bold": MORE | SILENT,
        "columns.styles": MORE | {"label": "Looks under conditions"},
        "title": ONE_LINE,
        "zebra": SILENT | {"label": "Shade every other row"},
        "size": MORE,
        "emptyText": ONE_LINE | MORE,
        "head": MORE | SILENT | {"label": "Show the head"},
        "repeatHead": MORE | {"label": "Repeat it on each page"},
        "rules": SILENT | {"label": "Lines"},
        "padding": MORE,
        "styles": MORE | {"label": "Looks under conditions"},
        "groupBy": MORE | {"label": "Groups of rows", "noun": "level"},
        "groupBy.key": {"label": "Field", "of": "row", "begins": "row"},
        "groupBy.title": ONE_LINE | {"row": True},
        "groupBy.label": ONE_LINE | {"row": True},
        "totals": {"label": "Line of totals"},
        "totalsLabel": ONE_LINE,
        "carryForward": MORE | {"control": "carry"},
        "keepRows": MORE | {"label": "Keep rows whole"},
        "minRows": MORE | {"label": "Rows kept with the head"},
        "keepWithNext": MORE | {"label": "Keep with the next section"},
        "sheet": MORE | {"label": "Worksheet"},
    },
)
