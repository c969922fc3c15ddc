"""How each section kind is drawn. A kind is one module with `render(section, flow)` and one line here."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, Final

from rendering.formats.pdf.sections import (
    divider,
    heading,
    image,
    key_value,
    list,
    page_break,
    spacer,
    table,
    text,
)

SECTIONS: Final[Mapping[str, Callable[..., Any]]] = {
    "heading": heading.render,
    "text": text.render,
    "table": table.render,
    "image": image.render,
    "key_value": key_value.render,
    "list": list.render,
    "divider": divider.render,
    "spacer": spacer.render,
    "page_break": page_break.render,
}
