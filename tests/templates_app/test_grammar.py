"""The expression grammar: parts, exact offending text, and that nothing else is ever raised."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from templates_app.expressions.grammar import (
    Expression,
    InvalidExpression,
    first_invalid,
    parse,
    parse_path,
)
from templates_app.expressions.helpers import HELPERS

PIECES = [
    "{{",
    "}}",
    "{",
    "}",
    "\\",
    "|",
    ":",
    ".",
    " ",
    "a",
    "name",
    "currency",
    "EUR",
    "é",
    "\n",
    "\\{{",
    "{{a}}",
    "-",
]
broken_or_not = st.lists(st.sampled_from(PIECES), max_size=12).map("".join) | st.text(max_size=40)
names = st.from_regex(r"[A-Za-z0-9_-]{1,8}", fullmatch=True)
expressions = st.builds(
    lambda path, helper: "{{" + ".".join(path) + (f"|{helper}" if helper else "") + "}}",
    st.lists(names, min_size=1, max_size=3),
    st.sampled_from([None, "currency", "currency:EUR", "number:2", "upper", "date:long", "yesno:ja,nein"]),
)
json_values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | broken_or_not,
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=5), inner, max_size=4),
    max_leaves=10,
)


@pytest.mark.parametrize(
    ("text", "parts"),
    [
        ("", ()),
        ("plain", ("plain",)),
        ("{{a}}", (Expression("{{a}}", ("a",)),)),
        ("x{{a.b-c.0}}y", ("x", Expression("{{a.b-c.0}}", ("a", "b-c", "0")), "y")),
        ("{{a}}{{b}}", (Expression("{{a}}", ("a",)), Expression("{{b}}", ("b",)))),
        ("{{t|currency}}", (Expression("{{t|currency}}", ("t",), "currency"),)),
        ("{{t|currency:EUR}}", (Expression("{{t|currency:EUR}}", ("t",), "currency", "EUR"),)),
        ("\\{{a}}", ("{{a}}",)),
        ("\\{{ not one }} {{a}}", ("{{ not one }} ", Expression("{{a}}", ("a",)))),
        ("{{a}}\\{{b", (Expression("{{a}}", ("a",)), "{{b")),
        ("a } b }} {c}", ("a } b }} {c}",)),
        ("{{größe}}", (Expression("{{größe}}", ("größe",)),)),
    ],
)
def test_parts(text: str, parts: tuple[Any, ...]) -> None:
    assert parse(text) == parts


@pytest.mark.parametrize(
    ("text", "quoted", "reason"),
    [
        ("a {{ b }} c", "{{ b }}", "without spaces"),
        ("{{a b}}", "{{a b}}", "without spaces"),
        ("{{a|date:MMMM yyyy}}", "{{a|date:MMMM yyyy}}", 'declare "a" with the format "date:MMMM yyyy"'),
        ("{{a|yesno:paid,not paid}}", "{{a|yesno:paid,not paid}}", "as in {{a|yesno:paid,open}}"),
        ("{{a|number: 2}}", "{{a|number: 2}}", "as in {{a|number:2}}"),
        ("{{a | number:2}}", "{{a | number:2}}", "without spaces"),
        ("{{a|shout:a b}}", "{{a|shout:a b}}", "without spaces"),
        ("{{a\n}}", "{{a\n}}", "without spaces"),
        ("{{a\u00a0}}", "{{a\u00a0}}", "without spaces"),
        ("{{}}", "{{}}", "names no variable"),
        ("{{a", "{{a", "not closed"),
        ("{{a} }", "{{a} }", "not closed"),
        ("{{a.}}", "{{a.}}", "letters, digits"),
        ("{{.a}}", "{{.a}}", "letters, digits"),
        ("{{a+b}}", "{{a+b}}", "letters, digits"),
        ("{{a|shout}}", "{{a|shout}}", 'unknown helper "shout"'),
        ("{{a|}}", "{{a|}}", "unknown helper"),
        ("{{a|upper|lower}}", "{{a|upper|lower}}", "takes one helper"),
        ("{{a|upper:x}}", "{{a|upper:x}}", "takes no argument"),
        ("{{a|currency:euro}}", "{{a|currency:euro}}", "currency:EUR"),
        ("{{a|currency:}}", "{{a|currency:}}", "cannot use the argument"),
        ("{{a|number:2|upper}}", "{{a|number:2|upper}}", "one helper"),
        ("{{ok}} {{no no}} {{also no}}", "{{no no}}", "without spaces"),
        ("{{{a}}}", "{{{a}}}", "letters, digits"),
    ],
)
def test_what_is_no_expression(text: str, quoted: str, reason: str) -> None:
    with pytest.raises(InvalidExpression) as caught:
        parse(text)
    assert caught.value.expression == quoted
    assert str(caught.value).startswith(f'"{quoted}" is not a valid expression: ')
    assert reason in caught.value.reason


def test_a_long_expression_is_quoted_short() -> None:
    with pytest.raises(InvalidExpression) as caught:
        parse("{{" + "x " * 10_000 + "}}")
    assert len(str(caught.value)) < 2200


@given(broken_or_not)
@example("{{" * 1000)
@example("\\" * 5 + "{{")
def test_parsing_raises_nothing_else(text: str) -> None:
    try:
        parts = parse(text)
    except InvalidExpression:
        return
    assert all(part != "" for part in parts)


@given(st.lists(st.text(alphabet="ab \n}é", max_size=5) | expressions, max_size=6))
def test_parts_joined_are_the_text(pieces: list[str]) -> None:
    text = "".join(pieces)
    parts = parse(text)
    assert "".join(part if isinstance(part, str) else part.source for part in parts) == text
    assert sum(isinstance(part, Expression) for part in parts) == sum("{{" in piece for piece in pieces)


@given(st.text(max_size=30))
def test_text_without_braces_is_one_literal(text: str) -> None:
    text = text.replace("{", "")
    assert parse(text) == ((text,) if text else ())


@given(st.lists(names, min_size=1, max_size=4))
def test_a_path_is_what_its_dots_part(path: list[str]) -> None:
    assert parse_path(".".join(path)) == tuple(path)


@pytest.mark.parametrize("text", ["", ".", "a.", "a b", "a/b", "a..b", "a\n", "{{a}}"])
def test_what_is_no_path(text: str) -> None:
    with pytest.raises(ValueError, match="dotted path such as customer.name, without braces"):
        parse_path(text)


@given(json_values)
def test_any_value_can_be_searched(value: Any) -> None:
    found = first_invalid(value)
    assert found is None or isinstance(found, InvalidExpression)


def test_the_first_one_in_document_order_is_found() -> None:
    value = {"a": ["ok {{x}}", {"b": "{{ first }}"}], "c": "{{ second }}", "d": 5, "{{ key }}": None}
    found = first_invalid(value)
    assert found is not None
    assert found.expression == "{{ first }}"


@pytest.mark.parametrize("name", sorted(HELPERS))
def test_every_helper_shows_an_example_that_parses(name: str) -> None:
    [part] = parse(HELPERS[name].example)
    assert isinstance(part, Expression)
    assert part.helper == name
