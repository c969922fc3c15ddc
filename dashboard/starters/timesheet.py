"""Timesheet of a month: hours of each day in a grid, weeks with subtotals, what is billed, signatures."""

from __future__ import annotations

from typing import Any, Final

from dashboard.demo.base import (
    box,
    column,
    columns,
    heading,
    image,
    required,
    space,
    table,
    text,
    variable,
    when,
)
from dashboard.starters.base import Starter, company_variable, label, logo_variable, signature, svg

INDIGO: Final = "#3d3a8c"
CORAL: Final = "#d9563f"
MUTED: Final = "#6f7085"
PALE: Final = "#f0f0f9"
DAYS: Final = ("mon", "tue", "wed", "thu", "fri", "sat", "sun")

_LOGO = svg(
    56,
    56,
    f'<rect width="56" height="56" rx="14" fill="{INDIGO}"/><circle cx="28" cy="28" r="16" stroke="#ffffff" '
    f'stroke-width="4"/><path d="M28 18v10l8 5" stroke="{CORAL}" stroke-width="4" stroke-linecap="round" '
    'stroke-linejoin="round"/>',
)

# week, project, task, billable, hours from Monday to Sunday
WORK: Final = (
    ("1–7 September", "Harbour bridge", "Load calculation", True, (6, 7.5, 4, 8, 5.5, 0, 0)),
    ("1–7 September", "Harbour bridge", "Site meeting", True, (0, 0, 3.5, 0, 0, 0, 0)),
    ("1–7 September", "Internal", "Team and training", False, (1.5, 0, 0.5, 0, 2, 0, 0)),
    ("8–14 September", "Harbour bridge", "Load calculation", True, (7, 4, 0, 6.5, 3, 0, 0)),
    ("8–14 September", "School hall", "Survey of the roof", True, (0, 4, 8.5, 1, 0, 0, 0)),
    ("8–14 September", "Internal", "Team and training", False, (1, 0, 0, 0, 2.5, 0, 0)),
    ("15–21 September", "School hall", "Concept, two variants", True, (6.5, 7, 8, 5, 4, 2.5, 0)),
    ("15–21 September", "Harbour bridge", "Drawings", True, (0, 0, 0, 2.5, 2, 0, 0)),
    ("15–21 September", "Internal", "Tender, town library", False, (1, 1, 0, 0.5, 0, 0, 0)),
    ("22–28 September", "Harbour bridge", "Drawings", True, (8, 6, 9, 7, 4, 0, 0)),
    ("22–28 September", "School hall", "Cost estimate", True, (0, 1.5, 0, 1, 2, 0, 0)),
    ("22–28 September", "Internal", "Team and training", False, (0, 0.5, 0, 0, 1.5, 0, 0)),
)

_DATA: Final[dict[str, Any]] = {
    "logo": _LOGO,
    "company": {"name": "Strand Engineers", "address": "22 Quay Street, Galway H91 X0X0"},
    "number": "TS-2025-09-07",
    "month": "September 2025",
    "person": {"name": "Aisling Moran", "role": "Structural engineer", "number": "P-107"},
    "approver": {"name": "Tom Lindqvist", "role": "Head of structures"},
    "contract_hours": 150,
    "rate": 84,
    "entries": [
        {
            "week": week,
            "project": project,
            "task": task,
            "billable": billable,
            **{day: amount for day, amount in zip(DAYS, hours, strict=True) if amount},
        }
        for week, project, task, billable, hours in WORK
    ],
    "note": (
        "Saturday, 20 September: second visit to the roof, agreed with the client because of the weather."
    ),
}

_VARIABLES = [
    logo_variable(),
    company_variable(),
    required("number", label="Number"),
    required("month", label="Month"),
    required("person", "object", "Person", fields=[required("name"), variable("role"), variable("number")]),
    required("approver", "object", "Approved by", fields=[required("name"), variable("role")]),
    variable("contract_hours", "number", "Hours of the contract in the month", default=0, format="number:1"),
    required("rate", "currency", "Rate for an hour"),
    required(
        "entries",
        "list",
        "Work in a week",
        fields=[
            required("week"),
            required("project"),
            variable("task"),
            variable("billable", "boolean", default=True),
            *(variable(day, "number") for day in DAYS),
            variable("hours", "number", value=" + ".join(DAYS)),
            variable("billed", "number", value="if(billable, hours, 0)"),
            variable("amount", "currency", value="round(billed * rate, 2)"),
        ],
    ),
    variable("note", label="Note"),
    variable("hours", "number", "Hours", value="sum(entries.hours)", format="number:1"),
    variable("billed", "number", "Billable hours", value="sum(entries.billed)", format="number:1"),
    variable("share", "number", "Billable share", value="billed / hours", format="percent:0"),
    variable("balance", "number", "Above the contract", value="hours - contract_hours", format="number:1"),
    variable("amount", "currency", "To be billed", value="sum(entries.amount)"),
]

_FAINT = {"when": when("amount", "equals", value=0), "color": MUTED}


def _day(day: str) -> dict[str, Any]:
    """Return the column of a day: the longer the work, the darker the cell; eight hours stand out."""
    return column(
        day,
        day.capitalize(),
        13.5,
        align="center",
        format="number:1",
        total="sum",
        styles=[
            {
                "when": when(day, "greaterOrEqual", value=8),
                "background": "#fbe3dd",
                "color": "#9c3422",
                "bold": True,
            },
            {"when": when(day, "greaterOrEqual", value=4), "background": "#e2e2f4"},
            {"when": when(day, "greater", value=0), "background": PALE},
        ],
    )


def _tile(name: str, value: str, *, background: str = PALE, color: str = INDIGO) -> list[dict[str, Any]]:
    faint = MUTED if background == PALE else "#c9c8ee"
    return [
        box(
            label(name, faint),
            text(f"**{value}**", size=18, color=color),
            background=background,
            padding=4,
            radius=2,
        )
    ]


_SECTIONS = [
    columns(
        [heading("{{person.name}}"), text("{{person.role}} · {{person.number}}", size=10, color=MUTED)],
        _tile("HOURS", "{{hours}}"),
        _tile("BILLABLE", "{{billed}}"),
        _tile("SHARE", "{{share}}"),
        _tile("TO BE BILLED", "{{amount}}", background=INDIGO, color="#ffffff"),
        widths=("*", 36, 36, 36, 52),
        gap=4,
    ),
    space(3),
    table(
        "entries",
        [
            column("project", "Project", 36, bold=True),
            column("task", "Task", "*"),
            column("billable", "Billed", 16, display="check", align="center"),
            *(_day(day) for day in DAYS),
            column("hours", "Hours", 19, format="number:1", total="sum", bold=True),
            column("amount", "Amount", 27, format="currency", total="sum", styles=[_FAINT]),
        ],
        size=8.5,
        padding=0.45,
        zebra=False,
        groupBy=[{"key": "week", "title": "{{group.value}}", "label": "Week of {{group.value}}"}],
        totalsLabel="{{month}}",
        minRows=3,
        sheet={"name": "{{month}}", "freezeColumns": 2},
    ),
    space(2),
    columns(
        [
            text(
                "Contract: **{{contract_hours}}** hours · worked: **{{hours}}** · difference: "
                "**{{balance}}**",
                size=9,
                showIf=when("contract_hours", "greater", value=0),
            ),
            text("{{note}}", size=8.5, color=MUTED, showIf=when("note")),
            text(
                "Billable hours at {{rate}} each. Boxes in red are days of eight hours or more on one task.",
                size=8,
                color=MUTED,
            ),
        ],
        [
            signature(
                {"name": "{{person.name}}", "role": "The hours are right", "date": "Date:"},
                {"name": "{{approver.name}}", "role": "Approved, {{approver.role}}", "date": "Date:"},
                height=13,
            )
        ],
        widths=("2*", "3*"),
        gap=12,
    ),
]

STARTER: Final = Starter(
    slug="timesheet",
    name="Timesheet",
    description="A month on one page: hours of each day, weeks with subtotals, what is billed, signatures.",
    body={
        "name": "Timesheet",
        "description": "",
        "formats": ["pdf", "xlsx"],
        "variables": _VARIABLES,
        "sections": _SECTIONS,
        "page": {
            "size": "A4",
            "orientation": "landscape",
            "margins": {"top": 12, "right": 16, "bottom": 14, "left": 16},
            "header": {
                "sections": [
                    columns(
                        [image("{{logo}}", width=10, alt="{{company.name}}", showIf=when("logo"))],
                        [text("**{{company.name}}**\n{{company.address}}", size=8.5, color=MUTED)],
                        [text("**Timesheet** · {{month}}", size=14, color=INDIGO, align="right")],
                        widths=(12, "*", 100),
                        gap=3,
                    ),
                    {"type": "divider", "color": INDIGO, "thickness": 1.4},
                    space(2),
                ]
            },
            "footer": {
                "left": "{{number}} · {{person.name}}",
                "right": "Page {{page.number}} of {{page.count}}",
            },
            "theme": {
                "size": 9,
                "spacing": 0.6,
                "colors": {
                    "ink": "#1f2033",
                    "muted": MUTED,
                    "accent": INDIGO,
                    "rule": "#e4e4ef",
                    "ruleStrong": INDIGO,
                    "tint": PALE,
                },
                "headings": {"1": {"size": 20, "color": "#1f2033", "before": 2, "after": 1}},
            },
            "title": "Timesheet {{month}}, {{person.name}}",
            "author": "{{company.name}}",
            "locale": "en-IE",
            "timezone": "Europe/Dublin",
            "currency": "EUR",
        },
        "sampleData": _DATA,
    },
)
