"""Payslip: payments and deductions side by side, net pay, the year so far, and where the money went."""

from __future__ import annotations

from typing import Any, Final

from dashboard.demo.base import (
    box,
    column,
    columns,
    heading,
    image,
    pairs,
    required,
    space,
    table,
    text,
    variable,
    when,
)
from dashboard.starters.base import Starter, company_variable, label, logo_variable, svg

TEAL: Final = "#0f5c63"
DEEP: Final = "#0b3b45"
MUTED: Final = "#60727a"
PALE: Final = "#eef5f5"

_LOGO = svg(
    56,
    56,
    f'<circle cx="28" cy="28" r="27" fill="{DEEP}"/>'
    '<path d="M28 3c-13 15-13 35 0 50M28 3c13 15 13 35 0 50M3 28h50" stroke="#8fd0cd" stroke-width="2.4"/>',
)

_DATA: Final[dict[str, Any]] = {
    "logo": _LOGO,
    "company": {
        "name": "Meridian Freight Ltd",
        "address": "Dock Road 40, Eastgate EG1 8LM",
        "payroll_reference": "120/MF00000",
    },
    "employee": {
        "name": "Priya Raman",
        "number": "MF-0417",
        "department": "Operations, Night desk",
        "tax_code": "1257L",
        "insurance_number": "QQ 00 00 00 C",
        "address": "9 Lowmoor Terrace\nEastgate EG4 3PD",
    },
    "period": "September 2025",
    "from": "2025-09-01",
    "to": "2025-09-30",
    "paid_on": "2025-09-26",
    "bank_account": "ending in 4417",
    "payments": [
        {"name": "Basic salary", "units": 1, "rate": 2975.00},
        {"name": "Night allowance, hours", "units": 46, "rate": 4.25},
        {"name": "Overtime at 1.5, hours", "units": 7.5, "rate": 27.46},
        {"name": "Weekend stand-by, days", "units": 2, "rate": 60.00},
    ],
    "deductions": [
        {"name": "Income tax (PAYE)", "amount": 491.80, "before": 2412.60},
        {"name": "National Insurance", "amount": 196.10, "before": 968.55},
        {"name": "Pension, 5%", "amount": 174.82, "before": 862.40},
        {"name": "Cycle to work", "amount": 41.50, "before": 207.50},
    ],
    "gross_before": 17248.00,
    "employer_pension": 244.74,
    "employer_insurance": 413.78,
    "leave": {"entitled": 25, "taken": 16.5, "booked": 3},
    "note": "The new rates of the night allowance apply from 1 October. Questions: payroll@meridian.example, "
    "weekdays until 16:00.",
}

_VARIABLES = [
    logo_variable(),
    company_variable("Employer", "payroll_reference"),
    required(
        "employee",
        "object",
        "Employee",
        fields=[
            required("name"),
            required("number"),
            variable("department"),
            variable("tax_code"),
            variable("insurance_number"),
            variable("address"),
        ],
    ),
    required("period", label="Month"),
    required("from", "date", "From"),
    required("to", "date", "To"),
    required("paid_on", "date", "Paid on"),
    variable("bank_account", label="Bank account"),
    required(
        "payments",
        "list",
        "Payments",
        fields=[
            required("name"),
            required("units", "number", format="number"),
            required("rate", "currency"),
            variable("amount", "currency", value="round(units * rate, 2)"),
        ],
    ),
    required(
        "deductions",
        "list",
        "Deductions",
        fields=[
            required("name"),
            required("amount", "currency"),
            variable("before", "currency", default=0),
            variable("so_far", "currency", value="before + amount"),
        ],
    ),
    required("gross_before", "currency", "Gross of the months before"),
    variable("employer_pension", "currency", "Pension paid by the employer", default=0),
    variable("employer_insurance", "currency", "Insurance paid by the employer", default=0),
    variable(
        "leave",
        "object",
        "Leave in days",
        fields=[
            required("entitled", "number", format="number"),
            required("taken", "number", format="number"),
            variable("booked", "number", default=0, format="number"),
        ],
    ),
    variable("note", label="Note"),
    variable("gross", "currency", "Gross pay", value="sum(payments.amount)"),
    variable("deducted", "currency", "Deductions, sum", value="sum(deductions.amount)"),
    variable("net", "currency", "Net pay", value="gross - deducted"),
    variable("gross_so_far", "currency", "Gross this year", value="gross_before + gross"),
    variable("deducted_so_far", "currency", "Deductions this year", value="sum(deductions.so_far)"),
    variable("net_so_far", "currency", "Net this year", value="gross_so_far - deducted_so_far"),
    variable(
        "cost", "currency", "Cost to the employer", value="gross + employer_pension + employer_insurance"
    ),
    variable(
        "leave_left",
        "number",
        "Leave that is left",
        value="leave.entitled - leave.taken - leave.booked",
        format="number",
    ),
    variable("net_share", "number", "Share that is paid out", value="net / gross", format="percent:1"),
]


def _figure(name: str, value: str, size: float) -> list[dict[str, Any]]:
    return [label(name, "#9fcfcc"), text(f"**{value}**", size=size, color="#ffffff")]


_SECTIONS = [
    columns(
        [
            label("EMPLOYEE", MUTED),
            text("**{{employee.name}}**", size=14, color=DEEP),
            text("{{employee.address}}", size=9),
        ],
        [
            pairs(
                [
                    ("Personnel number", "{{employee.number}}"),
                    ("Department", "{{employee.department}}"),
                    ("Tax code", "{{employee.tax_code}}"),
                    ("Insurance number", "{{employee.insurance_number}}"),
                    ("Period", "{{from|date:long}} to {{to|date:long}}"),
                ],
                labelWidth=34,
            )
        ],
        widths=("*", 92),
        gap=10,
    ),
    space(4),
    box(
        columns(
            _figure("GROSS PAY", "{{gross}}", 15),
            _figure("DEDUCTIONS", "{{deducted}}", 15),
            _figure("NET PAY", "{{net}}", 25),
            widths=("2*", "2*", "3*"),
            gap=6,
        ),
        text(
            "Paid on {{paid_on|date:full}} · {{net_share}} of gross pay",
            size=8.5,
            color="#cfe6e4",
        ),
        text("To your account {{bank_account}}", size=8.5, color="#cfe6e4", showIf=when("bank_account")),
        background=DEEP,
        padding=7,
        radius=2,
    ),
    space(5),
    columns(
        [
            table(
                "payments",
                [
                    column("name", "Payments", "*"),
                    column("units", "Units", 14, format="number"),
                    column("rate", "Rate", 20, format="number:2"),
                    column("amount", "Amount", 23, total="sum"),
                ],
                size=8.5,
                zebra=False,
                totalsLabel="Gross pay",
            )
        ],
        [
            table(
                "deductions",
                [
                    column("name", "Deductions", "*"),
                    column("amount", "Amount", 23, total="sum"),
                ],
                size=8.5,
                zebra=False,
                totalsLabel="Deducted",
            )
        ],
        widths=("4*", "3*"),
        gap=8,
    ),
    space(5),
    columns(
        [
            {
                "type": "chart",
                "chart": "donut",
                "title": "What was deducted",
                "source": "deductions",
                "category": "{{item.name}}",
                "series": [{"key": "amount", "name": "Amount"}],
                "format": "currency",
                "height": 52,
                "legend": "right",
                "alt": "Share of each deduction of {{deducted}}",
            }
        ],
        [
            heading("This year so far", 4),
            pairs(
                [
                    ("Gross pay", "{{gross_so_far}}"),
                    ("Deductions", "{{deducted_so_far}}"),
                    ("Net pay", "{{net_so_far}}"),
                ],
                strong=("Net pay",),
                labelWidth=34,
            ),
            heading("Paid by your employer", 4),
            pairs(
                [
                    ("Pension", "{{employer_pension}}"),
                    ("Insurance", "{{employer_insurance}}"),
                    ("Cost in all", "{{cost}}"),
                ],
                strong=("Cost in all",),
                labelWidth=34,
            ),
        ],
        widths=("4*", "3*"),
        gap=8,
    ),
    space(3),
    box(
        columns(
            [label("LEAVE, DAYS", TEAL), text("**{{leave_left}}** left", size=13, color=DEEP)],
            [label("ENTITLED", MUTED), text("{{leave.entitled}}", size=11)],
            [label("TAKEN", MUTED), text("{{leave.taken}}", size=11)],
            [label("BOOKED", MUTED), text("{{leave.booked}}", size=11)],
            widths=("2*", "*", "*", "*"),
        ),
        background=PALE,
        padding=5,
        radius=2,
        showIf=when("leave"),
    ),
    space(2),
    text("{{note}}", size=8.5, color=MUTED, showIf=when("note")),
]

STARTER: Final = Starter(
    slug="payslip",
    name="Payslip",
    description="Payments and deductions side by side, net pay, the year so far, leave, and a chart.",
    body={
        "name": "Payslip",
        "description": "",
        "formats": ["pdf"],
        "variables": _VARIABLES,
        "sections": _SECTIONS,
        "page": {
            "size": "A4",
            "margins": {"top": 18, "right": 20, "bottom": 20, "left": 20},
            "header": {
                "sections": [
                    columns(
                        [image("{{logo}}", width=13, alt="{{company.name}}", showIf=when("logo"))],
                        [
                            text("**{{company.name}}**", size=12, color=DEEP),
                            text(
                                "{{company.address}} · payroll {{company.payroll_reference}}",
                                size=8,
                                color=MUTED,
                            ),
                        ],
                        [text("**Payslip**\n{{period}}", size=13, color=TEAL, align="right")],
                        widths=(14, "*", 50),
                        gap=4,
                    ),
                    {"type": "divider", "color": TEAL, "thickness": 1.2},
                    space(4),
                ]
            },
            "footer": {
                "left": "Confidential · {{employee.number}} · please keep this payslip",
                "right": "Page {{page.number}} of {{page.count}}",
            },
            "theme": {
                "size": 9,
                "spacing": 0.65,
                "colors": {
                    "ink": "#16262b",
                    "muted": MUTED,
                    "accent": TEAL,
                    "rule": "#dbe6e6",
                    "ruleStrong": TEAL,
                    "tint": PALE,
                },
                "headings": {"4": {"size": 10.5, "color": DEEP, "before": 4, "after": 3}},
            },
            "title": "Payslip {{period}}, {{employee.name}}",
            "author": "{{company.name}}",
            "locale": "en-GB",
            "timezone": "Europe/London",
            "currency": "GBP",
        },
        "sampleData": _DATA,
    },
)
