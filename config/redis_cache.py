"""Django's Redis cache with one connection pool per process, short retries and fewer round trips."""

from __future__ import annotations

from typing import Any

from django.core.cache.backends.redis import RedisCache, RedisCacheClient
from redis import Redis
from redis.backoff import ExponentialBackoff
from redis.exceptions import ConnectionError
from redis.retry import Retry

# EXISTS and INCRBY in one round trip; nil for a key that is not there.
_INCREMENT = """
if redis.call('EXISTS', KEYS[1]) == 1 then return redis.call('INCRBY', KEYS[1], ARGV[1]) end
return false
"""


class Client(RedisCacheClient):
    """Django's client, kept instead of made for each command."""

    def __init__(self, servers: list[str], **options: Any) -> None:
        # Once more after a connection that the server or a proxy had closed, not for as long as it is away:
        # one that is silent would be waited for at each of the steps of a connection.
        retry = Retry(ExponentialBackoff(cap=0.1, base=0.02), 1, supported_errors=(ConnectionError,))
        super().__init__(servers, **{"retry": retry} | options)
        self._redis: Redis | None = None

    def get_client(self, key: Any = None, *, write: bool = False) -> Redis:
        """Return the client of this process; it is safe in threads."""
        if self._redis is None:
            self._redis = Redis(connection_pool=self._get_connection_pool(write=True))  # type: ignore[attr-defined]
            self._increment = self._redis.register_script(_INCREMENT)
        return self._redis

    def incr(self, key: Any, delta: int) -> int:
        """Add `delta` to a counter; raises ValueError for one that is not there."""
        client = self.get_client(key, write=True)
        value: Any = self._increment(keys=[key], args=[delta], client=client)
        if value is None:
            raise ValueError(f"Key '{key}' not found.")
        return int(value)


class Cache(RedisCache):
    """The cache of REDIS_URL."""

    def __init__(self, server: str, params: dict[str, Any]) -> None:
        super().__init__(server, params)
        self._class = Client
