"""Two caches: counters that protect are never dropped, what can be made again makes room for itself."""

from __future__ import annotations

import socket
import time
from pathlib import Path
from typing import Any

import pytest
import redis
from django.core.cache import caches

from accounts.attempts import tries
from accounts.models import Organization
from config import backends
from config.redis_cache import Cache
from dashboard.history.rendered import pdf_of
from dashboard.history.words import words_of
from dashboard.pictures.thumbnails import thumbnail
from templates_app.models import Template, TemplateVersion
from tests.conftest import INVOICE_DATA, ApiClient

SMALL = 2**18


@pytest.fixture
def small(settings: Any, tmp_path: Path) -> None:
    """Both caches of the embedded default, full after a few values."""
    entries = {
        "default": backends.cache({"REDIS_URL": ""}, tmp_path),
        "derived": backends.derived_cache(tmp_path),
    }
    for entry in entries.values():
        entry["OPTIONS"] |= {"size_limit": SMALL}
    settings.CACHES = entries


def fill(name: str) -> int:
    """Store far more than the cache should hold; return how many of the values it has kept."""
    values = {f"value {number}": bytes(SMALL // 8) for number in range(80)}
    for key, value in values.items():
        caches[name].set(key, value, 3600)
    return len(caches[name].get_many(values))


@pytest.mark.embedded
@pytest.mark.usefixtures("small")
def test_counters_survive_whatever_is_stored_beside_them() -> None:
    for _ in range(3):
        tries("log-in", "192.0.2.1", "30/15m", add=True)
    assert fill("derived") < 40
    assert fill("default") == 80
    assert tries("log-in", "192.0.2.1", "30/15m").count == 3


@pytest.mark.embedded
@pytest.mark.usefixtures("small")
def test_what_has_expired_makes_room_for_counters() -> None:
    """Without eviction nothing else bounds the cache of the embedded default."""
    counters = caches["default"]
    for number in range(400):
        counters.add(f"old {number}", 1, -1)
    for number in range(400):
        counters.add(f"new {number}", 1, 3600)
    assert sum(len(shard) for shard in counters._cache._shards) == 400


@pytest.mark.django_db
def test_what_can_be_made_again_is_kept_apart_from_counters(
    secret: ApiClient, acme: Organization, monkeypatch: pytest.MonkeyPatch
) -> None:
    template = Template.objects.get(pk=secret.published())

    def refuse(*arguments: Any, **options: Any) -> None:
        raise AssertionError("this is the cache of counters")

    for name in ("set", "set_many", "add"):
        monkeypatch.setattr(caches["default"], name, refuse)
    spent: list[None] = []
    for _ in range(2):
        assert thumbnail(template, lambda: spent.append(None))
        assert pdf_of(TemplateVersion.of(template), INVOICE_DATA, lambda: spent.append(None))
        assert words_of(template, [template.version])
    assert len(spent) == 2
    assert len(caches["derived"].get_many([f"words:{template.pk}:{template.version}"])) == 1


@pytest.mark.parametrize("redis", ["", "redis://cache:6379/0"])
def test_pictures_are_on_the_disk_of_each_machine(redis: str, tmp_path: Path) -> None:
    """A Redis that evicts nothing would fill up, and one that does would drop counters."""
    assert backends.derived_cache(tmp_path)["LOCATION"].startswith(str(tmp_path))
    counters = backends.cache({"REDIS_URL": redis}, tmp_path)
    assert counters["LOCATION"] == (redis or str(tmp_path / "cache"))


def test_a_silent_redis_is_waited_for_once() -> None:
    """It takes the connection and says nothing, as a server that stands still: no step waits for it again."""
    with socket.create_server(("127.0.0.1", 0)) as server:
        entry = backends.cache({"REDIS_URL": f"redis://127.0.0.1:{server.getsockname()[1]}"}, Path())
        cache = Cache(entry["LOCATION"], {"OPTIONS": entry["OPTIONS"] | {"socket_timeout": 0.2}})
        started = time.monotonic()
        with pytest.raises(redis.exceptions.TimeoutError):
            cache.incr("counter")
        assert time.monotonic() - started < 0.4
        cache.close()
