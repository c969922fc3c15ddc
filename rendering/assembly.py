"""Many stored documents as one file: an archive, or a PDF with a bookmark for each.

An archive takes no memory to speak of, a PDF some for each document (`rendering.merging`).

A job that may take minutes: it looks between its steps whether its worker was asked to end.
"""

from __future__ import annotations

import shutil
import zipfile
from collections.abc import Iterable, Iterator
from datetime import datetime
from pathlib import PurePosixPath
from typing import IO, Any

from django.core.files.base import File
from django.core.files.storage import default_storage

from config.jobs import Retry, stopping
from rendering import merging


def check_stop() -> None:
    """Raise Retry when the worker was asked to end: another one begins anew."""
    if stopping():
        raise Retry(0)


def write_zip(names: Iterable[tuple[str, str]], out: IO[bytes], *, made_at: datetime) -> None:
    """Write stored files, given by storage name and file name, into an archive.

    They are deflated already, so they are stored as they are. A name that comes twice gets a number.
    """
    numbers: dict[str, int] = {}
    with zipfile.ZipFile(out, "w", zipfile.ZIP_STORED) as archive:
        for filename, file in _opened(names):
            entry = zipfile.ZipInfo(_unique(filename, numbers), made_at.timetuple()[:6])
            entry.external_attr = 0o644 << 16
            with file, archive.open(entry, "w", force_zip64=True) as target:
                shutil.copyfileobj(file, target)


def write_merged(names: Iterable[tuple[str, str]], out: IO[bytes], *, title: str) -> None:
    """Write stored PDF files, given by storage name and file name, into one with a bookmark for each."""
    merging.write_merged(_opened(names), out, title=title, check=check_stop)


def store(name: str, content: IO[bytes]) -> None:
    """Write a file that was put together to the storage; raises Retry when asked to stop."""
    default_storage.save(name, _Stoppable(content))


class _Stoppable(File[bytes]):
    """A file whose reading, and so whose upload, ends when the worker was asked to end."""

    def read(self, *arguments: Any) -> bytes:
        check_stop()
        content: bytes = super().read(*arguments)
        return content

    def chunks(self, chunk_size: int | None = None) -> Iterator[bytes]:
        for chunk in super().chunks(chunk_size):
            check_stop()
            yield chunk


def _opened(names: Iterable[tuple[str, str]]) -> Iterator[tuple[str, IO[bytes]]]:
    """Yield file names and open files, without those deleted since; raises Retry when asked to stop."""
    for name, filename in names:
        check_stop()
        try:
            yield filename, default_storage.open(name, "rb")
        except FileNotFoundError:
            continue


def _unique(filename: str, numbers: dict[str, int]) -> str:
    """Return the name, with a number when it has been used, in upper or lower case.

    `numbers` holds for each name in use, in lower case, the last number that it was given: all items of a
    batch may have one name, and each goes on where the one before it ended.
    """
    path = PurePosixPath(filename)
    name, number = filename, numbers.get(filename.lower(), 1)
    while name.lower() in numbers:
        number += 1
        name = f"{path.stem} ({number}){path.suffix}"
    numbers[filename.lower()] = number
    numbers.setdefault(name.lower(), 1)
    return name
