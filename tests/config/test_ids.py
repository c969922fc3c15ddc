"""Identifiers: opaque, unique, in the order of their making."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

from config.api.ids import first_id, id_maker, is_made_by, new_id


def test_ids_sort_in_the_order_of_their_making() -> None:
    made = [new_id("doc") for _ in range(5000)]
    assert made == sorted(set(made))
    assert all(is_made_by(id_maker("doc"), identity) for identity in made)


def test_the_first_id_of_a_moment_parts_earlier_from_later_ones() -> None:
    before = first_id("doc", datetime.now(UTC))
    identity = new_id("doc")
    assert before <= identity < first_id("doc", datetime.now(UTC) + timedelta(milliseconds=1))
