"""The serving step: ports, static files, housekeeping, and a real start with workers that are killed."""

import os
import signal
import socket
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from pathlib import Path
from types import SimpleNamespace

import httpx
import pytest

from config import housekeeping, serving
from config.static import collect_static

ROOT = Path(__file__).resolve().parent.parent.parent


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


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
    assert enough.wait(5)
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
    housekeeping.run_registered()
    assert done == ["fine"]


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


@pytest.fixture(scope="module")
def service(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[subprocess.Popen[str], str]]:
    port = free_port()
    environment = os.environ | {
        "DATA_DIR": str(tmp_path_factory.mktemp("data")),
        "PORT": str(port),
        "DJANGO_SETTINGS_MODULE": "config.settings",
    }
    manage = [sys.executable, str(ROOT / "manage.py")]
    refused = subprocess.run([*manage, "serve"], env=environment, capture_output=True, text=True, check=False)
    assert refused.returncode == 1
    assert "run manage.py migrate" in refused.stderr
    subprocess.run([*manage, "migrate", "-v0"], env=environment, check=True)
    process = subprocess.Popen(
        [*manage, "serve", "--workers", "2"], env=environment, stdout=subprocess.PIPE, text=True
    )
    assert process.stdout is not None
    assert process.stdout.readline() == f"Serving on http://127.0.0.1:{port}\n"
    yield process, f"http://127.0.0.1:{port}"
    process.kill()
    process.wait()


def workers_of(parent: int) -> list[int]:
    """Pids of the worker processes, read from /proc."""
    found = []
    for folder in Path("/proc").glob("[0-9]*"):
        try:
            status = (folder / "stat").read_text().rsplit(")", 1)[1].split()
            command = (folder / "cmdline").read_bytes()
        except OSError:
            continue
        if int(status[1]) == parent and b"spawn_main" in command and status[0] != "Z":
            found.append(int(folder.name))
    return found


def wait_for(condition, seconds: float = 20) -> None:
    deadline = time.monotonic() + seconds
    while not condition():
        assert time.monotonic() < deadline, "not in time"
        time.sleep(0.05)


@pytest.mark.live
@pytest.mark.embedded
@pytest.mark.skipif(sys.platform != "linux", reason="reads /proc")
def test_killed_workers_come_back_and_sigterm_ends_it(service) -> None:
    process, address = service
    wait_for(lambda: len(workers_of(process.pid)) == 2)
    for _ in range(8):
        wait_for(lambda: workers_of(process.pid))
        os.kill(workers_of(process.pid)[0], signal.SIGKILL)
        time.sleep(0.3)
    wait_for(lambda: len(workers_of(process.pid)) == 2)
    wait_for(lambda: serving.answers("127.0.0.1", int(address.rsplit(":", 1)[1])))
    answer = httpx.get(f"{address}/v1/assets")
    assert (answer.status_code, answer.json()["message"]) == (401, "Missing x-api-key header")
    process.send_signal(signal.SIGTERM)
    assert process.wait(timeout=20) == 0


@pytest.mark.live
@pytest.mark.embedded
@pytest.mark.skipif(sys.platform != "linux", reason="needs PR_SET_PDEATHSIG")
def test_no_worker_outlives_a_killed_parent(tmp_path: Path) -> None:
    port = free_port()
    environment = os.environ | {
        "DATA_DIR": str(tmp_path),
        "PORT": str(port),
        "DJANGO_SETTINGS_MODULE": "config.settings",
    }
    manage = [sys.executable, str(ROOT / "manage.py")]
    subprocess.run([*manage, "migrate", "-v0"], env=environment, check=True)
    process = subprocess.Popen([*manage, "serve"], env=environment, stdout=subprocess.PIPE, text=True)
    assert process.stdout is not None
    assert process.stdout.readline().startswith("Serving on")
    process.kill()
    process.wait()
    wait_for(lambda: not serving.answers("127.0.0.1", port))
    serving.check_port("127.0.0.1", port)
