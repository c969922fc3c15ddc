"""Fonts in the file: what is drawn, what copying gives back, and that nothing depends on who came first."""

from __future__ import annotations

import gc
import io
import re
import struct
import unicodedata
import weakref
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pypdf
import pytest

from config.kept import Kept
from rendering.formats.pdf.typeset import chains, faces
from rendering.formats.pdf.typeset.embedding import write_fonts
from rendering.formats.pdf.typeset.style import TextStyle
from rendering.formats.pdf.typeset.typesetter import Typesetter
from rendering.formats.pdf.write.file import PdfFile
from templates_app.resolved import FontFamily, Theme
from tests.programs import program, run

STYLE = TextStyle(14, "#000000")
SIZE = 14
MARKS_OF_DIRECTION = re.compile("[\u200e\u200f\u202a-\u202e\u2066-\u2069\f]")

WESTERN = {
    "english": "The quick brown fox (AVATAR) \\ office, fi fl",
    "german": "Größe, Straße, Übermut – 5 € „Zitat“",
    "french": "Où est l’œuvre ? Ça coûte cher",
    "polish": "Zażółć gęślą jaźń Łódź",
    "czech": "Příliš žluťoučký kůň",
    "turkish": "İstanbul ığdır şeker ğ",
    "vietnamese": "Tiếng Việt ậ ế ữ",
    "greek": "Ξεσκεπάζω την ψυχοφθόρα",
    "russian": "Съешь же ещё этих мягких",
    "chinese": "发票号码：合计金额，谢谢您",
    "japanese": "請求書番号カタカナありがとう。",
    "korean": "청구서 번호 안녕하세요",
    "emoji": "😀 👍🏽 ❤️ 👨‍👩‍👧 🇩🇪",
    "symbols": "→ ✓ ✔ ─│┌ ∑ √ ∞ ≤ ≠ ★ ☎",
    "mathematics": "𝒙² + 𝟏",
    "decomposed": "Cafe\u0301 a\u0323\u0302 n\u0303",
    "two scripts": "Łódź и Ωmega: 北京 2024",
}
SHAPED = {
    "hindi": "हिन्दी में नमस्ते दुनिया क्षत्रिय",
    "thai": "สวัสดีครับ ภาษาไทย น้ำ ที่",
}
BACKWARDS = {
    "arabic": "السلام عليكم ورحمة الله",
    "vowels": "السَّلَامُ عَلَيْكُم",
    "persian": "می‌خواهم کتاب پژگچ",
    "hebrew": "(שלום) עולם",
    "points": "שָׁלוֹם",
}


def document(texts: list[str], *, theme: Theme | None = None, language: str = "en") -> bytes:
    """Return a page with each text on a line of its own."""
    out = io.BytesIO()
    file = PdfFile(out, protection=None, file_id=b"0123456789abcdef")
    typesetter = Typesetter(theme or Theme(), language)
    code = ["BT"]
    for row, text in enumerate(texts):
        x, y = 40.0, 800 - 24 * row
        for piece in typesetter.font(STYLE).word(text).pieces:
            shown = f"/{piece.font} {SIZE} Tf 1 0 0 1 {x:.3f} {y} Tm {piece.rise * SIZE / 1000:.3f} Ts"
            shown += f"[{piece.code}]TJ"
            if piece.actual:
                actual = file.binary(b"\xfe\xff" + piece.text.encode("utf-16-be"))
                shown = f"/Span<</ActualText {actual}>>BDC {shown} EMC"
            code.append(shown)
            x += piece.width * SIZE / 1000
    code.append("ET")
    fonts = "".join(f"/{name} {number} 0 R" for name, number in write_fonts(typesetter.used(), file).items())
    content = file.add_stream("\n".join(code).encode("latin-1"))
    pages = file.reserve()
    page = file.add(
        f"<</Type/Page/Parent {pages} 0 R/MediaBox[0 0 842 842]/Contents {content} 0 R"
        f"/Resources<</Font<<{fonts}>>>>>>"
    )
    file.put(pages, f"<</Type/Pages/Kids[{page} 0 R]/Count 1>>")
    file.finish(root=file.add(f"<</Type/Catalog/Pages {pages} 0 R>>"), info=file.add("<<>>"))
    return out.getvalue()


def copied(content: bytes) -> str:
    """Return what pdftotext copies out of a document."""
    found = run(program("pdftotext"), "-enc", "UTF-8", "-", "-", given=content)
    return MARKS_OF_DIRECTION.sub("", found).strip("\n")


def composed(text: str) -> str:
    return unicodedata.normalize("NFC", text)


# ---------------------------------------------------------------- copying


@pytest.mark.parametrize("name", [*WESTERN, *SHAPED, *BACKWARDS])
def test_copying_gives_the_text_back(name: str) -> None:
    text = (WESTERN | SHAPED | BACKWARDS)[name]
    assert composed(copied(document([text]))) == composed(text)


def test_a_reader_that_knows_only_the_fonts_gives_western_and_asian_text_back() -> None:
    texts = list(WESTERN.values())
    page = pypdf.PdfReader(io.BytesIO(document(texts))).pages[0]
    assert page.extract_text().split() == "\n".join(texts).split()


@pytest.mark.parametrize("name", [*WESTERN, *SHAPED, *BACKWARDS])
def test_the_codes_of_a_word_say_its_text(name: str) -> None:
    """No reader needed: the fonts' own tables, or ActualText, give the text in reading order."""
    text = (WESTERN | SHAPED | BACKWARDS)[name]
    typesetter = Typesetter(Theme(), "en")
    word = typesetter.font(STYLE).word(text)
    fonts = {used.name: used for used in typesetter.used()}
    said = []
    for piece in word.pieces:
        if fonts[piece.font].simple or piece.actual:
            said.append(piece.text[::-1] if word.rtl else piece.text)
            continue
        codes = re.findall("[0-9A-F]{4}", "".join(re.findall("<([0-9A-F]+)>", piece.code)))
        said.append("".join(fonts[piece.font].texts[int(code, 16)] for code in codes))
    visual = "".join(said)
    assert (visual[::-1] if word.rtl else visual) == text


def test_characters_of_no_face_are_drawn_as_boxes_and_still_copied() -> None:
    text = "missing \U00012345 and \U000f1234 here"
    assert copied(document([text])) == text


def test_a_glyph_that_says_two_things_has_two_codes() -> None:
    typesetter = Typesetter(Theme(), "en")
    font = typesetter.font(STYLE)
    first, second = (font.word(text).pieces[0] for text in ("ǿ\u200d", "ǿ"))
    assert first.code != second.code
    (used,) = typesetter.used()
    assert len(used.others) == 1
    assert set(used.texts.values()) == {"ǿ\u200d", "ǿ"}
    assert pypdf.PdfReader(io.BytesIO(document(["ǿ\u200d ǿ"]))).pages[0].extract_text() == "ǿ\u200d ǿ"


# ---------------------------------------------------------------- faces


def test_every_bundled_file_is_named_by_a_chain_and_has_its_licence_beside() -> None:
    named = {*chains.SANS, *chains.CODE}
    for language in ("en", "ja"):
        for bold in (False, True):
            named.update(chains.fallbacks(language, bold))
    files = {path.stem for path in faces.FOLDER.glob("*.ttf")}
    assert files == named
    assert sum(path.stat().st_size for path in faces.FOLDER.iterdir()) < 16_000_000
    assert len(list(faces.FOLDER.glob("LICENSE*.txt"))) == 5


def test_a_japanese_document_has_japanese_shapes() -> None:
    names = []
    for language in ("ja-JP", "zh"):
        typesetter = Typesetter(Theme(), language)
        typesetter.font(STYLE).word("直")
        names.append(typesetter.used()[0].face.name)
    assert names == ["NotoSansJP-Regular", "DroidSansFallback"]


@pytest.mark.parametrize("language", ["en", "ja", "ko-KR", "zh-CN"])
def test_numbers_in_circles_are_drawn(language: str) -> None:
    for text in ("①⑮⑳", "⑴⒂", "Ⅰ Ⅻ ⅷ", "㈱㍻㎡", "ⓐ⒜"):
        typesetter = Typesetter(Theme(), language)
        typesetter.font(STYLE).word(text)
        assert all(0 not in used.texts for used in typesetter.used() if not used.simple)
        assert all(font.face.covers(part) for font in typesetter.used() for part in font.texts.values())


@pytest.mark.parametrize(
    ("language", "face"),
    [
        ("zh", "NotoSansJP-Regular"),
        ("zh-Hans-SG", "NotoSansJP-Regular"),
        ("zh-TW", "DroidSansFallback"),
        ("zh-Hant", "DroidSansFallback"),
    ],
)
def test_chinese_commas_stand_where_the_script_has_them(language: str, face: str) -> None:
    chain = chains.chain(Theme(), language, "text", False, False)
    assert [chain.find(mark).name for mark in "，（）。直"] == [face] * 3 + ["DroidSansFallback"] * 2


def own(name: str) -> FontFamily:
    return FontFamily("Own", (faces.FOLDER / f"{name}.ttf").read_bytes())


def test_a_family_of_the_theme_comes_first_and_the_bundled_one_helps_out() -> None:
    typesetter = Typesetter(Theme(font=own("NotoSansHebrew-Regular")), "en")
    word = typesetter.font(STYLE).word("שלום ж")
    assert [used.face.name for used in typesetter.used()] == ["SourceSans3-Regular", "NotoSansHebrew-Regular"]
    assert word.rtl
    heading = Typesetter(Theme(heading_font=own("SourceCodePro-Regular")), "en")
    assert heading.font(STYLE.but(family="heading")).width("ii", 10) == pytest.approx(12)
    assert heading.font(STYLE).width("ii", 10) < 6
    content = document(["Own café ж"], theme=Theme(font=own("SourceCodePro-Regular")))
    assert pypdf.PdfReader(io.BytesIO(content)).pages[0].extract_text() == "Own café ж"


@pytest.mark.parametrize("content", [b"", b"no font", b"\x00\x01\x00\x00" + bytes(300), b"OTTO" + bytes(300)])
def test_bytes_that_are_no_font_are_refused_in_words(content: bytes) -> None:
    with pytest.raises(ValueError, match="font file"):
        Typesetter(Theme(font=FontFamily("Bad", content)), "en").font(STYLE)


@pytest.mark.parametrize("advance", [864, 1000, 0xFFFF])
def test_letters_wider_than_any_are_added_up_as_well(advance: int) -> None:
    """16 units to an em: 54, 62 and 4096 em, in thousandths no character or half of one."""
    font = bytearray((faces.FOLDER / "SourceSans3-Regular.ttf").read_bytes())
    tables = {
        bytes(font[at : at + 4]): struct.unpack_from(">LL", font, at + 8)
        for at in range(12, 12 + 16 * font[5], 16)
    }
    struct.pack_into(">H", font, tables[b"head"][0] + 18, 16)
    start, length = tables[b"hmtx"]
    for at in range(start, start + length - 3, 4):
        struct.pack_into(">H", font, at, advance)
    face = Typesetter(Theme(font=FontFamily("Wide", bytes(font))), "en").font(STYLE)
    wide = advance * 1000 / 16
    assert face.advances(["a", "bcd", ""]) == pytest.approx([wide, 3 * wide, 0], rel=0.001)


def test_a_damaged_font_is_refused_or_drawn_but_never_crashes() -> None:
    whole = (faces.FOLDER / "NotoSansThai-Regular.ttf").read_bytes()
    for cut in range(100, len(whole), 4001):
        try:
            document(["Damaged ไทย"], theme=Theme(font=FontFamily("Cut", whole[:cut])))
        except ValueError as error:
            assert "font file" in str(error)  # noqa: PT017  # some cuts only take unused outlines away


def test_faces_and_caches_stay_bounded(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(faces, "_own", Kept(faces.OWN_BYTES, 2, worth=1))
    monkeypatch.setattr(faces, "WORDS", 10)
    monkeypatch.setattr(chains, "CHAINS", 3)
    monkeypatch.setattr(chains, "SHAPES", 10)
    chains._chains.clear()  # those of other tests had more room
    whole = (faces.FOLDER / "NotoSansThai-Regular.ttf").read_bytes()
    for number in range(6):
        theme = Theme(font=FontFamily("Own", whole + bytes(number)))
        font = Typesetter(theme, "en").font(STYLE)
        for index in range(40):
            font.word(f"w{index}")
            font.word(f"ж{index}")
            font.word(chr(0x4E00 + index))
    assert len(faces._own) <= 2
    assert len(chains._chains) <= 3
    assert len(chains._shapes) <= 10
    for chain in chains._chains.values():
        assert len(chain._clusters) <= 10
        assert len(chain.faces[0]._words) <= 10


# ---------------------------------------------------------------- determinism


def test_a_font_that_has_left_is_not_in_memory_any_more(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(faces, "_own", Kept(faces.OWN_BYTES, 2, worth=1))
    whole = (faces.FOLDER / "NotoSansThai-Regular.ttf").read_bytes()
    seen = []
    for number in range(8):
        typesetter = Typesetter(Theme(font=FontFamily("Own", whole + bytes(number))), "en")
        typesetter.font(STYLE).word("Gone ไทย")
        seen.append(weakref.ref(typesetter.used()[0].face))
    del typesetter
    gc.collect()
    assert sum(face() is not None for face in seen) <= 3  # the chains are looked at when one more is made


def test_sixteen_threads_write_the_same_bytes() -> None:
    texts = [*WESTERN.values(), *SHAPED.values(), *BACKWARDS.values()]
    faces._bundled.clear()  # every face is loaded while all of them ask for it
    chains._chains.clear()
    with ThreadPoolExecutor(16) as pool:
        contents = set(pool.map(lambda _: document(texts), range(32)))
    assert len(contents) == 1
    # A process that has drawn other things before writes the same.
    document(list(reversed(texts)))
    assert document(texts) in contents


def test_an_english_document_carries_ascii_only_and_stays_small() -> None:
    plain, accented = document(["Plain text"]), document(["Plain täxt"])
    assert len(plain) < 16_000
    assert len(plain) < len(accented) < 30_000
    (font,) = pypdf.PdfReader(io.BytesIO(plain)).pages[0]["/Resources"]["/Font"].values()
    assert font["/Encoding"] == "/WinAnsiEncoding"
    assert re.fullmatch(r"/[A-Z]{6}\+SourceSans3-Regular", font["/BaseFont"])
    assert len(font["/Widths"]) == font["/LastChar"] - font["/FirstChar"] + 1


def test_the_file_is_sound(tmp_path: Path) -> None:
    path = tmp_path / "fonts.pdf"
    path.write_bytes(document([*WESTERN.values(), *SHAPED.values(), *BACKWARDS.values()]))
    run(program("qpdf"), "--check", str(path))
