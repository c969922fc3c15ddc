"""What of a template a workbook holds: one worksheet per table. A kind without a line here is left out."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, Final

from rendering.formats.xlsx.sections import table

SECTIONS: Final[Mapping[str, Callable[..., Any]]] = {"table": table.render}
