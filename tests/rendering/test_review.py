"""What hostile or careless content must not do: take long, take memory, or lose what was asked for."""

from __future__ import annotations

import time
import warnings
from typing import Any

import pytest

from rendering.formats.base import LimitExceeded
from rendering.formats.pdf.layout.document import pages_of
from rendering.formats.pdf.layout.kinds import text as text_kind
from rendering.formats.pdf.typeset.atoms import LONGEST
from rendering.formats.pdf.typeset.clusters import clusters
from rendering.formats.pdf.typeset.paragraph import compose
from rendering.formats.pdf.typeset.running import CHECKED, Source
from rendering.formats.pdf.typeset.style import TextStyle
from rendering.formats.pdf.typeset.typesetter import Typesetter
from rendering.formats.xlsx.printing import band
from templates_app.expressions.formulas import parse_formula
from templates_app.expressions.helpers import Style
from templates_app.kinds import KINDS
from templates_app.resolved import (
    Frame,
    ResolvedBand,
    ResolvedBox,
    ResolvedColumnOfSections,
    ResolvedColumns,
    ResolvedGroup,
    ResolvedPageBreak,
    ResolvedText,
    Theme,
)
from templates_app.scope import Budget, ResolveError, Scope
from tests.rendering.resolved import document, limits

STYLE = TextStyle(10, "#000000")
DEPTH = 7


def box(*sections: Any) -> ResolvedBox:
    return ResolvedBox(sections, Frame(padding=1), True)


def column(*sections: Any) -> ResolvedColumns:
    return ResolvedColumns([ResolvedColumnOfSections(sections, None)], 6)


def group(*sections: Any) -> ResolvedGroup:
    return ResolvedGroup([sections], True, False, 0.0, Frame())


def written(text: str) -> ResolvedText:
    return ResolvedText(text, "left", None, False, False, None, True)


# ---------------------------------------------------------------- sections in each other


@pytest.mark.parametrize("around", [box, column, group])
@pytest.mark.parametrize(
    "leaf", [[written("word " * 3000)], [written("a"), ResolvedPageBreak(), written("b")]]
)
def test_each_level_is_laid_out_once_more_at_most(
    around: Any, leaf: list[Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    """A trial that fails ends those around it: not twice as often with every level.

    What columns begin with is looked at once more, at the innermost level.
    """
    drawn: list[Any] = []
    real = text_kind.Composer
    monkeypatch.setattr(
        text_kind, "Composer", lambda *args, **more: drawn.append(args) or real(*args, **more)
    )
    sections: list[Any] = leaf
    for _ in range(DEPTH):
        sections = [around(*sections)]
    pages = pages_of(document(*sections), limits())
    assert len(pages) > 1
    assert len(drawn) <= (DEPTH + 1) * len(leaf) + 1


def test_what_fits_stays_together_at_any_depth() -> None:
    inner: list[Any] = [written("kept")]
    for around in (box, group, column, box):
        inner = [around(*inner)]
    assert len(pages_of(document(written("\n" * 50 + "x"), *inner), limits())) == 1


# ---------------------------------------------------------------- texts


def test_clusters_end() -> None:
    pieces = [stop - start for start, stop in clusters("a" + "\u0301" * 1000)]
    assert sum(pieces) == 1001
    assert max(pieces) <= 64
    assert [*clusters("👩‍👩‍👧‍👦")] == [(0, 7)]


@pytest.mark.parametrize("text", ["a" + "\u0301" * 9000, "\u064b" * 5000, "م" * 9000, "本" * 9000])
def test_very_long_words_of_marks_and_other_scripts(text: str) -> None:
    paragraph = compose(text, STYLE, 400, typesetter=Typesetter(Theme(), "en"))
    assert "".join(line.text for line in paragraph.lines) == text
    assert paragraph.natural_width <= 400.01


@pytest.mark.parametrize("text", ["مرحبا" * 4000, "日本語" * 4000, "w" * 40_000])
def test_the_deadline_counts_inside_of_one_text(text: str) -> None:
    clock = limits(seconds=0)
    typesetter = Typesetter(Theme(), "en", clock.check_time)
    time.sleep(0.001)
    with pytest.raises(LimitExceeded, match="RENDER_TIMEOUT"):
        compose(text, STYLE, 200, typesetter=typesetter)


@pytest.mark.parametrize("measure", [200, 1e6], ids=["in a column", "as wide as it likes"])
def test_it_counts_in_many_texts_of_one_long_word_each(measure: float) -> None:
    looks: list[None] = []
    typesetter = Typesetter(Theme(), "en", lambda: looks.append(None))
    for _ in range(3):
        compose("w" * 3000, STYLE, measure, typesetter=typesetter)
    assert len(looks) >= 3


def test_nor_does_a_word_of_many_soft_hyphens_keep_it_waiting(monkeypatch: pytest.MonkeyPatch) -> None:
    measured = [0]  # texts between two looks at the clock
    width = Source.width
    typesetter = Typesetter(Theme(), "en", lambda: measured.append(0))

    def counted(source: Source, begin: int, stop: int) -> float:
        measured[-1] += 1
        return width(source, begin, stop)

    monkeypatch.setattr(Source, "width", counted)
    compose("a\u00ad" * 20_000, STYLE, 200, typesetter=typesetter)
    assert len(measured) > 3
    assert max(measured) <= 3 * LONGEST * CHECKED


# ---------------------------------------------------------------- what expressions and formulas write


def scope_of(values: dict[str, Any], **more: Any) -> Scope:
    def refuse(reference: str) -> Any:
        raise ValueError("none")

    return Scope(values, {}, Style(), refuse, **more)


@pytest.mark.parametrize("template", ["{{a}}" * 5000, "**{{a}}**" * 5000, "{{a|markdown}}" * 5000])
def test_a_long_value_cannot_be_multiplied_without_end(template: str) -> None:
    with pytest.raises(ResolveError, match="makes texts of more than 300000000 characters"):
        scope_of({"a": "x" * 100_000}, budget=_small()).rich(template)


def test_nor_in_the_cells_of_a_table() -> None:
    section = {"type": "table", "source": "rows"}
    values = {"rows": [{"a": "x" * 10_000}] * 100, "b": "y" * 10_000}
    for column in (
        {"content": "{{item.a}}" * 900},
        {"content": "{{b}}" * 900},
        {"value": "&".join(["a"] * 90)},
    ):
        table = KINDS["table"].model_validate(
            section | {"columns": [{"key": f"k{number}", **column} for number in range(12)]}
        )
        with pytest.raises(ResolveError, match="makes texts of more than"):
            table.resolve(scope_of(values, budget=_small()))


def _small() -> Budget:
    budget = Budget()
    budget.write(290_000_000)
    return budget


def test_joining_is_linear_once_a_cell_is_full() -> None:
    formula = parse_formula("&".join(["a"] * 400))
    (cell,) = formula.column(lambda path: ["x" * 30_000], 1)
    assert cell == "x" * 32_767


def test_formulas_and_conditions_look_at_the_clock() -> None:
    def late() -> None:
        raise LimitExceeded("late")

    section = {"type": "table", "source": "rows", "columns": [{"value": "a + 1"}]}
    with pytest.raises(LimitExceeded):
        KINDS["table"].model_validate(section).resolve(scope_of({"rows": [{"a": 1}]}, budget=Budget(late)))


def test_names_of_sheets_and_labels_are_filled_in() -> None:
    section = KINDS["table"].model_validate(
        {
            "type": "table",
            "source": "rows",
            "columns": [{"key": "a"}],
            "sheet": {"name": "{{month}}"},
            "carryForward": {"brought": "From {{month}}"},
        }
    )
    table = section.resolve(scope_of({"rows": [], "month": "May"}))
    assert (table.sheet.name, table.carry_labels) == ("May", ("From May", "Carried forward"))
    assert ("month",) in {use.path for use in section.uses()}


# ---------------------------------------------------------------- worksheets


@pytest.mark.parametrize("words", ["R&G", "A&[Picture]B", "&G&G", "&&G"])
def test_a_header_that_looks_like_an_image_is_kept(words: str, tmp_path: Any) -> None:
    import xlsxwriter

    code = band(ResolvedBand(left=words))
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        book = xlsxwriter.Workbook(str(tmp_path / "a.xlsx"))
        sheet = book.add_worksheet()
        sheet.set_header(code)
        assert sheet.header == code
        book.close()
