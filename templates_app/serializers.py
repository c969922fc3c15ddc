"""How templates and versions look on the wire."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from drf_spectacular.extensions import OpenApiSerializerFieldExtension
from drf_spectacular.openapi import AutoSchema
from pydantic import create_model
from rest_framework import serializers

from config.api.schema import pydantic_schema, shown_as
from templates_app import formats
from templates_app.bodies import Page, Sections, Variables
from templates_app.models import Template, TemplateVersion

if TYPE_CHECKING:
    from accounts.caller import Caller

_SUMMARY: dict[str, Any] = {
    "id": "tpl_01jd0000000000000000000000",
    "name": "Invoice",
    "description": "To customers in the euro area",
    "status": "published",
    "version": 3,
    "formats": ["pdf"],
    "externalUserId": None,
    "createdAt": "2026-10-30T16:40:02.511870Z",
    "updatedAt": "2026-11-02T08:10:12.030044Z",
    "publishedAt": "2026-11-02T08:12:45.902316Z",
}
_CONTENT: dict[str, Any] = {
    "sections": [
        {"type": "heading", "content": "Invoice {{invoice_number}}"},
        {"type": "table", "source": "items", "columns": [{"key": "description"}, {"key": "amount"}]},
    ],
    "variables": [],
    "page": {"size": "A4", "locale": "de-AT", "currency": "EUR"},
    "sampleData": {"invoice_number": "2026-0042", "items": [{"description": "Pump", "amount": 1500}]},
}


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


@shown_as(_SUMMARY)
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


@shown_as(_SUMMARY | _CONTENT)
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


@shown_as(
    {name: _SUMMARY[name] for name in ("version", "name", "description", "formats")}
    | _CONTENT
    | {"createdAt": _SUMMARY["updatedAt"], "createdBy": "ada@example.com"}
)
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
