"""Formulas as a spreadsheet writes them: they come to the value beside them, or are none."""

from __future__ import annotations

import pytest

from templates_app.expressions.formulas import parse_formula

CELLS = {("a",): "A2", ("b",): "B2", ("c",): "C2", ("a", "[]"): "$A$2:$A$9", ("b", "[]"): "$B$2:$B$9"}


@pytest.mark.parametrize(
    ("text", "formula"),
    [
        ("a * b", "A2*B2"),
        ("(a + b) * c", "(A2+B2)*C2"),
        ("a - (b - c)", "A2-(B2-C2)"),
        ("a - b - c", "A2-B2-C2"),
        ("-(a + 1.50)", "-(A2+1.50)"),
        ("round(a / 100)", "ROUND(A2/100,0)"),
        ("floor(a) + ceil(b)", "INT(A2)+-INT(-B2)"),
        ("if(a >= 10 and not (b = 1), a, '\"x\"')", 'IF(AND(A2>=10,NOT(B2=1)),A2,"""x""")'),
        ("if(a <> b, 1)", 'IF(A2<>B2,1,"")'),
        ("a = 'x'", 'EXACT(A2,"x")'),
        ("'x' != a", 'NOT(EXACT("x",A2))'),
        ("a & 'x' & b", 'A2&"x"&B2'),
        ("max(a, b, 0)", "MAX(A2,B2,0)"),
        ("a / sum(a)", "A2/SUM($A$2:$A$9)"),
        ("count(a)", "COUNTA($A$2:$A$9)"),
        ("sum(a * b)", "SUMPRODUCT($A$2:$A$9*$B$2:$B$9)"),
        ("max(a * b)", None),
        ("sum(a.b)", None),
        ("a * missing", None),
        ("if(a, 1, 2)", None),
        ("a and b", None),
        ("true", "TRUE"),
        ("'x'", '"x"'),
        ("'" + "x" * 256 + "'", None),
        ("'" + "😀" * 128 + "'", None),  # Excel counts an emoji as two
        ("'a\nb'", None),
    ],
)
def test_live_formulas(text: str, formula: str | None) -> None:
    assert parse_formula(text).excel(CELLS.get) == formula


@pytest.mark.parametrize(
    ("text", "live"),
    [
        (f"max({','.join(['a'] * 255)})", True),
        (f"max({','.join(['a'] * 256)})", False),
        ("if(c / b != " * 21 + "1" + ", 1, 2)" * 21, True),
        ("if(c / b != " * 22 + "1" + ", 1, 2)" * 22, False),
        (f"if(a = '{'(' * 70}', 1, 2)", True),
    ],
)
def test_live_formulas_keep_to_the_limits_of_excel(text: str, live: bool) -> None:
    """255 arguments, 64 functions within each other: here each `if` has an IFERROR in a NOT inside."""
    assert (parse_formula(text).excel(CELLS.get) is not None) is live


def test_functions_within_functions_are_written_once() -> None:
    """Each of them written twice would take a year."""
    formula = parse_formula("ceil(" * 48 + "a" + ")" * 48)
    assert formula.excel(CELLS.get) == "-INT(--INT(-" * 24 + "A2" + ")" * 48


@pytest.mark.parametrize(
    ("text", "formula"),
    [
        ("a / b", "A2/B2"),
        ("a / 3 + 1", "A2/3+1"),
        ("a / 0 + 1", "IFERROR(A2/0,0)+1"),
        ("1 - a / b", "1-IFERROR(A2/B2,0)"),
        ("(a / b + c) * 2", "(IFERROR(A2/B2,0)+C2)*2"),
        ("c - round(a / b, 1)", "C2-IFERROR(ROUND(A2/B2,1),0)"),
        ("if(a > b, a) + 1", "IF(A2>B2,A2,0)+1"),
        ("1 - if(a > b, if(a = 1, a / b), 2)", "1-IF(A2>B2,IF(A2=1,IFERROR(A2/B2,0),0),2)"),
        ("if(a > b, a) * 2 + 1", 'IFERROR(IF(A2>B2,A2,"")*2,0)+1'),
        ("if(b != 0, a / b, 0)", "IF(B2<>0,A2/B2,0)"),
        ("if(a / b > 1, 1, 2)", "IF(IFERROR(A2/B2>1,FALSE),1,2)"),
        ("a / b != 1", "NOT(IFERROR(A2/B2=1,FALSE))"),
        ("if(a > b, a) > 1", None),
        ("a < 'x'", None),
        ("max(a / b, 1)", None),
        ("max(a / 2, 1)", "MAX(A2/2,1)"),
    ],
)
def test_live_formulas_sum_up_what_can_be_calculated(text: str, formula: str | None) -> None:
    """A division by zero counts as nothing in a sum; a spreadsheet's error would spread to the totals."""
    assert parse_formula(text).excel(CELLS.get) == formula


@pytest.mark.parametrize(
    "text",
    [
        "(a > 1) * b", "a + (b > 1)", "-true", "round(a & b)", "max(a, b = 1)", "(a & b) + 1", "a - 'x'",
        "(a > 1) & 'x'", "(a > 1) < 2", "(a & b) = c", "true != 1", "(abs(c) & 'x')", "average(abs(c), b)",
    ],
)  # fmt: skip
def test_no_formula_is_live_where_a_spreadsheet_calculates_with_words_or_nothing(text: str) -> None:
    assert parse_formula(text).excel(CELLS.get, lambda path: path == ("c",)) is None


@pytest.mark.parametrize(
    ("text", "formula"),
    [
        ("a > b", "A2>B2"),
        ("(a > 1) = (b > 1)", "(A2>1)=(B2>1)"),
        ("average(a, c)", "AVERAGE(A2,C2)"),
        ("c & 'x'", 'C2&"x"'),
        ("a * c", "A2*C2"),
        ("c > 0", "AND(ISNUMBER(C2),C2>0)"),
        ("a <= c", "AND(ISNUMBER(C2),A2<=C2)"),
        ("c = a + 1", "AND(ISNUMBER(C2),C2=A2+1)"),
        ("c != 0", "NOT(AND(ISNUMBER(C2),C2=0))"),
        ("if(not c < a or a = 1, a)", 'IF(OR(NOT(AND(ISNUMBER(C2),C2<A2)),A2=1),A2,"")'),
        ("a > sum(b)", "A2>SUM($B$2:$B$9)"),
        ("a + c > 0", None),
        ("c = c", None),
    ],
)
def test_live_formulas_compare_no_empty_cell(text: str, formula: str | None) -> None:
    assert parse_formula(text).excel(CELLS.get, lambda path: path == ("c",)) == formula
