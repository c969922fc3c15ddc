"""Sixteen threads and four processes rendering at once give the same bytes as one thread of one process."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Final

import pytest

from tests.rendering.specimens import digests

ROOT: Final = Path(__file__).parents[2]
SETTINGS: Final = {"DJANGO_SETTINGS_MODULE": "tests.settings"}
PROCESSES: Final = 4
THREADS: Final = 16


def spawned(seed: int, threads: int) -> subprocess.Popen[bytes]:
    """Start a process that draws documents after another one, with its own order of hashes."""
    environment = {**os.environ, **SETTINGS, "PYTHONHASHSEED": str(seed)}
    command = [sys.executable, "-m", "tests.rendering.specimens", str(seed), str(threads)]
    return subprocess.Popen(command, cwd=ROOT, env=environment, stdout=subprocess.PIPE)


@pytest.fixture(scope="module")
def alone() -> Mapping[str, str]:
    """Return the digest of every document, drawn in one thread."""
    (found,) = digests(seed=0, threads=1)
    return found


def test_threads_and_processes_give_the_same_bytes(alone: Mapping[str, str]) -> None:
    running = [spawned(1, THREADS), *(spawned(seed, 1) for seed in range(2, PROCESSES + 1))]
    printed = [process.communicate()[0] for process in running]
    assert [process.returncode for process in running] == [0] * len(running)
    found = [threads for each in printed for threads in json.loads(each)]
    assert len(found) == THREADS + PROCESSES - 1
    assert {name for threads in found[:THREADS] for name in threads} == set(alone)
    assert all(set(process) == set(alone) for process in found[THREADS:])
    differing = {name for each in found for name, digest in each.items() if digest != alone[name]}
    assert not differing


def test_documents_are_different(alone: Mapping[str, str]) -> None:
    assert len(alone) > 12
    assert len(set(alone.values())) == len(alone)
