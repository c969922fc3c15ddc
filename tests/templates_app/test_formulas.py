"""Formulas: the grammar and its errors, exact values, whole columns, and what a spreadsheet gets."""

from __future__ import annotations

from datetime import date, datetime
from decimal import Decimal
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from templates_app.expressions.formulas import InvalidFormula, aggregate, parse_formula
from templates_app.expressions.scalars import result

DATA: dict[str, Any] = {
    "items": [{"qty": 2, "price": 19.99}, {"qty": 3, "price": 0.1}, {"qty": None, "price": 5}, {"qty": 1}],
    "rate": 0.2,
    "none": None,
    "zero": 0,
    "word": "Ada",
    "yes": True,
    "prices": [1, 2.5, None, "x"],
    "due": "2026-11-21",
    "day": date(2026, 11, 1),
    "unit-price": 4,
    "customer": {"rate": 10},
}


def read(path: tuple[str, ...]) -> Any:
    value: Any = DATA
    for index, name in enumerate(path):
        if name == "[]":
            rest = path[index + 1 :]
            return [entry.get(rest[0]) if rest else entry for entry in value]
        value = value.get(name)
    return value


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("1 + 2 * 3", 7),
        ("(1 + 2) * 3", 9),
        ("0.1 + 0.2", Decimal("0.3")),
        ("0.1 + 0.2 = 0.3", True),
        ("10 - 4 - 3", 3),
        ("100 / 10 / 2", 5),
        ("-rate * -2", Decimal("0.4")),
        ("--2", 2),
        ("1 / 3", Decimal("0.3333333333333333333333333333")),
        ("1 / zero", None),
        ("none * 2", None),
        ("none / 2", None),
        ("2 / none", None),
        ("none + 2", 2),
        ("2 - none", 2),
        ("none - 2", -2),
        ("none + none", None),
        ("word + 1", None),
        ("word * 2", None),
        ("yes * 2", None),
        ("round(2.675, 2)", Decimal("2.68")),
        ("round(-2.5)", -3),
        ("round(1234.5, -2)", 1200),
        ("round(rate, none)", None),
        ("round(none)", None),
        ("abs(-rate)", Decimal("0.2")),
        ("floor(-rate)", -1),
        ("ceil(rate)", 1),
        ("min(3, rate, none)", Decimal("0.2")),
        ("max(3, rate)", 3),
        ("sum(1, 2, none)", 3),
        ("sum(none, word)", 0),
        ("average(1, 2)", Decimal("1.5")),
        ("count(1, none, word)", 2),
        ("sum(items.price)", Decimal("25.09")),
        ("sum(items.qty * items.price)", Decimal("40.28")),
        ("sum(items.qty * items.price * rate)", Decimal("8.056")),
        ("sum(items[].price * customer.rate)", Decimal("250.9")),
        ("average(items.qty)", 2),
        ("count(items)", 4),
        ("count(items.qty)", 3),
        ("max(items.price)", Decimal("19.99")),
        ("min(items.price)", Decimal("0.1")),
        ("sum(prices)", Decimal("3.5")),
        ("sum(if(items.qty > 1, items.price, 0))", Decimal("20.09")),
        ("sum(max(items.qty, 2))", 9),
        ("if(rate > 0, 'a', 'b')", "a"),
        ("if(none, 1, 2)", 2),
        ("if(none, 1)", None),
        ('if(word = "Ada" and not zero, 1, 2)', 1),
        ("zero or word", True),
        ("word = 'ada'", False),
        ("word < 5", False),
        ("none = ''", True),
        ("rate <> 0.2", False),
        ("rate == 0.2", True),
        ("rate >= 0.2 and rate <= 0.2", True),
        ("'a' & 1.50 & none & yes & due", "a1.5true2026-11-21"),
        ('"say ""hi""" & \'it\'\'s\'', 'say "hi"it\'s'),
        ("[unit-price] * 2", 8),
        ("due - day", 20),
        ("due + 9", date(2026, 11, 30)),
        ("due - 20", date(2026, 11, 1)),
        ("due + due", None),
        ("day + 9999999", None),
        ("due > day", True),
        ("IF(TRUE, SUM(1, 2), 0)", 3),
        ("items.price", None),
    ],
)
def test_values(text: str, value: Any) -> None:
    def look(path: tuple[str, ...]) -> Any:
        return None if path == ("items", "price") else read(path)

    found = parse_formula(text).value(look)
    assert found == value
    assert type(found) is type(value)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "at its end: expected a number"),
        ("qty * * price", r'at character 7 \("\* price"\): expected a number'),
        ("a b", "expected an operator"),
        ("a < b < c", 'joined with "and"'),
        ("(a", r'expected "\)" for the "\(" at character 1'),
        ("shout(1)", 'unknown function "shout"; known are abs'),
        ("if(a)", '"if" takes 2 or 3 arguments'),
        ("round(1, 2, 3)", '"round" takes 1 or 2 arguments'),
        ("abs(1, 2)", '"abs" takes 1 argument$'),
        ("a[]", "read by an aggregate"),
        ("max(a[].b, 1)", "read by an aggregate"),
        ("sum(a.b * c.d)", "goes over one list"),
        ("sum(a[].b[].c)", "goes over one list"),
        ("sum(a.b - sum(a.b))", "another aggregate"),
        ("3x", "begins with a digit"),
        ("1.2.3", "a number is written"),
        ("'abc", "not closed"),
        ("[a b]", "unit-price"),
        ("2 ^ 3", "no operator"),
        ("$5", "no meaning"),
        ("1 + and", r"written \[and\]"),
        ("a.b.c.d.e.f.g.h.i.j.k.l.m.n.o.p.q.r.s.t.u", "at most 20 names"),
        ("(" * 60 + "1" + ")" * 60, "nests at most 50"),
        ("-" * 60 + "1", "nests at most 50"),
        ("not " * 60 + "1", "nests at most 50"),
        ("1" * 1001, "at most 1000 characters"),
    ],
)
def test_what_is_no_formula(text: str, message: str) -> None:
    with pytest.raises(InvalidFormula, match=message) as caught:
        parse_formula(text)
    assert len(str(caught.value)) < 500


PIECES = """a b.c 1 2.5 + * / - ( ) sum( , if( = 'x' not and & [] [ " round( max(""".split()  # noqa: SIM905


@given(st.lists(st.sampled_from(PIECES), max_size=15).map(" ".join) | st.text(max_size=30))
def test_any_text_is_a_formula_or_invalid(text: str) -> None:
    try:
        formula = parse_formula(text)
    except InvalidFormula:
        return
    formula.value(lambda path: [1, 2.5, None] if "[]" in path else 3.5)
    formula.column(lambda path: [[1, None], []] if "[]" in path else [1, "x"], 2)
    assert formula.excel(lambda path: "A1") is None or formula.excel(lambda path: "A1")


def test_names() -> None:
    formula = parse_formula("total / sum(total) + sum(parts.price) * customer.rate + total")
    assert formula.names == (("total",), ("total", "[]"), ("parts", "[]", "price"), ("customer", "rate"))
    assert formula.row_names == (("total",), ("parts", "[]", "price"), ("customer", "rate"))
    assert parse_formula("qty * price") is parse_formula("qty * price")


ROWS: dict[tuple[str, ...], list[Any]] = {
    ("qty",): [1, 2, 3],
    ("price",): [19.99, 0.1, 2.5],
    ("gap",): [1, None, "x"],
    ("parts", "[]", "price"): [[1, 2], [], [0.1, 0.2]],
    ("tags", "[]"): [["a", "b"], None, []],
}


@pytest.mark.parametrize(
    ("text", "cells"),
    [
        ("qty * price", [19.99, 0.2, 7.5]),
        ("qty * 2", [2, 4, 6]),
        ("qty * gap", [1, None, None]),
        ("qty + gap", [2, 2, None]),
        ("round(qty * price * 1.19, 2)", [23.79, 0.24, 8.93]),
        ("price / 4", [4.9975, 0.025, 0.625]),
        ("round(price / 3, 2)", [Decimal("6.66"), Decimal("0.03"), Decimal("0.83")]),
        ("if(qty > 1, price, 0)", [0.0, 0.1, 2.5]),
        ("sum(qty * price)", [27.69] * 3),
        ("sum(parts.price)", [3, 0, Decimal("0.3")]),
        ("sum(parts.price) * qty", [3, 0, Decimal("0.9")]),
        ("count(tags[])", [2, 0, 0]),
        ("max(qty, price)", [19.99, 2.0, 3.0]),
        ("max(qty, gap)", [1, 2, 3]),
        ("qty & 'x'", ["1x", "2x", "3x"]),
        ("not (qty = 2)", [True, False, True]),
        ("floor(price) + ceil(price) + abs(-price)", [58.99, 1.1, 7.5]),
        ("5", [5, 5, 5]),
        ("'a'", ["a", "a", "a"]),
        ("gap", [1, None, "x"]),
    ],
)
def test_columns(text: str, cells: list[Any]) -> None:
    found = parse_formula(text).column(ROWS.__getitem__, 3)
    assert found == cells
    assert list(map(type, found)) == list(map(type, cells))


def test_a_share_of_the_whole_column() -> None:
    found = parse_formula("round(price / sum(price), 4)").column(ROWS.__getitem__, 3)
    assert found == [Decimal("0.8849"), Decimal("0.0044"), Decimal("0.1107")]


def test_zero_has_no_sign() -> None:
    rows = {("a",): [-0.0, None], ("b",): [0, -1]}
    assert parse_formula("a & ''").column(rows.__getitem__, 2) == ["0", ""]
    assert parse_formula("a * b & ''").value(lambda path: -0.0 if path == ("a",) else None) == ""
    assert parse_formula("0 * -5 & ''").value(lambda path: None) == "0"


def test_no_rows() -> None:
    assert parse_formula("qty / 0").column(lambda path: [], 0) == []


numbers = st.integers(-(10**6), 10**6) | st.floats(-1e6, 1e6).map(lambda value: round(value, 3))
cells = (
    numbers
    | st.none()
    | st.sampled_from(["", "x", True, 1e300, 5e-324, 10**40, float("nan"), Decimal("1.005")])
)
FORMULAS = [
    "a + b", "a - b", "a * b", "a / b", "-a", "round(a * b, 2)", "a * b / 100", "if(a > b, a, b)",
    "max(a, b)",
    "min(a, b)", "a = b", "a <= b", "floor(a) + ceil(b)", "abs(a - b)",
    "a * b * a * b * a * b", "a & b",
    "a and b", "round(a / b, 2)", "sum(a, b, 1)", "average(a, b)", "a / 8", "a / 3",
]  # fmt: skip


@given(st.sampled_from(FORMULAS), st.lists(st.tuples(cells, cells), min_size=1, max_size=5))
def test_a_column_is_the_values_of_its_rows(text: str, rows: list[tuple[Any, Any]]) -> None:
    formula = parse_formula(text)
    columns = {("a",): [row[0] for row in rows], ("b",): [row[1] for row in rows]}
    found = formula.column(columns.__getitem__, len(rows))
    for row, cell in zip(rows, found, strict=True):
        exact = result(Decimal(repr(cell))) if isinstance(cell, float) else cell
        assert exact == formula.value({("a",): row[0], ("b",): row[1]}.__getitem__)


@given(st.lists(numbers, min_size=1), st.sampled_from(["+", "-", "*"]))
def test_arithmetic_is_exact(values: list[Any], operator: str) -> None:
    found = parse_formula(f"a {operator} a").column(lambda path: values, len(values))
    for value, cell in zip(values, found, strict=True):
        number = Decimal(repr(value))
        expected = {"+": number + number, "-": number - number, "*": number * number}[operator]
        assert Decimal(repr(cell) if isinstance(cell, float) else cell) == expected  # type: ignore[arg-type]


def test_results_stay_small() -> None:
    for text in ("1" + " * 99999999999" * 70, "a" + " * a" * 200):
        found = parse_formula(text).value(lambda path: 1e300)
        assert found is None
    assert parse_formula("a" + " / 9999999" * 90).value(lambda path: 1) == 0
    joined = parse_formula("&".join("a" * 300)).value(lambda path: "x" * 1000)
    assert joined == "x" * 32767
    assert parse_formula("a * 2").value(lambda path: 10**5000) is None


@given(st.lists(numbers | st.none() | st.text(max_size=2), max_size=8))
def test_aggregates(values: list[Any]) -> None:
    exact = [Decimal(repr(value)) for value in values if isinstance(value, (int, float))]
    assert aggregate("sum", values) == sum(exact)
    assert aggregate("min", values) == (min(exact) if exact else None)
    assert aggregate("max", values) == (max(exact) if exact else None)
    assert aggregate("count", values) == sum(value not in {None, ""} for value in values)
    average = aggregate("average", values)
    assert (average is None) is (not exact)
    if average is not None:
        assert abs(Decimal(average) * len(exact) - sum(exact)) < Decimal("1e-15")


def test_a_list_around_the_rows_is_aggregated_once() -> None:
    around, rates = [1, 2, 3], [2] * 15 + [3] * 15
    columns = {("a", "[]", "k"): [around] * 30, ("rate",): rates}
    looks: list[int] = []
    cells = parse_formula("sum(a.k * rate)").column(columns.__getitem__, 30, lambda: looks.append(1))
    assert cells == [12] * 15 + [18] * 15
    assert len(looks) == 4  # two lists, and one operator in each


def test_every_operator_looks_at_the_clock() -> None:
    looks: list[int] = []
    column = parse_formula("a & a & a & a").column(lambda path: ["x"], 1, lambda: looks.append(1))
    assert column == ["xxxx"]
    assert len(looks) == 3


def test_lists_in_rows_are_aggregated_while_there_is_time() -> None:
    lists = [[number] for number in range(30)]
    looks: list[int] = []

    def check_time() -> None:
        looks.append(1)
        if len(looks) == 5:
            raise TimeoutError

    with pytest.raises(TimeoutError):
        parse_formula("sum(parts.price)").column(
            {("parts", "[]", "price"): lists}.__getitem__, 30, check_time
        )


def test_aggregates_of_all_sorts() -> None:
    assert aggregate("sum", [0.1, 0.2]) == Decimal("0.3")
    assert aggregate("sum", [1.5, 0.5]) == 2
    assert type(aggregate("sum", [1.5, 0.5])) is int
    assert aggregate("count", [0, False, None, "", datetime(2026, 1, 1)]) == 3
    assert aggregate("sum", [True, "1", date(2026, 1, 1)]) == 0
