"""Plausible sample data from variables, so that a new template shows something at a click. Pure."""

from __future__ import annotations

from base64 import b64encode
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

from templates_app.samples import DEFAULT_NAME

MADE_UP: Final = "Made from the variables"  # what pages call such data, as they call samples by name
ROWS: Final = 3
MOST_LEVELS: Final = 6
# What a name ends with or contains -> values for the first, second and third entry of a list.
_WORDS: Final[tuple[tuple[tuple[str, ...], tuple[Any, Any, Any]], ...]] = (
    (("email", "mail"), ("anna.berger@example.com", "paul.huber@example.com", "mia.novak@example.com")),
    (("phone", "tel", "mobile"), ("+43 1 2345678", "+43 316 345678", "+49 89 123456")),
    (("url", "website", "link"), ("https://example.com", "https://example.org", "https://example.net")),
    (("iban",), ("AT61 1904 3002 3457 3201", "DE89 3704 0044 0532 0130 00", "CH93 0076 2011 6238 5295 7")),
    (("bic", "swift"), ("BKAUATWW", "COBADEFF", "POFICHBE")),
    (("vat", "uid"), ("ATU12345678", "DE123456789", "CHE-123.456.789")),
    (("street", "address"), ("Main Street 12", "Garden Lane 4", "Station Road 27")),
    (("zip", "postcode", "postal"), ("1010", "8010", "80331")),
    (("city", "town", "place"), ("Vienna", "Graz", "Munich")),
    (("country",), ("Austria", "Germany", "Switzerland")),
    (
        ("company", "customer", "client", "buyer", "tenant"),
        ("Berger & Co", "Huber Trading", "Novak Studio"),
    ),
    # Who is on the other side of a contract is somebody else.
    (
        ("provider", "supplier", "seller", "vendor", "contractor", "employer", "landlord"),
        ("Huber Trading", "Novak Studio", "Berger & Co"),
    ),
    (("first",), ("Anna", "Paul", "Mia")),
    (("last", "surname"), ("Berger", "Huber", "Novak")),
    (("contact", "person", "signer", "employee"), ("Anna Berger", "Paul Huber", "Mia Novak")),
    (("month",), ("January", "February", "March")),
    (("currency",), ("EUR", "EUR", "EUR")),
    (("sku", "article", "code"), ("AR-1042", "BX-2077", "CL-3310")),
    (("unit",), ("pcs", "h", "kg")),
    (("number", "no", "nr", "id", "reference"), ("2026-0042", "2026-0043", "2026-0044")),
    (("status",), ("open", "paid", "overdue")),
    (("title", "subject"), ("Annual review", "Office fit-out", "Spring offer")),
    (("note", "description", "comment", "text"), ("Delivered on time.", "As agreed by phone.", "Thank you.")),
    (("name", "item", "product"), ("Desk lamp", "Office chair", "Notebook")),
)
# The name of somebody, by what holds it: a customer is not called as goods are.
_OWNERS: Final = tuple(row for row in _WORDS if row[0][0] in ("company", "provider", "contact"))
_NUMBERS: Final[tuple[tuple[tuple[str, ...], tuple[Any, Any, Any]], ...]] = (
    (("days", "weeks", "months", "years"), (12, 30, 6)),
    (("rate", "share", "percent", "vat", "tax", "discount"), (0.2, 0.1, 0.05)),
    (("quantity", "qty", "count", "hours", "pieces"), (2, 5, 1)),
    (("year",), (2026, 2025, 2024)),
    (("price", "amount", "cost", "fee", "total", "net", "gross", "sum", "balance"), (129.5, 48.9, 349)),
)
_DATES: Final = ("2026-03-02", "2026-03-16", "2026-04-01")
_TIMES: Final = ("2026-03-02T09:30:00", "2026-03-16T14:00:00", "2026-04-01T16:45:00")
_DRAWING: Final = (
    '<svg xmlns="http://www.w3.org/2000/svg" width="160" height="100"><rect width="160" height="100" '
    'fill="#dfe3e8"/><path d="M20 80 60 35 90 65 110 45 140 80Z" fill="#aeb7c2"/></svg>'
)
PICTURE: Final = "data:image/svg+xml;base64," + b64encode(_DRAWING.encode()).decode()


@dataclass(frozen=True)
class Shown:
    """The data that a template is shown with, and what pages call it."""

    name: str
    data: dict[str, Any]
    is_made_up: bool = False


def shown_data(own: Mapping[str, Any] | None, variables: Sequence[Mapping[str, Any]] | None) -> Shown:
    """Return a template's own sample, else data made from its variables in stored form, if there are any."""
    if own or not variables:
        return Shown(DEFAULT_NAME, dict(own or {}))
    return Shown(MADE_UP, sample_data(variables), is_made_up=True)


def sample_data(variables: Sequence[Mapping[str, Any]]) -> dict[str, Any]:
    """Return data that fits stored variables; what is computed or has a default is left to the template.

    The same variables give the same data.
    """
    return _entry(variables, 0, 0)


def _entry(variables: Sequence[Mapping[str, Any]], index: int, level: int, owner: str = "") -> dict[str, Any]:
    return {
        variable["name"]: _value(variable, index, level, owner)
        for variable in variables
        if variable.get("value") is None and variable.get("default") is None
    }


def _value(variable: Mapping[str, Any], index: int, level: int, owner: str) -> Any:
    name, fields = str(variable["name"]).lower(), variable.get("fields") or []
    match variable.get("type"):
        case "list":
            if not fields:
                return ["First", "Second", "Third"] if variable.get("inferred") else []
            rows = ROWS if level < MOST_LEVELS else 1
            return [_entry(fields, row, level + 1, name) for row in range(rows)]
        case "object":
            return _entry(fields, index, level + 1, name)
        case "number" | "currency":
            return _by_name(_NUMBERS, name, (120, 80.5, 42.25))[index % ROWS]
        case "boolean":
            return index % 2 == 0
        case "date":
            return _DATES[index % ROWS]
        case "datetime":
            return _TIMES[index % ROWS]
        case "image":
            return PICTURE
    # An inferred variable has no type for sure: its name may say that it is a day or an amount.
    if variable.get("inferred"):
        if any(word in name for word in ("date", "due", "issued")):
            return _DATES[index % ROWS]
        if (numbers := _by_name(_NUMBERS, name, None)) is not None and "vat_id" not in name:
            return numbers[index % ROWS]
    return _words_for(name, owner)[index % ROWS]


def _words_for(name: str, owner: str) -> tuple[Any, Any, Any]:
    """Return texts for a name in lower case; `owner` is what the entry with it is called."""
    if name == "name" and (names := _by_name(_OWNERS, owner, None)) is not None:
        return names
    plain = name.replace("_", " ").replace("-", " ").strip()
    return _by_name(_WORDS, name, tuple(f"{plain[:1].upper()}{plain[1:]}{end}" for end in ("", " 2", " 3")))


def _by_name(table: Sequence[tuple[tuple[str, ...], tuple[Any, Any, Any]]], name: str, otherwise: Any) -> Any:
    """Return the values of the first row with a word of the name; short words must be one of its parts."""
    parts = set(name.replace("-", "_").split("_"))
    for words, values in table:
        if any(word in parts or (len(word) > 3 and word in name) for word in words):
            return values
    return otherwise
