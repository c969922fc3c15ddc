"""The settings of the parts, as Django gets them."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from config import backends

POSTGRES: dict[str, Any] = {"DATABASE_URL": "postgres://host/name", "DATABASE_POOL_SIZE": 0, "THREADS": 2}


@pytest.mark.parametrize("prepare", [True, False])
def test_behind_a_pooler_of_transactions_nothing_is_kept_in_a_connection(prepare: bool) -> None:
    """The pooler gives each statement another one: what was prepared or opened on the last is not there."""
    entry = backends.database(POSTGRES | {"DATABASE_PREPARE": prepare}, Path())
    assert entry.get("DISABLE_SERVER_SIDE_CURSORS", False) is not prepare
    assert ("prepare_threshold" in entry["OPTIONS"]) is prepare
