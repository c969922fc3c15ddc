"""What the demo templates share: their type, the logo, and short ways to write sections and variables."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from decimal import ROUND_HALF_UP, Decimal
from pathlib import Path
from typing import Any, Final

LOGO_PATH: Final = Path(__file__).with_name("logo.png")
LOGO_PLACEHOLDER: Final = "{logo}"
CENT: Final = Decimal("0.01")

# The colours of the logo, and a grey for what matters less.
BLUE: Final = "#1f4b73"
TEAL: Final = "#2f8a8a"
AMBER: Final = "#de9e3f"
MUTED: Final = "#5c6776"
TINT: Final = "#f1f4f7"

# Every demo document is of this day or of a period before it: the same input at each seeding.
TODAY: Final = date(2025, 10, 6)


@dataclass(frozen=True)
class DemoTemplate:
    """A template with its data.

    `body` is the body of `POST /v1/templates`, `data` that of a render. `LOGO_PLACEHOLDER` stands in both
    where the id of the uploaded logo belongs.
    """

    slug: str
    body: Mapping[str, Any]
    data: Mapping[str, Any]

    @property
    def format(self) -> str:
        """The format it shows best in: the first of its formats."""
        name: str = self.body["formats"][0]
        return name


def logo_bytes() -> bytes:
    """Return the logo: a PNG of 600 x 180 pixels with a transparent background."""
    return LOGO_PATH.read_bytes()


def data_with_logo(data: Any, asset_id: str) -> Any:
    """Return a JSON value with `asset_id` in each place of the logo's placeholder."""
    if isinstance(data, str):
        return asset_id if data == LOGO_PLACEHOLDER else data
    if isinstance(data, Mapping):
        return {name: data_with_logo(value, asset_id) for name, value in data.items()}
    if isinstance(data, (list, tuple)):
        return [data_with_logo(value, asset_id) for value in data]
    return data


def cents(amount: Decimal) -> Decimal:
    """Return an amount rounded half up to cents."""
    return amount.quantize(CENT, ROUND_HALF_UP)


def money(amount: Decimal) -> float:
    """Return an exact amount as the JSON number with the same digits."""
    return float(cents(amount))


def variable(name: str, kind: str = "string", label: str = "", **more: Any) -> dict[str, Any]:
    """Return a declared variable."""
    return {"name": name, "type": kind, **({"label": label} if label else {}), **more}


def required(name: str, kind: str = "string", label: str = "", **more: Any) -> dict[str, Any]:
    """Return a declared variable that the data must give."""
    return variable(name, kind, label, required=True, **more)


def logo_variable() -> dict[str, Any]:
    """Return the variable of the logo: optional, so that a render without one still works."""
    return variable("logo", "image", "Logo")


def heading(content: str, level: int = 1, **more: Any) -> dict[str, Any]:
    """Return a heading section."""
    return {"type": "heading", "content": content, "level": level, **more}


def text(content: str, **more: Any) -> dict[str, Any]:
    """Return a text section."""
    return {"type": "text", "content": content, **more}


def column(key: str, header: str, width: float | str | None = None, **more: Any) -> dict[str, Any]:
    """Return a column of a table."""
    return {"key": key, "header": header, **({} if width is None else {"width": width}), **more}


def table(source: str, columns: Sequence[Mapping[str, Any]], **more: Any) -> dict[str, Any]:
    """Return a table section."""
    return {"type": "table", "source": source, "columns": list(columns), **more}


def pairs(entries: Iterable[tuple[str, str]], *, strong: Iterable[str] = (), **more: Any) -> dict[str, Any]:
    """Return a key and value section; the labels in `strong` are printed with weight."""
    heavy = set(strong)
    items = [
        {"label": label, "value": value, **({"strong": True} if label in heavy else {})}
        for label, value in entries
    ]
    return {"type": "key_value", "items": items, **more}


def bullets(*items: str, ordered: bool = False) -> dict[str, Any]:
    """Return a list section of fixed items."""
    return {"type": "list", "items": list(items), "ordered": ordered}


def image(source: str, **more: Any) -> dict[str, Any]:
    """Return an image section."""
    return {"type": "image", "source": source, **more}


def space(millimetres: float) -> dict[str, Any]:
    """Return an empty height."""
    return {"type": "spacer", "height": millimetres}


def rule(**more: Any) -> dict[str, Any]:
    """Return a rule across the page."""
    return {"type": "divider", **more}


def columns(
    *parts: Sequence[Mapping[str, Any]], widths: Sequence[float | str] = (), **more: Any
) -> dict[str, Any]:
    """Return sections side by side; `widths` may be given for all of them."""
    sides: list[dict[str, Any]] = [{"sections": list(part)} for part in parts]
    for side, width in zip(sides, widths, strict=False):
        side["width"] = width
    return {"type": "columns", "columns": sides, **more}


def box(*sections: Mapping[str, Any], **more: Any) -> dict[str, Any]:
    """Return sections in a frame."""
    return {"type": "box", "sections": list(sections), **more}


def when(field: str, test: str = "set", **more: Any) -> dict[str, Any]:
    """Return a condition on one value."""
    return {"field": field, "is": test, **more}


def page_break() -> dict[str, Any]:
    """Return a page break."""
    return {"type": "page_break"}
