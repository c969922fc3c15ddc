"""What of a template a workbook holds. A kind without a line here is left out.

`SECTIONS` become worksheets, or parts of them; `COVER` is what a cover sheet shows. Sections inside others
(columns, groups, boxes) are taken one by one.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, Final

from rendering.formats.xlsx.sections import chart, cover, table

SECTIONS: Final[Mapping[str, Callable[..., Any]]] = {"table": table.render, "chart": chart.render}
COVER: Final[Mapping[str, Callable[..., Any]]] = {
    "heading": cover.heading,
    "text": cover.text,
    "key_value": cover.key_value,
    "list": cover.listing,
    "image": cover.image,
    "divider": cover.divider,
    "signature": cover.signature,
    "barcode": cover.barcode,
}
