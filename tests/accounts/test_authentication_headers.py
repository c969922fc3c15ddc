"""Header values as WSGI hands them over: bytes in Latin-1 clothes."""

from types import SimpleNamespace

import pytest

from accounts.authentication import as_text, header


@pytest.mark.parametrize(
    ("value", "raw"),
    [
        ("plain", b"plain"),
        ("", b""),
        (" \t padded \t", b"padded"),
        ("à".encode().decode("latin-1"), "à".encode()),
        ("\xe9", b"\xe9"),
        ("\x00\xff", b"\x00\xff"),
        ("用户", "用户".encode()),
        ("\ud800", b"\\ud800"),
    ],
)
def test_header_gives_the_bytes_that_were_sent(value: str, raw: bytes) -> None:
    assert header(SimpleNamespace(META={"HTTP_X_USER_ID": value}), "x-user-id") == raw  # type: ignore[arg-type]


def test_an_absent_header_is_empty() -> None:
    assert header(SimpleNamespace(META={}), "x-api-key") == b""  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("raw", "text"), [(b"ann", "ann"), ("änne".encode(), "änne"), (b"\xe4nne", "änne"), (b"\xff", "ÿ")]
)
def test_header_text_is_utf8_or_else_latin1(raw: bytes, text: str) -> None:
    assert as_text(raw) == text
