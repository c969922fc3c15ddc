"""What is wrong with a template is said with its place."""

from __future__ import annotations

from typing import Any

import pytest

from accounts.models import Organization
from tests.api.sections import CHART, TABLE, barcode, text
from tests.api.tools import assert_refused, errors_of
from tests.conftest import ApiClient
from tests.factories import TemplateFactory

# ---------------------------------------------------------------- broken expressions


BROKEN = "{{ broken }}"
REASON = (
    "is not a valid expression: write one name without spaces, such as {{invoice_number}}, "
    "or \\{{ for literal braces"
)


@pytest.mark.parametrize(
    "section",
    [
        {"type": "group", "sections": [{"type": "columns", "columns": [{"sections": [text(BROKEN)]}]}]},
        {"type": "list", "items": ["a", {"content": "b", "items": [BROKEN]}]},
        TABLE | {"columns": [{"content": BROKEN}]},
        TABLE | {"columns": [{"key": "a", "link": BROKEN}]},
        TABLE | {"columns": [{"key": "a", "headGroup": BROKEN}]},
        TABLE | {"groupBy": [{"key": "a", "title": BROKEN}]},
        TABLE | {"sheet": {"name": BROKEN}},
        CHART | {"category": BROKEN},
        CHART | {"series": [{"key": "a", "name": BROKEN}]},
        barcode("ean13", BROKEN),
        {"type": "signature", "signers": [{"date": BROKEN}]},
        {"type": "box", "sections": BROKEN},
        text("x", showIf={"field": BROKEN}),
        {"type": "nothing", BROKEN: 1},
    ],
)
def test_a_broken_expression_is_named_wherever_it_stands(section: dict[str, Any], secret: ApiClient) -> None:
    body = {"name": "", "formats": 5, "sections": [text("ok"), section]}
    assert_refused(secret.post("/v1/templates", body), 400, f'Section 2: "{BROKEN}" {REASON}')


@pytest.mark.parametrize(
    "page",
    [
        {"header": {"sections": [text("x"), {"type": "box", "sections": [text(BROKEN)]}]}},
        {"footer": {"center": BROKEN}},
        {"firstHeader": {"left": BROKEN}},
        {"watermark": {"text": BROKEN}},
        {"background": BROKEN},
        {"title": BROKEN},
        {"protection": {"ownerPassword": BROKEN}},
    ],
)
def test_and_so_it_is_in_the_page(page: dict[str, Any], acme: Organization, secret: ApiClient) -> None:
    (place,) = page
    answer = secret.post("/v1/templates", {"name": 5, "sections": [text("ok")], "page": page})
    assert_refused(answer, 400, f'Page {place}: "{BROKEN}" {REASON}')
    stored = TemplateFactory(organization=acme, published=True, page=page)
    message = secret.render(stored.pk, {}).json()["message"]
    assert message.startswith("Template contains an invalid {{...}} expression (")
    assert BROKEN in message


# ---------------------------------------------------------------- errors of the template's shape


@pytest.mark.parametrize(
    ("section", "field"),
    [
        ({"type": "group", "source": "items", "sections": [text("x", colour="red")]}, "sections[0].colour"),
        ({"type": "box", "sections": []}, ""),
        (TABLE | {"columns": [{"value": "1 +"}]}, "columns[0].value"),
        (TABLE | {"columns": [{"header": "x"}]}, "columns[0].key"),
        (TABLE | {"groupBy": [{"key": "a b"}]}, "groupBy[0].key"),
        (CHART | {"series": [{"name": "x"}]}, "series[0]"),
        (TABLE | {"carryForward": {"brougth": "x"}}, "sections[0].carryForward.brougth"),
        (TABLE | {"carryForward": "yes"}, "sections[0].carryForward"),
        (text("x", showIf={"field": "a"}), "showIf"),
        (barcode("ean14"), "symbology"),
    ],
)
def test_a_misshapen_section_names_the_field(section: dict[str, Any], field: str, secret: ApiClient) -> None:
    answer = secret.post("/v1/templates", {"name": "x", "formats": ["pdf"], "sections": [section]})
    (found,) = errors_of(answer)
    assert found.startswith("sections[0]")
    assert field in found
