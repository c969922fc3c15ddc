"""What PDF layout computes before anything is drawn: column widths, lines, bands."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from rendering.formats.pdf.bands import fitted
from rendering.formats.pdf.columns import Wish, column_widths
from rendering.formats.pdf.fonts import face
from rendering.formats.pdf.text import Measure, clean


class TestColumnWidths:
    def test_they_fill_the_width(self) -> None:
        wishes = [
            Wish(None, 50, 40, True),
            Wish(None, 30, 30, False),
            Wish("25%", 0, 0, True),
            Wish(10.0, 0, 0, True),
        ]
        widths = column_widths(wishes, 400)
        assert sum(widths) == pytest.approx(400)
        assert widths[2] == pytest.approx(100)
        assert widths[3] == pytest.approx(28.35, abs=0.01)
        assert widths[0] > widths[1]

    def test_given_widths_may_leave_room(self) -> None:
        assert sum(column_widths([Wish(10.0, 0, 0, True)], 400)) == pytest.approx(28.35, abs=0.01)

    @settings(max_examples=60, deadline=None)
    @given(
        st.lists(
            st.tuples(
                st.none() | st.floats(1, 2000) | st.integers(1, 100).map(lambda share: f"{share}%"),
                st.floats(0, 5000),
                st.floats(0, 1),
                st.booleans(),
            ),
            min_size=1,
            max_size=60,
        ),
        st.floats(30, 800),
    )
    def test_they_never_exceed_it(
        self, columns: list[tuple[float | str | None, float, float, bool]], room: float
    ) -> None:
        widths = column_widths(
            [Wish(given, full, full * part, grow) for given, full, part, grow in columns], room
        )
        assert sum(widths) <= room + 0.01
        assert all(width >= 0 for width in widths)


class TestBandTexts:
    @settings(max_examples=60, deadline=None)
    @given(st.tuples(*[st.text("abc W", max_size=120).map(str.strip)] * 3), st.floats(30, 600))
    def test_texts_never_meet(self, texts: tuple[str, str, str], width: float) -> None:
        measure = Measure(face(), 8)
        left, center, right = (measure.width(part) for part in fitted(texts, width, measure))
        half = (width - center) / 2
        if center:
            assert left <= half + 0.1
            assert right <= half + 0.1
        assert left + right <= width + 0.1


class TestText:
    @settings(max_examples=80, deadline=None)
    @given(st.text(max_size=300), st.floats(0.1, 300))
    def test_wrapping_loses_only_blanks(self, content: str, width: float) -> None:
        measure = Measure(face(), 10)
        content = clean(content)
        lines = measure.wrap(content, width)
        assert "".join("".join(lines).split()) == "".join(content.split())
        assert all(
            measure.width(line) <= width + 0.01 or len(line) < 3 or max(line) > "\u0300" for line in lines
        )

    def test_cleaning(self) -> None:
        assert clean("a\tb\x00\r\nc\u2028d\u200be\ud83d") == "a    b\nc\nde\ufffd"

    def test_clipping_to_nothing(self) -> None:
        assert Measure(face(), 10).clipped("text", 1) == ""

    def test_words_kept_are_bounded(self) -> None:
        measure = Measure(face(), 10)
        for number in range(measure.KEPT + 10):
            measure.word(str(number))
        assert len(measure._words) <= measure.KEPT
