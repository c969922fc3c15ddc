"""Where rows, counters and files are: the embedded default, or PostgreSQL, Redis and a bucket by setting.

Functions from settings to Django's own dictionaries. Every wait for another machine has an end, so that
a dead one gives a refusal within seconds, not a request that hangs.
"""

from __future__ import annotations

import os
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import environ

CONNECT_SECONDS = 5
PREPARE_AFTER = 5
# How long a request waits for one of the pool's connections.
POOL_SECONDS = 10
# A connection that nothing answers on is given up; the kernel alone would try for a quarter of an hour.
DEAD_MILLISECONDS = 10_000
REDIS_SECONDS = 2
# Some thousands of thumbnails.
DERIVED_BYTES = 2**28
# Beside the request threads: housekeeping, and whoever looks at the service's state.
SPARE_CONNECTIONS = 2


def database(settings: Mapping[str, Any], data_dir: Path) -> dict[str, Any]:
    """Return Django's entry for DATABASE_URL; empty is SQLite in `data_dir`."""
    url: str = settings["DATABASE_URL"] or f"sqlite:///{data_dir / 'database.sqlite3'}"
    entry: dict[str, Any] = environ.Env.db_url_config(url)
    entry["CONN_HEALTH_CHECKS"] = True
    given = entry.pop("OPTIONS", {})
    if entry["ENGINE"] == "django.db.backends.sqlite3":
        entry["CONN_MAX_AGE"] = None
        entry["OPTIONS"] = {
            # One writer at a time: take the write lock at BEGIN, so that two transactions never deadlock.
            "transaction_mode": "IMMEDIATE",
            "timeout": 30,
            "init_command": "PRAGMA journal_mode=WAL; PRAGMA synchronous=NORMAL; PRAGMA cache_size=-16000;",
        }
        return entry
    entry["CONN_MAX_AGE"] = 0  # the pool keeps connections
    # A pooler of transactions gives each statement another connection, where no cursor is open.
    entry["DISABLE_SERVER_SIDE_CURSORS"] = not settings["DATABASE_PREPARE"]
    if settings["DATABASE_PREPARE"]:
        # A statement seen often is planned once per connection: a third of PostgreSQL's time for a render.
        given = {"server_side_binding": True, "prepare_threshold": PREPARE_AFTER} | given
    from config.postgres import Connection

    entry["OPTIONS"] = {
        "connect_timeout": CONNECT_SECONDS,
        "keepalives_idle": 30,
        "tcp_user_timeout": DEAD_MILLISECONDS,
        "application_name": "documents",
        **given,
        "pool": {
            "min_size": 1,
            "max_size": settings["DATABASE_POOL_SIZE"] or settings["THREADS"] + SPARE_CONNECTIONS,
            "timeout": POOL_SECONDS,
            "reconnect_timeout": CONNECT_SECONDS,
            "connection_class": Connection,
        },
    }
    return entry


def limit_answers(databases: Mapping[str, Any], seconds: float) -> None:
    """Have this process give up on an answer of PostgreSQL after so many seconds, from now on."""
    if pool := databases["default"].get("OPTIONS", {}).get("pool"):
        pool["connection_class"].patience = seconds


def cache(settings: Mapping[str, Any], data_dir: Path) -> dict[str, Any]:
    """Return Django's entry for REDIS_URL; empty is a cache in `data_dir`.

    It holds counters that protect (rate limit, log-in, invitations) and where housekeeping is: small values
    with a time of their own, of which none may be dropped to make room for another.
    """
    if not settings["REDIS_URL"]:
        # What bounds it is time: each write deletes some of what has expired.
        return _folder(data_dir / "cache", eviction_policy="none")
    return {
        "BACKEND": "config.redis_cache.Cache",
        "LOCATION": settings["REDIS_URL"],
        "OPTIONS": {
            "socket_connect_timeout": REDIS_SECONDS,
            "socket_timeout": REDIS_SECONDS,
            "socket_keepalive": True,
            "health_check_interval": 30,
        },
    }


def derived_cache(data_dir: Path) -> dict[str, Any]:
    """Return Django's entry for what can be made again: pictures, rendered versions, changes in words.

    Always a folder of this machine, also beside Redis, where it would push counters out or fill the memory.
    The oldest makes room for the newest.
    """
    return _folder(data_dir / "derived", eviction_policy="least-recently-stored", size_limit=DERIVED_BYTES)


def _folder(folder: Path, **options: Any) -> dict[str, Any]:
    return {
        "BACKEND": "diskcache.DjangoCache",
        "LOCATION": str(folder),
        "TIMEOUT": 300,
        "SHARDS": 4,
        "DATABASE_TIMEOUT": 10,
        # Nothing that a power cut may lose is worth an fsync at each request.
        "OPTIONS": {"sqlite_synchronous": 0, **options},
    }


def files(settings: Mapping[str, Any], data_dir: Path) -> dict[str, Any]:
    """Return Django's entry for S3_BUCKET; empty is a folder in `data_dir`."""
    if not settings["S3_BUCKET"]:
        return {
            "BACKEND": "config.storage.SignedFileStorage",
            "OPTIONS": {"location": str(data_dir / "files"), "base_url": "/files/"},
        }
    endpoint = settings["S3_ENDPOINT_URL"] or None
    return {
        "BACKEND": "config.bucket.BucketStorage",
        "OPTIONS": {
            "bucket_name": settings["S3_BUCKET"],
            "endpoint_url": endpoint,
            "public_endpoint_url": settings["S3_PUBLIC_ENDPOINT_URL"] or endpoint,
            "region_name": settings["S3_REGION"] or _aws_region(),
            # Only AWS gives each bucket a host name of its own.
            "addressing_style": "path" if endpoint else "virtual",
            "querystring_expire": settings["DOWNLOAD_URL_TTL"],
        },
    }


def _aws_region() -> str:
    return os.environ.get("AWS_REGION") or os.environ.get("AWS_DEFAULT_REGION") or "us-east-1"
