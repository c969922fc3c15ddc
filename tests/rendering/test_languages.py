"""Fifteen languages in one document, fourteen more scripts in another: what is copied is what was put in."""

from __future__ import annotations

import unicodedata
from pathlib import Path

import pytest

from tests.gallery.languages import EXAMPLES, LOCALES, MORE_LOCALES, words
from tests.programs import program, run


def words_of(text: str) -> set[str]:
    """Return the words of a text, without direction marks and in one normal form."""
    kept = "".join(
        letter if unicodedata.category(letter) not in {"Cf", "Po", "Ps", "Pe"} else " " * (letter in ",،、()")
        for letter in unicodedata.normalize("NFC", text)
    )
    return set(kept.split())


@pytest.fixture(scope="module")
def copied(tmp_path_factory: pytest.TempPathFactory) -> str:
    """The text that poppler reads from both documents: in its own order, then in that of the file.

    The first follows lines across the columns of the table and parts Thai words at line ends; the second has
    each cell in one piece and parts Arabic words where letters are kerned.
    """
    path = tmp_path_factory.mktemp("languages") / "languages.pdf"
    pdftotext = program("pdftotext")
    read = []
    for example in EXAMPLES[:2]:
        path.write_bytes(example.pdf())
        read += run(pdftotext, str(path), "-"), run(pdftotext, "-raw", str(path), "-")
    return "\n".join(read)


@pytest.mark.parametrize("name", LOCALES + MORE_LOCALES)
def test_the_text_of_each_language_is_logical(name: str, copied: str) -> None:
    expected = words(name)
    found = words_of(copied)
    together = "".join(unicodedata.normalize("NFC", copied).split())
    for key in ("name", "months", "days"):
        # Where lines break between letters, the letters of a word must still follow each other.
        missing = [
            word
            for word in words_of(expected[key])
            if word not in found and "".join(word.split()) not in together
        ]
        assert missing == [], key


def test_every_script_has_its_letters(tmp_path: Path) -> None:
    path = tmp_path / "languages.pdf"
    path.write_bytes(EXAMPLES[0].pdf())
    fonts = run(program("pdffonts"), str(path))
    assert "no  no" not in " ".join(line[60:90] for line in fonts.splitlines()[2:])  # every font is embedded
    for family in ("SourceSans3", "Arabic", "Hebrew", "Devanagari", "Thai", "Droid"):
        assert family in fonts
