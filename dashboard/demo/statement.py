"""Statement of a UK business account: a quarter of about 400 transactions with the running balance."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import date, timedelta
from decimal import Decimal
from random import Random
from typing import Any, Final

from dashboard.demo.base import (
    AMBER,
    BLUE,
    MUTED,
    TEAL,
    TINT,
    DemoTemplate,
    box,
    cents,
    column,
    columns,
    heading,
    money,
    pairs,
    required,
    rule,
    space,
    table,
    text,
    variable,
    when,
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
    balance = OPENING
    rows: list[Row] = []
    months: dict[str, Row] = {}
    for day, description, kind, reference, amount in entries[:count]:
        balance += amount
        row: Row = {
            "month": f"{day:%B %Y}",
            "date": day.isoformat(),
            "description": description,
            "type": kind,
            "reference": reference,
        }
        row["paid_out" if amount < 0 else "paid_in"] = money(abs(amount))
        rows.append(row | {"balance": money(balance)})
        month = months.setdefault(
            f"{day:%B %Y}",
            {"month": f"{day:%B}", "paid_in": Decimal(0), "paid_out": Decimal(0)},
        )
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
    variable(
        "months",
        "list",
        "Totals by month",
        fields=[
            required("month"),
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
            required("month"),
            required("date", "date"),
            required("description"),
            variable("type"),
            variable("reference"),
            variable("paid_out", "currency", format="number:2"),
            variable("paid_in", "currency", format="number:2"),
            required("balance", "currency", format="number:2"),
        ],
    ),
    variable("total_in", "currency", "Total paid in", value="sum(transactions.paid_in)"),
    variable("total_out", "currency", "Total paid out", value="sum(transactions.paid_out)"),
    variable(
        "closing_balance", "currency", "Closing balance", value="opening_balance + total_in - total_out"
    ),
    variable(
        "transaction_count",
        "number",
        "Number of transactions",
        value="count(transactions.date)",
        format="integer",
    ),
]


def _figure(label: str, value: str, **frame: Any) -> list[dict[str, Any]]:
    """Return a figure under its label, in a box."""
    lines = (text(label, size=7.5, color=MUTED), text(value, size=13, bold=True))
    return [box(*lines, **{"background": TINT, "padding": 3, "radius": 1.2, **frame})]


_MONTHS = table(
    "months",
    [
        column("month", "Month"),
        column("paid_in", "Paid in", 26, total="sum"),
        column("paid_out", "Paid out", 26, total="sum"),
        column("closing", "Balance", 27),
    ],
    title="Summary by month",
    size=8,
    totalsLabel="Quarter",
)

_SECTIONS = [
    columns(
        [
            text("**{{account.holder}}**\n{{account.street}}\n{{account.city}}", size=10),
        ],
        [
            pairs(
                [
                    ("Account", "**{{account.name}}**"),
                    ("Sort code, number", "{{account.sort_code}} {{account.number}}"),
                    ("IBAN", "{{account.iban}}"),
                    ("Statement", "{{statement_number}}"),
                ],
                labelWidth=30,
            )
        ],
        widths=("*", 88),
    ),
    heading("Account statement"),
    text(
        "{{period_from|date:long}} to {{period_to|date:long}} · {{transaction_count}} transactions",
        color=MUTED,
    ),
    columns(
        _figure("Opening balance", "{{opening_balance}}"),
        _figure("Paid in", "{{total_in}}"),
        _figure("Paid out", "{{total_out}}"),
        _figure("Closing balance", "{{closing_balance}}", background="#e3ecf4", accent=BLUE),
        gap=4,
    ),
    space(2),
    columns(
        [_MONTHS],
        [
            {
                "type": "chart",
                "chart": "column",
                "title": "Paid in and out",
                "source": "months",
                "category": "{{item.month}}",
                "series": [
                    {"key": "paid_in", "name": "Paid in", "color": TEAL},
                    {"key": "paid_out", "name": "Paid out", "color": AMBER},
                ],
                "height": 38,
                "alt": "Columns: paid in and paid out in each month",
            }
        ],
        widths=("*", 62),
        gap=8,
    ),
    table(
        "transactions",
        [
            column("date", "Date", 22),
            {
                "key": "description",
                "header": "Description",
                "content": f"{{{{item.description}}}}  [{{{{item.reference}}}}]{{{MUTED}}}",
            },
            column("type", "Type", 25),
            column("paid_out", "Paid out (£)", 22, total="sum"),
            column("paid_in", "Paid in (£)", 22, total="sum"),
            column(
                "balance",
                "Balance (£)",
                23,
                styles=[{"when": when("balance", "less", value=0), "color": "#b3261e", "bold": True}],
            ),
        ],
        title="Transactions",
        size=8,
        padding=0.9,
        groupBy=[
            {
                "key": "month",
                "title": "{{group.value}}",
                "label": "{{group.count}} entries in {{group.value}}",
            }
        ],
        totalsLabel="Quarter",
        carryForward=True,
        emptyText="There were no transactions in this period.",
        keepWithNext=True,
        sheet={"freezeColumns": 1},
    ),
    box(
        text(
            "Please check this statement and tell us within 13 months of a payment that you did not "
            "authorise. Balances include all transactions booked by the end of {{period_to|date:long}}. "
            "Eligible deposits are protected up to the limit of the deposit guarantee scheme; the sheet "
            "“How your money is protected” lies in our branches and at "
            "[harbourvale.example/protection](https://harbourvale.example/protection).",
            size=8,
            color=MUTED,
        ),
        border=0.5,
        padding=3.5,
        radius=1.2,
    ),
]

_FIRST_HEADER = [
    columns(
        [
            text(f"[Harbour & Vale]{{{BLUE}}}", size=19, bold=True),
        ],
        [
            text(
                "Harbour & Vale Bank plc\n1 Tollgate Street · Bexcombe BX1 1HV\n"
                "[harbourvale.example](https://harbourvale.example)",
                size=8,
                color=MUTED,
                align="right",
            )
        ],
    ),
    rule(color=BLUE, thickness=1.2),
    space(4),
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
            "margins": {"top": 22, "right": 18, "bottom": 20, "left": 18},
            "firstHeader": {"sections": _FIRST_HEADER},
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
            "theme": {"size": 9.5, "headings": {"1": {"size": 20, "before": 14, "after": 4}}},
            "title": "Statement {{statement_number}} of {{account.number}}",
            "author": "Harbour & Vale Bank plc",
            "coverSheet": True,
        },
        "sampleData": _data(SAMPLE),
    },
    data=_data(TRANSACTIONS),
)
