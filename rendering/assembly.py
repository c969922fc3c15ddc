"""Many stored documents as one file, in bounded memory: an archive, or a PDF with a bookmark for each."""

from __future__ import annotations

import shutil
import zipfile
from collections import Counter
from collections.abc import Iterable, Iterator
from datetime import datetime
from io import BytesIO
from pathlib import Path, PurePosixPath
from tempfile import TemporaryDirectory
from typing import IO

import pikepdf
from django.core.files.storage import default_storage

from config.jobs import Retry, stopping

# Documents are merged in groups, then the groups: only one group at a time is in memory.
GROUP_DOCUMENTS, GROUP_BYTES = 100, 64 * 2**20


def write_zip(names: Iterable[tuple[str, str]], out: IO[bytes], *, made_at: datetime) -> None:
    """Write stored files, given by storage name and file name, into an archive.

    They are deflated already, so they are stored as they are. A name that comes twice gets a number.
    """
    seen: Counter[str] = Counter()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_STORED) as archive:
        for filename, file in _opened(names):
            entry = zipfile.ZipInfo(_unique(filename, seen), made_at.timetuple()[:6])
            entry.external_attr = 0o644 << 16
            with file, archive.open(entry, "w", force_zip64=True) as target:
                shutil.copyfileobj(file, target)


def write_merged(names: Iterable[tuple[str, str]], out: IO[bytes], *, title: str) -> None:
    """Write stored PDF files, given by storage name and file name, into one with a bookmark for each."""
    with TemporaryDirectory() as folder:
        parts: list[Path] = []
        bookmarks: list[tuple[str, int]] = []
        pages = 0
        group = _Group()
        for filename, file in _opened(names):
            with file:
                content = file.read()
            bookmarks.append((PurePosixPath(filename).stem, pages))
            pages += group.add(content)
            if group.is_full:
                parts.append(group.save(Path(folder) / f"{len(parts)}.pdf"))
                group = _Group()
        parts.append(group.save(Path(folder) / f"{len(parts)}.pdf"))
        _join(parts, bookmarks, out, title)


class _Group:
    """Documents that are merged in memory."""

    def __init__(self) -> None:
        self._merged = pikepdf.new()
        # Pages are copied when the group is saved: until then their documents stay open.
        self._sources: list[pikepdf.Pdf] = []
        self._bytes = 0

    def add(self, content: bytes) -> int:
        """Append a document and return how many pages it has."""
        source = pikepdf.open(BytesIO(content))
        self._sources.append(source)
        self._bytes += len(content)
        self._merged.pages.extend(source.pages)
        return len(source.pages)

    @property
    def is_full(self) -> bool:
        """Tell whether it should be saved before the next document."""
        return len(self._sources) >= GROUP_DOCUMENTS or self._bytes >= GROUP_BYTES

    def save(self, path: Path) -> Path:
        """Write the group to a file and forget it."""
        self._merged.save(path)
        for pdf in (self._merged, *self._sources):
            pdf.close()
        return path


def _join(parts: list[Path], bookmarks: list[tuple[str, int]], out: IO[bytes], title: str) -> None:
    merged = pikepdf.new()
    opened = [pikepdf.open(path) for path in parts]
    try:
        for part in opened:
            merged.pages.extend(part.pages)
        with merged.open_outline() as outline:
            outline.root.extend(pikepdf.OutlineItem(text, page) for text, page in bookmarks)
        merged.Root.PageMode = pikepdf.Name.UseOutlines
        with merged.open_metadata() as metadata:
            metadata["dc:title"] = PurePosixPath(title).stem
        merged.save(out, deterministic_id=True)  # type: ignore[arg-type]  # IO[bytes] will do
    finally:
        for pdf in (merged, *opened):
            pdf.close()


def _opened(names: Iterable[tuple[str, str]]) -> Iterator[tuple[str, IO[bytes]]]:
    """Yield file names and open files, without those deleted since; raises Retry when asked to stop."""
    for name, filename in names:
        if stopping():
            raise Retry(0)
        try:
            yield filename, default_storage.open(name, "rb")
        except FileNotFoundError:
            continue


def _unique(filename: str, seen: Counter[str]) -> str:
    """Return the name, with a number when it has been used, in upper or lower case."""
    path = PurePosixPath(filename)
    name, number = filename, 1
    while seen[name.lower()]:
        number += 1
        name = f"{path.stem} ({number}){path.suffix}"
    seen[name.lower()] += 1
    return name
