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
import sqlite3
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

from tests.live import plain
from tests.parts import session

logging.getLogger("httpx").setLevel(logging.WARNING)  # one line per request drowns a failure
ROOT = Path(__file__).resolve().parent.parent.parent
UNLIMITED = "1000000/m"
_START_SECONDS, _STOP_SECONDS = 120.0, 20.0
# All allow pages of localhost.
_BEGIN = """
from pathlib import Path
from django.core.management import call_command
from django.db import connection
from config.static import collect_static
from tests import migrated
collect_static()
database = Path(connection.settings_dict["NAME"])
is_file = connection.vendor == "sqlite"
if not (is_file and migrated.take(database)):
    call_command("migrate", verbosity=0)
    if is_file:
        migrated.give(database)
for _ in range(40):
    call_command("create_organization", "Acme", as_json=True, allowed_domains=["localhost"])
"""
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


def reserve_port() -> socket.socket:
    """Return a socket that keeps a free port for a server of ours as long as it is held; it never listens.

    Until that server starts, and while it is away, no other program gets the port: not as one that is free,
    and not for a connection of its own. The server may have it, as it shares its address (SO_REUSEADDR).
    """
    holder = socket.socket()
    holder.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    holder.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEPORT, 1)  # for granian, which shares the port itself
    holder.bind(("127.0.0.1", 0))
    return holder


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


@dataclass(frozen=True)
class Beginning:
    """What services are copies of: a migrated database with organizations, the keys, the static files."""

    service: Service
    accounts: list[Account]

    def copy_static(self, data_dir: Path) -> None:
        """Give a service the static files, as links."""
        source = self.service.data_dir
        shutil.copytree(source / "static", data_dir / "static", copy_function=os.link)
        shutil.copy(source / "static.stamp", data_dir / "static.stamp")

    def copy_data(self, data_dir: Path) -> None:
        """Give a service the database of the embedded default, and the keys to it."""
        for path in self.service.data_dir.iterdir():
            if path.is_file():
                shutil.copy(path, data_dir / path.name)


@cache
def beginning() -> Beginning:
    """Make what services begin with, once in a run: every command pays seconds for its start."""
    folder = Path(tempfile.mkdtemp(prefix="documents-beginning-"))
    atexit.register(shutil.rmtree, folder, ignore_errors=True)
    service = Service(folder, on=session.service_environment())
    printed = service.manage("shell", "--no-imports", "-c", _BEGIN)
    return Beginning(service, [_account(line) for line in printed.splitlines()])


class Service:
    """`manage.py serve` with a private DATA_DIR; settings are given by their environment names.

    It begins as a copy of `beginning()`, whose organizations `create_account` hands out. With TEST_STACK=real
    it has a database, a bucket and a Redis number of its own too, unless `on` gives those of another service
    (its `parts`).
    """

    def __init__(self, data_dir: Path, *, on: dict[str, str] | None = None, **settings: str | int) -> None:
        self._accounts: list[Account] = []
        self._is_copy = on is None
        if on is None:
            first = beginning().service.parts
            on = session.service_environment(copy_of=first)
            self._accounts = list(beginning().accounts)
        self.parts: dict[str, str] = on
        self.data_dir = data_dir
        self._reserved = reserve_port()
        self.port = int(self._reserved.getsockname()[1])
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
        """Serve, and return when the port answers."""
        self.begin()
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

    def begin(self) -> None:
        """Fill the DATA_DIR, unless it was filled before."""
        self.data_dir.mkdir(parents=True, exist_ok=True)
        if not (self.data_dir / "static").exists():
            beginning().copy_static(self.data_dir)
            if self._is_copy:
                beginning().copy_data(self.data_dir)
            else:
                self.manage("migrate", "--verbosity", "0")

    def terminate(self) -> None:
        """Ask the service to end, as a process manager does; `stop` waits for it."""
        assert self._process is not None
        self._process.terminate()

    def kill(self) -> None:
        """Kill the service alone, as the kernel does when memory is short."""
        assert self._process is not None
        self._process.kill()
        self._process.wait(60)

    def wait(self, seconds: float) -> int:
        """Return the exit code once the service has ended."""
        assert self._process is not None
        return self._process.wait(seconds)

    def is_running(self) -> bool:
        """Tell whether the service was started and has not ended."""
        return self._process is not None and self._process.poll() is None

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
        assert "panicked" not in self.log.read_text(), "a thread of granian's outlived its interpreter"

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

    def create_account(self, name: str = "", *domains: str) -> Account:
        """Return an organization that nobody has used; one with a name, by the documented command."""
        if not name and self._accounts:
            return self._accounts.pop()
        allowed = [f"--allowed-domain={domain}" for domain in domains or ("localhost",)]
        return _account(self.manage("create_organization", name or "Acme", *allowed, "--json"))

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

    def rows(self, query: str) -> list[Any]:
        """Return what a query finds in the service's database, past the service."""
        if url := self.parts.get("DATABASE_URL"):
            import psycopg

            with psycopg.connect(url, autocommit=True) as connection:
                return connection.execute(query.encode()).fetchall()
        with contextlib.closing(self.open_sqlite()) as database:
            return database.execute(query).fetchall()

    def change_rows(self, *statements: str) -> None:
        """Run statements in the service's database, past the service."""
        if url := self.parts.get("DATABASE_URL"):
            import psycopg

            with psycopg.connect(url, autocommit=True) as connection:
                for statement in statements:
                    connection.execute(statement.encode())
            return
        with contextlib.closing(self.open_sqlite()) as database:
            for statement in statements:
                database.execute(statement)
            database.commit()

    def open_sqlite(self, seconds: float = 30) -> sqlite3.Connection:
        """Open the database of the embedded default, waiting so long for its write lock."""
        return sqlite3.connect(self.data_dir / "database.sqlite3", timeout=seconds)

    def is_writable(self) -> bool:
        """Tell whether nobody, such as a paused process, holds a lock of the database for long."""
        if self.parts.get("DATABASE_URL"):
            writing = (
                "SELECT pid FROM pg_stat_activity WHERE datname = current_database() "
                "AND backend_xid IS NOT NULL AND pid <> pg_backend_pid() "
                "AND xact_start < now() - interval '0.2 seconds'"
            )
            time.sleep(0.3)
            return not self.rows(writing)
        with contextlib.closing(self.open_sqlite(0.5)) as database:
            try:
                database.execute("BEGIN IMMEDIATE")
            except sqlite3.OperationalError:
                return False
            database.rollback()
            return True

    def answers(self) -> bool:
        """Tell whether a worker answers; fails when the service itself has ended."""
        assert self._process is not None
        assert self._process.poll() is None, "the service has ended"
        try:
            return plain.get(f"{self.url}/v1/orgs", timeout=5).status_code == 401
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


def is_paused(pid: int) -> bool:
    """Tell whether every thread of a process has been stopped by a signal."""
    threads = [entry.read_text() for entry in Path(f"/proc/{pid}/task").glob("*/stat")]
    return all(thread.rsplit(")", 1)[1].split()[0] == "T" for thread in threads)


def pause(*pids: int) -> None:
    """Pause processes; when this returns they do nothing any more."""
    for pid in pids:
        os.kill(pid, signal.SIGSTOP)
    wait_for(lambda: all(map(is_paused, pids)), 20, "a pause", pause=0.001)


def resume(*pids: int) -> None:
    """Let paused processes go on."""
    for pid in pids:
        os.kill(pid, signal.SIGCONT)


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
