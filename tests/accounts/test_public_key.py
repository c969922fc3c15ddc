"""The pure rules of a public key: page host, allowed domain, user hash."""

import base64
import hashlib
import hmac

import pytest

from accounts.public_key import InvalidOrigin, is_allowed, is_user_hash, normalise_domain, origin_host

SECRET = "ss_live_test"


@pytest.mark.parametrize(
    ("origin", "host"),
    [
        ("https://example.com", "example.com"),
        ("http://example.com", "example.com"),
        ("HTTPS://EXAMPLE.com", "example.com"),
        ("https://example.com:8443", "example.com"),
        ("https://example.com:", "example.com"),
        ("https://example.com:65535", "example.com"),
        ("https://example.com.", "example.com"),
        ("https://example.com/page?x=https://evil.test/#top", "example.com"),
        ("https://example.com?x", "example.com"),
        ("https://example.com#x", "example.com"),
        ("https://example.com/ünïcode", "example.com"),
        ("https://user:password@example.com/", "example.com"),
        ("https://example.com@evil.test/", "evil.test"),
        ("http://localhost:3000", "localhost"),
        ("http://127.0.0.1:5173", "127.0.0.1"),
        ("http://[::1]:3000", "::1"),
        ("http://[0:0:0:0:0:0:0:1]", "::1"),
        ("https://bücher.example", "xn--bcher-kva.example"),
        ("https://BÜCHER.example", "xn--bcher-kva.example"),
        ("https://xn--bcher-kva.example", "xn--bcher-kva.example"),
        ("https://faß.example", "xn--fa-hia.example"),
        ("https://shop。example", "shop.example"),
        ("https://my_app.example.com", "my_app.example.com"),
        ("https://my_app.bücher.example", "my_app.xn--bcher-kva.example"),
        ("https://r3---sn.example", "r3---sn.example"),
    ],
)
def test_origin_gives_its_normalised_host(origin: str, host: str) -> None:
    assert origin_host(origin) == host


@pytest.mark.parametrize(
    "origin",
    [
        "",
        "null",
        "example.com",
        "//example.com",
        "https:",
        "https:example.com",
        "https:/example.com",
        "https://",
        "https:///path",
        "https://:443",
        "https://user@",
        "ftp://example.com",
        "file:///etc/hostname",
        "chrome-extension://abcdef",
        "javascript:alert(1)",
        "http://[bad",
        "http://[bad]",
        "http://[::1",
        "http://[::1]evil.test",
        "http://[1.2.3.4]",
        "http://::1",
        "https://example.com:65536",
        "https://example.com:999999",
        "https://example.com:port",
        "https://example.com:-1",
        "https://example.com:８０",
        "https://.example.com",
        "https://a..b",
        "https://.",
        "https://exa mple.com",
        "https://example.com ",
        "https://exam\tple.com",
        "https://example.com\n",
        "https://example.com\x00",
        "https://evil.test\\@example.com",
        "https://ex%61mple.com",
        "https://*.example.com",
        "https://a.test,https://b.test",
        "https://a.test, https://b.test",
        "https://" + "a" * 64 + ".com",
        "https://" + "a." * 127 + "com",
        "https://" + "ü" * 63 + ".com",
        "https://\u200b.com",
        "https://\ud800.com",
        "https://💩.example",
        "https://example.com/" + "a" * 9000,
    ],
)
def test_anything_else_is_no_origin(origin: str) -> None:
    with pytest.raises(InvalidOrigin):
        origin_host(origin)


@pytest.mark.parametrize(
    ("entry", "domain"),
    [
        ("example.com", "example.com"),
        (" Example.COM. ", "example.com"),
        ("bücher.example", "xn--bcher-kva.example"),
        ("XN--BCHER-KVA.example", "xn--bcher-kva.example"),
        ("localhost", "localhost"),
        ("127.0.0.1", "127.0.0.1"),
        ("::1", "::1"),
        ("[::1]", "::1"),
        ("::ffff:10.0.0.1", "::ffff:a00:1"),
    ],
)
def test_domain_is_normalised(entry: str, domain: str) -> None:
    assert normalise_domain(entry) == domain


@pytest.mark.parametrize(
    "entry",
    [
        "",
        " ",
        ".",
        ".example.com",
        "*.example.com",
        "*",
        "https://example.com",
        "example.com:443",
        "[::1]:443",
        "example.com/path",
        "user@example.com",
        "exa mple.com",
        "a..b",
        "a..",
        "münchen..",
        "💩.example",
        "x" * 300,
    ],
)
def test_what_is_no_domain_is_refused_in_words(entry: str) -> None:
    with pytest.raises(ValueError, match="is not a domain: give a host name"):
        normalise_domain(entry)


@pytest.mark.parametrize(
    ("host", "allowed", "expected"),
    [
        ("example.com", ["example.com"], True),
        ("www.example.com", ["example.com"], True),
        ("a.b.c.example.com", ["example.com"], True),
        ("example.com", ["Example.COM."], True),
        ("example.com", ["other.test", "example.com"], True),
        ("xn--bcher-kva.example", ["bücher.example"], True),
        ("shop.xn--bcher-kva.example", ["bücher.example"], True),
        ("localhost", ["localhost"], True),
        ("app.localhost", ["localhost"], True),
        ("127.0.0.1", ["127.0.0.1"], True),
        ("::1", ["[::1]"], True),
        ("example.com", [], False),
        ("example.com", ["www.example.com"], False),
        ("notexample.com", ["example.com"], False),
        ("example.com.evil.test", ["example.com"], False),
        ("evil.test", ["example.com"], False),
        ("com", ["example.com"], False),
        ("x.127.0.0.1", ["127.0.0.1"], False),
        ("10.127.0.0.1", ["127.0.0.1"], False),
        ("1.2.3.4", ["3.4"], False),
        ("example.com", ["*"], False),
        ("example.com", ["*.example.com"], False),
        ("example.com", ["https://example.com"], False),
        ("example.com", [""], False),
    ],
)
def test_allowed_domains_match_themselves_and_their_subdomains(
    host: str, allowed: list[str], expected: bool
) -> None:
    assert is_allowed(host, allowed) is expected


def mac(user_id: str) -> bytes:
    return hmac.new(SECRET.encode(), user_id.encode(), hashlib.sha256).digest()


@pytest.mark.parametrize("user_id", ["ann", "42", "änne@example.com", "用户", "🙂", "a b"])
@pytest.mark.parametrize(
    "encode",
    [
        lambda raw: raw.hex().encode(),
        lambda raw: raw.hex().upper().encode(),
        base64.b64encode,
        base64.urlsafe_b64encode,
        lambda raw: base64.b64encode(raw).rstrip(b"="),
    ],
    ids=["hex", "HEX", "base64", "base64url", "unpadded"],
)
def test_user_hash_is_accepted_in_each_encoding(user_id: str, encode) -> None:
    assert is_user_hash(encode(mac(user_id)), user_id=user_id, signing_secret=SECRET)


@pytest.mark.parametrize(
    "given",
    [
        b"",
        b"0",
        b"=",
        b"0" * 64,
        mac("ann"),
        mac("ann").hex()[:-1].encode(),
        mac("ann").hex().encode() + b"0",
        b" " + mac("ann").hex().encode(),
        b"sha256=" + mac("ann").hex().encode(),
        mac("ben").hex().encode(),
        base64.b64encode(mac("ben")),
        base64.b64encode(mac("ann")).lower(),
        hashlib.sha256(b"ann").hexdigest().encode(),
        hmac.new(b"ss_live_other", b"ann", hashlib.sha256).hexdigest().encode(),
        b"\xff\xfe\x00",
        "ünïcode".encode(),
    ],
)
def test_any_other_user_hash_is_refused(given: bytes) -> None:
    assert not is_user_hash(given, user_id="ann", signing_secret=SECRET)
