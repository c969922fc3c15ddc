"""Quote of a studio: phases with subtotals, extras to choose, a plan of payments, and lines to accept it."""

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
from dashboard.starters.base import (
    Starter,
    company_variable,
    label,
    logo_variable,
    page_svg,
    signature,
    svg,
    total_lines,
)

RED: Final = "#c8432b"
INK: Final = "#17191c"
MUTED: Final = "#6b6f76"
LEFT: Final = 42  # millimetres of the narrow column at the left
GAP: Final = 8

_LOGO = svg(
    60,
    60,
    f'<path d="M6 54V6h9l30 36V6h9v48h-9L15 18v36z" fill="{INK}"/>'
    f'<circle cx="49" cy="11" r="9" fill="{RED}"/>',
)

# phase, work, what comes out of it, days, rate for a day
WORK: Final = (
    ("Discover", "Interviews and site audit", "Eight conversations, findings on two pages", 3, 640),
    ("Discover", "Content inventory", "What stays, what goes, who writes it", 2, 560),
    ("Design", "Identity refresh", "Wordmark, palette, type, photography direction", 6, 680),
    ("Design", "Page designs", "Twelve templates for phone and desktop", 9, 680),
    ("Design", "Prototype and user tests", "Clickable, tried with six of your customers", 4.5, 640),
    ("Build", "Front end", "Accessible components, WCAG 2.2 AA", 11, 620),
    ("Build", "Content management", "Editing, roles, preview, two languages", 7, 620),
    ("Launch", "Training and handover", "Two half-days for your editors", 1.5, 560),
    ("Launch", "Four weeks of care", "Fixes and small changes after going live", 3, 560),
)

_DATA: Final[dict[str, Any]] = {
    "logo": _LOGO,
    "company": {
        "name": "Northlight Studio",
        "address": "3 Ropewalk Yard\nDublin D08 X0X0",
        "email": "hello@northlight.example",
        "phone": "+353 1 000 0000",
    },
    "number": "Q-2025-061",
    "issued": "2025-10-06",
    "valid_until": "2025-11-05",
    "project": "A new website for Castle Row Veterinary",
    "summary": "Pet owners should find opening hours, book a visit and reach the emergency line in two taps. "
    "This quote covers everything from the first conversation to four weeks after the launch.",
    "client": {
        "name": "Castle Row Veterinary",
        "contact": "Dr Aoife Brennan",
        "address": "27 Castle Row\nKilmore KM2 0AA",
    },
    "lead": {"name": "Samuel Okoro", "email": "samuel@northlight.example"},
    "items": [
        {"phase": phase, "name": name, "note": note, "days": days, "rate": rate}
        for phase, name, note, days, rate in WORK
    ],
    "discount_rate": 0.05,
    "vat_rate": 0.23,
    "options": [
        {"name": "Online booking with reminders by text message", "price": 3400},
        {"name": "Photography on two days at the practice", "price": 2150},
        {"name": "Third language", "price": 1280},
    ],
    "payments": [
        {"milestone": "On acceptance", "share": 0.3, "due": "2025-11-07"},
        {"milestone": "Designs approved", "share": 0.4, "due": "2026-01-16"},
        {"milestone": "Website live", "share": 0.3, "due": "2026-03-06"},
    ],
}

_VARIABLES = [
    logo_variable(),
    company_variable("Studio", "email", "phone"),
    required("number", label="Quote number"),
    required("issued", "date", "Date"),
    required("valid_until", "date", "Valid until"),
    required("project", label="Project"),
    variable("summary", label="Summary"),
    required(
        "client", "object", "Client", fields=[required("name"), variable("contact"), variable("address")]
    ),
    variable("lead", "object", "Your contact", fields=[variable("name"), variable("email")]),
    required(
        "items",
        "list",
        "Work",
        fields=[
            required("phase"),
            required("name"),
            variable("note"),
            required("days", "number", format="number"),
            required("rate", "currency", format="currency"),
            variable("amount", "currency", value="round(days * rate, 2)"),
        ],
    ),
    variable("discount_rate", "number", "Discount", default=0, format="percent"),
    variable("vat_rate", "number", "VAT rate", default=0.23, format="percent"),
    variable("options", "list", "Extras", fields=[required("name"), required("price", "currency")]),
    variable(
        "payments",
        "list",
        "Payments",
        fields=[
            required("milestone"),
            required("share", "number", format="percent:0"),
            variable("due", "date"),
            variable("amount", "currency", value="round(total * share, 2)"),
        ],
    ),
    variable("days", "number", "Days of work", value="sum(items.days)", format="number"),
    variable("work", "currency", "Sum of the work", value="sum(items.amount)"),
    variable("discount", "currency", "Discount in money", value="-round(work * discount_rate, 2)"),
    variable("net", "currency", "Net", value="work + discount"),
    variable("vat", "currency", "VAT", value="round(net * vat_rate, 2)"),
    variable("total", "currency", "Total", value="net + vat"),
]


def _beside(name: str, *sections: dict[str, Any], **more: Any) -> dict[str, Any]:
    """Return sections with their name in the narrow column."""
    return columns(
        [text(name, size=9.5, bold=True, color=RED)], list(sections), widths=(LEFT, "*"), gap=GAP, **more
    )


_SECTIONS = [
    columns(
        [
            label("PREPARED FOR", MUTED),
            text("**{{client.name}}**\n{{client.contact}}\n{{client.address}}", size=9),
            space(2),
            label("DATE", MUTED),
            text("{{issued|date:long}}", size=9),
            space(2),
            label("VALID UNTIL", MUTED),
            text("{{valid_until|date:long}}", size=9),
            space(2),
            label("YOUR CONTACT", MUTED, showIf=when("lead")),
            text(
                "{{lead.name}}\n[{{lead.email}}](mailto:{{lead.email}})",
                size=9,
                showIf=when("lead"),
            ),
        ],
        [
            text("Quote {{number}}", size=10, bold=True, color=RED),
            heading("{{project}}"),
            text("{{summary}}", size=11, color="#3c4047", showIf=when("summary")),
            space(3),
            columns(
                [label("TOTAL WITH VAT", MUTED), text("**{{total}}**", size=24)],
                [label("DAYS OF WORK", MUTED), text("**{{days}}**", size=24)],
                widths=("*", 44),
                gap=6,
            ),
        ],
        widths=(LEFT, "*"),
        gap=GAP,
    ),
    space(4),
    table(
        "items",
        [
            {
                "header": "What we do",
                "content": f"**{{{{item.name}}}}**\n[{{{{item.note}}}}]{{{MUTED}}}",
                "width": "*",
            },
            column("days", "Days", 16, format="number:1", total="sum"),
            column("rate", "Per day", 24, format="currency"),
            column("amount", "Amount", 30, total="sum"),
        ],
        size=9,
        zebra=False,
        groupBy=[{"key": "phase", "title": "{{group.value}}", "label": "{{group.value}} in all"}],
        totals=False,
        carryForward={"brought": "Brought forward", "carried": "Carried forward"},
        keepWithNext=True,
    ),
    total_lines(
        [
            ("All phases", "{{work}}"),
            ("Discount {{discount_rate}}", "{{discount}}"),
            ("Net", "{{net}}"),
            ("VAT {{vat_rate}}", "{{vat}}"),
            ("Total", "{{total}}"),
        ],
        "Total",
    ),
    space(3),
    _beside(
        "Extras, if you like",
        table(
            "options",
            [column("name", "Not part of the total", "*"), column("price", "Net price", 30)],
            size=9,
            zebra=False,
        ),
        showIf=when("options"),
    ),
    space(2),
    _beside(
        "Payments",
        table(
            "payments",
            [
                column("milestone", "When", "*"),
                column("due", "Due", 34, align="right", format="date:long"),
                column("share", "Share", 18),
                column("amount", "With VAT", 30, bold=True),
            ],
            size=9,
            zebra=False,
        ),
        showIf=when("payments"),
    ),
    space(2),
    _beside(
        "What is agreed",
        {
            "type": "list",
            "items": [
                "Prices hold for an acceptance until **{{valid_until|date:long}}**; work begins within "
                "three weeks.",
                "Two rounds of changes are included in each phase; more are charged by the day.",
                "You receive all rights of use with the last payment. Fonts and stock images are licensed "
                "by you.",
                "Either side may stop at the end of a phase; finished work is then paid.",
            ],
        },
    ),
    space(2),
    box(
        heading("Go ahead", 3),
        text("We accept quote {{number}} of {{issued|date:long}} for **{{total}}**.", size=10),
        signature(
            {"name": "{{client.contact}}", "role": "{{client.name}}"},
            {"name": "{{lead.name}}", "role": "{{company.name}}"},
            height=15,
        ),
        background="#faf4f1",
        accent=RED,
        padding=6,
        keepTogether=True,
    ),
]

STARTER: Final = Starter(
    slug="quote",
    name="Quote",
    description="Quote with phases and their subtotals, extras, a plan of payments and lines to accept it.",
    body={
        "name": "Quote",
        "description": "",
        "formats": ["pdf"],
        "variables": _VARIABLES,
        "sections": _SECTIONS,
        "page": {
            "size": "A4",
            "margins": {"top": 20, "right": 20, "bottom": 22, "left": 24},
            "background": page_svg(f'<rect width="7" height="297" fill="{RED}"/>'),
            "firstHeader": {
                "sections": [
                    columns(
                        [image("{{logo}}", width=13, alt="{{company.name}}", showIf=when("logo"))],
                        [
                            text("**{{company.name}}**", size=13),
                            text("{{company.address}}", size=8, color=MUTED),
                        ],
                        [
                            text(
                                "{{company.email}}\n{{company.phone}}",
                                size=8,
                                color=MUTED,
                                align="right",
                            )
                        ],
                        widths=(14, "*", 60),
                        gap=4,
                    ),
                    space(9),
                ]
            },
            "header": {"left": "{{company.name}}", "right": "Quote {{number}}"},
            "footer": {"left": "{{project}}", "right": "Page {{page.number}} of {{page.count}}"},
            "theme": {
                "size": 9.5,
                "spacing": 0.6,
                "colors": {
                    "ink": INK,
                    "muted": MUTED,
                    "accent": RED,
                    "rule": "#e3e1de",
                    "ruleStrong": INK,
                    "tint": "#faf4f1",
                },
                "headings": {
                    "1": {"size": 28, "before": 2, "after": 6, "color": INK},
                    "3": {"size": 14, "before": 0, "after": 3, "color": RED},
                },
            },
            "title": "Quote {{number}}",
            "author": "{{company.name}}",
            "locale": "en-IE",
            "timezone": "Europe/Dublin",
            "currency": "EUR",
        },
        "sampleData": _DATA,
    },
)
