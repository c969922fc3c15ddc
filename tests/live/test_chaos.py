"""A small chaos in the suite; `make chaos` is the large one."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.live.chaos import database_cutter, wreak_havoc
from tests.live.service import Service
from tests.parts.session import REAL

pytestmark = [pytest.mark.live]
# Every kind of death is in either; on the real parts, where connections are cut too, it lasts longer.
SIZE = {"renders": 30, "items": 40, "kills": 4} if REAL else {"renders": 12, "items": 16, "kills": 3}


def test_whatever_dies_every_document_is_made_once(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    service = Service(tmp_path, WORKERS=2, JOB_WORKERS=1, JOB_LEASE=4, WEBHOOK_ALLOWED_HOSTS="127.0.0.1")
    try:
        service.start()
        told = wreak_havoc([service], **SIZE, cut=database_cutter(service), seed=2026, end_claims=True)
    finally:
        service.stop()
    with capsys.disabled():
        print(f"\n{told}")
