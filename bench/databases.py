"""A benchmark on SQLite and on PostgreSQL, in a process for each."""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
from collections.abc import Mapping, Sequence

from tests.parts import start_parts


def measure_each(
    module: str,
    arguments: Sequence[str],
    *,
    durable: bool = False,
    environment: Mapping[str, str] | None = None,
) -> None:
    """Run `python -m module --measure NAME *arguments` on each database; each has its own, without tables.

    `durable`: PostgreSQL waits for its disk, as in operation. Raises subprocess.CalledProcessError when a
    measurement fails.
    """
    with tempfile.TemporaryDirectory(prefix="bench-") as folder, start_parts(durable=durable) as parts:
        parts.create_database("bench")
        for name, url in (("SQLite", ""), ("PostgreSQL", f"{parts.postgres_url}bench")):
            settings = {
                "DATA_DIR": f"{folder}/{name}",
                "DATABASE_URL": url,
                "DJANGO_SETTINGS_MODULE": "config.settings",
                "LOG_LEVEL": "ERROR",
            }
            command = [sys.executable, "-m", module, "--measure", name, *arguments]
            subprocess.run(command, env=os.environ | settings | dict(environment or {}), check=True)
