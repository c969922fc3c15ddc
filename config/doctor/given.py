"""What the settings say: secrets, addresses, the data folder, what machines share, who may read metrics."""

from __future__ import annotations

import os
import secrets
from difflib import get_close_matches
from typing import Final
from urllib.parse import urlsplit

from django.conf import settings
from django.core.checks import ERROR
from django.db import connection

from config import checks
from config.doctor.findings import Level, Wrong
from config.environment import SETTINGS

LITTLE_SPACE: Final = 512 * 2**20
# METRIC_TOKEN is like METRICS_TOKEN; HOSTNAME, which shells set, is not like HOST.
ALIKE: Final = 0.88


def check_secrets() -> str:
    """Nobody can guess the secrets."""
    if found := checks.check_secrets():
        raise Wrong(", ".join(str(message.msg) for message in found), str(found[0].hint))
    made = [name for name in checks.SECRETS if not settings.ENVIRONMENT[name]]
    return f"{' and '.join(made)} made by this machine, in DATA_DIR" if made else "given by settings"


def check_names() -> str:
    """No variable looks like the name of a setting that was meant: a misspelt one has no effect."""
    missing = [setting.name for setting in SETTINGS if setting.name not in os.environ]
    meant = {
        given: close[0]
        for given in os.environ.keys() - {setting.name for setting in SETTINGS}
        if (close := get_close_matches(given.upper(), missing, n=1, cutoff=ALIKE))
    }
    if meant:
        raise Wrong(
            ", ".join(f"{given} is no setting" for given in sorted(meant)),
            f"Names of settings like it: {', '.join(sorted(set(meant.values())))}.",
            "warning",
        )
    return "none is misspelt"


def check_address() -> str:
    """BASE_URL is what links and e-mails carry."""
    if settings.DEBUG:
        raise Wrong("DEBUG is on", "Unset it: pages of errors show settings and data to everybody.")
    if not settings.BASE_URL:
        raise Wrong(
            "BASE_URL is not set: links take the host name that each request names",
            "Set BASE_URL to the public address, such as https://documents.example.com.",
            "warning",
        )
    if not settings.BASE_URL.startswith("https://"):
        host = urlsplit(settings.BASE_URL).hostname or ""
        if host not in {"localhost", "127.0.0.1", "::1"}:
            raise Wrong(
                f"BASE_URL is {settings.BASE_URL}: keys and documents would travel in the clear",
                "Put a proxy with TLS before the service and begin BASE_URL with https://.",
                "warning",
            )
    elif not settings.TRUST_PROXY_HEADERS:
        raise Wrong(
            "BASE_URL is https and TRUST_PROXY_HEADERS is off: everybody seems to come from the proxy, "
            "and one person's wrong passwords pause log-in for all",
            "Have the proxy set X-Forwarded-For and X-Forwarded-Proto, then set TRUST_PROXY_HEADERS=true.",
            "warning",
        )
    if path := urlsplit(settings.BASE_URL).path:
        raise Wrong(
            f"BASE_URL has the path {path}: the API can be served there, but not the dashboard and the admin",
            "Give the service a host name of its own.",
            "warning",
        )
    return settings.BASE_URL


def check_data_dir() -> str:
    """The folder takes files and has room."""
    probe = settings.DATA_DIR / f".doctor-{secrets.token_hex(4)}"
    try:
        probe.write_bytes(b"\0" * 4096)
    finally:
        probe.unlink(missing_ok=True)
    status = os.statvfs(settings.DATA_DIR)
    free = status.f_bavail * status.f_frsize
    if free < LITTLE_SPACE:
        raise Wrong(
            f"{free // 2**20} MB are left for {settings.DATA_DIR}",
            "Make room, or move DATA_DIR to a larger disk.",
            "warning",
        )
    return f"{settings.DATA_DIR} is writable, {free // 2**30} GB free"


def check_machines() -> str:
    """Machines that share a database share secrets, counters and files as well (`config.checks`)."""
    if found := checks.check_machines():
        level: Level = "error" if any(message.level >= ERROR for message in found) else "warning"
        raise Wrong(
            " ".join(str(message.msg) for message in found),
            " ".join(str(message.hint) for message in found),
            level,
        )
    return "what they must share is shared" if connection.vendor == "postgresql" else "there is one"


def check_metrics() -> str:
    """Metrics are for who watches the service, and not for strangers."""
    if settings.METRICS_TOKEN:
        return "need METRICS_TOKEN"
    if settings.METRICS_OPEN:
        raise Wrong(
            "everybody who reaches the port may read /metrics",
            "Set METRICS_TOKEN, or see that no proxy passes /metrics on and no stranger reaches the port.",
            "warning",
        )
    return "nobody may read them; set METRICS_TOKEN to let Prometheus"
