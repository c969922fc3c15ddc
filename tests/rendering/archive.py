"""What PDF/A-2 (ISO 19005-2) demands of a file, as far as it can be seen without a validator."""

from __future__ import annotations

from collections.abc import Iterator
from io import BytesIO
from typing import Any

import pikepdf

MOST_BYTES = 32_767  # of a string (6.1.13)
MOST_LEVELS = 28  # of q and Q within each other


def kept_promises(content: bytes) -> str:
    """Return part and level that a file claims ("2U"), "" for none; asserts that it keeps them."""
    with pikepdf.open(BytesIO(content)) as pdf:
        level = pdf.open_metadata().pdfa_status
        if not level:
            assert "/OutputIntents" not in pdf.Root
            return ""
        assert not pdf.is_encrypted
        [intent] = pdf.Root.OutputIntents
        assert intent.S == "/GTS_PDFA1"
        assert intent.DestOutputProfile.N == 3
        assert intent.DestOutputProfile.read_bytes()[12:24] == b"mntrRGB XYZ "
        assert ("/StructTreeRoot" in pdf.Root) >= level.endswith("A")
        for made in pdf.objects:
            for string in _strings(made):
                assert len(bytes(string)) <= MOST_BYTES
            if isinstance(made, pikepdf.Stream) and made.get("/Subtype") == "/Image":
                assert "CMYK" not in str(made.ColorSpace)
                assert not made.get("/Interpolate", False)
        for page in pdf.pages:
            assert "/Resources" in page.obj
            for note in page.obj.get("/Annots", ()):
                assert int(note.F) == 4
            fonts = page.obj.Resources.get("/Font", {})
            for font in fonts.values():
                _check_font(font)
            _check_code(page, {name for name, font in fonts.items() if font.Subtype == "/Type0"})
        return level


def _check_font(font: Any) -> None:
    """Assert that a font is inside and says what its codes mean."""
    assert "/ToUnicode" in font or font.Encoding == "/WinAnsiEncoding"
    own = font.DescendantFonts[0] if font.Subtype == "/Type0" else font
    assert "/FontFile2" in own.FontDescriptor


def _check_code(page: pikepdf.Page, composite: set[str]) -> None:
    """Assert that a page shows no glyph 0, has no colours of a printer and does not nest too deep."""
    level, font, fonts = 0, "", []
    for operands, operator in pikepdf.parse_content_stream(page):
        name = str(operator)
        assert name not in {"k", "K"}
        if name == "q":
            level += 1
            assert level <= MOST_LEVELS
            fonts.append(font)
        elif name == "Q":
            level -= 1
            font = fonts.pop()
        elif name == "Tf":
            font = str(operands[0])
        elif name in {"TJ", "Tj"} and font in composite:
            for string in _strings(operands[0]):
                codes = bytes(string)
                assert all(codes[at : at + 2] != b"\0\0" for at in range(0, len(codes), 2))


def _strings(made: Any) -> Iterator[pikepdf.String]:
    """Yield the strings of an object and of what stands directly inside; of a stream, of its dictionary."""
    if isinstance(made, pikepdf.String):
        yield made
    elif isinstance(made, pikepdf.Dictionary | pikepdf.Stream | pikepdf.Array):
        for value in made if isinstance(made, pikepdf.Array) else dict(made.items()).values():
            if isinstance(value, pikepdf.Object) and not value.is_indirect:
                yield from _strings(value)
