"""The formatting helpers: values by locale, spreadsheet formats, and that no value breaks one."""

from __future__ import annotations

from datetime import UTC, date, datetime, timedelta, timezone
from decimal import Decimal
from typing import Any

import pytest
from babel.lists import format_list
from hypothesis import given
from hypothesis import strategies as st

from templates_app.expressions.bulk import texts_of
from templates_app.expressions.formulas import parse_formula
from templates_app.expressions.helpers import (
    HELPERS,
    Format,
    HelperArgumentError,
    Style,
    babel_locale,
    local,
    parse_date,
    parse_datetime,
    parse_format,
    plain_text,
    to_decimal,
)

US = Style()
AT = Style("de_AT", "Europe/Vienna", "EUR")
TURKISH = Style("tr_TR", "Europe/Istanbul", "TRY")
GREEK = Style("el_GR", "Europe/Athens", "EUR")
ARGUMENTS = {
    "number": "2",
    "percent": "1",
    "currency": "EUR",
    "date": "dd.MM.yyyy",
    "datetime": "long",
    "time": "HH:mm:ss",
    "yesno": "ja,nein",
    "join": "and",
    "plural": "one=x,other=y",
}
values = (
    st.none()
    | st.booleans()
    | st.integers()
    | st.floats()
    | st.text(max_size=20)
    | st.dates()
    | st.datetimes()
    | st.sampled_from(
        ["2026-11-21", "2026-11-21T10:00:00Z", "0001-01-01T00:00:00+14:00", "9999-12-31T23:59:59-12:00"]
    )
    | st.lists(st.integers() | st.text(max_size=3), max_size=3)
    | st.dictionaries(st.text(max_size=3), st.integers(), max_size=2)
)


def written(call: str, value: Any, style: Style = US) -> str:
    text = Format(*parse_format(call), style).text(value)
    return text.replace("\u00a0", " ").replace("\u202f", " ")


@pytest.mark.parametrize(
    ("call", "value", "style", "text"),
    [
        ("number", 1234.5, US, "1,234.5"),
        ("number", 1234567, Style("de_DE"), "1.234.567"),
        ("number:2", 1234.005, US, "1,234.01"),
        ("number:0", 2.5, US, "3"),
        ("number:3", -0.5, US, "-0.500"),
        ("number:2", -0.004, US, "0.00"),
        ("currency:EUR", -0.004, US, "€0.00"),
        ("currency", -0.005, US, "-$0.01"),
        ("integer", -0.4, US, "0"),
        ("percent:0", -0.001, US, "0%"),
        ("number", -0.0, US, "0"),
        ("currency:CHF", 1234.5, Style("en_GB"), "CHF 1,234.50"),
        ("currency:CHF", -1234.5, Style("en_GB"), "-CHF 1,234.50"),
        ("currency:USD", 1234.5, Style("en_GB"), "US$1,234.50"),
        ("number", "text", US, "text"),
        ("number", True, US, "true"),
        ("integer", 2.5, US, "3"),
        ("integer", -1234.4, US, "-1,234"),
        ("currency", 1234.5, US, "$1,234.50"),
        ("currency", 1234.5, AT, "€ 1.234,50"),
        ("currency:JPY", 1234.5, US, "¥1,235"),
        ("currency", 0.125, US, "$0.13"),
        ("currency", Decimal("2.675"), US, "$2.68"),
        ("percent", 0.19, US, "19%"),
        ("percent", 0.195, US, "19.5%"),
        ("percent:1", 0.19, US, "19.0%"),
        ("percent:0", 0.195, AT, "20 %"),
        ("date", "2026-11-21", US, "Nov 21, 2026"),
        ("date:long", "2026-11-21", AT, "21. November 2026"),
        ("date:yyyy/MM/dd", "2026-11-21", US, "2026/11/21"),
        ("date:MMMM yyyy", "2026-11-21", AT, "November 2026"),
        ("date:EEE d MMM yyyy@fr", "2026-11-21", US, "sam. 21 nov. 2026"),
        ("datetime:dd.MM.yyyy, HH:mm", "2026-11-21T10:30:00Z", AT, "21.11.2026, 11:30"),
        ("time:h:mm a", "2026-11-21T15:30:00", US, "3:30 PM"),
        ("date", "2026-11-21T23:30:00Z", AT, "22.11.2026"),
        ("date", date(2026, 11, 21), US, "Nov 21, 2026"),
        ("date", "soon", US, "soon"),
        ("datetime:short", "2026-11-21T10:30:00Z", AT, "21.11.26, 11:30"),
        ("datetime", "2026-11-21", US, "Nov 21, 2026"),
        ("datetime", "never", US, "never"),
        ("time", "2026-11-21T10:30:00", AT, "10:30"),
        ("time:HH:mm:ss", "2026-11-21T10:30:05+02:00", US, "08:30:05"),
        ("time", "2026-11-21", US, "2026-11-21"),
        ("yesno", True, US, "Yes"),
        ("yesno:paid,open", False, US, "open"),
        ("upper", "straße", US, "STRASSE"),
        ("lower", "ABC", US, "abc"),
        ("upper", "istanbul ılık", TURKISH, "İSTANBUL ILIK"),
        ("lower", "İSTANBUL ILIK", TURKISH, "istanbul ılık"),
        ("title", "istanbul IRMAK", TURKISH, "İstanbul Irmak"),
        ("capitalize", "iş günü", TURKISH, "İş günü"),
        ("upper", "οδός ρολόι, άυλος ή μαΐου", GREEK, "ΟΔΟΣ ΡΟΛΟΪ, ΑΫΛΟΣ Ή ΜΑΪΟΥ"),
        ("title", "άγιος οδός", GREEK, "Άγιος Οδός"),
        ("title", "ada lovelace", US, "Ada Lovelace"),
        ("title", "the customer's 3rd order isn’t O'NEIL's", US, "The Customer's 3rd Order Isn’t O'Neil's"),
        ("title", "l’été e\u0301te\u0301 mother-in-law a_b", US, "L’Été E\u0301te\u0301 Mother-In-Law A_B"),
        ("currency", -5, Style("ar_SA", "UTC", "SAR"), "\u200f\u200e-5.00 ر.س.\u200f"),
        ("number:1", -5, Style("ar_SA", "UTC", "SAR"), "\u200e-5.0"),
        ("capitalize", "note", US, "Note"),
        ("capitalize", "", US, ""),
        ("trim", "  a ", US, "a"),
        ("join", ["a", 1, 2.5, True], US, "a, 1, 2.5, true"),
        ("join", [None, "a", "", None, "b", None], US, "a, b"),
    ],
)
def test_helpers(call: str, value: Any, style: Style, text: str) -> None:
    assert written(call, value, style) == text


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (None, ""),
        ("a", "a"),
        (True, "true"),
        (False, "false"),
        (5, "5"),
        (1e21, "1000000000000000000000"),
        (0.1, "0.1"),
        (1.0, "1"),
        (1e-7, "0.0000001"),
        (Decimal("1.50"), "1.5"),
        ({"a": 1}, ""),
        ([1, [2]], "1, 2"),
        (date(2026, 1, 2), "Jan 2, 2026"),
        (datetime(2026, 1, 2, 3, 4), "Jan 2, 2026, 3:04:00 AM"),
        (b"x", "b'x'"),
    ],
)
def test_values_as_they_are(value: Any, text: str) -> None:
    assert plain_text(value, US).replace("\u202f", " ") == text


@given(
    values, st.sampled_from(sorted(HELPERS)), st.sampled_from([US, AT, Style("ar_EG", "Asia/Tokyo", "JPY")])
)
def test_no_value_breaks_a_helper(value: Any, name: str, style: Style) -> None:
    for argument in {None, ARGUMENTS.get(name)}:
        assert isinstance(Format(name, argument, style).text(value), str)


@pytest.mark.parametrize(
    ("value", "call", "text"),
    [
        ("200 / 67", "percent", "298.507462686567%"),
        ("100 / 3", "number", "33.3333333333333"),
        ("100 / 3", "number:20", "33.33333333333333333333"),
        ("-1000000 / 7 * 3", "number", "-428,571.428571429"),
        ("1 / 8", "number", "0.125"),
        ("123456789012345.67 + 0.005", "number", "123,456,789,012,345.675"),
    ],
)
def test_a_quotient_without_an_end_is_no_tail_of_digits(value: str, call: str, text: str) -> None:
    number = parse_formula(value).value(lambda path: None)
    assert written(call, number) == text
    if call == "number":
        assert plain_text(number, US) == text.replace(",", "")


@given(st.floats(allow_nan=False, allow_infinity=False))
def test_the_largest_numbers_are_written_in_full(value: float) -> None:
    for call in ("number", "number:2", "currency", "percent", "percent:20", "integer"):
        assert written(call, value)


@pytest.mark.parametrize("call", ["currency", "number:20", "percent:1", "integer", "currency:EUR@ar"])
def test_the_largest_results_of_formulas_are_written_in_full(call: str) -> None:
    result = parse_formula("a * b").value({("a",): 9e200, ("b",): 9e199}.__getitem__)
    written = Format(*parse_format(call), Style())
    for number in (result, -result, 10**600):
        text = written.text(number)
        assert text == texts_of(written, [number])[0]
        assert sum(map(str.isdigit, text)) >= 401


@pytest.mark.parametrize(
    ("call", "style", "code"),
    [
        ("number", US, "General"),
        ("number:2", US, "#,##0.00"),
        ("number:0", US, "#,##0"),
        ("integer", AT, "#,##0"),
        ("percent", US, "0.00##%"),
        ("percent:1", US, "0.0%"),
        ("percent:0", US, "0%"),
        ("currency", US, '"$"#,##0.00'),
        ("currency", AT, '"€" #,##0.00'),
        ("currency:EUR", Style("de_DE"), '#,##0.00 "€"'),
        ("currency:JPY", US, '"¥"#,##0'),
        ("currency:CHF", US, '"CHF" #,##0.00'),
        ("currency:ILS", Style("he_IL"), '#,##0.00 "₪"'),
        ("date:yyyy-MM-dd", US, "yyyy-mm-dd"),
        ("date", AT, "dd.mm.yyyy"),
        ("date", Style("ar_EG"), "dd/mm/yyyy"),
        ("datetime:short", Style("ar_EG"), "[$-C01]d/m/yyyy h:mm AM/PM"),
        ("date:EEEE", US, "[$-409]dddd"),
        ("date:EEE dd.MM.yyyy", US, "[$-409]ddd dd.mm.yyyy"),
        ("date:MMMM yyyy", US, "[$-409]mmmm yyyy"),
        ("time:h:mm a", US, "[$-409]h:mm AM/PM"),
        ("date:QQQ/yyyy", US, "yyyy-mm-dd"),  # a spreadsheet has no quarters
        ("date:EEEEdd", US, "yyyy-mm-dd"),  # dddddd is no more than a weekday
        ("date:..", US, "general"),
        ("date:full", Style("fi_FI"), "[$-40B]dddd d. mmmm yyyy"),
        ("date:full", Style("th_TH"), '[$-41E]dddd"ที่" d mmmm yyyy'),
        ("time:HH:mm:ss", US, "hh:mm:ss"),
        ("time:HH:mm:ss.SSS", US, "hh:mm:ss.000"),
        ("time:ss,S", US, "ss.0"),
        ("time:mm", US, "hh:mm:ss"),  # a spreadsheet would show the month
        ("time:mm:ss", US, "mm:ss"),
        ("datetime:HH-MM", US, "yyyy-mm-dd hh:mm:ss"),  # a spreadsheet would show minutes
        ("datetime:dd-MM-HH-mm", US, "dd-mm-hh-mm"),
        ("time:full", Style("es_ES"), "h:mm:ss"),  # without the brackets of a zone
        ("time:full", Style("fr_BE"), 'h "h" mm "min" ss "s"'),
        ("datetime:long", Style("zh_TW"), 'yyyy"年"m"月"d"日" h:mm:ss'),
        ("upper", US, None),
        ("yesno", US, None),
    ],
)
def test_spreadsheet_formats(call: str, style: Style, code: str | None) -> None:
    assert Format(*parse_format(call), style).number_format() == code


@pytest.mark.parametrize(
    ("locale", "language"),
    [
        ("de", "[$-407]"),
        ("de_AT", "[$-C07]"),
        ("nb", "[$-414]"),
        ("no", "[$-414]"),
        ("fr_SN", "[$-40C]"),  # of which Windows knows nothing: as in France
        ("bn", "[$-445]"),  # as in India, Bangladesh has no number
        ("bs", "[$-141A]"),  # in Latin letters
        ("es", "[$-C0A]"),
        ("es_419", "[$-C0A]"),
        ("es_MX", "[$-80A]"),
        ("zh_Hans", "[$-804]"),  # LibreOffice knows no number of a language alone
        ("zh_Hant", "[$-404]"),
        ("zh_Hant_HK", "[$-C04]"),
        ("sr_Cyrl", "[$-C1A]"),
        ("sr_Latn", ""),  # the number is that of the other script
        ("gd", ""),
        ("fa", ""),  # a spreadsheet would name the months of another calendar
    ],
)
def test_months_are_named_in_the_language_of_the_document(locale: str, language: str) -> None:
    assert Format("date", "d MMMM yyyy", Style(locale)).number_format() == f"{language}d mmmm yyyy"
    assert Format("date", "dd.MM.yyyy", Style(locale)).number_format() == "dd.mm.yyyy"


@pytest.mark.parametrize("style", [US, AT, Style("es_ES"), Style("ja_JP"), Style("fr_FR"), Style("pt_PT")])
@pytest.mark.parametrize("width", ["short", "medium", "long", "full"])
@pytest.mark.parametrize("name", ["date", "time", "datetime"])
def test_spreadsheet_formats_of_moments_keep_no_pattern_quotes(name: str, width: str, style: Style) -> None:
    code = Format(name, width, style).number_format()
    assert code
    assert "'" not in code
    assert code.count('"') % 2 == 0


def test_without_a_helper_there_is_no_number_format() -> None:
    assert Format(None, None, US).number_format() is None
    assert Format(None, None, US).text(5) == "5"
    assert Format("currency", None, US).text(None) == ""


@pytest.mark.parametrize(
    "text",
    [
        "", "shout", "Currency", "currency:eur", "currency:", "number:21", "upper:1", "date:'", "date: yyyy",
        "date:yyyy ", "time: ", "date:long ",
    ],
)  # fmt: skip
def test_what_is_no_format(text: str) -> None:
    if text == "date:'":
        assert parse_format(text) == ("date", "'")
        return
    with pytest.raises(ValueError, match="helper"):
        parse_format(text)


def test_a_wrong_argument_is_its_own_error() -> None:
    with pytest.raises(HelperArgumentError, match="cannot use the argument"):
        parse_format("number:x")


@pytest.mark.parametrize("name", ["de-AT", "de_AT", "en", "zh-Hant-TW"])
def test_locales(name: str) -> None:
    assert babel_locale(name)


@pytest.mark.parametrize("name", ["", "xx-YY", "de--AT", "../de", "x" * 500])
def test_what_is_no_locale(name: str) -> None:
    with pytest.raises(ValueError, match="unknown locale"):
        babel_locale(name)


@pytest.mark.parametrize(
    ("value", "day"),
    [
        ("2026-11-21", date(2026, 11, 21)),
        ("2026-02-30", None),
        ("2026-1-1", None),
        ("20261121", None),
        (5, None),
        ("２０２６-11-21", None),
        (datetime(2026, 1, 2, 3), date(2026, 1, 2)),
        (date(2026, 1, 2), date(2026, 1, 2)),
        ("2026-11-21\n", None),
        ("0000-01-01", None),
    ],
)
def test_dates(value: Any, day: date | None) -> None:
    assert parse_date(value) == day


@pytest.mark.parametrize(
    ("value", "moment"),
    [
        ("2026-11-21T10:30", datetime(2026, 11, 21, 10, 30)),
        ("2026-11-21 10:30:05", datetime(2026, 11, 21, 10, 30, 5)),
        ("2026-11-21T10:30:00Z", datetime(2026, 11, 21, 10, 30, tzinfo=UTC)),
        ("2026-11-21T10:30:00+02:00", datetime(2026, 11, 21, 10, 30, tzinfo=timezone(timedelta(hours=2)))),
        (datetime(2026, 1, 1), datetime(2026, 1, 1)),
        ("2026-11-21", None),
        ("2026-11-21T25:00", None),
        ("2026-11-21T10:30 o'clock", None),
        (5, None),
        (None, None),
    ],
)
def test_moments(value: Any, moment: datetime | None) -> None:
    assert parse_datetime(value) == moment


def test_the_ends_of_the_calendar_stay_where_they_are() -> None:
    first = datetime(1, 1, 1, tzinfo=timezone(timedelta(hours=14)))
    assert local(first, US) == datetime(1, 1, 1)


@pytest.mark.parametrize(
    ("value", "number"), [(1, 1), (0.1, Decimal("0.1")), (True, None), ("1", None), (None, None)]
)
def test_decimals(value: Any, number: Any) -> None:
    assert to_decimal(value) == number


@pytest.mark.parametrize(
    ("call", "value", "style", "text"),
    [
        ("currency:EUR@de-AT", 1234.5, US, "€ 1.234,50"),
        ("currency@de", 1234.5, US, "1.234,50 $"),
        ("number@de", 1234.5, US, "1.234,5"),
        ("number:2@en_IN", 1234567, US, "12,34,567.00"),
        ("date@fr", "2026-11-21", US, "21 nov. 2026"),
        ("date:long@fr", "2026-11-21", US, "21 novembre 2026"),
        ("time@Europe/Vienna", "2026-11-21T10:00:00Z", US, "11:00 AM"),
        ("time:HH:mm@UTC", "2026-11-21T10:00:00Z", AT, "10:00"),
        ("datetime:short@de,Asia/Tokyo", "2026-11-21T22:00:00Z", US, "22.11.26, 07:00"),
        ("datetime:long", "2026-12-31T19:30", AT, "31. Dezember 2026, 19:30:00 MEZ"),
        ("datetime:long", "2026-07-31T17:30Z", AT, "31. Juli 2026, 19:30:00 MESZ"),
        ("time:long", "2026-07-31T19:30", AT, "19:30:00 MESZ"),
        ("time:full@ja,Asia/Tokyo", "2026-07-31T10:30:00Z", AT, "19時30分00秒 日本標準時"),
        ("time:long", "2026-10-25T00:30:00Z", AT, "02:30:00 MESZ"),  # the hour that comes twice
        ("time:long", "2026-10-25T01:30:00Z", AT, "02:30:00 MEZ"),
        ("time:long@UTC", "2026-07-31T19:30:00Z", AT, "19:30:00 UTC"),
        ("date@Europe/Vienna", "2026-11-21T23:30:00Z", US, "Nov 22, 2026"),
        ("yesno:a@b,c", True, US, "a@b"),
        ("join", ["a", "b", "c"], US, "a, b, c"),
        ("join:comma", ["a", "b", "c"], AT, "a, b, c"),
        ("join:and", ["a", "b"], US, "a and b"),
        ("join:and", ["a", "b", 3.0], US, "a, b, and 3"),
        ("join:and", list("abcdef"), AT, "a, b, c, d, e und f"),
        ("join:or@de", list("abcd"), US, "a, b, c oder d"),
        ("join:and@fr", [], US, ""),
        ("join:and", [None, ""], US, ""),
        ("join:and", ["a", None, "b", ""], US, "a and b"),
        ("join:and", ["a"], US, "a"),
        ("join:and", "word", US, "word"),
        ("join:and@ja", list("abcd"), US, "a、b、c、d"),
        ("plural:item,items", 1, US, "item"),
        ("plural:item,items", 0, US, "items"),
        ("plural:item,items", 1.0, US, "item"),
        ("plural:item,items", 1.5, US, "items"),
        ("plural:item,items", 2, US, "items"),
        ("plural:item,items", [1], US, "item"),
        ("plural:item,items", "x", US, "x"),
        ("plural:objet,objets@fr", 0, US, "objet"),
        ("plural:one=plik,few=pliki,many=plików,other=pliku@pl", 1, US, "plik"),
        ("plural:one=plik,few=pliki,many=plików,other=pliku@pl", 3, US, "pliki"),
        ("plural:one=plik,few=pliki,many=plików,other=pliku@pl", 5, US, "plików"),
        ("plural:one=plik,few=pliki,many=plików,other=pliku@pl", 10**40 + 2, US, "pliki"),
        ("plural:one=plik,few=pliki,many=plików,other=pliku@pl", 1.5, US, "pliku"),
        ("plural:other=x", 1, US, "x"),
        ("markdown", "**b** [x](javascript:1)", US, "b x"),
    ],
)
def test_places_lists_and_counts(call: str, value: Any, style: Style, text: str) -> None:
    assert written(call, value, style) == text


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("number@xx-YY", 'helper "number": unknown locale "xx-YY"; use a name such as "de-AT"$'),
        ("number:2@", 'helper "number": unknown locale ""'),
        ("time@Europe/Nowhere", 'unknown time zone "Europe/Nowhere"; use a name such as "Europe/Vienna"$'),
        ("time@../../etc", "unknown time zone"),
        ("upper@de", 'helper "upper" takes no argument'),
        ("number:x@de", "cannot use the argument"),
        ("join:nor", 'cannot use the argument "nor"; write it as in join:and$'),
        ("time:%H", "write it as in time:short$"),
        ("plural", "needs an argument, as in plural:item,items$"),
        ("plural:item", "cannot use the argument"),
        ("plural:one=item,few=items", "cannot use the argument"),
        ("plural@de", "needs an argument"),
    ],
)
def test_what_is_no_place(text: str, message: str) -> None:
    with pytest.raises(ValueError, match=message):
        parse_format(text)


def test_a_place_moves_to_the_style() -> None:
    written = Format("currency", "EUR@de-AT,Europe/Vienna", US)
    assert written == Format("currency", "EUR", Style("de-AT", "Europe/Vienna", "USD"))
    assert written.number_format() == '"€" #,##0.00'
    assert Format("number", "@de", US).argument is None


@pytest.mark.parametrize("locale", ["en", "de", "ja", "ar", "hi", "th", "fr", "es"])
def test_long_lists_are_joined_as_babel_joins_them(locale: str) -> None:
    items = [f"i{index}" for index in range(9)]
    for argument, style in (("and", "standard"), ("or", "or")):
        text = Format("join", argument, Style(locale)).text(items)
        assert text == format_list(items, style=style, locale=locale)
