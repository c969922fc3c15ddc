"""Templates and their earlier versions."""

from __future__ import annotations

from typing import Any, Final

from django.db import models
from django.db.models.functions import Lower

from accounts.models import Organization
from accounts.scoping import OwnedQuerySet
from config.api.ids import ID_LENGTH, id_maker
from config.exact_json import ExactJSONField
from templates_app.content import LONGEST_NAME, Content


class ContentFields(models.Model):
    """What an author writes; shared by a template and its versions. JSON columns hold the wire form."""

    name = models.CharField(max_length=LONGEST_NAME)
    description = models.TextField(blank=True, default="")
    formats = models.JSONField(default=list)
    sections = ExactJSONField(default=list)
    # Declared and inferred ones, so that reading a template needs no inference.
    variables = ExactJSONField(default=list, blank=True)
    page = ExactJSONField(default=dict, blank=True)
    sample_data = ExactJSONField(default=dict, blank=True)

    class Meta:
        abstract = True

    def content(self) -> Content:
        """Return the content as plain values."""
        return Content(
            name=self.name,
            description=self.description,
            formats=self.formats,
            sections=self.sections,
            variables=self.variables,
            page=self.page,
            sample_data=self.sample_data,
        )

    def declared(self) -> list[dict[str, Any]]:
        """Return the variables that the author declared; the others follow from the sections."""
        return [variable for variable in self.variables if not variable.get("inferred")]

    def body(self) -> dict[str, Any]:
        """Return the content as a body of `POST /v1/templates`."""
        return {
            "name": self.name,
            "description": self.description,
            "formats": self.formats,
            "sections": self.sections,
            "variables": self.declared(),
            "page": self.page,
            "sampleData": self.sample_data,
        }


# What no list shows. A list of the API shows the description, pages do not.
LARGE_COLUMNS: Final = ("sections", "variables", "page", "sample_data")
UNSEEN_COLUMNS: Final = (*LARGE_COLUMNS, "description")


class TemplateQuerySet(OwnedQuerySet["Template"]):
    """Queries of templates; visibility comes from OwnedQuerySet."""

    def listed(self) -> TemplateQuerySet:
        """Leave archived templates out, and the columns that lists do not show."""
        return self.exclude(status=Template.Status.ARCHIVED).defer(*LARGE_COLUMNS)

    def light(self) -> TemplateQuerySet:
        """Leave out the columns that pages with many templates do not show."""
        return self.defer(*UNSEEN_COLUMNS)


class Template(ContentFields):
    """A template: its present content, version and status (specification section 3)."""

    class Status(models.TextChoices):
        DRAFT = "draft"
        PUBLISHED = "published"
        ARCHIVED = "archived"

    id = models.CharField(primary_key=True, max_length=ID_LENGTH, default=id_maker("tpl"), editable=False)
    organization = models.ForeignKey(Organization, on_delete=models.PROTECT, related_name="templates")
    external_user_id = models.CharField(max_length=255, null=True, blank=True)  # noqa: DJ001 (null: the organization's own)
    status = models.CharField(max_length=20, choices=Status.choices, default=Status.DRAFT)
    version = models.PositiveIntegerField(default=1)
    created_at = models.DateTimeField()
    updated_at = models.DateTimeField()
    published_at = models.DateTimeField(null=True, blank=True)
    archived_at = models.DateTimeField(null=True, blank=True)
    # When and by whom the present content came to be; moves into the version entry when it is replaced.
    content_created_at = models.DateTimeField()
    content_created_by = models.CharField(max_length=320)

    objects = TemplateQuerySet.as_manager()

    class Meta:
        indexes = [
            models.Index(fields=["organization", "-id"], name="template_by_organization"),
            models.Index(fields=["organization", "external_user_id", "-id"], name="template_by_user"),
            # The dashboard's orders. With the status, so that rows of another one are never read.
            models.Index(fields=["organization", "-updated_at", "-id", "status"], name="template_by_change"),
            models.Index("organization", Lower("name"), "id", "status", name="template_by_name"),
        ]

    def __str__(self) -> str:
        return self.name

    @property
    def is_archived(self) -> bool:
        """Tell whether it was archived."""
        return self.status == self.Status.ARCHIVED


class TemplateVersion(ContentFields):
    """Content that an update replaced."""

    template = models.ForeignKey(Template, on_delete=models.CASCADE, related_name="versions")
    version = models.PositiveIntegerField()
    created_at = models.DateTimeField()
    created_by = models.CharField(max_length=320)

    class Meta:
        constraints = [models.UniqueConstraint(fields=["template", "version"], name="one_entry_per_version")]

    def __str__(self) -> str:
        return f"{self.name} v{self.version}"

    @classmethod
    def of(cls, template: Template) -> TemplateVersion:
        """Return an unsaved entry that holds the template's present content."""
        content: dict[str, Any] = {
            field.name: getattr(template, field.name) for field in ContentFields._meta.get_fields()
        }
        return cls(
            template=template,
            version=template.version,
            created_at=template.content_created_at,
            created_by=template.content_created_by,
            **content,
        )


class TemplateSample(models.Model):
    """Data to look at a template with, under a name; the template's own `sample_data` is the default one."""

    template = models.ForeignKey(Template, on_delete=models.CASCADE, related_name="samples")
    name = models.CharField(max_length=100)
    data = ExactJSONField(default=dict)
    position = models.PositiveSmallIntegerField(default=0)

    class Meta:
        ordering = ["position", "id"]
        constraints = [
            models.UniqueConstraint(fields=["template", "name"], name="one_sample_per_name"),
        ]

    def __str__(self) -> str:
        return self.name
