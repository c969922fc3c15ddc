"""What all commands have in common."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.parts.session import service_environment

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


def test_two_at_once_wait_for_each_other(tmp_path: Path) -> None:
    # As two machines that are set up side by side; neither leaves half of anything.
    settings = {"DATA_DIR": str(tmp_path), "DJANGO_SETTINGS_MODULE": "config.settings"}
    environment = os.environ | settings | service_environment()
    for command in (["migrate", "--verbosity=0"], ["seed_demo"]):
        both = [
            subprocess.Popen(
                [sys.executable, str(MANAGE), *command],
                stdout=subprocess.PIPE,
                stderr=subprocess.PIPE,
                env=environment,
                text=True,
            )
            for _ in range(2)
        ]
        for one in both:
            _, errors = one.communicate(timeout=120)
            assert (one.returncode, errors) == (0, "")
