"""Texts in cells: what XML may hold, and a bounded table of those that repeat. Pure."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from itertools import islice
from typing import Final

from rendering.formats.base import RenderError
from templates_app.expressions.formula_excel import units
from templates_app.resolved import Rich

LONGEST_TEXT: Final = 32_767
MOST_SHARED: Final = 32_768  # texts in the table, so that memory stays flat
MOST_SHARED_LENGTH: Final = 400  # characters; longer ones seldom repeat
BATCH: Final = 1000
FORMULA_STARTS: Final = ("=", "+", "-", "@")
MAIN: Final = "http://schemas.openxmlformats.org/spreadsheetml/2006/main"
_ILLEGAL: Final = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\ud800-\udfff\ufffe\uffff]")
ESCAPE: Final = re.compile("_(?=x[0-9a-fA-F]{4}_)")
SCRIPTS: Final = {
    "super": str.maketrans("0123456789+-\u2212=()in", "⁰¹²³⁴⁵⁶⁷⁸⁹⁺⁻⁻⁼⁽⁾ⁱⁿ"),
    "sub": str.maketrans("0123456789+-\u2212=()", "₀₁₂₃₄₅₆₇₈₉₊₋₋₌₍₎"),
}


def unmarked(text: Rich) -> str:
    """Return the words without their marks. Figures stay above or below the line: 10⁹ must not become 109."""
    if isinstance(text, str):
        return text
    return "".join([_scripted(span.text, span.script) if span.script else span.text for span in text])


def _scripted(text: str, script: str) -> str:
    signs = SCRIPTS[script]
    return text.translate(signs) if all(ord(sign) in signs for sign in text) else text


def shortened(text: str, longest: int) -> str:
    """Return as much of the beginning of a text as `longest` UTF-16 units hold, never half a character."""
    text = text[:longest]
    if units(text) <= longest:
        return text
    return text.encode("utf-16-le", "surrogatepass")[: 2 * longest].decode("utf-16-le", "ignore")


def legal(text: str) -> str:
    """Return `text` without what XML cannot hold; raises RenderError when it is longer than a cell holds."""
    if not text.isprintable():
        text = _ILLEGAL.sub("", text.replace("\r\n", "\n").replace("\r", "\n"))
    if len(text) > LONGEST_TEXT // 2 and units(text) > LONGEST_TEXT:
        raise RenderError(f"A cell has more than {LONGEST_TEXT:,} characters (limit of xlsx)")
    return text


def unmistakable(text: str) -> str:
    """Return a text in which nothing is taken for the format's own escape, such as `_x000A_`."""
    return ESCAPE.sub("_x005F_", text) if "_x" in text else text


def escaped(text: str) -> str:
    """Return a legal text as XML; what looks like the format's own escape `_x000A_` stays as it is."""
    return unmistakable(text).replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")


def has_edges(text: str) -> bool:
    """Return whether blanks at an end would get lost without `xml:space`."""
    return text[:1].isspace() or text[-1:].isspace() or "\n" in text


def element(text: str) -> str:
    """Return `<t>` with a legal text."""
    space = ' xml:space="preserve"' if has_edges(text) else ""
    return f"<t{space}>{escaped(text)}</t>"


def inline(values: Sequence[str | None]) -> tuple[list[str | None], bool]:
    """Return texts as XML, None where there is none, and whether blanks at an end must be kept.

    Raises RenderError for one that is longer than a cell holds.
    """
    if None not in values and "" not in values:
        texts: Sequence[str] = values  # type: ignore[assignment]
        joined = "\n".join(texts)
        # Printable but for the joints: no controls, no half characters, no line breaks within a text.
        clean = joined.replace("\n", "")
        if clean.isprintable() and len(joined) - len(clean) == len(texts) - 1:
            if max(map(len, texts)) > LONGEST_TEXT // 2:
                for text in texts:
                    legal(text)
            edges = f"\n{joined}\n"
            return list(escaped(joined).split("\n")), "\n " in edges or " \n" in edges
    return [escaped(text) if value and (text := legal(value)) else None for value in values], True


def _batch(texts: list[str]) -> str:
    """Return entries of the table; the common ones need no look at each."""
    joined = "\n".join(texts)
    edges = f"\n{joined}\n"
    quick = joined.count("\n") == len(texts) - 1 and joined.replace("\n", "").isprintable()
    if quick and "\n " not in edges and " \n" not in edges:
        # Only blanks are printable white space, and a line break still parts two texts.
        return "<si><t>" + escaped(joined).replace("\n", "</t></si><si><t>") + "</t></si>"
    return "".join([f"<si>{element(text)}</si>" for text in texts])


class SharedTexts:
    """The workbook's table of texts that cells refer to by number, up to `MOST_SHARED` of them.

    XlsxWriter's own worksheets use it in place of its table, which knows no bounds and takes a text that
    begins like rich text for one. `indexes` maps a text to its number in digits, or to None when nothing
    of it is left to show.
    """

    def __init__(self) -> None:
        """Begin empty."""
        self.count = 1  # for XlsxWriter: the part is always there: rows that are still to come may need it
        self.indexes: dict[str | None, str | None] = {None: None, "": None}
        self._texts: list[str] = []

    def learn(self, texts: Iterable[str | None]) -> bool:
        """Take all of `texts` into the table; returns False, with nothing changed, when it has no room."""
        indexes = self.indexes
        new: list[str] = [text for text in texts if text not in indexes]  # type: ignore[misc]
        if len(self._texts) + len(new) > MOST_SHARED:
            return False
        if new and max(map(len, new)) > MOST_SHARED_LENGTH:
            return False
        if new:
            self._add(new)
        return True

    def index(self, text: str) -> str | None:
        """Return the number of a text, which is added when it is new."""
        if text not in self.indexes:
            self._add([text])
        return self.indexes[text]

    def _add(self, new: Sequence[str]) -> None:
        """Number new texts; those of which nothing is left get no number."""
        clean = new
        if max(map(len, new)) > LONGEST_TEXT // 2 or not "".join(new).isprintable():
            clean = [legal(text) for text in new]
        first = len(self._texts)
        if "" in clean:
            self.indexes.update((text, None) for text, kept in zip(new, clean, strict=True) if not kept)
            pairs = [(text, kept) for text, kept in zip(new, clean, strict=True) if kept]
            new, clean = [text for text, _ in pairs], [kept for _, kept in pairs]
        self._texts += clean
        self.indexes.update(zip(new, map(str, range(first, len(self._texts))), strict=True))

    def _get_shared_string_index(self, string: str) -> str | None:
        """Serve XlsxWriter's own worksheets."""
        return self.index(string)

    def _get_shared_string(self, index: str) -> str:
        """Serve the data that charts keep."""
        return self._texts[int(index)]

    def _sort_string_data(self) -> None:
        """Leave the table as it is: it is in order."""

    def pieces(self) -> Iterator[str]:
        """Yield the part, a batch of texts at a time."""
        head = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n'
        yield f'{head}<sst xmlns="{MAIN}" uniqueCount="{len(self._texts)}">'
        texts = iter(self._texts)
        while batch := list(islice(texts, BATCH)):
            yield _batch(batch)
        yield "</sst>"
