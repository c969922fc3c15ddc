"""Where words may be hyphenated: the patterns of pyphen, and what is left out."""

from __future__ import annotations

from pathlib import Path

import pyphen
import pytest

from rendering.formats.pdf.typeset.hyphenation import Patterns, points


class TestHyphenation:
    @pytest.mark.parametrize(
        ("language", "word", "parts"),
        [
            ("de", "Donaudampfschifffahrt", "Do-nau-dampf-schiff-fahrt"),
            ("de-AT", "Rechnungsbetrag", "Rech-nungs-be-trag"),
            ("en", "hyphenation", "hy-phen-a-tion"),
            ("en-GB", "justification,", "jus-ti-fic-a-tion,"),
            ("fr", "l’administration", "l’ad-mi-nis-tra-tion"),
        ],
    )
    def test_known_words(self, language: str, word: str, parts: str) -> None:
        found = points(word, language)
        shown = "".join("-" * (at in found) + letter for at, letter in enumerate(word))
        assert shown == parts

    def test_long_compounds(self) -> None:
        assert len(points("Grundstücksverkehrsgenehmigungszuständigkeitsübertragungsverordnung", "de")) > 12
        assert points("a" * 100, "de") == ()

    @pytest.mark.parametrize(
        "word",
        ["short", "UNESCO-lists"[:6], "AB1234567", "www.example.com", "a@example.org", "McDonaldsTown"],
    )
    def test_what_is_never_hyphenated(self, word: str) -> None:
        assert points(word, "en") == ()

    @pytest.mark.parametrize("language", ["en_US", "fr", "it_IT", "ru_RU", "el_GR"])
    def test_points_are_those_of_pyphen(self, language: str) -> None:
        words = {
            "en_US": "typesetting considerable algorithm present record",
            "fr": "bibliothèque anticonstitutionnellement développement",
            "it_IT": "precipitevolissimevolmente dattilografia",
            "ru_RU": "перенос достопримечательность",
            "el_GR": "συλλαβισμός ελληνικά",
        }[language].split()
        theirs = pyphen.HyphDict(pyphen.LANGUAGES[language])
        ours = Patterns(Path(pyphen.LANGUAGES[language]))
        for word in words:
            expected = [int(p) for p in theirs.positions(word) if p.data is None and 0 < p < len(word)]
            assert ours.positions(word) == expected

    def test_points_that_change_the_spelling_are_left_out(self, tmp_path: Path) -> None:
        path = tmp_path / "hyph_xx.dic"
        path.write_text("UTF-8\n% comment\nLEFTHYPHENMIN 2\nas3szo/sz=sz,2,3\nn1n\n^^611b1c\n", "utf-8")
        assert Patterns(path).positions("asszonnabcd") == [6, 8, 9]

    def test_languages_without_patterns(self) -> None:
        assert points("hyphenation", "tlh") == ()
        assert points("hyphenation", "") == ()
