"""Commands that must not run twice at the same moment: the second waits until the first has ended."""

from __future__ import annotations

import fcntl
import os
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Final
from zlib import crc32

from django.conf import settings
from django.db import connection
from django.db.backends.base.base import BaseDatabaseWrapper

_LOOK_SECONDS: Final = 0.2


@contextmanager
def alone(name: str, waits: Callable[[], None] = lambda: None) -> Iterator[None]:
    """Run what is inside of the `with` once at a time on this database; `waits` is called before a wait."""
    if connection.vendor == "postgresql":
        with _alone_in_postgresql(name, waits):
            yield
    elif connection.is_in_memory_db():  # type: ignore[attr-defined]
        yield
    else:
        with _alone_in_data_dir(waits):
            yield


@contextmanager
def _alone_in_postgresql(name: str, waits: Callable[[], None]) -> Iterator[None]:
    """Hold a lock of a transaction on a connection of its own: a pooler of transactions bears that as well.

    It is tried again and again: a statement that waited would be waited for by the building of an index.
    """
    holder = connection.copy()
    options = {option: value for option, value in holder.settings_dict["OPTIONS"].items() if option != "pool"}
    # Prepared or with parameters, the question would keep its snapshot: that is waited for as well.
    holder.settings_dict["OPTIONS"] = options | {"prepare_threshold": None, "server_side_binding": False}
    told = False
    try:
        holder.set_autocommit(False)
        while not _takes(holder, crc32(f"documents {name}".encode())):
            if not told:
                waits()
                told = True
            time.sleep(_LOOK_SECONDS)
        yield
    finally:
        holder.close()


def _takes(holder: BaseDatabaseWrapper, number: int) -> bool:
    with holder.cursor() as cursor:
        cursor.execute(f"SELECT pg_try_advisory_xact_lock({number})")
        taken: bool = cursor.fetchone()[0]
    if not taken:
        holder.rollback()
    return taken


@contextmanager
def _alone_in_data_dir(waits: Callable[[], None]) -> Iterator[None]:
    """Hold a lock on the folder of the embedded database; it ends with the process, however that ends."""
    folder = os.open(settings.DATA_DIR, os.O_RDONLY)
    try:
        try:
            fcntl.flock(folder, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            waits()
            fcntl.flock(folder, fcntl.LOCK_EX)
        yield
    finally:
        os.close(folder)
