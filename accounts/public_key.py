"""What a public key asks of a request, as pure functions: page host, allowed domain, user hash.

Specification section 5, requirements 1 to 4. Nothing here knows a request, a setting or a database.
"""

from __future__ import annotations

import base64
import hmac
import re
from collections.abc import Iterable
from functools import lru_cache

import idna

from config.hosts import host_name, host_of, ipv6, is_ip

MAX_ORIGIN_LENGTH = 8192
MAX_PORT = 65535

_ORIGIN = re.compile(
    r"https?://"
    r"(?:[^/?#@\\]*@)?"
    r"(?P<host>\[[0-9a-f:.]+\]|[^\[\]:/?#@\\]+)"
    r"(?::(?P<port>[0-9]{0,5}))?"
    r"(?:[/?#].*)?",
    re.IGNORECASE,
)
_UNPRINTED = re.compile(r"[\x00-\x20\x7f]")


class InvalidOrigin(ValueError):
    """The Origin or Referer is no absolute http(s) URL with a host."""


def origin_host(origin: str) -> str:
    """Return the normalised host of an Origin or Referer value.

    Raises InvalidOrigin for anything but an absolute http(s) URL with a host, `null` included.
    """
    if len(origin) > MAX_ORIGIN_LENGTH or _UNPRINTED.search(origin):
        raise InvalidOrigin(origin)
    match = _ORIGIN.fullmatch(origin)
    if match is None or int(match["port"] or 0) > MAX_PORT:
        raise InvalidOrigin(origin)
    host = match["host"]
    try:
        return ipv6(host[1:-1]) if host.startswith("[") else host_name(host)
    except ValueError:
        raise InvalidOrigin(origin) from None


@lru_cache(maxsize=4096)
def normalise_domain(text: str) -> str:
    """Return an allowed-domains entry as it is compared: lower case, IDNA, no trailing dot.

    Takes a host name, `localhost` or an IP address. Raises ValueError with a sentence for people
    when `text` is something else, such as a URL, a port or a wildcard.
    """
    name = text.strip()
    try:
        return host_of(name)
    except ValueError:
        raise ValueError(
            f'"{name}" is not a domain: give a host name without scheme, port, path or wildcard'
            " (its subdomains count by themselves)"
        ) from None


def is_allowed(host: str, allowed_domains: Iterable[str]) -> bool:
    """Tell whether a normalised host is listed or a subdomain of a listed entry.

    An IP address has no subdomains and is none; an entry that is no domain matches nothing.
    """
    return any(_matches(host, entry) for entry in allowed_domains)


def is_user_hash(given: bytes, *, user_id: str, signing_secret: str) -> bool:
    """Tell in constant time whether `given` is the HMAC-SHA256 of the user id's UTF-8 bytes.

    The key is the whole signing secret, prefix included. Lower-case hex is the documented encoding;
    upper-case hex and base64 (either alphabet, padded or not) are accepted.
    """
    mac = hmac.digest(signing_secret.encode(), user_id.encode(), "sha256")
    as_base64 = given.rstrip(b"=").translate(bytes.maketrans(b"-_", b"+/"))
    is_hex = hmac.compare_digest(given.lower(), mac.hex().encode())
    is_base64 = hmac.compare_digest(as_base64, base64.b64encode(mac).rstrip(b"="))
    return is_hex or is_base64


def _matches(host: str, entry: str) -> bool:
    try:
        domain = normalise_domain(entry)
    except ValueError:
        return False
    if host == domain:
        return True
    return host.endswith(f".{domain}") and not is_ip(host) and not is_ip(domain)


def readable_host(host: str) -> str:
    """Return a host name as people write it: `münchen.de` for `xn--mnchen-3ya.de`."""
    try:
        return ".".join(
            idna.ulabel(label) if label.startswith("xn--") else label for label in host.split(".")
        )
    except idna.IDNAError:
        return host
