"""Addresses and host names of settings: read strictly, written as browsers and requests write them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from config.hosts import host_of

if TYPE_CHECKING:
    from urllib.parse import SplitResult

_UNREADABLE: Final = (
    "must have a host and port that can be read; write special characters of a password as %XX"
)
_NO_HOSTS: Final = "must be host names, without scheme, port or path"
_DEFAULT_PORTS: Final = {"http": 80, "https": 443}


def words(value: str) -> list[str]:
    """Split a comma-separated list, dropping empty entries."""
    return [word.strip() for word in value.split(",") if word.strip()]


def host_names(value: str) -> list[str]:
    """Split a comma-separated list of host names or addresses, each as `host_of` has it."""
    return [_host(word) for word in words(value)]


def allowed_hosts(value: str) -> list[str]:
    """Split a list of hosts to answer to, each as `request_host` has it.

    As Django takes them: `.example.com` is that name and its subdomains, `*` any host.
    """
    return [
        word if word == "*" else f".{request_host(word[1:])}" if word.startswith(".") else request_host(word)
        for word in words(value)
    ]


def request_host(name: str) -> str:
    """Return a host as requests name it: lower case, IDNA, an IPv6 address in brackets, no dot at its end.

    Raises ValueError for what no request can name.
    """
    host = _host(name)
    if "_" in host:  # Django answers 400 to it
        raise ValueError(_NO_HOSTS)
    return f"[{host}]" if ":" in host else host


def http_url(value: str) -> str:
    """Check an absolute http(s) address and drop its trailing slash; empty stays empty."""
    address = value.strip().rstrip("/")
    if address:
        parts = split(address)
        if parts.scheme not in {"http", "https"} or not parts.hostname or parts.port == 0:
            raise ValueError("must be an absolute http or https address")
    return address


def public_url(value: str) -> str:
    """Return the address that people use, as browsers write it in `Origin`; empty stays empty.

    Lower case, IDNA, without the port that the scheme has anyway. Raises ValueError for what begins no link.
    """
    address = http_url(value)
    if not address:
        return ""
    parts = split(address)
    if set("?#@") & set(address):
        raise ValueError("must be a scheme, a host and perhaps a port, without user, query or fragment")
    try:
        host = request_host(parts.hostname or "")
    except ValueError:
        raise ValueError("must have a host of letters, digits, hyphens and dots") from None
    has_port = parts.port not in {None, _DEFAULT_PORTS[parts.scheme]}
    return f"{parts.scheme}://{host}{f':{parts.port}' if has_port else ''}{parts.path}"


def split(address: str) -> SplitResult:
    """Return the parts of an address; raises ValueError that repeats nothing of it."""
    from urllib.parse import urlsplit

    try:
        parts = urlsplit(address)
        _ = parts.port  # raises for one that is no number below 65536
    except ValueError:
        raise ValueError(_UNREADABLE) from None
    return parts


def check_server(address: str) -> str:
    """Return the address of a server; raises ValueError where its password seems to end too early."""
    if address and "@" in split(address).path:
        raise ValueError(_UNREADABLE)
    return address


def _host(word: str) -> str:
    try:
        return host_of(word.strip("[]"))
    except ValueError:
        raise ValueError(_NO_HOSTS) from None
