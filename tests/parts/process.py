"""Server processes that end with the keeper, whatever ends it."""

from __future__ import annotations

import ctypes
import os
import signal
import socket
import subprocess
import sys
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

_PR_SET_PDEATHSIG = 1
_LOGGED = 3000


@dataclass(frozen=True)
class Server:
    """A server that was started; `address` is what a client connects to."""

    name: str
    process: subprocess.Popen[bytes]
    address: str
    version: str
    log: Path
    end_signal: signal.Signals
    # Starts the same server on the same data and ports, once this one has ended.
    start_again: Callable[[], Server]

    def check(self) -> None:
        """Raise RuntimeError with the end of its log when the server has ended."""
        if self.process.poll() is not None:
            logged = self.log.read_text(errors="replace")[-_LOGGED:]
            raise RuntimeError(f"{self.name} ended with {self.process.returncode}:\n{logged}")

    def end(self, seconds: float) -> None:
        """Ask the server to end, and kill it when it takes longer than `seconds`."""
        try:
            self.process.wait(seconds)
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.wait()


def start(
    name: str,
    command: Sequence[str | Path],
    folder: Path,
    *,
    address: str,
    version: str,
    environment: dict[str, str] | None = None,
    end_signal: str = "SIGTERM",
    **identity: Any,
) -> Server:
    """Start a server in `folder`, where its log is too. Call it in the main thread.

    The kernel ends the server with the thread that started it. Nothing of our environment reaches it: a
    variable such as S3_BUCKET has a meaning for some of them.
    """
    ending = signal.Signals[end_signal]
    log = folder / "server.log"

    def end_with_parent() -> None:
        if sys.platform == "linux":
            ctypes.CDLL(None).prctl(_PR_SET_PDEATHSIG, ending, 0, 0, 0)

    def start_again() -> Server:
        return start(
            name, command, folder, address=address, version=version, environment=environment,
            end_signal=end_signal, **identity,
        )  # fmt: skip

    with log.open("ab") as output:
        process = subprocess.Popen(
            [str(part) for part in command],
            cwd=folder,
            env=environment or {"PATH": os.environ.get("PATH", ""), "HOME": str(folder)},
            stdin=subprocess.DEVNULL,
            stdout=output,
            stderr=output,
            start_new_session=True,
            preexec_fn=end_with_parent,
            **identity,
        )
    return Server(name, process, address, version, log, ending, start_again)


def free_ports(count: int) -> list[int]:
    """Return different ports that nothing listens on at this moment."""
    sockets = [socket.socket() for _ in range(count)]
    try:
        for each in sockets:
            each.bind(("127.0.0.1", 0))
        return [int(each.getsockname()[1]) for each in sockets]
    finally:
        for each in sockets:
            each.close()
