"""Many PDF files as one: outlines stand below a bookmark for each, links lead on.

Documents are merged in groups, each saved to a file, then the groups: so contents, pictures and fonts are in
memory for one group at a time. But the file that is written at last is known as a whole, all of its objects
but for what their streams hold: about 0.11 MB for each document of a page with a table.

Links refer to pages (ISO 32000-2, 12.3.2), and the pages of a file are copied together with what refers to
them. pikepdf keeps the interpreter to itself while it works, so its steps are small, and a long one is
interrupted by its report of progress.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from decimal import Decimal
from io import BytesIO
from pathlib import Path, PurePosixPath
from tempfile import TemporaryDirectory
from typing import IO, Any

import pikepdf

# The streams of one group at a time are in memory.
GROUP_DOCUMENTS, GROUP_BYTES = 100, 64 * 2**20
# Outlines and page trees that are deeper go round in circles.
_DEEPEST = 20
_VERSION = "1.7"  # of what our documents hold; pikepdf begins with 1.3
_NODE = 400  # keys and entries of a node of a number tree


@dataclass(frozen=True)
class Place:
    """A page, counted from 0, and how to show it: the rest of a destination, names as texts."""

    page: int
    view: tuple[str | int | Decimal | None, ...] = ("/Fit",)

    def moved(self, pages: int) -> Place:
        """Return the same place of the file after so many more pages."""
        return Place(self.page + pages, self.view)

    def destination(self, pages: Sequence[pikepdf.Object]) -> pikepdf.Array:
        """Return it as a destination within a file of these pages."""
        view = [pikepdf.Name(part) if isinstance(part, str) else part for part in self.view]
        return pikepdf.Array([pages[self.page], *view])


@dataclass
class Bookmark:
    """An entry of an outline; without a place it only holds others."""

    title: str
    place: Place | None
    children: list[Bookmark] = field(default_factory=list)
    is_closed: bool = True


def write_merged(
    documents: Iterable[tuple[str, IO[bytes]]], out: IO[bytes], *, title: str, check: Callable[[], None]
) -> None:
    """Write PDF files, given with their file names, into one with a bookmark for each; closes them.

    `check` is called often; what it raises ends the work.
    """
    with TemporaryDirectory() as folder:
        parts: list[Path] = []
        bookmarks: list[Bookmark] = []
        levels: set[str] = set()
        pages = 0
        group = _Group()
        for filename, file in documents:
            with file:
                content = file.read()
            own = group.add(content, pages)
            bookmarks.append(Bookmark(PurePosixPath(filename).stem, Place(pages), own.bookmarks))
            levels.add(own.archive)
            pages += own.pages
            if group.is_full:
                parts.append(group.save(Path(folder) / f"{len(parts)}.pdf", check))
                group = _Group()
        if group.holds_any or not parts:  # else the page tree had a node without pages
            parts.append(group.save(Path(folder) / f"{len(parts)}.pdf", check))
        # What one document does not promise, the whole does not either.
        archive = "" if "" in levels else max(levels, default="")
        _join(parts, bookmarks, out, (title, archive), check)


@dataclass(frozen=True)
class _Added:
    pages: int
    bookmarks: list[Bookmark]
    archive: str  # part and level of PDF/A, such as "2U"; empty for none


class _Group:
    """Documents that are merged in memory."""

    def __init__(self) -> None:
        self._merged = _Merged()
        # Pages are copied when the group is saved: until then their documents stay open.
        self._sources: list[pikepdf.Pdf] = []
        self._bytes = 0

    def add(self, content: bytes, before: int) -> _Added:
        """Append a document that comes after so many pages; return how many it has, and its outline."""
        source = pikepdf.open(BytesIO(content))
        self._sources.append(source)
        self._bytes += len(content)
        places = _Places(source)
        archive = source.open_metadata().pdfa_status if "/OutputIntents" in source.Root else ""
        added = _Added(len(source.pages), list(_bookmarks(source, places, before)), archive)
        _name_no_places(source, places)
        self._merged.append(source)
        return added

    @property
    def holds_any(self) -> bool:
        """Tell whether there is a document in it."""
        return bool(self._sources)

    @property
    def is_full(self) -> bool:
        """Tell whether it should be saved before the next document."""
        return len(self._sources) >= GROUP_DOCUMENTS or self._bytes >= GROUP_BYTES

    def save(self, path: Path, check: Callable[[], None]) -> Path:
        """Write the group to a file and forget it."""
        try:
            self._merged.save(path, check)
        finally:
            for pdf in (self._merged.pdf, *self._sources):
                pdf.close()
        return path


def _join(
    parts: list[Path],
    bookmarks: list[Bookmark],
    out: IO[bytes],
    about: tuple[str, str],
    check: Callable[[], None],
) -> None:
    """Write the groups into one file; `about` are its title, and part and level of PDF/A or nothing."""
    (title, archive), merged = about, _Merged()
    opened = [pikepdf.open(path) for path in parts]
    try:
        for part in opened:
            check()
            merged.append(part)
        with merged.pdf.open_outline() as outline:
            for bookmark in bookmarks:
                check()
                outline.root.append(_outline_item(bookmark, merged.pages))
        merged.pdf.Root.PageMode = pikepdf.Name.UseOutlines
        with merged.pdf.open_metadata() as metadata:
            metadata["dc:title"] = PurePosixPath(title).stem
            if archive:
                metadata["pdfaid:part"], metadata["pdfaid:conformance"] = archive[:1], archive[1:]
        if not archive and "/OutputIntents" in merged.pdf.Root:
            del merged.pdf.Root.OutputIntents
        merged.save(out, check, deterministic_id=True)
    finally:
        for pdf in (merged.pdf, *opened):
            pdf.close()


def _progress(check: Callable[[], None]) -> Callable[[int], None]:
    """Return what pikepdf calls a hundred times while it writes."""

    def on_progress(percent: int) -> None:
        time.sleep(0)  # others may go on: a heartbeat, a render
        check()

    return on_progress


class _Structure:
    """What the pages of a merged file say, if those of its documents are tagged (ISO 32000-2, 14.7)."""

    def __init__(self, pdf: pikepdf.Pdf) -> None:
        self._pdf = pdf
        self._roots: list[pikepdf.Object] = []
        self._parents: list[pikepdf.Object | int] = []  # keys and entries of the parent tree
        self._next_key = 0

    def append(self, source: pikepdf.Pdf, pages: Sequence[pikepdf.Object]) -> None:
        """Take the tree of a file over whose pages have been copied."""
        original = source.Root.get("/StructTreeRoot")
        if original is None:
            for page in pages:
                if "/StructParents" in page:
                    del page["/StructParents"]
            return
        tree = self._pdf.copy_foreign(original)
        kids: Any = tree.K
        for root in kids if isinstance(kids, pikepdf.Array) else (kids,):
            if "/Lang" not in root and "/Lang" in source.Root:
                root.Lang = pikepdf.String(str(source.Root.Lang))
            self._roots.append(root)
        for key, entry in pikepdf.NumberTree(tree.ParentTree).items():
            self._parents += (key + self._next_key, entry)
        for page in pages:
            self._move(page, "/StructParents")
            for note in page.get("/Annots") or ():
                self._move(note, "/StructParent")
        self._next_key += int(tree.ParentTreeNextKey)

    def _move(self, holder: pikepdf.Object, name: str) -> None:
        if name in holder:
            holder[name] = int(holder[name]) + self._next_key

    def write(self) -> None:
        """Write the tree, if there is one."""
        if not self._roots:
            return
        pdf = self._pdf
        nodes = []
        for start in range(0, len(self._parents), _NODE):
            part = self._parents[start : start + _NODE]
            node = pikepdf.Dictionary(Nums=pikepdf.Array(part), Limits=pikepdf.Array([part[0], part[-2]]))
            nodes.append(pdf.make_indirect(node))
        tree = pikepdf.Dictionary(
            Type=pikepdf.Name.StructTreeRoot,
            K=pikepdf.Array(self._roots),
            ParentTree=pdf.make_indirect(pikepdf.Dictionary(Kids=pikepdf.Array(nodes))),
            ParentTreeNextKey=self._next_key,
        )
        pdf.Root.StructTreeRoot = pdf.make_indirect(tree)
        for root in self._roots:
            root.P = pdf.Root.StructTreeRoot
        pdf.Root.MarkInfo = pikepdf.Dictionary(Marked=True)
        pdf.Root.ViewerPreferences = pikepdf.Dictionary(DisplayDocTitle=True)
        if "/Lang" in self._roots[0]:  # that of bookmarks, title and headers: they have no element
            pdf.Root.Lang = self._roots[0].Lang


class _Merged:
    """A file that the pages of others are appended to."""

    def __init__(self) -> None:
        self.pdf = pikepdf.new()
        self._structure = _Structure(self.pdf)
        self.pages: list[pikepdf.Object] = []
        self._nodes: list[pikepdf.Object] = []

    def append(self, source: pikepdf.Pdf) -> None:
        """Append all pages of a file, which stays open until this one is saved.

        Not by `pages.append`: that looks at all pages for each, and cuts links between them. Pages that do
        not say that they are some are objects like others: whatever refers to one refers to its copy.
        """
        originals = [page.obj for page in source.pages]
        for original in originals:
            _keep_inherited(original)
        for original in originals:
            del original["/Type"]
            del original["/Parent"]
        node = self.pdf.make_indirect(pikepdf.Dictionary(Type=pikepdf.Name.Pages, Count=len(originals)))
        copies = [self.pdf.copy_foreign(original) for original in originals]
        for copy in copies:
            copy.Type, copy.Parent = pikepdf.Name.Page, node
        node.Kids = pikepdf.Array(copies)
        self._structure.append(source, copies)
        if "/OutputIntents" in source.Root and "/OutputIntents" not in self.pdf.Root:
            self.pdf.Root.OutputIntents = self.pdf.copy_foreign(source.Root.OutputIntents)
        self._nodes.append(node)
        self.pages += copies

    def save(self, out: Path | IO[bytes], check: Callable[[], None], **options: bool) -> None:
        """Write the file."""
        root = self.pdf.Root.Pages
        for node in self._nodes:
            node.Parent = root
        self._structure.write()
        root.Kids, root.Count = pikepdf.Array(self._nodes), len(self.pages)
        self.pdf.save(out, progress=_progress(check), min_version=_VERSION, **options)  # type: ignore[arg-type]  # IO[bytes] will do


def _keep_inherited(page: pikepdf.Object) -> None:
    """Give a page what it has from the nodes above it."""
    for name in ("/Resources", "/MediaBox", "/CropBox", "/Rotate"):
        holder: pikepdf.Object | None = page
        for _ in range(_DEEPEST):
            if holder is None or name in holder:
                break
            holder = holder.get("/Parent")
        if holder is not None and name in holder and name not in page:
            page[name] = holder[name]


def _name_no_places(source: pikepdf.Pdf, places: _Places) -> None:
    """Have links that lead to a name lead to its place: the names of two files may be alike."""
    for page in source.pages:
        for note in page.obj.get("/Annots") or ():
            if isinstance(note, pikepdf.Dictionary) and (destination := places.behind_name(note)) is not None:
                if "/A" in note:
                    del note["/A"]
                note.Dest = destination


class _Places:
    """What the destinations of a file mean."""

    def __init__(self, pdf: pikepdf.Pdf) -> None:
        self._pdf = pdf
        self._numbers = {page.obj.objgen: number for number, page in enumerate(pdf.pages)}

    def of(self, holder: pikepdf.Object) -> Place | None:
        """Return where an entry of an outline leads to, None when not to a page of the file."""
        destination = self.behind_name(holder) or _destination(holder)
        if not isinstance(destination, pikepdf.Array) or not len(destination):
            return None
        page, *view = destination
        number = self._numbers.get(page.objgen) if isinstance(page, pikepdf.Dictionary) else None
        return None if number is None else Place(number, tuple(_plain(part) for part in view))

    def behind_name(self, holder: pikepdf.Object) -> pikepdf.Array | None:
        """Return the destination that an annotation or entry has by its name, None when it has none so."""
        destination = _destination(holder)
        if not isinstance(destination, (pikepdf.String, pikepdf.Name)):
            return None
        named = self._named(destination)
        if isinstance(named, pikepdf.Dictionary):
            named = named.get("/D")
        return named if isinstance(named, pikepdf.Array) else None

    def _named(self, name: pikepdf.String | pikepdf.Name) -> Any:
        """Return the destination of a name: of a name tree, or of the catalogue before PDF 1.2."""
        root = self._pdf.Root
        if isinstance(name, pikepdf.Name):
            return root.get("/Dests", pikepdf.Dictionary()).get(str(name))
        tree = root.get("/Names", pikepdf.Dictionary()).get("/Dests")
        return None if tree is None else pikepdf.NameTree(tree).get(str(name))


def _destination(holder: pikepdf.Object) -> Any:
    """Return the destination of an annotation or an entry of an outline, its own or that of its action."""
    action = holder.get("/A")
    if "/Dest" not in holder and isinstance(action, pikepdf.Dictionary) and action.get("/S") == "/GoTo":
        return action.get("/D")
    return holder.get("/Dest")


def _plain(part: Any) -> str | int | Decimal | None:
    """Return a part of a destination as a value that outlives its file."""
    return str(part) if isinstance(part, pikepdf.Name) else part


def _bookmarks(source: pikepdf.Pdf, places: _Places, before: int) -> Iterator[Bookmark]:
    """Yield the outline of a file as bookmarks after so many pages."""
    outlines = source.Root.get("/Outlines")
    if outlines is not None:
        yield from _entries(outlines, places, before, set(), _DEEPEST)


def _entries(
    parent: pikepdf.Object, places: _Places, before: int, seen: set[tuple[int, int]], depth: int
) -> Iterator[Bookmark]:
    entry = parent.get("/First")
    while isinstance(entry, pikepdf.Dictionary) and entry.objgen not in seen and depth:
        seen.add(entry.objgen)
        place = places.of(entry)
        yield Bookmark(
            str(entry.get("/Title", "")),
            place and place.moved(before),
            list(_entries(entry, places, before, seen, depth - 1)),
            is_closed=int(entry.get("/Count", 0)) < 0,
        )
        entry = entry.get("/Next")


def _outline_item(bookmark: Bookmark, pages: Sequence[pikepdf.Object]) -> pikepdf.OutlineItem:
    destination = None if bookmark.place is None else bookmark.place.destination(pages)
    item = pikepdf.OutlineItem(bookmark.title, destination)
    item.is_closed = bookmark.is_closed
    item.children.extend(_outline_item(child, pages) for child in bookmark.children)
    return item
