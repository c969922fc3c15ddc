"""What is wrong with the settings together, told at every start and command (Django's system checks).

Our commands ask for these checks only: the others are about the code, and load all of it to look at it.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final

from django.conf import settings
from django.core.checks import CheckMessage, Error, Warning, register

OURS: Final = ["configuration"]  # what a command of ours requires
# The setting, and the file that holds the value which a machine made for itself.
SECRETS = {"SECRET_KEY": "secret_key", "CREDENTIALS_KEYS": "credentials_key"}
SHORTEST: Final = 32  # characters of a secret that nobody guesses


@register(*OURS)
def check_secrets(app_configs: Sequence[Any] | None = None, **_: Any) -> list[CheckMessage]:
    """Check that nobody can guess a secret: whoever does logs in as anybody."""
    return [
        Warning(
            f"{name} can be guessed: shorter than {SHORTEST} characters",
            hint='Make one with: python -c "import secrets; print(secrets.token_urlsafe(48))"',
            id="config.W003",
        )
        for name, values in (
            ("SECRET_KEY", [settings.SECRET_KEY]),
            ("SECRET_KEY_FALLBACKS", settings.SECRET_KEY_FALLBACKS),  # what they sign is believed as well
            ("CREDENTIALS_KEYS", settings.CREDENTIALS_KEYS),
        )
        if any(len(value) < SHORTEST for value in values)
    ]


@register(*OURS)
def check_machines(app_configs: Sequence[Any] | None = None, **_: Any) -> list[CheckMessage]:
    """Check that machines which share a PostgreSQL database agree on what else they must share."""
    given = settings.ENVIRONMENT
    if settings.DATABASES["default"]["ENGINE"] == "django.db.backends.sqlite3":
        return []
    found: list[CheckMessage] = [
        Error(
            f"{name} is not set, and the database may be shared: each machine would make one of its own.",
            hint=f"Set {name} to the same value on every machine: any 50 random characters, or, if this "
            f"database was used with a generated one, what {settings.DATA_DIR / file} holds.",
            id="config.E001",
        )
        for name, file in SECRETS.items()
        if not given[name]
    ]
    if not given["REDIS_URL"]:
        found.append(
            Warning(
                "DATABASE_URL is set without REDIS_URL: the rate limit is counted on each machine by itself.",
                hint="Set REDIS_URL. With one machine only, nothing is wrong.",
                id="config.W001",
            )
        )
    if not given["S3_BUCKET"]:
        found.append(
            Warning(
                "DATABASE_URL is set without S3_BUCKET: documents are kept on the machine that renders them.",
                hint="Set S3_BUCKET. With one machine only, nothing is wrong.",
                id="config.W002",
            )
        )
    return found
