"""Strategies for templates that are accepted and data that fits them: any section, any page, any rows."""

from __future__ import annotations

from typing import Any

from hypothesis import strategies as st

# One letter for each row: a mark that no line break can part.
MARKS = [chr(0x4E00 + number) for number in range(400)]
ROW_FIELDS = ("mark", "text", "word", "number", "amount", "day", "done", "city")
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
        "title": draw(short_texts)[:200],  # in a header it must leave room for the content of small pages
        "text": draw(long_texts),
        "items": draw(rows()),
        "flag": draw(st.booleans()),
        "orders": [
            {"name": draw(short_texts), "lines": [{"name": draw(short_texts)} for _ in range(lines)]}
            for lines in draw(st.lists(st.integers(0, 3), max_size=4))
        ],
    }


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
sides = ["left", "center", "right", "end"]
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
        some(level=st.integers(1, 6), align=st.sampled_from(sides)),
        prose,
    ),
    st.builds(
        lambda more, content: {"type": "text", "content": content, **more},
        some(
            align=st.sampled_from([*sides, "justify"]),
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
        some(
            ordered=st.booleans(),
            style=st.sampled_from(["decimal", "alpha", "roman", "outline"]),
            size=st.floats(4, 40),
        ),
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
        some(
            columns=st.integers(1, 4),
            align=aligns,
            labelWidth=st.floats(5, 200),
            size=st.floats(4, 40),
        ),
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


CHARTS = ["bar", "stacked_bar", "column", "stacked_column", "line", "area", "pie", "donut"]
series = st.lists(
    st.sampled_from(
        [
            {"key": "number"},
            {"key": "amount", "name": "{{title}}"},
            {"value": "number / 3", "color": "#aa3300"},
        ]
    ),
    min_size=1,
    max_size=3,
)
pictures = st.one_of(
    st.builds(
        lambda more, kind, lines: {
            "type": "chart",
            "chart": kind,
            "source": "items",
            "category": "{{item.word}} {{item.city}}",
            "series": lines,
            **more,
        },
        some(
            title=st.just("Chart {{title}}"),
            format=st.sampled_from(["currency", "number:0"]),
            width=st.floats(10, 300),
            height=st.floats(10, 200),
            align=aligns,
            legend=st.sampled_from(["bottom", "right", "none"]),
            labels=st.booleans(),
        ),
        st.sampled_from(CHARTS),
        series,
    ),
    st.builds(
        lambda more, source: {"type": "image", "source": source, "alt": "{{title}}", **more},
        some(
            width=st.floats(1, 300),
            height=st.floats(1, 300),
            align=aligns,
            mode=st.sampled_from(["fit", "cover", "exact"]),
            link=st.just("https://example.com/{{title}}"),
        ),
        st.sampled_from(["logo", "mark.svg"]),  # of the gallery
    ),
)


def _containers(inner: st.SearchStrategy[Any]) -> st.SearchStrategy[Any]:
    several = st.lists(inner, min_size=1, max_size=3)
    frames = some(
        background=st.just("#eeeeff"),
        border=st.floats(0, 3),
        padding=st.floats(0, 8),
        keepTogether=st.booleans(),
        accent=st.just("#112233"),
        language=st.sampled_from(["de", "he", "zh-Hant"]),
    )
    languages = st.sampled_from([None, None, "de", "ar", "ja"])
    return st.one_of(
        st.builds(
            lambda lists, gap, language: {
                "type": "columns",
                "columns": [{"sections": one, "language": language} for one in lists],
                "gap": gap,
            },
            st.lists(several, min_size=1, max_size=3),
            st.floats(0, 20),
            languages,
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


sections = st.recursive(st.one_of(leaves, pictures), _containers, max_leaves=6)


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
            background=st.just("logo"),
            firstBackground=st.sampled_from(["logo", "mark.svg", None]),
        )
    )
    page["margins"] = dict.fromkeys(("top", "right", "bottom", "left"), draw(st.sampled_from([12, 15, 20])))
    return page
