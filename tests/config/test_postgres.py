"""A statement that takes too long is given up and cancelled."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from typing import Any

import psycopg
import pytest
from django.db import OperationalError, connection, transaction

from config import postgres
from config.outages import lost_part
from config.postgres import Connection
from templates_app.models import Template
from tests.conftest import ApiClient
from tests.live.service import wait_for

pytestmark = [pytest.mark.real, pytest.mark.django_db(transaction=True)]


@pytest.fixture
def patience(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Connection, "patience", 0.5)


def sleeping() -> int:
    """Return how many statements of this database only sleep."""
    with connection.cursor() as cursor:
        cursor.execute(
            "SELECT count(*) FROM pg_stat_activity"
            " WHERE datname = current_database() AND query LIKE 'SELECT pg_sleep%'"
        )
        return int(cursor.fetchone()[0])


def test_no_answer_is_a_lost_database(patience: None, monkeypatch: pytest.MonkeyPatch) -> None:
    with (
        pytest.raises(OperationalError, match=r"no answer within 0\.5 seconds") as raised,
        connection.cursor() as cursor,
    ):
        cursor.execute("SELECT pg_sleep(60)")
    assert lost_part(raised.value) == "database"
    connection.close()
    monkeypatch.setattr(Connection, "patience", 60)
    wait_for(lambda: not sleeping(), 30, "the end of what nobody waits for")


def test_a_change_that_was_given_up_is_not_made_later(patience: None, secret: ApiClient) -> None:
    made = secret.create()

    def change() -> Any:
        try:
            return secret.patch(f"/v1/templates/{made['id']}", {"name": "Late"})
        finally:
            connection.close()

    with ThreadPoolExecutor(1) as other, transaction.atomic():
        Template.objects.select_for_update().get(pk=made["id"])
        answer = other.submit(change).result()
        assert answer.status_code == 503
        assert answer.json()["message"] == "The database is unavailable; try again"
    assert secret.get(f"/v1/templates/{made['id']}").json() == made


def test_a_connection_that_is_only_asked_whether_it_lives_has_less_time(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(Connection, "patience", 60)
    monkeypatch.setattr(postgres, "CHECK_SECONDS", 0.3)
    connection.ensure_connection()
    with pytest.raises(psycopg.OperationalError, match=r"no answer within 0\.3 seconds"):
        connection.connection.execute("SELECT pg_sleep(60)")
    connection.close()
    assert Template.objects.count() == 0
