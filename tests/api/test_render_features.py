"""Stories over HTTP with each kind of section, and with what page settings, variables and tables can do."""

from __future__ import annotations

import base64
from io import BytesIO
from pathlib import Path
from typing import Any

import openpyxl
import pytest
from PIL import Image

from accounts.models import Organization
from assets.services import upload_asset
from tests.api.sections import CHART, ITEMS, TABLE, barcode, text
from tests.api.tools import content_of, errors_of, pdf_of, rendered, text_of, workbook_of
from tests.conftest import ApiClient
from tests.png import plain_png
from tests.rendering.archive import kept_promises
from tests.rendering.tagged import Tagged

FONTS = Path(__file__).parents[2] / "rendering" / "formats" / "pdf" / "fonts"
SVG = b'<svg xmlns="http://www.w3.org/2000/svg" width="20" height="10"><rect width="20" height="10"/></svg>'


# ---------------------------------------------------------------- kinds


GROUP = {"type": "group", "source": "items", "as": "it", "keepTogether": True, "border": 1, "padding": 2}


@pytest.mark.parametrize(
    ("section", "expected"),
    [
        (text("**Bold** *it* `code` [a link](https://example.com/{{code}}) \\*"), "Bold it code a link *"),
        (
            {"type": "columns", "columns": [{"width": "25%", "sections": [text("one")]}, {"sections": []}]},
            "one",
        ),
        (
            GROUP | {"sections": [text("{{it.name}}: {{it.price|number:2}}")]},
            "Pen: 1.10 Ink: 20.00 Pad: 0.70",
        ),
        (GROUP | {"pageBreak": True, "sections": [text("{{it.city}}")]}, "Vienna Graz Vienna"),
        (
            {"type": "box", "sections": [text("in {{code}}")], "accent": "#ff0000", "radius": 3},
            "in 4006381333931",
        ),
        ({"type": "list", "items": ["a", {"content": "b", "items": ["c"]}], "ordered": True}, "a 2. b a. c"),
        ({"type": "list", "source": "items", "content": "{{item.name}}!"}, "Pen! • Ink! • Pad!"),
        (
            {
                "type": "signature",
                "signers": [{"name": "{{items.0.name}}", "role": "Chief", "date": "on {{day|date:long}}"}],
            },
            "November 21, 2026",
        ),
        (CHART | {"title": "Prices", "labels": True}, "Prices"),
        (CHART | {"chart": "pie"}, "Ink"),
        (CHART | {"chart": "stacked_bar", "series": [{"name": "Sum", "value": "price * quantity"}]}, "Pad"),
        (barcode("ean13"), "4 0 0 6 3 8 1 3 3 3 9 3 1"),
        (barcode("code128"), "4006381333931"),
    ],
)
def test_what_each_kind_says(section: dict[str, Any], expected: str, secret: ApiClient) -> None:
    data = {"items": ITEMS, "code": "4006381333931", "day": "2026-11-21"}
    assert expected in text_of(rendered(secret, section, data=data))


@pytest.mark.parametrize("symbology", ["qr", "datamatrix", "pdf417"])
def test_codes_of_squares_say_nothing(symbology: str, secret: ApiClient) -> None:
    answer = rendered(secret, barcode(symbology), data={"code": "https://example.com/ü"})
    assert len(content_of(answer)) > 1000
    assert "example" not in text_of(answer)


def test_a_table_of_contents_knows_the_pages(secret: ApiClient) -> None:
    sections = [
        {"type": "table_of_contents", "title": "Contents", "levels": 2},
        {"type": "page_break"},
        {"type": "heading", "content": "First {{code}}"},
        {"type": "page_break"},
        {"type": "heading", "content": "Second", "level": 2},
    ]
    reader = pdf_of(rendered(secret, *sections, data={"code": "7"}, page={"numberHeadings": True}))
    first = reader.pages[0].extract_text()
    assert [line in first for line in ("Contents", "1 First 7", "1.1 Second")] == [True] * 3
    assert [entry["/Title"] for entry in reader.outline if isinstance(entry, dict)] == ["1 First 7"]


def test_a_template_asks_for_an_accessible_pdf(secret: ApiClient) -> None:
    logo = {"type": "image", "source": "data:image/svg+xml;base64," + base64.b64encode(SVG).decode()}
    sections = ({"type": "heading", "content": "Order {{code}}"}, TABLE, logo | {"alt": "Our logo"})
    page = {"tagged": True, "title": "Order {{code}}", "language": "en"}
    answer = rendered(secret, *sections, data={"code": "7", "items": ITEMS}, page=page)
    (root,) = Tagged(content_of(answer)).roots
    assert [child.kind for child in root.children] == ["H1", "Table", "Figure"]
    assert len(root.all("TR")) == 1 + len(ITEMS) + 1  # head, rows, totals
    assert root.all("Figure")[0].alt == "Our logo"
    reader = pdf_of(answer)
    assert reader.root_object["/Lang"] == "en"
    assert reader.metadata is not None
    assert reader.metadata.title == "Order 7"


def test_a_template_asks_for_an_archivable_pdf(secret: ApiClient) -> None:
    section = {"type": "heading", "content": "Order {{code}}"}
    answer = rendered(secret, section, data={"code": "7"}, page={"archivable": True})
    assert kept_promises(content_of(answer)) == "2U"
    locked = {"archivable": True, "protection": {"userPassword": "secret"}}
    refused = secret.post(
        "/v1/templates",
        {"name": "Locked", "formats": ["pdf"], "sections": [section], "page": locked},
        format="json",
    )
    assert refused.status_code == 400
    assert "not together with archivable" in errors_of(refused)["page.protection"]


@pytest.mark.parametrize(
    ("symbology", "value", "reason"),
    [
        ("ean13", "4006381333932", "check digit"),
        ("ean13", "12", "digits"),
        ("code128", "日本", ""),
        ("qr", "x" * 9000, ""),
    ],
)
def test_a_code_that_cannot_be_is_a_400_naming_the_data(
    symbology: str, value: str, reason: str, secret: ApiClient
) -> None:
    section = {"type": "group", "source": "items", "sections": [barcode(symbology, "{{item.ean}}")]}
    errors = errors_of(rendered(secret, section, data={"items": [{}, {"ean": value}]}))
    assert list(errors) == ["data.items[1].ean"]
    assert reason in errors["data.items[1].ean"]


# ---------------------------------------------------------------- conditions, formulas, totals


CONDITION = {
    "any": [{"field": "vat", "is": "set"}, {"all": [{"field": "total", "is": "greater", "value": 9}]}]
}


@pytest.mark.parametrize(
    ("data", "shown"),
    [({}, False), ({"vat": "U1"}, True), ({"total": 9}, False), ({"total": 9.5}, True), ({"vat": []}, False)],
)
def test_a_section_under_a_condition(data: dict[str, Any], shown: bool, secret: ApiClient) -> None:
    section = {"type": "box", "sections": [text("inside", showIf=CONDITION)]}
    assert ("inside" in text_of(rendered(secret, section, data=data))) is shown


def test_names_in_conditions_and_formulas_are_inferred(secret: ApiClient) -> None:
    sections = [
        text("x", showIf=CONDITION),
        TABLE | {"groupBy": [{"key": "city"}], "styles": [{"when": {"field": "late", "is": "set"}}]},
        CHART | {"series": [{"value": "sold - returned"}]},
        {"type": "signature", "signers": [{"name": "{{seller.name}}", "image": "{{seller.hand}}"}]},
    ]
    page = {
        "protection": {"userPassword": "{{secret}}"},
        "watermark": {"text": "{{mark}}"},
        "title": "{{no}}",
    }
    variables = secret.create(sections=sections, page=page)["variables"]
    assert all(variable["inferred"] for variable in variables)
    names = {
        variable["name"]: {field["name"] for field in variable.get("fields", ())} for variable in variables
    }
    assert names == {
        "vat": set(),
        "total": set(),
        "items": {"name", "quantity", "price", "city", "late", "sold", "returned"},
        "seller": {"name", "hand"},
        "secret": set(),
        "mark": set(),
        "no": set(),
    }


def test_computed_variables_are_exact_and_in_order(secret: ApiClient) -> None:
    variables = [
        {"name": "gross", "type": "number", "value": "net * 1.2"},
        {"name": "net", "type": "number", "value": "sum(items.amount)"},
        {
            "name": "items",
            "type": "list",
            "fields": [
                {"name": "quantity", "type": "number"},
                {"name": "price", "type": "number"},
                {"name": "amount", "type": "number", "value": "quantity * price"},
            ],
        },
    ]
    data = {
        "items": [{"quantity": 3, "price": 1.1}, {"quantity": 1}, {"quantity": 7, "price": 0.1}],
        "net": 99,
    }
    content = text("{{net}} {{gross|currency:EUR}} {{gross|currency:JPY}} {{gross|currency:KWD@de}}")
    answer = rendered(secret, content, data=data, variables=variables, page={"locale": "en-US"})
    assert "4 €4.80 ¥5 4,800 KWD" in text_of(answer)


def test_totals_and_subtotals_of_both_formats(secret: ApiClient) -> None:
    table = TABLE | {
        "title": "Orders {{no}}",
        "groupBy": [
            {"key": "city", "title": "{{group.value}} ({{group.count}})", "label": "Sum {{group.value}}"}
        ],
        "totalsLabel": "All",
        "sheet": {"name": "Sheet {{no}}"},
    }
    data = {"items": ITEMS, "no": 7}
    template_id = secret.published(sections=[table])
    shown = text_of(secret.render(template_id, data, format="pdf"))
    for part in ("Orders 7", "Vienna (2)", "Sum Vienna 4", "Graz (1)", "Sum Graz 40", "All 44"):
        assert part in shown
    answer = secret.render(template_id, data, format="xlsx")
    sheet = workbook_of(answer)["Sheet 7"]
    formulas = [
        row[1].value for row in sheet.iter_rows() if isinstance(row[1].value, str) and "SUB" in row[1].value
    ]
    assert len(formulas) == 3
    stored = openpyxl.load_workbook(BytesIO(content_of(answer)), data_only=True)["Sheet 7"]
    amounts = {row[0].value: row[1].value for row in stored.iter_rows()}
    assert (amounts["Sum Vienna"], amounts["Sum Graz"], amounts["All"]) == (4, 40, 44)


@pytest.mark.parametrize("items", [[], [{"name": "Pen"}], None])
def test_a_sum_of_nothing_is_zero(items: Any, secret: ApiClient) -> None:
    table = TABLE | {"totalsLabel": "All", "emptyText": "Nothing sold"}
    computed = {"name": "due", "type": "currency", "value": "sum(items.price)"}
    listed = {"name": "items", "type": "list"}
    template_id = secret.published(
        sections=[table, text("Due: {{due}}.")], variables=[listed, computed], page={"currency": "EUR"}
    )
    shown = text_of(secret.render(template_id, {"items": items}, format="pdf"))
    assert "Due: €0.00." in shown
    assert ("All 0" if items else "Nothing sold") in shown
    answer = secret.render(template_id, {"items": items}, format="xlsx")
    stored = openpyxl.load_workbook(BytesIO(content_of(answer)), data_only=True).worksheets[0]
    totals = [row[1].value for row in stored.iter_rows() if row[0].value == "All"]
    assert totals == ([0] if items else [])


def test_a_cell_with_a_text_of_its_own_keeps_its_value_in_a_worksheet(secret: ApiClient) -> None:
    table = {
        "type": "table",
        "source": "items",
        "columns": [
            {"content": "**{{item.name}}**"},
            {"key": "price", "content": "*{{item.price|currency}}*", "format": "currency", "total": "sum"},
            {"key": "twice", "value": "price * 2", "content": "{{item.price}} twice"},
            {"value": "price * 3", "content": "{{item.price}} thrice"},
        ],
    }
    data = {"items": [{"name": "Pen", "price": 1.5}, {"name": "Ink", "price": 2}]}
    template_id = secret.published(sections=[table])
    assert "Pen $1.50" in text_of(secret.render(template_id, data))
    answer = secret.render(template_id, data, format="xlsx")
    rows = list(workbook_of(answer).active.iter_rows(values_only=True))
    assert rows[1] == ("Pen", 1.5, "=B2*2", "=B2*3")
    assert rows[3][1] == "=SUBTOTAL(109,B2:B3)"
    stored = openpyxl.load_workbook(BytesIO(content_of(answer)), data_only=True).active
    assert list(stored.iter_rows(min_row=2, values_only=True)) == [
        ("Pen", 1.5, 3, 4.5),
        ("Ink", 2, 4, 6),
        (None, 3.5, None, None),
    ]


@pytest.mark.parametrize(
    ("data", "errors"),
    [
        ({"items": 5}, {"data.items": "must be a list"}),
        ({"items": [{}, 3]}, {"data.items[1]": "must be an object"}),
        ({"items": [{"name": {"a": 1}}]}, {"data.items[0].name": "must be a single value, not an object"}),
    ],
)
def test_rows_that_are_none(data: dict[str, Any], errors: dict[str, str], secret: ApiClient) -> None:
    assert errors_of(rendered(secret, TABLE, data=data)) == errors


# ---------------------------------------------------------------- fonts and images


def test_a_font_of_the_organization(acme: Organization, secret: ApiClient, globex: ApiClient) -> None:
    content = (FONTS / "SourceCodePro-Regular.ttf").read_bytes()
    font = upload_asset(organization=acme, name="Own.ttf", content=content, actor="system")
    page = {"theme": {"font": {"regular": font.pk}}}
    reader = pdf_of(rendered(secret, text("Own letters"), page=page))
    fonts = [entry.get_object()["/BaseFont"] for entry in reader.pages[0]["/Resources"]["/Font"].values()]
    assert any("SourceCodePro" in name for name in fonts)
    assert "Own letters" in reader.pages[0].extract_text()
    field = "page.theme.font.regular"
    assert errors_of(rendered(globex, text("x"), page=page)) == {field: "must be the id of a font asset"}
    upload = upload_asset(organization=acme, name="a.svg", content=SVG, actor="system")
    page = {"theme": {"font": {"regular": upload.pk}}}
    assert errors_of(rendered(secret, text("x"), page=page)) == {field: "must be the id of a font asset"}


def test_images_of_each_sort(acme: Organization, secret: ApiClient, globex: ApiClient) -> None:
    webp = BytesIO()
    Image.new("RGB", (8, 8), "teal").save(webp, "WEBP")
    ids = [
        upload_asset(organization=acme, name=name, content=content, actor="system").pk
        for name, content in (("a.svg", SVG), ("b.webp", webp.getvalue()))
    ]
    section = {
        "type": "image",
        "source": "{{logo}}",
        "width": 20,
        "height": 20,
        "mode": "cover",
        "alt": "Logo",
    }
    template_id = secret.published(sections=[section])
    for asset_id in ids:
        assert secret.render(template_id, {"logo": asset_id}).status_code == 200
    for reference in (
        ids[0],
        "/etc/passwd",
        "file:///etc/passwd",
        "https://example.com/a.png",
        "data:text/html,x",
    ):
        answer = rendered(globex, section, data={"logo": reference})
        assert list(errors_of(answer)) == ["data.logo"]


# ---------------------------------------------------------------- page


def test_a_password_from_the_data(secret: ApiClient) -> None:
    page = {
        "protection": {"userPassword": "{{born|date:ddMMyyyy}}", "ownerPassword": "owner", "allowCopy": False}
    }
    template_id = secret.published(sections=[text("Private")], page=page)
    reader = pdf_of(secret.render(template_id, {"born": "1990-04-09"}))
    assert reader.is_encrypted
    assert not reader.decrypt("wrong")
    assert reader.decrypt("09041990")
    assert reader.pages[0].extract_text().strip() == "Private"
    errors = errors_of(secret.render(template_id, {}))
    assert errors == {"page.protection.userPassword": "is empty: the data does not give it"}


def test_headers_of_sections_and_what_else_a_page_has(secret: ApiClient) -> None:
    page = {
        "size": {"width": 120, "height": 100},
        "header": {"sections": [text("Page {{page.number}} of {{page.count}}, {{a}}", align="right")]},
        "firstHeader": {"left": "First {{page.number}}"},
        "firstFooter": None,
        "footer": {"center": "Foot {{a}}"},
        "watermark": {"text": "DRAFT {{a}}"},
        "firstBackground": "{{paper}}",
        "title": "Title {{a}}",
        "author": "Author {{a}}",
        "theme": {"size": 12, "colors": {"ink": "#101010"}, "headings": {"1": {"size": 30}}},
    }
    sections = [text("one"), {"type": "page_break"}, text("two")]
    paper = "data:image/png;base64," + base64.b64encode(plain_png((21, 30))).decode()
    reader = pdf_of(rendered(secret, *sections, data={"a": "A", "paper": paper}, page=page))
    drawn = [sheet.get_contents() for sheet in reader.pages]
    assert [content is not None and b" Do" in content.get_data() for content in drawn] == [True, False]
    first, second = (" ".join(sheet.extract_text().split()) for sheet in reader.pages)
    assert "First 1" in first
    assert "Foot" not in first
    assert "Page 2 of 2, A" in second
    assert "Foot A" in second
    assert reader.metadata is not None
    assert (reader.metadata.title, reader.metadata.author) == ("Title A", "Author A")
