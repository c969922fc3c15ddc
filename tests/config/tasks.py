"""Tasks of the tests: what they do is written to a list."""

from __future__ import annotations

import errno
from collections.abc import Callable

from django_tasks import task

from config.jobs import Retry

done: list[str] = []
# What to do instead of success, by the argument of the task.
troubles: dict[str, Callable[[], None]] = {}


@task
def note(word: str) -> None:
    """Do what was agreed for the word, then note it."""
    troubles.get(word, lambda: None)()
    done.append(word)


def again() -> None:
    """Ask to be called again at once."""
    raise Retry(0)


def broken() -> None:
    """Fail as a bug does."""
    raise ZeroDivisionError("a detail")


def away() -> None:
    """Fail as when the storage is lost."""
    raise OSError(errno.EIO, "away")
