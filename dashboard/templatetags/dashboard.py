"""Tags and filters of the pages: `{% load dashboard %}`."""

from __future__ import annotations

import re
from datetime import UTC, datetime
from functools import lru_cache
from importlib import resources
from typing import Any

from django import template
from django.middleware.csrf import get_token
from django.template.context import Context
from django.urls import reverse
from django.utils import timezone
from django.utils.html import format_html
from django.utils.safestring import SafeString, mark_safe

from accounts.actors import actor_in_words
from accounts.public_key import readable_host
from dashboard import navigation

register = template.Library()
register.filter("readable_host", readable_host)


# Stand for arguments of an address that is kept: one that every path takes, and a number.
_TEXT, _NUMBER = "argument", 9_000_000_000
# Characters from which a name in a heading takes many lines of a phone.
LONG_NAME = 60
_PLAIN = re.compile("[0-9A-Za-z_]+")


@register.simple_tag
@lru_cache(maxsize=256)
def icon(name: str) -> SafeString:
    """Draw an icon of `dashboard/icons`; it only decorates, the words beside it say the same."""
    file = resources.files("dashboard") / "icons" / f"{name}.svg"
    text = file.read_text(encoding="utf-8")
    # The drawings are files of ours.
    inner = mark_safe(text[text.index(">", text.index("<svg")) + 1 : text.rindex("</svg>")].strip())  # noqa: S308
    return format_html('<svg class="icon" viewBox="0 0 24 24" aria-hidden="true">{}</svg>', inner)


@register.simple_tag(takes_context=True)
def to(context: Context, name: str, *arguments: Any) -> str:
    """Return the address of a page of the present organization: `{% to "keys" %}`."""
    return address_of(name, context["request"].organization.pk, *arguments)


def address_of(name: str, *arguments: str | int) -> str:
    """Return what `reverse` does for a page of the dashboard, much faster: a list has hundreds of links."""
    if all(isinstance(each, int) or _PLAIN.fullmatch(each) for each in arguments):
        pieces = _pieces(name, *(isinstance(each, int) for each in arguments))
        return "".join(text + str(each) for text, each in zip(pieces, arguments, strict=False)) + pieces[-1]
    return reverse(f"dashboard:{name}", args=arguments)


@lru_cache(maxsize=1024)
def _pieces(name: str, *are_numbers: bool) -> list[str]:
    """Return an address in pieces, between which its arguments stand."""
    marks = [
        _NUMBER + place if is_number else f"{_TEXT}{place}" for place, is_number in enumerate(are_numbers)
    ]
    rest, pieces = reverse(f"dashboard:{name}", args=marks), []
    for mark in marks:
        piece, _, rest = rest.partition(str(mark))
        pieces.append(piece)
    return [*pieces, rest]


@register.simple_tag(takes_context=True)
def main_links(context: Context) -> list[navigation.Link]:
    """Return the entries of the side bar that the member may open; none outside an organization."""
    membership = getattr(context["request"], "membership", None)
    return list(navigation.links(navigation.MAIN, membership)) if membership else []


@register.simple_tag(takes_context=True)
def settings_links(context: Context) -> list[navigation.Link]:
    """Return the settings pages that the member may open."""
    return list(navigation.links(navigation.SETTINGS, context["request"].membership))


@register.simple_tag(takes_context=True)
def may(context: Context, role: str) -> bool:
    """Tell whether the member has the powers of a role: `{% may "owner" as owner %}`."""
    membership = getattr(context["request"], "membership", None)
    return membership is not None and membership.may(role)


@register.simple_tag(takes_context=True)
def csrf_value(context: Context) -> str:
    """Return the token that htmx sends with its requests."""
    return get_token(context["request"])


@register.filter
def moment(value: datetime | None) -> SafeString | str:
    """Show a time in UTC to the minute; the whole of it is in the tooltip."""
    if value is None:
        return ""
    at = value.astimezone(UTC)
    return _time(at, f"{at.day} {at:%b %Y, %H:%M}")


@register.filter
def second(value: datetime) -> SafeString:
    """Show a time in UTC to the second: `14:05:30 UTC`, with the date unless it is today."""
    at = value.astimezone(UTC)
    day = "" if at.date() == timezone.now().date() else f"{at.day} {at:%b}, "
    return _time(at, f"{day}{at:%H:%M:%S} UTC")


@register.filter
def ago(value: datetime | None) -> SafeString | str:
    """Show how long ago a time was, in one unit; the time itself is in the tooltip."""
    if value is None:
        return ""
    seconds = (timezone.now() - value).total_seconds()
    units = ((86_400, "day"), (3_600, "hour"), (60, "minute"))
    if seconds > 30 * 86_400:
        return moment(value)
    text = "just now"
    for length, unit in units:
        if seconds >= length:
            count = int(seconds // length)
            text = f"{count} {unit}{'' if count == 1 else 's'} ago"
            break
    return _time(value.astimezone(UTC), text)


def _time(at: datetime, text: str) -> SafeString:
    whole = at.strftime("%Y-%m-%d %H:%M:%S")
    # Digits and words of ours.
    return mark_safe(  # noqa: S308
        f'<time datetime="{whole[:10]}T{whole[11:]}+00:00" title="{whole} UTC">{text}</time>'
    )


@register.filter
def actor(author: str) -> str:
    """Say in words who did something: a server, an end user or a member (`Caller.author`)."""
    return actor_in_words(author)


@register.filter
def initials(name: str) -> str:
    """Return one or two letters for a name or an address."""
    words = [word for word in name.split("@")[0].replace(".", " ").replace("_", " ").split() if word]
    return "".join(word[0] for word in words[:2]).upper() or "?"


@register.filter
def headline(name: str) -> SafeString | str:
    """Show a name that people chose in a heading: alone in either direction, smaller where it is long."""
    kind = mark_safe(' class="long-name"') if len(name) > LONG_NAME else ""
    return format_html("<bdi{}>{}</bdi>", kind, name)


@register.filter
def thousands(value: int) -> str:
    """Show a whole number with commas."""
    return f"{value:,}"


@register.filter
def milliseconds(value: int) -> str:
    """Show a length of time: `83 ms`, from a second on `1.2 s`."""
    return f"{value} ms" if value < 1000 else f"{value / 1000:.1f} s"
