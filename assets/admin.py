"""Uploaded images and fonts in the admin: upload, look at, delete."""

from __future__ import annotations

from contextlib import suppress
from typing import Any

from django.contrib import admin
from django.core.files.uploadedfile import UploadedFile
from django.db.models import QuerySet
from django.http import HttpRequest, HttpResponse
from django.template.defaultfilters import filesizeformat
from django.utils.html import format_html
from unfold.decorators import display

from accounts.admin_filters import OrganizationFilter
from accounts.admin_pages import BoundedAdmin, identifier, moment
from assets.forms import AssetUploadForm
from assets.models import Asset
from assets.references import uses_of
from assets.services import AssetGone, Examined, delete_asset, examine, read_upload
from config.files import presign


@admin.register(Asset)
class AssetAdmin(BoundedAdmin):
    """Every organization's images and fonts, newest first."""

    list_display = ("thumbnail", "header", "organization", "content_type", "dimensions", "size", "created")
    list_display_links = ("thumbnail", "header")
    list_filter = ("kind", "content_type", ("organization", OrganizationFilter))
    list_select_related = ("organization",)
    created = moment("created_at", "Uploaded")
    search_fields = ("name", "=id", "=organization__id")
    search_help_text = "Name, id, or id of the organization"
    autocomplete_fields = ("organization",)
    readonly_fields = ("preview", "shown_id", "dimensions", "size", "created")
    fieldsets = (
        (
            None,
            {
                "fields": (
                    "preview",
                    ("name", "organization"),
                    ("content_type", "dimensions"),
                    ("size", "created"),
                    "shown_id",
                )
            },
        ),
    )
    add_fieldsets = ((None, {"fields": ("organization", "upload", "name")}),)

    def get_form(self, request: HttpRequest, obj: Any = None, change: bool = False, **kwargs: Any) -> Any:
        """A new file is uploaded, signed by who is at work; an existing one is only shown."""
        if obj is not None:
            return super().get_form(request, obj, change=change, **kwargs)
        form: Any = super().get_form(request, obj, change=change, **kwargs | {"form": AssetUploadForm})
        form.actor = _actor(request)
        form.examined = getattr(request, "examined", None)
        return form

    def add_view(self, request: HttpRequest, form_url: str = "", extra_context: Any = None) -> HttpResponse:
        """Look at the file before Django begins the transaction of the request: it takes its time."""
        given = request.FILES.get("upload") if self.has_add_permission(request) else None
        if given is not None:
            request.examined = _examined(given)  # type: ignore[attr-defined]
        response: HttpResponse = super().add_view(request, form_url, extra_context)
        return response

    def get_readonly_fields(self, request: HttpRequest, obj: Any = None) -> Any:
        """A new image has nothing to show yet."""
        return self.readonly_fields if obj else ()

    def has_change_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        """Documents refer to a file as it is; another one is another upload."""
        return False

    def save_model(self, request: HttpRequest, obj: Asset, form: Any, change: bool) -> None:
        """The service has stored row and file already."""

    def get_deleted_objects(self, objs: Any, request: HttpRequest) -> Any:
        """What a template needs is protected: the admin lists it and deletes nothing."""
        to_delete, counts, needed, protected = super().get_deleted_objects(objs, request)
        for asset in objs:
            protected += [
                f"{asset.name}: used in the template {use.name} ({use.template_id})" for use in uses_of(asset)
            ]
        return to_delete, counts, needed, protected

    def delete_model(self, request: HttpRequest, obj: Asset) -> None:
        """Delete row and file, unless somebody else has done so."""
        with suppress(AssetGone):
            delete_asset(asset=obj, actor=_actor(request))

    def delete_queryset(self, request: HttpRequest, queryset: QuerySet[Asset]) -> None:
        """Delete several rows with their files."""
        for asset in queryset:
            self.delete_model(request, asset)

    @display(description="Image")
    def thumbnail(self, asset: Asset) -> str:
        """The image, small; letters for a font."""
        if asset.kind == Asset.Kind.FONT:
            return "Aa"
        return format_html(
            '<img class="admin-thumb" src="{}" alt="" loading="lazy" width="64" height="40">', _link(asset)
        )

    @display(description="Image")
    def preview(self, asset: Asset) -> str:
        """The image on a chequered ground, linked to its full size; a font's file."""
        if asset.kind == Asset.Kind.FONT:
            return format_html('<a href="{}">{}</a>', _link(asset), asset.filename)
        return format_html(
            '<a href="{0}" target="_blank" rel="noopener">'
            '<img class="admin-thumb admin-preview" src="{0}" alt="{1}"></a>',
            _link(asset),
            asset.name,
        )

    @display(description="Name", header=True, ordering="name")
    def header(self, asset: Asset) -> tuple[Any, ...]:
        """Name over id."""
        return asset.name, identifier(asset.pk)

    @display(description="Dimensions")
    def dimensions(self, asset: Asset) -> str:
        """Width and height in pixels; a font has none."""
        if asset.width is None:
            return "–"
        return f"{asset.width} × {asset.height} px"

    @display(description="Size", ordering="size_bytes")
    def size(self, asset: Asset) -> str:
        """The size of the file for people."""
        return filesizeformat(asset.size_bytes)

    @display(description="Id")
    def shown_id(self, asset: Asset) -> str:
        """The id as code; templates name the image by it."""
        return identifier(asset.pk)


def _examined(given: UploadedFile) -> Examined | ValueError:
    """Return what an uploaded file is, or why it is refused."""
    try:
        return examine(read_upload(given))
    except ValueError as error:
        return error
    finally:
        given.seek(0)


def _actor(request: HttpRequest) -> str:
    return request.user.get_username()


def _link(asset: Asset) -> str:
    """Return a fresh link; without a host, as the embedded storage is where the admin is."""
    return presign(
        asset.file,
        filename=asset.filename,
        content_type=asset.content_type,
        disposition="inline",
        request_base_url="",
    )
