r"""Inline marks in authors' text. Pure.

    **bold** *italic* __underline__ ~~strike~~ ^super^ ~sub~ `code` [text](https://...) [text]{#c00000}

A backslash before punctuation takes its meaning away. Values that expressions fill in are never parsed for
marks, except those that the helper `markdown` writes. A link leads to http, https, mailto or tel; an address
that does not leaves its words without a link. How delimiters pair is in `marks.py`.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable, Iterable
from dataclasses import replace
from functools import lru_cache

from config.patterns import late
from config.value import dataclass
from templates_app.expressions.grammar import MAX_KEPT, Expression, parse
from templates_app.marks import VALUE, Marked, parse_marks
from templates_app.resolved import Rich, Span, plain

MAX_ADDRESS = 2000
_MAY_MARK = late(r"[*_~^`\\\[]")
_LINK = late(r"https?://[^\s/?#]+|mailto:[^\s]|tel:[^\s]", re.IGNORECASE)
_HIDDEN = frozenset({"Cc", "Cs", "Cf", "Zl", "Zp"})
_PLAIN = Span("")

Write = Callable[[Expression], str | Rich]


@dataclass(frozen=True, slots=True)
class _Run:
    """A literal or an expression, the marks around it, and the parts of its link's address.

    The span of a literal holds its text, and its link when that is written out.
    """

    part: str | Expression
    span: Span
    address: tuple[str | Expression, ...] | None


def marks_of(template: str) -> bool:
    """Return whether a text may hold marks: a quick test, True for every text that does."""
    return _MAY_MARK.search(template) is not None


def rich(template: str, write: Write) -> Rich:
    """Return a template filled in, a plain string when nothing in it is marked.

    `write(expression)` returns a value as text, which is never parsed for marks; it may return spans (the
    `markdown` helper), which take the marks around the expression on top of their own.
    """
    if not marks_of(template):
        if "{{" not in template:
            return template
        parts = [part if isinstance(part, str) else write(part) for part in parse(template)]
        if all(isinstance(part, str) for part in parts):
            return "".join(map(str, parts))
        return _merged((part, _PLAIN) for part in parts)
    return _merged(_filled(run, write) for run in _runs(template))


def markdown(text: str) -> Rich:
    """Return data's own text with its marks applied; links other than http, https, mailto, tel stay text."""
    if not marks_of(text):
        return text
    return _merged(_filled(_run(piece, ()), str) for piece in parse_marks(text.replace(VALUE, "")))


def safe_link(address: str) -> str | None:
    """Return an address that may be linked, else None.

    That is http, https, mailto or tel, at most 2,000 characters, none of them a control. Spaces are encoded.
    """
    address = address.strip()
    if len(address) > MAX_ADDRESS or not _LINK.match(address):
        return None
    if any(unicodedata.category(character) in _HIDDEN for character in address):
        return None
    return "".join("%20" if character.isspace() else character for character in address)


def _runs(template: str) -> tuple[_Run, ...]:
    return _kept_runs(template) if len(template) <= MAX_KEPT else _runs_of(template)


@lru_cache(maxsize=1024)
def _kept_runs(template: str) -> tuple[_Run, ...]:
    return _runs_of(template)


def _runs_of(template: str) -> tuple[_Run, ...]:
    values: list[Expression] = []
    literals: list[str] = []
    for part in parse(template):
        if isinstance(part, str):
            literals.append(part.replace(VALUE, ""))
        else:
            values.append(part)
            literals.append(VALUE)
    return tuple(_run(piece, values) for piece in parse_marks("".join(literals)))


def _run(piece: Marked, values: list[Expression] | tuple[Expression, ...]) -> _Run:
    marks = piece.marks
    span = Span(
        "",
        bold="bold" in marks,
        italic="italic" in marks,
        underline="underline" in marks,
        strike="strike" in marks,
        script="super" if "super" in marks else "sub" if "sub" in marks else "",
        code="code" in marks,
        color=piece.color,
    )
    parts = None if piece.address is None else tuple(_part(part, values) for part in piece.address)
    if parts is not None and all(isinstance(part, str) for part in parts):
        span, parts = replace(span, link=safe_link("".join(map(str, parts)))), None
    part = _part(piece.part, values)
    return _Run(part, replace(span, text=part) if isinstance(part, str) else span, parts)


def _part(part: str | int, values: list[Expression] | tuple[Expression, ...]) -> str | Expression:
    return part if isinstance(part, str) else values[part]


def _filled(run: _Run, write: Write) -> tuple[Rich, Span]:
    written = run.part if isinstance(run.part, str) else write(run.part)
    if run.address is None:
        return written, run.span
    # A link from the data is checked as soon as it is known.
    address = "".join(part if isinstance(part, str) else plain(write(part)) for part in run.address)
    return written, replace(run.span, link=safe_link(address))


def _merged(pieces: Iterable[tuple[Rich, Span]]) -> Rich:
    """Return pieces as spans, alike neighbours joined; a plain string when there are no marks."""
    found: list[tuple[str, Span]] = []
    for written, outer in pieces:
        if isinstance(written, str):
            found.append((written, outer))
        else:
            found += [(span.text, _over(span, outer)) for span in written]
    looks: list[Span] = []
    texts: list[list[str]] = []
    for text, look in found:
        if not text:
            continue
        if looks and _alike(looks[-1], look):
            texts[-1].append(text)
        else:
            looks.append(look)
            texts.append([text])
    if not looks:
        return ""
    if len(looks) == 1 and _alike(looks[0], _PLAIN):
        return "".join(texts[0])
    return tuple(_with_text(look, "".join(words)) for look, words in zip(looks, texts, strict=True))


def _looks(span: Span) -> tuple[object, ...]:
    return (
        span.bold, span.italic, span.underline, span.strike, span.script, span.code, span.color, span.link
    )  # fmt: skip


def _alike(first: Span, second: Span) -> bool:
    return first is second or _looks(first) == _looks(second)


def _with_text(span: Span, text: str) -> Span:
    if span.text == text:
        return span
    return Span(
        text,
        span.bold,
        span.italic,
        span.underline,
        span.strike,
        span.script,
        span.code,
        span.color,
        span.link,
    )


def _over(span: Span, outer: Span) -> Span:
    """Return the marks of a span on top of those around it, without text."""
    return Span(
        "",
        bold=span.bold or outer.bold,
        italic=span.italic or outer.italic,
        underline=span.underline or outer.underline,
        strike=span.strike or outer.strike,
        script=span.script or outer.script,
        code=span.code or outer.code,
        color=span.color or outer.color,
        link=span.link or outer.link,
    )
