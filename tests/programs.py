"""Programs that read what we write. On a machine that checks (CI=true) all of them must be there."""

from __future__ import annotations

import os
import shutil
import subprocess

import pytest


def program(*names: str) -> str:
    """Return the path of the first program that is installed; skips the test where none is, but not in CI."""
    for name in names:
        if path := shutil.which(name):
            return path
    if os.environ.get("CI"):
        pytest.fail(f"{names[0]} is not installed")
    pytest.skip(f"{names[0]} is not installed")


def run(*command: str, given: bytes = b"", seconds: int = 120) -> str:
    """Run a program, `given` as its standard input, and return what it printed.

    Fails with the program's message when that is no success.
    """
    done = subprocess.run(command, input=given, capture_output=True, timeout=seconds, check=False)
    printed = done.stdout.decode()
    assert done.returncode == 0, f"{command[0]}: {printed}{done.stderr.decode()}"
    return printed
