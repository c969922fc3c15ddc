"""Items to the code of a page: numbers, strings, texts, shapes, groups, opacity."""

from __future__ import annotations

import io
import re
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rendering.formats.pdf.layout.items import (
    Group,
    Item,
    Language,
    Link,
    Path,
    Rect,
    Rects,
    Rules,
    TextBlock,
)
from rendering.formats.pdf.numbers import number, precise
from rendering.formats.pdf.write.file import PdfFile, text_bytes
from rendering.formats.pdf.write.page_code import PageCode, color, times
from templates_app.resolved import ImageFile
from tests.rendering.writing import code_of, line, positions, read, run


class Names:
    """Names for page code that is looked at without a file."""

    def picture(self, image: ImageFile) -> tuple[str, None]:
        return "Im1", None

    def opacity(self, value: float) -> str:
        return f"G{value:.2f}"

    def link(self, *_: Any) -> None: ...

    anchor = late = link


def code(*items: Item) -> str:
    writer = PageCode(Names(), Names())
    writer.add(items)
    return writer.finish().decode("latin-1")


@pytest.mark.parametrize(
    ("value", "text"),
    [(0, "0"), (-0.0, "0"), (-0.004, "0"), (1, "1"), (12.5, "12.5"), (-3.14159, "-3.14"), (100, "100")]
    + [(0.05, "0.05"), (-0.05, "-0.05"), (1e7, "10000000"), (1e-9, "0"), (20.10, "20.1")],
)
def test_numbers_are_short(value: float, text: str) -> None:
    assert number(value) == text
    assert float(precise(value)) == pytest.approx(value, abs=1e-5)


@given(st.floats(-1e9, 1e9))
def test_numbers_are_never_in_exponents(value: float) -> None:
    assert re.fullmatch(r"-?\d+(\.\d?[1-9])?", number(value))
    assert re.fullmatch(r"-?\d+(\.\d+)?", precise(value))
    assert abs(float(number(value)) - value) <= 0.0051


def test_colors_survive_and_grays_are_short() -> None:
    assert color("#000000", "g", "rg") == "0 g"
    for value in ("#1b2430", "#01fe80", "#c00000"):
        parts = color(value, "g", "rg").split()[:3]
        assert "#" + "".join(f"{round(float(part) * 255):02x}" for part in parts) == value


@given(st.text(st.characters(), max_size=40))
def test_text_strings_come_back(value: str) -> None:
    file = PdfFile(io.BytesIO(), protection=None, file_id=b"")
    written = file.text(value)
    assert "\n" not in written
    assert "\r" not in written
    said = text_bytes(value)
    expected = re.sub("[\ud800-\udfff]", "\ufffd", value)
    assert (said[2:].decode("utf-16-be") if said[:2] == b"\xfe\xff" else said.decode("ascii")) == expected
    if value.isascii():
        assert re.sub(r"\\(.)", lambda m: {"n": "\n", "r": "\r"}.get(m[1], m[1]), written[1:-1]) == value


def test_lines_stand_where_they_were_placed() -> None:
    reader = read([line(72, 700, "first"), line(72, 685.8, "second"), line(200.25, 99.99, "third")])
    found = positions(reader)
    assert found == {"first": (72, 700), "second": (72, 685.8), "third": (200.25, 99.99)}


def test_state_is_told_once() -> None:
    written = code(*(line(72, 700 - 14 * at, "words") for at in range(10)))
    assert written.count("BT") == written.count("ET") == 1
    assert written.count("Tf") == 1
    assert written.count("0 -14 Td") == 9
    assert " g" not in written, "black is where a page begins"


def test_runs_follow_each_other_and_rise() -> None:
    written = code(
        line(72, 700, run("E = mc"), run("2", rise=4, size=6), run(".", rise=0)), line(72, 650, "next")
    )
    assert written.count("Td") == 2
    assert written.count("Ts") == 2
    assert written.index("4 Ts") < written.index("(2)") < written.index("0 Ts") < written.index("(.)")


def test_a_block_begins_on_the_baseline_in_its_own_colour() -> None:
    block = TextBlock("F2", 8, "#ff0000", "1 0 0 1 50 60 Tm (cell)Tj", lambda: iter(()))
    written = code(line(1, 2, run("up", rise=3)), block, line(3, 4, "after"))
    assert "0 Ts\n/F2 8 Tf\n1 0 0 rg\nBT\n1 0 0 1 50 60 Tm (cell)Tj\nET" in written
    reader = read([line(10, 20, "up"), block, line(30, 40, "after")])
    assert positions(reader) == {"up": (10, 20), "cell": (50, 60), "after": (30, 40)}


def test_glyphs_that_say_nothing_carry_their_text() -> None:
    reader = read([line(72, 700, run("ab", text="ﷺ", actual=True))])
    assert "/Span<</ActualText<fefffdfa>>>BDC\n[(ab)]TJ\nEMC" in code_of(reader)


def test_a_stretch_of_another_language_is_marked() -> None:
    written = code(
        line(1, 2, run("one")),
        Language("de_AT"),
        line(3, 4, run("zwei")),
        Language("la"),
        Language(""),  # nothing in between is no code
        Group([Language("en"), line(5, 6, run("three")), Language("")]),
        Language(""),
        line(7, 8, run("four")),
    )
    marks = [part for part in written.split("\n") if "BDC" in part or part in {"EMC", "BT", "ET", "q", "Q"}]
    assert marks == [
        *("q", "BT", "ET", "/Span<</Lang(de-AT)>>BDC", "BT", "ET"),
        *("q", "/Span<</Lang(en)>>BDC", "BT", "ET", "EMC", "Q", "EMC", "BT", "ET", "Q"),
    ]


def test_shapes() -> None:
    written = code(
        Rect(1, 2, 3, 4, fill="#ff0000"),
        Rect(1, 2, 30, 40, stroke="#00ff00", thickness=2),
        Rect(1, 2, 30, 40, fill="#0000ff", stroke="#00ff00", radius=5),
        Rect(9, 9, 9, 9),
        Rects([(1, 1, 2, 2), (5, 5, 2, 2)], "#0000ff"),
        Rects([], "#0000ff"),
        Path("0 0 m 5 5 l", stroke="#000000", cap=1, join=2, dash=(3, 1)),
        Rules([(0, 1, 10, 1)], "#000000", 0.35),
        Path("0 0 5 5 re", fill="#000000", even_odd=True),
        Path("", fill="#000000"),
    )
    assert "1 0 0 rg\n1 2 3 4 re\nf\n" in written
    assert "0 1 0 RG\n2 w\n1 2 30 40 re\nS" in written
    assert written.count(" c\n") == 3  # the fourth is followed by `h` on its own line
    assert " h\nB" in written
    assert "1 1 2 2 re\n5 5 2 2 re\nf" in written
    assert "[3 1]0 d\n1 J\n2 j\n0 0 m 5 5 l\nS" in written
    assert "0.35 w\n[]0 d\n0 J\n0 j\n0 1 m 10 1 l\nS" in written
    assert "0 0 5 5 re\nf*" in written
    assert "9 9 9 9" not in written


@pytest.mark.parametrize(("square", "left", "right"), [("left", 0, 5), ("right", 5, 0)])
def test_round_corners_at_one_side(square: Any, left: float, right: float) -> None:
    """Whose other side is straight from the upper to the lower end."""
    written = code(Rect(10, 20, 30, 40, stroke="#000000", radius=5, square=square))
    points = [part.split()[:2] for part in written.split("\n") if " m" in part or " l" in part]
    corners = {(float(x), float(y)) for x, y in points}
    assert {(10.0 + left, 20.0), (40.0 - right, 20.0), (10.0 + left, 60.0)} <= corners
    assert written.count(" c") == 2


def test_a_group_keeps_its_state_to_itself() -> None:
    inner = Group([line(0, 0, run("in", color="#ff0000"))], (0, 1, -1, 0, 100, 50), opacity=0.5)
    written = code(line(1, 2, "before"), inner, line(3, 4, "after"))
    assert "q\n0 1 -1 0 100 50 cm\n/G0.50 gs\nBT" in written
    after = written[written.rindex("Q\nBT") :]
    assert "Tf" not in after, "the font before the group holds again"
    assert "rg" not in after
    assert positions(read([inner]))["in"] == (100, 50)


def test_opacities_multiply_and_are_shared() -> None:
    seen = Group([Group([Rect(0, 0, 1, 1, fill="#000000")], opacity=0.5)], opacity=0.5)
    reader = read([seen, seen])
    states = reader.pages[0]["/Resources"]["/ExtGState"]  # type: ignore[index]
    assert {name: float(state["/ca"]) for name, state in states.items()} == {"/G50": 0.5, "/G25": 0.25}
    assert reader.pages[0]["/Group"]["/CS"] == "/DeviceRGB"  # type: ignore[index]


def test_clips_and_words_for_pictures() -> None:
    written = code(Group([Rect(0, 0, 9, 9, fill="#000000")], clip=(1, 2, 3, 4), alt="Chart"))
    assert "BDC\nq\n1 2 3 4 re W n\n0 0 9 9 re\nf\nQ\nEMC" in written
    assert f"/Alt<{b'Chart'.hex()}>" in written


def test_nothing_drawn_is_no_code() -> None:
    assert code() == ""
    assert code(Group([Link(0, 0, 1, 1, "https://a.b")]), TextBlock("F1", 1, "#000000", "", iter)) == ""  # type: ignore[arg-type]
    assert "/Contents" not in read([]).pages[0]


@given(st.lists(st.tuples(*[st.integers(-500, 1500)] * 2), min_size=1, max_size=20))
def test_steps_do_not_drift(places: list[tuple[int, int]]) -> None:
    written = code(*(line(x / 7, y / 7, "x") for x, y in places))
    x = y = 0.0
    steps = re.findall(r"(\S+) (\S+) Td", written)
    for (dx, dy), (at_x, at_y) in zip(steps, places, strict=True):
        x, y = x + float(dx), y + float(dy)
        assert abs(x - at_x / 7) < 0.006
        assert abs(y - at_y / 7) < 0.006


def test_matrices_are_applied_in_order() -> None:
    assert times((2, 0, 0, 2, 0, 0), (1, 0, 0, 1, 5, 7)) == (2, 0, 0, 2, 5, 7)
    assert times((1, 0, 0, 1, 5, 7), (2, 0, 0, 2, 0, 0)) == (2, 0, 0, 2, 10, 14)
