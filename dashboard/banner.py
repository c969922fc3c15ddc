"""What `run_demo` and `seed_demo` print: where to log in, the keys, and lines that render a document."""

from __future__ import annotations

import os
import shlex
from collections.abc import Iterator
from pathlib import Path
from typing import Final

from django.conf import settings

from dashboard.seeding import DemoAccess

# slug and name of the file that the printed line saves
SHOWN: Final = (("invoice", "invoice.pdf"), ("price-list", "price-list.xlsx"))
_LOOPBACK: Final = {"": "127.0.0.1", "0.0.0.0": "127.0.0.1", "::": "::1"}  # noqa: S104 (shown, not bound)


def base_url(host: str, port: int) -> str:
    """Return the address under which this machine reaches a service that listens on `host`:`port`."""
    if settings.BASE_URL:
        address: str = settings.BASE_URL
        return address
    name = _LOOPBACK.get(host, host)
    return f"http://[{name}]:{port}" if ":" in name else f"http://{name}:{port}"


def banner(access: DemoAccess, address: str) -> str:
    """Return the text that tells a person everything needed to begin."""
    return "\n".join(_lines(access, address))


def render_line(access: DemoAccess, address: str, slug: str, output: str) -> str:
    """Return one shell line that renders a demo document and saves it as `output`."""
    return (
        f"curl -sS -X POST {address}/v1/render -H 'x-api-key: {access.secret_key}'"
        f" -H 'content-type: application/json' -d @{shlex.quote(_shown(access.requests[slug]))}"
        """ | python3 -c 'import json, sys; print(json.load(sys.stdin)["downloadUrl"])'"""
        f" | xargs curl -sS -o {output}"
    )


def _lines(access: DemoAccess, address: str) -> Iterator[str]:
    yield ""
    yield f"  Dashboard   {address}/"
    yield f"  Log in as   {access.email}" + (f"  {access.password}" if access.password else "")
    yield f"  Admin       {address}/admin/"
    yield f"  Reference   {address}/api/v1"
    if access.secret_key:
        yield f"  Secret key  {access.secret_key}"
        yield f"  Public key  {access.public_key}"
        yield f"  Signing     {access.signing_secret}"
    for note in access.notes:
        yield f"  Note        {note}"
    if access.secret_key:
        for slug, output in SHOWN:
            if slug in access.requests:
                yield ""
                yield f"  Render {output}:"
                yield ""
                yield render_line(access, address, slug, output)
    yield ""


def _shown(path: Path) -> str:
    """Return a path as typed from the working directory when it lies below it."""
    relative = os.path.relpath(path)
    return str(path) if relative.startswith("..") else relative
