"""Paragraphs: cleaning, breaking, justifying, hyphens; nothing lost and nothing wider than the line."""

from __future__ import annotations

import gc
import re
from collections.abc import Iterable
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rendering.formats.pdf.layout.items import Link, Rect, Rules, TextLine
from rendering.formats.pdf.typeset import known, quick
from rendering.formats.pdf.typeset import paragraph as paragraph_module
from rendering.formats.pdf.typeset.bidi import has_rtl
from rendering.formats.pdf.typeset.clean import clean, one_line
from rendering.formats.pdf.typeset.paragraph import Hyphenate, Paragraph, compose, place
from rendering.formats.pdf.typeset.plain_lines import PlainLines
from rendering.formats.pdf.typeset.rich import cleaned, paragraphs
from rendering.formats.pdf.typeset.style import TextStyle
from rendering.formats.pdf.typeset.typesetter import Typesetter
from rendering.formats.pdf.typeset.vocabulary import Entry, Vocabulary
from templates_app.resolved import Rich, Span, TextAlign, Theme, plain
from tests.cases import cases

STYLE = TextStyle(10, "#1b2430")
PROSE = (
    "The typesetter considers the whole paragraph at once and chooses the breaks that leave the spaces of "
    "all lines as even as possible; a single tight line is better than a loose one that everybody sees, and "
    "words are hyphenated only where that helps. "
) * 3


@pytest.fixture(scope="module")
def setter() -> Typesetter:
    return Typesetter(Theme(), "en")


def texts(paragraph: Paragraph) -> list[str]:
    return [line.text for line in paragraph.lines]


def squeezed(text: str) -> str:
    """Return the letters alone: what lines may lose or gain is blanks, hyphens and invisible marks."""
    return re.sub("[\\s\u00ad\u200b\U000e0000-\U000e0fff-]", "", text)


class TestCleaning:
    def test_what_cannot_be_drawn_is_gone(self) -> None:
        assert clean("a\tb\x00\r\nc\u2028d\u202ee\ud83d") == "a    b\nc\nde\ufffd"

    def test_what_steers_setting_stays(self) -> None:
        assert clean("so\u00adft a\u200bb c\u200dd e\u00a0f") == "so\u00adft a\u200bb c\u200dd e\u00a0f"

    def test_private_characters_and_noncharacters_vanish(self) -> None:
        assert clean("a\ue000b\uffffc\ufdd0d") == "abcd"

    def test_one_line(self) -> None:
        assert one_line(" a \n  b\t c ") == "a b c"

    def test_rich_text_is_stripped_as_a_whole(self) -> None:
        text = (Span(" \n "), Span(" a\n\n"), Span("\nb", bold=True), Span("\n \n"))
        assert plain(cleaned(text)) == "a\n\n\nb"
        assert [plain(part) for part in paragraphs(text)] == ["a", "b"]
        assert paragraphs(text)[1] == (Span("b", bold=True),)

    @cases(60)
    @given(st.lists(st.text("ab \n", max_size=8), max_size=6))
    def test_paragraphs_of_spans_are_those_of_the_string(self, parts: list[str]) -> None:
        rich = tuple(Span(part, bold=number % 2 == 0) for number, part in enumerate(parts))
        assert [plain(part) for part in paragraphs(rich)] == [plain(p) for p in paragraphs("".join(parts))]


class TestLines:
    def test_a_short_text_is_one_run(self, setter: Typesetter) -> None:
        (line,) = compose("Hello world", STYLE, 300, typesetter=setter).lines
        (run,) = line.runs
        assert run.code == "(Hello world)" or run.code.startswith("(H")
        assert line.ends
        assert run.width == line.width

    def test_newlines_are_kept(self, setter: Typesetter) -> None:
        paragraph = compose("a\n\nb\n", STYLE, 300, typesetter=setter)
        assert texts(paragraph) == ["a", "", "b", ""]
        assert all(line.ends for line in paragraph.lines)
        assert paragraph.height == pytest.approx(4 * 14.2)
        assert place(paragraph.lines[1], 0, 0, "p") == ()

    def test_an_empty_text_is_an_empty_line(self, setter: Typesetter) -> None:
        assert texts(compose("", STYLE, 300, typesetter=setter)) == [""]
        assert texts(compose((), STYLE, 300, typesetter=setter)) == [""]

    @pytest.mark.parametrize(("align", "x"), [("left", 0.0), ("center", 0.5), ("right", 1.0)])
    def test_alignment(self, setter: Typesetter, align: Any, x: float) -> None:
        (line,) = compose("word", STYLE, 300, typesetter=setter, align=align).lines
        assert line.x == pytest.approx(x * (300 - line.width))

    def test_justified_lines_fill_the_measure_and_the_last_does_not(self, setter: Typesetter) -> None:
        for width in (90, 150, 220, 400):
            *lines, last = compose(PROSE, STYLE, width, typesetter=setter, align="justify").lines
            assert all(line.width == pytest.approx(width) for line in lines)
            assert last.width <= width + 1e-6
            assert [line.ends for line in lines] == [False] * len(lines)
            assert last.ends

    def test_ragged_text_is_hyphenated_where_it_helps(self, setter: Typesetter) -> None:
        narrow = compose("a considerably incomprehensible word", STYLE, 85, typesetter=setter)
        assert any(line.text.endswith("-") for line in narrow.lines)
        never = compose(
            "a considerably incomprehensible word", STYLE, 85, typesetter=setter, hyphenate="none"
        )
        assert texts(never) == ["a considerably", "incomprehensible", "word"]

    def test_only_words_wider_than_a_line_are_hyphenated(self, setter: Typesetter) -> None:
        text = "a considerably incomprehensible word"
        made = compose(text, STYLE, 60, typesetter=setter, hyphenate="long")
        assert texts(made)[:2] == ["a", "considerably"]
        assert texts(made)[2].endswith("-")
        assert "".join(texts(made)).replace("-", "").replace(" ", "") == text.replace(" ", "")
        never = texts(compose(text, STYLE, 60, typesetter=setter, hyphenate="none"))
        assert not any(line.endswith("-") for line in never)

    @pytest.mark.parametrize(
        "address",
        [
            "https://example.com/considerably/incomprehensible/documentation?understanding=complete",
            "incomprehensible.documentation@understanding.example.com",
            "www.incomprehensible-documentation.example.com",
        ],
    )
    @pytest.mark.parametrize("align", ["left", "justify"])
    def test_addresses_are_not_hyphenated(self, setter: Typesetter, address: str, align: TextAlign) -> None:
        """They are broken where it does not change them, however little of them fits."""
        for width in range(40, 200, 7):
            made = texts(compose(f"Look at {address} for more", STYLE, width, typesetter=setter, align=align))
            assert address in "".join(made)

    @pytest.mark.parametrize("align", ["left", "justify"])
    def test_words_wider_than_the_line_are_broken_behind_signs(
        self, setter: Typesetter, align: TextAlign
    ) -> None:
        made = texts(compose("No. VS-2025/000/123456789.", STYLE, 60, typesetter=setter, align=align))
        assert made == ["No. VS-2025/", "000/", "123456789."]

    def test_soft_hyphens(self, setter: Typesetter) -> None:
        word = "Zusammen\u00adfassungs\u00adabschnitt"
        assert texts(compose(word, STYLE, 400, typesetter=setter)) == ["Zusammenfassungsabschnitt"]
        narrow = texts(compose(f"eine {word}", STYLE, 90, typesetter=setter, hyphenate="none"))
        assert narrow == ["eine Zusammen-", "fassungsabschnitt"]

    def test_a_no_break_space_does_not_break(self, setter: Typesetter) -> None:
        assert texts(compose("about 10\u00a0kg", STYLE, 45, typesetter=setter)) == ["about", "10\u00a0kg"]

    @pytest.mark.parametrize(
        ("blank", "width"), [("\u3000", 1), ("\u2003", 1), ("\u2002", 0.5), ("\u2009", 0.2)]
    )
    def test_blanks_of_a_width_of_their_own(self, setter: Typesetter, blank: str, width: float) -> None:
        """Japanese begins paragraphs and parts names with a blank as wide as a character."""
        without, *indented = (
            compose(text, STYLE, 400, typesetter=setter).lines[0]
            for text in ("山田太郎", f"山田{blank}太郎", f"{blank}山田太郎")
        )
        assert [line.width - without.width for line in indented] == pytest.approx([10 * width] * 2)
        (line,) = compose(f"山田{blank}太郎 שלום", STYLE, 400, typesetter=setter).lines
        (plain,) = compose("山田太郎 שלום", STYLE, 400, typesetter=setter).lines
        assert line.width - plain.width == pytest.approx(10 * width)
        assert line.text == f"山田{blank}太郎 שלום"

    def test_words_wider_than_the_line_are_broken_between_clusters(self, setter: Typesetter) -> None:
        lines = texts(compose("e\u0301" * 200, STYLE, 50, typesetter=setter))
        assert len(lines) > 15
        assert all(line[0] == "e" and line[-1] == "\u0301" for line in lines)

    def test_other_scripts_change_the_font_inside_of_a_line(self, setter: Typesetter) -> None:
        text = "Latin слово Ελληνικά and back"
        (line,) = compose(text, STYLE, 400, typesetter=setter).lines
        assert line.text == text
        (run,) = line.runs
        assert re.findall(r"/(F\d+) 10 Tf\[", run.code) == [run.after]
        assert run.after != run.font

    def test_a_word_of_another_face_stands_between_spaces_of_the_first(self, setter: Typesetter) -> None:
        (line,) = compose("both → ways", STYLE, 400, typesetter=setter).lines
        (run,) = line.runs
        assert re.fullmatch(r"\(.* \)\]TJ/F\d+ 10 Tf\[<[0-9A-F]+>\]TJ/(F\d+) 10 Tf\[\( .*\)", run.code)
        assert run.font == run.after

    def test_right_to_left_text_begins_at_the_right(self, setter: Typesetter) -> None:
        paragraph = compose("שלום עולם (ABC) " * 6, STYLE, 150, typesetter=setter)
        assert len(paragraph.lines) > 1
        assert all(line.x + line.width == pytest.approx(150) for line in paragraph.lines)
        (line,) = compose("abc שלום", STYLE, 150, typesetter=setter).lines
        assert line.x == 0

    def test_long_texts_take_linear_time(self, setter: Typesetter) -> None:
        assert len(compose("x" * 10_000, STYLE, 480, typesetter=setter).lines) > 80
        assert len(compose("\n" * 20_000, STYLE, 480, typesetter=setter).lines) == 20_001
        assert len(compose("word " * 20_000, STYLE, 480, typesetter=setter, align="justify").lines) > 500
        assert len(compose("漢字" * 5_000, STYLE, 480, typesetter=setter, align="justify").lines) > 200
        spans = (Span("ab ", bold=True), Span("cd")) * 3_000
        assert len(compose(spans, STYLE, 480, typesetter=setter).lines) > 100


class TestVeryLongLines:
    """Of a source line that is set piece by piece nobody sees where the pieces meet."""

    WORDS = " ".join(f"{word} Zusammenfassungsabschnitt{n}" for n, word in enumerate(["lorem", "a"] * 200))

    @pytest.mark.parametrize("align", ["left", "justify"])
    @pytest.mark.parametrize("hyphenate", ["all", "none"])
    def test_every_word_once_on_full_lines(
        self, align: TextAlign, hyphenate: Hyphenate, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        setter = Typesetter(Theme(), "de")
        whole = compose(self.WORDS, STYLE, 300, typesetter=setter, align=align, hyphenate=hyphenate)
        monkeypatch.setattr(quick, "PIECE", 700)
        pieces = compose(self.WORDS, STYLE, 300, typesetter=setter, align=align, hyphenate=hyphenate)
        assert squeezed("".join(texts(pieces))) == squeezed(self.WORDS)
        assert abs(len(pieces.lines) - len(whole.lines)) <= 1
        assert [line.ends for line in pieces.lines[:-1]] == [False] * (len(pieces.lines) - 1)
        assert all(line.width <= 300 + 1e-6 for line in pieces.lines)
        if align == "left" and hyphenate == "none":
            assert texts(pieces) == texts(whole)

    def test_a_piece_without_a_space_and_another_script(
        self, setter: Typesetter, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        expected = [compose(text, STYLE, 300, typesetter=setter) for text in ("x" * 2_000, "слово → " * 200)]
        monkeypatch.setattr(quick, "PIECE", 700)
        found = [compose(text, STYLE, 300, typesetter=setter) for text in ("x" * 2_000, "слово → " * 200)]
        assert [texts(one) for one in found] == [texts(one) for one in expected]


class TestMarks:
    RICH = (
        Span("Plain "),
        Span("bo", bold=True),
        Span("ld, "),
        Span("struck out", strike=True),
        Span(" E=mc"),
        Span("2", script="super"),
        Span(", "),
        Span("code", code=True),
        Span(" and "),
        Span("a link", link="https://example.org"),
    )

    def test_no_break_inside_of_a_word_with_two_looks(self, setter: Typesetter) -> None:
        assert "bold," in " ".join(texts(compose(self.RICH, STYLE, 30, typesetter=setter))).split()

    def test_marks_are_placed(self, setter: Typesetter) -> None:
        (line,) = compose(self.RICH, STYLE, 500, typesetter=setter).lines
        items = place(line, 100, 700, "p")
        kinds = [type(item) for item in items]
        assert kinds[0] is Rect  # the tint lies behind
        assert kinds.count(TextLine) == 1
        assert kinds.count(Rules) == 2
        (link,) = [item for item in items if isinstance(item, Link)]
        assert link.target == "https://example.org"
        assert link.x + link.width == pytest.approx(100 + line.width)
        assert link.y < 700 < link.y + link.height

    def test_superscripts_are_small_and_high(self, setter: Typesetter) -> None:
        (line,) = compose(self.RICH, STYLE, 500, typesetter=setter).lines
        (run,) = [run for run in line.runs if run.text == "2"]
        assert run.size == pytest.approx(6.2)
        assert run.rise > 3

    @pytest.mark.parametrize("script", ["super", "sub"])
    def test_lines_and_links_go_on_straight_beside_smaller_letters(
        self, setter: Typesetter, script: Any
    ) -> None:
        looks: list[dict[str, Any]] = [{}, {"script": script}, {"code": True}, {}]
        for kind in ("underline", "strike", "link"):
            spans = tuple(
                Span("CO2 ", **look, **{kind: "tel:1" if kind == "link" else True}) for look in looks
            )
            (line,) = compose(spans, STYLE, 500, typesetter=setter).lines
            (mark,) = [mark for mark in line.marks if mark.kind == kind]
            assert (mark.x, mark.size, mark.rise) == (0.0, STYLE.size, 0.0)
            assert mark.width == pytest.approx(line.width)

    def test_runs_add_up(self, setter: Typesetter) -> None:
        for line in compose(self.RICH * 5, STYLE, 160, typesetter=setter, align="justify").lines:
            assert sum(run.width for run in line.runs) == pytest.approx(line.width)


ALPHABET = "abcdefgh  \n-/.,()\\WÄßéł€ждΩλ漢字。กำ\u0301\u00a0\u00ad\u200b😀שב1"
WIDTHS = st.floats(1, 400)
ALIGNS = st.sampled_from(["left", "right", "center", "justify"])
PLAIN = st.text(ALPHABET, max_size=120)
RICH = st.lists(
    st.builds(
        Span,
        st.text(ALPHABET, max_size=30),
        bold=st.booleans(),
        underline=st.booleans(),
        script=st.sampled_from(["", "super", "sub"]),
    ),
    max_size=6,
).map(tuple)


@cases(150)
@given(PLAIN | RICH | st.text(max_size=40), WIDTHS, ALIGNS, st.sampled_from(["all", "long", "none"]))
def test_nothing_is_lost_and_nothing_is_wider_than_the_line(
    text: Rich, width: float, align: Any, hyphenate: Hyphenate
) -> None:
    setter = Typesetter(Theme(), "en")
    paragraph = compose(text, STYLE, width, typesetter=setter, align=align, hyphenate=hyphenate)
    shown = clean(plain(text))
    assert squeezed("".join(texts(paragraph))) == squeezed(shown)
    for line in paragraph.lines:
        assert line.x >= -1e-6
        assert sum(run.width for run in line.runs) == pytest.approx(line.width, abs=0.01)
        if line.width > width + 0.02:  # a single cluster, or one that no break may part from its neighbours
            assert len(squeezed(line.text)) <= 12 or has_rtl(line.text)
        if not has_rtl(shown) and "\u00ad" not in shown:
            said = "".join(run.text for run in line.runs)
            assert squeezed(said) == squeezed(line.text)


@cases(60)
@given(st.lists(st.text("abcdefghij", min_size=1, max_size=12), min_size=5, max_size=60), st.floats(80, 400))
def test_justified_text_is_even(words: list[str], width: float) -> None:
    setter = Typesetter(Theme(), "en")
    *lines, last = compose(" ".join(words), STYLE, width, typesetter=setter, align="justify").lines
    for line in lines:
        if " " in line.text:
            assert line.width == pytest.approx(width)
    assert last.width <= width + 1e-6


def test_the_same_text_gives_the_same_lines_in_every_document() -> None:
    first, second = (
        compose(PROSE + "слово", STYLE, 200, typesetter=Typesetter(Theme(), "en"), align="justify")
        for _ in range(2)
    )
    assert first.lines == second.lines


MARKED = st.builds(
    Span,
    st.text("AVTo-/ ,.(é\xa0\xad", max_size=8),
    bold=st.booleans(),
    underline=st.booleans(),
    script=st.sampled_from(["", "", "super"]),
    link=st.sampled_from([None, None, "https://example.com"]),
)


@cases(200)
@given(spans=st.lists(MARKED, min_size=1, max_size=6))
def test_a_short_line_with_marks_is_what_breaking_would_make_of_it(spans: list[Span]) -> None:
    setter = Typesetter(Theme(), "en")
    short = compose(tuple(spans), STYLE, 1000, typesetter=setter)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(paragraph_module, "short_line", lambda parts, measure: None)
        general = compose(tuple(spans), STYLE, 1000, typesetter=setter)
    (line,), (expected,) = short.lines, general.lines
    assert line.text == expected.text
    assert line.width == pytest.approx(expected.width)
    assert [(run.font, run.code, run.size, run.rise) for run in line.runs] == [
        (run.font, run.code, run.size, run.rise) for run in expected.runs
    ]
    for mark, other in zip(line.marks, expected.marks, strict=True):
        assert (mark.kind, mark.value) == (other.kind, other.value)
        assert (mark.x, mark.width) == pytest.approx((other.x, other.width))


@pytest.mark.parametrize("align", ["left", "justify", "right"])
def test_a_block_writes_its_lines(align: Any) -> None:
    text = "plain words of any length слово λόγος set over some lines (and one more) " * 6
    lines = compose(text, STYLE, 200, typesetter=Typesetter(Theme(), "en"), align=align).lines
    assert isinstance(lines, PlainLines)
    block = lines.block(1, len(lines) - 1, 50, 700, 14, "p")
    assert lines.whole
    said = list(block.lines())
    assert [line.text for line in said] == [line.text for line in lines][1:-1]
    assert [line.y for line in said] == [700 - 14 * number for number in range(len(said))]
    assert not lines.whole  # somebody has the lines, and may move them
    # Each line begins with a step from the one before.
    x = y = 0.0
    for line, move in zip(said, re.findall(r"(\S+) (\S+) Td", block.code), strict=True):
        x, y = x + float(move[0]), y + float(move[1])
        assert (x, y) == pytest.approx((line.x, line.y), abs=0.006)
    assert block.spread == said[-1].runs[-1].spread


def test_nothing_of_a_document_stays_in_memory() -> None:
    gc.collect()
    before = len(known._known)
    for number in range(5):
        compose(f"some words {number} слово", STYLE, 200, typesetter=Typesetter(Theme(), "en"))
    gc.collect()
    assert len(known._known) <= before


def test_a_word_that_another_thread_learns_meanwhile_is_none_of_another_font(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """It was set in a font of its own then: the same page in other bytes."""
    learn = Vocabulary.learn

    def as_the_second(self: Vocabulary, words: Iterable[str]) -> dict[str, Entry]:
        words = list(words)
        learn(self, words)
        return learn(self, words)

    monkeypatch.setattr(Vocabulary, "learn", as_the_second)
    words = known.known_by(Typesetter(Theme(), "pl").font(TextStyle(10, "#000000")))
    assert words["sobótkowyŹdźbłem"][1] == "cp1250"
