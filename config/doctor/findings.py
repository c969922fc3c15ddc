"""What an examination finds, and what is to be done about it where the part's own words do not say so."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final, Literal

Level = Literal["ok", "warning", "error"]


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


# What to do where an examination fails with words of the part's own.
ADVICE: Final = {
    "settings": "Look at the environment.",
    "secrets": "Look at SECRET_KEY and CREDENTIALS_KEYS.",
    "address": "Look at BASE_URL.",
    "data folder": "Give the user of the service the right to write in all of DATA_DIR; is it read-only, "
    "or full?",
    "machines": "Look at DATABASE_URL, REDIS_URL and S3_BUCKET.",
    "metrics": "Look at METRICS_TOKEN.",
    "database": "Look at DATABASE_URL: host, port, name, user and password; is the server running?",
    "migrations": "The database answers, but not to questions about its tables: see above.",
    "writing": "Give the user of DATABASE_URL the right to write; is it a read-only copy, or its disk full?",
    "credentials": "Run manage.py migrate.",
    "shared secrets": "Run manage.py migrate.",
    "cache": "Look at REDIS_URL; is the server running, and not a read-only copy?",
    "storage": "Look at S3_BUCKET, S3_ENDPOINT_URL, AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY; the service "
    "needs s3:PutObject, s3:GetObject, s3:DeleteObject and s3:ListBucket.",
    "e-mail": "Look at EMAIL_URL: host, port, user, password, and tls or ssl.",
    "worker": "Run manage.py migrate.",
}
