"""Prove the Dockerfile's steps without containers, then the package: install, migrate, serve, render, stop.

    python3 deploy/prove.py                     # a fresh environment from requirements.txt, as the image has
    python3 deploy/prove.py --environment .venv # one that is there: the image alone

The image's code is what the Dockerfile copies, in a folder that nobody can write to; all that the service
writes must be in its data folder, which is checked by comparing the code before and after. Settings are the
image's. The package is installed by pip and used by its command, in an empty folder and with a home.
"""

from __future__ import annotations

import argparse
import contextlib
import hashlib
import json
import os
import re
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import time
import urllib.error
import urllib.request
from collections.abc import Iterator
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parent.parent
START_SECONDS = 90
METRICS_TOKEN = "prove-metrics"
TEMPLATE = {
    "name": "Proof",
    "formats": ["pdf"],
    "sections": [{"type": "heading", "content": "Proof for {{who}}"}],
}


def say(text: str) -> None:
    """Print one step."""
    print(f"== {text}", flush=True)


def from_dockerfile() -> tuple[list[tuple[str, str]], dict[str, str]]:
    """Return what the image copies from here (source and target below /app) and the variables it sets."""
    text = (ROOT / "Dockerfile").read_text().replace("\\\n", " ")
    copies = re.findall(r"^COPY (?!--from)(\S+) (\S+)$", text, re.M)
    variables = dict(re.findall(r"(\w+)=(\S+)", "".join(re.findall(r"^ENV (.*)$", text, re.M))))
    del variables["PATH"]
    return copies, variables


def make_environment(folder: Path) -> Path:
    """Make a virtual environment from the lock and return its interpreter."""
    subprocess.run([sys.executable, "-m", "venv", folder], check=True)
    python = folder / "bin" / "python"
    pip: list[str | Path] = [python, "-m", "pip", "install", "--quiet", "--disable-pip-version-check"]
    subprocess.run([*pip, "--require-hashes", "--no-deps", "-r", ROOT / "requirements.txt"], check=True)
    return python


def copy_code(copies: list[tuple[str, str]], app: Path) -> None:
    """Copy what the image has, compile it, and take away the right to write."""
    app.mkdir()
    for source, target in copies:
        there = app / target
        if (ROOT / source).is_dir():
            shutil.copytree(ROOT / source, there, ignore=shutil.ignore_patterns("__pycache__"))
        else:
            shutil.copy(ROOT / source, there if target != "./" else app / source)
    subprocess.run([sys.executable, "-m", "compileall", "-q", app], check=True)
    for path in [app, *app.rglob("*")]:
        path.chmod(0o555 if path.is_dir() else 0o444)


def state(app: Path) -> dict[str, str]:
    """Return a digest of every file: what a read-only file system would have kept as it was."""
    return {
        str(path): hashlib.sha256(path.read_bytes()).hexdigest()
        for path in sorted(app.rglob("*"))
        if path.is_file()
    }


class Service:
    """What runs `command` in the folder `app`: the image's container with its variables, or the package."""

    def __init__(self, command: list[str | Path], app: Path, home: Path, variables: dict[str, str]) -> None:
        self.command, self.app, self.home = command, app, home
        with socket.socket() as probe:
            probe.bind(("127.0.0.1", 0))
            self.url = f"http://127.0.0.1:{probe.getsockname()[1]}"
        self.environment = {"PATH": os.defpath, "LANG": "C.UTF-8"} | variables
        port = self.url.rpartition(":")[2]
        self.environment |= {"HOST": "127.0.0.1", "PORT": port, "WORKERS": "2", "HOME": str(home)}
        self.environment |= {"BASE_URL": self.url, "METRICS_TOKEN": METRICS_TOKEN}

    def run(self, *arguments: str) -> str:
        """Run a command and return what it printed."""
        done = subprocess.run(
            [*self.command, *arguments],
            cwd=self.app,
            env=self.environment,
            capture_output=True,
            text=True,
        )
        if done.returncode:
            raise SystemExit(f"{' '.join(arguments)} failed:\n{done.stdout}{done.stderr}")
        return done.stdout

    @contextlib.contextmanager
    def serving(self) -> Iterator[Path]:
        """Serve, wait for health, and stop as an orchestrator does; yields the log."""
        log = self.home.parent / "service.log"
        with log.open("wb") as out:
            process = subprocess.Popen(
                [*self.command, "serve"],
                cwd=self.app,
                env=self.environment,
                stdout=out,
                stderr=out,
            )
            try:
                self._wait(process, log)
                yield log
                process.send_signal(signal.SIGTERM)
                if (code := process.wait(90)) != 0:
                    raise SystemExit(f"serve ended with {code}:\n{log.read_text()}")
            finally:
                if process.poll() is None:
                    process.kill()
                    process.wait()

    def _wait(self, process: subprocess.Popen[bytes], log: Path) -> None:
        give_up = time.monotonic() + START_SECONDS
        while self.ask("/healthz")[0] != 200:
            if process.poll() is not None or time.monotonic() > give_up:
                raise SystemExit(f"serve is not healthy:\n{log.read_text()}")
            time.sleep(0.2)

    def ask(self, path: str, body: Any = None, **headers: str) -> tuple[int, bytes]:
        """Send one request; status 0 when nothing answers."""
        url = path if path.startswith("http") else self.url + path
        sent = {name.replace("_", "-"): value for name, value in headers.items()}
        data = None if body is None else json.dumps(body).encode()
        request = urllib.request.Request(url, data, {"Content-Type": "application/json"} | sent)
        try:
            with urllib.request.urlopen(request, timeout=30) as answer:
                return answer.status, answer.read()
        except urllib.error.HTTPError as error:
            return error.code, error.read()
        except OSError:
            return 0, b""


def expect(answer: tuple[int, bytes], status: int, what: str) -> bytes:
    """Return the body of an answer, which must have this status."""
    if answer[0] != status:
        raise SystemExit(f"{what}: {answer[0]} instead of {status}\n{answer[1].decode(errors='replace')}")
    return answer[1]


def use(service: Service) -> list[str]:
    """Ask the probes, render and download a document; return what no log may hold."""
    made = json.loads(service.run("create_organization", "Proof", "--json"))
    key = {"x_api_key": made["secretKey"]}
    expect(service.ask("/readyz"), 200, "ready")
    expect(service.ask("/v1/templates"), 401, "no key")
    template = json.loads(expect(service.ask("/v1/templates", TEMPLATE, **key), 201, "a template"))["id"]
    expect(service.ask(f"/v1/templates/{template}/publish", {}, **key), 200, "publish")
    body = {"templateId": template, "data": {"who": "Ada Lovelace"}}
    document = json.loads(expect(service.ask("/v1/render", body, **key), 200, "a render"))
    file = expect(service.ask(document["downloadUrl"]), 200, "its file")
    if not file.startswith(b"%PDF-") or len(file) != document["fileSizeBytes"]:
        raise SystemExit("the file is no PDF, or not whole")
    metrics = expect(service.ask("/metrics", authorization=f"Bearer {METRICS_TOKEN}"), 200, "metrics")
    if b'documents_render_seconds_count{format="pdf"} 1.0' not in metrics:
        raise SystemExit("the render was not counted")
    expect(service.ask("/metrics"), 401, "metrics without the token")
    signature = document["downloadUrl"].rpartition("Signature=")[2]
    return [made["secretKey"], made["publicKey"], made["signingSecret"], METRICS_TOKEN, signature, "Lovelace"]


def check_log(log: Path, secrets: list[str]) -> int:
    """See that every line is JSON with the common fields and holds no secret; return how many there are."""
    lines = log.read_text().splitlines()
    for line in lines:
        try:
            fields = json.loads(line)
        except ValueError:
            raise SystemExit(f"a log line is not JSON: {line}") from None
        if not {"time", "level", "logger", "message"} <= fields.keys():
            raise SystemExit(f"a log line lacks fields: {line}")
    if leaked := [secret for secret in secrets if secret in log.read_text()]:
        raise SystemExit(f"the log holds {len(leaked)} secrets")
    if not any('"route":"/v1/render"' in line for line in lines):
        raise SystemExit("the log lacks the access line of the render")
    return len(lines)


def prove_image(folder: Path, python: Path) -> None:
    """Prove it below `folder`; ends the program with a text when something is not as it should be."""
    copies, variables = from_dockerfile()
    say(f"the code: {', '.join(source for source, _ in copies)}")
    app, data = folder / "app", folder / "data"
    copy_code(copies, app)
    data.mkdir()
    before = state(app)
    live(Service([python, "manage.py"], app, data, variables | {"DATA_DIR": str(data)}))
    if state(app) != before:
        raise SystemExit("something was written into the folder of the code")
    say("nothing was written outside of the data folder: proven")


def prove_package(folder: Path, python: Path) -> None:
    """Prove it below `folder`, and install it for that; ends the program as `prove_image` does."""
    say("the package, by pip")
    source, home, elsewhere = folder / "source", folder / "home", folder / "elsewhere"
    copy_code([*from_dockerfile()[0], ("pyproject.toml", "./"), ("README.md", "./")], source)
    make_writable(source)  # where it is built
    quiet = ["install", "--quiet", "--disable-pip-version-check"]
    subprocess.run([python, "-m", "pip", *quiet, "--no-deps", source], check=True)
    for made in (home, elsewhere):
        made.mkdir()
    live(Service([python.parent / "document-rendering-service"], elsewhere, home, {"LOG_FORMAT": "json"}))
    if list(elsewhere.iterdir()) or [path.name for path in home.iterdir()] != [".local"]:
        raise SystemExit("something was written outside of ~/.local/share")
    say("nothing was written outside of ~/.local/share: proven")


def live(service: Service) -> None:
    """Migrate, serve, use and stop a service; ends the program when something is not as it should be."""
    say("migrate")
    service.run("migrate", "--verbosity", "0")
    say("serve")
    with service.serving() as log:
        say("probes, a render, its download, metrics")
        secrets = use(service)
        say("doctor")
        print(service.run("doctor", "--no-mail"), end="")
    say("stopped by SIGTERM")
    say(f"{check_log(log, secrets)} log lines, all of one shape, none with a secret")


def make_writable(folder: Path) -> None:
    """Give back the right to write that `copy_code` takes away."""
    for path in [folder, *folder.rglob("*")]:
        path.chmod(0o755 if path.is_dir() else 0o644)


def main() -> None:
    """Read the options and prove."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--environment", type=Path, help="a virtual environment with the requirements")
    options = parser.parse_args()
    folder = Path(tempfile.mkdtemp(prefix="documents-proof-"))
    try:
        if options.environment is not None:
            prove_image(folder, options.environment.absolute() / "bin" / "python")
        else:
            say("a fresh environment from the lock")
            python = make_environment(folder / "venv")
            prove_image(folder, python)
            prove_package(folder, python)
    finally:
        make_writable(folder / "app")
        shutil.rmtree(folder, ignore_errors=True)


if __name__ == "__main__":
    main()
