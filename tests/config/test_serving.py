"""The serving step: ports, static files, housekeeping. Its start and its ends: tests/live/test_serve.py."""

import errno
import os
import socket
import subprocess
import sys
import threading
import time
from pathlib import Path
from types import SimpleNamespace

import pytest
from django.core.exceptions import ImproperlyConfigured

from config import housekeeping, serving
from config.static import collect_static
from tests.failures import raiser
from tests.live.service import reserve_port


def test_a_taken_port_is_named() -> None:
    with socket.socket() as taken:
        # Shared ports count as taken as well: granian would silently join.
        taken.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEPORT, 1)
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        port = taken.getsockname()[1]
        with pytest.raises(serving.PortTaken, match=rf"cannot listen on 127\.0\.0\.1:{port}: "):
            serving.check_port("127.0.0.1", port)
    serving.check_port("127.0.0.1", port)


@pytest.mark.skipif(sys.platform != "linux", reason="the kernel has no such names")
def test_a_port_is_taken_as_soon_as_a_service_starts() -> None:
    """Until its workers listen, nothing else tells a second service."""
    with reserve_port() as reserved:
        port = reserved.getsockname()[1]
        with serving.claim("127.0.0.1", port):
            serving.check_port("127.0.0.1", port)
            with pytest.raises(serving.PortTaken, match=f"{port}: another service starts there"):
                serving.serve(host="localhost", port=port, workers=1)
            serving.claim("127.0.0.1", port + 1).close()
        serving.claim("127.0.0.1", port).close()


def test_an_address_of_another_machine_is_refused() -> None:
    with pytest.raises(serving.PortTaken):
        serving.check_port("192.0.2.1", 8000)


def test_names_become_addresses() -> None:
    assert serving.resolve("127.0.0.1") == "127.0.0.1"
    assert serving.resolve("") == "0.0.0.0"
    assert serving.resolve("localhost") in {"127.0.0.1", "::1"}


def test_at_least_two_workers(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(os, "sched_getaffinity", lambda _: {0})
    assert serving.default_workers() == 2
    monkeypatch.setattr(os, "sched_getaffinity", lambda _: set(range(6)))
    assert serving.default_workers() == 6


def test_a_job_worker_comes_with_the_embedded_database_only(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(serving, "connection", SimpleNamespace(vendor="sqlite"))
    assert serving.default_job_workers() == 1
    monkeypatch.setattr(serving, "connection", SimpleNamespace(vendor="postgresql"))
    assert serving.default_job_workers() == 0


def test_housekeeping_goes_on_after_a_failure(caplog: pytest.LogCaptureFixture) -> None:
    calls: list[float] = []
    enough = threading.Event()

    def failing() -> None:
        calls.append(time.monotonic())
        if len(calls) == 3:
            enough.set()
        raise RuntimeError("no luck")

    stop = housekeeping.every(0.01, failing)
    assert enough.wait(60)
    stop.set()
    assert "no luck" in caplog.text


def test_one_failing_job_does_not_stop_the_others(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(housekeeping, "_jobs", {})
    done: list[str] = []

    def broken() -> None:
        raise RuntimeError("no luck")

    def fine() -> None:
        done.append("fine")

    housekeeping.register(broken)
    housekeeping.register(fine)
    housekeeping.register(fine)
    housekeeping.run_registered(lambda name, every: True)
    assert done == ["fine"]


def test_a_folder_that_takes_no_static_files_is_named(
    tmp_path: Path, settings, monkeypatch: pytest.MonkeyPatch
) -> None:
    settings.STATIC_ROOT = tmp_path / "static"
    monkeypatch.setattr(
        "config.static.call_command", raiser(OSError(errno.ENOSPC, "No space left on device"))
    )
    with pytest.raises(ImproperlyConfigured) as caught:
        collect_static()
    assert str(caught.value) == f"Wrong settings:\n  DATA_DIR='{tmp_path}': No space left on device"


def test_static_files_are_collected_once(tmp_path: Path, settings, monkeypatch: pytest.MonkeyPatch) -> None:
    settings.STATIC_ROOT = tmp_path / "static"
    made: list[str] = []

    def collect(command: str, **options: object) -> None:
        made.append(command)
        (settings.STATIC_ROOT / "staticfiles.json").write_text("{}")

    monkeypatch.setattr("config.static.call_command", collect)
    assert collect_static() is True
    assert collect_static() is False
    (settings.STATIC_ROOT / "staticfiles.json").unlink()
    assert collect_static() is True
    monkeypatch.setattr("config.static.fingerprint", lambda: "changed")
    assert collect_static() is True
    assert made == ["collectstatic"] * 3


LOADED = """
import sys
import django
django.setup()
import config.jobs.worker, rendering.assembly, rendering.batch_work, accounts.webhooks.sending
print(*sys.modules)
import config.wsgi
print(*sys.modules)
"""


def test_a_process_loads_what_it_needs() -> None:
    """Pages and the framework of the API are half of a start: for web workers, before they listen."""
    done = subprocess.run(
        [sys.executable, "-c", LOADED], env=os.environ | {"DJANGO_SETTINGS_MODULE": "config.settings"},
        capture_output=True, text=True, timeout=120, check=True,
    )  # fmt: skip
    job_worker, web_worker = map(set, map(str.split, done.stdout.splitlines()))
    assert not job_worker & {"rest_framework.serializers", "unfold.admin", "dashboard.views"}
    assert {"config.urls", "rest_framework.views", "accounts.admin", "dashboard.views.editor"} <= web_worker


def test_a_web_worker_has_ended_before_anybody_has_its_exit_status() -> None:
    """Granian's own thread takes the status away; until it is noted, the process seems to live."""
    ours, its = os.pipe()
    try:
        worker = object.__new__(serving.Worker)
        worker.inner = SimpleNamespace(is_alive=lambda: True, sentinel=ours)
        assert worker.is_alive()
        os.close(its)
        assert not worker.is_alive()
    finally:
        os.close(ours)
