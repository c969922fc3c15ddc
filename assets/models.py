"""Uploaded files that templates refer to."""

from __future__ import annotations

from pathlib import PurePosixPath
from typing import TYPE_CHECKING

from django.db import models

from config.api.ids import ID_LENGTH, id_maker
from config.api.rows import ByIdQuerySet

if TYPE_CHECKING:
    from accounts.caller import Caller

EXTENSIONS = {
    "image/png": "png",
    "image/jpeg": "jpg",
    "image/svg+xml": "svg",
    "font/ttf": "ttf",
}


class AssetQuerySet(ByIdQuerySet["Asset"]):
    """Queries over assets."""

    def visible_to(self, caller: Caller) -> AssetQuerySet:
        """Keep the assets of the caller's organization; they belong to no single end user."""
        return self.filter(organization=caller.organization)


class Asset(models.Model):
    """An image or typeface of an organization; `file` is its name in the storage. Read-only in the API."""

    class Kind(models.TextChoices):
        """What an asset is used as."""

        IMAGE = "image"
        FONT = "font"

    id = models.CharField(primary_key=True, max_length=ID_LENGTH, default=id_maker("ast"), editable=False)
    organization = models.ForeignKey("accounts.Organization", models.CASCADE, related_name="assets")
    name = models.CharField(max_length=255)
    kind = models.CharField(max_length=16, choices=Kind, default=Kind.IMAGE)
    content_type = models.CharField(max_length=100)
    size_bytes = models.PositiveBigIntegerField()
    width = models.PositiveIntegerField(null=True, blank=True, help_text="pixels; empty for a font")
    height = models.PositiveIntegerField(null=True, blank=True, help_text="pixels; empty for a font")
    file = models.CharField(max_length=255, unique=True, help_text="name in the storage")
    created_at = models.DateTimeField(auto_now_add=True)

    objects = AssetQuerySet.as_manager()

    class Meta:
        ordering = ("-id",)
        indexes = (models.Index(fields=("organization", "-id"), name="asset_organization"),)

    def __str__(self) -> str:
        return self.name

    @property
    def filename(self) -> str:
        """The name under which a browser saves it: an uploaded `logo.webp` is stored as PNG."""
        return f"{PurePosixPath(self.name).stem or self.id}.{EXTENSIONS[self.content_type]}"
