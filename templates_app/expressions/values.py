"""Single values of the data and the style they are read in: dates, moments, decimals, locales. Pure."""

from __future__ import annotations

import re
from dataclasses import replace
from datetime import date, datetime
from decimal import Decimal
from functools import lru_cache
from typing import Any
from zoneinfo import ZoneInfo

from babel import Locale

from config.locale_data import merge_late
from config.value import dataclass

merge_late()


@dataclass(frozen=True, slots=True)
class Style:
    """How a template writes values: Babel locale, IANA time zone, ISO 4217 currency."""

    locale: str = "en_US"
    timezone: str = "UTC"
    currency: str = "USD"


@lru_cache(maxsize=256)
def localized(argument: str, style: Style) -> tuple[str | None, Style]:
    """Split `EUR@de-AT,Europe/Vienna` into argument and style; raises ValueError for unknown ones."""
    base, at, places = argument.rpartition("@")
    if not at:
        return argument, style
    for place in places.split(","):
        if "/" in place or place == "UTC":
            check_zone(place)
            style = replace(style, timezone=place)
        else:
            babel_locale(place)
            style = replace(style, locale=place)
    return base or None, style


def check_zone(name: str) -> None:
    """Raise ValueError when there is no such time zone."""
    try:
        ZoneInfo(name)
    except Exception as error:
        raise ValueError(f'unknown time zone "{name[:60]}"; use a name such as "Europe/Vienna"') from error


@lru_cache(maxsize=64)
def babel_locale(name: str) -> Locale:
    """Return Babel's locale for `de-AT` or `de_AT`; raises ValueError when there is none."""
    try:
        return Locale.parse(name.replace("-", "_"))
    except Exception as error:
        raise ValueError(f'unknown locale "{name[:60]}"; use a name such as "de-AT"') from error


def to_decimal(value: Any) -> Decimal | None:
    """Return a number as the exact decimal its JSON text showed; None for anything else."""
    if isinstance(value, bool):
        return None
    if isinstance(value, Decimal):
        return value
    if isinstance(value, int):
        return Decimal(value)
    if isinstance(value, float):
        return Decimal(repr(value))
    return None


def parse_date(value: Any) -> date | None:
    """Return a date from `YYYY-MM-DD`; None when it is none."""
    if isinstance(value, datetime):
        return value.date()
    if isinstance(value, date):
        return value
    if isinstance(value, str) and re.fullmatch(r"\d{4}-\d{2}-\d{2}", value, re.ASCII):
        try:
            return date.fromisoformat(value)
        except ValueError:
            return None
    return None


def parse_datetime(value: Any) -> datetime | None:
    """Return a moment from ISO 8601, naive when it has no offset; None when it is none."""
    if isinstance(value, datetime):
        return value
    if isinstance(value, str) and re.match(r"\d{4}-\d{2}-\d{2}[T ]\d{2}:\d{2}", value, re.ASCII):
        try:
            return datetime.fromisoformat(value)
        except ValueError:
            return None
    return None


def local(value: datetime, style: Style) -> datetime:
    """Return `value` on the wall clock of the template's time zone, naive; a naive one is there already."""
    if value.tzinfo is None:
        return value
    try:
        return value.astimezone(ZoneInfo(style.timezone)).replace(tzinfo=None)
    except OverflowError:  # the first and the last day of the calendar
        return value.replace(tzinfo=None)


def with_zone(moment: datetime, style: Style) -> datetime:
    """Return what `local` made with the template's time zone beside it, for texts that name the zone."""
    return moment.replace(tzinfo=ZoneInfo(style.timezone))
