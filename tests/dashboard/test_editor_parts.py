"""The pure parts of the editor: forms from kinds, sample data from variables, places of errors, sheets."""

from __future__ import annotations

import json
import pathlib
from collections.abc import Iterator
from datetime import UTC, datetime
from typing import Annotated, Any, ClassVar, Literal

import pytest
from PIL import ImageColor

import dashboard
from config.api.errors import ApiError
from config.api.models import Field
from dashboard.demo import TEMPLATES
from dashboard.editor.catalogue import catalogue
from dashboard.editor.forms import Form, form_of, kind_forms, page_form
from dashboard.editor.kinds import KIND_FORMS
from dashboard.editor.overrides import ANY_FIELD, PAGE_FIELDS
from dashboard.editor.problems import MOST_OF_A_TEXT, problems_of
from dashboard.editor.samples import sample_data
from dashboard.pictures.sheets import RIM, _face, sheet_image
from rendering.engine import check_content
from rendering.preview_sheets import sheets_of
from rendering.resolve import resolve
from templates_app.bodies import TemplateCreate, parse_body
from templates_app.content import Content
from templates_app.kinds import KINDS
from templates_app.kinds.base import Color, Path, Section, Text
from templates_app.services import complete_variables

CONTROLS = {
    "text", "number", "switch", "choice", "color", "name", "suggest", "locale", "width", "json", "formula",
    "path", "format", "list", "grid", "entries", "condition", "object", "paper", "carry", "headings", "font",
    "image", "sections",
}  # fmt: skip


def fields_of(form: Form, place: str = "") -> Iterator[tuple[str, dict[str, Any]]]:
    for field in form:
        yield f"{place}.{field['name']}", field
        yield from fields_of(field.get("fields", []), f"{place}.{field['name']}")


ALL = [(place, field) for kind in kind_forms() for place, field in fields_of(kind["fields"], kind["type"])]
PAGE = list(fields_of(page_form(), "page"))


def content_of(body: dict[str, Any]) -> Content:
    return Content(
        name=body.get("name", "Test"),
        description="",
        formats=body.get("formats", ["pdf", "xlsx"]),
        sections=body["sections"],
        variables=body.get("variables", []),
        page=body.get("page", {}),
        sample_data={},
    )


def test_every_kind_has_a_form_and_a_valid_start() -> None:
    assert {kind["type"] for kind in kind_forms()} == set(KINDS)
    for kind in kind_forms():
        parse_body(TemplateCreate, {"name": "x", "formats": ["pdf"], "sections": [kind["starter"]]})


def test_every_field_has_a_control_that_the_editor_draws() -> None:
    assert {field["control"] for _, field in ALL + PAGE} <= CONTROLS
    # What no control fits would be asked for as JSON.
    assert [place for place, field in ALL + PAGE if field["control"] == "json"] == []


def test_a_form_says_what_the_model_says() -> None:
    fields = dict(ALL)
    assert (
        fields["heading.level"] | {"min": 1, "max": 6, "default": 1, "whole": True} == fields["heading.level"]
    )
    assert [option["value"] for option in fields["text.align"]["options"]] == [
        "left",
        "center",
        "right",
        "justify",
        "end",
    ]
    assert fields["spacer.height"]["unit"] == "mm"
    assert fields["text.color"] | {"control": "color", "nullable": True} == fields["text.color"]
    assert fields["table.source"]["required"]
    assert fields["signature.signers"]["most"] == 20
    assert fields["group.as"]["default"] == "item"


def test_a_kind_that_nobody_described_has_a_form() -> None:
    class StampSection(Section):
        """A stamp."""

        kind_label: ClassVar[str] = "Stamp"
        type: Literal["stamp"]
        label: Text = Field(description="On the stamp.")
        each: Text = Field(default="", description="Of an entry.", examples=["{{item.name}}"])
        source: Path = Field(description="Whose.")
        ring_color: Color | None = None
        angle: float = Field(default=10, ge=0, le=90, description="Degrees.")
        shape: Literal["round", "square"] = "round"
        copies: Annotated[list[str], Field(max_length=3)] = []

    found = {field["name"]: field for field in form_of(StampSection, "stamp")}
    assert {name: field["control"] for name, field in found.items() if name != "type"} == {
        "label": "text", "each": "text", "source": "path", "ringColor": "color", "angle": "number",
        "shape": "choice", "copies": "json", "showIf": "condition",
    }  # fmt: skip
    assert [name for name, field in found.items() if field.get("row")] == ["each"]
    assert found["source"]["of"] == "list"
    assert found["ringColor"]["label"] == "Ring color"
    assert found["angle"]["unit"] == "°"


def test_what_is_said_by_hand_is_said_of_what_exists() -> None:
    places = {place for place, _ in ALL + PAGE}
    by_kind = {f"{kind}.{place}" for kind, form in KIND_FORMS.items() for place in form.fields}
    said = by_kind | {f"page.{place}" for place in PAGE_FIELDS}
    assert said - places == set(), "the models have no such fields"
    assert set(ANY_FIELD) <= {field["name"] for _, field in ALL + PAGE}
    assert set(KIND_FORMS) <= set(KINDS)
    icons = {path.stem for path in pathlib.Path(dashboard.__file__).with_name("icons").iterdir()}
    assert {form.icon for form in KIND_FORMS.values()} - icons == set(), (
        "an empty file there, then make vendor"
    )


def test_the_catalogue_is_json() -> None:
    assert json.loads(json.dumps(catalogue())) == catalogue()
    assert "EUR" in catalogue()["suggestions"]["currencies"]
    assert "DEM" not in catalogue()["suggestions"]["currencies"]


# ---------------------------------------------------------------- sample data


@pytest.mark.parametrize("demo", TEMPLATES, ids=lambda demo: demo.slug)
def test_made_data_fits_its_variables(demo: Any) -> None:
    content = content_of(dict(demo.body))
    made = sample_data(complete_variables(content))
    check_content(content, made)
    assert made == sample_data(complete_variables(content))


def test_made_data_is_plausible() -> None:
    content = content_of(
        {
            "sections": [
                {"type": "text", "content": "{{customer.name}} {{customer.email}} {{issued}}"},
                {"type": "text", "content": "{{total|currency}} {{vat_rate}}"},
                {"type": "table", "source": "items", "columns": [
                    {"key": "name"}, {"key": "quantity"}, {"key": "price"},
                ]},
            ],
            "variables": [
                {"name": "sum", "type": "number", "value": "sum(items.price)"},
                {"name": "country", "type": "string", "default": "AT"},
            ],
        }
    )  # fmt: skip
    made = sample_data(complete_variables(content))
    assert (
        made["customer"] == {"name": "Desk lamp", "email": "anna.berger@example.com"}
        or "@" in made["customer"]["email"]
    )
    assert made["issued"] == "2026-03-02"
    assert isinstance(made["total"], (int, float))
    assert made["vat_rate"] == 0.2
    assert [set(row) for row in made["items"]] == [{"name", "quantity", "price"}] * 3
    assert "sum" not in made
    assert "country" not in made


def test_the_parties_of_a_contract_are_two() -> None:
    text = "{{client.name}} {{provider.name}} {{notice_months}}"
    made = sample_data(complete_variables(content_of({"sections": [{"type": "text", "content": text}]})))
    assert made["client"] == {"name": "Berger & Co"}
    assert made["provider"] == {"name": "Huber Trading"}
    assert made["notice_months"] == 12


# ---------------------------------------------------------------- places of errors


def test_every_broken_expression_is_found_at_its_field() -> None:
    body = {
        "sections": [
            {"type": "text", "content": "{{ok}}"},
            {"type": "columns", "columns": [{"sections": [{"type": "text", "content": "{{ no }}"}]}]},
            {
                "type": "table",
                "source": "items",
                "columns": [{"key": "a"}, {"key": "b", "header": "{{x|nope}}"}],
            },
        ],
        "page": {"footer": {"left": "{{"}},
    }
    found = {problem["field"]: problem["message"] for problem in problems_of(ApiError(400, "first"), body)}
    assert list(found) == [
        "sections[1].columns[0].sections[0].content", "sections[2].columns[1].header", "page.footer.left",
    ]  # fmt: skip
    assert found["page.footer.left"].startswith('"{{" is not a valid expression')


def test_every_broken_expression_of_a_text_is_told() -> None:
    text = "{{a b}} {{fine}} {{date|datum}} \\{{ {{a b}} {{never closed"
    body = {"sections": [{"type": "text", "content": text}]}
    found = problems_of(ApiError(400, "first"), body)
    assert [problem["expression"] for problem in found] == ["{{a b}}", "{{date|datum}}", "{{never closed"]
    assert {problem["field"] for problem in found} == {"sections[0].content"}
    # A page of code in one text does not hide what is wrong elsewhere.
    body["sections"][0]["content"] = " ".join(f"{{{{{n} }}}}" for n in range(500))
    body["sections"].append({"type": "text", "content": "{{ x }}"})
    fields = [problem["field"] for problem in problems_of(ApiError(400, "first"), body)]
    assert fields == ["sections[0].content"] * MOST_OF_A_TEXT + ["sections[1].content"]


def test_a_refusal_without_a_place_is_shown_as_it_is() -> None:
    refusal = ApiError(400, "No table sections found")
    assert problems_of(refusal, {}) == [{"field": "", "message": "No table sections found"}]
    named = ApiError(400, "x", errors={"data.items[0].price": "must be a number"})
    assert problems_of(named, {}) == [{"field": "data.items[0].price", "message": "must be a number"}]


# ---------------------------------------------------------------- sheets


def test_sheets_show_what_the_workbook_holds() -> None:
    content = content_of(
        {
            "sections": [
                {"type": "heading", "content": "Left out"},
                {
                    "type": "box",
                    "sections": [
                        {
                            "type": "table",
                            "source": "rows",
                            "title": "Sales {{year}}",
                            "totalsLabel": "All",
                            "groupBy": [{"key": "city", "label": "Sum {{group.value}}"}],
                            "columns": [
                                {"key": "city", "header": "City"},
                                {
                                    "key": "amount",
                                    "header": "Amount",
                                    "format": "currency:EUR",
                                    "total": "sum",
                                },
                                {"key": "twice", "value": "amount * 2", "format": "number:1"},
                            ],
                        }
                    ],
                },
                {
                    "type": "table",
                    "source": "none",
                    "language": "ar",
                    "columns": [{"key": "x", "headGroup": "Both"}],
                },
            ]
        }
    )
    data = {
        "year": 2026,
        "rows": [
            {"city": "Graz", "amount": 1.5},
            {"city": "Wien", "amount": 2},
            {"city": "Graz", "amount": 3},
        ],
    }
    resolved = resolve(
        content, check_content(content, data), load_image=lambda _: None, created_at=datetime.now(UTC)
    )  # type: ignore[arg-type, return-value]
    sales, empty = sheets_of(resolved)
    assert (sales["name"], sales["count"]) == ("Sales 2026", 3)
    assert [(column["head"], column["formula"]) for column in sales["columns"]] == [
        ("City", False), ("Amount", False), ("twice", True),
    ]  # fmt: skip
    shown = [(line["kind"], line.get("title") or line["cells"]) for line in sales["lines"]]
    assert shown == [
        ("group", "Graz"),
        ("row", ["Graz", "€1.50", "3.0"]),
        ("row", ["Graz", "€3.00", "6.0"]),
        ("subtotal", ["Sum Graz", "€4.50", ""]),
        ("group", "Wien"),
        ("row", ["Wien", "€2.00", "4.0"]),
        ("subtotal", ["Sum Wien", "€2.00", ""]),
        ("total", ["All", "€6.50", ""]),
    ]
    assert [sheet["mirrored"] for sheet in (sales, empty)] == [False, True]
    assert [column["align"] for column in (sales["columns"][0], empty["columns"][0])] == ["left", "right"]
    assert (empty["name"], empty["lines"], empty["columns"][0]["headGroup"]) == ("Sheet1", [], "Both")


@pytest.mark.parametrize("mirrored", [False, True])
def test_a_picture_of_a_sheet_begins_at_its_side(mirrored: bool) -> None:
    column = {"head": "المنتج", "headGroup": "", "align": "right", "formula": False}
    lines = [{"kind": "row", "cells": ["כיסא"]}]
    sheet = {"name": "שלום", "count": 1, "mirrored": mirrored, "columns": [column], "lines": lines}
    picture = sheet_image([sheet], 400)
    rims = [picture.getpixel((x, 200)) == ImageColor.getrgb(RIM) for x in (3, 396)]
    assert rims == [not mirrored, mirrored]


def test_a_picture_of_a_sheet_has_a_face_for_each_script() -> None:
    texts = ["Item", "Größe", "المنتج", "כיסא", "цена", "商品", "สินค้า"]
    assert [_face(False, text) for text in texts] == [
        *["SourceSans3-Regular"] * 2,
        "IBMPlexSansArabic-Regular",
        "NotoSansHebrew-Regular",
        "SourceSans3-Regular",
        "DroidSansFallback",
        "NotoSansThai-Regular",
    ]
