"""`manage.py doctor`: try a configuration end to end, and say in plain words what is wrong and what to do.

Each examination stands alone and undoes what it does: rows are rolled back, keys and files deleted. Addresses
are named without their passwords, and no secret is printed.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Final

from django.conf import settings
from django.db import DatabaseError

from config.doctor import database, given, parts, storage
from config.doctor.findings import ADVICE, Finding, Wrong
from config.outages import lost_part

__all__ = ["EXAMINATIONS", "IN_DATABASE", "Finding", "Wrong", "examine"]

# In the order in which one would repair what is wrong.
EXAMINATIONS: Final[dict[str, Callable[[], str]]] = {
    "settings": given.check_names,
    "secrets": given.check_secrets,
    "address": given.check_address,
    "data folder": given.check_data_dir,
    "machines": given.check_machines,
    "metrics": given.check_metrics,
    "database": database.check_database,
    "migrations": database.check_migrations,
    "writing": database.check_writing,
    "credentials": database.check_credentials,
    "shared secrets": database.check_shared_secrets,
    "cache": parts.check_cache,
    "storage": storage.check_storage,
    "e-mail": parts.check_mail,
    "worker": database.check_worker,
}
IN_DATABASE: Final = {"migrations", "writing", "credentials", "shared secrets", "worker"}
# The setting that puts a part elsewhere than into DATA_DIR.
EMBEDDED: Final = {
    "database": "DATABASE_URL",
    "migrations": "DATABASE_URL",
    "writing": "DATABASE_URL",
    "cache": "REDIS_URL",
    "storage": "S3_BUCKET",
}


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
    # The doctor's own statements hold nothing of a caller: what the database says to them may be shown.
    may_be_shown = isinstance(error, DatabaseError) or speaks_of_machinery(error)
    return blotted(text[0]) if text and may_be_shown else "(no details)"
