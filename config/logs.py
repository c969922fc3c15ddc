"""Log lines: JSON objects for machines, lines for people (LOG_FORMAT); the same fields in both.

Every line has time, level, logger, message and the id of its request. What a line must never hold is kept out
in two ways: the text of an exception may quote what a caller sent, so it is only written for exceptions that
speak of the machinery (and for all of them with LOG_LEVEL=DEBUG); and whatever looks like a credential, a
signature or a password in an address is blotted out at the end.
"""

from __future__ import annotations

import logging
import re
import time
import traceback
from collections.abc import Iterator
from typing import Any, Final

import orjson

from config.api.request_id import current_request_id

# Their message says it all, and anybody may cause them: no traceback for each request of a scanner.
_SAY_ALL: Final = {"django.security.DisallowedHost"}
WITHHELD: Final = "(text withheld: it may hold a caller's data; LOG_LEVEL=DEBUG shows it)"
# Modules whose exceptions speak of connections, files and configuration, not of documents.
_MACHINERY: Final = (
    "botocore.",
    "boto3.",
    "redis.",
    "psycopg_pool",
    "diskcache.",
    "sqlite3",
    "ssl",
    "socket",
)
_SPEAKS_OF_MACHINERY: Final = {
    "django.db.utils.OperationalError",
    "django.db.utils.InterfaceError",
    "django.core.exceptions.ImproperlyConfigured",
    "django.core.management.base.CommandError",
    "psycopg.OperationalError",
}
# A whole run of what addresses are made of, looked at once: anybody can have a long host name logged.
_ADDRESS: Final = re.compile(r"(\w://)([^\s\"']++)")
_SECRETS: Final = re.compile(
    r"(?P<key>\b(?:sk|pk|ss)_live_|\bwhsec_)[A-Za-z0-9+/=_-]+"
    r"|(?P<signature>\b(?:X-Amz-(?:Signature|Credential|Security-Token)|Signature|Expires"
    r"|ResponseContentDisposition|response-content-disposition)=)[^&\s\"']+"
    # Who has such a link gets in: Django names the path of a request that it refuses or that crashes.
    r"|(?P<link>/invitations/|/password/reset/[^/\s]+/)[^/?\s\"']+",
)
_MARKS: Final = ("_live_", "whsec_", "Signature", "X-Amz-", "@", "/invitations/", "/password/reset/")


def configuration(level: str, style: str) -> dict[str, Any]:
    """Return Django's LOGGING: one handler on stderr for everything, granian's lines included."""
    quiet = ("boto3", "botocore", "s3transfer", "urllib3", "httpx", "opentelemetry")
    return {
        "version": 1,
        "disable_existing_loggers": False,
        "formatters": {"line": {"()": "config.logs.formatter", "style": style}},
        "filters": {"no_probe": {"()": "config.logs.NoProbe"}},
        "handlers": {"stderr": {"class": "logging.StreamHandler", "formatter": "line"}},
        "root": {"handlers": ["stderr"], "level": level},
        "loggers": {
            "django.request": {"level": "ERROR", "filters": ["no_probe"]},
            "fontTools": {"level": "WARNING"},
            "pikepdf": {"level": "WARNING"},
            # One line per log-in is enough, and that is the access log's.
            "axes": {"level": "WARNING"},
            # At DEBUG they write whole requests: signatures, links, bodies.
            **{name: {"level": "WARNING"} for name in quiet},
            # Its warnings quote what receivers of webhooks answer.
            "urllib3.connection": {"level": "ERROR"},
            # Each try again at a lost bucket; that it is lost is told once, by whoever needed it.
            "urllib3.connectionpool": {"level": "ERROR"},
        },
    }


# Granian brings handlers of its own: without them its lines take the way of all others.
GRANIAN: Final[dict[str, Any]] = {
    "formatters": {},
    "handlers": {},
    "loggers": {"_granian": {"handlers": [], "propagate": True}},
}


class NoProbe(logging.Filter):
    """Leaves out Django's own word of a probe answered 503: `config.health` tells once what is lost."""

    def filter(self, record: logging.LogRecord) -> bool:
        """Tell whether the line is about something else."""
        return getattr(getattr(record, "request", None), "path_info", "") != "/readyz"


def formatter(style: str) -> logging.Formatter:
    """Return the formatter of a LOG_FORMAT."""
    return JsonFormatter() if style == "json" else TextFormatter()


def fields_of(record: logging.LogRecord) -> dict[str, Any]:
    """Return what a line says besides its time; a logger adds its own by `extra={"fields": {...}}`."""
    fields: dict[str, Any] = {
        "level": record.levelname.lower(),
        "logger": record.name,
        "message": record.getMessage(),
        "process": record.process,
    }
    if request_id := current_request_id():
        fields["requestId"] = request_id
    fields |= getattr(record, "fields", {})
    if record.exc_info and record.exc_info[1] is not None and record.name not in _SAY_ALL:
        fields["exception"] = told(record.exc_info[1])
    elif record.stack_info:
        fields["stack"] = record.stack_info
    return fields


class JsonFormatter(logging.Formatter):
    """One JSON object per line."""

    def format(self, record: logging.LogRecord) -> str:
        """Return the line."""
        fields = {"time": _time(record)} | fields_of(record)
        return blotted(orjson.dumps(fields, default=str, option=orjson.OPT_NON_STR_KEYS).decode())


class TextFormatter(logging.Formatter):
    """A line for a terminal; the fields of a request are in its message already."""

    def format(self, record: logging.LogRecord) -> str:
        """Return the line, and a traceback below it."""
        fields = fields_of(record)
        request_id = fields.get("requestId", "-")
        line = f"{_time(record)} {record.levelname} {record.name} [{request_id}] {fields['message']}"
        for below in ("exception", "stack"):
            line += f"\n{fields[below]}" if below in fields else ""
        return blotted(line)


def told(error: BaseException) -> str:
    """Return a traceback whose exceptions keep their texts to themselves, unless about machinery."""
    return "\n".join(_told(error))


def _told(error: BaseException) -> Iterator[str]:
    reason = error.__cause__ or (None if error.__suppress_context__ else error.__context__)
    if reason is not None and reason is not error:
        yield from _told(reason)
        yield "-- then --"
    yield "".join(traceback.format_list(traceback.extract_tb(error.__traceback__))).rstrip()
    kind = type(error)
    text = str(error) if speaks_of_machinery(error) else WITHHELD if str(error) else ""
    yield f"{kind.__module__}.{kind.__qualname__}: {text}".rstrip(": ")


def speaks_of_machinery(error: BaseException) -> bool:
    """Tell whether an exception's text may be written."""
    if isinstance(error, OSError) or logging.getLogger().isEnabledFor(logging.DEBUG):
        return True
    names = [f"{kind.__module__}.{kind.__qualname__}" for kind in type(error).__mro__]
    return any(name in _SPEAKS_OF_MACHINERY or name.startswith(_MACHINERY) for name in names)


def blotted(text: str) -> str:
    """Return a line without what looks like a credential, a signature or a password."""
    if not any(mark in text for mark in _MARKS):
        return text
    return _SECRETS.sub(lambda m: f"{m[m.lastgroup or 0]}***", _ADDRESS.sub(_without_password, text))


def _without_password(address: re.Match[str]) -> str:
    """Return an address without what stands before its last @.

    The last one: a password may hold such a sign, or a slash, where somebody forgot to escape it.
    """
    user, _, host = address[2].rpartition("@")
    return f"{address[1]}***{host}" if user else address[0]


def _time(record: logging.LogRecord) -> str:
    """Return the time in UTC with milliseconds."""
    return f"{time.strftime('%Y-%m-%dT%H:%M:%S', time.gmtime(record.created))}.{int(record.msecs):03d}Z"
