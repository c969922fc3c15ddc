"""The admin's side bar and styles. Unfold asks for them at each page; named in settings.UNFOLD."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from django.http import HttpRequest
from django.templatetags.static import static
from django.urls import reverse


def navigation(request: HttpRequest) -> list[dict[str, Any]]:
    """Return the groups of the side bar; what the user may not see is left out."""
    return [
        {
            "title": None,
            "items": [{"title": "Overview", "icon": "space_dashboard", "link": reverse("admin:index")}],
        },
        _group(
            "Organizations & people",
            _item("Organizations", "apartment", "accounts", "organization"),
            _item("Users", "person", "accounts", "user"),
            _item("Groups", "shield_person", "auth", "group"),
            _item("Audit log", "history", "accounts", "auditentry"),
        ),
        _group(
            "Documents",
            _item("Templates", "article", "templates_app", "template"),
            _item("Documents", "picture_as_pdf", "rendering", "document"),
            _item("Batches", "stacks", "rendering", "batch"),
            _item("Jobs", "pending_actions", "jobs", "job"),
            _item("Usage", "bar_chart", "usage", "monthlycount"),
            _item("Assets", "image", "assets", "asset"),
        ),
        _group(
            "Webhooks",
            _item("Webhooks", "webhook", "webhooks", "webhook"),
            _item("Deliveries", "outbox", "webhooks", "webhookdelivery"),
        ),
        _group("Help", {"title": "API reference", "icon": "menu_book", "link": reverse("reference")}),
    ]


def stylesheet(request: HttpRequest) -> str:
    """Return the address of the styles that the admin's own pages add."""
    return static("accounts/admin.css")


def icon(request: HttpRequest) -> str:
    """Return the address of the icon in the browser's tab."""
    return static("accounts/favicon.svg")


def _group(title: str, *items: dict[str, Any]) -> dict[str, Any]:
    return {"title": title, "items": list(items)}


def _item(title: str, icon: str, app: str, model: str) -> dict[str, Any]:
    return {
        "title": title,
        "icon": icon,
        "link": reverse(f"admin:{app}_{model}_changelist"),
        "permission": _may_see(app, model),
    }


def _may_see(app: str, model: str) -> Callable[[HttpRequest], bool]:
    def permission(request: HttpRequest) -> bool:
        user: Any = request.user
        return user.has_perm(f"{app}.view_{model}") or user.has_perm(f"{app}.change_{model}")

    return permission
