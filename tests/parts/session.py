"""The parts of a test run: one keeper for all of its processes, names of its own for each.

`TEST_STACK=real` chooses them. The first process of the run (pytest itself) starts them; the processes that
share the tests (xdist) are told by the environment. Each has its own database, Redis number and bucket.
"""

from __future__ import annotations

import atexit
import contextlib
import os
import re
from functools import cache
from itertools import count

from tests.parts import REDIS_DATABASES, Parts, start_parts

STACK = os.environ.get("TEST_STACK") or "embedded"
assert STACK in {"embedded", "real"}, "TEST_STACK must be embedded or real"
REAL = STACK == "real"
# The settings that the parts decide; those of the developer's shell must not reach a test.
SETTINGS = (
    "SECRET_KEY",
    "SECRET_KEY_FALLBACKS",
    "CREDENTIALS_KEYS",
    "DATABASE_URL",
    "DATABASE_POOL_SIZE",
    "DATABASE_PREPARE",
    "REDIS_URL",
    "S3_BUCKET",
    "S3_ENDPOINT_URL",
    "S3_PUBLIC_ENDPOINT_URL",
    "S3_REGION",
    "AWS_ACCESS_KEY_ID",
    "AWS_SECRET_ACCESS_KEY",
    "AWS_SESSION_TOKEN",
    "AWS_REGION",
    "AWS_DEFAULT_REGION",
)
# Machines that share a database must share these.
SECRETS = {"SECRET_KEY": "tests-secret-" * 5, "CREDENTIALS_KEYS": "tests-credentials-" * 3}
_TOLD = "TEST_PARTS"
# Redis numbers of one process: the first for its own tests, the others for services that they start.
_NUMBERS = 32
_services = count(1)


@cache
def parts() -> Parts:
    """Return the parts of this run, started by whoever asks first and ended with that process."""
    if told := os.environ.get(_TOLD):
        return Parts.from_json(told)
    stack = contextlib.ExitStack()
    started = stack.enter_context(start_parts())
    owner = os.getpid()
    atexit.register(lambda: stack.close() if os.getpid() == owner else None)
    os.environ[_TOLD] = started.to_json()
    return started


def worker() -> int:
    """Return the number of this process among those that share the tests."""
    match = re.fullmatch(r"gw(\d+)", os.environ.get("PYTEST_XDIST_WORKER", ""))
    return int(match[1]) + 1 if match else 0


def own_environment() -> dict[str, str]:
    """Return the settings of the tests in this process; Django makes their database."""
    number = worker()
    bucket = f"tests-{number}"
    parts().create_bucket(bucket)
    own = parts().environment("documents", number * _NUMBERS, bucket)
    return own | SECRETS | {"DATABASE_POOL_SIZE": "40"}


def service_environment(copy_of: dict[str, str] | None = None) -> dict[str, str]:
    """Return the settings of another service that a test starts: a database, bucket and cache of its own.

    They are empty; only the database is a copy of the one in the settings `copy_of`, to which nobody may be
    connected. Nothing on the embedded default, where a service's DATA_DIR is all it needs.
    """
    if not REAL:
        return {}
    number = next(_services)
    name = f"service-{worker()}-{number}"
    parts().create_database(name, copy_of["DATABASE_URL"].rpartition("/")[2] if copy_of else "")
    parts().create_bucket(name)
    redis_number = worker() * _NUMBERS + 1 + number % (_NUMBERS - 1)
    assert redis_number < REDIS_DATABASES
    return parts().environment(name, redis_number, name) | SECRETS
