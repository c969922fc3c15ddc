"""Text to glyphs: columns of cells, words, faces for every script, and directions."""

from __future__ import annotations

import re
import time
from itertools import pairwise

import bidi as reference
import pytest
from hypothesis import given
from hypothesis import strategies as st

from rendering.formats.pdf.typeset import bidi, shaping, typesetter
from rendering.formats.pdf.typeset.clusters import clusters
from rendering.formats.pdf.typeset.style import TextStyle
from rendering.formats.pdf.typeset.typesetter import Font, Piece, Typesetter
from templates_app.resolved import Theme

STYLE = TextStyle(10, "#000000")
WESTERN = st.text(
    st.sampled_from(
        [
            bytes([code]).decode("cp1252")
            for code in range(32, 256)
            if code not in b"\x7f\x81\x8d\x8f\x90\x9d\xad"
        ]
    )
)
# Letters of both directions, numbers, separators, brackets, marks and everything that steers directions.
STEERING = "\u200e\u200f\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069"
DIRECTIONS = st.text(st.sampled_from("abאبجد12٣٤ .,()[]+-/:$%\u0301\u05b0!&" + STEERING), max_size=16)


@pytest.fixture
def font() -> Font:
    return Typesetter(Theme(), "en").font(STYLE)


# ---------------------------------------------------------------- columns


def test_literals_are_escaped_strings_of_the_face(font: Font) -> None:
    assert font.resource == "F1"
    texts = ["plain", "", "(a\\b)", "5 € – é", "x"]
    assert font.literals(texts) == ["(plain)", "()", r"(\(a\\b\))", "(5 \x80 \x96 \xe9)", "(x)"]
    assert font.literals([]) == []
    assert font.literals([""]) == ["()"]


@pytest.mark.parametrize(
    "text", ["Łódź", "שלום", "日本", "a\nb", "a\0b", "\r", "\x7f", "\x81", "\ud800", "e\u0301", "\xad"]
)
def test_a_column_with_anything_else_has_no_literals(font: Font, text: str) -> None:
    assert font.literals(["fine", text]) is None
    assert font.literals([text]) is None


@given(st.lists(WESTERN, max_size=8))
def test_advances_are_the_sums_of_the_widths(texts: list[str]) -> None:
    font = Typesetter(Theme(), "en").font(STYLE)
    assert font.literals(texts) is not None
    single = {character: font.word(character).width for character in "".join(texts)}
    assert font.advances(texts) == [sum(map(single.__getitem__, text)) for text in texts]


def test_advances_of_long_texts_are_right(font: Font) -> None:
    texts = ["W" * length for length in (10, 47, 48, 49, 200, 5000)] + [""]
    width = font.word("W").width
    assert font.advances(texts) == [width * len(text) for text in texts]


def test_only_the_alphabet_that_was_used_is_asked_for() -> None:
    setter = Typesetter(Theme(), "en")
    font = setter.font(STYLE)
    assert setter.used() == []
    assert font.advances(["not asked for"])
    font.literals(["ascii"])
    assert (font.resource, [used.wide for used in setter.used()]) == ("F1", [False])
    font.literals(["é"])
    assert [used.wide for used in setter.used()] == [True]


# ---------------------------------------------------------------- words


def literal(piece: Piece) -> bool:
    """Return whether a piece is in an 8-bit font: its bytes can be read in the code."""
    return piece.code.startswith("(")


def test_a_western_word_is_one_kerned_piece(font: Font) -> None:
    word = font.word("AV (x)")
    (piece,) = word.pieces
    assert piece.code.startswith("(A)")
    assert piece.code.endswith(r"V \(x\))")
    assert (piece.font, piece.text, piece.actual, literal(piece), piece.rise) == (
        "F1",
        "AV (x)",
        False,
        True,
        0,
    )
    assert word.width < font.advances(["AV (x)"])[0]
    assert not word.rtl
    assert font.word("AV (x)") is word
    assert font.width("AV (x)", 20) == pytest.approx(word.width * 0.02)
    assert font.word("").pieces == ()
    assert font.space == font.word(" ").width


@pytest.mark.parametrize("text", ["office", "ffǿ", "ﬁж"])
def test_ligatures_stay_apart(font: Font, text: str) -> None:
    (piece,) = font.word(text).pieces
    codes = re.sub("[^()0-9A-F<>a-z]", "", piece.code)
    (used,) = font._typesetter.used()
    assert literal(piece) or list(used.texts.values()) == list(dict.fromkeys(text))
    assert not literal(piece) or re.sub(r"[()0-9]", "", codes) == text


@pytest.mark.parametrize("text", ["Łódź", "Ξεσκεπάζω", "Съешь", "ĄVĄT. Ťo", "Tiếng", "漢字かな", "한국어"])
def test_text_of_pairs_is_set_as_harfbuzz_sets_it(font: Font, text: str) -> None:
    """`plain` is a short cut: the glyphs and places must be those of shaping."""
    face = font._chain.find(text[0])
    code, width, said = face.plain(text)
    glyphs = shaping._glyphs(text, face, rtl=False, language="en")
    assert [glyph.number for glyph in glyphs] == [number for number, _ in said]
    assert width == sum(glyph.advance for glyph in glyphs)
    shaped = shaping._stretch(face, shaping._spoken(text, glyphs, face)[0], rtl=False)
    assert code == shaped.code


def test_faces_are_named_in_order_of_use_and_shared_between_styles() -> None:
    setter = Typesetter(Theme(), "en")
    body, bold, heading = (
        setter.font(style) for style in (STYLE, STYLE.but(bold=True), STYLE.but(family="heading"))
    )
    assert [
        font.word(text).pieces[0].font
        for font, text in ((bold, "a"), (body, "a"), (body, "ǿ"), (heading, "b"))
    ] == [
        "F1",
        "F2",
        "F3",
        "F2",
    ]
    assert setter.font(STYLE.but(size=30, color="#ff0000")) is body
    assert [used.face.name for used in setter.used()] == [
        "SourceSans3-SemiBold",
        "SourceSans3-Regular",
        "SourceSans3-Regular",
    ]
    assert [used.simple for used in setter.used()] == [True, True, False]


@pytest.mark.parametrize(
    ("text", "face"),
    [
        ("Łódź", "SourceSans3-Regular"),
        ("مرحبا", "IBMPlexSansArabic-Regular"),
        ("שלום", "NotoSansHebrew-Regular"),
        ("नमस्ते", "NotoSansDevanagari-Regular"),
        ("ไทย", "NotoSansThai-Regular"),
        ("বাংলা", "NotoSansBengali-Regular"),
        ("தமிழ்", "NotoSansTamil-Regular"),
        ("ქართული", "NotoSansGeorgian-Regular"),
        ("አማርኛ", "NotoSansEthiopic-Regular"),
        ("漢字", "DroidSansFallback"),
        ("한국", "DroidSansFallback"),
        ("😀", "NotoEmoji-Regular"),
        ("❤\ufe0f", "NotoEmoji-Regular"),
        ("│┌", "SourceCodePro-Regular"),
        ("𝒙", "NotoSansMath-Regular"),
        ("a\u0323\u0302", "SourceSans3-Regular"),
        ("\U000f1234", "SourceSans3-Regular"),
    ],
)
def test_a_cluster_takes_the_first_face_that_has_it(text: str, face: str) -> None:
    setter = Typesetter(Theme(), "en")
    setter.font(STYLE).word(text)
    assert [used.face.name for used in setter.used()] == [face]


def test_pieces_of_a_word_stand_from_left_to_right(font: Font) -> None:
    word = font.word("שלום ABC 12")
    assert word.rtl
    assert [piece.text for piece in word.pieces] == ["ABC 12", " ", "שלום"]
    assert word.width == sum(piece.width for piece in word.pieces)
    assert [piece.text for piece in font.word("a שלום b").pieces] == ["a ", "שלום", " b"]


def test_the_direction_of_a_run_turns_brackets(font: Font) -> None:
    open_bracket, turned = font.word("("), font.word("(", rtl=True)
    assert turned.rtl
    assert not open_bracket.rtl
    assert turned.pieces[0].text == "("
    face = font._face
    assert turned.pieces[0].code == f"<{face.glyph(')'):04X}>"
    assert font.word("(", rtl=True) is turned


def test_marks_above_others_rise_and_are_said_once(font: Font) -> None:
    word = font.word("z\u0351\u036b\u0343a")
    assert len({piece.rise for piece in word.pieces}) > 1
    assert "".join(piece.text for piece in word.pieces) == "z\u0351\u036b\u0343a"
    first, *others = [piece for piece in word.pieces if not literal(piece)]
    assert (first.text, first.actual) == ("z\u0351\u036b\u0343", True)
    assert {(piece.text, piece.actual) for piece in others} == {("", True)}


@given(st.text(max_size=40))
def test_any_text_becomes_glyphs(text: str) -> None:
    font = Typesetter(Theme(), "en").font(STYLE)
    for rtl in (None, True):
        word = font.word(text, rtl=rtl)
        assert word.width == sum(piece.width for piece in word.pieces)
        for piece in word.pieces:
            piece.code.encode("latin-1")
        said = "".join(piece.text for piece in word.pieces)
        if rtl is None and not bidi.has_rtl(text):
            assert len(said) <= len(text)


@pytest.mark.parametrize(
    "unit", ["a", "ж", "\u0301", "z\u0351\u036b", "क्", "א", "أ\u064e", "(", "\u2068א", "漢", "👨\u200d"]
)
def test_a_very_long_word_takes_linear_time(font: Font, unit: str) -> None:
    text = unit * (30_000 // len(unit))
    start = time.process_time()
    word = font.word(text)
    runs = bidi.visual_runs(text, "rtl")
    assert time.process_time() - start < 5
    assert sum(len(piece.text) for piece in word.pieces) <= len(text)
    assert sum(stop - start for start, stop, _ in runs) == len(text)


def test_what_a_document_remembers_is_bounded(font: Font, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(typesetter, "WORDS", 10)
    for number in range(100):
        font.word(f"w{number}")
        font.word(f"א{number}", rtl=True)
    assert len(font._words) <= 10
    assert len(font._backwards) <= 10


@given(st.text(max_size=30))
def test_clusters_are_all_of_the_text(text: str) -> None:
    found = list(clusters(text))
    assert "".join(text[start:stop] for start, stop in found) == text
    assert all(stop > start for start, stop in found)
    assert all(left[1] == right[0] for left, right in pairwise(found))


def test_clusters_hold_what_readers_take_for_one_character() -> None:
    text = "e\u0301👍🏽👨‍👩‍👧🇩🇪🇫🇷❤\ufe0f\u1112\u1161\u11ab\u1100a"
    found = [text[start:stop] for start, stop in clusters(text)]
    assert found == ["e\u0301", "👍🏽", "👨‍👩‍👧", "🇩🇪", "🇫🇷", "❤\ufe0f", "\u1112\u1161\u11ab", "\u1100", "a"]


# ---------------------------------------------------------------- directions


@pytest.mark.parametrize(
    ("text", "rtl", "base"),
    [
        ("", False, "ltr"),
        ("plain", False, "ltr"),
        ("größer – 5 €", False, "ltr"),
        ("123 שלום", True, "rtl"),
        ("abc שלום", True, "ltr"),
        ("\u2067שלום\u2069 abc", True, "ltr"),
        ("مرحبا", True, "rtl"),
        ("漢字", False, "ltr"),
    ],
)
def test_base_direction(text: str, rtl: bool, base: str) -> None:
    assert bidi.has_rtl(text) is rtl
    assert bidi.base_direction(text) == base
    assert bidi.base_direction(text, mirrored=True) == ("rtl" if rtl else "ltr")


def test_visual_runs() -> None:
    assert bidi.visual_runs("", "rtl") == []
    assert bidi.visual_runs("abc", "ltr") == [(0, 3, False)]
    assert bidi.visual_runs("abc אבג def", "ltr") == [(0, 4, False), (4, 7, True), (7, 11, False)]
    assert bidi.visual_runs("אבג 12 ד", "rtl") == [(6, 8, True), (4, 6, False), (0, 4, True)]


def test_lines_of_a_paragraph_keep_its_directions() -> None:
    text = "תשלום SA03 8000 1016 7519 (x-y)"
    paragraph = bidi.Paragraph(text, "rtl")
    shown = [
        "".join(
            text[begin:end][::-1] if rtl else text[begin:end] for begin, end, rtl in paragraph.runs(*line)
        )
        for line in ((0, 15), (16, 25), (26, 29), (29, 31))
    ]
    # Numbers behind Latin letters stand in their order, and a hyphen stays at the word that it parts.
    assert shown == ["SA03 8000 םולשת", "1016 7519", "(x-", "y)"]
    assert paragraph.runs(0, len(text)) == bidi.visual_runs(text, "rtl")


@given(DIRECTIONS, st.sampled_from(["L", "R"]))
def test_the_order_is_that_of_the_reference(text: str, base: str) -> None:
    # The reference leaves a text without any turned letter as it is, whatever the base; steering marks do
    # not show, so where they stand is free.
    text += "א"
    shown = ""
    for start, stop, rtl in bidi.visual_runs(text, "ltr" if base == "L" else "rtl"):
        shown += text[start:stop][::-1] if rtl else text[start:stop]
    assert visible(shown) == visible(reference.get_display(text, base_dir=base))


def visible(text: str) -> str:
    """Leave out steering marks; brackets face one way, as the reference turns them already."""
    return text.translate(dict.fromkeys(map(ord, STEERING)) | str.maketrans(")]", "(["))


@given(st.text(max_size=40), st.sampled_from(["ltr", "rtl"]))
def test_every_character_is_in_one_run(text: str, base: bidi.Direction) -> None:
    places = [place for start, stop, _ in bidi.visual_runs(text, base) for place in range(start, stop)]
    assert sorted(places) == list(range(len(text)))
