"""The settings an operator may give: name, parser, default and help in one table.

`config.settings` reads them once, a wrong value stops the start with one line per mistake, and
`docs/operating.md` is tested against the same table.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any
from urllib.parse import urlsplit

from django.core.exceptions import ImproperlyConfigured

TRUE_WORDS = {"1", "true", "yes", "on"}
FALSE_WORDS = {"0", "false", "no", "off", ""}


def text(value: str) -> str:
    """Return `value` without surrounding white space."""
    return value.strip()


def boolean(value: str) -> bool:
    """Parse a yes/no word; raises ValueError naming the accepted words."""
    word = value.strip().lower()
    if word in TRUE_WORDS:
        return True
    if word in FALSE_WORDS:
        return False
    raise ValueError("must be true or false")


def whole_number(minimum: int, maximum: int = 2**53) -> Callable[[str], int]:
    """Return a parser of whole numbers between `minimum` and `maximum`."""

    def parse(value: str) -> int:
        try:
            number = int(value)
        except ValueError:
            raise ValueError("must be a whole number") from None
        if not minimum <= number <= maximum:
            raise ValueError(f"must be between {minimum} and {maximum}")
        return number

    return parse


def words(value: str) -> list[str]:
    """Split a comma-separated list, dropping empty entries."""
    return [word.strip() for word in value.split(",") if word.strip()]


def rate(value: str) -> str:
    """Check a rate such as `100/m`: a count, a slash, and s, m, h or d."""
    if not re.fullmatch(r"[1-9]\d*/[smhd]", value.strip()):
        raise ValueError('must look like "100/m": a count, a slash, and s, m, h or d')
    return value.strip()


def http_url(value: str) -> str:
    """Check an absolute http(s) address and drop its trailing slash; empty stays empty."""
    address = value.strip().rstrip("/")
    if address:
        parts = urlsplit(address)
        # Reading `port` raises ValueError for one that is no number below 65536.
        if parts.scheme not in {"http", "https"} or not parts.hostname or parts.port == 0:
            raise ValueError("must be an absolute http or https address")
    return address


def database_url(value: str) -> str:
    """Check the scheme of a database address; empty means the embedded SQLite file."""
    if value and not value.startswith(("sqlite://", "postgres://", "postgresql://")):
        raise ValueError("must begin with postgres:// or sqlite://")
    return value


def redis_url(value: str) -> str:
    """Check the scheme of a Redis address; empty means the embedded cache."""
    if value and not value.startswith(("redis://", "rediss://", "unix://")):
        raise ValueError("must begin with redis://, rediss:// or unix://")
    return value


def log_level(value: str) -> str:
    """Check the name of a log level."""
    level = value.strip().upper()
    if level not in {"DEBUG", "INFO", "WARNING", "ERROR", "CRITICAL"}:
        raise ValueError("must be DEBUG, INFO, WARNING, ERROR or CRITICAL")
    return level


@dataclass(frozen=True)
class Setting:
    """One environment variable: how to read it and what it means."""

    name: str
    parse: Callable[[str], Any]
    default: str
    help: str


SETTINGS: tuple[Setting, ...] = (
    Setting("HOST", text, "127.0.0.1", "Address that `serve` listens on."),
    Setting("PORT", whole_number(1, 65535), "8000", "Port that `serve` listens on."),
    Setting(
        "WORKERS",
        whole_number(0, 512),
        "0",
        "Worker processes of `serve`; 0 takes one per core, at least two.",
    ),
    Setting("THREADS", whole_number(1, 64), "2", "Request threads in each worker process."),
    Setting(
        "BASE_URL",
        http_url,
        "",
        "Public address of the service, used in links; empty takes it from each request.",
    ),
    Setting(
        "ALLOWED_HOSTS",
        words,
        "",
        "Further host names the service answers to, comma-separated; "
        "the loopback names, HOST and the host of BASE_URL always count.",
    ),
    Setting(
        "TRUST_PROXY_HEADERS",
        boolean,
        "false",
        "Believe X-Forwarded-Proto; only behind a proxy that sets it.",
    ),
    Setting("DATA_DIR", text, "var", "Folder of the embedded database, cache, files and generated secrets."),
    Setting(
        "SECRET_KEY",
        text,
        "",
        "Signs sessions and file links; empty makes one and keeps it in DATA_DIR.",
    ),
    Setting(
        "SECRET_KEY_FALLBACKS",
        words,
        "",
        "Earlier values of SECRET_KEY that still verify, comma-separated.",
    ),
    Setting(
        "CREDENTIALS_KEYS",
        words,
        "",
        "Keys that protect API credentials at rest, comma-separated, the current one first; "
        "empty makes one and keeps it in DATA_DIR.",
    ),
    Setting("DATABASE_URL", database_url, "", "PostgreSQL address; empty uses SQLite in DATA_DIR."),
    Setting("REDIS_URL", redis_url, "", "Redis address for rate limits; empty uses a cache in DATA_DIR."),
    Setting("S3_BUCKET", text, "", "Bucket for documents and assets; empty keeps files in DATA_DIR."),
    Setting("S3_ENDPOINT_URL", http_url, "", "Address of an S3-compatible service; empty means AWS."),
    Setting("S3_REGION", text, "us-east-1", "Region used to sign bucket links."),
    Setting("RATE_LIMIT", rate, "100/m", "Requests per API key; specification section 8."),
    Setting(
        "DOWNLOAD_URL_TTL", whole_number(1, 604800), "3600", "Seconds that a presigned link stays valid."
    ),
    Setting(
        "MAX_BODY_BYTES",
        whole_number(1024),
        "33554432",
        "Largest request body in bytes; more gives 413.",
    ),
    Setting("MAX_SECTIONS", whole_number(1), "200", "Most sections in one template; more gives 400."),
    Setting("MAX_COLUMNS", whole_number(1), "200", "Most columns in one table; more gives 400."),
    Setting("MAX_PAGES", whole_number(1), "5000", "Most pages in one document; more gives 400."),
    Setting("RENDER_TIMEOUT", whole_number(1, 3600), "60", "Seconds one render may take; more gives 400."),
    Setting("MAX_ASSET_BYTES", whole_number(1024), "10485760", "Largest uploaded asset in bytes."),
    Setting(
        "MAX_IMAGE_PIXELS",
        whole_number(1),
        "40000000",
        "Most pixels in one image; larger ones are refused before decoding.",
    ),
    Setting("LOG_LEVEL", log_level, "INFO", "Least severe log line that is written."),
    Setting("DEBUG", boolean, "false", "Django's debug pages outside the API; never in production."),
)


def read(environ: Mapping[str, str]) -> dict[str, Any]:
    """Parse every setting from `environ`.

    An empty variable counts as absent: compose files and CI pass those along. Raises ImproperlyConfigured
    with one line per setting that does not parse; passwords inside addresses are not repeated.
    """
    values: dict[str, Any] = {}
    mistakes: list[str] = []
    for setting in SETTINGS:
        raw = environ.get(setting.name, "")
        try:
            values[setting.name] = setting.parse(raw if raw.strip() else setting.default)
        except ValueError as error:
            shown = re.sub(r"//[^/@]*@", "//***@", raw)
            mistakes.append(f"{setting.name}={shown!r}: {error}")
    if mistakes:
        raise ImproperlyConfigured("Wrong settings:\n" + "\n".join(f"  {line}" for line in mistakes))
    return values
