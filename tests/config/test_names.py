"""Names within sentences."""

from __future__ import annotations

from config.names import MOST_LETTERS, short_name


def test_a_short_name_is_whole() -> None:
    assert short_name("Invoice") == "Invoice"
    assert short_name("x" * MOST_LETTERS) == "x" * MOST_LETTERS


def test_of_a_long_name_both_ends_are_told() -> None:
    told = short_name("Service contract of the subsidiaries " + "in Austria " * 20 + "(2026)")
    assert len(told) <= MOST_LETTERS
    assert told.startswith("Service contract of the")
    assert "…" in told
    assert told.endswith("(2026)")
