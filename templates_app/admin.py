"""Templates in the admin: to look at, publish and archive.

Content changes where it makes a version: through the services that the API calls.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from django.contrib import admin, messages
from django.contrib.admin.utils import unquote
from django.db.models import QuerySet
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.utils.html import format_html
from unfold.admin import TabularInline
from unfold.decorators import action, display
from unfold.enums import ActionVariant

from accounts.admin_filters import OrganizationFilter
from accounts.admin_pages import (
    ReadOnlyAdmin,
    badge,
    badges,
    change_url,
    confirmation,
    identifier,
    moment,
    object_or_404,
    pretty_json,
)
from config.api.errors import ApiError
from templates_app.admin_filters import FormatsFilter
from templates_app.models import LARGE_COLUMNS, Template, TemplateVersion
from templates_app.services import archive_template, publish_template

PUBLISHING = (
    "The organization’s keys can render what is published from now on.",
    "Later changes of a published template take effect at once; every change keeps the earlier version.",
)
ARCHIVING = (
    "An archived template disappears from lists, and rendering it is refused.",
    "It cannot be changed or published again.",
    "Nothing is destroyed: versions, documents and usage stay.",
)
# So many of the selected templates are named before they are published or archived.
NAMED = 10
Verb = Callable[..., Template]


class VersionInline(TabularInline):
    """Earlier versions, as they were replaced."""

    model = TemplateVersion
    extra = 0
    per_page = 10
    can_delete = False
    ordering = ("-version",)
    fields = readonly_fields = ("shown_version", "name", "created", "created_by", "content")
    created = moment("created_at", "Created")
    verbose_name_plural = "earlier versions"
    hide_title = True

    def has_add_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        """Versions come from updates."""
        return False

    def has_change_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        """History is not edited."""
        return False

    @display(description="Version")
    def shown_version(self, entry: TemplateVersion) -> str:
        """E.g. v3."""
        return f"v{entry.version}"

    @display(description="Content")
    def content(self, entry: TemplateVersion) -> str:
        """The sections, folded."""
        return format_html(
            '<details><summary class="cursor-pointer text-link">{} sections</summary>{}</details>',
            len(entry.sections),
            pretty_json(entry.sections),
        )


@admin.register(Template)
class TemplateAdmin(ReadOnlyAdmin):
    """Every organization's templates."""

    list_display = ("header", "organization", "shown_status", "shown_version", "shown_formats", "updated")
    list_filter = ("status", FormatsFilter, ("organization", OrganizationFilter))
    list_select_related = ("organization",)
    search_fields = ("name", "=id", "=organization__id")
    search_help_text = "Name, id, or id of the organization"
    ordering = ("-id",)
    inlines = (VersionInline,)
    actions = ("publish_selected", "archive_selected")
    actions_detail = ("publish", "archive")
    created = moment("created_at", "Created")
    updated = moment("updated_at", "Updated")
    published = moment("published_at", "Published")
    archived = moment("archived_at", "Archived")
    content_created = moment("content_created_at", "Present content since")
    readonly_fields = (
        "created",
        "updated",
        "published",
        "archived",
        "content_created",
        "shown_id",
        "shown_status",
        "shown_version",
        "shown_formats",
        "owner",
        "shown_sections",
        "shown_variables",
        "shown_page",
        "shown_sample_data",
    )
    fieldsets = (
        (
            None,
            {
                "fields": (
                    ("name", "organization"),
                    ("shown_status", "shown_version"),
                    ("shown_formats", "owner"),
                    "description",
                    "shown_id",
                )
            },
        ),
        ("Sections", {"classes": ("tab",), "fields": ("shown_sections",)}),
        ("Variables", {"classes": ("tab",), "fields": ("shown_variables",)}),
        ("Page", {"classes": ("tab",), "fields": ("shown_page",)}),
        ("Sample data", {"classes": ("tab",), "fields": ("shown_sample_data",)}),
        (
            "Dates",
            {
                "classes": ("tab",),
                "fields": (
                    ("created", "updated"),
                    ("published", "archived"),
                    ("content_created", "content_created_by"),
                ),
            },
        ),
    )

    def has_publish_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        """Publishing and archiving is for who may change templates."""
        user: Any = request.user
        return bool(user.has_perm("templates_app.change_template"))

    def get_queryset(self, request: HttpRequest) -> QuerySet[Template]:
        """Leave out the large columns where only a list is shown."""
        templates: QuerySet[Template] = super().get_queryset(request)
        match = request.resolver_match
        is_list = match is not None and (match.url_name or "").endswith("_changelist")
        return templates.defer(*LARGE_COLUMNS) if is_list else templates

    def get_inlines(self, request: HttpRequest, obj: Any) -> Any:
        """Show a history where there is one."""
        return self.inlines if obj and obj.version > 1 else ()

    def get_actions_detail(self, request: HttpRequest, object_id: Any) -> list[Any]:
        """Offer what can be done with this template in its status."""
        template = self.get_object(request, unquote(object_id))
        if template is None:
            return []
        hidden = {
            Template.Status.DRAFT: (),
            Template.Status.PUBLISHED: ("publish",),
            Template.Status.ARCHIVED: ("publish", "archive"),
        }[template.status]
        offered = super().get_actions_detail(request, object_id)
        return [each for each in offered if each.path not in hidden]

    @action(description="Publish", permissions=["publish"], icon="publish", variant=ActionVariant.PRIMARY)
    def publish(self, request: HttpRequest, object_id: str) -> HttpResponse:
        """Ask, then publish."""
        return self._one(request, object_id, publish_template, "Publish", "Published", PUBLISHING)

    @action(description="Archive", permissions=["publish"], icon="archive", variant=ActionVariant.DANGER)
    def archive(self, request: HttpRequest, object_id: str) -> HttpResponse:
        """Ask, then archive."""
        return self._one(request, object_id, archive_template, "Archive", "Archived", ARCHIVING)

    @action(description="Publish the selected templates", permissions=["publish"])
    def publish_selected(self, request: HttpRequest, queryset: QuerySet[Template]) -> HttpResponse | None:
        """Ask, then publish several."""
        return self._several(request, queryset, publish_template, "Publish", "Published", PUBLISHING)

    @action(description="Archive the selected templates", permissions=["publish"])
    def archive_selected(self, request: HttpRequest, queryset: QuerySet[Template]) -> HttpResponse | None:
        """Ask, then archive several."""
        return self._several(request, queryset, archive_template, "Archive", "Archived", ARCHIVING)

    def _one(
        self,
        request: HttpRequest,
        object_id: str,
        verb: Verb,
        button: str,
        done: str,
        consequences: tuple[str, ...],
    ) -> HttpResponse:
        template = object_or_404(self, request, object_id)
        if request.method != "POST":
            title = f"{button} {template.name}"
            return confirmation(
                self,
                request,
                template,
                title=title,
                button=button,
                consequences=consequences,
                dangerous=verb is archive_template,
            )
        self._apply(request, [template], verb, done)
        return HttpResponseRedirect(change_url(template))

    def _several(
        self,
        request: HttpRequest,
        queryset: QuerySet[Template],
        verb: Verb,
        button: str,
        done: str,
        consequences: tuple[str, ...],
    ) -> HttpResponse | None:
        templates = list(queryset.only("pk", "name", "organization_id"))
        if "post" in request.POST:
            self._apply(request, templates, verb, done)
            return None
        names = ", ".join(template.name for template in templates[:NAMED])
        more = f" and {len(templates) - NAMED:,} more" if len(templates) > NAMED else ""
        return confirmation(
            self,
            request,
            None,
            title=f"{button} {len(templates):,} template{'' if len(templates) == 1 else 's'}",
            button=button,
            consequences=(f"Selected: {names}{more}.", *consequences),
            dangerous=verb is archive_template,
        )

    def _apply(self, request: HttpRequest, templates: list[Template], verb: Verb, done: str) -> None:
        """Run a service per template, within its organization, and say what came of it."""
        changed = []
        for template in templates:
            own = Template.objects.filter(organization_id=template.organization_id)
            try:
                verb(templates=own, template_id=template.pk, author=request.user.get_username())
            except ApiError as error:
                messages.error(request, f"{template.name}: {error.message}.")
            else:
                changed.append(template)
                self.log_change(request, template, f"{done}.")
        if changed:
            names = changed[0].name if len(changed) == 1 else f"{len(changed)} templates"
            messages.success(request, f"{done}: {names}.")

    @display(description="Template", header=True, ordering="name")
    def header(self, template: Template) -> tuple[Any, ...]:
        """Name over id."""
        return template.name, identifier(template.pk)

    @display(description="Status", ordering="status")
    def shown_status(self, template: Template) -> str:
        """The status as a badge."""
        return badge(template.status)

    @display(description="Version", ordering="version")
    def shown_version(self, template: Template) -> str:
        """E.g. v3."""
        return f"v{template.version}"

    @display(description="Formats")
    def shown_formats(self, template: Template) -> str:
        """The formats as badges."""
        return badges(template.formats)

    @display(description="External user")
    def owner(self, template: Template) -> str:
        """Who it belongs to."""
        return template.external_user_id or "the organization itself"

    @display(description="Id")
    def shown_id(self, template: Template) -> str:
        """The id as code."""
        return identifier(template.pk)

    @display(description="Sections")
    def shown_sections(self, template: Template) -> str:
        """The stored sections."""
        return pretty_json(template.sections)

    @display(description="Variables")
    def shown_variables(self, template: Template) -> str:
        """The declared and inferred variables."""
        return pretty_json(template.variables)

    @display(description="Page")
    def shown_page(self, template: Template) -> str:
        """The page settings."""
        return pretty_json(template.page)

    @display(description="Sample data")
    def shown_sample_data(self, template: Template) -> str:
        """The data of the preview."""
        return pretty_json(template.sample_data)
