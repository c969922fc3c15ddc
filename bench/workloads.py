"""What is measured: templates as they are stored, and seeded data as a request would bring it. Pure."""

from __future__ import annotations

import base64
import struct
import zlib
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import date, timedelta
from functools import lru_cache, partial
from random import Random
from typing import Any, Final

# Columns of a table: key, head, type, width in millimetres, format.
Columns = Sequence[tuple[str, str, str, float, str | None]]

LOGO_WIDTH: Final = 400
LOGO_HEIGHT: Final = 120
# Letters of W4's three scripts with the share that each has of the words.
SCRIPTS: Final = (
    ("eeeaaiioouttnnssrrlddhcmpgfbwyvk", 0.60),
    ("ооеаинтсрвлкмдпуяызбгчйхжшюцщэфь", 0.25),
    ("αααειοοστνηρπκμλυδγωθχφβξψζέάίόή", 0.15),
)
_WORD_TEXT: Final = (
    "account annual bearing bracket cable carbon copper delivery drive engine filter flange freight gasket "
    "housing insulated invoice kit large licence maintenance monthly motor order payment pump quarterly "
    "relay repair seal sensor service shaft small spare standard steel support switch transfer valve"
)
WORDS: Final = tuple(_WORD_TEXT.split())
CITIES: Final = ("Vienna", "Graz", "Linz", "Zürich", "København", "Łódź", "Málaga", "Saint-Étienne")


@dataclass(frozen=True)
class Workload:
    """One workload: `template` is stored content without its name, `data(random, size)` one request's data.

    `size` counts rows or paragraphs, `repeats` the documents that one process makes; `goal` is the ratio
    to the floor that is asked for.
    """

    name: str
    title: str
    format: str
    goal: float
    size: int
    repeats: int
    template: Callable[[int], dict[str, Any]]
    data: Callable[[Random, int], dict[str, Any]]
    full: bool = False
    cold: bool = False

    def documents(self, seed: int, scale: float = 1.0) -> list[dict[str, Any]]:
        """Return the data of `repeats` documents, every one different."""
        random = Random(f"{self.name} {seed}")
        return [self.data(random, self.rows(scale)) for _ in range(self.repeats)]

    def rows(self, scale: float = 1.0) -> int:
        """Return the size at a scale."""
        return max(1, round(self.size * scale)) if self.size > 1 else 1


@lru_cache(maxsize=1)
def logo() -> bytes:
    """Return a PNG of 400 x 120 pixels, RGB: a shaded field with stripes, like a company's mark."""
    rows = bytearray()
    for y in range(LOGO_HEIGHT):
        rows.append(0)
        for x in range(LOGO_WIDTH):
            stripe = (x + y) // 40 % 2 * 40
            rows += bytes((30 + x // 4, 60 + y + stripe, 200 - x // 4 - stripe))
    head = struct.pack(">IIBBBBB", LOGO_WIDTH, LOGO_HEIGHT, 8, 2, 0, 0, 0)
    parts = ((b"IHDR", head), (b"IDAT", zlib.compress(bytes(rows), 9)), (b"IEND", b""))
    return b"\x89PNG\r\n\x1a\n" + b"".join(
        struct.pack(">I", len(body)) + kind + body + struct.pack(">I", zlib.crc32(kind + body))
        for kind, body in parts
    )


def _words(random: Random, least: int, most: int) -> str:
    return " ".join(random.choices(WORDS, k=random.randint(least, most))).capitalize()


def _day(random: Random) -> str:
    return (date(2026, 1, 1) + timedelta(days=random.randrange(320))).isoformat()


def _money(random: Random, most: int = 500_000) -> float:
    return random.randrange(100, most) / 100


def _variable(name: str, kind: str = "string", **more: Any) -> dict[str, Any]:
    return {"name": name, "type": kind, "required": True, **more}


def _table(columns: Columns, **more: Any) -> dict[str, Any]:
    """Return a table section over `items`."""
    return {
        "type": "table",
        "source": "items",
        "columns": [
            {"key": key, "header": header, "width": width} | ({"format": written} if written else {})
            for key, header, _, width, written in columns
        ],
        **more,
    }


def _items(columns: Columns) -> dict[str, Any]:
    return _variable("items", "list", fields=[_variable(key, kind) for key, _, kind, _, _ in columns])


def _page(margin: int, **more: Any) -> dict[str, Any]:
    return {
        "size": "A4",
        "margins": dict.fromkeys(("top", "right", "bottom", "left"), margin),
        "footer": {"right": "Page {{page.number}} of {{page.count}}"},
        "locale": "en-US",
        "currency": "EUR",
        **more,
    }


# W1: a page as most callers want it.
INVOICE_COLUMNS: Final = (
    ("number", "No.", "number", 12.0, "integer"),
    ("description", "Description", "string", 80.0, None),
    ("quantity", "Quantity", "number", 20.0, "integer"),
    ("price", "Price", "currency", 28.0, "currency"),
    ("amount", "Amount", "currency", 30.0, "currency"),
)
INVOICE_PAIRS: Final = (
    ("Invoice", "number", "string"),
    ("Date", "issued", "date"),
    ("Due", "due", "date"),
    ("Customer", "customer", "string"),
    ("Street", "street", "string"),
    ("City", "city", "string"),
    ("Reference", "reference", "string"),
    ("VAT number", "vat_number", "string"),
)
INVOICE_TOTALS: Final = (("Net", "net"), ("VAT 20 %", "vat"), ("Total", "total"))


def _invoice_template(size: int) -> dict[str, Any]:
    source = "data:image/png;base64," + base64.b64encode(logo()).decode()
    pairs = [{"label": label, "value": f"{{{{{name}}}}}"} for label, name, _ in INVOICE_PAIRS]
    totals: list[dict[str, Any]] = [
        {"label": label, "value": f"{{{{{name}}}}}"} for label, name in INVOICE_TOTALS
    ]
    totals[-1]["strong"] = True
    sections = [
        {"type": "image", "source": source, "width": 45, "alt": "Logo"},
        {"type": "heading", "content": "Invoice {{number}}"},
        {"type": "text", "content": "Dear {{customer}},\n\n{{greeting}}"},
        {"type": "key_value", "items": pairs, "columns": 2},
        _table(INVOICE_COLUMNS),
        {"type": "key_value", "items": totals, "align": "right"},
        {"type": "text", "content": "Please pay by {{due}} and name {{reference}}. {{closing}}"},
    ]
    variables = [_variable(name, kind) for _, name, kind in INVOICE_PAIRS]
    variables += [_variable(name, "currency") for _, name in INVOICE_TOTALS]
    variables += [_variable("greeting"), _variable("closing"), _items(INVOICE_COLUMNS)]
    return {"sections": sections, "variables": variables, "page": _page(20)}


def _invoice_data(random: Random, size: int) -> dict[str, Any]:
    items: list[dict[str, Any]] = []
    for number in range(1, 13):
        quantity, price = random.randint(1, 20), _money(random, 20_000)
        items.append(
            {
                "number": number,
                "description": _words(random, 2, 4),
                "quantity": quantity,
                "price": price,
                "amount": round(quantity * price, 2),
            }
        )
    net = round(sum(item["amount"] for item in items), 2)
    return {
        "number": f"2026-{random.randrange(10**6):06}",
        "issued": _day(random),
        "due": _day(random),
        "customer": _words(random, 2, 2) + " Ltd.",
        "street": f"{_words(random, 1, 1)} Street {random.randint(1, 200)}",
        "city": random.choice(CITIES),
        "reference": f"R-{random.randrange(10**8):08}",
        "vat_number": f"ATU{random.randrange(10**8):08}",
        "greeting": _words(random, 25, 30) + ".",
        "closing": _words(random, 12, 15) + ".",
        "items": items,
        "net": net,
        "vat": round(net * 0.2, 2),
        "total": round(net * 1.2, 2),
    }


# W2 and W3: tables over many pages.
STATEMENT_COLUMNS: Final = (
    ("date", "Date", "date", 20.0, "date:yyyy-MM-dd"),
    ("reference", "Reference", "string", 24.0, None),
    ("description", "Description", "string", 62.0, None),
    ("debit", "Debit", "number", 22.0, "number:2"),
    ("credit", "Credit", "number", 22.0, "number:2"),
    ("balance", "Balance", "number", 24.0, "number:2"),
)
LEDGER_COLUMNS: Final = (
    ("entry", "Entry", "number", 20.0, "integer"),
    ("date", "Date", "date", 22.0, "date:yyyy-MM-dd"),
    ("account", "Account", "string", 26.0, None),
    ("description", "Description", "string", 85.0, None),
    ("center", "Centre", "string", 28.0, None),
    ("debit", "Debit", "number", 30.0, "number:2"),
    ("credit", "Credit", "number", 30.0, "number:2"),
    ("balance", "Balance", "number", 32.0, "number:2"),
)


def _statement_template(size: int) -> dict[str, Any]:
    return {
        "sections": [_table(STATEMENT_COLUMNS, zebra=True, size=8)],
        "variables": [_items(STATEMENT_COLUMNS)],
        "page": _page(18),
    }


def _ledger_template(size: int) -> dict[str, Any]:
    return {
        "sections": [_table(LEDGER_COLUMNS, zebra=True, size=7)],
        "variables": [_items(LEDGER_COLUMNS)],
        "page": _page(12, orientation="landscape"),
    }


def _statement_data(random: Random, size: int) -> dict[str, Any]:
    """Return rows of which one in twenty has a description of two lines."""
    balance, rows = 10_000.0, []
    for _ in range(size):
        debit, credit = _money(random), _money(random)
        balance = round(balance + credit - debit, 2)
        rows.append(
            {
                "date": _day(random),
                "reference": f"R-{random.randrange(10**8):08}",
                "description": _words(random, 8, 9) if random.random() < 0.05 else _words(random, 2, 3),
                "debit": debit,
                "credit": credit,
                "balance": balance,
            }
        )
    return {"items": rows}


def _ledger_data(random: Random, size: int) -> dict[str, Any]:
    rows = _statement_data(random, size)["items"]
    for number, row in enumerate(rows, start=1):
        row["entry"] = number
        row["account"] = f"{random.randrange(1000, 9999)}-{random.randrange(100):02}"
        row["center"] = random.choice(CITIES)
        del row["reference"]
    return {"items": rows}


# W4: running text. One chapter has a heading and some paragraphs.
PARAGRAPHS: Final = 14


def _chapters(size: int) -> int:
    return max(1, size // PARAGRAPHS)


def _report_template(size: int) -> dict[str, Any]:
    sections: list[dict[str, Any]] = []
    for number in range(_chapters(size)):
        sections.append({"type": "heading", "level": 2, "content": f"{{{{chapter{number}.title}}}}"})
        sections.append({"type": "text", "align": "justify", "content": f"{{{{chapter{number}.text}}}}"})
    fields = [_variable("title"), _variable("text")]
    variables = [_variable(f"chapter{number}", "object", fields=fields) for number in range(_chapters(size))]
    return {"sections": sections, "variables": variables, "page": _page(20)}


@lru_cache(maxsize=1)
def _vocabulary() -> tuple[list[str], list[float]]:
    """Return 6,000 words of the three scripts, the short ones more often, with cumulative weights."""
    random = Random("words")
    words: list[str] = []
    weights: list[float] = []
    for letters, share in SCRIPTS:
        for rank in range(2000):
            words.append("".join(random.choices(letters, k=min(2 + rank // 200 + random.randrange(3), 13))))
            weights.append((weights[-1] if weights else 0.0) + share / (rank + 20))
    return words, weights


def _report_data(random: Random, size: int) -> dict[str, Any]:
    words, weights = _vocabulary()

    def sentence(most: int) -> str:
        return " ".join(random.choices(words, cum_weights=weights, k=most)).capitalize()

    return {
        f"chapter{number}": {
            "title": sentence(5),
            "text": "\n\n".join(
                " ".join(sentence(random.randint(8, 20)) + "." for _ in range(7)) for _ in range(PARAGRAPHS)
            ),
        }
        for number in range(_chapters(size))
    }


# X1, X2, X3: worksheets. X1 has the first eight columns.
SHEET_COLUMNS: Final = (
    ("number", "Number", "number", 22.0, "integer"),
    ("date", "Date", "date", 24.0, "date:yyyy-MM-dd"),
    ("customer", "Customer", "string", 50.0, None),
    ("city", "City", "string", 30.0, None),
    ("quantity", "Quantity", "number", 22.0, "integer"),
    ("price", "Price", "currency", 28.0, "currency"),
    ("discount", "Discount", "number", 22.0, "percent"),
    ("amount", "Amount", "currency", 30.0, "currency"),
    ("weight", "Weight", "number", 24.0, "number:3"),
    ("status", "Status", "string", 26.0, None),
)
NARROW: Final = SHEET_COLUMNS[:8]


def _sheet_template(columns: Columns, size: int) -> dict[str, Any]:
    return {
        "sections": [_table(columns, title="Orders")],
        "variables": [_items(columns)],
        "page": _page(20),
    }


_narrow: Final = partial(_sheet_template, NARROW)
_wide: Final = partial(_sheet_template, SHEET_COLUMNS)


def _sheet_data(random: Random, size: int, *, narrow: bool = False) -> dict[str, Any]:
    customers = [_words(random, 2, 3) + " & Co." for _ in range(2000)]
    rows = []
    for number in range(1, size + 1):
        quantity, price = random.randint(1, 500), _money(random, 20_000)
        row = {
            "number": number,
            "date": _day(random),
            "customer": random.choice(customers),
            "city": random.choice(CITIES),
            "quantity": quantity,
            "price": price,
            "discount": random.randrange(30) / 100,
            "amount": round(quantity * price, 2),
        }
        if not narrow:
            row |= {
                "weight": random.randrange(10**6) / 1000,
                "status": random.choice(("open", "paid", "late")),
            }
        rows.append(row)
    return {"items": rows}


WORKLOADS: Final[dict[str, Workload]] = {
    workload.name: workload
    for workload in (
        Workload("W1", "invoice, warm", "pdf", 0.12, 1, 100, _invoice_template, _invoice_data),
        Workload("W1cold", "invoice, cold", "pdf", 0.40, 1, 1, _invoice_template, _invoice_data, cold=True),
        Workload("W2", "statement, 1,000 rows", "pdf", 0.15, 1000, 5, _statement_template, _statement_data),
        Workload(
            "W3", "ledger, 50,000 rows", "pdf", 0.15, 50_000, 1, _ledger_template, _ledger_data, full=True
        ),
        Workload("W4", "report, 100 pages", "pdf", 0.35, 700, 2, _report_template, _report_data),
        Workload("X1", "sheet, 1,000 x 8", "xlsx", 1.0, 1000, 10, _narrow, partial(_sheet_data, narrow=True)),
        Workload("X2", "sheet, 100,000 x 10", "xlsx", 0.70, 100_000, 1, _wide, _sheet_data),
        Workload("X3", "sheet, 1,000,000 x 10", "xlsx", 0.70, 1_000_000, 1, _wide, _sheet_data, full=True),
    )
}
