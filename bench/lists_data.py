"""An organization with so many of everything: what `bench.lists` shows."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import timedelta

from django.utils import timezone

from accounts.models import AuditEntry, Invitation, Membership, Organization, User, UserSession
from accounts.services import create_organization
from accounts.webhooks.models import Webhook, WebhookAttempt, WebhookDelivery, WebhookEvent
from accounts.webhooks.signing import make_secret
from assets.models import Asset
from config.api.ids import new_id
from rendering.models import Batch, Document
from templates_app.models import Template
from usage.models import MonthlyCount

AT_ONCE = 500
STATUSES = ("completed", "completed", "completed", "failed", "processing")
ACTORS = ("api", "user:customer-7", "owner")


@dataclass(frozen=True)
class Filled:
    """An organization, its owner, and the ids that addresses name."""

    organization: Organization
    owner: User
    ids: dict[str, str]

    def address(self, path: str) -> str:
        """Return the address of a page: of the organization, or of the person after an `@`."""
        if path.startswith("@"):
            return path[1:]
        return f"/o/{self.organization.pk}{path.format(**self.ids)}"


def fill(rows: int) -> Filled:
    """Create an organization with so many rows of each kind."""
    owner = User.objects.create_user(f"owner-{rows}@example.com", "none of importance")
    organization, _ = create_organization(name=f"With {rows}", owner=owner)
    templates = _templates(organization, rows)
    _documents(organization, templates, rows)
    batch = _batches(organization, templates[0], rows)
    _documents(organization, templates[:1], rows, batch)
    _usage(organization, templates, rows)
    _people(organization, owner, rows)
    _log(organization, owner, rows)
    webhook, delivery = _deliveries(organization, rows)
    Asset.objects.bulk_create(
        Asset(
            organization=organization,
            name=f"picture-{number}.png",
            content_type="image/png",
            size_bytes=20_000 + number,
            width=640,
            height=480,
            file=f"assets/{organization.pk}/{number}.png",
        )
        for number in range(rows)
    )
    ids = {"batch": batch.pk, "webhook": webhook.pk, "delivery": delivery.pk, "owner": owner.email}
    return Filled(organization, owner, ids)


def _templates(organization: Organization, rows: int) -> list[Template]:
    now = timezone.now()
    return Template.objects.bulk_create(
        [
            Template(
                organization=organization,
                name=f"Template {number}",
                formats=["pdf", "xlsx"],
                sections=[{"type": "heading", "content": "Hello {{name}}"}] * 20,
                status="published",
                published_at=now,
                created_at=now,
                updated_at=now,
                content_created_at=now,
                content_created_by="api",
            )
            for number in range(rows)
        ]
    )


def _documents(
    organization: Organization, templates: list[Template], rows: int, batch: Batch | None = None
) -> None:
    now = timezone.now()
    made = []
    for number in range(rows):
        status = STATUSES[number % len(STATUSES)]
        is_done = status == "completed"
        made.append(
            Document(
                organization=organization,
                external_user_id=f"customer-{number % 20}" if number % 2 else None,
                template=templates[number % len(templates)],
                template_version=1,
                format="pdf",
                batch=batch,
                batch_index=number if batch else None,
                status=status,
                filename=f"invoice-{number}.pdf",
                file=f"documents/{organization.pk}/{new_id('doc')}.pdf",
                file_size_bytes=40_000 if is_done else None,
                render_time_ms=80 if is_done else None,
                error="data.items[3].price: must be a number" if status == "failed" else "",
                created_by=ACTORS[number % len(ACTORS)],
                created_at=now,
                completed_at=now if is_done else None,
                lease_expires_at=now + timedelta(days=1),
            )
        )
    Document.objects.bulk_create(made, batch_size=AT_ONCE)


def _batches(organization: Organization, template: Template, rows: int) -> Batch:
    made = Batch.objects.bulk_create(
        Batch(
            organization=organization,
            template=template,
            template_version=1,
            format="pdf",
            output="files",
            status="completed",
            total=rows,
            completed=rows,
            filename=f"Run {number}",
            created_by="api",
            created_at=timezone.now(),
        )
        for number in range(rows)
    )
    return made[0]


def _usage(organization: Organization, templates: list[Template], rows: int) -> None:
    month = timezone.now().date().replace(day=1)
    MonthlyCount.objects.bulk_create(
        MonthlyCount(
            organization=organization,
            month=month,
            template_id=template.pk,
            format="pdf",
            external_user_id=f"customer-{number}",
            documents=1 + number,
        )
        for number, template in enumerate(templates[:rows])
    )


def _people(organization: Organization, owner: User, rows: int) -> None:
    now = timezone.now()
    people = User.objects.bulk_create(
        User(email=f"person-{number}-of-{rows}@example.com", first_name="Ann", last_name=f"Lee {number}")
        for number in range(rows)
    )
    Membership.objects.bulk_create(
        Membership(user=person, organization=organization, role="viewer") for person in people
    )
    Invitation.objects.bulk_create(
        Invitation(
            organization=organization,
            email=f"new-{number}@example.com",
            role="viewer",
            token_digest=f"{number}-{organization.pk}"[:64],
            invited_by=owner,
            expires_at=now + timedelta(days=7),
        )
        for number in range(rows)
    )
    UserSession.objects.bulk_create(
        UserSession(
            session_key=f"{number}-{organization.pk}",
            session_data="",
            expire_date=now + timedelta(days=7),
            user=owner,
            user_agent="Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0",
            ip="192.0.2.7",
        )
        for number in range(rows)
    )


def _log(organization: Organization, owner: User, rows: int) -> None:
    AuditEntry.objects.bulk_create(
        AuditEntry(
            organization=organization,
            actor=owner.email,
            actor_user=owner,
            action="template.updated",
            object_type="template",
            object_id=f"tpl_{number}",
            object_name=f"Template {number}",
            detail={"version": number, "changed": ["sections"]},
        )
        for number in range(rows)
    )


def _deliveries(organization: Organization, rows: int) -> tuple[Webhook, WebhookDelivery]:
    webhook = Webhook(organization=organization, url="https://hooks.example.com/documents", enabled=False)
    webhook.set_secret(make_secret())
    webhook.save()
    events = WebhookEvent.objects.bulk_create(
        WebhookEvent(organization=organization, type="document.completed", body="{}") for _ in range(rows)
    )
    made = WebhookDelivery.objects.bulk_create(
        WebhookDelivery(webhook=webhook, event=event, status="delivered", attempts=1, last_status_code=200)
        for event in events
    )
    WebhookAttempt.objects.bulk_create(
        WebhookAttempt(
            delivery=made[0],
            number=number + 1,
            started_at=timezone.now(),
            duration_ms=80,
            status_code=503,
            response="unavailable",
        )
        for number in range(rows)
    )
    return webhook, made[0]
