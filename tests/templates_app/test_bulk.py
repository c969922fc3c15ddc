"""Compiled formatting: to the character what Babel writes, for columns and single values."""

from __future__ import annotations

import re
from copy import copy
from datetime import UTC, date, datetime, time, timedelta
from decimal import ROUND_HALF_UP, Decimal, localcontext
from typing import Any

import pytest
from babel import dates, numbers
from hypothesis import example, given
from hypothesis import strategies as st

from templates_app.expressions.bulk import texts_of
from templates_app.expressions.helpers import (
    HELPERS,
    Format,
    Style,
    babel_locale,
    local,
    parse_format,
    plain_text,
    to_decimal,
)
from templates_app.expressions.moments import moment_writer
from tests.cases import cases

LOCALES = """
    en_US en_IN en_CH de_DE de_AT de_CH fr_FR fr_CH it_CH es_ES es_MX pt_BR pt_PT nl_NL sv_SE nb_NO da_DK
    fi_FI pl_PL cs_CZ hu_HU ru_RU uk_UA tr_TR el_GR he_IL ar_EG fa_IR hi_IN bn_BD ta_IN th_TH ja_JP zh_CN
    ko_KR lt_LT en_US_POSIX et_EE my_MM ne_NP
""".split()  # noqa: SIM905
CALLS = [
    "number",
    "number:0",
    "number:2",
    "number:5",
    "number:20",
    "integer",
    "percent",
    "percent:0",
    "percent:1",
]
CALLS += ["currency", "currency:EUR", "currency:JPY", "currency:BHD"]
AWKWARD: list[Any] = [
    0.0, -0.0, 0.005, 1.005, 2.675, -2.675, 0.125, 0.5, 1.5, 2.5, -0.001, 999.995, -999.995, 999999.995, 1e15,
    1e16, 1e22, 1e-7, 1234567.891, 123456789012345.67, float("nan"), float("inf"), float("-inf"), 5e-324,
    1.7e308, 0, -1, 999, 1000, 10**14, 10**18, 10**30, -(10**6), Decimal("1.005"), Decimal("-0"),
    Decimal("1E+5"), Decimal("0.10"), Decimal("NaN"), Decimal("-Infinity"),
    Decimal("12345678901234567890.125"),
]  # fmt: skip
number_values = (
    st.floats()
    | st.floats(-1e6, 1e6).map(lambda value: round(value, 2))
    | st.integers(-(10**7), 10**7).map(lambda value: value / 1000)
    | st.integers(-(10**20), 10**20)
    | st.decimals(-(10**12), 10**12, places=4)
    | st.sampled_from(AWKWARD)
)
cells = number_values | st.none() | st.booleans() | st.text(max_size=3) | st.dates() | st.datetimes()


def by_babel(call: str, value: Any, style: Style) -> str:
    """Return what Babel writes, a currency's letters apart from the digits, zero without a sign.

    The minus stands at the left of the digits in Hebrew and Arabic, too.
    """
    number = to_decimal(value)
    assert number is not None
    text, zero = _by_babel(call, number, style), _by_babel(call, Decimal(0), style)
    if number.is_signed() and _by_babel(call, abs(number), style) == zero:
        text = zero
    if call.startswith("currency"):
        text = re.sub(r"(?<=[A-Z]{3})(?=\d|NaN|∞)|(?<=[\dN∞])(?=[A-Z]{2})", "\xa0", text)
    return text.replace("-", "\u200e-") if style.locale in {"he_IL", "ar_EG", "fa_IR"} else text


def _by_babel(call: str, number: Decimal, style: Style) -> str:
    name, argument = parse_format(call)
    locale = babel_locale(style.locale)
    digits = "" if argument in {None, "0"} or name == "currency" else "." + "0" * int(argument or 0)
    with localcontext() as context:
        context.rounding = ROUND_HALF_UP
        context.prec = 400
        if name == "currency":
            return numbers.format_currency(number, argument or style.currency, locale=locale)
        if call == "number":
            return numbers.format_decimal(number, locale=locale, decimal_quantization=False)
        if call == "percent":
            return numbers.format_percent(number, locale=locale, decimal_quantization=False)
        if name == "percent":
            base = locale.percent_formats[None].pattern
            head, zero, tail = base.rpartition("0")
            return numbers.format_percent(number, format=head + zero + digits + tail, locale=locale)
        pattern = copy(locale.decimal_formats[None])
        pattern.frac_prec = (int(argument or 0),) * 2
        return pattern.apply(number, locale)


@pytest.mark.parametrize("locale", LOCALES)
def test_awkward_numbers(locale: str) -> None:
    style = Style(locale, "UTC", "CHF")
    for call in CALLS:
        written = Format(*parse_format(call), style)
        expected = [by_babel(call, value, style) for value in AWKWARD]
        assert [written.text(value) for value in AWKWARD] == expected
        assert texts_of(written, AWKWARD) == expected
        for value, text in zip(AWKWARD, expected, strict=True):
            assert texts_of(written, [value] * 2) == [text] * 2


@given(st.sampled_from(LOCALES), st.sampled_from(CALLS), st.lists(number_values, min_size=1, max_size=6))
@cases(300)
def test_numbers_are_written_as_babel_writes_them(locale: str, call: str, values: list[Any]) -> None:
    style = Style(locale)
    written = Format(*parse_format(call), style)
    expected = [by_babel(call, value, style) for value in values]
    assert texts_of(written, values) == expected
    assert [written.text(value) for value in values] == expected


@given(
    st.sampled_from(["number:2", "currency", "percent:1", "number"]),
    st.lists(st.floats(-1e5, 1e5), max_size=20),
)
def test_columns_of_floats(call: str, values: list[float]) -> None:
    for places in (1, 2, 3):
        rounded = [round(value, places) for value in values]
        written = Format(*parse_format(call), Style("de_AT"))
        assert texts_of(written, rounded) == [by_babel(call, value, written.style) for value in rounded]


@given(st.sampled_from([None, *sorted(HELPERS)]), st.lists(cells, max_size=6), st.sampled_from(LOCALES))
@example("number", [None, True, "x", 5, 5.5, Decimal("5.55"), date(2026, 1, 2)], "de_AT")
@example(None, [1.0, 1e20, float("nan")], "de_AT")
@example(None, [Decimal("NaN")], "de_AT")
def test_mixed_columns(helper: str | None, values: list[Any], locale: str) -> None:
    argument = "a,b" if helper == "plural" else None
    written = Format(helper, argument, Style(locale))
    expected = [value if isinstance(value, str) else written.text(value) for value in values]
    assert texts_of(written, values) == expected


@given(st.lists(number_values, max_size=6))
def test_values_as_they_are(values: list[Any]) -> None:
    assert texts_of(Format(None, None, Style()), values) == [plain_text(value, Style()) for value in values]


def test_dates_in_columns() -> None:
    days = [date(2026, 1, 1) + timedelta(days=index) for index in range(500)]
    for call in ("date", "date:dd.MM.yyyy", "date:EEE d MMM yyyy", "date:long"):
        written = Format(*parse_format(call), Style("de_AT"))
        width = call.partition(":")[2] or "medium"
        assert texts_of(written, days) == [dates.format_date(day, width, locale="de_AT") for day in days]


@given(
    st.datetimes(min_value=datetime(2, 1, 1), max_value=datetime(9998, 1, 1)),
    st.sampled_from(LOCALES),
    st.sampled_from(
        ["short", "medium", "long", "full", "dd.MM.yy", "yyyy-MM-dd", "EEEE_d._MMMM", "LLL/y", "QQQ"]
    ),
)
@cases(200)
def test_moments_are_written_as_babel_writes_them(moment: datetime, name: str, pattern: str) -> None:
    locale = babel_locale(name)
    style = Style(name)
    assert Format("date", pattern, style).text(moment) == dates.format_date(
        moment.date(), pattern, locale=locale
    )
    assert Format("datetime", pattern, style).text(moment) == dates.format_datetime(
        moment, pattern, locale=locale
    )


@given(
    st.times(),
    st.sampled_from(LOCALES),
    st.sampled_from(["short", "medium", "long", "full", "HH:mm:ss", "h:mm_a", "H.mm", "K:m:s", "kk", "SSS"]),
)
def test_times_are_written_as_babel_writes_them(clock: time, name: str, pattern: str) -> None:
    text = Format("time", pattern, Style(name)).text(datetime.combine(date(2026, 1, 2), clock))
    assert text == dates.format_time(clock, pattern, locale=babel_locale(name))


def test_rare_patterns_are_left_to_babel() -> None:
    assert moment_writer("date", "QQQ", babel_locale("en_US")) is None
    assert moment_writer("date", "medium", babel_locale("en_US")) is not None


def test_moments_are_moved_to_the_time_zone() -> None:
    moment = datetime(2026, 11, 21, 23, 30, tzinfo=UTC)
    style = Style("de_AT", "Europe/Vienna")
    assert texts_of(Format("date", None, style), [moment, None]) == ["22.11.2026", ""]
    assert local(moment, style) == datetime(2026, 11, 22, 0, 30)
