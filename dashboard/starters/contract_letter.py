"""Contract letter of an employer: terms at a glance, numbered clauses, the pay as a table, signatures."""

from __future__ import annotations

from typing import Any, Final

from dashboard.demo.base import (
    box,
    column,
    columns,
    heading,
    image,
    page_break,
    pairs,
    required,
    rule,
    space,
    table,
    text,
    variable,
    when,
)
from dashboard.starters.base import (
    Starter,
    company_variable,
    group,
    label,
    logo_variable,
    numbered,
    signature,
    svg,
)

WINE: Final = "#6d1f3a"
GOLD: Final = "#b08d4c"
INK: Final = "#23212a"
MUTED: Final = "#736d78"

_LOGO = svg(
    60,
    60,
    f'<path d="M30 3 57 30 30 57 3 30z" fill="{WINE}"/><path d="M30 9 51 30 30 51 9 30z" stroke="{GOLD}" '
    'stroke-width="1.2"/><path d="M21 40V20h3l12 14V20h3v20h-3L24 26v14z" fill="#ffffff"/>',
)

_DATA: Final[dict[str, Any]] = {
    "logo": _LOGO,
    "company": {
        "name": "Norwood & Vale LLP",
        "address": "Assembly House, 5 Castle Row, Kilmore KM2 0AA",
        "place": "Kilmore",
        "registration": "Registered in England and Wales no. 00000000",
    },
    "number": "EC-2025-014",
    "issued": "2025-10-06",
    "reply_by": "2025-10-20",
    "employee": {
        "name": "Daniel Ferreira",
        "salutation": "Mr Ferreira",
        "address": "Apartment 12\n48 Greywell Street\nKilmore KM5 3QD",
    },
    "manager": {"name": "Imogen Hartley", "role": "Managing partner"},
    "position": "Senior surveyor",
    "department": "Valuation and advice",
    "starts": "2026-01-05",
    "probation_months": 6,
    "notice_weeks": 8,
    "weekly_hours": 37.5,
    "leave_days": 27,
    "remote_days": 2,
    "pay": [
        {"name": "Basic salary", "note": "in twelve equal payments on the 25th", "amount": 54600},
        {"name": "Car allowance", "note": "monthly, subject to tax", "amount": 4800},
        {"name": "Employer's pension contribution", "note": "8% of the basic salary", "amount": 4368},
        {"name": "Professional fees and training", "note": "paid against receipts, at most", "amount": 1500},
    ],
    "duties": [
        {
            "name": "Valuations",
            "details": [
                {"name": "commercial and mixed-use property in the region"},
                {"name": "reports for lenders and trustees"},
            ],
        },
        {
            "name": "Advice to clients",
            "details": [
                {"name": "rent reviews and lease renewals"},
                {"name": "two seminars a year for clients of the firm"},
            ],
        },
        {
            "name": "Leading",
            "details": [
                {"name": "two surveyors in training"},
                {"name": "the quality review of the team's reports"},
            ],
        },
    ],
}

_VARIABLES = [
    logo_variable(),
    company_variable("Employer", "place", "registration"),
    required("number", label="Contract number"),
    required("issued", "date", "Date of the letter"),
    required("reply_by", "date", "Reply by"),
    required(
        "employee",
        "object",
        "Employee",
        fields=[required("name"), required("salutation"), required("address")],
    ),
    required("manager", "object", "Signs for the employer", fields=[required("name"), variable("role")]),
    required("position", label="Position"),
    required("department", label="Department"),
    required("starts", "date", "First day"),
    variable("probation_months", "number", "Probation in months", format="integer"),
    variable("notice_weeks", "number", "Notice in weeks", default=4, format="integer"),
    variable("weekly_hours", "number", "Hours a week", default=37.5, format="number"),
    variable("leave_days", "number", "Days of leave", default=25, format="integer"),
    variable("remote_days", "number", "Days a week from home", format="integer"),
    required(
        "pay",
        "list",
        "Pay for a year",
        fields=[required("name"), variable("note"), required("amount", "currency")],
    ),
    variable(
        "duties",
        "list",
        "Duties",
        fields=[required("name"), variable("details", "list", fields=[required("name")])],
    ),
    variable("package", "currency", "Value of all pay in a year", value="sum(pay.amount)"),
    variable("first_pay", "currency", "Value of all pay in a month", value="round(package / 12, 2)"),
]


def _clause(title: str, *paragraphs: str, **more: Any) -> list[dict[str, Any]]:
    return [
        heading(title, 2, **more),
        *(text(paragraph, align="justify", hyphenate=True, **more) for paragraph in paragraphs),
    ]


_LETTER = [
    columns(
        [text("**{{employee.name}}**\n{{employee.address}}", size=10)],
        [text("{{company.place}}, {{issued|date:long}}\nContract {{number}}", align="right", color=MUTED)],
        widths=("*", 70),
    ),
    space(9),
    heading("Contract of employment", 1, numbered=False),
    text("Dear {{employee.salutation}},"),
    text(
        "we were glad to meet you and would like you to join {{company.name}} as **{{position}}**. This "
        "letter and its schedule set out the terms of your employment. Please read them, ask us about "
        "anything that is unclear, and return a signed copy by **{{reply_by|date:long}}**.",
        align="justify",
        hyphenate=True,
    ),
    space(2),
    box(
        pairs(
            [
                ("Position", "**{{position}}**"),
                ("First day", "**{{starts|date:long}}**"),
                ("Department", "{{department}}"),
                ("Hours a week", "{{weekly_hours}}"),
                ("Paid leave", "{{leave_days}} days"),
                ("Notice", "{{notice_weeks}} weeks"),
                ("Pay in a year", "{{package}}"),
                ("Reports to", "{{manager.name}}"),
            ],
            columns=2,
            labelWidth=29,
        ),
        background="#faf6ee",
        accent=GOLD,
        padding=5,
    ),
    *_clause(
        "Employment",
        "Your employment begins on {{starts|date:long}} and is for an indefinite term. No earlier "
        "employment counts towards your continuous service. Your duties are described in the schedule; we "
        "may reasonably change them after talking with you.",
    ),
    *_clause(
        "Probation",
        "The first {{probation_months}} months are a time of probation, during which either side may end the "
        "employment with one week's notice. We will meet at the middle and before the end of it.",
        showIf=when("probation_months"),
    ),
    *_clause(
        "Place and hours of work",
        "You work {{weekly_hours}} hours a week, usually from Monday to Friday, at our office in "
        "{{company.place}} and at the premises of clients.",
    ),
    text(
        "On up to {{remote_days}} days a week you may work from home, on days that you agree with your team.",
        align="justify",
        hyphenate=True,
        showIf=when("remote_days"),
    ),
    box(
        *_clause("Pay", "For a full year of work you receive:"),
        table(
            "pay",
            [
                {
                    "header": "Part of the pay",
                    "content": f"**{{{{item.name}}}}**, [{{{{item.note}}}}]{{{MUTED}}}",
                    "width": "*",
                },
                column("amount", "In a year", 32, total="sum"),
            ],
            zebra=False,
            size=9,
            totalsLabel="Value of the package",
        ),
        padding=0,
        keepTogether=True,
    ),
    text(
        "That is {{first_pay}} in an average month. Pay is reviewed each April; a review need not lead to "
        "a change.",
        align="justify",
        hyphenate=True,
    ),
    *_clause(
        "Leave and sickness",
        "You have {{leave_days}} days of paid leave in each calendar year, besides public holidays, and a "
        "part of them in proportion for a part of a year. If you are ill, tell us on the first day before "
        "ten o'clock; from the eighth day we need a doctor's note.",
    ),
    *_clause("Confidentiality and property", "During the employment and after it you will"),
    numbered(
        "keep to yourself what you learn about clients, their property and our fees;",
        "use documents and data of the firm for your work alone, and return them when you leave;",
        "tell us at once of any interest that could conflict with that of a client.",
    ),
    *_clause(
        "Notice",
        "After the probation either side may end the employment with {{notice_weeks}} weeks' notice in "
        "writing. We may release you from work during that time; your pay continues.",
    ),
    *_clause(
        "Final terms",
        "This letter and its schedule are the whole agreement. Changes need the written consent of both "
        "sides. If a term should be invalid, the others remain. The law of England and Wales applies.",
    ),
    space(2),
    text("We look forward to working with you."),
]

_SIGNED = [
    box(
        columns(
            [label("FOR THE EMPLOYER", WINE)],
            [label("AGREED BY THE EMPLOYEE", WINE)],
            gap=10,
        ),
        signature(
            {
                "name": "{{manager.name}}",
                "role": "{{manager.role}}, {{company.name}}",
                "date": "{{issued|date:long}}",
            },
            {"name": "{{employee.name}}", "role": "I accept these terms", "date": "Date:"},
            height=17,
        ),
        padding=0,
        keepTogether=True,
    ),
]

_SCHEDULE = [
    page_break(),
    label("SCHEDULE TO CONTRACT {{number}}", GOLD),
    heading("Duties of the {{position|lower}}", 1, numbered=False),
    text(
        "The duties are not a full list. They are looked at together once a year, and changed in writing.",
        color=MUTED,
    ),
    space(4),
    group(
        "duties",
        "duty",
        [
            heading("{{duty.name}}", 3, numbered=False),
            {"type": "list", "source": "duty.details", "content": "{{item.name}}"},
        ],
        keepTogether=True,
        gap=3,
    ),
    space(6),
    columns(
        [
            text(
                "This schedule is part of contract {{number}} between {{company.name}} and "
                "{{employee.name}}.",
                size=9,
                color=MUTED,
            )
        ],
        [],
        widths=("*", 40),
        showIf=when("duties"),
    ),
]

STARTER: Final = Starter(
    slug="contract_letter",
    name="Contract letter",
    description="Terms at a glance, numbered clauses, the pay as a table, signatures and a schedule.",
    body={
        "name": "Contract letter",
        "description": "",
        "formats": ["pdf"],
        "variables": _VARIABLES,
        "sections": [*_LETTER, *_SIGNED, *_SCHEDULE],
        "page": {
            "size": "A4",
            "margins": {"top": 24, "right": 27, "bottom": 26, "left": 27},
            "numberHeadings": True,
            "firstHeader": {
                "sections": [
                    image("{{logo}}", width=17, align="center", alt="{{company.name}}", showIf=when("logo")),
                    text("**{{company.name}}**", size=17, align="center", color=WINE),
                    text("{{company.address}}", size=8, align="center", color=MUTED),
                    columns([], [rule(color=GOLD, thickness=0.8)], [], widths=("*", 34, "*")),
                    space(6),
                ]
            },
            "header": {"left": "{{company.name}}", "right": "Contract {{number}} · {{employee.name}}"},
            "footer": {
                "sections": [
                    rule(color="#e4ded2"),
                    columns(
                        [text("{{company.registration}}", size=7.5, color=MUTED)],
                        [text("Initials  ________  ________", size=7.5, color=MUTED, align="center")],
                        [
                            text(
                                "Page {{page.number}} of {{page.count}}",
                                size=7.5,
                                color=MUTED,
                                align="right",
                            )
                        ],
                        widths=("*", 50, 30),
                    ),
                ]
            },
            "theme": {
                "size": 10,
                "leading": 1.5,
                "spacing": 0.85,
                "colors": {
                    "ink": INK,
                    "muted": MUTED,
                    "accent": WINE,
                    "rule": "#e4ded2",
                    "ruleStrong": WINE,
                    "tint": "#faf6ee",
                },
                "headings": {
                    "1": {"size": 21, "color": WINE, "before": 2, "after": 7},
                    "2": {"size": 11.5, "color": WINE, "before": 11, "after": 3},
                    "3": {"size": 11, "color": INK, "before": 4, "after": 2},
                },
            },
            "title": "Contract {{number}}, {{employee.name}}",
            "author": "{{company.name}}",
            "locale": "en-GB",
            "timezone": "Europe/London",
            "currency": "GBP",
        },
        "sampleData": _DATA,
    },
)
