"""The servers of a run end with it, however it ends."""

from __future__ import annotations

import os
import signal
import socket
import subprocess
import sys
from urllib.parse import urlsplit

import pytest

from tests.live.service import wait_for
from tests.parts import ROOT, Parts

pytestmark = [pytest.mark.real, pytest.mark.live]

HOLD = """
import time
from tests.parts import start_parts

with start_parts() as parts:
    print(parts.to_json(), flush=True)
    time.sleep(99)
"""


def listening(url: str) -> bool:
    address = urlsplit(url)
    try:
        socket.create_connection((str(address.hostname), int(address.port or 0)), timeout=1).close()
    except OSError:
        return False
    return True


@pytest.mark.skipif(sys.platform != "linux", reason="reads /proc")
@pytest.mark.parametrize("killed", ["owner", "keeper"])
def test_nothing_outlives_a_kill(killed: str) -> None:
    owner = subprocess.Popen([sys.executable, "-c", HOLD], cwd=ROOT, stdout=subprocess.PIPE, text=True)
    assert owner.stdout is not None
    try:
        parts = Parts.from_json(owner.stdout.readline())
        urls = [parts.postgres_url, parts.redis_url, parts.s3_endpoint_url]
        assert all(map(listening, urls))
        children = f"/proc/{owner.pid}/task/{owner.pid}/children"
        with open(children) as file:
            keeper = int(file.read().split()[0])
        os.kill(owner.pid if killed == "owner" else keeper, signal.SIGKILL)
        for url in urls:
            wait_for(lambda url=url: not listening(url), 60, "end of the servers")
    finally:
        owner.kill()
        owner.wait()
        owner.stdout.close()
