"""The real service for a test: own data folder, own port, own processes, and an end whatever happens."""

from __future__ import annotations

import atexit
import contextlib
import ctypes
import hashlib
import hmac
import json
import logging
import os
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

import httpx

from tests.parts import session

logging.getLogger("httpx").setLevel(logging.WARNING)  # one line per request drowns a failure
ROOT = Path(__file__).resolve().parent.parent.parent
UNLIMITED = "1000000/m"
_START_SECONDS, _STOP_SECONDS = 120.0, 20.0
# Whatever the shell of the developer sets must not reach the service of a test.
_FOREIGN = (
    *session.SETTINGS,
    "BASE_URL",
    "RATE_LIMIT",
    "WORKERS",
    "JOB_WORKERS",
    "JOB_LEASE",
    "DEBUG",
    "LOG_LEVEL",
)


def free_port() -> int:
    """Return a port that nothing listens on at this moment."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


def wait_for(condition: Callable[[], Any], seconds: float, what: str, pause: float = 0.05) -> Any:
    """Return the first true result of `condition`; fails after `seconds`."""
    give_up = time.monotonic() + seconds
    while not (result := condition()):
        assert time.monotonic() < give_up, f"{what}: not within {seconds} seconds"
        time.sleep(pause)
    return result


def _end_with_parent() -> None:
    """Have the kernel end the service when the test process is killed; its workers end with it."""
    if sys.platform == "linux":
        ctypes.CDLL(None).prctl(1, signal.SIGTERM, 0, 0, 0)


@dataclass(frozen=True)
class Account:
    """An organization with its credentials in full."""

    id: str
    public_key: str
    secret_key: str
    signing_secret: str

    def user_headers(self, user_id: str, origin: str) -> dict[str, str]:
        """Return what a browser of one of its end users sends."""
        digest = hmac.new(self.signing_secret.encode(), user_id.encode(), hashlib.sha256).hexdigest()
        return {
            "x-api-key": self.public_key,
            "origin": origin,
            "x-user-id": user_id,
            "x-user-hash": digest,
        }


@cache
def collected_static() -> Path:
    """Return a DATA_DIR with the collected static files alone: collecting takes seconds of processor time."""
    folder = Path(tempfile.mkdtemp(prefix="documents-static-"))
    atexit.register(shutil.rmtree, folder, ignore_errors=True)
    Service(folder, on={}).manage(
        "shell", "--no-imports", "-c", "from config.static import collect_static; collect_static()"
    )
    return folder


def copy_static(data_dir: Path) -> None:
    """Give a new service the collected static files, as links to one copy."""
    source = collected_static()
    shutil.copytree(source / "static", data_dir / "static", copy_function=os.link)
    shutil.copy(source / "static.stamp", data_dir / "static.stamp")


class Service:
    """`manage.py serve` with a private DATA_DIR; settings are given by their environment names.

    With TEST_STACK=real it has a database, a bucket and a Redis number of its own too, unless `on` gives
    those of another service (its `parts`).
    """

    def __init__(self, data_dir: Path, *, on: dict[str, str] | None = None, **settings: str | int) -> None:
        self.parts = session.service_environment() if on is None else on
        self.data_dir = data_dir
        self.port = free_port()
        self.url = f"http://127.0.0.1:{self.port}"
        self.log = data_dir / "service.log"
        inherited = {name: value for name, value in os.environ.items() if name not in _FOREIGN}
        self.environment = inherited | {
            "DJANGO_SETTINGS_MODULE": "config.settings",
            "DATA_DIR": str(data_dir),
            "HOST": "127.0.0.1",
            "PORT": str(self.port),
            "RATE_LIMIT": UNLIMITED,
            "LOG_LEVEL": "WARNING",
            "JOB_WORKERS": "0",  # a process less to start, for the tests that have nothing to do with jobs
            **self.parts,
            **{name: str(value) for name, value in settings.items()},
        }
        self._process: subprocess.Popen[bytes] | None = None

    def start(self) -> Service:
        """Migrate, serve, and return when the port answers."""
        self.data_dir.mkdir(parents=True, exist_ok=True)
        if not (self.data_dir / "static").exists():
            copy_static(self.data_dir)
        self.manage("migrate", "--verbosity", "0")
        with self.log.open("ab") as log:
            self._process = subprocess.Popen(
                [sys.executable, "manage.py", "serve"],
                cwd=ROOT,
                env=self.environment,
                stdin=subprocess.DEVNULL,
                stdout=log,
                stderr=log,
                start_new_session=True,
                preexec_fn=_end_with_parent,
            )
        try:
            wait_for(self.answers, _START_SECONDS, "start of the service")
        except BaseException as error:
            self.stop()
            raise AssertionError(f"the service did not start:\n{self.log.read_text()}") from error
        return self

    def terminate(self) -> None:
        """Ask the service to end, as a process manager does; `stop` waits for it."""
        assert self._process is not None
        self._process.terminate()

    def stop(self) -> None:
        """End the service and whatever is left of its process group."""
        process, self._process = self._process, None
        if process is None:
            return
        process.terminate()
        try:
            process.wait(_STOP_SECONDS)
        except subprocess.TimeoutExpired:
            pass
        finally:
            with contextlib.suppress(ProcessLookupError):
                os.killpg(process.pid, signal.SIGKILL)
            process.wait(5)

    def manage(self, *arguments: str) -> str:
        """Run a management command on the service's data and return what it printed."""
        done = subprocess.run(
            [sys.executable, "manage.py", *arguments],
            cwd=ROOT,
            env=self.environment,
            capture_output=True,
            text=True,
            timeout=120,
        )
        assert done.returncode == 0, done.stderr
        return done.stdout

    def create_account(self, name: str = "Acme", *domains: str) -> Account:
        """Create an organization by the documented command."""
        allowed = [f"--allowed-domain={domain}" for domain in domains]
        return _account(self.manage("create_organization", name, *allowed, "--json"))

    def create_accounts(self, count: int, *domains: str) -> list[Account]:
        """Create many by the same command in one process: most of its time is the start."""
        command = (
            "from django.core.management import call_command\n"
            f"for _ in range({count}):\n"
            f"    call_command('create_organization', 'Acme', as_json=True, "
            f"allowed_domains={list(domains)!r})"
        )
        return [_account(line) for line in self.manage("shell", "--no-imports", "-c", command).splitlines()]

    def workers(self) -> list[int]:
        """Return the process ids of the live workers, the oldest first."""
        assert self._process is not None
        assert self._process.poll() is None, f"the service has ended:\n{self.log.read_text()}"
        return [pid for pid in _children(self._process.pid) if b"spawn_main" in _command(pid)]

    def job_workers(self) -> list[int]:
        """Return the process ids of the live job workers that `serve` runs, the oldest first."""
        assert self._process is not None
        assert self._process.poll() is None, f"the service has ended:\n{self.log.read_text()}"
        return [pid for pid in _children(self._process.pid) if b"manage.py\0worker" in _command(pid)]

    def start_worker(self, *arguments: str) -> subprocess.Popen[bytes]:
        """Start a job worker of its own, as another machine would; whoever starts it ends it."""
        with self.log.open("ab") as log:
            return subprocess.Popen(
                [sys.executable, "manage.py", "worker", *arguments],
                cwd=ROOT,
                env=self.environment,
                stdin=subprocess.DEVNULL,
                stdout=log,
                stderr=log,
                preexec_fn=_end_with_parent,
            )

    def answers(self) -> bool:
        """Tell whether a worker answers; fails when the service itself has ended."""
        assert self._process is not None
        assert self._process.poll() is None, "the service has ended"
        try:
            return httpx.get(f"{self.url}/v1/orgs", timeout=5).status_code == 401
        except httpx.TransportError:
            return False


class Api:
    """An HTTP client of one caller. By default each request opens a connection: any worker may get it."""

    def __init__(self, url: str, headers: dict[str, str], *, connections: int = 0) -> None:
        self._options: dict[str, Any] = {
            "base_url": url,
            "headers": headers,
            "timeout": 60,
            "verify": False,  # plain HTTP: reading the certificates takes each client a tenth of a second
            "limits": httpx.Limits(max_keepalive_connections=connections, max_connections=None),
        }
        self._local = threading.local()
        self._clients: list[httpx.Client] = []

    @property
    def http(self) -> httpx.Client:
        """The client of this thread: a shared pool closes connections that another thread has just taken."""
        client: httpx.Client | None = getattr(self._local, "client", None)
        if client is None:
            client = self._local.client = httpx.Client(**self._options)
            self._clients.append(client)
        return client

    def close(self) -> None:
        """Close the clients of all threads."""
        for client in self._clients:
            client.close()

    def __enter__(self) -> Api:
        return self

    def __exit__(self, *exception: object) -> None:
        self.close()

    def published(self, **fields: Any) -> str:
        """Create and publish a template; return its id."""
        created = self.http.post("/v1/templates", json=fields)
        assert created.status_code == 201, created.text
        template_id: str = created.json()["id"]
        assert self.http.post(f"/v1/templates/{template_id}/publish").status_code == 200
        return template_id

    def render(self, template_id: str, data: dict[str, Any], **fields: Any) -> httpx.Response:
        """Send one render."""
        headers = fields.pop("headers", {})
        return self.http.post(
            "/v1/render", json={"templateId": template_id, "data": data} | fields, headers=headers
        )


def _account(printed: str) -> Account:
    made = json.loads(printed)
    return Account(made["id"], made["publicKey"], made["secretKey"], made["signingSecret"])


def _children(pid: int) -> list[int]:
    found = []
    for entry in Path("/proc").iterdir():
        if entry.name.isdigit():
            try:
                # State, parent, ... and the time of the start, after the name in brackets.
                fields = (entry / "stat").read_text().rsplit(")", 1)[1].split()
            except OSError:
                continue
            if int(fields[1]) == pid and fields[0] not in "ZX":
                found.append((int(fields[19]), int(entry.name)))
    return [child for _, child in sorted(found)]


def _command(pid: int) -> bytes:
    try:
        return Path(f"/proc/{pid}/cmdline").read_bytes()
    except OSError:
        return b""
