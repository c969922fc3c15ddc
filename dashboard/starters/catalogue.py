"""Product catalogue of a pottery: cover, contents, a chapter for each collection, price lists."""

from __future__ import annotations

from typing import Any, Final

from dashboard.demo.base import (
    box,
    column,
    columns,
    heading,
    image,
    page_break,
    required,
    rule,
    space,
    table,
    text,
    variable,
    when,
)
from dashboard.starters.base import Starter, barcode, company_variable, group, label, logo_variable
from dashboard.starters.pottery import drawing, mark, shelf, still_life

CLAY: Final = "#a9502f"
PINE: Final = "#2b3f3c"
MUTED: Final = "#7b7268"
SAND: Final = "#f6efe4"

# name, article, shape, clay, glaze, text, size, pieces in a box, price
RANGES: Final = (
    ("Shore", "Thrown in a speckled clay and dipped in a blue that breaks to sand at the rim.", (
        ("Shore vase", "SH-101", "vase", "#d8c4a6", "#4f7f8f", "For a single branch or a generous bunch.",
         "Ø 14 × 24 cm", 2, 64.00),
        ("Shore bowl", "SH-114", "bowl", "#d8c4a6", "#4f7f8f", "Deep enough for soup, wide enough for salad.",
         "Ø 19 × 8 cm", 4, 32.00),
        ("Shore mug", "SH-120", "mug", "#d8c4a6", "#4f7f8f", "Holds warmth, and a quarter of a litre.",
         "Ø 9 × 9 cm, 250 ml", 6, 24.50),
        ("Shore plate", "SH-132", "plate", "#d8c4a6", "#4f7f8f", "A flat rim that is kind to the dishwasher.",
         "Ø 27 cm", 4, 36.00),
    )),
    ("Bushland", "A dark stoneware with the greens of eucalypt; made for the table and for the garden.", (
        ("Bushland jug", "BL-201", "jug", "#7a5a45", "#6f8a64", "Pours without a drip, from the first day.",
         "1.2 l", 2, 58.00),
        ("Bushland planter", "BL-215", "planter", "#8a6249", "#a9502f", "Frost-proof, with hole and saucer.",
         "Ø 18 × 16 cm", 3, 42.00),
        ("Bushland bowl", "BL-222", "bowl", "#7a5a45", "#6f8a64", "The small one: nuts, olives, keys.",
         "Ø 12 × 6 cm", 6, 19.50),
    )),
    ("Dusk", "Matt black outside, warm inside. Lit by a candle the small openings throw stars.", (
        ("Dusk lantern", "DK-301", "lantern", "#3b3a41", "#2f2e36", "For tea lights; stands safely outdoors.",
         "Ø 13 × 20 cm", 2, 72.00),
        ("Dusk bottle", "DK-308", "bottle", "#8b7d78", "#3b3a41", "Oil, vinegar or one long stem.",
         "0.5 l", 4, 46.00),
        ("Dusk vase", "DK-312", "vase", "#8b7d78", "#3b3a41", "A quiet shape in a deep colour.",
         "Ø 12 × 21 cm", 2, 59.00),
    )),
)  # fmt: skip


def _ean(number: int) -> str:
    """Return an EAN-13 of the range for use inside a shop."""
    digits = f"200{number:09d}"
    odd, even = (sum(int(digit) for digit in digits[start::2]) for start in (0, 1))
    return digits + str(-(odd + 3 * even) % 10)


_DATA: Final[dict[str, Any]] = {
    "logo": mark(),
    "company": {
        "name": "Kiln & Cove",
        "address": "5 Wharf Lane, Port Alder TAS 7000",
        "email": "trade@kilnandcove.example",
        "web": "kilnandcove.example",
    },
    "title": "Spring and summer",
    "season": "2025 / 26",
    "cover": still_life(),
    "introduction": "We are five potters in an old boat shed. Everything in this catalogue is thrown, "
    "glazed and fired by us, in small runs that follow the seasons. No two pieces are the "
    "same, and we like it that way.",
    "valid_until": "2026-02-28",
    "tax_rate": 0.1,
    "minimum": 400,
    "collections": [
        {
            "name": name,
            "text": about,
            "products": [
                {
                    "name": product,
                    "article": article,
                    "picture": drawing(shape, clay, glaze),
                    "text": note,
                    "size": size,
                    "pack": pack,
                    "price": price,
                    "ean": _ean(int(article[-3:])),
                }
                for product, article, shape, clay, glaze, note, size, pack, price in products
            ],
        }
        for name, about, products in RANGES
    ],
}

_VARIABLES = [
    logo_variable(),
    company_variable("Company", "email", "web"),
    required("title", label="Title"),
    variable("season", label="Season"),
    variable("cover", "image", "Picture of the cover"),
    variable("introduction", label="Introduction"),
    required("valid_until", "date", "Prices valid until"),
    variable("tax_rate", "number", "Tax rate", default=0.1, format="percent"),
    variable("minimum", "currency", "Smallest order", default=0),
    required(
        "collections",
        "list",
        "Collections",
        fields=[
            required("name"),
            variable("text"),
            required(
                "products",
                "list",
                fields=[
                    required("name"),
                    required("article"),
                    variable("picture", "image"),
                    variable("text"),
                    variable("size"),
                    variable("pack", "number", default=1, format="integer"),
                    required("price", "currency"),
                    variable("ean"),
                    variable("retail", "currency", value="round(price * 2 * (1 + tax_rate), 0)"),
                    variable("pack_price", "currency", value="pack * price"),
                ],
            ),
            variable("count", "number", value="count(products.article)", format="integer"),
        ],
    ),
]

_COVER = [
    box(
        columns(
            [image("{{logo}}", width=16, alt="{{company.name}}", showIf=when("logo"))],
            [text("**{{company.name}}**", size=16, color=SAND)],
            [text("{{season}}", size=12, align="right", color="#d9a98f")],
            widths=(18, "*", 40),
            gap=4,
        ),
        space(25),
        image("{{cover}}", width=142, alt="{{title}}", showIf=when("cover")),
        space(16),
        text("**{{title}}**", size=40, color=SAND),
        text("Catalogue and trade prices", size=15, color="#d9a98f"),
        space(20),
        text("{{company.address}}\n{{company.web}}", size=9, color="#b9c4bf"),
        background=PINE,
        padding=14,
    ),
    page_break(),
]

_INTRODUCTION = [
    columns(
        [
            heading("Hello.", 1),
            text("{{introduction}}", size=12, showIf=when("introduction")),
            space(6),
            {"type": "table_of_contents", "title": "In this catalogue", "levels": 1},
        ],
        [
            box(
                label("HOW TO ORDER", CLAY),
                text(
                    "Write to [{{company.email}}](mailto:{{company.email}}) or send back the price list at "
                    "the end. Pieces come in boxes as given. Orders of **{{minimum}}** and more are "
                    "delivered free.",
                    size=9,
                ),
                label("PRICES", CLAY),
                text(
                    "Net trade prices for a piece, valid until {{valid_until|date:long}}. The retail price "
                    "that we recommend has {{tax_rate}} tax in it.",
                    size=9,
                ),
                background=SAND,
                padding=5,
                radius=1.5,
            )
        ],
        widths=("*", 58),
        gap=12,
    ),
    space(12),
    image(shelf(), width=170, alt="Pots of all collections on a shelf"),
    space(6),
    columns(
        *(
            [label(name, CLAY), text(about, size=9)]
            for name, about in (
                ("THROWN", "By hand, on kick wheels, in stoneware from two quarries that we know."),
                ("GLAZED", "In food-safe glazes of our own: ash, iron and cobalt, without lead."),
                ("FIRED", "At 1 260 °C, so that each piece may go to the dishwasher and the oven."),
            )
        ),
        gap=10,
    ),
    page_break(),
]

_PRODUCT = [
    columns(
        [image("{{product.picture}}", width=54, alt="{{product.name}}", showIf=when("product.picture"))],
        [
            label("{{product.article}}", MUTED),
            heading("{{product.name}}", 3),
            text("{{product.text}}", size=9.5),
            text("{{product.size}} · box of {{product.pack}}", size=8.5, color=MUTED),
        ],
        [
            text("**{{product.price}}**", size=18, color=CLAY, align="right"),
            text("retail {{product.retail}}", size=8.5, color=MUTED, align="right"),
            barcode(
                "{{product.ean}}",
                symbology="ean13",
                width=36,
                height=17,
                align="right",
                showIf=when("product.ean"),
            ),
        ],
        widths=(54, "*", 40),
        gap=7,
    ),
    rule(),
]

_COLLECTION = [
    heading("{{collection.name}}", 1),
    columns([text("{{collection.text}}", size=11.5, color=MUTED)], [], widths=("*", 40)),
    space(3),
    rule(color=PINE, thickness=1),
    group("collection.products", "product", _PRODUCT, keepTogether=True, gap=1),
]

_PRICES = [
    page_break(),
    heading("Price list", 1),
    text("{{company.name}} · net trade prices until {{valid_until|date:long}}", color=MUTED),
    group(
        "collections",
        "collection",
        [
            table(
                "collection.products",
                [
                    column("article", "Article", 22),
                    column("name", "Product", "*", bold=True),
                    column("size", "Size", 40),
                    column("pack", "Box of", 16),
                    column("price", "A piece", 22),
                    column("pack_price", "A box", 22),
                    {"header": "Boxes", "content": "", "width": 18},
                ],
                title="{{collection.name}}",
                size=8.5,
                zebra=False,
                sheet={"name": "{{collection.name}}"},
            )
        ],
        gap=3,
    ),
    space(4),
    box(
        columns(
            [label("SHOP", MUTED), space(7), rule(color=PINE)],
            [label("ORDER NUMBER", MUTED), space(7), rule(color=PINE)],
            [label("DATE, SIGNATURE", MUTED), space(7), rule(color=PINE)],
            gap=8,
        ),
        background=SAND,
        padding=5,
        radius=1.5,
        keepTogether=True,
    ),
]

STARTER: Final = Starter(
    slug="catalogue",
    name="Product catalogue",
    description="Cover, contents, collections with pictures and bar codes, price lists to order from.",
    body={
        "name": "Product catalogue",
        "description": "",
        "formats": ["pdf", "xlsx"],
        "variables": _VARIABLES,
        "sections": [
            *_COVER,
            *_INTRODUCTION,
            group("collections", "collection", _COLLECTION, pageBreak=True),
            *_PRICES,
        ],
        "page": {
            "size": "A4",
            "margins": {"top": 22, "right": 20, "bottom": 20, "left": 20},
            "firstHeader": None,
            "firstFooter": None,
            "header": {"left": "{{company.name}}", "right": "{{title}} {{season}}"},
            "footer": {
                "left": "{{company.web}}",
                "right": "Page {{page.number}} of {{page.count}}",
            },
            "theme": {
                "size": 10,
                "spacing": 0.7,
                "colors": {
                    "ink": PINE,
                    "muted": MUTED,
                    "accent": CLAY,
                    "rule": "#e6dccd",
                    "ruleStrong": PINE,
                    "tint": SAND,
                },
                "headings": {
                    "1": {"size": 30, "color": CLAY, "before": 0, "after": 6},
                    "3": {"size": 14, "color": PINE, "before": 0, "after": 2},
                },
            },
            "title": "{{company.name}}: {{title}} {{season}}",
            "author": "{{company.name}}",
            "locale": "en-AU",
            "timezone": "Australia/Hobart",
            "currency": "AUD",
        },
        "sampleData": _DATA,
    },
)
