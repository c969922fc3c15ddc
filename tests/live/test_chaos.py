"""A small chaos in the suite; `make chaos` is the large one."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.live.chaos import database_cutter, wreak_havoc
from tests.live.service import Service

pytestmark = [pytest.mark.live]


def test_whatever_dies_every_document_is_made_once(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    service = Service(tmp_path, WORKERS=2, JOB_WORKERS=1, JOB_LEASE=4, WEBHOOK_ALLOWED_HOSTS="127.0.0.1")
    try:
        service.start()
        told = wreak_havoc([service], renders=30, items=40, kills=4, cut=database_cutter(service), seed=2026)
    finally:
        service.stop()
    with capsys.disabled():
        print(f"\n{told}")
