"""The real parts for tests and benchmarks: PostgreSQL, Redis (Valkey) and an S3 bucket (SeaweedFS).

`start_parts()` starts them once on free loopback ports. A keeper process (`tests/parts/keeper.py`) owns the
servers and ends them when its standard input closes: whatever becomes of the process that asked for them,
`kill -9` included, nothing is left running.
"""

from __future__ import annotations

import contextlib
import json
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import asdict, dataclass
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent.parent
REDIS_DATABASES = 256


@dataclass(frozen=True)
class Parts:
    """Where the servers are. `postgres_url` and `redis_url` end before the database's name or number."""

    postgres_url: str
    redis_url: str
    s3_endpoint_url: str
    access_key: str
    secret_key: str
    versions: str

    def environment(self, database: str, redis_database: int, bucket: str) -> dict[str, str]:
        """Return the settings of a service that uses these names on the parts."""
        return {
            "DATABASE_URL": f"{self.postgres_url}{database}",
            "REDIS_URL": f"{self.redis_url}{redis_database}",
            "S3_BUCKET": bucket,
            "S3_ENDPOINT_URL": self.s3_endpoint_url,
            "AWS_ACCESS_KEY_ID": self.access_key,
            "AWS_SECRET_ACCESS_KEY": self.secret_key,
        }

    def to_json(self) -> str:
        """Return one line that `from_json` reads: how another process is told."""
        return json.dumps(asdict(self))

    @classmethod
    def from_json(cls, line: str) -> Parts:
        """Read what `to_json` wrote."""
        return cls(**json.loads(line))

    def create_database(self, name: str, copy_of: str = "") -> None:
        """Create a database: empty, or a copy of another one, to which nobody is connected."""
        self._maintain(f'CREATE DATABASE "{name}"' + (f' TEMPLATE "{copy_of}"' if copy_of else ""))

    def drop_database(self, name: str) -> None:
        """Drop a database with whatever is still connected to it."""
        self._maintain(f'DROP DATABASE IF EXISTS "{name}" WITH (FORCE)')

    def create_bucket(self, name: str) -> None:
        """Create an empty bucket."""
        import boto3

        client = boto3.client(
            "s3",
            endpoint_url=self.s3_endpoint_url,
            region_name="us-east-1",
            aws_access_key_id=self.access_key,
            aws_secret_access_key=self.secret_key,
            verify=False,  # plain HTTP: no time is spent on reading certificates
        )
        client.create_bucket(Bucket=name)
        client.close()

    def _maintain(self, statement: str) -> None:
        import psycopg

        with psycopg.connect(f"{self.postgres_url}postgres", autocommit=True) as connection:
            connection.execute(statement.encode())


@contextlib.contextmanager
def start_parts(*, durable: bool = False) -> Iterator[Parts]:
    """Start the parts and end them with the `with`; fails with what they logged when one does not start.

    `durable` keeps PostgreSQL's promises on disk (fsync), as a benchmark should; tests need no power cut.
    """
    options = ["--durable"] if durable else []
    keeper = subprocess.Popen(
        [sys.executable, "-m", "tests.parts.keeper", *options],
        cwd=ROOT,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
        start_new_session=True,  # Ctrl-C is for the tests; the keeper ends after them
    )
    assert keeper.stdin is not None
    assert keeper.stdout is not None
    try:
        line = keeper.stdout.readline()
        if not line:
            raise RuntimeError("the parts did not start: see above")
        yield Parts.from_json(line)
    finally:
        keeper.stdin.close()
        keeper.wait(30)
        keeper.stdout.close()
