"""What a table puts on one page: fills, rules and texts are gathered, and become few items. Points."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import lru_cache
from typing import TYPE_CHECKING, Protocol

from rendering.formats.pdf.layout.items import (
    Item,
    Link,
    Path,
    Rects,
    Rules,
    Tag,
    TextBlock,
    TextLine,
    TextRun,
)

if TYPE_CHECKING:
    from rendering.formats.pdf.layout.structure import Element

Strand = tuple[str, float, str, str]  # font, size, colour, role


class Source(Protocol):
    """Where the texts of a part of a page's code can be read."""

    def lines(self) -> Iterator[TextLine]:
        """Give every line of text."""


class _Texts:
    """Texts of one strand in the order of the page; `Single` ones and whole stretches of rows."""

    __slots__ = ("_sources", "parts", "strand")

    def __init__(self, strand: Strand) -> None:
        self.parts: list[str] = []
        self._sources: list[Source | tuple[float, float, str, float, str, str]] = []
        self.strand = strand

    def single(self, x: float, y: float, code: str, width: float, text: str, said: str) -> None:
        self.parts.append(f"1 0 0 1 {x:.2f} {y:.2f} Tm[{code}]TJ\n")
        self._sources.append((x, y, code, width, text, said))

    def stretch(self, code: str, source: Source) -> None:
        self.parts.append(code)
        self._sources.append(source)

    def block(self) -> TextBlock:
        font, size, color, role = self.strand
        return TextBlock(font, size, color, "".join(self.parts), self._lines, role)

    def _lines(self) -> Iterator[TextLine]:
        font, size, color, role = self.strand
        for source in self._sources:
            if isinstance(source, tuple):
                x, y, code, width, text, said = source
                run = TextRun(font, size, color, code, width, text)
                yield TextLine(x, y, (run,), role, 0.75 * size, 0.25 * size, said)
            else:
                yield from source.lines()


class Sheet:
    """The table's part of a page on its way to the flow."""

    def __init__(self) -> None:
        self._fills: dict[tuple[bool, str], list[tuple[float, float, float, float]]] = {}
        self._rules: dict[tuple[str, float], list[tuple[float, float, float, float]]] = {}
        self._shapes: dict[tuple[str, float], list[str]] = {}
        # Texts and other items in the order they came, which is the order of reading.
        self._written: list[_Texts | Item] = []
        self.tagged = False

    def fill(
        self, color: str, boxes: Sequence[tuple[float, float, float, float]], *, over: bool = False
    ) -> None:
        """Fill boxes (x, y, width, height) behind everything, or `over` the stripes."""
        self._fills.setdefault((over, color), []).extend(boxes)

    def rule(self, color: str, thickness: float, lines: Sequence[tuple[float, float, float, float]]) -> None:
        """Draw straight lines above the fills."""
        self._rules.setdefault((color, thickness), []).extend(lines)

    def text(
        self, strand: Strand, x: float, y: float, code: str, width: float, text: str, said: str = ""
    ) -> None:
        """Write one text; `code` is the inside of a TJ array, `said` that of a `TextLine`."""
        self._strand(strand).single(x, y, code, width, text, said)

    def stretch(self, strand: Strand, code: str, source: Source) -> None:
        """Write ready page code."""
        self._strand(strand).stretch(code, source)

    def shape(self, color: str, thickness: float, code: str) -> None:
        """Stroke a path, of a cell in a tagged document."""
        if self.tagged:
            path = Path(code, stroke=color, thickness=thickness, cap=1, join=1, role="td")
            self._written.append(path)
            return
        self._shapes.setdefault((color, thickness), []).append(code)

    def tag(self, element: Element | None) -> None:
        """Say that the texts, items and shapes that come belong to an element of the structure."""
        self.tagged = True
        self._written.append(Tag(element))

    def add(self, items: Sequence[Item]) -> None:
        """Place items above fills and rules."""
        self._written.extend(items)

    def link(self, x: float, y: float, width: float, height: float, target: str) -> None:
        """Make an area lead to an address."""
        self._written.append(Link(x, y, width, height, target))

    def items(self) -> list[Item]:
        """Return everything, from the back to the front."""
        fills = sorted(self._fills.items(), key=lambda fill: fill[0][0])
        made: list[Item] = [Rects(boxes, color) for (_, color), boxes in fills]
        # where two rules meet the stronger one shows, on every page
        ruled = sorted(
            self._rules.items(), key=lambda rule: (_lightness(rule[0][0]), -rule[0][1]), reverse=True
        )
        made += [Rules(lines, color, thickness) for (color, thickness), lines in ruled]
        made += [part.block() if isinstance(part, _Texts) else part for part in self._written]
        made += [
            Path(" ".join(codes), stroke=color, thickness=thickness, cap=1, join=1)
            for (color, thickness), codes in self._shapes.items()
        ]
        return made

    def _strand(self, strand: Strand) -> _Texts:
        """Return where texts of a strand go: one block as long as no other comes in between."""
        last = self._written[-1] if self._written else None
        if isinstance(last, _Texts) and last.strand == strand:
            return last
        texts = _Texts(strand)
        self._written.append(texts)
        return texts


@lru_cache(maxsize=256)
def _lightness(color: str) -> int:
    """Return how light a colour `#rrggbb` is, from 0 to 765."""
    return sum(bytes.fromhex(color[1:]))
