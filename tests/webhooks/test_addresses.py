"""Where webhooks may go, and the many ways to write where they may not."""

from __future__ import annotations

import ipaddress
import threading
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from accounts.webhooks import addresses
from accounts.webhooks.addresses import BadAddress, addresses_of, check_url, is_public, parse_target
from config.addresses import host_names

PRIVATE = [
    "0.0.0.0",
    "10.1.2.3",
    "100.64.0.1",
    "100.100.100.200",
    "127.0.0.1",
    "127.255.255.254",
    "168.63.129.16",
    "169.254.169.254",
    "172.16.0.1",
    "172.31.255.255",
    "192.0.0.192",
    "192.0.2.1",
    "192.88.99.1",
    "192.168.1.1",
    "198.18.0.1",
    "198.51.100.1",
    "203.0.113.1",
    "224.0.0.1",
    "239.255.255.255",
    "240.0.0.1",
    "255.255.255.255",
]
PUBLIC = [
    "1.1.1.1",
    "8.8.8.8",
    "93.184.216.34",
    "100.63.255.255",
    "172.32.0.1",
    "192.0.1.1",
    "223.255.255.255",
]


@pytest.mark.parametrize("text", PRIVATE)
def test_a_private_address_in_each_of_its_forms(text: str) -> None:
    number = int(ipaddress.IPv4Address(text))
    assert not is_public(ipaddress.ip_address(text))
    for prefix, shift in (("::ffff:0:0", 0), ("64:ff9b::", 0), ("2002::", 80), ("::", 0)):
        assert not is_public(ipaddress.IPv6Address(int(ipaddress.IPv6Address(prefix)) | number << shift))


@pytest.mark.parametrize("text", PUBLIC)
def test_a_public_address(text: str) -> None:
    assert is_public(ipaddress.ip_address(text))
    assert is_public(ipaddress.ip_address(f"::ffff:{text}"))
    assert is_public(ipaddress.ip_address(f"64:ff9b::{text}"))


@pytest.mark.parametrize(
    "text",
    [
        "::",
        "::1",
        "::2",
        "64:ff9b:1::1",
        "100::1",
        "2001::1",
        "2001:db8::1",
        "2002:808:808::1",
        "3fff::1",
        "5f00::1",
        "fc00::1",
        "fd00:ec2::254",
        "fe80::1",
        "fe80::1%eth0",
        "2606:4700::1%eth0",
        "fec0::1",
        "ff02::1",
        "ffff::1",
    ],
)
def test_an_ipv6_address_that_is_not_public(text: str) -> None:
    assert not is_public(ipaddress.ip_address(text))


@pytest.mark.parametrize("text", ["2606:4700:4700::1111", "2a00:1450:4001:80b::200e", "2001:4860:4860::8888"])
def test_an_ipv6_address_that_is_public(text: str) -> None:
    assert is_public(ipaddress.ip_address(text))


@given(st.ip_addresses(v=4) | st.ip_addresses(v=6))
def test_whatever_python_knows_to_be_special_is_refused(
    address: ipaddress.IPv4Address | ipaddress.IPv6Address,
) -> None:
    special = (
        address.is_private
        or address.is_loopback
        or address.is_link_local
        or address.is_multicast
        or address.is_reserved
        or address.is_unspecified
    )
    if special and getattr(address, "ipv4_mapped", None) is None and address not in addresses._NAT64:
        assert not is_public(address)


@pytest.mark.parametrize(
    ("url", "host", "port", "path"),
    [
        ("https://hooks.example.com", "hooks.example.com", 443, "/"),
        ("https://hooks.example.com/a/b?c=d#e", "hooks.example.com", 443, "/a/b?c=d"),
        ("https://Hooks.Example.COM.:8443/", "hooks.example.com", 8443, "/"),
        ("HTTPS://hooks.example.com?x", "hooks.example.com", 443, "/?x"),
        ("https://bücher.example/", "xn--bcher-kva.example", 443, "/"),
        ("https://[2606:4700:4700:0::1111]/", "2606:4700:4700::1111", 443, "/"),
        ("https://my_host.example.com/", "my_host.example.com", 443, "/"),
        ("https://a.example:80/", "a.example", 80, "/"),
        ("http://intranet:81/x", "intranet", 81, "/x"),
    ],
)
def test_a_url(url: str, host: str, port: int, path: str) -> None:
    target = parse_target(url, ["intranet"])
    assert (target.host, target.port, target.path) == (host, port, path)


@pytest.mark.parametrize(
    ("url", "header"),
    [
        ("https://a.example/", "a.example"),
        ("https://a.example:443/", "a.example"),
        ("https://a.example:80/", "a.example:80"),
        ("https://[2606:4700::1]:8443/", "[2606:4700::1]:8443"),
    ],
)
def test_the_host_header(url: str, header: str) -> None:
    assert parse_target(url, ()).host_header == header


ABSOLUTE = "must be an absolute https:// URL"
ENCODED = "must be percent-encoded: no blanks, backslashes or letters outside of ASCII"


@pytest.mark.parametrize(
    ("url", "reason"),
    [
        ("", ABSOLUTE),
        ("hooks.example.com", ABSOLUTE),
        ("//hooks.example.com/", ABSOLUTE),
        ("https://", ABSOLUTE),
        ("https:///path", ABSOLUTE),
        ("https://:443/", ABSOLUTE),
        ("https://a.example:0/", ABSOLUTE),
        ("https://a.example:99999/", ABSOLUTE),
        ("https://a.example:x/", ABSOLUTE),
        ("https://[::1/", ABSOLUTE),
        ("https://[x]/", ABSOLUTE),
        ("ftp://a.example/", ABSOLUTE),
        ("file:///etc/passwd", ABSOLUTE),
        ("gopher://a.example/", ABSOLUTE),
        ("javascript:alert(1)", ABSOLUTE),
        ("http://a.example/", "must begin with https://"),
        ("https://user@a.example/", "must not hold a user name or password"),
        ("https://user:pass@a.example/", "must not hold a user name or password"),
        ("https://a.example@b.example/", "must not hold a user name or password"),
        ("https://a.example:22/", "must use port 443, 80 or one above 1023"),
        ("https://a.example:25/", "must use port 443, 80 or one above 1023"),
        ("https://a.example/a b", ENCODED),
        ("https://a.example/ä", ENCODED),
        ("https://a.example\\@b.example/", "must not hold a user name or password"),
        ("https://a.example/\\b", ENCODED),
        ("https://a.example/\r\nHost: b", ENCODED),
        ("https://a.example/\x00", ENCODED),
        (" https://a.example/", ENCODED),
        ("https://a.exam ple/", ENCODED),
        ("https://a..example/", "must name a host"),
        ("https://a.example%2f/", "must name a host"),
        ("https://*/", "must name a host"),
        ("https://a.example/" + "x" * 2000, "must have at most 2000 characters"),
    ],
)
def test_a_url_that_is_refused(url: str, reason: str) -> None:
    with pytest.raises(BadAddress, match="^") as refusal:
        parse_target(url, ())
    assert str(refusal.value) == reason


@given(
    st.text() | st.text().map(lambda text: f"https://{text}") | st.text().map("https://a.example/{}".format)
)
def test_any_text_is_a_target_or_refused(url: str) -> None:
    try:
        target = parse_target(url, ())
    except BadAddress:
        return
    assert target.scheme == "https"
    assert f"{target.host_header}{target.path}".isascii()
    assert f"{target.host_header}{target.path}".isprintable()
    assert " " not in target.path


@pytest.mark.parametrize(
    "host",
    [
        "127.0.0.1",
        "2130706433",
        "0x7f000001",
        "0177.0.0.1",
        "127.1",
        "0",
        "[::1]",
        "[::ffff:127.0.0.1]",
        "localhost",
    ],
)
def test_loopback_however_it_is_written(host: str) -> None:
    """The system's resolver reads these; none needs a network."""
    with pytest.raises(BadAddress):
        check_url(f"https://{host}/", ())


def resolving(monkeypatch: pytest.MonkeyPatch, *found: str) -> None:
    """Let every host have these addresses."""
    answers = [(None, None, None, "", (address, 443)) for address in found]
    monkeypatch.setattr(addresses.socket, "getaddrinfo", lambda *args, **kwargs: answers)


def test_one_private_address_among_public_ones_is_enough(monkeypatch: pytest.MonkeyPatch) -> None:
    target = parse_target("https://a.example/", ())
    resolving(monkeypatch, "1.1.1.1", "2606:4700::1111")
    assert addresses_of(target) == ["1.1.1.1", "2606:4700::1111"]
    resolving(monkeypatch, "1.1.1.1", "10.0.0.1")
    with pytest.raises(BadAddress, match=r"^the host a\.example has no address, or one that is not public$"):
        addresses_of(target)


def test_a_refusal_does_not_tell_which_names_a_private_network_has(monkeypatch: pytest.MonkeyPatch) -> None:
    told = []
    for found in ((), ("10.0.0.1",)):
        resolving(monkeypatch, *found)
        with pytest.raises(BadAddress) as refused:
            check_url("https://vault.corp.example/", ())
        told.append(str(refused.value))
    assert told[0] == told[1]


def test_an_allowed_host_may_be_private_and_need_not_resolve_yet(monkeypatch: pytest.MonkeyPatch) -> None:
    resolving(monkeypatch, "10.0.0.1")
    assert addresses_of(parse_target("http://intranet/", ["intranet"])) == ["10.0.0.1"]
    with pytest.raises(BadAddress):
        check_url("https://sub.intranet/", ["intranet"])
    resolving(monkeypatch)
    check_url("http://intranet/", ["intranet"])
    with pytest.raises(BadAddress, match="has no address"):
        check_url("https://other.example/", ["intranet"])


def test_a_resolver_that_hangs(monkeypatch: pytest.MonkeyPatch) -> None:
    hanging = threading.Event()

    def getaddrinfo(*args: Any, **kwargs: Any) -> list[Any]:
        hanging.wait()
        return []

    monkeypatch.setattr(addresses.socket, "getaddrinfo", getaddrinfo)
    monkeypatch.setattr(addresses, "RESOLVE_SECONDS", 0.05)
    with pytest.raises(BadAddress, match="has no address"):
        check_url("https://slow.example/", ())
    hanging.set()


@pytest.mark.parametrize(
    ("setting", "url"),
    [
        ("Hooks.Internal.", "http://hooks.internal/x"),
        ("münchen.example", "http://MÜNCHEN.example/x"),
        ("xn--mnchen-3ya.example", "http://münchen.example/x"),
        ("[FD00:0:0:0::7]", "http://[fd00::7]/x"),
        ("my_hooks", "http://my_hooks/x"),
    ],
)
def test_an_allowed_host_is_known_however_it_is_written(setting: str, url: str) -> None:
    assert parse_target(url, host_names(f"10.0.0.9, {setting}")).is_allowed_host
