"""Host names and IPv6 addresses as browsers and requests write them. Pure."""

from __future__ import annotations

import re
from typing import Final

MAX_LENGTH: Final = 253
_LABEL: Final = re.compile(r"[a-z0-9_-]{1,63}")


def host_of(text: str) -> str:
    """Return a host name, or an IPv6 address with or without brackets, as it is compared.

    Lower case and IDNA, the address in its shortest form without brackets. Raises ValueError for neither.
    """
    return ipv6(text.strip("[]")) if ":" in text else host_name(text)


def host_name(text: str) -> str:
    """Return a host name in lower case and IDNA, without a dot at its end; raises ValueError for none."""
    if len(text) > MAX_LENGTH + 1:
        raise ValueError(text)
    host = (text.lower() if text.isascii() else _in_ascii(text)).removesuffix(".")
    if len(host) > MAX_LENGTH or not all(_LABEL.fullmatch(label) for label in host.split(".")):
        raise ValueError(text)
    return host


def _in_ascii(text: str) -> str:
    import idna  # most names do without

    name = idna.uts46_remap(text, std3_rules=False, transitional=False)
    # Only labels that need it go through IDNA: it would refuse `my_app` and `r3---sn`, which browsers open.
    return ".".join(label if label.isascii() else idna.alabel(label).decode() for label in name.split("."))


def ipv6(text: str) -> str:
    """Return an IPv6 address in its shortest form, without brackets; raises ValueError for none."""
    import ipaddress

    address = ipaddress.IPv6Address(text)
    if address.ipv4_mapped is None:
        return address.compressed
    # Python writes these with dots since 3.13; browsers do not.
    high, low = divmod(int(address.ipv4_mapped), 1 << 16)
    return f"::ffff:{high:x}:{low:x}"


def is_ip(host: str) -> bool:
    """Tell whether a host as `host_of` returns it is an address, not a name."""
    import ipaddress

    try:
        ipaddress.ip_address(host)
    except ValueError:
        return False
    return True
