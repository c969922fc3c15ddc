"""Results kept in memory: made once, bounded by bytes and by number, for any thread."""

from __future__ import annotations

from threading import Thread

import pytest

from config.kept import Kept


def doubled(kept: Kept[bytes, bytes], key: bytes, made: list[bytes] | None = None) -> bytes:
    def make() -> bytes:
        if made is not None:
            made.append(key)
        return key * 2

    return kept.get(key, make, lambda result: len(key) + len(result))


def test_a_result_is_made_once_and_those_used_last_stay() -> None:
    kept, made = Kept[bytes, bytes](1000), list[bytes]()
    for _ in range(3):
        assert doubled(kept, b"a" * 50, made) == b"a" * 100
    assert len(made) == 1
    doubled(kept, b"b" * 200)  # takes more than a quarter of the room
    assert (len(kept), kept.total) == (1, 150)
    for value in range(20):
        doubled(kept, bytes([value]) * 60)
        assert kept.total <= 1000
    doubled(kept, b"a" * 50, made)
    assert len(made) == 2


def test_there_are_only_so_many() -> None:
    kept = Kept[bytes, bytes](1000, 3)
    for value in range(9):
        doubled(kept, bytes([value]))
    assert (len(kept), kept.total) == (3, 9)


def test_what_fails_is_not_kept() -> None:
    kept = Kept[bytes, bytes](1000)

    def fail() -> bytes:
        raise ValueError("no")

    with pytest.raises(ValueError, match="no"):
        kept.get(b"a", fail, len)
    assert doubled(kept, b"a") == b"aa"


def test_threads_do_not_lose_count() -> None:
    kept = Kept[bytes, bytes](600, 40)

    def work(start: int) -> None:
        for number in range(300):
            key = b"%d" % ((start + number) % 90)
            assert doubled(kept, key) == key * 2

    threads = [Thread(target=work, args=(start,)) for start in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    held = [(key, result) for key, (result, _) in kept._results.items()]
    assert kept.total == sum(len(key) + len(result) for key, result in held)
    assert len(kept) <= 40
