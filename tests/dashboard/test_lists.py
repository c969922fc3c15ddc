"""A page with a list asks the database as often for fifty rows as for two."""

from __future__ import annotations

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext

from bench.lists import MOST_QUERIES, PAGES
from bench.lists_data import fill

FEW, MANY = 2, 50

pytestmark = pytest.mark.django_db


def test_more_rows_need_no_more_queries() -> None:
    asked: dict[int, dict[str, int]] = {}
    for rows in (FEW, MANY):
        filled = fill(rows)
        client = Client()
        client.force_login(filled.owner)
        for path in PAGES.values():
            address = filled.address(path)
            client.get(address)  # what is kept after a first look is nobody's row
            with CaptureQueriesContext(connection) as queries:
                assert client.get(address).status_code == 200, address
            asked.setdefault(rows, {})[path] = len(queries)
    assert asked[MANY] == asked[FEW]
    assert max(asked[MANY].values()) <= MOST_QUERIES
