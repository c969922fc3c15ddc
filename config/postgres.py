"""Connections to PostgreSQL that give up on an answer that does not come.

A server that is dead is noticed by the kernel; one that stands still, as on a disk that hangs or in a machine
that is paused, keeps its connections and answers nothing.
"""

from __future__ import annotations

from contextlib import suppress
from typing import Any, ClassVar, TypeVar

import psycopg
from psycopg import errors
from psycopg.abc import PQGen

R = TypeVar("R")

CANCEL_SECONDS = 2.0
CHECK_SECONDS = 5.0
_LOOK_SECONDS = 0.1


class Connection(psycopg.Connection[Any]):
    """A connection whose every answer has `patience` seconds to come, however much it is; None: for ever.

    Who serves or works sets it, once for the process. Commands wait: an index of ten million rows takes its
    time, and somebody looks on.
    """

    patience: ClassVar[float | None] = None
    _is_checked = False

    def execute(self, *args: Any, **options: Any) -> psycopg.Cursor[Any]:
        """Run a statement as the pool does, which asks whether a connection lives before it gives it away.

        All else is asked by cursors. A server that stands still is found out by the first request that waited
        for it; those after it need not wait as long.
        """
        self._is_checked = True
        try:
            return super().execute(*args, **options)
        finally:
            self._is_checked = False

    def wait(self, gen: PQGen[R], interval: float = _LOOK_SECONDS, timeout: float | None = None) -> R:
        """Wait as psycopg does; raises OperationalError where the patience is at its end, and closes.

        What the server still works on is cancelled if it listens: nothing of it is to be stored after its
        caller was refused.
        """
        if timeout is not None or self.patience is None:
            return super().wait(gen, interval, timeout)
        seconds = min(self.patience, CHECK_SECONDS) if self._is_checked else self.patience
        try:
            return super().wait(gen, interval, seconds)
        except errors._WaitTimeout:
            with suppress(psycopg.Error):
                self.cancel_safe(timeout=CANCEL_SECONDS)
            self.pgconn.finish()
            raise psycopg.OperationalError(f"no answer within {seconds:g} seconds") from None
