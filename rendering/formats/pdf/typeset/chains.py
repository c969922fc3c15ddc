"""Chains of faces: the theme's own font, the bundled family, and the fallbacks for other scripts.

A grapheme cluster is drawn in the first face of its chain that has all of its characters.
"""

from __future__ import annotations

import itertools
import threading
import unicodedata
from collections import OrderedDict
from collections.abc import Iterable
from typing import Final

from rendering.formats.directions import is_simplified_chinese
from rendering.formats.pdf.typeset import faces, shaping
from rendering.formats.pdf.typeset.faces import Face
from rendering.formats.pdf.typeset.shaping import Stretch
from templates_app.resolved import FontFamily, Theme

SANS: Final = (
    "SourceSans3-Regular",
    "SourceSans3-SemiBold",
    "SourceSans3-Italic",
    "SourceSans3-SemiBoldItalic",
)
CODE: Final = ("SourceCodePro-Regular", "SourceCodePro-SemiBold") * 2  # no italics
SCRIPTS: Final = (
    "IBMPlexSansArabic",
    *(
        f"NotoSans{name}"
        for name in (
            "Hebrew", "Devanagari", "Thai", "Bengali", "Tamil", "Telugu", "Gujarati", "Kannada", "Malayalam",
            "Gurmukhi", "Armenian", "Georgian", "Khmer", "Lao", "Myanmar",
        )
    ),
)  # fmt: skip
NEVER_BOLD: Final = "NotoSansEthiopic-Regular", "NotoSansSinhala-Regular"
CHINESE: Final = "DroidSansFallback"
JAPANESE: Final = "NotoSansJP-Regular"
# What stands in a corner or at an edge of its square, in Japan as in the simplified script of Chinese: the
# fallback for Chinese has it in the middle, as in Taiwan.
ASIDE: Final = frozenset("，．（）［］｛｝")
EMOJI: Final = "NotoEmoji-Regular"
EMOJI_FROM: Final = "\U0001f000"  # from here on characters are drawn as emoji
EMOJI_STYLE: Final = "\ufe0f"  # and wherever this selector asks for it
MARKS: Final = 32
CHAINS: Final = 64  # chains that stay in memory
SHAPES: Final = 20_000  # shaped texts that all chains together remember, some 1.6 KB each
LONG: Final = 64  # characters from which on a text is not remembered

Sources = tuple[Face | str, ...]


class Chain:
    """Faces in the order in which a character looks for its own; names are loaded when reached."""

    def __init__(self, sources: Sources, language: str) -> None:
        self._sources: list[Face | str] = list(sources)
        self._language = language
        self._simplified = is_simplified_chinese(language)
        self._names = list(sources)
        self._clusters: dict[str, Face] = {}
        self.number = next(_numbers)
        self.faces = [self.face(0)]

    def face(self, index: int) -> Face:
        """Return the face at a place of the chain."""
        source = self._sources[index]
        if isinstance(source, str):
            source = self._sources[index] = faces.bundled(source)
        return source

    def __len__(self) -> int:
        return len(self._sources)

    def find(self, cluster: str) -> Face:
        """Return the face for a grapheme cluster: the first that has all of its characters.

        When there is none, the first that has its first character, and else the first that can show that it
        is missing.
        """
        face = self._clusters.get(cluster)
        if face is None:
            face = self._find(cluster)
            if len(cluster) < LONG:
                if len(self._clusters) >= SHAPES:
                    self._clusters.clear()
                self._clusters[cluster] = face
        return face

    def _find(self, cluster: str) -> Face:
        # Normalizing takes the square of the number of marks: nobody reads more than a few.
        composed = unicodedata.normalize("NFC", cluster) if len(cluster) <= MARKS else cluster
        places: Iterable[int] = range(len(self))
        if EMOJI in self._names and (cluster[0] >= EMOJI_FROM or EMOJI_STYLE in cluster):
            emoji = self._names.index(EMOJI)
            places = (emoji, *(place for place in places if place != emoji))
        elif cluster in ASIDE and self._simplified and CHINESE in self._names:
            chinese, japanese = self._names.index(CHINESE), self._names.index(JAPANESE)
            places = (*range(chinese), japanese, *range(chinese, len(self)))
        for wanted in (cluster, cluster[0]):
            for place in places:
                face = self.face(place)
                if face.covers(wanted) or (wanted is cluster and face.covers(composed)):
                    return face
        every = map(self.face, range(len(self)))
        return next((face for face in every if face.missing), self.faces[0])

    def shaped(self, text: str, rtl: bool | None) -> tuple[tuple[Stretch, ...], bool]:
        """Return the stretches of a text from left to right, and whether it reads from right to left."""
        key = (self.number, text, rtl)
        found = _shapes.get(key)
        if found is None:
            found = shaping.shape(text, rtl, self, self._language)
            if len(text) < LONG:
                if len(_shapes) >= SHAPES:
                    _shapes.clear()
                _shapes[key] = found
        return found


_lock = threading.Lock()
_numbers = itertools.count()
# By the number of the chain and what `Chain.shaped` gets.
_shapes: dict[tuple[int, str, bool | None], tuple[tuple[Stretch, ...], bool]] = {}
_chains: OrderedDict[tuple[Sources, str, bool], Chain] = OrderedDict()


def chain(theme: Theme, language: str, family: str, bold: bool, italic: bool) -> Chain:
    """Return the chain of a style, shared by all documents with the same fonts and language.

    ValueError when the theme's font file cannot be used.
    """
    first = _first(theme, family, bold, italic)
    key = (first, language, bold)  # the others follow from these two
    with _lock:
        found = _chains.get(key)
        if found is None:
            _forget_unloaded()
            found = _chains[key] = Chain((*first, *fallbacks(language, bold)), language)
            while len(_chains) > CHAINS:
                _chains.popitem(last=False)
        else:
            _chains.move_to_end(key)
    return found


def _forget_unloaded() -> None:
    """Forget chains whose own face is not loaded any more, and what only forgotten chains had shaped.

    Each would keep a font file in memory for as long as the process lives.
    """
    loaded = faces.loaded()
    for key in list(_chains):
        if not all(isinstance(face, str) or face in loaded for face in key[0]):
            del _chains[key]
    living = {each.number for each in _chains.values()}
    for shape in list(_shapes):  # other threads may add to it meanwhile
        if shape[0] not in living:
            _shapes.pop(shape, None)


def _first(theme: Theme, family: str, bold: bool, italic: bool) -> Sources:
    """Return the faces that a style asks for, before the fallbacks."""
    place = bold + 2 * italic
    found: list[Face | str] = []
    if family == "code":
        found.append(CODE[place])
    else:
        brought = theme.font if family != "heading" or theme.heading_font is None else theme.heading_font
        if brought is not None:
            found.append(_own(brought, bold, italic))
    found.append(SANS[place])
    return tuple(found)


def _own(family: FontFamily, bold: bool, italic: bool) -> Face:
    """Return the face of an organization's family; a missing one is the regular."""
    content = family.regular
    if bold and italic:
        content = family.bold_italic or family.bold or family.italic or content
    elif bold:
        content = family.bold or content
    elif italic:
        content = family.italic or content
    return faces.own(content, family.name)


def fallbacks(language: str, bold: bool) -> tuple[str, ...]:
    """Return the faces for other scripts; those without a bold file are always regular.

    Chinese and Japanese share characters whose usual shapes differ: a Japanese document takes Japanese ones.
    The Japanese face has numbers in circles and parentheses for all of them.
    """
    weight = "SemiBold" if bold else "Regular"
    first = (JAPANESE,) if language.lower().startswith("ja") else ()
    return (
        "NotoSans-Regular",
        *(f"{script}-{weight}" for script in SCRIPTS),
        *NEVER_BOLD,
        *first,
        "SourceCodePro-Regular",
        "NotoSansMath-Regular",
        "NotoSansSymbols2-Regular",
        CHINESE,
        *(() if first else (JAPANESE,)),
        EMOJI,
    )
