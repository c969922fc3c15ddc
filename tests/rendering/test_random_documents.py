"""Any template that is accepted, with any data that fits it, becomes a document that keeps its promises.

Nothing is placed outside its page or over other text, each row of data is there exactly once, totals are
right, and nothing crashes: nested sections, 0 rows, very long words, any script, marks anywhere.
"""

from __future__ import annotations

import os
import time
from datetime import UTC, datetime
from decimal import Decimal
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
from tests.rendering.geometry import outside, overlapping, texts

CREATED = datetime(2026, 11, 21, tzinfo=UTC)
# Shrinking a document takes minutes: `SHRINK=1` asks for it.
PHASES = [Phase.explicit, Phase.reuse, Phase.generate, *([Phase.shrink] if os.environ.get("SHRINK") else [])]
CHECKS = [HealthCheck.too_slow, HealthCheck.data_too_large, HealthCheck.filter_too_much]
# One letter for each row: a mark that no line break can part.
MARKS = [chr(0x4E00 + number) for number in range(400)]
ROW_FIELDS = ("mark", "text", "word", "number", "amount", "day", "done", "city")


def documents(count: int) -> settings:
    """Return the settings of a property of whole documents."""
    return cases(count, phases=PHASES, suppress_health_check=CHECKS)


def limits() -> Limits:
    return Limits(max_pages=3000, deadline=time.monotonic() + 600, seconds=600)


# ---------------------------------------------------------------- data

WORDS = (
    "invoice",
    "Überweisungsträger",
    "Donaudampfschifffahrtsgesellschaftskapitän",
    "naïve",
    "Ελληνικά",
    "Кириллица",
    "שלום",
    "مرحبا",
    "نص",
    "हिन्दी",
    "ภาษาไทย",
    "漢字かな交じり文",
    "한국어",
    "👩‍👩‍👧‍👦",
    "🇦🇹",
    "e\u0301\u0323",
    "x" * 300,
    "**not bold**",
    "\\{{",
    "<b>&amp;</b>",
    "(1) 2.5 %",
    "a\u00a0b",
    "soft\u00adhyphen",
    "\u202eabc",
    "=1+1",
    "\t",
)
words = st.sampled_from(WORDS)
short_texts = st.one_of(
    words,
    st.lists(words, max_size=4).map(" ".join),
    st.text(st.characters(exclude_categories=["Cs"]), max_size=12),
)
long_texts = st.one_of(short_texts, st.lists(words, max_size=60).map(" ".join), st.just("w" * 2000))
numbers = st.one_of(
    st.none(),
    st.integers(-(10**6), 10**6),
    st.decimals(-(10**6), 10**6, places=2).map(float),
    st.sampled_from([0, -0.0, 1e15, 0.1, 1e-7]),
)
cities = st.sampled_from(["Wien", "Graz", "", "القاهرة", "Zürich"])


def turns(values: st.SearchStrategy[Any], most: int = 5) -> st.SearchStrategy[list[Any]]:
    """A few values that rows have in turn: a draw for every cell would cost more than the document."""
    return st.lists(values, min_size=1, max_size=most)


@st.composite
def rows(draw: Any, most: int = 12) -> list[dict[str, Any]]:
    """Rows of the list `items`, each with a mark of its own."""
    count = draw(st.one_of(st.integers(0, most), st.just(60)))
    if not count:
        return []
    some_texts, some_numbers, some_cities = (
        draw(turns(short_texts)),
        draw(turns(numbers)),
        draw(turns(cities)),
    )
    long_text = draw(long_texts)
    return [
        {
            "mark": MARKS[number],
            "text": long_text if number % 7 == 3 else some_texts[number % len(some_texts)],
            "word": WORDS[number % len(WORDS)],
            "number": some_numbers[number % len(some_numbers)] if number < 12 else number,
            "amount": float(number) + 0.25,
            "day": f"2026-{number % 12 + 1:02}-{number % 28 + 1:02}",
            "done": bool(number % 3),
            "city": some_cities[number % len(some_cities)] if number < 12 else "Linz",
        }
        for number in range(count)
    ]


@st.composite
def data(draw: Any) -> dict[str, Any]:
    return {
        "title": draw(short_texts),
        "text": draw(long_texts),
        "items": draw(rows()),
        "flag": draw(st.booleans()),
        "orders": [
            {"name": draw(short_texts), "lines": [{"name": draw(short_texts)} for _ in range(lines)]}
            for lines in draw(st.lists(st.integers(0, 3), max_size=4))
        ],
    }


# ---------------------------------------------------------------- templates

prose = st.sampled_from(
    [
        "{{text}}",
        "{{title}}",
        "Dear **{{title}}**, *{{text}}* and `{{title}}`.",
        "__{{title}}__ ~~no~~ H~2~O x^2^ [red]{#c00000} [us](https://example.com/{{title}})",
        "one\n\ntwo\nthree {{text}}",
        "{{flag|yesno}} {{title|upper}}",
        "",
    ]
)
aligns = st.sampled_from(["left", "center", "right"])
lengths = st.floats(1, 200).map(lambda value: round(value, 1))
conditions = st.sampled_from(
    [
        {"field": "flag", "is": "equals", "value": True},
        {"field": "title", "is": "set"},
        {"any": [{"field": "items", "is": "empty"}, {"not": {"field": "flag", "is": "set"}}]},
    ]
)


def some(**optional: Any) -> st.SearchStrategy[dict[str, Any]]:
    """An object with any subset of these fields."""
    return st.fixed_dictionaries({}, optional=optional)


@st.composite
def columns(draw: Any) -> list[dict[str, Any]]:
    made: list[dict[str, Any]] = [{"key": "mark", "header": "Mark"}]
    for _ in range(draw(st.integers(0, 6))):
        column = draw(
            some(
                header=st.one_of(
                    st.just("{{title}}"), short_texts.map(lambda text: text.replace("{{", "")[:400])
                ),
                width=st.one_of(lengths, st.sampled_from(["10%", "50%", "*", "3*"])),
                align=st.sampled_from(["left", "center", "right", "decimal"]),
                overflow=st.sampled_from(["wrap", "shrink", "cut"]),
                headGroup=st.sampled_from(["", "Group", "A long head over several columns"]),
                bold=st.booleans(),
                styles=st.just(
                    [
                        {
                            "when": {"field": "amount", "is": "greater", "value": 3},
                            "color": "#cc0000",
                            "background": "#ffeeee",
                            "bold": True,
                        }
                    ]
                ),
            )
        )
        kind = draw(st.integers(0, 9))
        if kind < 6:
            column["key"] = draw(st.sampled_from(ROW_FIELDS[1:]))
        elif kind < 8:
            column["value"] = draw(st.sampled_from(["number * amount", "amount + 1", "round(amount / 3, 2)"]))
            column["format"] = draw(st.sampled_from(["number:2", "currency", "integer"]))
        else:
            column["content"] = draw(
                st.sampled_from(["**{{item.word}}** {{item.day|date}}", "{{item.text}}"])
            )
        if column.get("key") == "done":
            column["display"] = draw(st.sampled_from(["text", "check"]))
        if column.get("key") in {"number", "amount"} or "value" in column:
            column["total"] = draw(st.sampled_from(["sum", "average", "count", "min", "max"]))
        made.append(column)
    return made


@st.composite
def tables(draw: Any) -> dict[str, Any]:
    table = draw(
        some(
            title=st.just("Table {{title}}"),
            zebra=st.booleans(),
            size=st.floats(4, 20),
            emptyText=st.just("nothing"),
            head=st.booleans(),
            repeatHead=st.booleans(),
            rules=st.sampled_from(["horizontal", "grid", "none"]),
            padding=st.floats(0, 5),
            totals=st.booleans(),
            totalsLabel=st.just("Total"),
            carryForward=st.booleans(),
            keepRows=st.booleans(),
            minRows=st.integers(1, 5),
            keepWithNext=st.booleans(),
        )
    )
    keys = draw(st.lists(st.sampled_from(["city", "done", "day", "word"]), max_size=4, unique=True))
    if keys:
        table["groupBy"] = [{"key": key, "subtotals": draw(st.booleans())} for key in keys]
    return {"type": "table", "source": "items", "columns": draw(columns()), **table}


leaves = st.one_of(
    st.builds(
        lambda more, content: {"type": "heading", "content": content, **more},
        some(level=st.integers(1, 6), align=aligns),
        prose,
    ),
    st.builds(
        lambda more, content: {"type": "text", "content": content, **more},
        some(
            align=st.sampled_from(["left", "center", "right", "justify"]),
            size=st.floats(4, 60),
            bold=st.booleans(),
            italic=st.booleans(),
        ),
        prose,
    ),
    st.builds(
        lambda more: {
            "type": "list",
            "items": ["{{title}}", {"content": "b", "items": ["{{text}}"]}],
            **more,
        },
        some(ordered=st.booleans(), style=st.sampled_from(["decimal", "alpha", "roman"])),
    ),
    st.builds(
        lambda more: {
            "type": "key_value",
            "items": [
                {"label": "{{title}}", "value": "{{text}}", "strong": True},
                {"label": "b", "value": "c"},
            ],
            **more,
        },
        some(columns=st.integers(1, 4), align=aligns, labelWidth=st.floats(5, 200)),
    ),
    st.builds(lambda more: {"type": "divider", **more}, some(thickness=st.floats(0.1, 10))),
    st.builds(lambda height: {"type": "spacer", "height": height}, st.floats(1, 300)),
    st.just({"type": "page_break"}),
    st.just({"type": "table_of_contents", "title": "Contents"}),
    st.builds(
        lambda more, kind: {"type": "barcode", "symbology": kind, "value": "590123412345", **more},
        some(width=st.floats(5, 100), height=st.floats(5, 100), align=aligns, text=st.booleans()),
        st.sampled_from(["qr", "code128", "ean13", "datamatrix", "pdf417"]),
    ),
    st.builds(
        lambda more: {"type": "signature", "signers": [{"name": "{{title}}", "role": "role"}] * 3, **more},
        some(columns=st.integers(1, 4), height=st.floats(5, 40)),
    ),
)


def _containers(inner: st.SearchStrategy[Any]) -> st.SearchStrategy[Any]:
    several = st.lists(inner, min_size=1, max_size=3)
    frames = some(
        background=st.just("#eeeeff"),
        border=st.floats(0, 3),
        padding=st.floats(0, 8),
        keepTogether=st.booleans(),
    )
    return st.one_of(
        st.builds(
            lambda lists, gap: {
                "type": "columns",
                "columns": [{"sections": one} for one in lists],
                "gap": gap,
            },
            st.lists(several, min_size=1, max_size=3),
            st.floats(0, 20),
        ),
        st.builds(lambda more, sections: {"type": "box", "sections": sections, **more}, frames, several),
        st.builds(
            lambda more, breaks, sections: {
                "type": "group",
                "source": "orders",
                "sections": sections,
                "pageBreak": breaks,
                **more,
            },
            frames,
            st.booleans(),
            several,
        ),
    )


sections = st.recursive(leaves, _containers, max_leaves=6)


@st.composite
def pages(draw: Any) -> dict[str, Any]:
    page = draw(
        some(
            size=st.sampled_from(["A4", "A6", "Letter", {"width": 80, "height": 120}]),
            orientation=st.sampled_from(["portrait", "landscape"]),
            footer=st.just({"left": "{{title}}", "right": "Page {{page.number}} of {{page.count}}"}),
            header=st.sampled_from(
                [
                    {"center": "**{{title}}**"},
                    {"sections": [{"type": "text", "content": "{{title}} {{page.number}}"}]},
                ]
            ),
            locale=st.sampled_from(["de-AT", "ar-EG", "hi-IN", "ja-JP", "fr-FR"]),
            watermark=st.just({"text": "DRAFT {{title}}"}),
        )
    )
    page["margins"] = dict.fromkeys(("top", "right", "bottom", "left"), draw(st.sampled_from([12, 15, 20])))
    return page


# ---------------------------------------------------------------- promises


def resolved(body: dict[str, Any], values: dict[str, Any]) -> ResolvedDocument:
    """Go the way of a render up to the resolved document."""
    content = Content(**{**EMPTY, **parse_body(TemplateCreate, body)})
    checked = check_content(content, values)
    return resolve(content, checked, load_image=no_image, created_at=CREATED)


EMPTY: dict[str, Any] = {"description": "", "variables": [], "page": {}, "sample_data": {}}


def no_image(reference: str) -> Any:
    raise ValueError("there is none")


def promised(document: ResolvedDocument) -> list[Page]:
    """Lay out, assert what holds for every document, and return its pages."""
    laid_out = pages_of(document, limits())
    for page in laid_out:
        assert outside(page) == [], "outside of the page"
        assert overlapping(page) == [], "text over text"
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


@documents(500)
@given(body=st.lists(sections, min_size=1, max_size=5), page=pages(), values=data())
@example(
    body=[WIDE_SIGN_BESIDE_A_WIDE_LABEL],
    page={"size": "A4"},
    values={"title": "", "text": "👩‍👩‍👧‍👦", "items": [], "flag": False, "orders": []},
)
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


# ---------------------------------------------------------------- the ends of the scale


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
