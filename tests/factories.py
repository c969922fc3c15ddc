"""Rows that tests start from."""

from typing import Any

import factory
from django.utils import timezone

from accounts.models import Organization
from accounts.services import create_organization
from config.api.ids import id_maker
from rendering.models import Document
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
