"""A part that is lost (database, cache, storage, disk) as the 503 it gives; anything else is our fault.

Told by class names and codes, without importing a client that this configuration does not use. What is lost
comes back without a restart: no connection that failed is used again.
"""

from __future__ import annotations

import errno
import logging
import sqlite3
import sys
from collections.abc import Iterator
from typing import Any, Final

from django.db import Error as DatabaseFailure
from django.db import InterfaceError, OperationalError
from django.http import HttpRequest, HttpResponse
from django.template import TemplateDoesNotExist, loader

from config.api.errors import ApiError
from config.logs import speaks_of_machinery

logger = logging.getLogger(__name__)

RETRY_AFTER: Final = {"database": 5, "cache": 5, "storage": 5, "disk": 60}
MESSAGES: Final = {
    "database": "The database is unavailable; try again",
    "cache": "The rate limit cannot be checked; try again",
    "storage": "Storage is unavailable; try again",
    "disk": "Storage is full; try again later",
}
_FULL: Final = {errno.ENOSPC, errno.EDQUOT, errno.EFBIG}  # the last: a limit of the process or file system
_BROKEN: Final = {errno.EIO, errno.EROFS, errno.ESTALE, errno.ENOTCONN, errno.EHOSTUNREACH, errno.ENETUNREACH}
# SQLSTATE classes: no connection, transaction undone (deadlock), no resources, operator's hand, system.
_LOST_STATES: Final = ("08", "40", "53", "57", "58", "25006")
# What SQLite says when the schema or a statement is wrong, with the same class as for a lost disk.
_SQLITE_FAULTS: Final = ("no such ", "syntax error", "has no column", "ambiguous ", "too many ", "duplicate ")
_SQLITE_DAMAGE: Final = ("file is not a database", "malformed")
_FULL_TEXTS: Final = ("disk is full", "no space left")
# Answers of a bucket that are about one object or one request, not about the bucket.
_OBJECT_CODES: Final = {"404", "NoSuchKey", "InvalidRange", "412", "PreconditionFailed", "InvalidArgument"}


class Unavailable(ApiError):
    """The 503 with Retry-After of a lost part: a key of MESSAGES."""

    def __init__(self, part: str) -> None:
        super().__init__(503, MESSAGES[part], headers={"Retry-After": str(RETRY_AFTER[part])})
        self.part = part


def as_outage(error: BaseException) -> Unavailable | None:
    """Return the refusal that names the part which an exception says is lost; None for anything else."""
    for link in _chain(error):
        if (part := lost_part(link)) is not None:
            return Unavailable(part)
    return None


def reason(error: BaseException) -> str:
    """Say in one line which part an exception says is lost and in what words, fit for a log."""
    for link in _chain(error):
        if (part := lost_part(link)) is not None:
            text = str(link).strip().partition("\n")[0] if speaks_of_machinery(link) else ""
            return f"{part}, {type(link).__name__}{text and f': {text}'}"
    return type(error).__name__


def lost_part(error: BaseException) -> str | None:
    """Tell which part an exception says is lost: a key of MESSAGES, or None."""
    if isinstance(error, DatabaseFailure):
        return _lost_database(error)
    names = {f"{kind.__module__}.{kind.__qualname__}" for kind in type(error).__mro__}
    if "redis.exceptions.RedisError" in names or "diskcache.core.Timeout" in names:
        return "cache"
    if isinstance(error, sqlite3.Error):  # the embedded cache: what Django's own raises is translated
        return "disk" if _says_full(error) else "cache"
    if "botocore.exceptions.ClientError" in names:
        code = str(getattr(error, "response", {}).get("Error", {}).get("Code", ""))
        return None if code in _OBJECT_CODES else "storage"
    if "botocore.exceptions.ParamValidationError" in names:
        return None
    if names & {"botocore.exceptions.BotoCoreError", "botocore.exceptions.HTTPClientError"}:
        return "storage"
    if isinstance(error, OSError):
        return "disk" if error.errno in _FULL else "storage" if error.errno in _BROKEN else None
    return None


def _lost_database(error: DatabaseFailure) -> str | None:
    cause = error.__cause__
    if state := getattr(cause, "sqlstate", None) or getattr(getattr(cause, "diag", None), "sqlstate", None):
        return "database" if str(state).startswith(_LOST_STATES) else None
    if isinstance(cause, sqlite3.Error):
        if _says_full(cause):
            return "disk"
        if isinstance(cause, sqlite3.OperationalError):
            return None if any(part in str(cause) for part in _SQLITE_FAULTS) else "database"
        return "database" if any(part in str(cause) for part in _SQLITE_DAMAGE) else None
    return "database" if isinstance(error, (OperationalError, InterfaceError)) else None


def _says_full(error: BaseException) -> bool:
    return any(text in str(error).lower() for text in _FULL_TEXTS)


def _chain(error: BaseException) -> Iterator[BaseException]:
    """Return an exception and what it was raised from, at most a few."""
    link: BaseException | None = error
    for _ in range(5):
        if link is None:
            return
        yield link
        if isinstance(link, DatabaseFailure):  # its cause is looked at with it
            return
        link = link.__cause__ or (link.__context__ if _is_wrapper(link) else None)


def _is_wrapper(error: BaseException) -> bool:
    """Tell exceptions that clients raise instead of the first one, without naming it as the cause."""
    return type(error).__module__.startswith(("boto3.", "s3transfer.", "django.db.transaction"))


def server_error(request: HttpRequest) -> HttpResponse:
    """Django's handler of crashes outside of the API: 503 for a lost part, 500 for a fault of ours."""
    refusal = as_outage(sys.exc_info()[1] or Exception())
    status = 503 if refusal else 500
    text = refusal.message if refusal else "Internal server error"
    context: dict[str, Any] = {"status": status, "message": text}
    try:
        body = loader.get_template(f"{status}.html").render(context)
        response = HttpResponse(body, status=status)
    except TemplateDoesNotExist:
        response = HttpResponse(f"{text}\n", status=status, content_type="text/plain")
    for name, value in refusal.headers.items() if refusal else ():
        response[name] = value
    return response
