"""Every address of the dashboard, walked by its tests and `make screenshots`: a new page enters a line."""

from __future__ import annotations

from dataclasses import dataclass, field


@dataclass(frozen=True)
class Page:
    """A page that is read. `role` is the lowest that may: nobody, person, viewer, editor or owner."""

    name: str
    path: str
    role: str
    is_shot: bool = True


@dataclass(frozen=True)
class Change:
    """An address that is posted to, and a body that it takes."""

    path: str
    role: str
    body: dict[str, str] = field(default_factory=dict)


PAGES = [
    Page("login", "/login", "nobody"),
    Page("reset", "/password/reset", "nobody"),
    Page("reset-sent", "/password/reset/sent", "nobody"),
    Page("reset-link-used-up", "/password/reset/MQ/none", "nobody"),
    Page("invitation", "/invitations/{token}", "nobody"),
    Page("account", "/account", "person"),
    Page("password", "/account/password", "person"),
    Page("sessions", "/account/sessions", "person"),
    Page("organizations", "/account/organizations", "person"),
    Page("leave", "/account/organizations/{organization}/leave", "viewer"),
    Page("templates", "{o}/templates", "viewer"),
    Page("templates-none", "{o}/templates?status=archived", "viewer"),
    Page("thumbnail", "{o}/templates/{draft}/thumbnail", "viewer", is_shot=False),
    Page("template", "{o}/templates/{template}", "viewer"),
    Page("draft", "{o}/templates/{draft}", "viewer"),
    Page("archive", "{o}/templates/{template}/archive", "editor"),
    Page("move", "{o}/templates/{template}/move", "editor"),
    Page("export-template", "{o}/templates/{template}/export.json", "viewer", is_shot=False),
    Page("history", "{o}/templates/{draft}/history", "viewer"),
    Page("version", "{o}/templates/{draft}/history/3", "viewer"),
    Page("version-first", "{o}/templates/{draft}/history/1?with=3", "viewer"),
    Page("version-alone", "{o}/templates/{draft}/history/1", "viewer"),
    Page("version-document", "{o}/templates/{draft}/history/2/document?format=pdf", "viewer", is_shot=False),
    Page("version-picture", "{o}/templates/{draft}/history/2/pages/1.png", "viewer", is_shot=False),
    Page("restore", "{o}/templates/{draft}/history/1/restore", "editor"),
    Page("publish", "{o}/templates/{draft}/publish", "editor"),
    Page("new-template", "{o}/templates/new", "editor"),
    Page("editor", "{o}/templates/{template}/edit", "viewer"),
    Page("documents", "{o}/documents", "viewer"),
    Page("documents-none", "{o}/documents?status=failed&user=nobody", "viewer"),
    Page("document", "{o}/documents/{document}", "viewer"),
    Page("document-waiting", "{o}/documents/{waiting}", "viewer"),
    Page("document-file", "{o}/documents/{document}/file", "viewer", is_shot=False),
    Page("delete-document", "{o}/documents/{document}/delete", "editor"),
    Page("batches", "{o}/documents/batches", "viewer"),
    Page("batch", "{o}/documents/batches/{batch}", "viewer"),
    Page("cancel-batch", "{o}/documents/batches/{batch}/cancel", "editor"),
    Page("delete-batch", "{o}/documents/batches/{batch}/delete", "editor"),
    Page("playground", "{o}/playground?template={template}", "viewer"),
    Page("usage", "{o}/usage", "viewer"),
    Page("usage-users", "{o}/usage?by=user", "viewer"),
    Page("usage-csv", "{o}/usage/export.csv", "viewer", is_shot=False),
    Page("usage-xlsx", "{o}/usage/export.xlsx?months=6", "viewer", is_shot=False),
    Page("assets", "{o}/assets", "viewer"),
    Page("assets-none", "{o}/assets?kind=font", "viewer"),
    Page("asset", "{o}/assets/{asset}", "viewer"),
    Page("asset-content", "{o}/assets/{asset}/content", "viewer", is_shot=False),
    Page("asset-fonts", "{o}/assets/fonts.css?id={asset}", "viewer", is_shot=False),
    Page("delete-asset", "{o}/assets/{asset}/delete", "editor"),
    Page("settings", "{o}/settings", "viewer"),
    Page("members", "{o}/settings/members", "viewer"),
    Page("role", "{o}/settings/members/{member}/role", "owner"),
    Page("remove-member", "{o}/settings/members/{member}/remove", "owner"),
    Page("revoke-invitation", "{o}/settings/members/invitations/{invitation}/revoke", "owner"),
    Page("keys", "{o}/settings/keys", "editor"),
    Page("rotate-keys", "{o}/settings/keys/rotate", "owner"),
    Page("domains", "{o}/settings/domains?address=https://app.acme.example/x", "viewer"),
    Page("remove-domain", "{o}/settings/domains/remove?domain=localhost", "owner"),
    Page("webhooks", "{o}/settings/webhooks", "editor"),
    Page("new-webhook", "{o}/settings/webhooks/new", "owner"),
    Page("webhook", "{o}/settings/webhooks/{webhook}", "editor"),
    Page("edit-webhook", "{o}/settings/webhooks/{webhook}/edit", "owner"),
    Page("rotate-webhook", "{o}/settings/webhooks/{webhook}/rotate", "owner"),
    Page("delete-webhook", "{o}/settings/webhooks/{webhook}/delete", "owner"),
    Page("delivery", "{o}/settings/webhooks/{webhook}/deliveries/{delivery}", "editor"),
    Page("retention", "{o}/settings/retention", "viewer"),
    Page("audit", "{o}/settings/audit", "owner"),
    Page("audit-export", "{o}/settings/audit.csv", "owner", is_shot=False),
]

CHANGES = [
    Change("/account", "person", {"first_name": "Ann", "last_name": "Lee"}),
    Change("/account/password", "person"),
    Change("/account/sessions/end", "person"),
    Change("/account/theme", "nobody", {"theme": "dark"}),
    Change("{o}/templates/new", "editor", {"name": "Quote", "formats": "pdf"}),
    Change("{o}/templates/{template}/archive", "editor"),
    Change("{o}/templates/{template}/duplicate", "editor"),
    Change("{o}/templates/{template}/move", "editor", {"user": "user-42"}),
    Change("{o}/templates/{draft}/history/1/restore", "editor", {"version": "3"}),
    Change("{o}/templates/{draft}/publish", "editor"),
    Change("{o}/documents/{document}/delete", "editor"),
    Change("{o}/documents/batches/{batch}/cancel", "editor"),
    Change("{o}/documents/batches/{batch}/delete", "editor"),
    Change("{o}/playground/render", "viewer", {"values": '{"name": "Ada"}'}),
    Change("{o}/playground/code", "viewer", {"values": "{}"}),
    Change("{o}/assets/upload", "editor"),
    Change("{o}/assets/{asset}/rename", "editor", {"name": "Logo"}),
    Change("{o}/assets/{asset}/delete", "editor"),
    Change("{o}/settings", "owner", {"name": "Acme Ltd"}),
    Change("{o}/settings/members/invite", "owner", {"email": "zoe@acme.example", "role": "viewer"}),
    Change("{o}/settings/members/invitations/{invitation}/revoke", "owner"),
    Change("{o}/settings/members/{member}/role", "owner", {"role": "editor"}),
    Change("{o}/settings/members/{member}/remove", "owner"),
    Change("{o}/settings/keys/rotate", "owner"),
    Change("{o}/settings/domains/add", "owner", {"domain": "shop.example"}),
    Change("{o}/settings/domains/remove", "owner", {"domain": "localhost"}),
    Change("{o}/settings/webhooks/new", "owner", {"url": "https://hooks.acme.example/x"}),
    Change("{o}/settings/webhooks/{webhook}/edit", "owner", {"url": "https://hooks.acme.example/y"}),
    Change("{o}/settings/webhooks/{webhook}/rotate", "owner"),
    Change("{o}/settings/webhooks/{webhook}/delete", "owner"),
    Change("{o}/settings/webhooks/{webhook}/test", "editor"),
    Change("{o}/settings/webhooks/{webhook}/deliveries/{delivery}/replay", "editor"),
    Change("{o}/settings/retention", "owner", {"days": "90", "agreed": "yes"}),
]
# Addresses that the tables leave out, with the test that holds what they do.
ELSEWHERE = {
    "home": "test_login.py",
    "login": "test_login.py (POST)",
    "logout": "test_login.py",
    "reset_confirm": "test_login.py",
    "new_organization": "test_people.py",
    "new_keys": "test_settings.py",
    "webhook_secret": "test_webhook_pages.py",
    "organization": "test_login.py",
    "download_document": "test_documents_pages.py",
    "download_batch": "test_documents_pages.py",
    "preview": "test_editor_preview.py",
    "sample": "test_editor_preview.py",
    "save": "test_editor_save.py",
    "publish_saved": "test_editor_save.py",
}
