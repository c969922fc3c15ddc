"""Price list of a German wholesaler: 120 articles in one worksheet to sort and filter, or a printed list."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import timedelta
from decimal import Decimal
from random import Random
from typing import Any, Final

from dashboard.demo.base import (
    LOGO_PLACEHOLDER,
    MUTED,
    TEAL,
    TINT,
    TODAY,
    DemoTemplate,
    box,
    column,
    columns,
    heading,
    image,
    logo_variable,
    money,
    required,
    space,
    table,
    text,
    variable,
    when,
)

SAMPLE: Final = 20

# category, prefix, products with the price in euros of the first variant, variants
RANGE: Final = (
    ("Sitz-Steh-Tische", "AR", (("Arden 120", 489), ("Arden 140", 539), ("Arden 160", 589),
     ("Arden 180", 659), ("Arden Eck 200", 949)), ("weiß", "Eiche", "Nussbaum", "Linoleum oliv")),
    ("Bürostühle", "LU", (("Lund Netz", 299), ("Lund Polster", 359), ("Lund Konferenz", 249),
     ("Lund Counter", 319), ("Lund Hocker", 129)), ("graphit", "moosgrün", "sand", "nachtblau")),
    ("Leuchten", "LI", (("Pendelleuchte Halo 60", 319), ("Pendelleuchte Halo 90", 399),
     ("Stehleuchte Column", 529), ("Tischleuchte Beam", 99), ("Wandleuchte Rim", 139)),
     ("3000 K", "4000 K", "3000 K DALI", "4000 K DALI")),
    ("Stauraum", "BX", (("Rollcontainer Box 3", 189), ("Sideboard Box 160", 449), ("Schrank Box 5 OH", 679),
     ("Regal Grid 80", 219), ("Schließfach Grid 4", 539)), ("weiß", "lichtgrau", "anthrazit", "Eiche")),
    ("Akustik", "FE", (("Tischpaneel Felt 120", 109), ("Tischpaneel Felt 160", 129),
     ("Wandabsorber Felt 60", 69), ("Deckensegel Felt 120", 249), ("Raumteiler Felt 180", 459)),
     ("warmgrau", "salbei", "terrakotta", "tinte")),
    ("Zubehör", "ZB", (("Kabelwanne", 39), ("Monitorarm einfach", 89), ("Monitorarm doppelt", 149),
     ("Steckdosenleiste 4-fach", 49), ("Fußstütze", 59)), ("silber", "schwarz", "weiß", "anthrazit")),
)  # fmt: skip
PACKING: Final = {"Zubehör": (1, 5, 10), "Leuchten": (1, 2, 4), "Akustik": (1, 2, 6)}


def _products() -> Iterator[dict[str, Any]]:
    random = Random(20251006)  # noqa: S311 (the same figures at each seeding)
    for category, prefix, names, variants in RANGE:
        for line, (name, base) in enumerate(names, start=1):
            for number, variant in enumerate(variants, start=1):
                # later variants cost more, in whole euros less ten cents
                net = Decimal(base * (100 + 4 * (number - 1)) // 100) - Decimal("0.10")
                stock = max(0, int(random.gauss(60, 55)))
                product: dict[str, Any] = {
                    "category": category,
                    "article": f"FM-{prefix}-{line}{number:02d}{random.randint(10, 99)}",
                    "name": f"{name}, {variant}",
                    "packing": random.choice(PACKING.get(category, (1,))),
                    "net": money(net),
                    "stock": stock,
                    "valid_from": "2025-10-01" if random.random() < 0.8 else "2025-09-01",
                }
                if stock == 0:
                    product["restock"] = (TODAY + timedelta(days=random.randint(7, 60))).isoformat()
                yield product


def _data(count: int) -> dict[str, Any]:
    """Return the data of a list with its first `count` articles."""
    products = list(_products())[:count]
    return {
        "logo": LOGO_PLACEHOLDER,
        "list_number": "PL 2025/4",
        "issued": TODAY.isoformat(),
        "valid_from": "2025-10-01",
        "valid_until": "2025-12-31",
        "vat_rate": 0.19,
        "contact": {
            "name": "Annika Brechtel",
            "role": "Vertrieb Fachhandel",
            "email": "fachhandel@fennmark.example",
        },
        "products": products,
        "discounts": [
            {"from": 2500, "rate": 0.03, "freight": "unfrei"},
            {"from": 5000, "rate": 0.05, "freight": "frei Bordsteinkante"},
            {"from": 10000, "rate": 0.08, "freight": "frei Verwendungsstelle"},
            {"from": 25000, "rate": 0.12, "freight": "frei Verwendungsstelle, mit Montage"},
        ],
    }


_VARIABLES = [
    logo_variable(),
    required("list_number", label="Nummer der Liste"),
    required("issued", "date", "Stand"),
    required("valid_from", "date", "Gültig ab"),
    required("valid_until", "date", "Gültig bis"),
    variable("vat_rate", "number", "Umsatzsteuersatz", default=0.19, format="percent"),
    variable("article_count", "number", "Anzahl Artikel", value="count(products.article)", format="integer"),
    variable(
        "contact",
        "object",
        "Ansprechpartner",
        fields=[variable("name"), variable("role"), variable("email")],
    ),
    required(
        "products",
        "list",
        "Artikel",
        fields=[
            required("category"),
            required("article"),
            required("name"),
            variable("packing", "number", default=1, format="integer"),
            required("net", "currency"),
            variable("gross", "currency", value="round(net * (1 + vat_rate), 2)"),
            variable("stock", "number", format="integer"),
            variable("restock", "date"),
            variable("valid_from", "date"),
        ],
    ),
    variable(
        "discounts",
        "list",
        "Mengenrabatte",
        fields=[
            required("from", "currency"),
            required("rate", "number", format="percent"),
            variable("freight"),
        ],
    ),
]

_SECTIONS = [
    columns(
        [
            heading("Preisliste Fachhandel"),
            text(
                "**{{list_number}}** · gültig vom {{valid_from|date:long}} bis {{valid_until|date:long}}\n"
                "{{article_count}} Artikel · Preise in Euro je Stück · Stand {{issued|date:long}}",
                color=MUTED,
            ),
        ],
        [
            box(
                text("Ihre Ansprechpartnerin", size=8, color=MUTED),
                text(
                    "**{{contact.name}}**, {{contact.role}}\n[{{contact.email}}](mailto:{{contact.email}})",
                    size=9,
                ),
                background=TINT,
                accent=TEAL,
                padding=3,
                radius=1,
                showIf=when("contact"),
            )
        ],
        widths=("*", 62),
    ),
    table(
        "products",
        [
            column("article", "Artikel", 23),
            column("name", "Bezeichnung"),
            column("packing", "VPE", 11),
            column("net", "Netto", 21, bold=True),
            column("gross", "Brutto {{vat_rate}}", 22),
            column(
                "stock",
                "Lager",
                13,
                styles=[
                    {"when": when("stock", "equals", value=0), "color": "#b3261e", "bold": True},
                    {"when": when("stock", "less", value=10), "color": "#a05a00"},
                ],
            ),
            column("restock", "Wieder ab", 20, align="right", format="date:dd.MM.yyyy"),
            column("valid_from", "Preis seit", 19, align="right", format="date:dd.MM.yyyy"),
        ],
        size=8,
        padding=0.65,
        groupBy=[
            {"key": "category", "title": "{{group.value}} · {{group.count}} Artikel", "subtotals": False}
        ],
        sheet={"name": "Artikel", "freezeColumns": 2},
    ),
    columns(
        [
            table(
                "discounts",
                [
                    column("from", "Ab Auftragswert", 26),
                    column("rate", "Rabatt", 16, format="percent:0", bold=True),
                    column("freight", "Lieferung"),
                ],
                title="Mengenrabatte",
                size=8,
                sheet={"table": True},
            )
        ],
        [
            heading("Bedingungen", 4),
            text(
                "Nettopreise ohne Umsatzsteuer, freibleibend ab Lager Kassel. VPE ist die kleinste "
                "Verpackungseinheit; Teilmengen berechnen wir mit 4 % Aufschlag. Lagerstand vom "
                "{{issued|date:long}}, Zwischenverkauf vorbehalten. Zahlbar binnen 30 Tagen netto oder "
                "binnen 10 Tagen mit 2 % Skonto.",
                size=8.5,
                color=MUTED,
            ),
        ],
        gap=10,
    ),
]

TEMPLATE: Final = DemoTemplate(
    slug="price-list",
    body={
        "name": "Preisliste Fachhandel",
        "description": "Price list with categories, prices, stock and dates: a workbook, or a printed list.",
        "formats": ["xlsx", "pdf"],
        "variables": _VARIABLES,
        "sections": _SECTIONS,
        "page": {
            "size": "A4",
            "margins": {"top": 20, "right": 16, "bottom": 20, "left": 16},
            "firstHeader": {
                "sections": [
                    columns(
                        [image("{{logo}}", width=50, alt="Fennmark")],
                        [
                            text(
                                "Fennmark Deutschland GmbH\nHafenstraße 309 · 34125 Kassel\n"
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
            "header": {"left": "Fennmark Deutschland GmbH", "right": "Preisliste {{list_number}}"},
            "footer": {
                "left": "Gültig bis {{valid_until|date:long}}",
                "right": "Seite {{page.number}} von {{page.count}}",
            },
            "theme": {
                "size": 9.5,
                "headings": {
                    "1": {"size": 21, "before": 0, "after": 5},
                    "4": {"color": "#1b2430", "size": 10.5},
                },
            },
            "title": "Preisliste {{list_number}}",
            "author": "Fennmark Deutschland GmbH",
            "locale": "de-DE",
            "timezone": "Europe/Berlin",
            "currency": "EUR",
        },
        "sampleData": _data(SAMPLE),
    },
    data=_data(10_000),
)
