"""The settings an operator may give: name, parser, default and help in one table.

`config.settings` reads them once, a wrong value stops the start with one line per mistake, and
`docs/operating.md` is tested against the same table.
"""

from __future__ import annotations

import io
import os
import re
from collections.abc import Callable, Collection, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Final, NoReturn

from config.addresses import allowed_hosts, check_server, host_names, http_url, public_url, split, words
from config.value import dataclass

DISTRIBUTION: Final = "document-rendering-service"
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


def whole_number_or_none(minimum: int, maximum: int = 2**53) -> Callable[[str], int | None]:
    """Return a parser like `whole_number` for which an empty value is None."""
    number = whole_number(minimum, maximum)
    return lambda value: number(value) if value.strip() else None


def rate(value: str) -> str:
    """Check a rate such as `100/m`: a count, a slash, and s, m, h or d."""
    if not re.fullmatch(r"[1-9]\d*/[smhd]", value.strip()):
        raise ValueError('must look like "100/m": a count, a slash, and s, m, h or d')
    return value.strip()


def database_url(value: str) -> str:
    """Check the scheme of a database address; empty means the embedded SQLite file."""
    if value and not value.startswith(("sqlite://", "postgres://", "postgresql://")):
        raise ValueError("must begin with postgres:// or sqlite://")
    return value if value.startswith("sqlite://") else check_server(value)


def redis_url(value: str) -> str:
    """Check a Redis address; empty means the embedded cache."""
    if value and not value.startswith(("redis://", "rediss://", "unix://")):
        raise ValueError("must begin with redis://, rediss:// or unix://")
    if value.startswith("unix://"):
        return value
    check_server(value)
    database = split(value).path.strip("/")
    if database and not (database.isascii() and database.isdecimal()):
        raise ValueError("the database behind the slash must be a number, as in redis://host:6379/0")
    return value


def bucket(value: str) -> str:
    """Check the name of a bucket (or the ARN of an access point); empty means files in DATA_DIR."""
    if value and not (re.fullmatch(r"[A-Za-z0-9._-]{3,255}", value) or value.startswith("arn:")):
        raise ValueError("must be the name of a bucket: letters, digits, dots, hyphens, no address or folder")
    return value


def email_url(value: str) -> str:
    """Check the scheme of a mail server's address; empty means that mails are written to the log."""
    schemes = ("smtp://", "smtp+tls://", "smtp+ssl://", "consolemail://")
    if value and not value.startswith(schemes):
        raise ValueError("must begin with smtp://, smtp+tls:// or smtp+ssl://")
    return check_server(value)


def one_of(*choices: str) -> Callable[[str], str]:
    """Return a parser of one of several words."""

    def parse(value: str) -> str:
        word = value.strip().lower()
        if word not in choices:
            raise ValueError(f"must be {' or '.join(choices)}")
        return word

    return parse


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
    Setting(
        "JOB_WORKERS",
        whole_number_or_none(0, 512),
        "",
        "Job workers that `serve` runs beside its web workers; empty is one with SQLite, "
        "none with PostgreSQL, where `worker` runs them.",
    ),
    Setting(
        "JOB_LEASE",
        whole_number(2, 3600),
        "20",
        "Seconds after which the jobs of a worker that gives no sign of life are taken up by another one.",
    ),
    Setting("THREADS", whole_number(1, 64), "2", "Request threads in each worker process."),
    Setting(
        "BASE_URL",
        public_url,
        "",
        "Public address of the service, used in links; empty takes it from each request.",
    ),
    Setting(
        "ALLOWED_HOSTS",
        allowed_hosts,
        "",
        "Further host names the service answers to, comma-separated; "
        "the loopback names, HOST and the host of BASE_URL always count.",
    ),
    Setting(
        "TRUST_PROXY_HEADERS",
        boolean,
        "false",
        "Believe X-Forwarded-Proto and X-Forwarded-For; only behind a proxy that sets them.",
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
    Setting(
        "DATABASE_POOL_SIZE",
        whole_number(0, 1000),
        "0",
        "Most PostgreSQL connections of one process; 0 takes THREADS and two.",
    ),
    Setting(
        "DATABASE_PREPARE",
        boolean,
        "true",
        "Keep statements and cursors in PostgreSQL; false behind a pooler of transactions such as PgBouncer.",
    ),
    Setting(
        "DATABASE_TIMEOUT",
        whole_number(1, 3600),
        "30",
        "Seconds that PostgreSQL may take for one answer to a request or a job; more gives 503.",
    ),
    Setting("REDIS_URL", redis_url, "", "Redis address for rate limits; empty uses a cache in DATA_DIR."),
    Setting("S3_BUCKET", bucket, "", "Bucket for documents and assets; empty keeps files in DATA_DIR."),
    Setting("S3_ENDPOINT_URL", http_url, "", "Address of an S3-compatible service; empty means AWS."),
    Setting(
        "S3_PUBLIC_ENDPOINT_URL",
        http_url,
        "",
        "Address of the bucket's service in links, where clients do not reach it by S3_ENDPOINT_URL.",
    ),
    Setting("S3_REGION", text, "", "Region of the bucket; empty takes AWS_REGION, else us-east-1."),
    Setting(
        "WEBHOOK_ALLOWED_HOSTS",
        host_names,
        "",
        "Hosts to which webhooks may be sent although they are private or without TLS, comma-separated; "
        "for intranets and tests.",
    ),
    Setting("RATE_LIMIT", rate, "100/m", "Requests per API key; specification section 8."),
    Setting("PREVIEW_RATE_LIMIT", rate, "600/m", "Previews, thumbnails and publish gates per person."),
    Setting("INVITATION_RATE_LIMIT", rate, "100/d", "Invitations that one organization may send."),
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
    Setting(
        "MAX_UNFINISHED_ITEMS",
        whole_number(1),
        "100000",
        "Most batch items of one organization that wait to be rendered; more gives 429.",
    ),
    Setting(
        "MAX_ASSET_BYTES",
        whole_number(1024),
        "10485760",
        "Largest uploaded image in bytes; a font may have 20 MB.",
    ),
    Setting(
        "MAX_IMAGE_PIXELS",
        whole_number(1),
        "40000000",
        "Most pixels in one image; larger ones are refused before decoding.",
    ),
    Setting(
        "EMAIL_URL",
        email_url,
        "",
        "Mail server for invitations and password resets, such as smtp+tls://user:password@host:587; "
        "empty writes mails to the log.",
    ),
    Setting("EMAIL_FROM", text, "Documents <documents@localhost>", "Sender of those mails."),
    Setting(
        "AUDIT_LOG_DAYS",
        whole_number_or_none(1, 36500),
        "",
        "Days that entries of the audit log are kept; empty keeps them for ever.",
    ),
    Setting(
        "ORGANIZATION_CREATION",
        one_of("staff", "everybody"),
        "staff",
        "Who may create an organization in the dashboard: staff (users of the admin) or everybody "
        "who can log in.",
    ),
    Setting("LOG_LEVEL", log_level, "INFO", "Least severe log line that is written."),
    Setting("LOG_FORMAT", one_of("text", "json"), "text", "How log lines are written: text or json."),
    Setting(
        "METRICS_TOKEN",
        text,
        "",
        "Bearer token that reads /metrics; empty lets nobody, unless METRICS_OPEN.",
    ),
    Setting(
        "METRICS_OPEN",
        boolean,
        "false",
        "Let everybody who reaches the port read /metrics where there is no METRICS_TOKEN; "
        "only where no proxy passes it on.",
    ),
    Setting(
        "OTEL_EXPORTER_OTLP_ENDPOINT",
        http_url,
        "",
        "Address of an OpenTelemetry collector (OTLP over HTTP) for traces; empty makes none.",
    ),
    Setting("DEBUG", boolean, "false", "Django's debug pages outside the API; never in production."),
)


def read(environ: Mapping[str, str]) -> dict[str, Any]:
    """Parse every setting from `environ`.

    Raises ImproperlyConfigured with one line per setting that does not parse.
    """
    values, mistakes = parse(environ)
    if mistakes:
        _refuse(mistakes)
    return values


def home_of(code: Path) -> Path:
    """Return the folder of `.env`, in which a relative DATA_DIR lies.

    It is the folder of the code, but where pip has put that among other people's: the data of a user is in
    theirs, whatever folder a command is called in.
    """
    if code.name not in {"site-packages", "dist-packages"}:
        return code
    data = os.environ.get("XDG_DATA_HOME", "")
    return Path(data if os.path.isabs(data) else os.path.expanduser("~/.local/share")) / DISTRIBUTION


def read_file(path: Path) -> None:
    """Add the variables of a `.env` to the environment, which goes before; without the file there are none.

    Raises ImproperlyConfigured for one that cannot be read: the service would start on another database.
    """
    import environ

    try:
        environ.Env.read_env(io.StringIO(path.read_text(encoding="utf-8-sig")))
    except FileNotFoundError:
        return
    except (OSError, UnicodeDecodeError) as error:
        _refuse([f"{path}: {_why_unread(error)}"])


def read_secret(path: Path) -> str:
    """Return the secret that a file keeps; raises ImproperlyConfigured where it is empty or damaged."""
    reason = "is empty"
    try:
        if secret := path.read_text(encoding="utf-8").strip():
            return secret
    except UnicodeDecodeError as error:
        reason = _why_unread(error)
    _refuse([f"{path}: {reason}; put the file of the backup in its place (docs/operating.md)"])


def _why_unread(error: Exception) -> str:
    return str(getattr(error, "strerror", "") or "is damaged: it is no text")


@contextmanager
def data_dir(folder: Path) -> Iterator[None]:
    """Turn what goes wrong with files in DATA_DIR into ImproperlyConfigured: the setting, the file, why."""
    try:
        yield
    except (FileExistsError, NotADirectoryError):
        _refuse([f"DATA_DIR={str(folder)!r}: must be a folder, and a file is in its place"])
    except OSError as error:
        # A write into a full disk names no file.
        _refuse(
            [f"DATA_DIR={str(folder)!r}: {f'{error.filename}: ' if error.filename else ''}{error.strerror}"]
        )


def _refuse(mistakes: list[str]) -> NoReturn:
    from django.core.exceptions import ImproperlyConfigured

    raise ImproperlyConfigured("Wrong settings:\n" + "\n".join(f"  {line}" for line in mistakes))


def parse(
    environ: Mapping[str, str], names: Collection[str] | None = None
) -> tuple[dict[str, Any], list[str]]:
    """Return the settings (those of `names`, else all), and one line for each that does not parse.

    An empty variable counts as absent: compose files and CI pass those along. Passwords inside addresses are
    not repeated, also where they are not written as an address must be.
    """
    values: dict[str, Any] = {}
    mistakes: list[str] = []
    for setting in SETTINGS:
        if names is not None and setting.name not in names:
            continue
        raw = environ.get(setting.name, "")
        try:
            values[setting.name] = setting.parse(raw if raw.strip() else setting.default)
        except ValueError as error:
            mistakes.append(f"{setting.name}={_without_password(raw)!r}: {error}")
    return values, mistakes


def _without_password(raw: str) -> str:
    """Return a wrong value without what may be a password: all up to its last `@`, and parameters."""
    shown = re.sub(r"(?s)\A([A-Za-z][\w+.-]*:)?(/*).*@", r"\1\2***@", raw)
    return re.sub(r"(?i)((?:password|secret|token|key)[\w-]*=)[^&\s]*", r"\1***", shown)
