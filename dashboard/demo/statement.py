"""Statement of a UK business account: a quarter of about 400 transactions with the running balance."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import date, timedelta
from decimal import Decimal
from random import Random
from typing import Any, Final

from dashboard.demo.base import (
    DemoTemplate,
    cents,
    column,
    heading,
    money,
    pairs,
    required,
    rule,
    table,
    text,
    variable,
)

Row = dict[str, Any]

FIRST: Final = date(2025, 7, 1)
LAST: Final = date(2025, 9, 30)
OPENING: Final = Decimal("48216.37")
TRANSACTIONS: Final = 400
SAMPLE: Final = 24

CUSTOMERS: Final = (
    "Alderbrook Surveyors", "Bexcombe Town Council", "Castle Row Veterinary", "Dunmere Academy Trust",
    "Eastgate Physiotherapy", "Farrow & Pike Solicitors", "Greywell Housing", "Hartlow Hotels Ltd",
    "Ivybridge Coworking", "Juniper Lane Studios", "Kestrel Aero Parts", "Lowmoor Dental Care",
)  # fmt: skip
# description, type, smallest and largest amount in pounds
SPENDING: Final = (
    ("Parcelway Couriers", "Direct debit", 18, 240),
    ("Oakridge Timber Supplies", "Faster payment", 420, 3900),
    ("Northern Steelworks", "Faster payment", 380, 2900),
    ("Cloudmere Hosting", "Card", 24, 190),
    ("Petrol, Wayside Services", "Card", 38, 112),
    ("Rail tickets, TrackLine", "Card", 22, 186),
    ("Stationery Corner", "Card", 6, 94),
    ("Lumetric LED Components", "Faster payment", 210, 2400),
    ("Van hire, Roadrunner", "Card", 64, 310),
    ("Workshop consumables, Toolbarn", "Card", 12, 265),
    ("Canteen, The Copper Kettle", "Card", 5, 48),
    ("Freight, Humber Lines", "Faster payment", 260, 1450),
)
# day of month, description, type, amount (negative leaves the account)
STANDING: Final = (
    (1, "Rent, Unit 7 Millbrook Park", "Standing order", "-4850.00"),
    (3, "Business rates, Bexcombe Council", "Direct debit", "-1126.00"),
    (7, "HM Revenue, PAYE and NI", "Faster payment", "-6214.58"),
    (12, "Fleet lease, Marlow Motors", "Direct debit", "-894.20"),
    (15, "Pension contributions, Evergreen", "Direct debit", "-2380.15"),
    (18, "Electricity, Brightgrid", "Direct debit", "-763.41"),
    (21, "Telephone and broadband, Lineo", "Direct debit", "-148.79"),
    (28, "Salaries, BACS batch", "BACS", "-24816.92"),
    (30, "Account charges", "Charge", "-38.50"),
)  # fmt: skip


def _amount(random: Random, low: int, high: int) -> Decimal:
    """Return an amount with pence; small ones are more frequent than large ones."""
    share = Decimal(str(round(random.random() ** 1.8, 6)))
    return cents(Decimal(low) + share * (high - low))


def _standing() -> Iterator[tuple[date, str, str, str, Decimal]]:
    for month in (7, 8, 9):
        for day, description, kind, amount in STANDING:
            yield date(2025, month, day), description, kind, f"REF {month:02d}25-{day:02d}", Decimal(amount)
    yield (
        date(2025, 8, 7),
        "HM Revenue, VAT quarter 2",
        "Faster payment",
        "GB VAT Q2/25",
        Decimal("-11842.06"),
    )


def _everyday(random: Random, count: int) -> Iterator[tuple[date, str, str, str, Decimal]]:
    days = [FIRST + timedelta(days=offset) for offset in range((LAST - FIRST).days + 1)]
    working = [day for day in days if day.weekday() < 5]
    for number in range(count):
        day = random.choice(working)
        if number % 4 == 0:
            reference = f"FM-{random.randint(24100, 24999)}"
            yield day, random.choice(CUSTOMERS), "BACS credit", reference, _amount(random, 480, 5600)
        else:
            description, kind, low, high = random.choice(SPENDING)
            reference = f"{random.randint(10**7, 10**8 - 1)}"
            yield day, description, kind, reference, -_amount(random, low, high)


def _data(count: int) -> dict[str, Any]:
    """Return the data of a statement with its first `count` transactions."""
    random = Random(20250930)  # noqa: S311 (the same figures at each seeding)
    fixed = list(_standing())
    entries = sorted([*fixed, *_everyday(random, TRANSACTIONS - len(fixed))], key=lambda entry: entry[0])
    balance, paid_in, paid_out = OPENING, Decimal(0), Decimal(0)
    rows: list[Row] = []
    months: dict[str, Row] = {}
    for day, description, kind, reference, amount in entries[:count]:
        balance += amount
        paid_in += max(amount, Decimal(0))
        paid_out -= min(amount, Decimal(0))
        row: Row = {"date": day.isoformat(), "description": description, "type": kind, "reference": reference}
        row["paid_out" if amount < 0 else "paid_in"] = money(abs(amount))
        rows.append(row | {"balance": money(balance)})
        month = months.setdefault(
            f"{day:%B %Y}",
            {"month": f"{day:%B %Y}", "count": 0, "paid_in": Decimal(0), "paid_out": Decimal(0)},
        )
        month["count"] += 1
        month["paid_in" if amount > 0 else "paid_out"] += abs(amount)
        month["closing"] = balance
    return {
        "account": {
            "holder": "Fennmark Ltd",
            "street": "Unit 7, Millbrook Park",
            "city": "Bexcombe BX4 2QT",
            "name": "Business Current Account",
            "sort_code": "12-34-56",
            "number": "00481726",
            "iban": "GB37 HVAL 1234 5600 4817 26",
        },
        "statement_number": "2025/3",
        "period_from": FIRST.isoformat(),
        "period_to": LAST.isoformat(),
        "opening_balance": money(OPENING),
        "total_in": money(paid_in),
        "total_out": money(-paid_out),
        "closing_balance": money(balance),
        "transaction_count": len(rows),
        "months": [
            {name: money(value) if isinstance(value, Decimal) else value for name, value in month.items()}
            for month in months.values()
        ],
        "transactions": rows,
    }


_VARIABLES = [
    required(
        "account",
        "object",
        "Account",
        fields=[
            required("holder"),
            required("street"),
            required("city"),
            variable("name", default="Current Account"),
            required("sort_code"),
            required("number"),
            required("iban"),
        ],
    ),
    required("statement_number", label="Statement number"),
    required("period_from", "date", "From"),
    required("period_to", "date", "To"),
    required("opening_balance", "currency", "Opening balance"),
    required("total_in", "currency", "Total paid in"),
    required("total_out", "currency", "Total paid out"),
    required("closing_balance", "currency", "Closing balance"),
    variable("transaction_count", "number", "Number of transactions", format="integer"),
    variable(
        "months",
        "list",
        "Totals by month",
        fields=[
            required("month"),
            required("count", "number", format="integer"),
            required("paid_in", "currency"),
            required("paid_out", "currency"),
            required("closing", "currency"),
        ],
    ),
    required(
        "transactions",
        "list",
        "Transactions",
        fields=[
            required("date", "date"),
            required("description"),
            variable("type"),
            variable("reference"),
            variable("paid_out", "currency", format="number:2"),
            variable("paid_in", "currency", format="number:2"),
            required("balance", "currency", format="number:2"),
        ],
    ),
]

_SECTIONS = [
    heading("Account statement"),
    text("Harbour & Vale Bank plc · 1 Tollgate Street · Bexcombe BX1 1HV", size=8.5, color="#5c6776"),
    rule(color="#1f4b73", thickness=1),
    pairs(
        [
            ("Account holder", "{{account.holder}}\n{{account.street}}\n{{account.city}}"),
            ("Account", "{{account.name}}"),
            ("Statement", "{{statement_number}}"),
            ("Period", "{{period_from|date:long}} to {{period_to|date:long}}"),
            ("Sort code", "{{account.sort_code}}"),
            ("Account number", "{{account.number}}"),
            ("IBAN", "{{account.iban}}"),
            ("Transactions", "{{transaction_count}}"),
        ],
        columns=2,
    ),
    pairs(
        [
            ("Opening balance on {{period_from|date:long}}", "{{opening_balance}}"),
            ("Paid in", "{{total_in}}"),
            ("Paid out", "{{total_out}}"),
            ("Closing balance on {{period_to|date:long}}", "{{closing_balance}}"),
        ],
        strong=("Closing balance on {{period_to|date:long}}",),
        align="right",
    ),
    table(
        "months",
        [
            column("month", "Month"),
            column("count", "Transactions", 30),
            column("paid_in", "Paid in", 34),
            column("paid_out", "Paid out", 34),
            column("closing", "Closing balance", 34),
        ],
        title="Summary by month",
    ),
    table(
        "transactions",
        [
            column("date", "Date", 21),
            column("description", "Description"),
            column("type", "Type", 25),
            column("reference", "Reference", 22),
            column("paid_out", "Paid out (£)", 20),
            column("paid_in", "Paid in (£)", 20),
            column("balance", "Balance (£)", 22),
        ],
        title="Transactions",
        zebra=True,
        size=8,
        emptyText="There were no transactions in this period.",
    ),
    text(
        "Please check this statement and tell us within 13 months of a payment that you did not authorise. "
        "Balances include all transactions booked by the end of {{period_to|date:long}}. Eligible deposits "
        "are protected up to the limit of the deposit guarantee scheme; the sheet “How your money is "
        "protected” lies in our branches and at harbourvale.example/protection.",
        size=8,
        color="#5c6776",
    ),
]

TEMPLATE: Final = DemoTemplate(
    slug="statement",
    body={
        "name": "Account statement",
        "description": "Statement of an account: several hundred transactions with the running balance.",
        "formats": ["pdf", "xlsx"],
        "variables": _VARIABLES,
        "sections": _SECTIONS,
        "page": {
            "size": "A4",
            "margins": {"top": 22, "right": 16, "bottom": 20, "left": 16},
            "header": {
                "left": "Harbour & Vale Bank",
                "right": "{{account.holder}} · {{account.sort_code}} {{account.number}}",
            },
            "footer": {
                "left": "Statement {{statement_number}} · {{period_from|date}} to {{period_to|date}}",
                "right": "Page {{page.number}} of {{page.count}}",
            },
            "locale": "en-GB",
            "timezone": "Europe/London",
            "currency": "GBP",
        },
        "sampleData": _data(SAMPLE),
    },
    data=_data(TRANSACTIONS),
)
