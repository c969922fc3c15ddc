"""The asset on the wire."""

from __future__ import annotations

from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import OpenApiExample, extend_schema_field, extend_schema_serializer
from rest_framework import serializers

from assets.models import Asset
from config.api.urls import base_url
from config.files import presign

EXAMPLE = {
    "id": "ast_01k8z4v0q7m3xj5t9n2c6b1d8f",
    "name": "logo.png",
    "kind": "image",
    "contentType": "image/png",
    "sizeBytes": 18211,
    "width": 640,
    "height": 240,
    "url": "https://documents.example.com/files/assets/org_01k8z4/ast_01k8z4.png?Expires=1767225600&Signature=...",
    "createdAt": "2026-01-01T09:30:00Z",
}


@extend_schema_serializer(
    component_name="Asset", examples=[OpenApiExample("Asset", EXAMPLE, response_only=True)]
)
class AssetSerializer(serializers.Serializer[Asset]):
    """An uploaded file of the organization."""

    id = serializers.CharField()
    name = serializers.CharField(help_text="File name at upload.")
    kind = serializers.CharField(help_text="What the asset is used as: `image` or `font`.")
    contentType = serializers.CharField(
        source="content_type", help_text="Media type, read from the content itself."
    )
    sizeBytes = serializers.IntegerField(source="size_bytes", help_text="Size of the file in bytes.")
    width = serializers.IntegerField(allow_null=True, help_text="Width in pixels; null for a font.")
    height = serializers.IntegerField(allow_null=True, help_text="Height in pixels; null for a font.")
    url = serializers.SerializerMethodField(
        help_text="Presigned link to the content, valid for about an hour."
    )
    createdAt = serializers.DateTimeField(source="created_at", help_text="Time of the upload, UTC.")

    @extend_schema_field(OpenApiTypes.URI)
    def get_url(self, asset: Asset) -> str:
        """Sign a fresh link, on the address by which `request` of the context came."""
        return presign(
            asset.file,
            filename=asset.filename,
            content_type=asset.content_type,
            disposition="inline",
            request_base_url=base_url(self.context["request"]),
        )
