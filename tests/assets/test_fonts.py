"""What counts as a font that documents may contain."""

import struct
from contextlib import suppress
from pathlib import Path

import pytest

from assets.composites import EndlessLetter, check_composites
from assets.fonts import FontInfo, InvalidFont, inspect_font, looks_like_font

FONTS = Path(__file__).parents[2] / "rendering" / "formats" / "pdf" / "fonts"
REGULAR = (FONTS / "SourceSans3-Regular.ttf").read_bytes()


def table(data: bytes, tag: bytes) -> tuple[int, int, int]:
    """Where the directory entry, and where the table is; and its length."""
    for index in range(struct.unpack_from(">H", data, 4)[0]):
        entry = 12 + 16 * index
        if data[entry : entry + 4] == tag:
            offset, length = struct.unpack_from(">LL", data, entry + 8)
            return entry, offset, length
    raise AssertionError(tag)


def with_permission(bits: int) -> bytes:
    data = bytearray(REGULAR)
    struct.pack_into(">H", data, table(REGULAR, b"OS/2")[1] + 8, bits)
    return bytes(data)


def renamed(tag: bytes, new: bytes) -> bytes:
    entry = table(REGULAR, tag)[0]
    return REGULAR[:entry] + new + REGULAR[entry + 4 :]


def test_names_and_looks() -> None:
    assert inspect_font(REGULAR) == FontInfo("Source Sans 3", "Regular", bold=False, italic=False)
    bold = (FONTS / "SourceSans3-SemiBoldItalic.ttf").read_bytes()
    assert inspect_font(bold) == FontInfo("Source Sans 3", "SemiBold Italic", bold=True, italic=True)


@pytest.mark.parametrize("bits", [0x0000, 0x0004, 0x0008, 0x000C, 0x0006, 0x000A])
def test_permissions_that_are_enough(bits: int) -> None:
    assert inspect_font(with_permission(bits)).family == "Source Sans 3"


@pytest.mark.parametrize(
    ("bits", "reason"),
    [(0x0002, "restricted"), (0x0100, "no subset"), (0x0104, "no subset"), (0x0200, "bitmaps only")],
)
def test_permissions_that_are_not(bits: int, reason: str) -> None:
    with pytest.raises(InvalidFont, match=f"the font's licence.*{reason}"):
        inspect_font(with_permission(bits))


@pytest.mark.parametrize(
    ("head", "reason"),
    [
        (b"OTTO", "PostScript outlines"),
        (b"ttcf", "a collection of fonts"),
        (b"wOFF", "a web font"),
        (b"wOF2", "a web font"),
    ],
)
def test_other_sorts_are_named(head: bytes, reason: str) -> None:
    data = head + REGULAR[4:]
    assert looks_like_font(data)
    with pytest.raises(InvalidFont, match=reason):
        inspect_font(data)


@pytest.mark.parametrize("length", [4, 11, 12, 100, len(REGULAR) // 2, len(REGULAR) - 1])
def test_cut_files_are_refused(length: int) -> None:
    with pytest.raises(InvalidFont, match="damaged or incomplete"):
        inspect_font(REGULAR[:length])


@pytest.mark.parametrize("tag", [b"glyf", b"loca", b"cmap", b"head", b"hmtx"])
def test_a_missing_table_is_noticed(tag: bytes) -> None:
    with pytest.raises(InvalidFont, match="the font (is damaged|has no letters)"):
        inspect_font(renamed(tag, b"zzzz"))


def test_variable_fonts_are_refused() -> None:
    with pytest.raises(InvalidFont, match="a variable font"):
        inspect_font(renamed(b"GPOS", b"fvar"))


@pytest.mark.parametrize("tag", [b"glyf", b"loca", b"cmap", b"name", b"OS/2", b"head", b"maxp", b"GSUB"])
def test_garbage_in_a_table_never_crashes(tag: bytes) -> None:
    _, offset, length = table(REGULAR, tag)
    for filling in (b"\xff", b"\x00", b"\x7f"):
        data = REGULAR[:offset] + filling * length + REGULAR[offset + length :]
        with suppress(InvalidFont):
            assert inspect_font(data).family


def composed(*letters: list[int]) -> tuple[bytes, bytes, bytes]:
    """Return head, loca and glyf of letters that are made of others, and one of an outline behind them."""
    outlines = []
    for parts in letters:
        glyph = struct.pack(">hhhhh", -1, 0, 0, 9, 9)
        for index, part in enumerate(parts, start=1):
            glyph += struct.pack(">HHbb", 0x22 if index < len(parts) else 0x02, part, 0, 0)
        outlines.append(glyph)
    outlines.append(struct.pack(">hhhhh", 1, 0, 0, 9, 9))
    places = [0]
    for glyph in outlines:
        places.append(places[-1] + len(glyph))
    return bytes(50) + b"\0\1\0\0", struct.pack(f">{len(places)}L", *places), b"".join(outlines)


@pytest.mark.parametrize(
    "letters",
    [
        [[0]],
        [[1], [0]],
        [[index + 1] * 10 for index in range(4)],
        [[1] * 1001],
        [[index + 1] for index in range(17)],
        [[19], *([index] for index in range(18))],
    ],
    ids=["itself", "each other", "10,000 outlines", "1,001 parts", "17 levels", "the last one first"],
)
def test_letters_without_an_end_are_refused(letters: list[list[int]]) -> None:
    with pytest.raises(EndlessLetter):
        check_composites(*composed(*letters))


def test_letters_of_letters_are_taken() -> None:
    check_composites(*composed([2, 2], [0, 2]))
    check_composites(*composed(*([index + 1] for index in range(16))))
    check_composites(*composed([1] * 1000))


def test_a_font_of_such_letters_is_refused() -> None:
    data = bytearray(REGULAR)
    _, where, _ = table(REGULAR, b"glyf")
    _, places, _ = table(REGULAR, b"loca")
    is_long = struct.unpack_from(">h", REGULAR, table(REGULAR, b"head")[1] + 50)[0]
    assert struct.unpack_from(">L" if is_long else ">H", data, places) == (0,)
    struct.pack_into(">hhhhhHHbb", data, where, -1, 0, 0, 9, 9, 0x02, 0, 0, 0)
    with pytest.raises(InvalidFont, match="made of too many others, or of itself"):
        inspect_font(bytes(data))


def test_the_bundled_fonts_have_an_end() -> None:
    for path in sorted(FONTS.glob("*.ttf")):
        data = path.read_bytes()
        places = (table(data, tag)[1:] for tag in (b"head", b"loca", b"glyf"))
        check_composites(*(data[at : at + size] for at, size in places))


def test_what_is_no_font() -> None:
    for data in (b"", b"%PDF", b"\x89PNG"):
        assert not looks_like_font(data)
        with pytest.raises(InvalidFont, match="not a TrueType font"):
            inspect_font(data)
