"""Inline marks: what marks and what prints itself, values that stay values, and links that are safe."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from templates_app import marks
from templates_app.expressions.grammar import Expression, InvalidExpression
from templates_app.resolved import Rich, Span, plain
from templates_app.richtext import markdown, marks_of, rich, safe_link

VALUES: dict[str, Any] = {
    "a": "*A* [x](https://x.y) `c`",
    "url": "https://pay.example/?a=1_2_3&b=(x)",
    "bad": "javascript:alert(1)",
    "n": "3",
    "empty": "",
    "mail": "ann@example.com",
    "note": (Span("very ", bold=True), Span("red", color="#ff0000")),
}
MARKS = {"b": "bold", "i": "italic", "u": "underline", "x": "strike", "c": "code"}


def write(expression: Expression) -> str | Rich:
    return VALUES[expression.path[0]]


def shown(text: Rich) -> str:
    """Return spans in a short form: `<b|words>`."""
    if isinstance(text, str):
        return text
    pieces = []
    for span in text:
        look = "".join(letter for letter, name in MARKS.items() if getattr(span, name))
        look += {"super": "^", "sub": "~", "": ""}[span.script] + (span.color or "")
        look += f"->{span.link}" if span.link else ""
        pieces.append(f"<{look}|{span.text}>" if look else span.text)
    return "".join(pieces)


@pytest.mark.parametrize(
    ("template", "text"),
    [
        ("plain", "plain"),
        ("", ""),
        ("**b** *i* __u__ ~~s~~", "<b|b> <i|i> <u|u> <x|s>"),
        ("x^2^ H~2~O `c*o*de`", "x<^|2> H<~|2>O <c|c*o*de>"),
        ("10^-3^m see^(1)^there SO~4~^2-^aq", "10<^|-3>m see<^|(1)>there SO<~|4><^|2->aq"),
        ("***bi***", "<bi|bi>"),
        ("***a** b*", "<bi|a><i| b>"),
        ("**a *b* c**", "<b|a ><bi|b><b| c>"),
        ("**a** and **b**", "<b|a> and <b|b>"),
        ("un**frigging**believable", "un<b|frigging>believable"),
        ("**Total:** {{n}}", "<b|Total:> 3"),
        ("**{{n}}**", "<b|3>"),
        ("*{{a}}*", "<i|*A* [x](https://x.y) `c`>"),
        ("{{a}}", "*A* [x](https://x.y) `c`"),
        ("`{{n}}`", "<c|3>"),
        ("``a`b`` `` ` ``", "<c|a`b> <c|`>"),
        ("{{note}}", "<b|very ><#ff0000|red>"),
        ("*{{note}}!*", "<bi|very ><i#ff0000|red><i|!>"),
        ("{{empty}}**{{n}}**", "<b|3>"),
        ("2*3*4", "2*3*4"),
        ("{{n}}*{{n}}*{{n}}", "3*3*3"),
        ("5 * 4 * 3", "5 * 4 * 3"),
        ("* a\n* b", "* a\n* b"),
        ("*", "*"),
        ("a**", "a**"),
        ("**", "**"),
        ("** **", "** **"),
        ("snake_case __snake__case__x", "snake_case __snake__case__x"),
        ("__init__ a__b__c", "<u|init> a__b__c"),
        ("これは__下線__です", "これは<u|下線>です"),
        ("و__مسطرة__ ABC__ك__", "و<u|مسطرة> ABC__ك__"),
        ("ที่__ขีด__เส้น", "ที่<u|ขีด>เส้น"),
        ("Name: ________", "Name: ________"),
        ("~5 or ~6, 5~ 6", "~5 or ~6, 5~ 6"),
        ("x^2 + y^2", "x^2 + y^2"),
        ("~~~x~~~ ^^x^^", "~~~x~~~ ^^x^^"),
        ("~~ x ~~", "~~ x ~~"),
        ("^^ ~~~~", "^^ ~~~~"),
        ("**open\n\nnot** `a\n\nb`", "**open\n\nnot** `a\n\nb`"),
        ("**two\nlines**", "<b|two\nlines>"),
        ("__Price*__ and *b*", "<u|Price*> and <i|b>"),
        ("**5 m^ x** E=mc^2^", "<b|5 m^ x> E=mc<^|2>"),
        ("\\*no\\* \\\\ C:\\dir \\", "*no* \\ C:\\dir \\"),
        ("\\{{x}} *y*", "{{x}} <i|y>"),
        ("\\{{x}}", "{{x}}"),
        ("[1] and [2] (x) ]", "[1] and [2] (x) ]"),
        ("[t](https://a.b/c_d_e*f*)", "<->https://a.b/c_d_e*f*|t>"),
        ("[a **b**](mailto:x@y.z)", "<->mailto:x@y.z|a ><b->mailto:x@y.z|b>"),
        ("[call](tel:+43-1)", "<->tel:+43-1|call>"),
        ("[Pay]({{url}}) now", "<->https://pay.example/?a=1_2_3&b=(x)|Pay> now"),
        ("[w](mailto:{{mail}})", "<->mailto:ann@example.com|w>"),
        ("[{{n}}](https://a.b/{{n}})", "<->https://a.b/3|3>"),
        ("[Pay]({{bad}}) [x](javascript:1)", "Pay x"),
        ("[x](HTTPS://A.b)", "<->HTTPS://A.b|x>"),
        ("[x](https://a.b/(c))", "<->https://a.b/(c)|x>"),
        ("[x](no space)", "[x](no space)"),
        ("[red]{#C00000}!", "<#c00000|red>!"),
        ("[l](https://a.b){#00ff00}", "<#00ff00->https://a.b|l>"),
        ("[a [b]{#00ff00} c]{#ff0000}", "<#ff0000|a ><#00ff00|b><#ff0000| c>"),
        ("[x]{red}", "[x]{red}"),
        ("*[a*](https://a.b)", "*<->https://a.b|a*>"),
        ("[[in](https://a.b)](https://c.d)", "[<->https://a.b|in>](https://c.d)"),
        ("[a]{#112233", "[a]{#112233"),
        ("**a\0b**", "<b|ab>"),
    ],
)
def test_marks(template: str, text: str) -> None:
    assert shown(rich(template, write)) == text


def test_text_without_marks_stays_a_string() -> None:
    assert isinstance(rich("a {{n}} \\* b", write), str)
    assert rich("**b**", write) == (Span("b", bold=True),)
    assert not marks_of("plain {{a}}")
    assert marks_of("a *b")


def test_a_broken_expression_is_refused() -> None:
    with pytest.raises(InvalidExpression):
        rich("**{{ a }}**", write)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("**b** {{n}} \\{{", "<b|b> {{n}} {{"),
        ("[x](javascript:alert(1)) [y](https://a.b)", "x <->https://a.b|y>"),
        ("plain", "plain"),
        ("a\0*b*", "a<i|b>"),
    ],
)
def test_marks_of_data(text: str, expected: str) -> None:
    assert shown(markdown(text)) == expected


@pytest.mark.parametrize(
    ("address", "link"),
    [
        ("https://a.b", "https://a.b"),
        (" http://a.b/c d ", "http://a.b/c%20d"),
        ("mailto:a@b.c", "mailto:a@b.c"),
        ("tel:+43", "tel:+43"),
        ("https://", None),
        ("https:///x", None),
        ("javascript:alert(1)", None),
        ("java\nscript:alert(1)", None),
        ("file:///etc/passwd", None),
        ("data:text/html,x", None),
        ("//a.b", None),
        ("/path", None),
        ("a.b", None),
        ("https://a.b/\n", "https://a.b/"),
        ("https://a.b/\nx", None),
        ("https://a.b/\ud800", None),
        ("https://a.b/\u202e", None),
        ("https://a.b/" + "x" * 2000, None),
        ("", None),
    ],
)
def test_links(address: str, link: str | None) -> None:
    assert safe_link(address) == link


PIECES = """
    * ** *** _ __ ~ ~~ ^ ` `` [ ] ( ) [a](https://a.b) {#c00000} \\ \\* a b 1 . {{n}} {{note}}
""".split()  # noqa: SIM905


@given(st.lists(st.sampled_from([*PIECES, " ", "\n", "\n\n"]), max_size=25).map("".join))
def test_any_text_can_be_marked(template: str) -> None:
    try:
        text = rich(template, write)
    except InvalidExpression:
        return
    if not isinstance(text, str):
        assert all(span.text for span in text)
        assert all(first != second for first, second in zip(text, text[1:], strict=False))
        assert len(text) > 1 or text[0] != Span(text[0].text)


@given(st.text(alphabet="ab *_~^`[](){}#\\\n.:/0é", max_size=60))
def test_letters_are_never_lost(text: str) -> None:
    assert [each for each in plain(markdown(text)) if each == "é"] == [
        each for each in text if each == "é"
    ] or "](" in text


@given(st.text(max_size=40))
def test_values_are_never_parsed(value: str) -> None:
    spans = rich("x **{{n}}** y", lambda expression: value)
    assert spans == (Span("x "), Span(value, bold=True), Span(" y")) if value else plain(spans) == "x  y"


@pytest.mark.parametrize(
    "piece", ["*", "*a ", "**a **b", "[", "[a](", "`", "`a``b", "~a", "](", "*a_b~c^d[e", "\n\n*"]
)
def test_long_hostile_texts_are_read_to_their_end(piece: str) -> None:
    text = (piece * 20_000)[:20_000]
    assert len(plain(markdown(text))) <= len(text)


def test_a_text_of_very_many_marks_is_printed_as_it_stands(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(marks, "MAX_PIECES", 1_000)
    text = "**a** " * 500
    assert isinstance(markdown(text), tuple)
    assert markdown(f"{text}*b*") == f"{text}*b*"
    assert rich(f"{text}*{{{{n}}}}* {{{{url}}}}", write) == f"{text}*3* {VALUES['url']}"
