"""Tags and filters of the pages: `{% load dashboard %}`."""

from __future__ import annotations

from datetime import datetime
from functools import lru_cache
from importlib import resources
from typing import Any

from django import template
from django.middleware.csrf import get_token
from django.template.context import Context
from django.urls import reverse
from django.utils import timezone
from django.utils.formats import date_format
from django.utils.html import format_html
from django.utils.safestring import SafeString, mark_safe

from dashboard import navigation

register = template.Library()


@lru_cache(maxsize=128)
def _drawing(name: str) -> str:
    """Return what is inside the <svg> of an icon."""
    file = resources.files("dashboard") / "icons" / f"{name}.svg"
    text = file.read_text(encoding="utf-8")
    return text[text.index(">", text.index("<svg")) + 1 : text.rindex("</svg>")].strip()


@register.simple_tag
def icon(name: str) -> SafeString:
    """Draw an icon of `dashboard/icons`; it only decorates, the words beside it say the same."""
    # The drawings are files of ours.
    return format_html(
        '<svg class="icon" viewBox="0 0 24 24" aria-hidden="true">{}</svg>',
        mark_safe(_drawing(name)),  # noqa: S308
    )


@register.simple_tag(takes_context=True)
def to(context: Context, name: str, *arguments: Any) -> str:
    """Return the address of a page of the present organization: `{% to "keys" %}`."""
    organization = context["request"].organization
    return reverse(f"dashboard:{name}", args=[organization.pk, *arguments])


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
    at = timezone.localtime(value, timezone.get_default_timezone())
    return format_html(
        '<time datetime="{}" title="{} UTC">{}</time>',
        at.isoformat(timespec="seconds"),
        at.strftime("%Y-%m-%d %H:%M:%S"),
        date_format(at, "j M Y, H:i"),
    )


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
    at = timezone.localtime(value, timezone.get_default_timezone())
    return format_html(
        '<time datetime="{}" title="{} UTC">{}</time>',
        at.isoformat(timespec="seconds"),
        at.strftime("%Y-%m-%d %H:%M:%S"),
        text,
    )


@register.filter
def initials(name: str) -> str:
    """Return one or two letters for a name or an address."""
    words = [word for word in name.split("@")[0].replace(".", " ").replace("_", " ").split() if word]
    return "".join(word[0] for word in words[:2]).upper() or "?"


@register.filter
def thousands(value: int) -> str:
    """Show a whole number with commas."""
    return f"{value:,}"


@register.filter
def milliseconds(value: int) -> str:
    """Show a length of time: `83 ms`, from a second on `1.2 s`."""
    return f"{value} ms" if value < 1000 else f"{value / 1000:.1f} s"
