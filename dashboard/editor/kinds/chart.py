"""The editor's form of the kind `chart`."""

from __future__ import annotations

from dashboard.editor.kinds.base import MORE, ONE_LINE, SILENT, KindForm

FORM = KindForm(
    help="Bars, lines or a pie from a list.",
    group="Data",
    icon="chart-column",
    words="graph diagram",
    starter={
        "chart": "column",
        "source": "months",
        "category": "{{item.month}}",
        "series": [{"name": "Amount", "key": "amount"}],
    },
    fields={
        "chart": {"label": "Kind of chart", "help": "Bars lie, columns stand."},
        "category": ONE_LINE
        | {
            "label": "Name on the axis",
            "help": "How each row is named on the axis: {{item.month}} prints a field of it.",
        },
        "series": SILENT | {"noun": "series"},
        "series.name": ONE_LINE | {"help": "Name in the legend; without one, that of the field."},
        "series.key": {"label": "Field", "of": "row"},
        "series.value": {
            "label": "Formula",
            "example": "quantity * price",
            "help": "Instead of a field: computed from fields of the row, such as quantity * price.",
        },
        "title": ONE_LINE | SILENT,
        "categoryTitle": ONE_LINE
        | MORE
        | {"label": "Title of the axis of names", "help": "Pies have no axes."},
        "valueTitle": ONE_LINE | MORE | {"label": "Title of the axis of values", "help": "Such as its unit."},
        "width": MORE,
        "align": MORE,
        "legend": MORE,
        "labels": MORE,
        "alt": MORE,
    },
)
