"""Where webhooks may go: nothing but public addresses, checked where the connection is made.

A URL is resolved once; every address of its host is checked, and the connection goes to one of those very
addresses. So a name that answers with another address a moment later (DNS rebinding) gains nothing. Hosts of
WEBHOOK_ALLOWED_HOSTS, for tests and intranets, may be anywhere and need no TLS.
"""

from __future__ import annotations

import ipaddress
import re
import socket
import threading
from collections.abc import Collection
from dataclasses import dataclass
from urllib.parse import SplitResult, urlsplit

from config.hosts import host_of, is_ip

MAX_URL_LENGTH = 2000
RESOLVE_SECONDS = 5.0
DEFAULT_PORTS = {"https": 443, "http": 80}

Address = ipaddress.IPv4Address | ipaddress.IPv6Address

# Everything special in the IANA registries of special-purpose addresses, and what clouds keep for themselves.
_REFUSED_V4 = tuple(
    ipaddress.IPv4Network(text)
    for text in (
        "0.0.0.0/8", "10.0.0.0/8", "100.64.0.0/10", "127.0.0.0/8", "169.254.0.0/16", "172.16.0.0/12",
        "192.0.0.0/24", "192.0.2.0/24", "192.31.196.0/24", "192.52.193.0/24", "192.88.99.0/24",
        "192.168.0.0/16", "192.175.48.0/24", "198.18.0.0/15", "198.51.100.0/24", "203.0.113.0/24",
        "224.0.0.0/4", "240.0.0.0/4",
        "168.63.129.16/32",  # the virtual address of Azure's host services
    )
)  # fmt: skip
_GLOBAL_UNICAST = ipaddress.IPv6Network("2000::/3")
_REFUSED_V6 = tuple(
    ipaddress.IPv6Network(text)
    for text in ("2001::/23", "2001:db8::/32", "2002::/16", "2620:4f:8000::/48", "3fff::/20")
)
_NAT64 = ipaddress.IPv6Network("64:ff9b::/96")
_URL_CHARACTERS = re.compile(r"[!-~]+")


class BadAddress(ValueError):
    """A URL that no webhook is sent to; the text says why, for whoever entered it."""


@dataclass(frozen=True)
class Target:
    """A URL taken apart: what to connect to and what to ask for there."""

    scheme: str
    host: str  # lower case, IDNA, without brackets
    port: int
    path: str  # with the query
    is_allowed_host: bool

    @property
    def host_header(self) -> str:
        """The value of the Host header."""
        name = f"[{self.host}]" if ":" in self.host else self.host
        return name if self.port == DEFAULT_PORTS[self.scheme] else f"{name}:{self.port}"


def parse_target(url: str, allowed_hosts: Collection[str]) -> Target:
    """Take a URL apart; raises BadAddress unless it is one that webhooks may be sent to by its form.

    `allowed_hosts` are hosts as `config.hosts.host_of` returns them.
    """
    if len(url) > MAX_URL_LENGTH:
        raise BadAddress(f"must have at most {MAX_URL_LENGTH} characters")
    parts, port = _split(url)
    host = _host(parts.hostname or "")
    is_allowed = host in allowed_hosts
    if parts.scheme != "https" and not is_allowed:
        raise BadAddress("must begin with https://")
    port = port or DEFAULT_PORTS[parts.scheme]
    if port < 1024 and port not in DEFAULT_PORTS.values() and not is_allowed:
        raise BadAddress("must use port 443, 80 or one above 1023")
    path = (parts.path or "/") + (f"?{parts.query}" if parts.query else "")
    return Target(parts.scheme, host, port, path, is_allowed)


def _split(url: str) -> tuple[SplitResult, int | None]:
    """Return the parts of an absolute http(s) URL and its explicit port; raises BadAddress."""
    try:
        parts = urlsplit(url)
        port = parts.port
    except ValueError:
        raise BadAddress("must be an absolute https:// URL") from None
    if parts.scheme not in DEFAULT_PORTS or not parts.hostname or port == 0:
        raise BadAddress("must be an absolute https:// URL")
    if "@" in parts.netloc:
        raise BadAddress("must not hold a user name or password")
    # The host may be written in its own letters; the rest goes into a request line.
    rest = url.partition("://")[2][len(parts.netloc) :]
    if "\\" in url or not url.isprintable() or " " in url or not _URL_CHARACTERS.fullmatch(rest or "/"):
        raise BadAddress("must be percent-encoded: no blanks, backslashes or letters outside of ASCII")
    return parts, port


def _host(name: str) -> str:
    """Return a host name as it is resolved and compared; raises BadAddress."""
    try:
        return host_of(name)
    except ValueError:
        raise BadAddress("must name a host") from None


def addresses_of(target: Target) -> list[str]:
    """Resolve a target and return its addresses, in the resolver's order.

    Raises BadAddress when there is none within RESOLVE_SECONDS, or when any one of them is not public: a host
    that answers with a public and a private address is an attack or a mistake. Both have the same words:
    whoever may enter a URL would learn the names of the network this service stands in.
    """
    found = _lookup(target.host, target.port)
    if found and (target.is_allowed_host or all(is_public(ipaddress.ip_address(each)) for each in found)):
        return found
    if is_ip(target.host):
        raise BadAddress(f"the host {target.host} has an address that is not public")
    raise BadAddress(f"the host {target.host} has no address, or one that is not public")


def check_url(url: str, allowed_hosts: Collection[str]) -> None:
    """Raise BadAddress for a URL that would be refused at delivery as things are now.

    An allowed host need not resolve yet.
    """
    target = parse_target(url, allowed_hosts)
    if not target.is_allowed_host:
        addresses_of(target)


def is_public(address: Address) -> bool:
    """Tell whether an address belongs to the public internet, also where IPv6 carries an IPv4 address."""
    if isinstance(address, ipaddress.IPv4Address):
        return not any(address in network for network in _REFUSED_V4)
    if address.scope_id is not None:
        return False
    if address.ipv4_mapped is not None:
        return is_public(address.ipv4_mapped)
    if address in _NAT64:
        return is_public(ipaddress.IPv4Address(int(address) & 0xFFFFFFFF))
    return address in _GLOBAL_UNICAST and not any(address in network for network in _REFUSED_V6)


def _lookup(host: str, port: int) -> list[str]:
    """Return the addresses of a host; none when the resolver fails or takes longer than RESOLVE_SECONDS.

    The resolver knows no time limit, so it is asked in a thread that is left behind when it is slow.
    """
    found: list[str] = []

    def ask() -> None:
        try:
            answers = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)
        except (OSError, UnicodeError):
            return
        found.extend(dict.fromkeys(str(answer[4][0]) for answer in answers))

    thread = threading.Thread(target=ask, name="webhook resolver", daemon=True)
    thread.start()
    thread.join(RESOLVE_SECONDS)
    return list(found)
