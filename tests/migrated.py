"""A migrated database of SQLite, made once in a run: what its processes and their services begin with.

Migrating takes seconds of processor, and each process that shares the tests needs a database, as do the
services that they start. Whoever asks first migrates; the others wait for it and take a copy.
"""

from __future__ import annotations

import fcntl
import os
import shutil
import sqlite3
from contextlib import closing
from pathlib import Path
from typing import IO

# The folder of the first process of the run (pytest itself), which the others are told by the environment.
FOLDER = "TEST_RUN_FOLDER"
_held: list[IO[str]] = []


def take(database: Path) -> bool:
    """Make `database` a copy of the migrated one and return True; if not, migrate it and `give` it.

    Outside of a run (benchmarks, the chaos of `make chaos`) there is nobody to share with.
    """
    if FOLDER not in os.environ:
        return False
    folder = Path(os.environ[FOLDER])
    lock = (folder / "migrated.lock").open("w")
    fcntl.flock(lock, fcntl.LOCK_EX)
    if not (folder / "migrated.sqlite3").exists():
        _held.append(lock)  # until it is given; the kernel lets go of it if this process dies
        return False
    lock.close()
    shutil.copy(folder / "migrated.sqlite3", database)
    return True


def give(database: Path) -> None:
    """Offer the others of the run what `database` is now: migrated, and used by nobody yet."""
    if FOLDER not in os.environ:
        return
    made = Path(os.environ[FOLDER]) / "migrated.sqlite3"
    draft = made.with_suffix(f".{os.getpid()}")
    with closing(sqlite3.connect(database)) as source:
        source.execute("VACUUM INTO ?", [str(draft)])
    draft.replace(made)
    _held.pop().close()
