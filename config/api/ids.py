"""Opaque, prefixed identifiers that sort by the time they were made."""

import re
import secrets
import time
from datetime import datetime
from functools import partial

_ALPHABET = "0123456789abcdefghjkmnpqrstvwxyz"
ID_LENGTH = 40


def new_id(prefix: str) -> str:
    """Return `prefix_` and 26 characters, greater than those that this machine made before.

    The layout is that of a ULID: 48 bits of milliseconds, then 80 of which the first 12 are the fraction of
    the millisecond (a quarter of a microsecond; as UUIDv7 has it) and 68 are random. Lists are in the order
    of ids: two made within one millisecond must not change places.
    """
    milliseconds, nanoseconds = divmod(time.time_ns(), 1_000_000)
    fraction = (nanoseconds << 12) // 1_000_000
    return f"{prefix}_" + _encoded(milliseconds << 80 | fraction << 68 | secrets.randbits(68))


def first_id(prefix: str, moment: datetime) -> str:
    """Return an id that no id made at `moment` or later is smaller than, nor any earlier one greater."""
    return f"{prefix}_" + _encoded(int(moment.timestamp() * 1000) << 80)


def id_maker(prefix: str) -> partial[str]:
    """Return a default for a primary key; migrations can refer to it by its arguments."""
    return partial(new_id, prefix)


def is_made_by(maker: partial[str], value: str) -> bool:
    """Tell whether `value` has the form of the ids that come from an `id_maker`."""
    (prefix,) = maker.args
    return re.fullmatch(rf"{prefix}_[{_ALPHABET}]{{26}}", value) is not None


def is_id(value: object) -> bool:
    """Tell whether a value has the form of an id, of whatever kind."""
    return isinstance(value, str) and re.fullmatch(rf"[a-z]+_[{_ALPHABET}]{{26}}", value) is not None


def _encoded(number: int) -> str:
    return "".join(_ALPHABET[number >> shift & 31] for shift in range(125, -1, -5))


def is_storable(value: str) -> bool:
    """Tell whether a database can look `value` up at all (PostgreSQL refuses NUL in text)."""
    return "\x00" not in value and len(value) <= 255 and value.isprintable()
