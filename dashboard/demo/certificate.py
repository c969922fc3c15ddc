"""Certificate of a completed course, on landscape A4."""

from __future__ import annotations

from typing import Any, Final

from dashboard.demo.base import (
    AMBER,
    BLUE,
    LOGO_PLACEHOLDER,
    MUTED,
    TEAL,
    DemoTemplate,
    columns,
    heading,
    image,
    logo_variable,
    required,
    rule,
    space,
    text,
    variable,
    when,
)
from dashboard.demo.ornaments import frame, rosette, signature

_DATA: Final[dict[str, Any]] = {
    "logo": LOGO_PLACEHOLDER,
    "certificate_number": "FA-2025-00318",
    "participant": {"name": "Eleanor Whitcombe", "organisation": "Juniper Lane Studios"},
    "course": {
        "title": "Planning Light for Workplaces",
        "level": "Advanced",
        "hours": 24,
        "from": "2025-09-15",
        "to": "2025-09-18",
        "place": "Fennmark Academy, Bexcombe",
    },
    "topics": "Daylight and glare, EN 12464-1 in practice, simulation, controls and commissioning, "
    "and lighting for neurodiverse teams",
    "result": 0.94,
    "issued": "2025-09-19",
    "trainer": "Dr Imogen Hartley",
    "director": "Samuel Okoro",
}

_VARIABLES = [
    logo_variable(),
    required("certificate_number", label="Certificate number"),
    required("participant", "object", "Participant", fields=[required("name"), variable("organisation")]),
    required(
        "course",
        "object",
        "Course",
        fields=[
            required("title"),
            variable("level"),
            required("hours", "number", format="integer"),
            required("from", "date"),
            required("to", "date"),
            variable("place"),
        ],
    ),
    variable("topics", label="Topics"),
    variable("result", "number", "Result of the assessment", format="percent:0"),
    required("issued", "date", "Issued on"),
    required("trainer", label="Trainer"),
    required("director", label="Director"),
]


def _centred(content: str, size: float, **more: Any) -> dict[str, Any]:
    return text(content, align="center", size=size, **more)


def _signed(variable_name: str, role: str, hand: str) -> dict[str, Any]:
    signer = {"name": f"{{{{{variable_name}}}}}", "role": role, "image": signature(hand)}
    return {"type": "signature", "signers": [signer], "columns": 1, "height": 13}


_SECTIONS = [
    image("{{logo}}", width=52, align="center", alt="Fennmark"),
    space(5),
    _centred("CERTIFICATE OF COMPLETION", 13, color=TEAL, bold=True),
    _centred("This is to certify that", 12, color=MUTED),
    _centred("{{participant.name}}", 38, color=BLUE, bold=True),
    columns([], [rule(color=AMBER, thickness=1.2)], [], widths=("*", 60, "*")),
    _centred("{{participant.organisation}}", 12, color=MUTED, showIf=when("participant.organisation")),
    _centred("has successfully completed the {{course.hours}}-hour course", 12, color=MUTED),
    heading("{{course.title}}", 1, align="center"),
    _centred(
        "{{course.level}} level · {{course.from|date:long}} to {{course.to|date:long}} · {{course.place}}", 11
    ),
    columns(
        [],
        [
            _centred(
                "{{topics}}. The final assessment was passed with **{{result}}**.",
                10.5,
                color=MUTED,
                showIf=when("topics"),
            )
        ],
        [],
        widths=("*", 170, "*"),
    ),
    space(5),
    columns(
        [_signed("trainer", "Trainer", "hartley")],
        [image(rosette(), width=28, align="center", alt="Seal of the Fennmark Academy")],
        [_signed("director", "Director", "okoro")],
        widths=("*", 44, "*"),
        gap=14,
    ),
]

TEMPLATE: Final = DemoTemplate(
    slug="certificate",
    body={
        "name": "Course certificate",
        "description": "Certificate of completion in landscape, with signatures.",
        "formats": ["pdf"],
        "variables": _VARIABLES,
        "sections": _SECTIONS,
        "page": {
            "size": "A4",
            "orientation": "landscape",
            "margins": {"top": 22, "right": 40, "bottom": 32, "left": 40},
            "background": frame(),
            "theme": {"spacing": 0.95, "headings": {"1": {"size": 23, "before": 6, "after": 4}}},
            "title": "Certificate {{certificate_number}}",
            "author": "Fennmark Academy",
            "footer": {
                "center": "Issued on {{issued|date:long}} · No. {{certificate_number}} · "
                "verify at academy.fennmark.example/verify"
            },
            "locale": "en-GB",
            "timezone": "Europe/London",
            "currency": "GBP",
        },
        "sampleData": _DATA,
    },
    data=_DATA,
)
