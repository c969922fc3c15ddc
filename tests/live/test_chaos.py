"""A small chaos in the suite; `make chaos` is the large one."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from tests.live.chaos import database_cutter, wreak_havoc
from tests.live.service import Service

pytestmark = [pytest.mark.live, pytest.mark.xdist_group("live")]


def test_whatever_dies_every_document_is_made_once(
    start_service: Callable[..., Service], capsys: pytest.CaptureFixture[str]
) -> None:
    service = start_service(WORKERS=2, JOB_WORKERS=1, JOB_LEASE=4, WEBHOOK_ALLOWED_HOSTS="127.0.0.1")
    told = wreak_havoc([service], renders=60, items=100, cut=database_cutter(service), seed=2026)
    with capsys.disabled():
        print(f"\n{told}")
