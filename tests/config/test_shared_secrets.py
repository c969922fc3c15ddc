"""Machines that share a database and not their secrets: the doctor sees it, and a start warns of it."""

from __future__ import annotations

from typing import Any

import pytest
from django.db import OperationalError

from config import doctor, shared_secrets
from config.models import Start
from tests.failures import raiser

pytestmark = pytest.mark.django_db

OLD, NEW, OTHER = "old-" * 10, "new-" * 10, "other-" * 10


@pytest.fixture(autouse=True)
def _one_connection(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(shared_secrets.connections, "close_all", lambda: None)


def started(settings: Any, secret: str, credentials: list[str], *fallbacks: str) -> None:
    """Start with these settings."""
    given(settings, secret, credentials, *fallbacks)
    shared_secrets.note_start()


def given(settings: Any, secret: str, credentials: list[str], *fallbacks: str) -> None:
    settings.SECRET_KEY, settings.SECRET_KEY_FALLBACKS = secret, list(fallbacks)
    settings.CREDENTIALS_KEYS = credentials


def finding() -> doctor.Finding:
    (found,) = [finding for finding in doctor.examine(e_mail=False) if finding.part == "shared secrets"]
    return found


def test_nothing_is_to_be_compared_before_the_first_start() -> None:
    assert (finding().level, Start.objects.count()) == ("ok", 0)


@pytest.mark.parametrize(
    ("secret", "credentials", "named"),
    [
        (OLD, [OLD], None),
        (OTHER, [OLD], "SECRET_KEY"),
        (OLD, [OTHER], "CREDENTIALS_KEYS"),
        (OTHER, [OTHER], "CREDENTIALS_KEYS"),
    ],
)
def test_another_machine_has_others(
    settings: Any, caplog: pytest.LogCaptureFixture, secret: str, credentials: list[str], named: str | None
) -> None:
    started(settings, OLD, [OLD])
    assert caplog.text == ""
    given(settings, secret, credentials)
    found = finding()
    assert found.level == ("warning" if named else "ok")
    assert found.text.startswith(named or "those of the start on ")
    started(settings, secret, credentials)
    assert (f"{named} is not what the service had" in caplog.text) == (named is not None)
    caplog.clear()
    started(settings, secret, credentials)  # noted by then: told once where it was changed on purpose
    assert (caplog.text, finding().level, Start.objects.count()) == ("", "ok", 1)


def test_a_change_step_by_step_is_no_difference(settings: Any, caplog: pytest.LogCaptureFixture) -> None:
    """docs/operating.md, "Secrets": at each step there are machines before and after it."""
    steps: list[tuple[str, list[str], list[str]]] = [
        (OLD, [], [OLD]),
        (OLD, [NEW], [OLD, NEW]),
        (NEW, [OLD], [NEW, OLD]),
        (NEW, [], [NEW]),
    ]
    for before, after in zip(steps, steps[1:], strict=False):
        for secret, fallbacks, credentials in (before, after, before, after):
            started(settings, secret, credentials, *fallbacks)
            assert finding().level == "ok"
    assert caplog.text == ""


def test_the_marks_give_nothing_away(settings: Any) -> None:
    started(settings, OLD, [NEW])
    first = Start.objects.get()
    stored = f"{first.credentials_mark} {first.secret_mark} {first.host}"
    assert OLD not in stored
    assert NEW not in stored
    started(settings, OLD, [OTHER])
    assert Start.objects.get().secret_mark != first.secret_mark  # of no use without CREDENTIALS_KEYS


def test_a_database_that_takes_no_writes_keeps_nobody_from_starting(
    settings: Any, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setattr(
        Start.objects, "update_or_create", raiser(OperationalError("attempt to write a readonly database"))
    )
    started(settings, OLD, [OLD])
    assert "are not noted" in caplog.text
    assert not Start.objects.exists()
