"""Delivery note of an Austrian company: bar code, parcels, what is still open, receipt with signatures."""

from __future__ import annotations

from typing import Any, Final

from dashboard.demo.base import (
    AMBER,
    LOGO_PLACEHOLDER,
    MUTED,
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

# article, name, note, ordered, delivered, parcels, weight in kg of one unit, with assembly
LINES: Final = (
    ("FM-AR-160-EI", "Sitz-Steh-Tisch Arden 160", "Eiche furniert", 12, 12, "1–12", 46.5, True),
    ("FM-LU-MB-GR", "Bürodrehstuhl Lund", "Netzrücken, graphit", 12, 12, "13–24", 17.2, False),
    ("FM-BX-3-L", "Rollcontainer Box 3", "absperrbar, weiß", 12, 10, "25–34", 23.8, False),
    ("FM-HA-90-30", "Pendelleuchte Halo 90", "dimmbar, 3000 K", 4, 4, "35–38", 5.4, True),
    ("FM-BE-KL", "Tischleuchte Beam", "mit Klemmfuß", 12, 12, "39", 1.9, False),
    ("FM-FE-160-WG", "Akustikpaneel Felt 160", "160 × 45 cm, warmgrau", 10, 10, "40–41", 3.6, True),
    ("FM-KW-4U2", "Kabelwanne", "4 Steckdosen, 2 × USB-C", 12, 12, "42", 2.1, False),
    ("FM-SO-240-KK", "Besprechungstisch Sorrel 240", "mit Kabelkanal, zweiteilig", 1, 1, "43–45", 98.0, True),
)

_DATA: Final[dict[str, Any]] = {
    "logo": LOGO_PLACEHOLDER,
    "number": "LS-2025-04417",
    "issued": "2025-10-06",
    "delivery_date": "2025-10-08",
    "delivery_window": "08:00 bis 11:00 Uhr",
    "order_number": "AB-31884",
    "order_date": "2025-09-12",
    "customer_reference": "Bestellung 2025/611",
    "carrier": "Spedition Murtal Logistik, Tour 17",
    "recipient": {
        "name": "Kanzlei Leitgeb & Partner OG",
        "contact": "z. Hd. Frau Mag. Katharina Leitgeb",
        "street": "Sporgasse 114, 3. Stock",
        "city": "8010 Graz",
    },
    "billing": {
        "name": "Kanzlei Leitgeb & Partner OG",
        "contact": "Buchhaltung",
        "street": "Sporgasse 114",
        "city": "8010 Graz",
    },
    "items": [
        {
            "article": article,
            "name": name,
            "note": note,
            "ordered": ordered,
            "delivered": delivered,
            "parcels": parcels,
            "unit_weight": weight,
            "assembly": assembly,
        }
        for article, name, note, ordered, delivered, parcels, weight, assembly in LINES
    ],
    "parcels": 45,
    "pallets": 6,
    "remark": "Zwei Rollcontainer (FM-BX-3-L) sind im Rückstand und werden am 22. Oktober 2025 ohne "
    "weitere Kosten nachgeliefert. Die Montage der Tische, Leuchten und Paneele ist für den "
    "9. Oktober 2025 vereinbart.",
}


def _party(name: str, label: str) -> dict[str, Any]:
    fields = [required("name"), variable("contact"), required("street"), required("city")]
    return required(name, "object", label, fields=fields)


_VARIABLES = [
    logo_variable(),
    required("number", label="Lieferscheinnummer"),
    required("issued", "date", "Ausgestellt am"),
    required("delivery_date", "date", "Liefertermin"),
    variable("delivery_window", label="Zeitfenster"),
    required("order_number", label="Auftragsnummer"),
    variable("order_date", "date", "Auftragsdatum"),
    variable("customer_reference", label="Ihre Referenz"),
    variable("carrier", label="Frächter"),
    _party("recipient", "Lieferadresse"),
    _party("billing", "Rechnungsadresse"),
    required(
        "items",
        "list",
        "Positionen",
        fields=[
            required("article"),
            required("name"),
            variable("note"),
            required("ordered", "number", format="integer"),
            required("delivered", "number", format="integer"),
            variable("parcels"),
            variable("unit_weight", "number", format="number:1"),
            variable("assembly", "boolean", default=False),
            variable("open", "number", format="integer", value="ordered - delivered"),
            variable("weight", "number", format="number:1", value="delivered * unit_weight"),
        ],
    ),
    variable("parcels", "number", "Packstücke", format="integer"),
    variable("pallets", "number", "Paletten", format="integer"),
    variable("remark", label="Hinweis"),
    variable("total_weight", "number", "Gesamtgewicht", value="sum(items.weight)", format="number:1"),
    variable("open", "number", "Offene Stücke", value="sum(items.open)", format="integer"),
]


_ARTICLE: Final = f"**{{{{item.name}}}}**\n[{{{{item.article}}}} · {{{{item.note}}}}]{{{MUTED}}}"
_LINES: Final = ("contact", "street", "city")


def _address(label: str, name: str) -> list[dict[str, Any]]:
    lines = (
        f"[{label}]{{{MUTED}}}",
        f"**{{{{{name}.name}}}}**",
        *(f"{{{{{name}.{line}}}}}" for line in _LINES),
    )
    return [text("\n".join(lines))]


_SECTIONS = [
    columns(_address("Lieferadresse", "recipient"), _address("Rechnungsadresse", "billing"), gap=10),
    space(1),
    columns(
        [heading("Lieferschein {{number}}")],
        [
            {
                "type": "barcode",
                "symbology": "code128",
                "value": "{{order_number}}",
                "width": 52,
                "height": 12,
                "align": "right",
            }
        ],
        widths=("*", 60),
    ),
    {"type": "divider"},
    pairs(
        [
            ("Liefertermin", "**{{delivery_date|date:full}}**"),
            ("Ausgestellt am", "{{issued|date:long}}"),
            ("Zeitfenster", "{{delivery_window}}"),
            ("Auftrag", "{{order_number}} vom {{order_date|date}}"),
            ("Frächter", "{{carrier}}"),
            ("Ihre Referenz", "{{customer_reference}}"),
            ("Packstücke", "{{parcels}} auf {{pallets}} Paletten"),
            ("Gesamtgewicht", "{{total_weight}} kg"),
        ],
        columns=2,
        labelWidth=27,
    ),
    table(
        "items",
        [
            {
                "header": "Artikel",
                "content": _ARTICLE,
            },
            column("ordered", "Bestellt", 17),
            column("delivered", "Geliefert", 18, total="sum", bold=True),
            column(
                "open",
                "Offen",
                14,
                styles=[
                    {"when": when("open", "greater", value=0), "color": "#b3261e", "bold": True},
                    {"when": when("open", "equals", value=0), "color": "#aeb7c2"},
                ],
            ),
            column("parcels", "Packstück", 21, align="center"),
            column("assembly", "Montage", 18, display="check", align="center"),
            column("weight", "Gewicht kg", 22, total="sum", format="number:1"),
        ],
        size=8.5,
        padding=0.8,
        totalsLabel="Summe",
    ),
    box(
        text("**Hinweis zur Lieferung**\n{{remark}}", size=9),
        background="#fdf6ea",
        accent=AMBER,
        padding=3.5,
        radius=1,
        showIf=when("remark"),
    ),
    heading("Übernahme", 3),
    text(
        "Die Ware wurde ohne äußerlich erkennbare Schäden übernommen, soweit oben nichts anderes "
        "vermerkt ist. Verdeckte Mängel melden Sie bitte binnen sieben Tagen unter Angabe "
        "der Lieferscheinnummer. Die Ware bleibt bis zur vollständigen Bezahlung unser Eigentum.",
        size=8.5,
        color=MUTED,
    ),
    {
        "type": "signature",
        "signers": [
            {"name": "Übernommen", "role": "Name in Blockschrift, Unterschrift, Datum"},
            {"name": "Übergeben", "role": "{{carrier}}"},
        ],
        "height": 14,
    },
]

TEMPLATE: Final = DemoTemplate(
    slug="delivery-note",
    body={
        "name": "Lieferschein",
        "description": "Delivery note with a bar code to scan, back orders and a receipt to sign.",
        "formats": ["pdf"],
        "variables": _VARIABLES,
        "sections": _SECTIONS,
        "page": {
            "size": "A4",
            "margins": {"top": 20, "right": 20, "bottom": 19, "left": 22},
            "firstHeader": {
                "sections": [
                    columns(
                        [image("{{logo}}", width=50, alt="Fennmark")],
                        [
                            text(
                                "Lagergasse 221 · 8020 Graz\n+43 316 000 000\nversand@fennmark.example",
                                size=8,
                                color=MUTED,
                                align="right",
                            )
                        ],
                    ),
                    space(3),
                ]
            },
            "header": {"left": "Fennmark Österreich GmbH", "right": "Lieferschein {{number}}"},
            "theme": {"size": 9.5, "headings": {"1": {"size": 21, "before": 6, "after": 4}}},
            "footer": {
                "left": "Fennmark Österreich GmbH · FN 000000 x · LG für ZRS Graz · UID ATU00000000",
                "right": "Seite {{page.number}} von {{page.count}}",
            },
            "locale": "de-AT",
            "timezone": "Europe/Vienna",
            "currency": "EUR",
            "title": "Lieferschein {{number}}",
            "author": "Fennmark Österreich GmbH",
        },
        "sampleData": _DATA,
    },
    data=_DATA,
)
