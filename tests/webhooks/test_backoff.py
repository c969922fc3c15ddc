"""When a failed delivery is tried again."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from accounts.webhooks.backoff import DELAYS, MAX_ATTEMPTS, MAX_RETRY_AFTER, delay_after, parse_retry_after

NOW = datetime(2026, 11, 2, 8, 15, 30, tzinfo=UTC)


def test_the_schedule_takes_about_a_day() -> None:
    assert list(DELAYS) == sorted(DELAYS)
    assert timedelta(hours=24) < timedelta(seconds=sum(DELAYS)) < timedelta(hours=30)


@given(attempts=st.integers(1, len(DELAYS)))
def test_a_delay_is_stretched_by_at_most_a_fifth(attempts: int) -> None:
    delay = delay_after(attempts)
    assert delay is not None
    assert DELAYS[attempts - 1] <= delay <= DELAYS[attempts - 1] * 1.2


def test_after_the_last_attempt_there_is_none() -> None:
    assert delay_after(MAX_ATTEMPTS) is None
    assert delay_after(MAX_ATTEMPTS, 60) is None


@given(attempts=st.integers(1, len(DELAYS)), asked=st.floats(0, 1e9))
def test_what_the_receiver_asks_for_counts_where_it_is_longer_and_within_reason(
    attempts: int, asked: float
) -> None:
    delay = delay_after(attempts, asked)
    assert delay is not None
    assert delay >= min(asked, MAX_RETRY_AFTER)
    assert delay <= max(DELAYS[attempts - 1] * 1.2, MAX_RETRY_AFTER)


@pytest.mark.parametrize(
    ("value", "seconds"),
    [
        ("120", 120),
        (" 0 ", 0),
        ("Mon, 02 Nov 2026 08:16:30 GMT", 60),
        ("Mon, 02 Nov 2026 08:00:00 GMT", 0),
        ("Mon, 02 Nov 2026 08:16:30 -0000", 60),
        (None, None),
        ("", None),
        ("soon", None),
        ("-5", None),
        ("1.5", None),
        ("٣", None),
        ("9" * 30, None),
        ("Mon, 99 Nov 2026 08:16:30 GMT", None),
    ],
)
def test_retry_after(value: str | None, seconds: float | None) -> None:
    assert parse_retry_after(value, NOW) == seconds


@given(st.text())
def test_retry_after_of_any_text_raises_nothing(value: str) -> None:
    assert (parse_retry_after(value, NOW) or 0) >= 0
