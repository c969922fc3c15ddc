"""The outline: a tree of titles that lead to places (ISO 32000-2, 12.3.3)."""

from __future__ import annotations

from dataclasses import field

from config.value import dataclass
from rendering.formats.pdf.typeset.clean import one_line
from rendering.formats.pdf.write.file import PdfFile

# A longer outline is opened by its first level only, or it would be a second document beside the first.
_OPEN = 60


@dataclass(slots=True)
class _Entry:
    title: str
    place: str
    number: int
    parent: _Entry | None
    children: list[_Entry] = field(default_factory=list)


class Outline:
    """Collects entries in the order of the document and writes the tree."""

    def __init__(self) -> None:
        """Begin empty."""
        self._entries: list[tuple[str, int, str]] = []

    def add(self, title: str, level: int, place: str) -> None:
        """Add an entry; `level` counts from 1, `place` is the code of a destination."""
        title = one_line(title)
        if title:
            self._entries.append((title, level, place))

    def write(self, file: PdfFile) -> int | None:
        """Write the tree and return the number of its root, None when there are no entries."""
        if not self._entries:
            return None
        root = _Entry("", "", file.reserve(), None)
        made, path = [], [root]
        for title, level, place in self._entries:
            # A level may not be skipped on the way down.
            del path[max(1, min(level, len(path))) :]
            entry = _Entry(title, place, file.reserve(), path[-1])
            path[-1].children.append(entry)
            path.append(entry)
            made.append(entry)
        opened = len(made) <= _OPEN
        below = _descendants([root, *made]) if opened else {}
        shown = len(made) if opened else len(root.children)
        file.put(root.number, f"<</Type/Outlines{_ends(root)}/Count {shown}>>")
        for parent in [root, *made]:
            _write_children(parent, below, file)
        return root.number


def _write_children(parent: _Entry, below: dict[int, int], file: PdfFile) -> None:
    children = parent.children
    for at, entry in enumerate(children):
        code = f"<</Title{file.text(entry.title)}/Parent {parent.number} 0 R/Dest{entry.place}"
        if at:
            code += f"/Prev {children[at - 1].number} 0 R"
        if at + 1 < len(children):
            code += f"/Next {children[at + 1].number} 0 R"
        if entry.children:
            # Negative: closed, with so many right below it.
            count = below.get(entry.number, -len(entry.children))
            code += f"{_ends(entry)}/Count {count}"
        file.put(entry.number, code + ">>")


def _ends(entry: _Entry) -> str:
    return f"/First {entry.children[0].number} 0 R/Last {entry.children[-1].number} 0 R"


def _descendants(entries: list[_Entry]) -> dict[int, int]:
    """Return how many entries are below each, by number; parents come before their children."""
    counts = {entry.number: 0 for entry in entries}
    for entry in reversed(entries):
        if entry.parent is not None:
            counts[entry.parent.number] += 1 + counts[entry.number]
    return counts
