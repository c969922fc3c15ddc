"""What the columns of a table want to be wide, from a sample of their cells. Points."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from decimal import Decimal
from itertools import groupby, repeat
from typing import Any, Final

from rendering.formats.pdf.layout.graphics.pictures import natural_size
from rendering.formats.pdf.layout.tables.columns import Wish, column_widths
from rendering.formats.pdf.layout.tables.lanes import Lane
from rendering.formats.pdf.layout.tables.look import FIGURES_SHRINK, HEAD_SIZE, INDENT, Look, even_size
from rendering.formats.pdf.layout.tables.setting import tidy
from rendering.formats.pdf.layout.tables.tracks import Track, decimal_symbol, leads_of
from rendering.formats.pdf.typeset.clean import clean
from rendering.formats.pdf.typeset.style import TextStyle
from templates_app.expressions.bulk import has_fixed_decimals, texts_of
from templates_app.resolved import ResolvedColumn, ResolvedTable, Rich, plain

SAMPLE: Final = 300  # rows that are measured
SHORT_HEADER: Final = 6.5  # font sizes: such a header stays on its line even where cells have to wrap
WIDEST: Final = 4_000  # characters of a cell that are measured
BROKEN: Final = 0.8  # dates of several words shrink so far to stay on one line
LONGEST: Final = 20  # words of a column among which the widest is sought
HEAD_FITS: Final = 0.8  # of the words of a head: they become so small before their numbers become smaller
MIXED: Final = 0.8  # of the size of texts: where figures would be smaller, so is all of the table
SCALED: Final = 0.6  # least scale of a table's type for that
MOST_INDENT: Final = 0.3  # of a column
SUMS: Final = 40  # groups whose sums are measured


def lanes(table: ResolvedTable, look: Look, left: float, available: float) -> list[Lane]:
    """Return the columns in their places from `left` on, together at most `available` wide.

    In a document from right to left the first one is at the right.
    """
    columns = table.columns
    texts = [_texts(table, column) for column in columns]
    samples = [
        sampled_texts(table, column, written) if column.width is None else ()
        for column, written in zip(columns, texts, strict=True)
    ]
    wishes = [_wish(table, index, sample, look) for index, sample in enumerate(samples)]
    indent = _indent(table)
    if indent:
        wishes[0] = _indented(wishes[0], indent)
    if sum(wish.full for wish in wishes) > available:
        wishes = list(map(_with_least, wishes, columns, samples, repeat(look)))
        if indent:
            wishes[0] = replace(wishes[0], least=wishes[0].least + indent)
    made: list[Lane] = []
    mirrored = look.typesetter.mirrored
    x = left + available if mirrored else left
    widths = column_widths(wishes, available)
    for column, written, wish, width in zip(columns, texts, wishes, widths, strict=True):
        if mirrored:
            x -= width
        fits = 0 < wish.fits <= width + 0.01
        place = x, width, 0.0 if made else indent
        made.append(_lane(table, column, written, look, place, fits=fits))
        if not mirrored:
            x += width
    return _with_even_figures(table, look, made)


def _with_even_figures(table: ResolvedTable, look: Look, lanes: Sequence[Lane]) -> list[Lane]:
    """Return the columns, figures of neighbours in one size where those of some had to be smaller.

    The smallest size counts; that of a column much narrower than most is its own.
    """
    made: list[Lane] = []
    for figures, neighbours in groupby(lanes, _has_figures):
        run = list(neighbours)
        sizes = [lane.style.size for lane in run]
        if figures and min(sizes) < max(sizes):
            size = even_size(sizes)
            run = [_resized(table, lane, look, size) if lane.style.size > size else lane for lane in run]
        made += run
    return made


def scale_of(look: Look, lanes: Sequence[Lane]) -> float:
    """Return the scale for the type of a table in which texts would be much larger than figures, else 1.

    Columns of a given width are as their author wants them.
    """
    figures = [lane.style.size for lane in lanes if _has_figures(lane) and lane.column.width is None]
    if not figures:
        return 1.0
    small = even_size(figures) / look.size
    return 1.0 if small >= MIXED else max(small / MIXED, SCALED)


def _has_figures(lane: Lane) -> bool:
    return lane.whole and lane.column.align in {"right", "decimal"}


def _resized(table: ResolvedTable, lane: Lane, look: Look, size: float) -> Lane:
    """Return a column of figures in a smaller size."""
    style, track = lane.style.but(size=size), lane.track
    if lane.column.align == "decimal":
        after = _decimals(table, lane.column, look, style)[1]
        track = Track.of(track.left, track.width, "decimal", symbol=track.symbol, after=after)
    return replace(lane, style=style, track=track)


def _indent(table: ResolvedTable) -> float:
    """Return how far texts of the first column stand behind headings of the outermost groups.

    As far as the innermost headings above them: rows belong to those.
    """
    if not table.groups or table.columns[0].align != "left":
        return 0.0
    return INDENT * max(group.level for group in table.groups)


def _indented(wish: Wish, indent: float) -> Wish:
    """Return the wish of a column whose cells are indented."""
    if wish.given is not None:
        return wish
    return replace(wish, full=wish.full + indent, tight=wish.tight + indent, fits=wish.fits + indent)


def style_of(column: ResolvedColumn, look: Look) -> TextStyle:
    """Return how the cells of a column are set."""
    return look.style(bold=column.bold)


def _wish(table: ResolvedTable, index: int, sample: Sequence[str], look: Look) -> Wish:
    column = table.columns[index]
    if column.width is not None:
        return Wish(column.width, 0.0, 0.0, False)
    head = look.style(bold=True, scale=HEAD_SIZE)
    header = clean(plain(column.header))
    pad = 2 * look.pad_x + 0.5  # kerning and rounding may add a hair
    one = _widest(header.split("\n"), head, look)
    least = one if one <= SHORT_HEADER * head.size else _widest(header.split(), head, look)
    cells = max(
        _widest(sample, style_of(column, look), look),
        _widest(sums_of(table, index), look.style(bold=True), look),
        _pictures(column, look),
    )
    numbers = column.align in {"right", "decimal"}
    if column.align == "decimal":
        cells = max(cells, sum(_decimals(table, column, look, style_of(column, look))))
    full, tight = max(cells, one) + pad, max(cells, least) + pad
    return Wish(column.width, full, tight, stretches=not numbers, fits=cells + pad)


def _with_least(wish: Wish, column: ResolvedColumn, sample: Sequence[str], look: Look) -> Wish:
    """Return the wish with the width of its longest word; of its cells, where they are not broken."""
    if column.width is not None:
        return wish
    pad = 2 * look.pad_x + 0.5
    head = _widest(clean(plain(column.header)).split(), look.style(bold=True, scale=HEAD_SIZE), look)
    if not wish.stretches:
        return replace(wish, least=max(wish.fits, head + pad), head=HEAD_FITS * head + pad, pad=pad)
    words = sorted(set(" ".join(sample).split()), key=len)
    cells = max(_widest(words[-LONGEST:], style_of(column, look), look), _pictures(column, look))
    return replace(wish, least=max(cells, head) + pad)


def _texts(table: ResolvedTable, column: ResolvedColumn) -> Sequence[str] | None:
    """Return a column of values as texts, None in a long table, which is written part by part."""
    return texts_of(column.format, column.values) if column.texts is None and table.count <= SAMPLE else None


def sampled_texts(
    table: ResolvedTable,
    column: ResolvedColumn,
    written: Sequence[str] | None = None,
    *,
    whole: bool = False,
) -> list[str]:
    """Return the texts of some cells, the longest of the column among them; `whole`: not those of texts.

    `written` are those of all cells, where they are known.
    """
    step = max(1, -(-table.count // SAMPLE))
    if column.texts is not None:
        texts: Sequence[Rich] = column.texts[::step]
        return [clean(plain(text)[:WIDEST]) for text in texts]
    if written is None:
        values = [*column.values[::step], *(_extremes(column.values) if step > 1 else ())]
        if whole:
            values = [value for value in values if not isinstance(value, str)]
        written = texts_of(column.format, values)
    return list(tidy([text[:WIDEST] for text in written])[0])


def _extremes(values: Sequence[Any]) -> list[Any]:
    """Return the cells that are probably the widest: the longest text, the largest and smallest number."""
    if not values:
        return []
    try:
        if isinstance(values[0], str):
            return [max(values, key=len)]
        return [max(values), min(values)]
    except TypeError:  # empty cells, or of several kinds
        texts = [value for value in values if isinstance(value, str)]
        numbers = [value for value in values if isinstance(value, int | float | Decimal)]
        return [*([max(texts, key=len)] if texts else ()), *([max(numbers), min(numbers)] if numbers else ())]


def sums_of(table: ResolvedTable, index: int) -> list[str]:
    """Return the sums of a column: its total, and those of the first groups."""
    column = table.columns[index]
    sums = [group.subtotals[index] for group in table.groups[:SUMS] if group.subtotals is not None]
    if table.totals is not None:
        sums.append(table.totals[index])
    return [clean(column.total_text(value)) for value in sums]


def _pictures(column: ResolvedColumn, look: Look) -> float:
    """Return the width of the widest of some images."""
    if column.images is None:
        return 0.0
    sizes = [natural_size(image) for image in column.images[:SAMPLE] if image is not None]
    return max((wide * min(1.0, look.picture / high) for wide, high in sizes), default=0.0)


def _widest(texts: Sequence[str], style: TextStyle, look: Look) -> float:
    """Return the width of the widest line of texts."""
    font = look.font(style)
    lines = [line for text in texts for line in text.split("\n")] if "\n" in "".join(texts) else texts
    if font.literals(lines) is not None:
        return max(font.advances(lines), default=0.0) * style.size / 1000
    return max((font.width(line, style.size) for line in lines), default=0.0)


def _lane(
    table: ResolvedTable,
    column: ResolvedColumn,
    texts: Sequence[str] | None,
    look: Look,
    place: tuple[float, float, float],
    *,
    fits: bool,
) -> Lane:
    """Return a column at a place: where it begins, its width, and how far its cells are indented."""
    left, width, indent = place
    pad = min(look.pad_x, 0.3 * width)
    inner = max(width - 2 * pad, 0.1)
    indent = min(indent, MOST_INDENT * inner)
    inner -= indent
    style = style_of(column, look)
    whole = column.texts is None and column.display == "text" and column.overflow != "cut"
    if whole and not fits and not _surely_fits(column, texts, style, look, inner):
        style = _whole_style(table, column, look, inner)
    symbol, after = "", 0.0
    if column.align == "decimal":
        symbol = _symbol(column)
        after = _decimals(table, column, look, style)[1]
    align, begin = column.align, left + pad
    if align == "left":
        align, begin = ("right", begin) if look.typesetter.mirrored else ("left", begin + indent)
    track = Track.of(begin, inner, align, symbol=symbol, after=after)
    return Lane(column, left, left + width, track, style, look.font(style), whole, texts, fits, indent)


def _surely_fits(
    column: ResolvedColumn, texts: Sequence[str] | None, style: TextStyle, look: Look, inner: float
) -> bool:
    """Tell whether a column of numbers obviously has room for all of them; most have.

    All have the same decimals: none has more signs than the largest or the smallest.
    """
    if not has_fixed_decimals(column.format):
        return False
    if texts is None:
        numbers = [value for value in _extremes(column.values) if not isinstance(value, str)]
        texts = texts_of(column.format, numbers)
    return max(map(len, texts), default=0) * look.widest_sign(style) <= inner


def _whole_style(table: ResolvedTable, column: ResolvedColumn, look: Look, inner: float) -> TextStyle:
    """Return the style in which numbers, dates and times fit into their column, all in one size.

    Texts do not matter: they are broken into lines. A long date is, too, where it would become very small.
    """
    style = style_of(column, look)
    if set(map(type, column.values[:SAMPLE])) == {str} and table.count <= SAMPLE:
        return style
    texts = sampled_texts(table, column, whole=True)
    needed = _widest(texts, style, look)
    scale = inner / needed if needed > inner else 1.0
    if scale < BROKEN and column.overflow == "wrap":
        words = [word for text in texts for word in text.split(" ")]
        scale = min(max(scale, inner / max(_widest(words, style, look), inner)), 1.0)
    if scale == 1.0:
        return style
    return style.but(size=round(style.size * max(0.99 * scale, FIGURES_SHRINK), 2))


def _decimals(
    table: ResolvedTable, column: ResolvedColumn, look: Look, style: TextStyle
) -> tuple[float, float]:
    """Return the width of the longest whole digits of a column, and of the longest decimals."""
    symbol = _symbol(column)
    texts = sampled_texts(table, column)
    leads = leads_of(texts, symbol)
    after = [text[len(lead) :] for text, lead in zip(texts, leads, strict=True)]
    return _widest(leads, style, look), _widest(after, style, look)


def _symbol(column: ResolvedColumn) -> str:
    """Return the decimal separator of a column: a point where numbers are written as the data has them."""
    symbol = decimal_symbol(column.format.style.locale)
    if symbol == "." or column.format.helper is not None or column.texts is not None:
        return symbol
    return "." if any(isinstance(cell, int | float | Decimal) for cell in column.values[:SAMPLE]) else symbol
