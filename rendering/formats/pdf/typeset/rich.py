"""Text with marks as a whole: cleaned, stripped, parted into paragraphs."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Final

from rendering.formats.pdf.typeset.clean import clean
from templates_app.resolved import Rich, Span, plain

_PARAGRAPHS: Final = re.compile(r"\n[ \t\n]*\n")
_EDGES: Final = "\n "


def cleaned(text: Rich) -> Rich:
    """Return a text without what cannot be drawn, and without blanks and line ends around it."""
    if isinstance(text, str):
        return clean(text).strip(_EDGES)
    spans = [replace(span, text=clean(span.text)) for span in text]
    whole = plain(tuple(spans))
    begin = len(whole) - len(whole.lstrip(_EDGES))
    stop = max(len(whole.rstrip(_EDGES)), begin)
    return next(_parted(spans, [(begin, stop)]))


def paragraphs(text: Rich) -> list[Rich]:
    """Return the paragraphs of a text, parted by empty lines; none when it says nothing."""
    text = cleaned(text)
    if isinstance(text, str):
        if not text:
            return []
        return list(_PARAGRAPHS.split(text)) if "\n" in text else [text]
    if not text:
        return []
    whole = plain(text)
    matches = list(_PARAGRAPHS.finditer(whole))
    begins = [0, *(match.end() for match in matches)]
    stops = [*(match.start() for match in matches), len(whole)]
    return list(_parted(text, list(zip(begins, stops, strict=True))))


def _parted(spans: Sequence[Span], bounds: Sequence[tuple[int, int]]) -> Iterator[tuple[Span, ...]]:
    """Yield the spans between each of ascending bounds; every span is looked at once or once per part."""
    first, at = 0, 0  # the first span that may reach into the part, and where it begins
    for begin, stop in bounds:
        found: list[Span] = []
        while first < len(spans):
            span = spans[first]
            after = at + len(span.text)
            if after > begin and at < stop:
                text = span.text[max(begin - at, 0) : stop - at]
                found.append(span if text == span.text else replace(span, text=text))
            if after > stop:
                break
            first, at = first + 1, after
        yield tuple(found)
