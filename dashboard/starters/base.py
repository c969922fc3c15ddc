"""What the starters share: their type, drawings as data URIs, and the company that sends the document."""

from __future__ import annotations

import base64
from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from dashboard.demo.base import pairs, required, text, variable


class Starter(NamedTuple):
    """A template of the gallery: `body` is that of `POST /v1/templates`, `slug` names its picture."""

    slug: str
    name: str
    description: str
    body: Mapping[str, Any]


def svg(width: float, height: float, drawing: str) -> str:
    """Return a drawing of `width` by `height` units as a data URI."""
    source = (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width:g} {height:g}" '
        f'width="{width:g}" height="{height:g}" fill="none">{drawing}</svg>'
    )
    return "data:image/svg+xml;base64," + base64.b64encode(source.encode()).decode()


def page_svg(drawing: str) -> str:
    """Return a drawing of a whole upright A4 page in millimetres as a data URI."""
    return svg(210, 297, drawing)


def company_variable(label: str = "Company", *more: str) -> dict[str, Any]:
    """Return the variable of the sender: name and address, and what else a design shows of it.

    `more` are further optional texts of it.
    """
    fields = [required("name"), required("address"), *(variable(name) for name in more)]
    return required("company", "object", label, fields=fields)


def logo_variable() -> dict[str, Any]:
    """Return the variable of the logo: optional, so that a render without one still works."""
    return variable("logo", "image", "Logo")


def signature(*signers: Mapping[str, str], **more: Any) -> dict[str, Any]:
    """Return lines to sign on."""
    return {"type": "signature", "signers": list(signers), **more}


def barcode(value: str, **more: Any) -> dict[str, Any]:
    """Return a barcode; a QR code unless told otherwise."""
    return {"type": "barcode", "value": value, **more}


def group(source: str, name: str, sections: Sequence[Mapping[str, Any]], **more: Any) -> dict[str, Any]:
    """Return sections that are repeated for each entry of a list, which they call `name`."""
    return {"type": "group", "source": source, "as": name, "sections": list(sections), **more}


def numbered(*clauses: str) -> dict[str, Any]:
    """Return a list of clauses with letters."""
    return {"type": "list", "items": list(clauses), "ordered": True, "style": "alpha"}


def label(content: str, color: str, **more: Any) -> dict[str, Any]:
    """Return a small word in colour that stands above what it names."""
    return text(content, **{"size": 7.5, "bold": True, "color": color} | more)


def total_lines(entries: Sequence[tuple[str, str]], strong: str, **more: Any) -> dict[str, Any]:
    """Return a totals block at the right, with weight on the line that is called `strong`."""
    return pairs(entries, strong=(strong,), align="right", **more)
