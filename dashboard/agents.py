"""What a browser calls itself, in words: `Firefox on Linux`."""

from __future__ import annotations

from typing import Final

# The first mark found wins: most browsers name others as well.
_BROWSERS: Final = (
    ("Edg", "Edge"),
    ("OPR/", "Opera"),
    ("Vivaldi", "Vivaldi"),
    ("SamsungBrowser", "Samsung Internet"),
    ("Firefox/", "Firefox"),
    ("FxiOS/", "Firefox"),
    ("CriOS/", "Chrome"),
    ("Chrome/", "Chrome"),
    ("Safari/", "Safari"),
    ("curl/", "curl"),
)
_SYSTEMS: Final = (
    ("iPhone", "iPhone"),
    ("iPad", "iPad"),
    ("Android", "Android"),
    ("Windows", "Windows"),
    ("Mac OS X", "macOS"),
    ("CrOS", "ChromeOS"),
    ("Linux", "Linux"),
)


def describe_agent(user_agent: str) -> str:
    """Return the browser and system that a User-Agent header names, as far as they are known."""
    browser = _named(_BROWSERS, user_agent)
    system = _named(_SYSTEMS, user_agent)
    if browser and system:
        return f"{browser} on {system}"
    return browser or system or "Unknown device"


def _named(table: tuple[tuple[str, str], ...], user_agent: str) -> str:
    return next((name for mark, name in table if mark in user_agent), "")
