"""Page settings."""

from __future__ import annotations

from typing import Any

import pytest
from pydantic import ValidationError

from config.api.errors import from_pydantic
from templates_app.page import SIZES, PageSettings


def errors_of(value: Any) -> dict[str, str]:
    with pytest.raises(ValidationError) as caught:
        PageSettings.model_validate(value)
    return from_pydantic(caught.value)


def test_defaults() -> None:
    page = PageSettings.model_validate({})
    assert page.paper() == (210, 297)
    assert (page.margins.top, page.header, page.footer) == (20, None, None)
    assert (page.style().locale, page.style().timezone, page.style().currency) == ("en_US", "UTC", "USD")


@pytest.mark.parametrize("size", sorted(SIZES))
def test_sizes(size: str) -> None:
    width, height = PageSettings.model_validate({"size": size}).paper()
    assert width < height
    assert PageSettings.model_validate({"size": size, "orientation": "landscape"}).paper() == (height, width)


def test_any_other_paper() -> None:
    assert PageSettings.model_validate({"size": {"width": 100, "height": 60}}).paper() == (100, 60)


@pytest.mark.parametrize(
    ("locale", "currency"),
    [("de-AT", "EUR"), ("en-GB", "GBP"), ("ja_JP", "JPY"), ("de", "USD"), ("de-CH", "CHF")],
)
def test_the_currency_is_the_countrys(locale: str, currency: str) -> None:
    assert PageSettings.model_validate({"locale": locale}).style().currency == currency
    assert PageSettings.model_validate({"locale": locale, "currency": "NOK"}).style().currency == "NOK"


@pytest.mark.parametrize(
    ("value", "field", "part"),
    [
        ({"size": "A9"}, "size", "must be one of"),
        ({"size": 5}, "size", "must be one of"),
        ({"size": {"width": 1, "height": 100}}, "size", "width must be at least 20"),
        ({"size": {"width": 100}}, "size", "height required"),
        ({"size": {"width": 100, "height": 100, "x": 1}}, "size", "x unknown field"),
        ({"orientation": "sideways"}, "orientation", 'must be "portrait" or "landscape"'),
        ({"margins": {"top": -1}}, "margins.top", "must be at least 0"),
        ({"margins": {"left": 100, "right": 105}}, "body", "no room for content"),
        ({"margins": {"top": 200, "bottom": 95}}, "body", "no room for content"),
        ({"header": {"middle": "x"}}, "header.middle", "unknown field"),
        ({"footer": {"left": "x" * 1001}}, "footer.left", "at most 1000"),
        ({"theme": {"headings": {"7": {}}}}, "theme.headings.7", 'must be "1", "2"'),
        ({"locale": "xx-YY"}, "locale", "use a name such as"),
        ({"timezone": "Europe/Wien"}, "timezone", "use a name such as"),
        ({"timezone": "../etc/passwd"}, "timezone", "unknown time zone"),
        ({"timezone": ""}, "timezone", "unknown time zone"),
        ({"currency": "EURO"}, "currency", "ISO 4217"),
        ({"colour": 1}, "colour", "unknown field"),
        ({"header": {"left": "a", "sections": [{"type": "divider"}]}}, "header", "either sections or left"),
        ({"header": {"sections": [{"type": "page_break"}]}}, "header.sections", "page_break"),
        (
            {"footer": {"sections": [{"type": "box", "sections": [{"type": "table_of_contents"}]}]}},
            "footer.sections",
            "table_of_contents",
        ),
        ({"footer": {"sections": [{"type": "divider"}] * 21}}, "footer.sections", "at most 20"),
        ({"watermark": {}}, "watermark", "either text or image"),
        ({"watermark": {"text": "a", "image": "b"}}, "watermark", "either text or image"),
        ({"watermark": {"text": "a", "opacity": 2}}, "watermark.opacity", "at most 1"),
        ({"language": "a language"}, "language", ""),
        ({"protection": {"allowAll": True}}, "protection.allowAll", "unknown field"),
        ({"theme": {"size": 1}}, "theme.size", "at least 4"),
        ({"archivable": True, "protection": {}}, "protection", "not together with archivable"),
    ],
)
def test_what_is_refused(value: Any, field: str, part: str) -> None:
    errors = errors_of(value)
    assert list(errors) == [field]
    assert part in errors[field]
