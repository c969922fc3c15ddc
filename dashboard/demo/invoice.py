"""Invoice of an Austrian company: computed amounts, VAT, and a GiroCode that fills in the transfer."""

from __future__ import annotations

from typing import Any, Final

from dashboard.demo.base import (
    BLUE,
    LOGO_PLACEHOLDER,
    MUTED,
    TINT,
    DemoTemplate,
    box,
    column,
    columns,
    heading,
    image,
    logo_variable,
    pairs,
    required,
    space,
    table,
    text,
    variable,
    when,
)

# name, article, quantity, unit, unit price
LINES: Final = (
    ("Sitz-Steh-Tisch Arden 160", "FM-AR-160-EI · Eiche furniert, höhenverstellbar", 12, "Stk.", 589.00),
    ("Bürodrehstuhl Lund", "FM-LU-MB-GR · Netzrücken, graphit", 12, "Stk.", 299.50),
    ("Rollcontainer Box 3", "FM-BX-3-L · absperrbar, weiß", 10, "Stk.", 189.90),
    ("Pendelleuchte Halo 90", "FM-HA-90-30 · dimmbar, 3000 K", 4, "Stk.", 398.75),
    ("Besprechungstisch Sorrel 240", "FM-SO-240-KK · mit Kabelkanal", 1, "Stk.", 1980.00),
    ("Lieferung und Montage", "8. und 9. Oktober 2025, 3. Stock", 14.5, "Std.", 68.00),
)

_DATA: Final[dict[str, Any]] = {
    "logo": LOGO_PLACEHOLDER,
    "number": "2025-01847",
    "issued": "2025-10-10",
    "due": "2025-11-09",
    "delivered": "2025-10-09",
    "order_number": "AB-31884",
    "reference": "Bestellung 2025/611",
    "customer": {
        "number": "K-20914",
        "name": "Kanzlei Leitgeb & Partner OG",
        "contact": "Frau Mag. Katharina Leitgeb",
        "street": "Sporgasse 114",
        "city": "8010 Graz",
        "vat_id": "ATU00000001",
    },
    "items": [
        {"name": name, "note": note, "quantity": quantity, "unit": unit, "price": price}
        for name, note, quantity, unit, price in LINES
    ],
    "discount_rate": 0.05,
    "vat_rate": 0.2,
    "deposit": 4000,
    "note": "Zwei Rollcontainer sind im Rückstand; sie werden mit ihrer Lieferung am 22. Oktober verrechnet.",
}

_VARIABLES = [
    logo_variable(),
    required("number", label="Rechnungsnummer"),
    required("issued", "date", "Rechnungsdatum"),
    required("due", "date", "Zahlbar bis"),
    variable("delivered", "date", "Lieferdatum"),
    variable("order_number", label="Auftrag"),
    variable("reference", label="Ihre Referenz"),
    required(
        "customer",
        "object",
        "Kunde",
        fields=[
            variable("number"),
            required("name"),
            variable("contact"),
            required("street"),
            required("city"),
            variable("vat_id"),
        ],
    ),
    required(
        "items",
        "list",
        "Positionen",
        fields=[
            required("name"),
            variable("note"),
            required("quantity", "number"),
            variable("unit", default="Stk."),
            required("price", "currency"),
            variable("amount", "currency", value="round(quantity * price, 2)"),
        ],
    ),
    variable("discount_rate", "number", "Rabatt", default=0, format="percent"),
    variable("vat_rate", "number", "Umsatzsteuersatz", default=0.2, format="percent"),
    variable("deposit", "currency", "Anzahlung", default=0),
    variable("note", label="Hinweis"),
    variable("goods", "currency", "Summe der Positionen", value="sum(items.amount)"),
    variable("discount", "currency", "Rabatt in Euro", value="-round(goods * discount_rate, 2)"),
    variable("net", "currency", "Nettobetrag", value="goods + discount"),
    variable("vat", "currency", "Umsatzsteuer", value="round(net * vat_rate, 2)"),
    variable("total", "currency", "Rechnungsbetrag", value="net + vat"),
    variable("paid", "currency", "Abzug der Anzahlung", value="-deposit"),
    variable("balance", "currency", "Offener Betrag", value="total - deposit"),
    variable("transfer_amount", "string", "Betrag im GiroCode", value="'EUR' & balance"),
]

# What a bank's app reads: EPC069-12, version 2, one field per line.
_GIROCODE = (
    "BCD\n002\n1\nSCT\nBKAUATWW\nFennmark Österreich GmbH\nAT611904300234573201\n"
    "{{transfer_amount}}\n\n\nRechnung {{number}}"
)

_SECTIONS = [
    columns(
        [
            text("Fennmark Österreich GmbH · Lagergasse 221 · 8020 Graz", size=7, color=MUTED),
            text(
                "**{{customer.name}}**\n{{customer.contact}}\n{{customer.street}}\n{{customer.city}}",
                size=10.5,
            ),
        ],
        [
            pairs(
                [
                    ("Rechnungsnummer", "**{{number}}**"),
                    ("Rechnungsdatum", "{{issued|date:long}}"),
                    ("Lieferdatum", "{{delivered|date:long}}"),
                    ("Kundennummer", "{{customer.number}}"),
                    ("Auftrag", "{{order_number}}"),
                    ("Ihre Referenz", "{{reference}}"),
                    ("Ihre UID", "{{customer.vat_id}}"),
                ],
                labelWidth=30,
            )
        ],
        widths=("*", 76),
        gap=14,
    ),
    heading("Rechnung {{number}}"),
    text("Vielen Dank für Ihren Auftrag. Wir verrechnen Ihnen wie vereinbart:"),
    table(
        "items",
        [
            {"header": "Bezeichnung", "content": f"**{{{{item.name}}}}**\n[{{{{item.note}}}}]{{{MUTED}}}"},
            column("quantity", "Menge", 18, align="right"),
            column("unit", "", 12),
            column("price", "Einzelpreis", 28),
            column("amount", "Betrag", 30),
        ],
        size=8.5,
        keepWithNext=True,
    ),
    columns(
        [
            text("{{note}}", size=9, showIf=when("note")),
            text(
                "Bei Zahlungsverzug verrechnen wir Verzugszinsen nach § 456 UGB. Die Ware bleibt bis zur "
                "vollständigen Bezahlung unser Eigentum. Es gelten unsere "
                "[Geschäftsbedingungen](https://www.fennmark.example/agb).",
                size=8,
                color=MUTED,
            ),
        ],
        [
            pairs(
                [
                    ("Summe der Positionen", "{{goods}}"),
                    ("Rabatt {{discount_rate}}", "{{discount}}"),
                    ("Umsatzsteuer {{vat_rate}}", "{{vat}}"),
                    ("Rechnungsbetrag", "**{{total}}**"),
                    ("Anzahlung, dankend erhalten", "{{paid}}"),
                    ("Zu zahlen", "{{balance}}"),
                ],
                strong=("Zu zahlen",),
                align="right",
            ),
        ],
        widths=("*", 84),
        gap=12,
    ),
    box(
        columns(
            [
                heading("Zahlbar bis {{due|date:long}} ohne Abzug", 4),
                pairs(
                    [
                        ("Empfänger", "Fennmark Österreich GmbH"),
                        ("IBAN", "AT61 1904 3002 3457 3201"),
                        ("BIC", "BKAUATWW"),
                        ("Verwendungszweck", "Rechnung {{number}}"),
                        ("Betrag", "**{{balance}}**"),
                    ],
                    labelWidth=34,
                ),
            ],
            [
                {"type": "barcode", "value": _GIROCODE, "width": 30, "height": 30, "align": "center"},
                text("Zahlen mit Code", size=7.5, color=MUTED, align="center"),
            ],
            widths=("*", 34),
        ),
        background=TINT,
        padding=5,
        radius=1.5,
        accent=BLUE,
    ),
]

_FOOTER = [
    {"type": "divider"},
    columns(
        [text("**Fennmark Österreich GmbH**\nLagergasse 221, 8020 Graz", size=7, color=MUTED)],
        [text("rechnung@fennmark.example\n+43 316 000 000", size=7, color=MUTED)],
        [text("FN 000000 x, LG für ZRS Graz\nUID ATU00000000", size=7, color=MUTED)],
        [
            text(
                "Rechnung {{number}}\nSeite {{page.number}} von {{page.count}}",
                size=7,
                color=MUTED,
                align="right",
            )
        ],
        widths=("*", "*", "*", 30),
    ),
]

TEMPLATE: Final = DemoTemplate(
    slug="invoice",
    body={
        "name": "Invoice",
        "description": "Invoice with computed amounts, VAT, totals and a GiroCode to pay with.",
        "formats": ["pdf"],
        "variables": _VARIABLES,
        "sections": _SECTIONS,
        "page": {
            "size": "A4",
            "margins": {"top": 20, "right": 20, "bottom": 24, "left": 22},
            "firstHeader": {
                "sections": [
                    columns(
                        [image("{{logo}}", width=50, alt="Fennmark")],
                        [
                            text(
                                "Lagergasse 221 · 8020 Graz\n+43 316 000 000\n"
                                "[www.fennmark.example](https://www.fennmark.example)",
                                size=8,
                                color=MUTED,
                                align="right",
                            )
                        ],
                    ),
                    space(4),
                ]
            },
            "header": {"left": "Fennmark Österreich GmbH", "right": "Rechnung {{number}}"},
            "footer": {"sections": _FOOTER},
            "theme": {"size": 9.5, "headings": {"1": {"size": 21, "before": 16, "after": 6}}},
            "locale": "de-AT",
            "timezone": "Europe/Vienna",
            "currency": "EUR",
            "title": "Rechnung {{number}}",
            "author": "Fennmark Österreich GmbH",
        },
        "sampleData": _DATA,
    },
    data=_DATA,
)
