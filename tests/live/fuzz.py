"""Fuzz the running service: `python -m tests.live.fuzz [schemathesis options]`, or `make fuzz`.

Starts the service on a free port with a new organization and lets schemathesis try everything that the
schema allows and forbids, links between operations included: as a server with the secret key, then as the
browser of an end user with the public one. Exit code 0: no check failed.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

from tests.live.service import Api, Service

# The answer to it makes every key of the run invalid: it is tried in a run of its own.
ROTATION = "rotateKeys"
# What needs the secret key: a 403 with the public one, which no other operation may give.
SECRET_ONLY = "webhook"
USER, ORIGIN = "fuzzer", "http://localhost"
UPLOAD = """
from pathlib import Path
from accounts.models import Organization
from assets.services import upload_asset
upload_asset(organization=Organization.objects.get(name="Fuzz"), name="logo.png",
             content=Path("dashboard/demo/logo.png").read_bytes(), actor="system")
"""
# Without a published template at hand nearly every generated render would end at "Template not found".
PLACEHOLDER = "PUBLISHED_TEMPLATE"
TEMPLATE = {
    "name": "Anything",
    "formats": ["pdf", "xlsx"],
    "sections": [
        {"type": "heading", "content": "{{title}}"},
        {"type": "text", "content": "{{a.b}} {{total|currency}} {{day|date:long}}"},
        {"type": "list", "source": "entries", "content": "{{item}}"},
        {"type": "table", "source": "rows", "columns": [{"key": "x"}, {"key": "y", "format": "number:2"}]},
    ],
}
CONFIG = Path(__file__).with_name("schemathesis.toml")


def main(options: list[str]) -> int:
    """Run schemathesis with its further `options`; return the first exit code that is not 0."""
    folder = Path(tempfile.mkdtemp(prefix="documents-fuzz-"))
    service = Service(folder / "data", WORKERS=2, THREADS=2, RENDER_TIMEOUT=10, MAX_PAGES=300)
    try:
        service.start()
        account = service.create_account("Fuzz", "localhost")
        service.manage("shell", "--no-imports", "-c", UPLOAD)
        server = {"x-api-key": account.secret_key}
        browser = account.user_headers(USER, ORIGIN)
        codes = [
            fuzz(service, server, folder, f"--exclude-operation-id={ROTATION}", *options),
            fuzz(
                service,
                browser,
                folder,
                f"--exclude-operation-id={ROTATION}",
                f"--exclude-operation-id-regex=(?i){SECRET_ONLY}",
                # Where nothing but the headers of the caller is to be varied, all cases are those of before.
                "--suppress-health-check=filter_too_much",
                *options,
            ),
            fuzz(service, server, folder, f"--include-operation-id={ROTATION}", "--phases=coverage"),
        ]
        service.stop()
        log = service.log.read_text()
        print(f"Log of the service, warnings and errors:\n{log}")
        return next((code for code in codes if code), int("Traceback" in log))
    finally:
        service.stop()
        shutil.rmtree(folder, ignore_errors=True)


def fuzz(service: Service, headers: dict[str, str], folder: Path, *options: str) -> int:
    """Run schemathesis once as the caller whose headers these are; its output goes to the terminal."""
    with Api(service.url, headers) as api:
        template_id = api.published(**TEMPLATE)
    (folder / CONFIG.name).write_text(CONFIG.read_text().replace(PLACEHOLDER, template_id))
    command = [
        str(Path(sys.executable).with_name("schemathesis")),
        f"--config-file={folder / CONFIG.name}",
        "run",
    ]
    environment = os.environ | {"API_KEY": headers["x-api-key"], "PYTHONUNBUFFERED": "1"}
    further = [f"--header={name}:{value}" for name, value in headers.items() if name != "x-api-key"]
    return subprocess.run(
        [*command, f"{service.url}/api/v1/openapi.json", *further, *options],
        cwd=folder,
        env=environment,
        check=False,
    ).returncode


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
