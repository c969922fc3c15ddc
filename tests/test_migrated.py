"""The database that the processes of a run share."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from tests import migrated


def test_the_first_one_migrates_and_the_others_copy(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(migrated.FOLDER, str(tmp_path))
    first, second = tmp_path / "first.sqlite3", tmp_path / "second.sqlite3"
    assert not migrated.take(first)
    with closing(sqlite3.connect(first)) as database:
        database.execute("CREATE TABLE made (by TEXT)")
        database.commit()
    migrated.give(first)
    assert migrated.take(second)
    with closing(sqlite3.connect(second)) as database:
        assert database.execute("SELECT * FROM made").fetchall() == []


def test_outside_of_a_run_everybody_migrates(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """As the benchmarks and `make chaos` do, which start the services of the tests."""
    monkeypatch.delenv(migrated.FOLDER)
    assert not migrated.take(tmp_path / "one.sqlite3")
    migrated.give(tmp_path / "one.sqlite3")
    assert not migrated.take(tmp_path / "two.sqlite3")
