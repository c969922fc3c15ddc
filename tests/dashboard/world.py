"""The cast of the dashboard's tests and screenshots: one organization with an owner, an editor and a viewer,
and another one that must see nothing of it."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from django.test import Client

from accounts.models import Membership, Organization, User
from accounts.people import invite
from accounts.services import change_domains, create_organization
from accounts.webhooks.events import emit
from accounts.webhooks.models import Webhook
from accounts.webhooks.signing import make_secret
from templates_app.models import Template
from templates_app.services import create_template, update_template
from tests.conftest import INVOICE, INVOICE_DATA
from tests.dashboard.records import make_records
from tests.factories import OrganizationFactory, TemplateFactory

PASSWORD = "violet harbour lamp"
ROLES = ("owner", "editor", "viewer")


def make_user(email: str, name: str = "", **fields: object) -> User:
    """Return a person with the password of all of them."""
    first, _, last = name.partition(" ")
    return User.objects.create_user(email, PASSWORD, first_name=first, last_name=last, **fields)


def page(answer: Any) -> str:
    """Return the page of an answer with all white space as one blank."""
    return " ".join(answer.content.decode().split())


@dataclass
class World:
    """Who and what there is. `ids` fill the paths of `tests.dashboard.pages`."""

    organization: Organization
    people: dict[str, User]
    ids: dict[str, str] = field(default_factory=dict)

    def client(self, role: str, **options: object) -> Client:
        """Return the browser of somebody: a role, `stranger` (another organization's owner) or `nobody`."""
        client = Client(**options)  # type: ignore[arg-type]
        if role != "nobody":
            client.force_login(self.people[role])
        return client

    def path(self, path: str) -> str:
        """Return a path with the ids of this world."""
        return path.format(**self.ids)


def make_webhook(organization: Organization, url: str) -> Webhook:
    """Return a webhook for all events; its address is not looked up."""
    webhook = Webhook(organization=organization, url=url)
    webhook.set_secret(make_secret())
    webhook.save(force_insert=True)
    return webhook


def make_draft(organization: Organization) -> Template:
    """Return a draft with three versions, sample data, and something that the publish gate warns of."""
    author = "ed@acme.example"
    table = INVOICE["sections"][1]
    draft = create_template(
        organization=organization,
        body=INVOICE | {"name": "Offer", "sampleData": INVOICE_DATA},
        author=author,
    )
    columns = [*table["columns"], {"key": "unit", "header": "Unit"}]
    for change in (
        {"sections": [{"type": "heading", "content": "Offer {{number}}"}, table]},
        {"sections": [{"type": "heading", "content": "Offer {{number}}"}, table | {"columns": columns}]},
    ):
        draft = update_template(
            templates=Template.objects.filter(organization=organization),
            template=draft,
            body=change,
            author=author,
            may_move=False,
        )
    return draft


def make_world(name: str = "Acme") -> World:
    """Create the cast in the database."""
    people = {
        "owner": make_user("ada@acme.example", "Ada Byron"),
        "editor": make_user("ed@acme.example", "Edsger Holt"),
        "viewer": make_user("vera@acme.example"),
        "stranger": make_user("sam@globex.example", "Sam Stone"),
    }
    organization = OrganizationFactory(name=name, allowed_domains=["acme.example"])
    for role in ROLES:
        Membership.objects.create(organization=organization, user=people[role], role=role)
    create_organization(name="Globex", owner=people["stranger"])
    invitation, token = invite(
        organization=organization, email="new@acme.example", role="editor", inviter=people["owner"]
    )
    change_domains(
        organization=organization,
        allowed_domains=["acme.example", "localhost"],
        actor=people["owner"].email,
    )
    template = TemplateFactory(organization=organization, name="Invoice", published=True)
    draft = make_draft(organization)
    webhook = make_webhook(organization, "https://hooks.acme.example/documents")
    event = emit(organization.pk, "template.published", {"id": template.pk, "name": template.name})
    assert event is not None
    ids = {
        "o": f"/o/{organization.pk}",
        "organization": organization.pk,
        "member": str(people["viewer"].pk),
        "invitation": invitation.pk,
        "token": token,
        "template": template.pk,
        "draft": draft.pk,
        "webhook": webhook.pk,
        "delivery": event.deliveries.get().pk,
        **make_records(organization, template),
    }
    return World(organization, people, ids)
