"""Themes: what is not given is the house style, in proportion."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime
from typing import Any

import pytest
from pydantic import ValidationError

from rendering.resolve import resolve
from templates_app.content import Content
from templates_app.resolved import FontFamily, Theme
from templates_app.scope import ResolveError
from templates_app.theme import HOUSE, ThemeSettings


def load(reference: str) -> bytes:
    if reference == "ast_bad":
        raise ValueError("must be the id of a font asset")
    return reference.encode()


def theme(given: dict[str, Any]) -> Theme:
    return ThemeSettings.model_validate(given).resolve(load)


def test_nothing_given_is_the_house_style() -> None:
    assert theme({}) == HOUSE == Theme()


def test_colours_reach_the_headings() -> None:
    made = theme({"colors": {"accent": "#aa0000", "ink": "#000000", "ruleStrong": "#111111"}})
    assert (made.accent, made.ink, made.muted, made.rule_strong) == (
        "#aa0000",
        "#000000",
        HOUSE.muted,
        "#111111",
    )
    assert [made.headings[level].color for level in (1, 2, 3, 4, 5, 6)] == [
        "#000000", "#aa0000", "#000000", "#aa0000", "#000000", HOUSE.muted,
    ]  # fmt: skip


def test_headings_grow_with_the_text() -> None:
    made = theme({"size": 20, "leading": 1.2, "spacing": 2, "headings": {"2": {"size": 18, "bold": False}}})
    assert (made.size, made.leading, made.spacing) == (20, 1.2, 2)
    assert made.headings[1] == replace(HOUSE.headings[1], size=48, before=44, after=20)
    assert (made.headings[2].size, made.headings[2].bold, made.headings[2].before) == (18, False, 40)


def test_fonts_are_loaded_by_their_assets() -> None:
    made = theme({"font": {"regular": "ast_1", "boldItalic": "ast_2", "name": "Mine"}, "size": 11})
    assert made.font == FontFamily("Mine", b"ast_1", None, None, b"ast_2")
    assert (made.heading_font, made.size) == (None, 11)


@pytest.mark.parametrize(
    "wrong",
    [
        {"font": {}},
        {"font": {"regular": "../x"}},
        {"font": {"regular": "a", "thin": "b"}},
        {"headings": {"7": {}}},
        {"colors": {"ink": "red"}},
        {"colours": {}},
        {"size": 0},
    ],
)
def test_what_is_refused(wrong: dict[str, Any]) -> None:
    with pytest.raises(ValidationError):
        ThemeSettings.model_validate(wrong)


def test_a_font_that_cannot_be_used_is_named() -> None:
    def resolved(given: dict[str, Any], **more: Any) -> Theme:
        content = Content("n", "", ["pdf"], [{"type": "divider"}], [], {"theme": given}, {})
        moment = datetime(2026, 1, 1, tzinfo=UTC)
        return resolve(content, {}, load_image=lambda _: None, created_at=moment, **more).theme  # type: ignore[arg-type, return-value]

    fonts = {"font": {"regular": "ast_1", "bold": "ast_bad"}}
    with pytest.raises(ResolveError) as caught:
        resolved(fonts, load_font=load)
    assert caught.value.errors == {"page.theme.font.bold": "must be the id of a font asset"}
    with pytest.raises(ResolveError):
        resolved({"headingFont": {"regular": "ast_1"}})
    assert resolved({"size": 12}).size == 12
