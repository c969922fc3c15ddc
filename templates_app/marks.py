"""The parser of inline marks: text to runs with their marks, in linear time. Pure.

The rules are CommonMark's for delimiters, code and brackets, with what business texts need: `*` between
digits or values multiplies, `__` marks at word boundaries only (in Chinese, Thai, Arabic and the like inside
of words, too), `~` and `^` go around text without spaces, and marks end with their paragraph.
"""

from __future__ import annotations

import re
import string
import unicodedata
from bisect import bisect_left, bisect_right
from dataclasses import replace
from itertools import islice
from operator import attrgetter

from config.patterns import late
from config.value import dataclass

# Stands for an expression in the text to parse.
VALUE = "\0"
# A text with more pieces than this is printed as it stands: no page shows so many, and each takes its time.
MAX_PIECES = 100_000
# How a delimiter marks, by its character and length.
_MARKS = {"*1": "italic", "*2": "bold", "_2": "underline", "~2": "strike", "~1": "sub", "^1": "super"}
_RAISED = frozenset({"~1", "^1"})
_SPECIAL = late(r"\\[!-/:-@\[-`{-~]|`+|\*+|_+|~+|\^+|\[|\]|\0")
_PARAGRAPH_END = late(r"\n[ \t]*(?=\n)")
_COLOR = late(r"\{(#[0-9a-fA-F]{6})\}")
_ADDRESS = late(r"\(((?:[^\s()\\]|\\[!-/:-@\[-`{-~]|\\|\([^\s()]*+\)){0,2000}+)\)")
_ESCAPE = late(r"\\([!-/:-@\[-`{-~])")
_DIGITS = frozenset(string.digits)
_CASELESS = frozenset({"Lo", "Lm", "Mn", "Mc"})  # of Chinese, Thai, Arabic and the like
_position = attrgetter("position")


@dataclass(frozen=True, slots=True)
class Marked:
    """A piece of text, or the number of a value, with its marks; the parts of `address` are such as well."""

    part: str | int
    marks: frozenset[str] = frozenset()
    color: str | None = None
    address: tuple[str | int, ...] | None = None


@dataclass(slots=True)
class _Node:
    """A piece of the text: plain, a run of delimiters, or a bracket."""

    kind: str  # text, code, delimiter, open, close
    part: str | int
    opens: bool = False
    closes: bool = False
    position: int = 0
    space: int = -1  # where the last white space before it stands
    length: int = 0  # delimiters that are left
    color: str | None = None
    address: tuple[str | int, ...] | None = None
    holds_link: bool = False
    starts: tuple[str, ...] = ()  # marks that begin behind this node
    ends: tuple[str, ...] = ()  # marks that end before it


def parse_marks(text: str) -> list[Marked]:
    """Return the pieces of a text in their order; those without marks are plain.

    A text that would have more than MAX_PIECES is not looked at: its marks stay letters.
    """
    if next(islice(_SPECIAL.finditer(text), MAX_PIECES, None), None):
        return _unmarked(text)
    pieces: list[Marked] = []
    position = values = 0
    for end in [match.end() for match in _PARAGRAPH_END.finditer(text)] + [len(text)]:
        scanner = _Scanner(text[position:end], values)
        nodes = scanner.nodes()
        _match_delimiters(nodes)
        pieces += _pieces(nodes)
        position, values = end, scanner.values
    return pieces


def _unmarked(text: str) -> list[Marked]:
    pieces: list[Marked] = []
    for number, literal in enumerate(text.split(VALUE)):
        if number:
            pieces.append(Marked(number - 1))
        if literal:
            pieces.append(Marked(literal))
    return pieces


# ---------------------------------------------------------------- nodes


class _Scanner:
    """Splits one paragraph at everything that may be a mark; `values` counts the values met so far."""

    def __init__(self, text: str, values: int) -> None:
        self.values = values
        self._text = text
        self._position = 0
        self._space = -1
        self._nodes: list[_Node] = []
        self._opened: list[_Node] = []
        self._fences = _fences(text)

    def nodes(self) -> list[_Node]:
        """Return the pieces of the paragraph; brackets that mark nothing are text."""
        text = self._text
        while match := _SPECIAL.search(text, self._position):
            if match.start() > self._position:
                self._add("text", text[self._position : match.start()])
                self._skip(match.start())
            self._skip(match.end())
            self._read(match[0], match.start())
        if self._position < len(text):
            self._add("text", text[self._position :])
        for node in self._opened:
            node.kind = "text"
        return self._nodes

    def _add(self, kind: str, part: str | int) -> _Node:
        node = _Node(kind, part)
        self._nodes.append(node)
        return node

    def _skip(self, end: int) -> None:
        """Step to `end` and remember the last white space on the way."""
        self._space = max(self._space, _last_space(self._text, self._position, end))
        self._position = end

    def _read(self, found: str, start: int) -> None:
        match found[0]:
            case "\\":
                self._add("text", found[1])
            case "`":
                self._code(found)
            case "[":
                self._opened.append(self._add("open", found))
            case "]":
                self._close(found)
            case "\0":
                self._value("text")
            case _:
                self._nodes.append(_delimiter(self._text, start, found, self._space))

    def _value(self, kind: str) -> None:
        self._add(kind, self.values)
        self.values += 1

    def _code(self, fence: str) -> None:
        end = _closing(self._fences, len(fence), self._position)
        if end < 0:
            self._add("text", fence)
            return
        code = self._text[self._position : end]
        if len(code) > 2 and code[0] == code[-1] == " " and code.strip():
            code = code[1:-1]
        for piece in re.split(f"({VALUE})", code):
            if piece == VALUE:
                self._value("code")
            elif piece:
                self._add("code", piece)
        self._skip(end + len(fence))

    def _close(self, found: str) -> None:
        """Read what follows a bracket; without an address or a colour, both brackets are text."""
        node = self._add("text", found)
        if not self._opened:
            return
        first = self._opened.pop()
        address = _ADDRESS.match(self._text, self._position)
        if address and first.holds_link:
            address = None
        color = _COLOR.match(self._text, address.end() if address else self._position)
        if not address and not color:
            first.kind = "text"
            return
        node.kind = "close"
        if color:
            first.color = color[1].lower()
        if address:
            first.address = self._parts(_ESCAPE.sub(r"\1", address[1]))
            for outer in self._opened:
                outer.holds_link = True
        last = color or address
        self._skip(last.end() if last else self._position)

    def _parts(self, address: str) -> tuple[str | int, ...]:
        parts: list[str | int] = []
        for piece in re.split(f"({VALUE})", address):
            if piece == VALUE:
                parts.append(self.values)
                self.values += 1
            elif piece:
                parts.append(piece)
        return tuple(parts)


def _last_space(text: str, start: int, end: int) -> int:
    for index in range(end - 1, start - 1, -1):
        if text[index].isspace():
            return index
    return -1


def _fences(text: str) -> dict[int, list[int]]:
    """Return where runs of backticks of each length stand."""
    found: dict[int, list[int]] = {}
    for match in re.finditer(r"`+", text):
        found.setdefault(len(match[0]), []).append(match.start())
    return found


def _closing(fences: dict[int, list[int]], length: int, position: int) -> int:
    places = fences.get(length, [])
    index = bisect_right(places, position - 1)
    return places[index] if index < len(places) else -1


def _delimiter(text: str, start: int, found: str, space: int) -> _Node:
    """Return a run of delimiters and whether it may open and close marks, by CommonMark's flanking.

    What is raised or lowered begins and ends with any sign: `10^-3^`, `see^(1)^there`.
    """
    before = text[start - 1] if start else "\n"
    after = text[start + len(found)] if start + len(found) < len(text) else "\n"
    if found[0] != "*" and f"{found[0]}{len(found)}" not in _MARKS:
        return _Node("text", found)
    if found[0] == "*" and _multiplies(before, after, len(found)):
        return _Node("text", found)
    left = not after.isspace() and (not _is_punctuation(after) or before.isspace() or _is_punctuation(before))
    right = not before.isspace() and (
        not _is_punctuation(before) or after.isspace() or _is_punctuation(after)
    )
    if f"{found[0]}{len(found)}" in _RAISED:
        opens, closes = not after.isspace(), not before.isspace()
    elif found[0] == "_":
        opens = left and (not right or _is_punctuation(before) or _is_caseless(before))
        closes = right and (not left or _is_punctuation(after) or _is_caseless(after))
    else:
        opens, closes = left, right
    return _Node("delimiter", found, opens, closes, start, space, len(found))


def _multiplies(before: str, after: str, length: int) -> bool:
    factors = _DIGITS | {VALUE} if length == 1 else _DIGITS
    return before in factors and after in factors


def _is_caseless(character: str) -> bool:
    """Tell whether it is of a script that has no blanks between words, or where words grow together."""
    return unicodedata.category(character) in _CASELESS


def _is_punctuation(character: str) -> bool:
    return unicodedata.category(character)[0] in "PS"


# ---------------------------------------------------------------- delimiters


class _Frame:
    """The open delimiters inside one pair of brackets, and for closers of a sort, before which place none is.

    A place in the text, not in the list: that shrinks and grows again.
    """

    def __init__(self) -> None:
        self.opened: list[_Node] = []
        self.bottoms: dict[tuple[str, int, bool], int] = {}


def _match_delimiters(nodes: list[_Node]) -> None:
    """Pair delimiters; each pair leaves its mark behind the first and before the second."""
    frames = [_Frame()]
    for node in nodes:
        if node.kind == "open":
            frames.append(_Frame())
        elif node.kind == "close":
            frames.pop()
        elif node.kind == "delimiter":
            frame = frames[-1]
            if node.closes:
                _close_delimiter(node, frame)
            if node.opens and node.length:
                frame.opened.append(node)


def _close_delimiter(node: _Node, frame: _Frame) -> None:
    length = len(str(node.part))
    key = (str(node.part)[0], length % 3 if str(node.part)[0] == "*" else length, node.opens)
    while node.length:
        lowest = bisect_left(frame.opened, frame.bottoms.get(key, 0), key=_position)
        index = next(
            (at for at in range(len(frame.opened) - 1, lowest - 1, -1) if _pairs(frame.opened[at], node)), -1
        )
        if index < 0:
            frame.bottoms[key] = node.position
            return
        opener = frame.opened[index]
        del frame.opened[index + 1 :]
        used = min(2, opener.length, node.length) if str(node.part)[0] == "*" else node.length
        mark = _MARKS[f"{str(node.part)[0]}{used}"]
        opener.starts += (mark,)
        node.ends += (mark,)
        opener.length -= used
        node.length -= used
        if not opener.length:
            frame.opened.pop()


def _pairs(opener: _Node, closer: _Node) -> bool:
    first, second = str(opener.part), str(closer.part)
    if first[0] != second[0]:
        return False
    if first[0] != "*":
        unspaced = len(first) == 2 or opener.position > closer.space
        return first == second and unspaced and closer.position > opener.position + len(first)
    # CommonMark's rule of three, which tells ***a** b* from **a***b*.
    either = (opener.closes or closer.opens) and (len(first) + len(second)) % 3 == 0
    return not either or (len(first) % 3 == 0 and len(second) % 3 == 0)


# ---------------------------------------------------------------- pieces


def _pieces(nodes: list[_Node]) -> list[Marked]:
    """Return the text between the marks, each piece with those that are open there."""
    pieces: list[Marked] = []
    texts: list[str] = []  # of the literal pieces that look the same
    counts: dict[str, int] = {}
    plain = look = Marked("")
    brackets = [plain]
    for node in nodes:
        part: str | int = ""
        if node.kind == "open":
            outer = brackets[-1]
            brackets.append(
                Marked("", color=node.color or outer.color, address=node.address or outer.address)
            )
        elif node.kind == "close":
            brackets.pop()
        else:
            part = str(node.part)[: node.length] if node.kind == "delimiter" else node.part
        for mark in node.ends:
            counts[mark] -= 1
        if node.kind != "text" or look.marks or counts:
            marks = frozenset(mark for mark, count in counts.items() if count)
            marks |= {"code"} if node.kind == "code" else frozenset()
            now = Marked("", marks, brackets[-1].color, brackets[-1].address)
            if now != look:
                _put(pieces, texts, look)
                look = now
        for mark in node.starts:
            counts[mark] = counts.get(mark, 0) + 1
        if isinstance(part, str):
            texts.append(part)
        else:
            _put(pieces, texts, look)
            pieces.append(replace(look, part=part))
    _put(pieces, texts, look)
    return pieces


def _put(pieces: list[Marked], texts: list[str], look: Marked) -> None:
    if text := "".join(texts):
        pieces.append(replace(look, part=text))
    texts.clear()
