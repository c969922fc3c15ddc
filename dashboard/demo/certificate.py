"""Certificate of a completed course, on landscape A4."""

from __future__ import annotations

from typing import Any, Final

from dashboard.demo.base import (
    LOGO_PLACEHOLDER,
    DemoTemplate,
    heading,
    image,
    logo_variable,
    pairs,
    required,
    rule,
    space,
    text,
    variable,
)

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
    "topics": "daylight and glare, EN 12464-1 in practice, simulation, controls and commissioning, "
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

_SECTIONS = [
    image("{{logo}}", width=62, align="center", alt="Fennmark"),
    space(6),
    text("CERTIFICATE OF COMPLETION", align="center", size=13, color="#2f8a8a", bold=True),
    rule(color="#de9e3f", thickness=1.5),
    space(2),
    text("This is to certify that", align="center", size=12, color="#5c6776"),
    text("{{participant.name}}", align="center", size=38, color="#1f4b73"),
    text("{{participant.organisation}}", align="center", size=12, color="#5c6776"),
    space(2),
    text("has successfully completed the course", align="center", size=12, color="#5c6776"),
    heading("{{course.title}}", 1, align="center"),
    text(
        "{{course.level}} level · {{course.hours}} hours · {{course.from|date:long}} to "
        "{{course.to|date:long}} · {{course.place}}",
        align="center",
        size=11,
    ),
    text(
        "Topics: {{topics}}.\nFinal assessment passed with {{result}}.",
        align="center",
        size=11,
        color="#5c6776",
    ),
    space(14),
    pairs(
        [
            ("Trainer", "__________________________________\n{{trainer}}"),
            ("Director", "__________________________________\n{{director}}"),
        ],
        columns=2,
        align="center",
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
            "margins": {"top": 16, "right": 34, "bottom": 18, "left": 34},
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
