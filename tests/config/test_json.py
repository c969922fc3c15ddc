"""JSON in: objects only, every malformed body a 400 that says what is wrong."""

from io import BytesIO

import orjson
import pytest
from django.test import RequestFactory
from rest_framework.request import Request

from config.api.errors import ApiError
from config.api.json import AlwaysJson, JsonParser, JsonRenderer
from config.api.objects import MAX_DEPTH, parse_object


def parse(raw: bytes) -> object:
    return JsonParser().parse(BytesIO(raw))


def nested(depth: int, kind: str = "object") -> bytes:
    """A body of `depth` containers, the body itself included."""
    if kind == "object":
        return b'{"a":' * depth + b"1" + b"}" * depth
    return b'{"a":' + b"[" * (depth - 1) + b"]" * (depth - 1) + b"}"


@pytest.mark.parametrize(
    ("raw", "value"),
    [
        (b"{}", {}),
        (b"", {}),
        (b" \n\t ", {}),
        (b' {"a": [1, 2.5, null, true, "\xc3\xa4"]} ', {"a": [1, 2.5, None, True, "ä"]}),
        (rb'{"a": "\ud83d\ude00"}', {"a": "😀"}),
        (rb'{"a": "\\u0000"}', {"a": r"\u0000"}),
        (b'{"a": 1, "a": 2}', {"a": 2}),
    ],
)
def test_what_is_read(raw: bytes, value: object) -> None:
    assert parse(raw) == value


@pytest.mark.parametrize(
    "raw",
    [
        b"{",
        b"{'a': 1}",
        b'{"a": 1,}',
        b'{"a": NaN}',
        b'{"a": Infinity}',
        b'{"a": 1e999}',
        b'{"a": 01}',
        b'{"a": "\xff"}',
        b'{"a": "\xed\xa0\x80"}',
        rb'{"a": "\ud800"}',
        b'{"a": "\x00"}',
        b'{"a": 1} x',
        b"\xef\xbb\xbf{}",
        '{"a": 1}'.encode("utf-16"),
        b"<xml/>",
        b"\x00",
    ],
)
def test_malformed_json(raw: bytes) -> None:
    with pytest.raises(ApiError) as caught:
        parse(raw)
    assert caught.value.status == 400
    assert caught.value.message.startswith("Malformed JSON: ")
    assert caught.value.message.isprintable()


@pytest.mark.parametrize(
    ("raw", "place"),
    [
        ('{"name": "José"}'.encode("latin-1"), "byte 0xe9 at position 13"),
        ('{"name": "José"}'.encode("utf-16"), "byte 0xff at position 0"),
        (b'{"a": "\xc3"}', "byte 0xc3 at position 7"),
    ],
)
def test_a_body_in_another_charset_is_told_the_byte(raw: bytes, place: str) -> None:
    with pytest.raises(ApiError) as caught:
        parse(raw)
    assert caught.value.message == f"Malformed JSON: the request body is not UTF-8: {place}"


def test_the_way_to_a_nul_is_written_once() -> None:
    """With the name at each of the entries it would be 80 GB of text."""
    raw = b'{"' + b"a" * 400_000 + b'": [' + b'"", ' * 200_000 + b'""], "b": "\\u0000"}'
    with pytest.raises(ApiError) as caught:
        parse_object(raw)
    assert caught.value.errors == {"b": "must not contain the NUL character"}


@pytest.mark.parametrize("raw", [b"[]", b"[{}]", b'"a"', b"1", b"null", b"true"])
def test_only_objects(raw: bytes) -> None:
    with pytest.raises(ApiError, match="the request body must be a JSON object"):
        parse(raw)


@pytest.mark.parametrize("kind", ["object", "list"])
def test_depth(kind: str) -> None:
    assert parse(nested(MAX_DEPTH, kind))
    for depth in (MAX_DEPTH + 1, 1000, 1025, 200_000):
        with pytest.raises(ApiError) as caught:
            parse(nested(depth, kind))
        assert (caught.value.status, caught.value.message) == (
            400,
            "Malformed JSON: nested deeper than 100 levels",
        )


@pytest.mark.parametrize(
    ("raw", "field"),
    [
        (rb'{"a": "x\u0000y"}', "a"),
        (rb'{"data": {"items": [{"price": 1}, {"price": "\u0000"}]}}', "data.items[1].price"),
        (rb'{"data": {"a\u0000b": 1}}', "data"),
        (rb'{"\u0000": 1}', "body"),
        (rb'{"a": "\\u0000", "b": "\u0000"}', "b"),
    ],
)
def test_nul_is_named(raw: bytes, field: str) -> None:
    with pytest.raises(ApiError) as caught:
        parse(raw)
    assert caught.value.errors == {field: "must not contain the NUL character"}


@pytest.mark.parametrize(
    ("content_type", "accepted"),
    [
        ("application/json", True),
        ("Application/JSON; charset=utf-8", True),
        ("application/merge-patch+json", True),
        ("text/json", False),
        ("text/plain", False),
        ("application/x-www-form-urlencoded", False),
        ("multipart/form-data; boundary=x", False),
        ("", False),
    ],
)
def test_content_types(content_type: str, accepted: bool) -> None:
    request = Request(RequestFactory().post("/", data=b"{}", content_type=content_type))
    parser = AlwaysJson().select_parser(request, [JsonParser()])
    assert (parser is not None) is accepted


def test_answers_are_utf8_and_nothing_stays_empty() -> None:
    renderer = JsonRenderer()
    assert renderer.render({"a": "ä", "b": None}) == '{"a":"ä","b":null}'.encode()
    assert renderer.render(None) == b""
    assert orjson.loads(renderer.render([])) == []
