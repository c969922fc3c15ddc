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


def run(*command: str, seconds: int = 120) -> str:
    """Run a program and return what it printed; fails with its message when it fails."""
    done = subprocess.run(command, capture_output=True, text=True, timeout=seconds, check=False)
    assert done.returncode == 0, f"{command[0]}: {done.stdout}{done.stderr}"
    return done.stdout
