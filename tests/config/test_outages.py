"""A lost part gives 503 with Retry-After in the error shape, and the service goes on when it is back."""

from __future__ import annotations

import errno
import sqlite3
from collections.abc import Callable
from typing import Any

import boto3.exceptions
import botocore.exceptions
import diskcache
import psycopg
import psycopg.errors
import psycopg_pool
import pytest
import redis.exceptions
from django import db
from django.core.cache import cache
from django.core.files.storage import default_storage
from django.db import connection
from django.test import Client

from accounts.models import User
from config.outages import MESSAGES, lost_part
from rendering.models import Document
from rendering.sweeping import sweep
from tests.conftest import ApiClient
from tests.failures import raiser
from usage.models import MonthlyCount


def wrapped(kind: type[Exception], cause: Exception) -> Exception:
    """Return an exception of Django's with the driver's behind it."""
    error = kind(*cause.args)
    error.__cause__ = cause
    return error


def client_error(code: str) -> Exception:
    return botocore.exceptions.ClientError({"Error": {"Code": code, "Message": "..."}}, "PutObject")


def sqlite(text: str, kind: type[sqlite3.Error] = sqlite3.OperationalError) -> Exception:
    return wrapped(getattr(db, kind.__name__), kind(text))


def postgres(kind: type[psycopg.Error], shown: type[Exception] = db.OperationalError) -> Exception:
    return wrapped(shown, kind("..."))


@pytest.mark.parametrize(
    ("error", "part"),
    [
        (sqlite("unable to open database file"), "database"),
        (sqlite("disk I/O error"), "database"),
        (sqlite("database is locked"), "database"),
        (sqlite("attempt to write a readonly database"), "database"),
        (sqlite("file is not a database", sqlite3.DatabaseError), "database"),
        (sqlite("database disk image is malformed", sqlite3.DatabaseError), "database"),
        (sqlite("database or disk is full"), "disk"),
        (sqlite("no such table: x"), None),
        (sqlite('near "SELEC": syntax error'), None),
        (sqlite("UNIQUE constraint failed", sqlite3.IntegrityError), None),
        (postgres(psycopg.OperationalError), "database"),
        (postgres(psycopg_pool.PoolTimeout), "database"),
        (postgres(psycopg.errors.AdminShutdown), "database"),
        (postgres(psycopg.errors.TooManyConnections), "database"),
        (postgres(psycopg.errors.DiskFull), "database"),
        (postgres(psycopg.errors.DeadlockDetected), "database"),
        (postgres(psycopg.errors.ReadOnlySqlTransaction, db.InternalError), "database"),
        (postgres(psycopg.errors.UndefinedTable, db.ProgrammingError), None),
        (postgres(psycopg.errors.UniqueViolation, db.IntegrityError), None),
        (db.InterfaceError("connection already closed"), "database"),
        (redis.exceptions.ConnectionError("..."), "cache"),
        (redis.exceptions.TimeoutError("..."), "cache"),
        (redis.exceptions.ReadOnlyError("..."), "cache"),
        (redis.exceptions.OutOfMemoryError("..."), "cache"),
        (diskcache.Timeout("..."), "cache"),
        (sqlite3.OperationalError("disk I/O error"), "cache"),
        (sqlite3.OperationalError("database or disk is full"), "disk"),
        (botocore.exceptions.EndpointConnectionError(endpoint_url="http://x"), "storage"),
        (botocore.exceptions.ConnectTimeoutError(endpoint_url="http://x"), "storage"),
        (botocore.exceptions.ReadTimeoutError(endpoint_url="http://x"), "storage"),
        (botocore.exceptions.NoCredentialsError(), "storage"),
        (client_error("SlowDown"), "storage"),
        (client_error("InternalError"), "storage"),
        (client_error("AccessDenied"), "storage"),
        (client_error("NoSuchBucket"), "storage"),
        (client_error("NoSuchKey"), None),
        (client_error("404"), None),
        (botocore.exceptions.ParamValidationError(report="x"), None),
        (OSError(errno.ENOSPC, "full"), "disk"),
        (OSError(errno.EFBIG, "File too large"), "disk"),
        (OSError(errno.EDQUOT, "full"), "disk"),
        (OSError(errno.EROFS, "read-only"), "storage"),
        (OSError(errno.EIO, "broken"), "storage"),
        (OSError(errno.ENOENT, "nothing"), None),
        (KeyError("x"), None),
    ],
    ids=repr,
)
def test_which_part_an_exception_is_about(error: Exception, part: str | None) -> None:
    assert lost_part(error) == part


def assert_unavailable(answer: Any, message: str) -> None:
    """Check the contract's body, and that nothing of the failure's own words is in it."""
    assert answer.status_code == 503, answer.content
    assert answer.json() == {"message": message, "requestId": answer["X-Request-Id"]}
    assert int(answer["Retry-After"]) > 0


LOST_DATABASES = [
    sqlite("disk I/O error"),
    postgres(psycopg_pool.PoolTimeout),
    postgres(psycopg.OperationalError),
]


@pytest.mark.parametrize("error", LOST_DATABASES, ids=repr)
@pytest.mark.parametrize(
    ("method", "path"),
    [("GET", "/v1/templates"), ("POST", "/v1/render"), ("GET", "/v1/downloads/doc_x"), ("GET", "/v1/usage")],
)
def test_a_lost_database(secret: ApiClient, error: Exception, method: str, path: str) -> None:
    with connection.execute_wrapper(raiser(error)):
        assert_unavailable(secret.request(method, path, {}), MESSAGES["database"])
    assert secret.get("/v1/templates").status_code == 200


@pytest.mark.parametrize(
    ("error", "status"), [(sqlite("disk I/O error"), 503), (sqlite("no such table: x"), 500)], ids=repr
)
def test_pages_outside_of_the_api(db: None, error: Exception, status: int) -> None:
    client = Client(raise_request_exception=False)
    client.force_login(User.objects.create_superuser("ann@example.com", "..."))
    with connection.execute_wrapper(raiser(error)):
        answer = client.get("/admin/")
    assert answer.status_code == status
    assert ("Retry-After" in answer) == (status == 503)
    assert str(error).encode() not in answer.content
    assert client.get("/admin/").status_code == 200


@pytest.mark.parametrize(
    "failure",
    [
        raiser(redis.exceptions.ConnectionError("...")),
        raiser(redis.exceptions.TimeoutError("...")),
        raiser(sqlite3.OperationalError("unable to open database file")),
    ],
)
def test_the_rate_limit_fails_closed_without_its_cache(
    secret: ApiClient, monkeypatch: pytest.MonkeyPatch, failure: Callable[..., Any]
) -> None:
    with monkeypatch.context() as patch:
        patch.setattr(cache, "add", failure)
        patch.setattr(cache, "incr", failure)
        assert_unavailable(secret.get("/v1/templates"), MESSAGES["cache"])
    assert secret.get("/v1/templates").status_code == 200


def test_a_cache_that_forgets_is_no_429(secret: ApiClient, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(cache, "add", lambda *_, **__: False)
    monkeypatch.setattr(cache, "incr", lambda *_, **__: None)
    assert_unavailable(secret.get("/v1/templates"), MESSAGES["cache"])


@pytest.mark.parametrize(
    ("error", "message"),
    [
        (OSError(errno.ENOSPC, "No space left"), "Storage is full; the document was not kept"),
        (OSError(errno.EROFS, "Read-only file system"), MESSAGES["storage"]),
        (botocore.exceptions.EndpointConnectionError(endpoint_url="http://x"), MESSAGES["storage"]),
        (client_error("SlowDown"), MESSAGES["storage"]),
        (client_error("NoSuchBucket"), MESSAGES["storage"]),
    ],
    ids=repr,
)
def test_a_lost_storage(
    secret: ApiClient,
    monkeypatch: pytest.MonkeyPatch,
    caplog: pytest.LogCaptureFixture,
    error: Exception,
    message: str,
) -> None:
    """The render is refused, nothing is counted, and what it left is swept when the storage is back.

    The caller is told little; the log has what the operator needs to know.
    """
    template_id = secret.published()
    with monkeypatch.context() as patch:
        patch.setattr(default_storage, "save", raiser(error))
        patch.setattr(default_storage, "delete", raiser(error))
        assert_unavailable(secret.render(template_id), message)
    (line,) = [record for record in caplog.records if record.name == "config.api.failures"]
    assert message in line.getMessage()
    assert line.exc_info is not None
    assert line.exc_info[1] is error
    failed = Document.objects.get()
    assert failed.status == "failed"
    assert not MonthlyCount.objects.exists()
    Document.objects.update(lease_expires_at=failed.created_at)
    assert sweep() == 1
    assert Document.objects.get().file == ""
    assert secret.render(template_id).status_code == 200
    assert MonthlyCount.objects.get().documents == 1


def test_boto_wraps_the_refusal_of_an_upload() -> None:
    try:
        try:
            raise client_error("SlowDown")
        except botocore.exceptions.ClientError as error:
            raise boto3.exceptions.S3UploadFailedError("Failed to upload") from error
    except boto3.exceptions.S3UploadFailedError as error:
        from config.outages import as_outage

        refusal = as_outage(error)
    assert refusal is not None
    assert refusal.status == 503
