"""Examples of text: marks, alignment, hyphenation, lists, headings, key values, scripts."""

from __future__ import annotations

from tests.gallery.base import Example

PROSE = (
    "Good typography is invisible: the reader notices what is said and not how it is set. Lines of even "
    "length and even colour, hyphens only where they help, and enough air between paragraphs do more for a "
    "document than any ornament. Invoices, statements and certificates deserve the same care as books."
)
GERMAN = (
    "Gute Typografie ist unsichtbar: Wer liest, bemerkt den Inhalt und nicht den Satz. Gleichmäßige "
    "Zeilenlängen, Trennungen nur dort, wo sie helfen, und genügend Weißraum zwischen den Absätzen leisten "
    "mehr für ein Schriftstück als jedes Ornament. Rechnungen, Kontoauszüge, Bescheinigungen und "
    "Versicherungsbedingungen verdienen dieselbe Sorgfalt wie Bücher."
)

EXAMPLES = [
    Example(
        "text-marks",
        "Inline marks",
        [
            {"type": "heading", "level": 2, "content": "Marks, wherever *text* is"},
            {
                "type": "text",
                "content": "**Bold**, *italic*, ***both***, __underlined__, ~~struck~~, H~2~O and E = mc^2^, "
                "`code`, [a link](https://example.com), [a colour]{#b3261e} and a value: **{{name}}**.",
            },
            {
                "type": "list",
                "items": [
                    "A list item with **weight**",
                    "and one with `code` and a [link](mailto:a@example.com)",
                ],
            },
            {
                "type": "table",
                "source": "rows",
                "columns": [
                    {
                        "header": "Head with *marks*",
                        "content": "**{{item.name}}** ~~{{item.old}}~~ {{item.new}}",
                    },
                    {"key": "note", "header": "Note"},
                ],
            },
        ],
        {
            "name": "data is never *markup*",
            "rows": [{"name": "Oak board", "old": "€ 20", "new": "€ 17", "note": "x **y** z"}],
        },
        height=92,
    ),
    Example(
        "text-align",
        "Alignment and hyphenation",
        [
            {
                "type": "columns",
                "gap": 8,
                "columns": [
                    {"sections": [{"type": "heading", "level": 5, "content": name}, section]}
                    for name, section in (
                        ("Justified", {"type": "text", "content": PROSE, "align": "justify", "size": 8.5}),
                        ("Left", {"type": "text", "content": PROSE, "size": 8.5}),
                    )
                ],
            },
            {"type": "text", "content": "Centred over the column", "align": "center", "italic": True},
            {"type": "text", "content": "and set to the right", "align": "right"},
        ],
        height=86,
    ),
    Example(
        "text-german",
        "Hyphenation by language",
        [
            {
                "type": "columns",
                "gap": 6,
                "columns": [
                    {"sections": [{"type": "text", "content": GERMAN, "align": "justify", "size": 8}]}
                    for _ in "123"
                ],
            },
        ],
        height=72,
        page={"locale": "de-AT"},
    ),
    Example(
        "lists",
        "Lists",
        [
            {
                "type": "columns",
                "columns": [
                    {
                        "sections": [
                            {
                                "type": "list",
                                "items": [
                                    "Bullets",
                                    {
                                        "content": "with levels",
                                        "items": ["second", {"content": "and", "items": ["third"]}],
                                    },
                                    "and a longer item that takes more than one line of its column",
                                ],
                            }
                        ]
                    },
                    {
                        "sections": [
                            {
                                "type": "list",
                                "ordered": True,
                                "start": 8,
                                "items": [
                                    "Eighth",
                                    "Ninth",
                                    {"content": "Tenth", "items": ["below", "it"]},
                                    "Eleventh",
                                ],
                            }
                        ]
                    },
                    {
                        "sections": [
                            {
                                "type": "list",
                                "ordered": True,
                                "style": "roman",
                                "items": ["One", "Two", "Three", "Four"],
                            },
                            {"type": "list", "ordered": True, "style": "alpha", "items": ["First", "Second"]},
                            {"type": "list", "size": 6.5, "items": ["small", "print"]},
                        ]
                    },
                ],
            }
        ],
        height=90,
    ),
    Example(
        "clauses",
        "Clauses: numbers that go on from the level above",
        [
            {
                "type": "list",
                "ordered": True,
                "style": "outline",
                "items": [
                    {
                        "content": "**Services.** The contractor renders the services of schedule A.",
                        "items": [
                            "They begin on the day on which both parties have signed.",
                            {
                                "content": "Changes are agreed in writing:",
                                "items": ["what is to change,", "what it costs, and how long it takes."],
                            },
                        ],
                    },
                    {
                        "content": "**Fees.** Invoices are due within thirty days of their date.",
                        "items": ["Travel is charged at cost."],
                    },
                ],
            }
        ],
        height=70,
    ),
    Example(
        "headings",
        "Headings, six levels",
        [{"type": "heading", "level": level, "content": f"Heading of level {level}"} for level in range(1, 7)]
        + [{"type": "text", "content": PROSE}],
        height=110,
    ),
    Example(
        "key-value",
        "Key and value",
        [
            {
                "type": "key_value",
                "columns": 2,
                "items": [
                    {"label": "Invoice", "value": "2026-0117"},
                    {"label": "Date", "value": "{{date|date:long}}"},
                    {"label": "Customer", "value": "Huber & Söhne GmbH"},
                    {"label": "Due", "value": "{{due|date:long}}"},
                ],
            },
            {"type": "divider"},
            {
                "type": "key_value",
                "align": "right",
                "items": [
                    {"label": "Net", "value": "{{net|currency:EUR}}"},
                    {"label": "VAT 20 %", "value": "{{vat|currency:EUR}}"},
                    {"label": "Total", "value": "{{total|currency:EUR}}", "strong": True},
                ],
            },
        ],
        {"date": "2026-11-21", "due": "2026-12-21", "net": 1234.5, "vat": 246.9, "total": 1481.4},
        height=66,
    ),
]
