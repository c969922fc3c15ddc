"""Shaping: a text of any script to stretches of glyphs, through HarfBuzz.

A text is parted by direction, then by face (per grapheme cluster), then by script; HarfBuzz shapes each part.
What copying gives back is prepared here: where one glyph stands for some characters of its own, in order,
its text goes into the font (ToUnicode); where glyphs are reordered, or several stand for several characters,
the stretch is `actual`, and the page says its text beside it.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from itertools import groupby
from typing import TYPE_CHECKING, Any, Final, NamedTuple

import uharfbuzz as hb

from config.patterns import late
from config.value import dataclass
from rendering.formats.directions import is_rtl_language
from rendering.formats.pdf.typeset import bidi
from rendering.formats.pdf.typeset.clusters import IGNORABLE, clusters, script
from rendering.formats.pdf.typeset.codepages import WESTERN
from rendering.formats.pdf.typeset.faces import Face

if TYPE_CHECKING:
    from rendering.formats.pdf.typeset.chains import Chain

# Ligatures of Latin letters read badly in tables of figures and in what copying gives; those that a script
# needs (rlig, and everything in Arabic or Devanagari) stay.
# Scripts in which a character is a glyph, whatever stands beside: Latin, Greek, Cyrillic, punctuation, kana,
# Chinese characters and Hangul syllables. Shaped by pairs, they take a fifth of the time.
_PLAIN: Final = late(
    "[ -~\u00a0-\u00ac\u00ae-\u02ff\u0370-\u0482\u048a-\u058f\u1e00-\u1fff\u2010-\u2027\u2030-\u205e"
    "\u20a0-\u20bf\u2100-\u218b\u3001-\u3029\u3030-\u3096\u309b-\u30ff\u4e00-\u9fff\uac00-\ud7a3\uff00-\uffef]+"
)
# Languages with shapes of their own for letters that others share.
MOST: Final = 4000  # characters shaped at once
LOCALIZED: Final = frozenset({"bg", "ca", "mk", "mo", "nl", "ro", "sr"})
_HEX: Final = late("(?<=<)[0-9A-F]+(?=>)")
LATIN_FEATURES: Final = {"liga": False, "clig": False}


@dataclass(frozen=True, slots=True)
class Stretch:
    """Glyphs of one face at one height. As `Piece`, but without the names of a document.

    `glyphs` has the number of each glyph and what it says; in an `actual` stretch that is only a hint.
    `page` is the code page of a `simple` one.
    """

    face: Face
    simple: bool
    code: str
    width: float
    text: str
    actual: bool = False
    rise: float = 0.0
    glyphs: tuple[tuple[int, str], ...] = ()
    page: str = WESTERN

    def coded(self, codes: Iterable[int]) -> str:
        """Return `code` with other numbers for the glyphs."""
        numbers = iter(codes)

        def again(found: re.Match[str]) -> str:
            return "".join(f"{next(numbers):04X}" for _ in range(0, len(found[0]), 4))

        return _HEX.sub(again, self.code)


class Glyph(NamedTuple):
    """A glyph as HarfBuzz placed it: cluster is an index into the text, the rest thousandths of an em."""

    number: int
    cluster: int
    advance: int
    x: int
    y: int


Spoken = tuple[Glyph, str]  # a glyph and what it says


def shape(text: str, rtl: bool | None, chain: Chain, language: str) -> tuple[tuple[Stretch, ...], bool]:
    """Return the stretches of a text from left to right, and whether it reads from right to left."""
    if not rtl and language[:2] not in LOCALIZED and _PLAIN.fullmatch(text):
        faces = {chain.find(character) for character in set(text)}
        if len(faces) == 1:
            face = faces.pop()
            stretch = _paged(text, face) or _plain(text, face)
            if stretch is not None:
                return (stretch,), False
    if rtl is not None:
        return tuple(_directional(text, rtl, chain, language)), rtl
    base = bidi.base_direction(text, mirrored=is_rtl_language(language))
    stretches: list[Stretch] = []
    for start, stop, reverse in bidi.visual_runs(text, base):
        stretches += _directional(text[start:stop], reverse, chain, language)
    return tuple(stretches), base == "rtl"


def _directional(text: str, rtl: bool, chain: Chain, language: str) -> list[Stretch]:
    """Return the stretches of a text of one direction."""
    parts: list[list[Stretch]] = []
    for start, stop, face in _by_face(text, chain):
        part = text[start:stop]
        codes = None if rtl else face.codes(part)
        if codes is not None:
            parts.append([Stretch(face, True, *face.kerned(part, codes), part)])
            continue
        parts.extend(_shaped(part[first:last], face, rtl, language) for first, last in _by_script(part))
    if rtl:
        parts.reverse()
    return [stretch for part in parts for stretch in part]


# ---------------------------------------------------------------- parts


def _by_face(text: str, chain: Chain) -> Iterator[tuple[int, int, Face]]:
    """Yield start, stop and face of the longest parts that one face draws."""
    begin = 0
    current: Face | None = None
    for start, stop in clusters(text):
        cluster = text[start:stop]
        face = current if current is not None and cluster in IGNORABLE else chain.find(cluster)
        if face is not current:
            if current is not None:
                yield begin, start, current
            begin, current = start, face
    if current is not None:
        yield begin, len(text), current


def _by_script(text: str) -> Iterator[tuple[int, int]]:
    """Yield start and stop of the longest parts of one script; what belongs to all of them goes along.

    None is longer than HarfBuzz surely takes.
    """
    begin = 0
    current = ""
    for index, character in enumerate(text):
        found = script(character)
        if index - begin < MOST and (not found or found == current):
            continue
        if current or index - begin >= MOST:
            yield begin, index
            begin = index
        current = found or current
    yield begin, len(text)


# ---------------------------------------------------------------- glyphs


def _shaped(text: str, face: Face, rtl: bool, language: str) -> list[Stretch]:
    """Return the stretches of a text of one face, direction and script."""
    if not rtl and language[:2] not in LOCALIZED and _PLAIN.fullmatch(text):
        stretch = _plain(text, face)
        if stretch is not None:
            return [stretch]
    glyphs = _glyphs(text, face, rtl, language)
    if not glyphs:
        return []
    if rtl:
        spoken, exact = _spoken_backwards(text, glyphs, face), True
    else:
        spoken, exact = _spoken(text, glyphs, face)
    levels = [list(group) for _, group in groupby(spoken, lambda pair: pair[0].y)]
    stretches = [_stretch(face, level, rtl) for level in levels]
    if rtl or (exact and len(stretches) == 1):
        return stretches
    # The first stretch says everything, the others stay silent.
    first, *others = stretches
    silent = (replace(other, text="", actual=True) for other in others)
    return [replace(first, text=text, actual=True), *silent]


def _paged(text: str, face: Face) -> Stretch | None:
    """Return a text in an 8-bit font of its code page, None when there is none."""
    page = face.pages.of(text)
    if page is None:
        return None
    page = page or WESTERN
    code, width = face.kerned(text, text.encode(page), face.pages[page].widths)
    return Stretch(face, True, code, width, text, page=page)


def _plain(text: str, face: Face) -> Stretch | None:
    """Return a text without shaping, None when the face lacks a character."""
    found = face.plain(text)
    if found is None:
        return None
    code, width, said = found
    return Stretch(face, False, code, width, text, glyphs=said)


def _glyphs(text: str, face: Face, rtl: bool, language: str) -> list[Glyph]:
    """Return the glyphs from left to right."""
    buffer = hb.Buffer()
    buffer.add_codepoints(list(map(ord, text)))
    buffer.cluster_level = hb.BufferClusterLevel.MONOTONE_CHARACTERS
    buffer.flags = hb.BufferFlags.REMOVE_DEFAULT_IGNORABLES
    buffer.direction = "rtl" if rtl else "ltr"
    if language:
        buffer.language = language
    buffer.guess_segment_properties()
    hb.shape(face.font, buffer, LATIN_FEATURES if buffer.script in ("Latn", "Grek", "Cyrl", "Zyyy") else None)
    positions: Sequence[Any] = buffer.glyph_positions or ()
    glyphs = [
        Glyph(info.codepoint, info.cluster, position.x_advance, position.x_offset, position.y_offset)
        for info, position in zip(buffer.glyph_infos, positions, strict=True)
    ]
    if all(glyph.number for glyph in glyphs):
        return glyphs
    # Not the glyph 0 that fonts have for it: archives demand that none is shown.
    box = face.missing
    width = face.advance(box)
    return [glyph if glyph.number else Glyph(box, glyph.cluster, width, 0, 0) for glyph in glyphs]


def _stretch(face: Face, glyphs: list[Spoken], rtl: bool) -> Stretch:
    """Return glyphs of one height, with what each says."""
    parts: list[str] = []
    digits: list[str] = []
    gap = 0  # from where the viewer's pen stands to where the next glyph begins
    width = 0
    for glyph, _ in glyphs:
        gap += glyph.x
        if gap:
            if digits:
                parts.append(f"<{''.join(digits)}>")
                digits = []
            parts.append(str(-gap))
        digits.append(f"{glyph.number:04X}")
        gap = glyph.advance - glyph.x - face.advance(glyph.number)
        width += glyph.advance
    parts.append(f"<{''.join(digits)}>")
    if gap:
        parts.append(str(-gap))
    said = tuple((glyph.number, text) for glyph, text in glyphs)
    text = "".join(text for _, text in said)[:: -1 if rtl else 1]
    return Stretch(face, False, "".join(parts), width, text, False, float(glyphs[0][0].y), said)


def _spoken(text: str, glyphs: list[Glyph], face: Face) -> tuple[list[Spoken], bool]:
    """Return what each glyph says, left to right, and whether all of them together say exactly the text."""
    ends = _ends(text, glyphs)
    exact = glyphs[0].cluster == 0
    found: list[Spoken] = []
    for cluster, group in groupby(glyphs, lambda glyph: glyph.cluster):
        members = list(group)
        part = text[cluster : ends[cluster]]
        parts = [part]
        if len(members) > 1:
            parts = _shared(part, [glyph.number for glyph in members], face)
            exact = exact and all(parts) and "".join(parts) == part
        found += zip(members, parts, strict=True)
    return found, exact


def _ends(text: str, glyphs: list[Glyph]) -> dict[int, int]:
    """Return where the text of each cluster ends."""
    starts = sorted({glyph.cluster for glyph in glyphs})
    return dict(zip(starts, [*starts[1:], len(text)], strict=True))


def _spoken_backwards(text: str, glyphs: list[Glyph], face: Face) -> list[Spoken]:
    """Return what each glyph says, for text from right to left; the glyphs stand from left to right.

    Readers of a page take characters from left to right and turn them round afterwards, one by one, those
    of a ligature and of ActualText as well. So no glyph may say two characters: a letter says its first one,
    and empty glyphs without width at its left say the others. Marks are drawn in silence, because readers
    take what is higher for another line.
    """
    ends = _ends(text, glyphs)
    # HarfBuzz takes a joiner out and counts it to the letter after it.
    letters = {start for start, _ in clusters(text)}
    starts = {start for start in ends if start in letters or text[start] in IGNORABLE} | {min(ends)}
    found: list[Spoken] = []
    group: list[Glyph] = []
    stop = len(text)
    for index, glyph in enumerate(glyphs):
        group.append(glyph)
        following = glyphs[index + 1].cluster if index + 1 < len(glyphs) else -1
        if glyph.cluster in starts and following != glyph.cluster:
            start = glyph.cluster if following >= 0 else 0
            found += _letter(text[start:stop], group, face.empty)
            group, stop = [], start
    return found


def _letter(part: str, glyphs: list[Glyph], empty: int) -> list[Spoken]:
    """Return what the glyphs of one letter with its marks say."""
    if len(part) == 1 and len(glyphs) == 1:
        return [(glyphs[0], part)]
    speaker = max((place for place, glyph in enumerate(glyphs) if glyph.advance), default=len(glyphs) - 1)
    spoken = [(glyph, "") for glyph in glyphs]
    if not empty:
        spoken[speaker] = (glyphs[speaker], part[::-1])
        return spoken
    letter = next((place for place, character in enumerate(part) if character not in IGNORABLE), 0)
    spoken[speaker] = (glyphs[speaker], part[letter])
    carrier = Glyph(empty, glyphs[speaker].cluster, 0, 0, glyphs[speaker].y)
    left = [(carrier, character) for character in reversed(part[letter + 1 :])]
    right = [(carrier, character) for character in reversed(part[:letter])]
    return [*spoken[:speaker], *left, spoken[speaker], *right, *spoken[speaker + 1 :]]


def _shared(part: str, numbers: list[int], face: Face) -> list[str]:
    """Return a cluster's characters shared out between its glyphs.

    A glyph takes the character that it is drawn for alone; the first that is drawn for none takes the rest.
    """
    rest = list(part)
    by_glyph = {face.glyph(character): character for character in rest}
    found: list[str] = []
    for number in numbers:
        character = by_glyph.pop(number, "")
        if character:
            rest.remove(character)
        found.append(character)
    for place, character in enumerate(found):
        if not character:
            found[place] = "".join(rest)
            break
    return found
