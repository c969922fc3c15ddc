"""Delivery note of an Austrian company: parcels, serial numbers, receipt with signatures."""

from __future__ import annotations

from typing import Any, Final

from dashboard.demo.base import (
    LOGO_PLACEHOLDER,
    DemoTemplate,
    column,
    heading,
    image,
    logo_variable,
    pairs,
    required,
    rule,
    space,
    table,
    text,
    variable,
)

# article, description, ordered, delivered, unit, parcel, weight in kg of one unit
LINES: Final = (
    ("FM-AR-160-EI", "Sitz-Steh-Tisch Arden 160, Eiche furniert", 12, 12, "Stk.", "1–12", 46.5),
    ("FM-LU-MB-GR", "Bürodrehstuhl Lund, Netzrücken, graphit", 12, 12, "Stk.", "13–24", 17.2),
    ("FM-BX-3-L", "Rollcontainer Box 3, absperrbar", 12, 10, "Stk.", "25–34", 23.8),
    ("FM-HA-90-30", "Pendelleuchte Halo 90, dimmbar, 3000 K", 4, 4, "Stk.", "35–38", 5.4),
    ("FM-BE-KL", "Tischleuchte Beam mit Klemmfuß", 12, 12, "Stk.", "39", 1.9),
    ("FM-FE-160-WG", "Akustikpaneel Felt 160 × 45 cm, warmgrau", 10, 10, "Stk.", "40–41", 3.6),
    ("FM-KW-4U2", "Kabelwanne mit 4 Steckdosen und 2 USB-C-Anschlüssen", 12, 12, "Stk.", "42", 2.1),
    (
        "FM-SO-240-KK",
        "Besprechungstisch Sorrel 240 mit Kabelkanal, Platte zweiteilig",
        1,
        1,
        "Stk.",
        "43–45",
        98.0,
    ),
)


def _data() -> dict[str, Any]:
    rows: list[dict[str, Any]] = []
    for position, (article, description, ordered, delivered, unit, parcel, weight) in enumerate(
        LINES, start=1
    ):
        rows.append(
            {
                "position": position,
                "article": article,
                "description": description,
                "ordered": ordered,
                "delivered": delivered,
                "open": ordered - delivered,
                "unit": unit,
                "parcel": parcel,
                "weight": round(weight * delivered, 1),
            }
        )
    return {
        "logo": LOGO_PLACEHOLDER,
        "number": "LS-2025-04417",
        "issued": "2025-10-06",
        "delivery_date": "2025-10-08",
        "delivery_window": "08:00 bis 11:00 Uhr",
        "order_number": "AB-31884",
        "order_date": "2025-09-12",
        "customer_reference": "Bestellung 2025/611, Fr. Mag. Leitgeb",
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
        "items": rows,
        "parcels": 45,
        "total_weight": round(sum(row["weight"] for row in rows), 1),
        "remark": "Zwei Rollcontainer (Position 3) sind im Rückstand und werden am 22. Oktober 2025 ohne "
        "weitere Kosten nachgeliefert. Die Montage der Sitz-Steh-Tische ist für den 9. Oktober 2025 "
        "vereinbart.",
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
            required("position", "number", format="integer"),
            required("article"),
            required("description"),
            required("ordered", "number", format="integer"),
            required("delivered", "number", format="integer"),
            variable("open", "number", format="integer", default=0),
            variable("unit", default="Stk."),
            variable("parcel"),
            variable("weight", "number", format="number:1"),
        ],
    ),
    variable("parcels", "number", "Packstücke", format="integer"),
    variable("total_weight", "number", "Gesamtgewicht", format="number:1"),
    variable("remark", label="Hinweis"),
]

_SECTIONS = [
    image("{{logo}}", width=48, alt="Fennmark"),
    text(
        "Fennmark Österreich GmbH · Lagergasse 221 · 8020 Graz · versand@fennmark.example",
        size=8,
        color="#5c6776",
    ),
    heading("Lieferschein {{number}}"),
    pairs(
        [
            (
                "Lieferadresse",
                "{{recipient.name}}\n{{recipient.contact}}\n{{recipient.street}}\n{{recipient.city}}",
            ),
            (
                "Rechnungsadresse",
                "{{billing.name}}\n{{billing.contact}}\n{{billing.street}}\n{{billing.city}}",
            ),
        ],
        columns=2,
    ),
    rule(),
    pairs(
        [
            ("Ausgestellt am", "{{issued|date:long}}"),
            ("Liefertermin", "{{delivery_date|date:full}}"),
            ("Zeitfenster", "{{delivery_window}}"),
            ("Frächter", "{{carrier}}"),
            ("Auftrag", "{{order_number}} vom {{order_date|date}}"),
            ("Ihre Referenz", "{{customer_reference}}"),
            ("Packstücke", "{{parcels}}"),
            ("Gesamtgewicht", "{{total_weight}} kg"),
        ],
        columns=2,
    ),
    table(
        "items",
        [
            column("position", "Pos.", 11),
            column("article", "Artikel", 28),
            column("description", "Bezeichnung"),
            column("ordered", "Bestellt", 16),
            column("delivered", "Geliefert", 17),
            column("open", "Offen", 13),
            column("unit", "", 10),
            column("parcel", "Packstück", 19),
            column("weight", "kg", 13),
        ],
        size=8.5,
    ),
    text("{{remark}}"),
    heading("Übernahme", 3),
    text(
        "Die Ware wurde vollständig und ohne äußerlich erkennbare Schäden übernommen, soweit oben nichts "
        "anderes vermerkt ist. Verdeckte Mängel melden Sie uns bitte binnen sieben Tagen unter Angabe der "
        "Lieferscheinnummer. Die Ware bleibt bis zur vollständigen Bezahlung unser Eigentum.",
        size=9,
    ),
    space(12),
    pairs(
        [
            ("Datum, Name", "______________________________"),
            ("Unterschrift", "______________________________"),
        ],
        columns=2,
    ),
]

TEMPLATE: Final = DemoTemplate(
    slug="delivery-note",
    body={
        "name": "Lieferschein",
        "description": "Delivery note with parcels, back orders and a receipt to sign.",
        "formats": ["pdf"],
        "variables": _VARIABLES,
        "sections": _SECTIONS,
        "page": {
            "size": "A4",
            "margins": {"top": 16, "right": 16, "bottom": 20, "left": 20},
            "footer": {
                "left": "Fennmark Österreich GmbH · FN 000000 x · LG für ZRS Graz · UID ATU00000000",
                "right": "Seite {{page.number}} von {{page.count}}",
            },
            "locale": "de-AT",
            "timezone": "Europe/Vienna",
            "currency": "EUR",
        },
        "sampleData": _data(),
    },
    data=_data(),
)
