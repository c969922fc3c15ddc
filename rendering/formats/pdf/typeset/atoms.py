"""Atoms: the pieces of a line of text between the places where it may be broken.

A simple form of Unicode's line breaking: spaces, hyphens and dashes, slashes and the like in addresses,
zero-width spaces; between Chinese and Japanese characters unless punctuation would begin or end a line
wrongly; between the clusters of Lao and Khmer, whose words only a dictionary could find; between the
syllables of Burmese; in Thai where a syllable surely begins.
"""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from collections.abc import Iterator, Sequence
from typing import Final

from config.patterns import late
from config.value import dataclass
from rendering.formats.pdf.typeset.clusters import clusters

SOFT_HYPHEN: Final = "\u00ad"
ZERO_SPACE: Final = "\u200b"
BLANKS: Final = " \u2002\u2003\u2004\u2005\u2006\u2008\u2009\u200a\u1680\u205f\u3000"
# How wide those of a width of their own are, in font sizes; the others are as wide as a space.
BLANK_WIDTHS: Final = {
    "\u2002": 1 / 2, "\u2003": 1.0, "\u2004": 1 / 3, "\u2005": 1 / 4, "\u2006": 1 / 6, "\u2009": 1 / 5,
    "\u200a": 1 / 10, "\u205f": 4 / 18, "\u3000": 1.0,
}  # fmt: skip
LONG: Final = 30  # characters from which on a word is taken for an address
LONGEST: Final = 100  # and from which on it is parted between clusters beforehand
WIDE_GAP: Final = 0.5  # stretch between two wide characters, in spaces

_WORDS: Final = late(f"[^{BLANKS}]+")
# Chinese, Japanese, Yi, Korean syllables are words: they break at spaces.
_WIDE: Final = (
    "\u2e80-\u2fdf\u2ff0-\u2fff\u3001-\u30ff\u3105-\u312f\u31a0-\u31ff\u3200-\u4dbf\u4e00-\u9fff"
    "\ua000-\ua4cf\uf900-\ufaff\ufe30-\ufe4f\uff01-\uff9f\U00017000-\U00018cff\U0001aff0-\U0001b2ff"
    "\U00020000-\U0003ffff"
)
_SCRIPTA: Final = "\u0e01-\u0e5b\u0e81-\u0edf\u1000-\u109f\u1780-\u17ff"  # without spaces between words
_ETHIOPIC: Final = "\u1361-\u1368"  # the blank of that script, which is drawn, and its points
_DASHES: Final = "\\-\u2010\u2012\u2013\u2014"
# What a word must contain to have a break inside.
_MARKED: Final = late(f"[{_DASHES}/{ZERO_SPACE}{SOFT_HYPHEN}{_ETHIOPIC}{_WIDE}{_SCRIPTA}]")
_OPEN: Final = late(f"{_MARKED.pattern}|^.{{{LONG},}}", re.DOTALL)
_AFTER_DASH: Final = late(
    f"(?<=[^\\W\\d_]{{2}})[{_DASHES}](?=[^\\W\\d_]{{2}})|[\u2013\u2014](?=[^\\W\\d_])|/(?=[^\\W\\d_]{{3}})"
    f"|[{_ETHIOPIC}](?=\\w)"
)
# What may make a break inside of a word that is no address.
_BREAKS: Final = late(f"[{ZERO_SPACE}{SOFT_HYPHEN}{_WIDE}{_SCRIPTA}]|{_AFTER_DASH.pattern}")
# The same below the first of those characters and dashes: their classes take milliseconds to compile. Each
# begins with a sign of its own, which is looked for faster than letters.
_NEAR: Final = bytes(range(0xE0))  # in UTF-8: up to U+07FF
_NEAR_BREAKS: Final = late(r"-(?<=[^\W\d_]{2}-)(?=[^\W\d_]{2})|/(?=[^\W\d_]{3})|" + SOFT_HYPHEN)
_IN_ADDRESS: Final = late(r"(?<=[\w/])[/\\?&=_.,;:@+|~%-](?=\w)|(?<=//)(?=\w)|(?<=\.)-(?=\w)")
_ADDRESS: Final = late(r"://|@|\bwww\.|[?&][\w-]+=")
_WIDE_OR_SCRIPTA: Final = late(f"[{_WIDE}{_SCRIPTA}]")
_THAI: Final = late("[\u0e01-\u0e5b]")
_THAI_CONSONANT: Final = late("[\u0e01-\u0e2e]")
_THAI_LEADING: Final = "เแโใไ"
_THAI_ENDING: Final = "ะำๆ"
_THAI_FOLLOWING: Final = frozenset("าำ")
# Short i and u are silent at the end of some words (ชาติ, เหตุ), and mai han-akat wants a consonant behind it.
_THAI_OWN_VOWEL: Final = late("[\u0e31\u0e35-\u0e37\u0e39]|[\u0e34\u0e38][\u0e48-\u0e4b]")
_THAI_OPEN: Final = late("า$|[\u0e34-\u0e39][\u0e48-\u0e4b]?$")
# A consonant whose vowel is taken away ends its syllable.
_BURMESE_END: Final = late("[\u1000-\u1021]\u1037?\u103a")
_NARROW: Final = late(f"[^{_WIDE}{_SCRIPTA}]{{{LONG},}}")
_IS_WIDE: Final = late(f"[{_WIDE}]")
# Kinsoku: these do not begin a line, those do not end one.
_NO_START: Final = frozenset(
    "、。，．・：；？！）］｝〉》」』】〕〗〙〛’”々〻ーぁぃぅぇぉっゃゅょゎゕゖァィゥェォッャュョヮヵヶ゛゜ゝゞヽヾ"
    "｡､｣･ｰﾞﾟ…‥〜～%％°℃)]}.,:;!?»›ๆฯะาำๅຯະາຳໆ၊။។៕៖ៗ"
)
_NO_END: Final = frozenset("（［｛〈《「『【〔〖〘〚‘“｢([{«‹$€£¥￥＄#เแโใไເແໂໃໄ")


def whole(words: str) -> bool:
    """Return whether no word of many has a place for a break inside, where none of them is `LONG`.

    Where it says no there may still be none: `simple` knows.
    """
    if words.isascii() or not words.encode("utf-8", "surrogatepass").translate(None, _NEAR):
        marked = "-" in words or "/" in words or SOFT_HYPHEN in words
        return not marked or _NEAR_BREAKS.search(words) is None
    return _MARKED.search(words) is None or _BREAKS.search(words) is None


def simple(word: str) -> bool:
    """Return whether a word without blanks has no place for a break inside."""
    if _OPEN.search(word) is None:
        return True
    return not (
        SOFT_HYPHEN in word or ZERO_SPACE in word or len(word) >= LONG or _inside(word, 0, len(word), ())
    )


def unbroken(line: str) -> bool:
    """Return whether no word of a line, one space between two, has a place for a break inside."""
    if whole(line) and (len(line) < LONG or max(map(len, line.split(" "))) < LONG):
        return True
    return all(map(simple, line.split(" ")))


def parts(word: str) -> list[str]:
    """Return a word without blanks in the parts between which a line may end."""
    begins = [0, *(offset for offset, _ in _inside(word, 0, len(word), ()))]
    return [word[begin:end] for begin, end in zip(begins, [*begins[1:], len(word)], strict=True)]


def is_address(word: str) -> bool:
    """Return whether a hyphen would make another address of a word without blanks."""
    return _ADDRESS.search(word) is not None


def behind_signs(word: str) -> list[int]:
    """Return where a word that is wider than a line is broken before it is broken anywhere."""
    return [match.end() for match in _IN_ADDRESS.finditer(word)]


@dataclass(slots=True)
class Text:
    """A line of text without its invisible characters; offsets at which it may be broken.

    `soft` are those with a hyphen, `zero` those without; ascending.
    """

    text: str
    soft: Sequence[int] = ()
    zero: Sequence[int] = ()


def without_invisible(text: str) -> Text:
    """Return a line without soft hyphens and zero-width spaces."""
    if SOFT_HYPHEN not in text and ZERO_SPACE not in text:
        return Text(text)
    kept: list[str] = []
    soft: list[int] = []
    zero: list[int] = []
    length = 0
    for part in re.split(f"([{SOFT_HYPHEN}{ZERO_SPACE}])", text):
        if part == SOFT_HYPHEN:
            soft.append(length)
        elif part == ZERO_SPACE:
            zero.append(length)
        else:
            kept.append(part)
            length += len(part)
    return Text("".join(kept), soft, zero)


@dataclass(slots=True)
class Atoms:
    """Atoms of a line: where each begins and stops, and the stretch after it, in spaces.

    What is between the stop of one and the beginning of the next are blanks.
    """

    begins: list[int]
    stops: list[int]
    gaps: list[float]


def atoms(line: Text) -> Atoms:
    """Return the atoms of a line in order; blanks at its end are left out.

    Those at its beginning follow an empty atom.
    """
    found = Atoms([], [], [])
    text = line.text
    for match in _WORDS.finditer(text):
        begin, stop = match.span()
        if begin and not found.begins:
            _add(found, 0, 0, float(begin))
        elif found.begins:
            found.gaps[-1] = float(begin - found.stops[-1])
        if line.zero or _OPEN.search(text, begin, stop) or stop - begin >= LONG:
            for offset, gap in _inside(text, begin, stop, line.zero):
                _add(found, begin, offset, gap)
                begin = offset
        _add(found, begin, stop, 0.0)
    return found


def _add(found: Atoms, begin: int, stop: int, gap: float) -> None:
    found.begins.append(begin)
    found.stops.append(stop)
    found.gaps.append(gap)


def _inside(text: str, begin: int, stop: int, zero: Sequence[int]) -> list[tuple[int, float]]:
    """Return where a word may be broken and the stretch there, in order."""
    word = text[begin:stop]
    found: dict[int, float] = {begin + match.end(): 0.0 for match in _AFTER_DASH.finditer(word)}
    if len(word) >= LONG:
        for part in _NARROW.finditer(word):  # figures between Chinese characters are no address
            places = _IN_ADDRESS.finditer(word, *part.span())
            found.update((begin + match.end(), 0.0) for match in places)
    if zero:
        found.update((offset, 0.0) for offset in zero[bisect_right(zero, begin) : bisect_left(zero, stop)])
    if _WIDE_OR_SCRIPTA.search(word):
        found.update(_between_characters(word, begin))
    found.pop(stop, None)
    return sorted(found.items())


def _begins_in_thai(before: str, cluster: str, after: str) -> bool:
    """Return whether a Thai syllable surely begins at a cluster, which stands between two others.

    Behind other letters one does. Else surely: with a vowel that is written before its consonant; behind one
    that ends its syllable; at a consonant with a vowel of its own behind another vowel.
    """
    if _THAI.match(before) is None:
        return before not in ",." or not cluster[0].isdecimal()
    if cluster[0] in _THAI_LEADING:
        return True
    if before[-1] in _THAI_ENDING:
        return _THAI_CONSONANT.match(cluster) is not None
    own = _THAI_OWN_VOWEL.search(cluster) is not None or after[:1] in _THAI_FOLLOWING
    return own and _THAI_OPEN.search(before) is not None


def _begins(before: str, cluster: str, after: str) -> bool:
    """Return whether a syllable, or a number, may begin at a cluster, which stands between two others."""
    if _THAI.match(cluster):
        return _begins_in_thai(before, cluster, after)
    if cluster[0].isdecimal() and before[-1].isdecimal():
        return _IS_WIDE.match(cluster) is not None
    return _BURMESE_END.match(cluster) is None


def _between_characters(word: str, begin: int) -> Iterator[tuple[int, float]]:
    """Yield the breaks beside wide characters and between the clusters of scripts without spaces."""
    before, last_wide, last_open = "", False, False
    for start, stop in clusters(word):
        first = word[start]
        is_open = _WIDE_OR_SCRIPTA.match(first) is not None
        is_wide = is_open and _IS_WIDE.match(first) is not None
        if (
            before
            and (is_open or last_open)
            and first not in _NO_START
            and before[-1] not in _NO_END
            and _begins(before, word[start:stop], word[stop : stop + 1])
        ):
            yield begin + start, WIDE_GAP if is_wide and last_wide else 0.0
        before, last_wide, last_open = word[start:stop], is_wide, is_open
