"""Documents in the admin: to find, look at and download."""

from __future__ import annotations

from typing import Any

from django.contrib import admin, messages
from django.contrib.admin.utils import quote, unquote
from django.db.models import Q, QuerySet
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.template.defaultfilters import filesizeformat
from django.urls import reverse
from django.utils.html import format_html
from unfold.decorators import action, display
from unfold.enums import ActionVariant

from accounts.actors import actor_in_words
from accounts.admin_filters import OrganizationFilter
from accounts.admin_pages import (
    NUL,
    ReadOnlyAdmin,
    badge,
    change_url,
    identifier,
    moment,
    object_or_404,
    searched_words,
)
from config.api.ids import is_id
from rendering import admin_jobs
from rendering.files import link_of
from rendering.models import Document
from templates_app.admin_filters import FormatFilter
from templates_app.models import UNSEEN_COLUMNS, Template

OTHER_TABLES = (
    *(f"template__{name}" for name in UNSEEN_COLUMNS),
    "organization__allowed_domains",
    "organization__signing_secret_encrypted",
)

__all__ = ["DocumentAdmin", "admin_jobs"]

admin.site.index_title = "Overview"
admin.site.index_template = "rendering/admin/index.html"


@admin.register(Document)
class DocumentAdmin(ReadOnlyAdmin):
    """Every organization's documents, newest first."""

    list_display = (
        "header",
        "organization",
        "shown_template",
        "shown_format",
        "shown_status",
        "size",
        "milliseconds",
        "created",
        "download_link",
    )
    list_fullwidth = True
    created = moment("created_at", "Created")
    completed = moment("completed_at", "Completed")
    list_filter = ("status", FormatFilter, ("organization", OrganizationFilter))
    list_select_related = ("organization", "template")
    # The search itself is `get_search_results`.
    search_fields = ("filename", "template__name")
    search_help_text = "File name, template name, or an id (doc_…, tpl_…, org_…)"
    date_hierarchy = "created_at"
    ordering = ("-id",)
    actions_detail = ("download",)
    readonly_fields = (
        "created",
        "completed",
        "shown_id",
        "shown_template",
        "shown_format",
        "shown_status",
        "size",
        "milliseconds",
        "owner",
        "asked_by",
        "failure",
    )
    fieldsets = (
        (
            None,
            {
                "fields": (
                    ("filename", "shown_status"),
                    "failure",
                    ("organization", "owner"),
                    "reference",
                    ("shown_template", "template_version"),
                    ("shown_format", "size"),
                    ("milliseconds", "shown_id"),
                    ("created", "completed"),
                    "asked_by",
                )
            },
        ),
    )

    def get_queryset(self, request: HttpRequest) -> QuerySet[Document]:
        """Fetch the names of organization and template with the rows, not their content."""
        documents: QuerySet[Document] = super().get_queryset(request)
        return documents.select_related("organization", "template").defer(*OTHER_TABLES)

    def get_search_results(
        self, request: HttpRequest, queryset: QuerySet[Document], search_term: str
    ) -> tuple[QuerySet[Document], bool]:
        """Look an id up by its index; search names for everything else."""
        term = search_term.strip()
        if NUL in term:
            return queryset.none(), False
        if term.startswith("doc_"):
            return queryset.filter(**{"pk" if is_id(term) else "pk__startswith": term}), False
        if term.startswith("tpl_"):
            return queryset.filter(template_id=term), False
        if term.startswith("org_"):
            return queryset.filter(organization_id=term), False
        for word in searched_words(search_term):
            # Templates are fewer than documents: found once, not looked up for each.
            templates = Template.objects.filter(name__icontains=word).values("pk")
            queryset = queryset.filter(Q(filename__icontains=word) | Q(template__in=templates))
        return queryset, False

    def get_actions_detail(self, request: HttpRequest, object_id: Any) -> list[Any]:
        """Offer the download of documents that have a file."""
        document = self.get_object(request, unquote(object_id))
        return super().get_actions_detail(request, object_id) if document and _has_file(document) else []

    def get_fieldsets(self, request: HttpRequest, obj: Any = None) -> Any:
        """Show a reason only where something failed."""
        if obj is None or obj.status == Document.Status.FAILED:
            return self.fieldsets
        return (
            (None, {"fields": tuple(line for line in self.fieldsets[0][1]["fields"] if line != "failure")}),
        )

    @action(description="Download", icon="download", permissions=["view"], variant=ActionVariant.PRIMARY)
    def download(self, request: HttpRequest, object_id: str) -> HttpResponse:
        """Redirect to a fresh presigned link."""
        document = object_or_404(self, request, object_id)
        if not _has_file(document):
            messages.error(request, "This document has no file: only completed documents can be downloaded.")
            return HttpResponseRedirect(change_url(document))
        # Without a host: the embedded storage serves the file at the address that the admin has.
        return HttpResponseRedirect(link_of(document, ""))

    @display(description="Document", header=True, ordering="filename")
    def header(self, document: Document) -> tuple[Any, ...]:
        """File name over id."""
        return document.filename, identifier(document.pk)

    @display(description="Template", ordering="template__name")
    def shown_template(self, document: Document) -> str:
        """The template's name, as a link."""
        template = document.template
        return format_html('<a class="text-link" href="{}">{}</a>', change_url(template), template.name)

    @display(description="Format", ordering="format")
    def shown_format(self, document: Document) -> str:
        """The format as a badge."""
        return badge(document.format)

    @display(description="Status", ordering="status")
    def shown_status(self, document: Document) -> str:
        """The status as a badge."""
        return badge(document.status)

    @display(description="Size", ordering="file_size_bytes")
    def size(self, document: Document) -> str | None:
        """The size of the file for people."""
        return None if document.file_size_bytes is None else filesizeformat(document.file_size_bytes)

    @display(description="Render time", ordering="render_time_ms")
    def milliseconds(self, document: Document) -> str | None:
        """How long drawing and storing took."""
        return None if document.render_time_ms is None else f"{document.render_time_ms:,} ms"

    @display(description="External user")
    def owner(self, document: Document) -> str:
        """Who it belongs to."""
        return document.external_user_id or "the organization itself"

    @display(description="Asked for by")
    def asked_by(self, document: Document) -> str:
        """Which key or member asked for it."""
        return actor_in_words(document.created_by) if document.created_by else "not recorded"

    @display(description="Reason")
    def failure(self, document: Document) -> str:
        """Why it failed."""
        return document.error or "unknown"

    @display(description="Id")
    def shown_id(self, document: Document) -> str:
        """The id as code."""
        return identifier(document.pk)

    @display(description="File")
    def download_link(self, document: Document) -> str | None:
        """A link to a fresh link."""
        if not _has_file(document):
            return None
        address = reverse("admin:rendering_document_download", args=[quote(document.pk)])
        return format_html(
            '<a class="text-link" href="{}" title="Download" aria-label="Download {}">'
            '<span class="material-symbols-outlined" aria-hidden="true">download</span></a>',
            address,
            document.filename,
        )


def _has_file(document: Document) -> bool:
    return document.status == Document.Status.COMPLETED
