"""What all commands have in common."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

MANAGE = Path(__file__).parents[2] / "manage.py"


@pytest.mark.parametrize("command", ["help", "check"])
def test_output_that_nobody_reads_is_told_in_words(command: str, tmp_path: Path) -> None:
    reader, writer = os.pipe()
    os.close(reader)
    try:
        ended = subprocess.run(
            [sys.executable, str(MANAGE), command],
            stdout=writer,
            stderr=subprocess.PIPE,
            env=os.environ | {"DATA_DIR": str(tmp_path), "DJANGO_SETTINGS_MODULE": "config.settings"},
            text=True,
            check=False,
        )
    finally:
        os.close(writer)
    assert ended.returncode == 1
    assert ended.stderr == "CommandError: whoever read the output has gone; it was not written to its end\n"
