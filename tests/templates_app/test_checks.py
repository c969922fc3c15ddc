"""Data against variables, by column and in blocks: every wrong cell is named by its path."""

from __future__ import annotations

import datetime as dt
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from templates_app.checks import KEPT_CELLS, Columns, check_data, iso_day
from templates_app.expressions.helpers import parse_date
from templates_app.variables import Variable
from tests.templates_app.resolving import table_of


def test_long_lists_are_checked_in_blocks(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("templates_app.checks.BLOCK", 3)
    variable = Variable.model_validate(
        {"name": "items", "type": "list", "fields": [{"name": "n", "type": "number", "required": True}]}
    )
    rows: list[dict[str, Any]] = [{"n": row} for row in range(10)]
    assert check_data([variable], {"items": rows}) == {}
    rows[7] = {"n": "x"}
    rows[8] = {}
    assert check_data([variable], {"items": rows}) == {
        "data.items[7].n": "must be a number",
        "data.items[8].n": "required",
    }


def test_columns_of_the_check_are_those_of_the_table() -> None:
    items = {
        "name": "items",
        "type": "list",
        "fields": [{"name": "day", "type": "date", "default": "2020-01-01"}],
    }
    table = table_of(variables=[items], columns=[{"key": "day"}])
    assert table.columns[0].values == [dt.date(2026, 1, 5), dt.date(2026, 1, 6), dt.date(2020, 1, 1)]
    columns = Columns()
    rows = [{"a": 1}] * 10
    assert columns.take(rows, "a") == ([1] * 10, {int})
    assert columns.take(rows, "a")[0] is columns.take(rows, "a")[0]
    many = [{}] * (KEPT_CELLS + 1)
    assert not columns.keeps(many, 1)
    assert columns.take(many, "a")[0] is not columns.take(many, "a")[0]


@given(st.text(max_size=12) | st.dates().map(str) | st.datetimes().map(str))
def test_days_are_what_the_helpers_take(text: str) -> None:
    assert iso_day(text) == parse_date(text)


def test_a_wrong_cell_is_named_whatever_the_column() -> None:
    items = Variable.model_validate(
        {
            "name": "items",
            "type": "list",
            "fields": [
                {"name": "day", "type": "date"},
                {"name": "at", "type": "datetime"},
                {"name": "n", "type": "number", "required": True},
            ],
        }
    )
    rows: list[dict[str, Any]] = [{"day": "2026-01-05", "at": "2026-01-05T10:00", "n": 1} for _ in range(50)]
    assert check_data([items], {"items": rows}) == {}
    rows[3] = {"day": "20260105", "n": 1.5}
    rows[4] = {"day": "2026-W01-1", "at": "2026-01-05", "n": True}
    rows[5] = {}
    assert check_data([items], {"items": rows}) == {
        "data.items[3].day": "must be a date (YYYY-MM-DD)",
        "data.items[4].day": "must be a date (YYYY-MM-DD)",
        "data.items[4].at": "must be a date and time (ISO 8601)",
        "data.items[4].n": "must be a number",
        "data.items[5].n": "required",
    }
