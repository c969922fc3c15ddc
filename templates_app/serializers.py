"""How templates and versions look on the wire."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from drf_spectacular.extensions import OpenApiSerializerFieldExtension
from drf_spectacular.openapi import AutoSchema
from pydantic import create_model
from rest_framework import serializers

from config.api.schema import pydantic_schema
from templates_app import formats
from templates_app.bodies import Page, Sections, Variables
from templates_app.models import Template, TemplateVersion

if TYPE_CHECKING:
    from accounts.caller import Caller


class StoredJson(serializers.Field[Any, Any, Any, Any]):
    """JSON as stored, described by the typed model it was checked against."""

    def __init__(self, model: Any, **kwargs: Any) -> None:
        super().__init__(read_only=True, **kwargs)
        self.model = model

    def to_representation(self, value: Any) -> Any:
        """Return the stored value."""
        return value


class StoredJsonSchema(OpenApiSerializerFieldExtension):
    """Describe StoredJson by its model's schema."""

    target_class = StoredJson

    def map_serializer_field(self, auto_schema: AutoSchema, direction: str) -> dict[str, Any]:
        """Return the schema of the wrapped type."""
        holder = create_model("Holder", value=(self.target.model, ...))
        schema: dict[str, Any] = pydantic_schema(holder, auto_schema)["properties"]["value"]
        schema.pop("title", None)
        return schema


class FormatsField(serializers.ListField):
    """Names of output formats."""

    child = serializers.CharField()


class FormatsSchema(OpenApiSerializerFieldExtension):
    """Ask the registry for the names when the schema is made."""

    target_class = FormatsField

    def map_serializer_field(self, auto_schema: AutoSchema, direction: str) -> dict[str, Any]:
        """Return an array of the known names."""
        return {"type": "array", "items": {"type": "string", "enum": list(formats.known())}}


class TemplateSummarySerializer(serializers.ModelSerializer[Template]):
    """A template in a list."""

    status = serializers.ChoiceField(choices=Template.Status.choices, read_only=True)
    formats = FormatsField(read_only=True)
    externalUserId = serializers.CharField(source="external_user_id", read_only=True, allow_null=True)
    createdAt = serializers.DateTimeField(source="created_at", read_only=True)
    updatedAt = serializers.DateTimeField(source="updated_at", read_only=True)
    publishedAt = serializers.DateTimeField(source="published_at", read_only=True, allow_null=True)

    class Meta:
        model = Template
        fields: tuple[str, ...] = (
            "id", "name", "description", "status", "version", "formats",
            "externalUserId", "createdAt", "updatedAt", "publishedAt",
        )  # fmt: skip
        read_only_fields: tuple[str, ...] = fields


class TemplateSerializer(TemplateSummarySerializer):
    """A template with its content."""

    sections = StoredJson(Sections)
    variables = StoredJson(Variables)
    page = StoredJson(Page)
    sampleData = StoredJson(dict[str, Any], source="sample_data")

    class Meta(TemplateSummarySerializer.Meta):
        fields = (
            "id", "name", "description", "status", "version", "formats", "sections", "variables", "page",
            "sampleData", "externalUserId", "createdAt", "updatedAt", "publishedAt",
        )  # fmt: skip
        read_only_fields = fields


class TemplateVersionSerializer(serializers.ModelSerializer[TemplateVersion]):
    """Content of one version; `createdAt` is when it came to be."""

    formats = FormatsField(read_only=True)
    sections = StoredJson(Sections)
    variables = StoredJson(Variables)
    page = StoredJson(Page)
    sampleData = StoredJson(dict[str, Any], source="sample_data")
    createdAt = serializers.DateTimeField(source="created_at", read_only=True)
    createdBy = serializers.SerializerMethodField(
        help_text="`api`, `user:` and the end user's id, or a person's e-mail. A public key reads "
        "`organization` in place of a person's e-mail and of another end user's id.",
    )

    class Meta:
        model = TemplateVersion
        fields = (
            "version", "name", "description", "formats", "sections", "variables", "page", "sampleData",
            "createdAt", "createdBy",
        )  # fmt: skip
        read_only_fields = fields

    def get_createdBy(self, version: TemplateVersion) -> str:
        """Return who made it, as the `caller` of the context may know it."""
        caller: Caller = self.context["caller"]
        return caller.author_as_told(version.created_by)
