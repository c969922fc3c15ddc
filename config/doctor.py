"""`manage.py doctor`: try a configuration end to end, and say in plain words what is wrong and what to do.

Each examination stands alone and undoes what it does: rows are rolled back, keys and files deleted. Addresses
are named without their passwords, and no secret is printed.
"""

from __future__ import annotations

import os
import secrets
from collections.abc import Callable, Iterator
from contextlib import suppress
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from email.utils import parsedate_to_datetime
from typing import Any, Final, Literal
from urllib.parse import urlsplit

from django.conf import settings
from django.core.cache import cache
from django.core.checks import ERROR
from django.core.files.base import ContentFile
from django.core.files.storage import default_storage
from django.core.mail import get_connection
from django.db import connection, transaction
from django.utils import timezone

from config import checks
from config.health import missing_migrations
from config.outages import lost_part

Level = Literal["ok", "warning", "error"]
CONTENT: Final = b"a probe of the document rendering service"
CONTENT_TYPE: Final = "application/pdf"
# Signed links and requests are refused by a bucket whose clock differs by a quarter of an hour.
SKEW: Final = timedelta(seconds=30)
WORST_SKEW: Final = timedelta(minutes=10)
QUIET_WORKER: Final = timedelta(minutes=2)
LITTLE_SPACE: Final = 512 * 2**20


@dataclass(frozen=True)
class Finding:
    """One sentence about one part; `advice` says what to do where it is not `ok`."""

    part: str
    level: Level
    text: str
    advice: str = ""


class Wrong(Exception):
    """An examination found something: what, and what to do."""

    def __init__(self, text: str, advice: str, level: Level = "error") -> None:
        super().__init__(text)
        self.text, self.advice, self.level = text, advice, level


def examine(*, e_mail: bool = True) -> Iterator[Finding]:
    """Examine everything in the order in which one would repair it; never raises.

    What lies in a database that does not answer is not asked: each question would wait for it again.
    """
    silent: set[str] = set()  # parts that gave no answer at all
    unmigrated = False
    for part, function in EXAMINATIONS.items():
        if part == "e-mail" and not e_mail:
            continue
        if part in IN_DATABASE and "database" in silent:
            yield Finding(part, "warning", "not asked: the database does not answer")
            continue
        try:
            yield Finding(part, "ok", function())
        except Wrong as error:
            unmigrated |= part == "migrations"
            yield Finding(part, error.level, error.text, error.advice)
        except Exception as error:
            silent.add(part)
            missing = unmigrated and part in IN_DATABASE
            said = "its table is missing or older" if missing else _first_line(error)
            advice = ADVICE["worker"] if missing else _advice(part, error)
            yield Finding(part, "error", f"{type(error).__name__}: {said}", advice)


def _advice(part: str, error: Exception) -> str:
    """Say what to do about a part that failed with words of its own."""
    if lost_part(error) == "disk":
        return "Make room on the disk of DATA_DIR."
    if part in EMBEDDED and not settings.ENVIRONMENT[EMBEDDED[part]]:
        return ADVICE["data folder"]
    return ADVICE[part]


def _first_line(error: BaseException) -> str:
    from config.logs import blotted, speaks_of_machinery

    text = str(error).strip().splitlines()
    return blotted(text[0]) if text and speaks_of_machinery(error) else "(no details)"


# Settings.


def check_secrets() -> str:
    """Nobody can guess the secrets."""
    values = {"SECRET_KEY": [settings.SECRET_KEY], "CREDENTIALS_KEYS": settings.CREDENTIALS_KEYS}
    short = [name for name, given in values.items() if any(len(value) < 32 for value in given)]
    if short:
        raise Wrong(
            f"{' and '.join(short)} can be guessed: shorter than 32 characters",
            'Make one with: python -c "import secrets; print(secrets.token_urlsafe(48))"',
        )
    made = [name for name in values if not settings.ENVIRONMENT[name]]
    return f"{' and '.join(made)} made by this machine, in DATA_DIR" if made else "given by settings"


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


# Parts.


def check_database() -> str:
    """Reach the database; its clock is the one that leases are counted by."""
    with connection.cursor() as cursor:
        if connection.vendor != "postgresql":
            cursor.execute("SELECT 1")
            return f"{connection.vendor} answers"
        cursor.execute("SELECT clock_timestamp(), current_setting('server_version')")
        now, version = cursor.fetchone()
    _check_skew("database", timezone.now() - now)
    return f"PostgreSQL {version} answers"


def check_migrations() -> str:
    """Every table is as this version of the code expects it."""
    if missing := missing_migrations():
        raise Wrong(
            f"{len(missing)} migrations are not applied, the first is {missing[0]}",
            "Run manage.py migrate; the running service bears that.",
        )
    return "all applied"


def check_writing() -> str:
    """Write a row in a transaction that is undone."""
    from config.jobs.models import Turn

    name = f"doctor-{secrets.token_hex(4)}"
    with transaction.atomic():
        Turn.objects.create(pk=name, due_at=timezone.now())
        found = Turn.objects.filter(pk=name).exists()
        transaction.set_rollback(True)
    if not found or Turn.objects.filter(pk=name).exists():
        raise Wrong("a transaction was not kept apart", ADVICE["writing"])
    return "a row was written and rolled back"


def check_credentials() -> str:
    """The signing secrets of organizations and webhooks can be read, also those that were replaced lately."""
    from accounts.encryption import unreadable_secrets

    unreadable, total = unreadable_secrets()
    if unreadable:
        raise Wrong(
            f"the secrets of {unreadable} of {total} organizations and webhooks cannot be read with "
            "CREDENTIALS_KEYS",
            "Add the key that they were stored with behind the present one. If it is lost, these "
            "organizations must rotate their credentials, and the secrets of these webhooks.",
        )
    return f"the secrets of {total} organizations and webhooks can be read"


def check_cache() -> str:
    """Count as the rate limit does."""
    name = f"doctor:{secrets.token_hex(4)}"
    added = cache.add(name, 1, 30)
    counted = cache.incr(name) if added else None
    again = cache.add(name, 1, 30)
    cache.delete(name)
    if (added, counted, again) != (True, 2, False):
        raise Wrong(f"it does not count: 1 + 1 gave {counted}", ADVICE["cache"])
    return "it counts"


def check_storage() -> str:
    """Write a file, read it, look it up by its link as a browser would, and delete it."""
    name = f"probes/doctor-{secrets.token_hex(8)}.pdf"
    try:
        default_storage.save(name, ContentFile(CONTENT))
        with default_storage.open(name) as file:
            if file.read() != CONTENT:
                raise Wrong("a file came back changed", ADVICE["storage"])
        said = _try_link(name)
    finally:
        with suppress(Exception):
            default_storage.delete(name)
    if default_storage.exists(name):
        raise Wrong("a file cannot be deleted", "Allow the service to delete objects (s3:DeleteObject).")
    return f"a file was written, read and deleted; {said}"


def _try_link(name: str) -> str:
    storage: Any = default_storage
    parameters = {
        "ResponseContentType": CONTENT_TYPE,
        "ResponseContentDisposition": 'attachment; filename="doctor.pdf"',
    }
    url: str = storage.url(name, parameters=parameters, expire=60)
    if url.startswith("/"):
        return _try_own_link(url)
    status, headers, body = _fetch(url)
    _check_skew_of(headers)
    if status != 200 or body != CONTENT:
        raise Wrong(
            f"a presigned link gave {status}",
            "Check the credentials, S3_REGION and S3_ENDPOINT_URL; behind a proxy the Host header must "
            "arrive unchanged, since it is signed. S3_PUBLIC_ENDPOINT_URL must be reachable from here too.",
        )
    names_file = "doctor.pdf" in headers.get("Content-Disposition", "")
    if headers.get("Content-Type") != CONTENT_TYPE or not names_file:
        raise Wrong(
            "a presigned link does not set the type and name of the file",
            "The bucket's service must honour response-content-type and response-content-disposition.",
        )
    if _fetch(url.partition("?")[0])[0] == 200:
        raise Wrong(
            "everybody can read the bucket: a link without signature gave the file",
            "Make the bucket private (block public access).",
        )
    if _fetch(url[:-1] + ("0" if url[-1] != "0" else "1"))[0] == 200:
        raise Wrong("the bucket's service accepts a forged signature", "Use another one.")
    return "its link works, and only when signed"


def _try_own_link(url: str) -> str:
    """Try a link of the embedded storage; the service need not be running."""
    host = settings.HOST if settings.HOST not in {"", "0.0.0.0", "::"} else "127.0.0.1"  # noqa: S104 (compared)
    base = settings.BASE_URL or f"http://{f'[{host}]' if ':' in host else host}:{settings.PORT}"
    try:
        status, _, body = _fetch(base + url)
    except Exception:
        raise Wrong(
            f"nothing answers at {base}, so that no link could be tried",
            "Start the service and ask again; when it runs, BASE_URL is wrong.",
            "warning",
        ) from None
    if status != 200 or body != CONTENT:
        raise Wrong(
            f"a link to a file gave {status} at {base}",
            "Something else answers there, or it runs with another SECRET_KEY or DATA_DIR.",
        )
    return "its link works"


def _fetch(url: str) -> tuple[int, Any, bytes]:
    import urllib3

    answer = urllib3.request("GET", url, timeout=5, retries=False, redirect=False)
    return answer.status, answer.headers, answer.data


def _check_skew_of(headers: Any) -> None:
    with suppress(TypeError, ValueError):
        _check_skew("bucket", datetime.now(UTC) - parsedate_to_datetime(headers.get("Date")))


def _check_skew(part: str, skew: timedelta) -> None:
    if abs(skew) > SKEW:
        level: Level = "error" if abs(skew) > WORST_SKEW else "warning"
        raise Wrong(
            f"the clocks of this machine and of the {part} are {abs(skew).total_seconds():.0f} seconds apart",
            "Set both by NTP: signatures and leases count on it.",
            level,
        )


def check_mail() -> str:
    """Log in at the mail server; nothing is sent."""
    if not settings.HAS_MAIL_SERVER:
        raise Wrong(
            "EMAIL_URL is not set: invitations and password resets are not sent",
            "Set EMAIL_URL to your mail server.",
            "warning",
        )
    mail = get_connection()
    mail.open()
    mail.close()
    return "the mail server lets us in"


def check_worker() -> str:
    """Somebody works on the queue."""
    from config.jobs.models import Worker

    last = Worker.objects.order_by("-seen_at").values_list("seen_at", flat=True).first()
    if last is None or timezone.now() - last > QUIET_WORKER:
        since = f" since {last:%Y-%m-%d %H:%M} UTC" if last else ""
        raise Wrong(
            f"no worker has been seen{since}: asynchronous renders, batches and webhooks wait",
            "Start manage.py worker, or serve with JOB_WORKERS above 0.",
            "warning",
        )
    return f"seen {(timezone.now() - last).total_seconds():.0f} seconds ago"


EXAMINATIONS: Final[dict[str, Callable[[], str]]] = {
    "secrets": check_secrets,
    "address": check_address,
    "data folder": check_data_dir,
    "machines": check_machines,
    "metrics": check_metrics,
    "database": check_database,
    "migrations": check_migrations,
    "writing": check_writing,
    "credentials": check_credentials,
    "cache": check_cache,
    "storage": check_storage,
    "e-mail": check_mail,
    "worker": check_worker,
}
IN_DATABASE: Final = {"migrations", "writing", "credentials", "worker"}
# The setting that puts a part elsewhere than into DATA_DIR.
EMBEDDED: Final = {
    "database": "DATABASE_URL",
    "migrations": "DATABASE_URL",
    "writing": "DATABASE_URL",
    "cache": "REDIS_URL",
    "storage": "S3_BUCKET",
}
# What to do where an examination fails with words of the part's own.
ADVICE: Final = {
    "secrets": "Look at SECRET_KEY and CREDENTIALS_KEYS.",
    "address": "Look at BASE_URL.",
    "data folder": "Give the user of the service the right to write in all of DATA_DIR; is it read-only?",
    "machines": "Look at DATABASE_URL, REDIS_URL and S3_BUCKET.",
    "metrics": "Look at METRICS_TOKEN.",
    "database": "Look at DATABASE_URL: host, port, name, user and password; is the server running?",
    "migrations": "The database answers, but not to questions about its tables: see above.",
    "writing": "Give the user of DATABASE_URL the right to write; is it a read-only copy, or its disk full?",
    "credentials": "Run manage.py migrate.",
    "cache": "Look at REDIS_URL; is the server running, and not a read-only copy?",
    "storage": "Look at S3_BUCKET, S3_ENDPOINT_URL, AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY; the service "
    "needs s3:PutObject, s3:GetObject, s3:DeleteObject and s3:ListBucket.",
    "e-mail": "Look at EMAIL_URL: host, port, user, password, and tls or ssl.",
    "worker": "Run manage.py migrate.",
}
