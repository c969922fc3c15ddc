"""The demo organization: made once, completed when something is missing, otherwise left as it is.

What can be shown only once (password, keys) is kept in DATA_DIR/demo/access.json, readable by its owner
alone. The file is written before the transaction commits: a seeding that dies halfway leaves at most a
file that names an organization which never came to be, and the next one begins anew.
"""

from __future__ import annotations

import json
import os
import secrets
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final

from django.conf import settings
from django.db import transaction

from accounts.actors import SYSTEM
from accounts.models import Membership, Organization, User
from accounts.services import create_organization
from assets.models import Asset
from assets.services import upload_asset
from config.alone import alone
from dashboard.demo import TEMPLATES, DemoTemplate, data_with_logo, logo_bytes
from templates_app.models import Template
from templates_app.services import create_template, publish_template

ORGANIZATION: Final = "Demo Company"
ALLOWED_DOMAINS: Final = ("localhost", "127.0.0.1")
EMAIL: Final = "admin@example.com"
AUTHOR: Final = "demo"
LOGO_NAME: Final = "Fennmark logo.png"

Kept = dict[str, Any]


@dataclass(frozen=True)
class DemoAccess:
    """How to get in. What is None cannot be shown (any more); `notes` say why."""

    email: str
    password: str | None = field(repr=False)
    organization_id: str
    public_key: str | None = field(repr=False)
    secret_key: str | None = field(repr=False)
    signing_secret: str | None = field(repr=False)
    # slug -> file with a body of POST /v1/render; only templates that can be rendered
    requests: Mapping[str, Path]
    notes: tuple[str, ...]


def seed_demo() -> DemoAccess:
    """Create what is missing of the demo and return how to get in; harmless and quick when all is there."""
    # Two at once would each make what is missing: the second one waits and finds it.
    with alone("seed_demo"), transaction.atomic():
        kept = _read()
        organization = _organization(kept)
        _administrator(organization, kept)
        logo = _logo(organization, kept)
        templates = {demo.slug: _template(demo, organization, logo, kept) for demo in TEMPLATES}
        _write_json(_file("access"), kept, mode=0o600)
    requests = {
        demo.slug: _request(demo, templates[demo.slug], logo)
        for demo in TEMPLATES
        if templates[demo.slug].status == Template.Status.PUBLISHED
    }
    return _access(organization, kept, requests)


def _organization(kept: Kept) -> Organization:
    """Return the demo organization, by its kept id or else its name; a new one when there is none."""
    organization = Organization.objects.filter(pk=kept.get("organizationId", "")).first()
    if organization is None:
        # The file is of another database, or of a seeding that never committed.
        for name in kept.keys() - {"email", "password"}:
            del kept[name]
        organization = Organization.objects.filter(name=ORGANIZATION).order_by("created_at").first()
    if organization is None:
        organization, credentials = create_organization(name=ORGANIZATION, allowed_domains=ALLOWED_DOMAINS)
        kept |= {
            "publicKey": credentials.public_key,
            "secretKey": credentials.secret_key,
            "signingSecret": credentials.signing_secret,
        }
    kept["organizationId"] = organization.pk
    return organization


def _administrator(organization: Organization, kept: Kept) -> None:
    """Create the administrator with a random password; one that exists is left as it is."""
    if User.objects.filter(email=EMAIL).exists():
        return
    password = secrets.token_urlsafe(15)
    user = User.objects.create_superuser(EMAIL, password)
    Membership.objects.create(user=user, organization=organization, role=Membership.Role.OWNER)
    kept |= {"email": EMAIL, "password": password}


def _logo(organization: Organization, kept: Kept) -> str:
    """Return the id of the logo's asset, uploaded when it is missing."""
    asset = Asset.objects.filter(organization=organization, pk=kept.get("logo", "")).first()
    if asset is None:
        asset = Asset.objects.filter(organization=organization, name=LOGO_NAME).first()
    if asset is None:
        asset = upload_asset(organization=organization, name=LOGO_NAME, content=logo_bytes(), actor=SYSTEM)
    kept["logo"] = asset.pk
    return asset.pk


def _template(demo: DemoTemplate, organization: Organization, logo: str, kept: Kept) -> Template:
    """Return the demo's template, created when it is missing; an archived one stays archived."""
    ids = kept.setdefault("templates", {})
    own = Template.objects.filter(organization=organization, external_user_id=None)
    template = own.filter(pk=ids.get(demo.slug, "")).first()
    if template is None:  # the file is lost, or the template was deleted in the database
        template = own.filter(name=demo.body["name"], content_created_by=AUTHOR).order_by("id").first()
    if template is None:
        template = create_template(
            organization=organization, body=data_with_logo(demo.body, logo), author=AUTHOR
        )
        template = publish_template(templates=own, template_id=template.pk, author=AUTHOR)
    ids[demo.slug] = template.pk
    return template


def _request(demo: DemoTemplate, template: Template, logo: str) -> Path:
    """Write the body of a render request and return its path."""
    path = _file(demo.slug)
    body = {"templateId": template.pk, "format": demo.format, "data": data_with_logo(demo.data, logo)}
    _write_json(path, body, mode=0o644)
    return path


def _access(organization: Organization, kept: Kept, requests: Mapping[str, Path]) -> DemoAccess:
    """Return what of the kept credentials still opens a door, with a note for what does not."""
    notes = []
    password = kept.get("password")
    user = User.objects.filter(email=EMAIL).first()
    if password is None or user is None or not user.check_password(password):
        password = None
        notes.append(
            f"The password of {EMAIL} was changed or set elsewhere; "
            f"manage.py changepassword {EMAIL} sets a new one."
        )
    keys_live = _keys_live(organization, kept)
    if not keys_live:
        notes.append(
            f'The keys of "{organization.name}" were rotated, or made elsewhere, and cannot be shown again; '
            "rotate them in the admin to see new ones."
        )
    gone = [demo.slug for demo in TEMPLATES if demo.slug not in requests]
    if gone:
        notes.append(f"Not published any more: {', '.join(gone)}.")
    return DemoAccess(
        email=EMAIL,
        password=password,
        organization_id=organization.pk,
        public_key=kept["publicKey"] if keys_live else None,
        secret_key=kept["secretKey"] if keys_live else None,
        signing_secret=kept["signingSecret"] if keys_live else None,
        requests=requests,
        notes=tuple(notes),
    )


def _keys_live(organization: Organization, kept: Kept) -> bool:
    """Tell whether both kept keys still name the organization; the three credentials change together."""
    keys = [kept.get(name) for name in ("publicKey", "secretKey")]
    return kept.get("signingSecret") is not None and all(
        isinstance(key, str) and Organization.objects.for_api_key(key.encode()) == organization
        for key in keys
    )


def _file(name: str) -> Path:
    return Path(settings.DATA_DIR) / "demo" / f"{name}.json"


def _read() -> Kept:
    """Return what earlier seedings kept; nothing when there is no file or it cannot be read as ours."""
    try:
        kept = json.loads(_file("access").read_text(encoding="utf-8"))
    except (FileNotFoundError, ValueError):
        return {}
    return kept if isinstance(kept, dict) else {}


def _write_json(path: Path, value: Any, *, mode: int) -> None:
    """Replace a file at once by the JSON of `value`, unless it holds it already."""
    content = json.dumps(value, ensure_ascii=False, indent=1) + "\n"
    if path.exists() and path.read_text(encoding="utf-8") == content:
        return
    path.parent.mkdir(parents=True, exist_ok=True)
    draft = path.with_name(f".{path.name}.{os.getpid()}.{secrets.token_hex(4)}")
    descriptor = os.open(draft, os.O_WRONLY | os.O_CREAT | os.O_EXCL, mode)
    try:
        with os.fdopen(descriptor, "w", encoding="utf-8") as file:
            file.write(content)
            file.flush()
            os.fsync(file.fileno())
        draft.replace(path)
    finally:
        draft.unlink(missing_ok=True)
