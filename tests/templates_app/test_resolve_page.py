"""The page around the sections: properties, bands, watermark, protection, numbers of headings."""

from __future__ import annotations

from typing import Any

import pytest

from config.api.errors import ApiError
from templates_app.bodies import TemplateCreate, parse_body
from templates_app.resolved import PAGE_COUNT, PAGE_NUMBER, ImageFile, ResolvedBand, Span, Watermark
from templates_app.scope import Numbering, ResolveError
from tests.templates_app.resolving import IMAGE, content, resolved, sections_of


def test_the_document_says_what_it_is() -> None:
    page = {"title": "No. {{n}}", "author": "{{by}}", "subject": "S", "locale": "de-AT", "coverSheet": True}
    document = resolved(content({"type": "divider"}, page=page), {"n": 5, "by": "Ann"})
    assert (document.title, document.author, document.subject) == ("No. 5", "Ann", "S")
    assert (document.language, document.cover_sheet, document.protection) == ("de-AT", True, None)
    plain_one = resolved(content({"type": "divider"}, page={"language": "fr"}), {})
    assert (plain_one.title, plain_one.language) == ("Name", "fr")


def test_bands_of_texts_and_of_sections() -> None:
    numbers = "{{page.number}} of {{page.count}}"
    page = {
        "header": {"left": "**{{co}}**", "right": numbers},
        "footer": {"sections": [{"type": "text", "content": numbers}, {"type": "divider"}], "height": 20},
        "firstHeader": None,
    }
    made = content({"type": "divider"}, page=page)
    found = resolved(made, {"co": "A\ue000"}).page
    assert found.header == ResolvedBand((Span("A", bold=True),), "", "\ue000 of \ue001")
    assert found.footer is not None
    assert [section.kind for section in found.footer.sections] == ["text", "divider"]
    assert (found.footer.sections[0].text, found.footer.height) == ("\ue000 of \ue001", 20)
    assert (found.first_header, found.first_footer) == (ResolvedBand(), None)
    assert [variable.name for variable in made.typed_variables] == ["co"]


@pytest.mark.parametrize("symbology", ["code128", "qr", "pdf417"])
def test_bar_codes_of_bands_may_hold_the_number_of_their_page(symbology: str) -> None:
    code = {"type": "barcode", "symbology": symbology, "value": "{{id}}-{{page.number}}/{{page.count}}"}
    made = content({"type": "divider"}, page={"footer": {"sections": [code]}})
    footer = resolved(made, {"id": "A7"}).page.footer
    assert footer is not None
    assert footer.sections[0].value == f"A7-{PAGE_NUMBER}/{PAGE_COUNT}"
    if symbology == "code128":
        with pytest.raises(ResolveError) as caught:
            resolved(made, {"id": "中"})
        assert list(caught.value.errors) == ["page.footer.sections[0].value"]


def test_watermark_background_and_protection() -> None:
    page = {
        "watermark": {"text": "{{state}}", "opacity": 0.5},
        "background": "ast_1",
        "protection": {"userPassword": "{{born|date:ddMMyyyy}}", "allowCopy": False},
    }
    made = content({"type": "divider"}, page=page)
    document = resolved(made, {"state": "DRAFT", "born": "2000-02-03"})
    assert document.page.watermark == Watermark("DRAFT", opacity=0.5)
    assert document.page.background is document.page.first_background is IMAGE
    assert document.protection is not None
    assert (document.protection.user_password, document.protection.allow_copy) == ("03022000", False)
    assert resolved(made, {"born": "2000-02-03"}).page.watermark is None
    with pytest.raises(ResolveError) as caught:
        resolved(made, {})
    assert list(caught.value.errors) == ["page.protection.userPassword"]


@pytest.mark.parametrize(
    ("page", "data", "first", "rest"),
    [
        ({"firstBackground": "ast_1"}, {}, IMAGE, None),
        ({"background": "ast_1", "firstBackground": None}, {}, None, IMAGE),
        ({"background": "ast_1", "firstBackground": "{{paper}}"}, {}, None, IMAGE),
        ({"firstBackground": "{{paper}}"}, {"paper": "ast_1"}, IMAGE, None),
    ],
)
def test_the_first_page_may_have_a_background_of_its_own(
    page: dict[str, Any], data: dict[str, Any], first: ImageFile | None, rest: ImageFile | None
) -> None:
    made = content({"type": "divider"}, page=page)
    found = resolved(made, data).page
    assert (found.first_background, found.background) == (first, rest)
    declared = [(variable.name, variable.type) for variable in made.typed_variables]
    assert declared == ([("paper", "image")] if "{{paper}}" in page.values() else [])


@pytest.mark.parametrize("name", ["userPassword", "ownerPassword"])
@pytest.mark.parametrize("pin", ["", "\u00ad", "\u200b\ufeff"])
def test_a_password_of_which_nothing_counts_is_none(name: str, pin: str) -> None:
    """A reader leaves out what nobody sees, and would open the document without a question."""
    made = content({"type": "divider"}, page={"protection": {name: "{{pin}}"}})
    with pytest.raises(ResolveError) as caught:
        resolved(made, {"pin": pin})
    assert caught.value.errors == {f"page.protection.{name}": "is empty: the data does not give it"}
    assert resolved(made, {"pin": f"{pin}7"}).protection is not None


def test_headings_are_numbered() -> None:
    levels = [2, 1, 2, 2, 3, 1, 2]
    numbering = Numbering()
    assert [numbering.next(level) for level in levels] == ["1", "1", "1.1", "1.2", "1.2.1", "2", "2.1"]
    headings = [{"type": "heading", "content": "x", "level": level} for level in (1, 2, 2)]
    headings[1]["numbered"] = False
    found = sections_of(*headings, data={}, page={"numberHeadings": True})
    assert [heading.numbered for heading in found] == ["1", "", "1.1"]
    assert sections_of(headings[0], data={})[0].numbered == ""


def test_a_broken_expression_of_the_page_is_named() -> None:
    with pytest.raises(ApiError, match='Page watermark: "{{a b}}"'):
        parse_body(
            TemplateCreate,
            {
                "name": "a",
                "formats": ["pdf"],
                "sections": [{"type": "divider"}],
                "page": {"watermark": {"text": "{{a b}}"}},
            },
        )
