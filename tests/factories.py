"""Rows that tests start from."""

from typing import Any

import factory
from django.utils import timezone

from accounts.models import Organization
from accounts.services import create_organization
from accounts.webhooks.models import Webhook, WebhookDelivery, WebhookEvent
from accounts.webhooks.signing import make_secret
from config.api.ids import id_maker
from rendering.models import Batch, Document
from templates_app.models import Template, TemplateVersion


class OrganizationFactory(factory.django.DjangoModelFactory):
    """An organization made the only way there is; its credentials are left in `credentials`."""

    class Meta:
        model = Organization

    name = factory.Sequence(lambda number: f"Organization {number}")
    allowed_domains = ("example.com",)

    @classmethod
    def _create(cls, model_class: Any, *args: Any, **kwargs: Any) -> Organization:
        organization, organization.credentials = create_organization(**kwargs)
        return organization


class TemplateFactory(factory.django.DjangoModelFactory):
    """A draft with one heading, stored without any check."""

    class Meta:
        model = Template

    organization = factory.SubFactory(OrganizationFactory)
    name = factory.Sequence(lambda number: f"Template {number}")
    formats = ["pdf", "xlsx"]
    sections = [{"type": "heading", "content": "Hello {{name}}"}]
    created_at = factory.LazyFunction(timezone.now)
    updated_at = factory.SelfAttribute("created_at")
    content_created_at = factory.SelfAttribute("created_at")
    content_created_by = "api"

    class Params:
        published = factory.Trait(
            status=Template.Status.PUBLISHED, published_at=factory.SelfAttribute("created_at")
        )


class TemplateVersionFactory(factory.django.DjangoModelFactory):
    """A version entry."""

    class Meta:
        model = TemplateVersion

    template = factory.SubFactory(TemplateFactory)
    version = factory.Sequence(lambda number: number + 1)
    name = "Earlier"
    created_at = factory.LazyFunction(timezone.now)
    created_by = "api"


class BatchFactory(factory.django.DjangoModelFactory):
    """A batch of three items that nobody has begun, without their data."""

    class Meta:
        model = Batch

    id = factory.LazyFunction(id_maker("bat"))
    template = factory.SubFactory(TemplateFactory)
    organization = factory.SelfAttribute("template.organization")
    template_version = 1
    format = "pdf"
    output = Batch.Output.FILES
    total = 3
    filename = "Batch"
    created_at = factory.LazyFunction(timezone.now)


class DocumentFactory(factory.django.DjangoModelFactory):
    """A document that is still processing."""

    class Meta:
        model = Document

    id = factory.LazyFunction(id_maker("doc"))
    template = factory.SubFactory(TemplateFactory)
    organization = factory.SelfAttribute("template.organization")
    template_version = 1
    format = "pdf"
    filename = "document.pdf"
    file = factory.LazyAttribute(lambda document: f"documents/test/{document.id}.pdf")
    created_at = factory.LazyFunction(timezone.now)
    lease_expires_at = factory.LazyFunction(timezone.now)

    class Params:
        completed = factory.Trait(
            status=Document.Status.COMPLETED,
            file_size_bytes=1,
            render_time_ms=1,
            completed_at=factory.SelfAttribute("created_at"),
        )


class WebhookFactory(factory.django.DjangoModelFactory):
    """A webhook for everything, at an address of which nobody asks whether it exists."""

    class Meta:
        model = Webhook

    organization = factory.SubFactory(OrganizationFactory)
    url = "https://hooks.example.com/"

    @classmethod
    def _create(cls, model_class: Any, *args: Any, **kwargs: Any) -> Webhook:
        webhook = Webhook(**kwargs)
        webhook.set_secret(make_secret())
        webhook.save(force_insert=True)
        return webhook


class WebhookDeliveryFactory(factory.django.DjangoModelFactory):
    """A delivery that arrived."""

    class Meta:
        model = WebhookDelivery

    webhook = factory.SubFactory(WebhookFactory)
    event = factory.LazyAttribute(
        lambda delivery: WebhookEvent.objects.create(
            organization_id=delivery.webhook.organization_id, type="document.completed", body="{}"
        )
    )
    status = WebhookDelivery.Status.DELIVERED
    attempts = 1
