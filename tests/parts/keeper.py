"""Holds the servers of a run: `python -m tests.parts.keeper`.

Starts them side by side, prints one line of JSON (`Parts`) when all answer, and waits for the end of its
standard input. Then, or when it is asked to end, it ends them and removes their folder. Killed itself, it
takes the servers along (Linux), and the next keeper removes the folder.
"""

from __future__ import annotations

import argparse
import contextlib
import fcntl
import shutil
import signal
import sys
import tempfile
import time
import urllib.error
import urllib.request
from collections.abc import Callable, Iterator
from pathlib import Path

from tests.parts import Parts
from tests.parts.bucket import ACCESS_KEY, SECRET_KEY, start_bucket
from tests.parts.postgres import start_postgres
from tests.parts.process import Server, free_ports
from tests.parts.redis import start_redis

PREFIX = "documents-parts-"
_START_SECONDS, _END_SECONDS, _STALE_SECONDS = 40.0, 5.0, 30.0
# Another program may take a port between our look and the server's start.
_ATTEMPTS = 3


def main() -> None:
    """Keep the parts until standard input ends."""
    parser = argparse.ArgumentParser(prog="python -m tests.parts.keeper", description=__doc__)
    parser.add_argument("--durable", action="store_true", help="PostgreSQL with fsync")
    options = parser.parse_args()
    for number in (signal.SIGTERM, signal.SIGINT, signal.SIGHUP):
        signal.signal(number, lambda *_: sys.exit(1))
    remove_stale()
    with own_folder() as folder:
        for attempt in range(_ATTEMPTS):
            try:
                with running(folder / str(attempt), durable=options.durable) as parts:
                    print(parts.to_json(), flush=True)
                    sys.stdin.buffer.read()
                    return
            except NotStarted as error:
                print(f"The parts did not start: {error}", file=sys.stderr, flush=True)
    sys.exit(1)


class NotStarted(Exception):
    """A server ended, or did not answer in time."""


@contextlib.contextmanager
def running(folder: Path, *, durable: bool) -> Iterator[Parts]:
    """Run the three servers inside the `with`; raises NotStarted."""
    folder.mkdir()
    folder.chmod(0o755)
    postgres_port, redis_port = free_ports(2)
    servers: list[Server] = []
    try:
        try:
            servers.append(bucket := start_bucket(folder / "bucket"))
            servers.append(redis := start_redis(folder / "redis", redis_port))
            servers.append(postgres := start_postgres(folder / "postgres", postgres_port, durable=durable))
            wait_until_ready(
                {
                    bucket: lambda: bucket_answers(bucket.address),
                    redis: lambda: redis_answers(redis.address),
                    postgres: lambda: postgres_answers(postgres.address),
                }
            )
        except RuntimeError as error:
            raise NotStarted(str(error)) from error
        yield Parts(
            postgres_url=postgres.address,
            redis_url=redis.address,
            s3_endpoint_url=bucket.address,
            access_key=ACCESS_KEY,
            secret_key=SECRET_KEY,
            versions=", ".join(f"{server.name} {server.version}" for server in (postgres, redis, bucket)),
        )
    finally:
        for server in servers:
            with contextlib.suppress(ProcessLookupError):
                server.process.send_signal(server.end_signal)
        for server in servers:
            server.end(_END_SECONDS)


def wait_until_ready(checks: dict[Server, Callable[[], bool]]) -> None:
    """Return when every server answers; raises RuntimeError when one ends or takes too long."""
    waiting = dict(checks)
    give_up = time.monotonic() + _START_SECONDS
    while waiting:
        for server, answers in list(waiting.items()):
            server.check()
            if answers():
                del waiting[server]
        if waiting and time.monotonic() > give_up:
            names = ", ".join(server.name for server in waiting)
            raise RuntimeError(f"no answer within {_START_SECONDS:.0f} seconds from {names}")
        time.sleep(0.02)


def postgres_answers(url: str) -> bool:
    """Tell whether a database can be used."""
    import psycopg

    try:
        psycopg.connect(f"{url}postgres", connect_timeout=2).close()
    except psycopg.OperationalError:
        return False
    return True


def redis_answers(url: str) -> bool:
    """Tell whether the server answers a ping."""
    import redis

    client = redis.Redis.from_url(url, retry=None, socket_timeout=2)
    try:
        return bool(client.ping())
    except redis.RedisError:
        return False
    finally:
        client.close()


def bucket_answers(url: str) -> bool:
    """Tell whether a file can be kept: the first write shows that all of its servers have met."""
    import boto3
    from botocore.config import Config
    from botocore.exceptions import BotoCoreError, ClientError

    try:
        urllib.request.urlopen(url, timeout=1).close()
    except urllib.error.HTTPError:
        pass  # refuses an unsigned request: it is there
    except OSError:
        return False
    client = boto3.client(
        "s3", endpoint_url=url, region_name="us-east-1", verify=False,
        aws_access_key_id=ACCESS_KEY, aws_secret_access_key=SECRET_KEY,
        config=Config(retries={"total_max_attempts": 1}, connect_timeout=2, read_timeout=5),
    )  # fmt: skip
    try:
        if not any(bucket["Name"] == "ready" for bucket in client.list_buckets()["Buckets"]):
            client.create_bucket(Bucket="ready")
        client.put_object(Bucket="ready", Key="ready", Body=b"ready")
    except (BotoCoreError, ClientError):
        return False
    finally:
        client.close()
    return True


@contextlib.contextmanager
def own_folder() -> Iterator[Path]:
    """Make the run's folder, locked as long as this process lives, and remove it at the end."""
    folder = Path(tempfile.mkdtemp(prefix=PREFIX))
    folder.chmod(0o755)
    with (folder / "lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        try:
            yield folder
        finally:
            shutil.rmtree(folder, ignore_errors=True)


def remove_stale() -> None:
    """Remove the folders of keepers that were killed; one that is just being made is not locked yet."""
    for folder in Path(tempfile.gettempdir()).glob(f"{PREFIX}*"):
        try:
            with (folder / "lock").open("r+") as lock:
                fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
                if time.time() - folder.stat().st_ctime > _STALE_SECONDS:
                    shutil.rmtree(folder, ignore_errors=True)
        except OSError:
            continue  # in use, or somebody else's


if __name__ == "__main__":
    main()
