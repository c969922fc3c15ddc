"""Any template that is accepted, with any data that fits it, becomes a document that keeps its promises.

Nothing is placed outside its page or over other text, each row of data is there exactly once, totals are
right, and nothing crashes: nested sections, 0 rows, very long words, any script, marks anywhere.
"""

from __future__ import annotations

import os
import time
from bisect import insort
from dataclasses import replace
from datetime import UTC, datetime
from decimal import Decimal
from functools import lru_cache
from io import BytesIO
from typing import Any

import openpyxl
import pypdf
import pytest
from hypothesis import HealthCheck, Phase, assume, example, given, settings
from hypothesis import strategies as st

from rendering.engine import check_content
from rendering.formats import RENDERERS
from rendering.formats.base import Limits
from rendering.formats.pdf.layout.document import pages_of
from rendering.formats.pdf.layout.items import Page
from rendering.resolve import resolve
from templates_app.bodies import TemplateCreate, parse_body
from templates_app.content import Content
from templates_app.resolved import ResolvedDocument
from tests.cases import cases
from tests.gallery.base import load_image
from tests.rendering.archive import kept_promises
from tests.rendering.geometry import boxes, covered, outside, overlapping, texts
from tests.rendering.random_content import data, pages, sections, tables
from tests.rendering.tagged import Tagged, homeless

CREATED = datetime(2026, 11, 21, tzinfo=UTC)
# Shrinking a document takes minutes: `SHRINK=1` asks for it.
PHASES = [Phase.explicit, Phase.reuse, Phase.generate, *([Phase.shrink] if os.environ.get("SHRINK") else [])]
CHECKS = [HealthCheck.too_slow, HealthCheck.data_too_large, HealthCheck.filter_too_much]


picture = lru_cache(load_image)


def documents(count: int) -> settings:
    """Return the settings of a property of whole documents."""
    return cases(count, phases=PHASES, suppress_health_check=CHECKS)


def limits() -> Limits:
    return Limits(max_pages=10_000, deadline=time.monotonic() + 600, seconds=600)


def resolved(body: dict[str, Any], values: dict[str, Any]) -> ResolvedDocument:
    """Go the way of a render up to the resolved document."""
    content = Content(**{**EMPTY, **parse_body(TemplateCreate, body)})
    checked = check_content(content, values)
    return resolve(content, checked, load_image=picture, created_at=CREATED)


EMPTY: dict[str, Any] = {"description": "", "variables": [], "page": {}, "sample_data": {}}


def promised(document: ResolvedDocument) -> list[Page]:
    """Lay out, assert what holds for every document, and return its pages."""
    laid_out = pages_of(document, limits())
    for page in laid_out:
        assert outside(page) == [], "outside of the page"
        assert overlapping(page) == [], "text over text"
        assert covered(page) == [], "a ground over text"
    return laid_out


WIDE_SIGN_BESIDE_A_WIDE_LABEL = {
    "type": "columns",
    "gap": 0,
    "columns": [
        {
            "sections": [
                {
                    "type": "key_value",
                    "items": [{"label": "a", "value": "{{text}}", "strong": True}],
                    "labelWidth": 194,
                }
            ]
        },
        {"sections": [{"type": "heading", "content": "Contents", "level": 2}]},
    ],
}

LIST = {"type": "list", "items": ["{{title}}", "b"], "ordered": True}
NUMBERS_IN_THE_NARROWEST_COLUMNS = {
    "type": "columns",
    "gap": 0,
    "columns": [
        {"sections": [{"type": "text", "content": "wwwww"}]},
        {
            "sections": [
                {
                    "type": "columns",
                    "gap": 11,
                    "columns": [{"sections": [LIST]}, {"sections": [LIST], "language": "ar"}],
                }
            ]
        },
        {"sections": [{"type": "text", "content": "wwwww"}]},
    ],
}
PAIRS_IN_THE_NARROWEST_COLUMNS = {
    "type": "columns",
    "gap": 0,
    "columns": [
        {"sections": [{"type": "key_value", "items": [{"label": "{{text}}", "value": "{{text}}"}] * 2}]}
    ]
    * 4,
}
HEADING_BESIDE_A_PICTURE_THAT_IS_CUT = {
    "type": "columns",
    "columns": [
        {"sections": [{"type": "heading", "content": "No"}]},
        {"sections": [{"type": "image", "source": "logo", "width": 230, "height": 299, "mode": "cover"}]},
    ],
}
NOTHING = {"title": "", "text": "", "items": [], "flag": False, "orders": []}


@documents(500)
@given(body=st.lists(sections, min_size=1, max_size=5), page=pages(), values=data())
@example(body=[WIDE_SIGN_BESIDE_A_WIDE_LABEL], page={"size": "A4"}, values=NOTHING | {"text": "👩‍👩‍👧‍👦"})
@example(
    body=[NUMBERS_IN_THE_NARROWEST_COLUMNS],
    page={"size": {"width": 80, "height": 100}, "margins": {"left": 10, "right": 10}},
    values=NOTHING | {"title": "w"},
)
@example(
    body=[PAIRS_IN_THE_NARROWEST_COLUMNS],
    page={"size": {"width": 80, "height": 100}, "margins": {"left": 30, "right": 30}},
    values=NOTHING | {"text": "漢"},
)
@example(body=[HEADING_BESIDE_A_PICTURE_THAT_IS_CUT], page={"size": "A4"}, values=NOTHING)
def test_any_document(body: list[dict[str, Any]], page: dict[str, Any], values: dict[str, Any]) -> None:
    document = resolved({"name": "Any", "formats": ["pdf"], "sections": body, "page": page}, values)
    laid_out = promised(document)
    out = BytesIO()
    RENDERERS["pdf"].render(document, out, limits())
    assert len(pypdf.PdfReader(out).pages) == len(laid_out)


@documents(500)
@given(table=tables(), page=pages(), values=data(), above=st.floats(1, 200))
def test_any_table(table: dict[str, Any], page: dict[str, Any], values: dict[str, Any], above: float) -> None:
    body = [{"type": "spacer", "height": above}, table]
    document = resolved({"name": "Any", "formats": ["pdf", "xlsx"], "sections": body, "page": page}, values)
    found = "".join(texts(promised(document), "td"))
    assert [found.count(row["mark"]) for row in values["items"]] == [1] * len(values["items"])


@documents(200)
@given(
    body=st.lists(sections, min_size=1, max_size=3) | tables().map(lambda table: [table]),
    page=pages(),
    values=data(),
)
def test_any_tagged_document(
    body: list[dict[str, Any]], page: dict[str, Any], values: dict[str, Any]
) -> None:
    """Everything stands where it stands without a structure, and belongs to exactly one element of it."""
    plain = resolved({"name": "Any", "formats": ["pdf"], "sections": body, "page": page}, values)
    document = replace(plain, tagged=True)
    for one, other in zip(pages_of(plain, limits()), pages_of(document, limits()), strict=True):
        expected, found = places(one), places(other)
        assert found.keys() == expected.keys()
        for text, axes in expected.items():
            assert found[text] == [pytest.approx(axis, abs=0.1) for axis in axes]
    assert homeless(document, limits()) == []
    out = BytesIO()
    RENDERERS["pdf"].render(replace(document, archivable=True, protection=None), out, limits())
    Tagged(out.getvalue())
    assert kept_promises(out.getvalue()) == "2A"


def places(page: Page) -> dict[str, list[list[float]]]:
    """Return where the texts of a page begin, in points: by text, from the left and from below."""
    found: dict[str, list[list[float]]] = {}
    for box in boxes(page.items):
        if box.text:
            lefts, lows = found.setdefault(box.text, [[], []])
            insort(lefts, box.left)
            insort(lows, box.bottom)
    return found


@documents(200)
@given(body=st.lists(sections, min_size=1, max_size=5), values=data())
def test_any_cover_sheet(body: list[dict[str, Any]], values: dict[str, Any]) -> None:
    """Whatever stands beside a table, the workbook can be made and opened."""
    sheet = {"type": "table", "source": "items", "columns": [{"key": "mark"}]}
    page = {"coverSheet": True}
    document = resolved(
        {"name": "Any", "formats": ["xlsx"], "sections": [*body, sheet], "page": page}, values
    )
    out = BytesIO()
    RENDERERS["xlsx"].render(document, out, limits())
    assert openpyxl.load_workbook(out).worksheets


@documents(200)
@given(table=tables(), values=data())
def test_any_workbook(table: dict[str, Any], values: dict[str, Any]) -> None:
    document = resolved({"name": "Any", "formats": ["xlsx"], "sections": [table]}, values)
    out = BytesIO()
    RENDERERS["xlsx"].render(document, out, limits())
    sheet = openpyxl.load_workbook(out).worksheets[0]
    cells = [str(cell.value) for row in sheet.iter_rows() for cell in row if cell.value is not None]
    assert [cells.count(row["mark"]) for row in values["items"]] == [1] * len(values["items"])


@documents(200)
@given(values=data())
def test_totals_are_exact(values: dict[str, Any]) -> None:
    assume(values["items"])
    table = {
        "type": "table",
        "source": "items",
        "columns": [{"key": "mark"}, {"key": "amount", "total": "sum"}, {"key": "number", "total": "sum"}],
        "groupBy": [{"key": "city"}],
    }
    [section] = resolved({"name": "Any", "formats": ["pdf"], "sections": [table]}, values).sections
    amounts = [Decimal(repr(row["amount"])) for row in values["items"]]
    numbers = [Decimal(repr(row["number"])) for row in values["items"] if row["number"] is not None]
    assert section.totals[1] == sum(amounts)
    assert (section.totals[2] or 0) == sum(numbers)
    assert sum(group.subtotals[1] for group in section.groups) == sum(amounts)
    assert sorted(section.columns[0].values) == sorted(row["mark"] for row in values["items"])


def by_hand(*sections: dict[str, Any], page: dict[str, Any] | None = None, **values: Any) -> list[Page]:
    body = {"name": "Any", "formats": ["pdf"], "sections": list(sections), "page": page or {}}
    return promised(resolved(body, values))


def test_two_hundred_columns(settings: Any) -> None:
    settings.MAX_COLUMNS = 200
    table = {"type": "table", "source": "rows", "columns": [{"key": f"c{n}"} for n in range(200)]}
    found = texts(by_hand(table, rows=[{f"c{n}": f"v{n}" for n in range(200)}] * 40), "td")
    assert len("".join(found)) >= 200 * 40 * 2


@pytest.mark.parametrize("align", ["left", "justify", "center"])
def test_a_word_of_ten_thousand_letters(align: str) -> None:
    found = texts(by_hand({"type": "text", "content": "{{text}}", "align": align}, text="w" * 10_000))
    assert "".join(found).count("w") == 10_000


def test_sums_are_carried_forward_only_where_a_tiny_page_has_room() -> None:
    word = "Donaudampfschifffahrtsgesellschaftskapitän"
    table = {
        "type": "table",
        "source": "rows",
        "columns": [
            {"key": "mark", "header": "Mark"},
            {"key": "text", "width": "*", "header": "invoice", "headGroup": "Group", "overflow": "cut"},
            {"key": "amount", "total": "sum"},
            {"key": "done"},
            {"key": "word", "headGroup": "A long head over several columns"},
        ],
        "carryForward": True,
        "minRows": 3,
        "rules": "grid",
        "size": 19.6,
        "padding": 2.36,
        "totalsLabel": "Total",
        "groupBy": [{"key": "city"}, {"key": "word"}, {"key": "day"}, {"key": "done"}],
    }
    row = {"mark": "一", "text": word, "word": "invoice", "amount": 0.25, "day": "Monday", "done": "No"}
    second = {**row, "mark": "丁", "word": "Überweisungsträger", "day": "Tuesday", "done": "Yes"}
    page = {"size": "A6", "margins": dict.fromkeys(("top", "right", "bottom", "left"), 12)}
    spacer = {"type": "spacer", "height": 1}
    made = by_hand(spacer, table, page=page, rows=[{**each, "city": "القاهرة"} for each in (row, second)])
    assert len(made) > 4


@pytest.mark.parametrize("keep", [True, False])
def test_a_cell_taller_than_five_pages(keep: bool) -> None:
    table = {"type": "table", "source": "rows", "columns": [{"key": "a"}, {"key": "b"}], "keepRows": keep}
    lines = [f"line{n};" for n in range(400)]
    found = by_hand(
        table, rows=[{"a": "x", "b": "y"}, {"a": "\n".join(lines), "b": "z"}, {"a": "end", "b": ""}]
    )
    assert len(found) > 5
    assert [text for text in texts(found, "td") if text.startswith("line")] == lines


def test_groups_nested_four_deep() -> None:
    section: dict[str, Any] = {"type": "text", "content": "{{d.name}};"}
    for name, source in (("d", "c.below"), ("c", "b.below"), ("b", "a.below"), ("a", "below")):
        own = {"type": "text", "content": f"{{{{{name}.name}}}};"}
        inside = [section] if name == "d" else [own, section]
        section = {
            "type": "group",
            "source": source,
            "as": name,
            "sections": inside,
            "border": 1,
            "padding": 3,
        }

    def nested(depth: int, name: str) -> list[dict[str, Any]]:
        if depth == 0:
            return []
        return [{"name": f"{name}{n}", "below": nested(depth - 1, f"{name}{n}")} for n in range(3)]

    found = texts(by_hand(section, below=nested(4, "n")), "p")
    assert len(found) == 3 + 9 + 27 + 81
    assert len(set(found)) == len(found)


def test_signatures_in_a_narrow_column_stand_below_each_other() -> None:
    signers = [{"name": "{{title}}", "role": "role"}] * 3
    narrow = {"sections": [{"type": "signature", "signers": signers, "columns": 3}]}
    body = [{"type": "columns", "columns": [narrow, {"sections": [{"type": "text", "content": "x"}]}]}]
    page = {"size": {"width": 80, "height": 120}}
    document = resolved(
        {"name": "Any", "formats": ["pdf"], "sections": body, "page": page}, {"title": "हिन्दी"}
    )
    assert "".join(texts(promised(document), "p")).count("role") == 3
