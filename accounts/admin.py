"""Organizations with their keys and members, users and groups in the admin; `admin_audit` has the rest."""

from __future__ import annotations

from typing import Any

from django.contrib import admin, messages
from django.contrib.admin.utils import quote
from django.contrib.auth.admin import GroupAdmin as DjangoGroupAdmin
from django.contrib.auth.admin import UserAdmin as DjangoUserAdmin
from django.contrib.auth.models import Group
from django.db import transaction
from django.db.models import Count, Prefetch, QuerySet
from django.http import HttpRequest, HttpResponse, HttpResponseNotAllowed, HttpResponseRedirect
from django.urls import URLPattern, path, reverse
from django.utils.html import format_html
from unfold.admin import TabularInline
from unfold.decorators import action, display
from unfold.enums import ActionVariant
from unfold.forms import AdminPasswordChangeForm

from accounts import admin_audit
from accounts.admin_pages import (
    CarefulAdmin,
    change_url,
    confirmation,
    identifier,
    moment,
    object_or_404,
    row_page,
)
from accounts.forms import MembersFormSet, OrganizationForm, UserAddForm, UserChangeForm
from accounts.key_texts import ROTATION_CONSEQUENCES, SHOWN_BEFORE, shown_keys
from accounts.models import Membership, Organization, User
from accounts.one_time import keep_for_next_page, take
from accounts.people import delete_users, left_without_owner, record_members
from accounts.services import (
    change_domains,
    change_retention,
    rename_organization,
    rotate_credentials,
)

__all__ = ["OrganizationAdmin", "UserAdmin", "admin_audit"]

# Fields of a user that open the admin and what is in it.
POWERS = ("is_staff", "is_superuser", "groups", "user_permissions")
# So many organizations of a user are named in the list.
NAMED = 3


class MembershipInline(TabularInline):
    """Who belongs to an organization, on its page and on the user's."""

    model = Membership
    formset = MembersFormSet
    extra = 0
    per_page = 20
    autocomplete_fields = ("user", "organization")
    verbose_name_plural = "memberships"

    def get_queryset(self, request: HttpRequest) -> QuerySet[Membership]:
        """Fetch both ends with the rows."""
        memberships: QuerySet[Membership] = super().get_queryset(request)
        return memberships.select_related("user", "organization")


class WithMembers:
    """Mixed into the admin of what has memberships: changes of them are in the audit log."""

    def save_formset(self, request: HttpRequest, form: Any, formset: Any, change: bool) -> None:
        """Save the memberships, and write to the audit logs what became of them."""
        with transaction.atomic():
            super().save_formset(request, form, formset, change)  # type: ignore[misc]
            record_members(formset, request.user.get_username())


@admin.register(Organization)
class OrganizationAdmin(WithMembers, CarefulAdmin):
    """Create organizations, edit name and domains, rotate keys. Keys are shown in full once."""

    form = OrganizationForm
    inlines = (MembershipInline,)
    list_display = ("header", "domains", "members_count", "created", "rotated")
    search_fields = ("name", "=id")
    search_help_text = "Name or id"
    # Rows that are counted have no order of their own, and memberships page through them to search.
    ordering = ("name", "id")
    list_per_page = 50
    readonly_fields = ("shown_id", "public_key", "secret_key", "signing_secret", "rotated", "created")
    add_fieldsets = (
        (
            None,
            {
                "fields": ("name", "allowed_domains"),
                "description": "The keys of the organization are made now and shown once, on the next page.",
            },
        ),
    )
    fieldsets = (
        (None, {"fields": ("name", "allowed_domains", "retention_days")}),
        (
            "Keys",
            {
                "fields": ("public_key", "secret_key", "signing_secret", "rotated"),
                "description": "Keys are shown in full once, when made. Rotate them to replace lost ones.",
            },
        ),
        ("About", {"fields": ("shown_id", "created")}),
    )
    actions_detail = ("rotate_keys",)
    created = moment("created_at", "Created")
    rotated = moment("credentials_rotated_at", "Keys made")

    def get_queryset(self, request: HttpRequest) -> QuerySet[Organization]:
        """Count the members with the rows."""
        organizations: QuerySet[Organization] = super().get_queryset(request)
        return organizations.annotate(members_count=Count("memberships"))

    def get_inlines(self, request: HttpRequest, obj: Any) -> Any:
        """A new organization gets its members once it exists."""
        return self.inlines if obj else ()

    def get_readonly_fields(self, request: HttpRequest, obj: Any = None) -> Any:
        """What a new organization does not have yet is no field of its form."""
        return self.readonly_fields if obj else ()

    def has_add_permission(self, request: HttpRequest) -> bool:
        """Who adds one has to see it too: its keys stand on a page of its own."""
        return super().has_add_permission(request) and self.has_view_permission(request)

    def has_delete_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        """Organizations are never deleted: documents and usage must stay explainable."""
        return False

    def get_urls(self) -> list[URLPattern]:
        """Add the page that shows new keys."""
        view = self.admin_site.admin_view(self.new_keys)
        return [path("<path:object_id>/new-keys/", view, name="new_keys"), *super().get_urls()]

    def add_view(self, request: HttpRequest, form_url: str = "", extra_context: Any = None) -> HttpResponse:
        """Offer one button: the next page is the one with the keys."""
        only_save = {"show_save_and_continue": False, "show_save_and_add_another": False}
        response: HttpResponse = super().add_view(request, form_url, {**(extra_context or {}), **only_save})
        return response

    def get_form(self, request: HttpRequest, *args: Any, **kwargs: Any) -> Any:
        """Tell the form, whose class is made anew for each request, who is at work."""
        form: Any = super().get_form(request, *args, **kwargs)
        form.actor = request.user.get_username()
        return form

    def save_model(self, request: HttpRequest, obj: Organization, form: Any, change: bool) -> None:
        """Save what was changed and nothing else: what others do at the same time must not be undone."""
        if not change:
            keep_for_next_page(request.session, obj.pk, form.credentials)
            return
        actor = request.user.get_username()
        name, domains, days = obj.name, obj.allowed_domains, obj.retention_days
        with transaction.atomic():
            if "name" in form.changed_data:
                rename_organization(organization=obj, name=name, actor=actor)
            if "allowed_domains" in form.changed_data:
                change_domains(organization=obj, allowed_domains=domains, actor=actor)
            if "retention_days" in form.changed_data:
                change_retention(organization=obj, days=days, actor=actor)

    def response_add(
        self, request: HttpRequest, obj: Organization, post_url_continue: Any = None
    ) -> HttpResponse:
        """Go to the page with the new keys."""
        return HttpResponseRedirect(_new_keys_url(obj))

    @action(
        description="Rotate keys",
        url_path="rotate-keys",
        permissions=["change"],
        icon="autorenew",
        variant=ActionVariant.DANGER,
    )
    def rotate_keys(self, request: HttpRequest, object_id: str) -> HttpResponse:
        """Ask, then replace all three credentials and show the new ones once."""
        organization = object_or_404(self, request, object_id)
        if request.method != "POST":
            return confirmation(
                self,
                request,
                organization,
                title=f"Rotate the keys of {organization.name}",
                button="Rotate keys now",
                consequences=ROTATION_CONSEQUENCES,
                dangerous=True,
            )
        with transaction.atomic():
            credentials = rotate_credentials(organization=organization, actor=request.user.get_username())
            keep_for_next_page(request.session, organization.pk, credentials)
            self.log_change(request, organization, "Rotated the keys.")
        return HttpResponseRedirect(_new_keys_url(organization))

    def new_keys(self, request: HttpRequest, object_id: str) -> HttpResponse:
        """Show new keys, once: this page takes them out of the session."""
        if request.method != "GET":
            return HttpResponseNotAllowed(["GET"])
        organization = object_or_404(self, request, object_id)
        credentials = take(request.session, organization.pk)
        if credentials is None:
            messages.info(request, SHOWN_BEFORE)
            return HttpResponseRedirect(change_url(organization))
        title = f"Keys of {organization.name}"
        return row_page(self, request, organization, "new_keys", title=title, keys=shown_keys(credentials))

    @display(description="Organization", header=True, ordering="name")
    def header(self, organization: Organization) -> tuple[Any, ...]:
        """Name over id."""
        return organization.name, identifier(organization.pk)

    @display(description="Allowed domains")
    def domains(self, organization: Organization) -> str:
        """The first domains, and how many more there are."""
        listed = organization.allowed_domains
        return ", ".join(listed[:2]) + (f" and {len(listed) - 2} more" if len(listed) > 2 else "")

    @display(description="Members", ordering="members_count")
    def members_count(self, organization: Any) -> int:
        """How many people belong to it."""
        return int(organization.members_count)

    @display(description="Id")
    def shown_id(self, organization: Organization) -> str:
        """The id as code."""
        return identifier(organization.pk)

    @display(description="Public key")
    def public_key(self, organization: Organization) -> str:
        """Prefix and last four characters."""
        return identifier(organization.masked_public_key)

    @display(description="Secret key")
    def secret_key(self, organization: Organization) -> str:
        """Prefix and last four characters."""
        return identifier(organization.masked_secret_key)

    @display(description="Signing secret")
    def signing_secret(self, organization: Organization) -> str:
        """Prefix and last four characters."""
        return identifier(organization.masked_signing_secret)


@admin.register(User)
class UserAdmin(WithMembers, DjangoUserAdmin, CarefulAdmin):
    """People who log in with their e-mail address."""

    form = UserChangeForm
    add_form = UserAddForm
    change_password_form = AdminPasswordChangeForm
    inlines = (MembershipInline,)
    ordering = ("email",)
    list_display = ("header", "belongs_to", "is_active", "is_staff", "is_superuser", "seen")
    list_filter = ("is_active", "is_staff", "is_superuser")
    search_fields = ("email", "first_name", "last_name")
    search_help_text = "E-mail address or name"
    list_per_page = 50
    readonly_fields = ("seen", "joined")
    autocomplete_fields = ("groups",)
    filter_horizontal = ("user_permissions",)
    seen = moment("last_login", "Last log-in")
    joined = moment("date_joined", "Joined")
    fieldsets = (
        (None, {"fields": ("email", "password", ("first_name", "last_name"))}),
        (
            "Permissions",
            {
                "classes": ("tab",),
                "fields": ("is_active", "is_staff", "is_superuser", "groups", "user_permissions"),
            },
        ),
        ("Dates", {"classes": ("tab",), "fields": ("seen", "joined")}),
    )
    add_fieldsets = ((None, {"fields": ("email", "usable_password", "password1", "password2")}),)

    def get_queryset(self, request: HttpRequest) -> QuerySet[User]:
        """Fetch the first organizations with the rows, and one more to tell whether there are others."""
        memberships = Membership.objects.select_related("organization")[: NAMED + 1]
        first = Prefetch("memberships", queryset=memberships, to_attr="first_memberships")
        return super().get_queryset(request).prefetch_related(first)

    def get_inlines(self, request: HttpRequest, obj: Any) -> Any:
        """A new user gets memberships once it exists."""
        return self.inlines if obj else ()

    def get_readonly_fields(self, request: HttpRequest, obj: Any = None) -> Any:
        """Who may do what in the admin is for superusers to say; others would give it to themselves."""
        is_superuser = request.user.is_superuser
        return self.readonly_fields if is_superuser else (*self.readonly_fields, *POWERS)

    def has_change_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        """Accounts that open the admin are for superusers: a new password would give their powers away."""
        return _is_in_reach(request, obj) and bool(super().has_change_permission(request, obj))

    def has_delete_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        """The same for their end."""
        return _is_in_reach(request, obj) and bool(super().has_delete_permission(request, obj))

    def save_model(self, request: HttpRequest, obj: User, form: Any, change: bool) -> None:
        """Save what was changed: a password that the person changes at the same moment stays."""
        if not change:
            super().save_model(request, obj, form, change)
            return
        columns = {field.name for field in User._meta.concrete_fields}
        obj.save(update_fields=columns.intersection(form.changed_data))

    def delete_model(self, request: HttpRequest, obj: User) -> None:
        """Delete an account; its organizations' audit logs say so."""
        delete_users(users=[obj.pk], actor=request.user.get_username())

    def delete_queryset(self, request: HttpRequest, queryset: QuerySet[User]) -> None:
        """Delete several."""
        delete_users(users=[user.pk for user in queryset], actor=request.user.get_username())

    @transaction.atomic
    def response_action(
        self, request: HttpRequest, queryset: QuerySet[User], *args: Any, **kwargs: Any
    ) -> Any:
        """Keep the locks that a deletion takes until it is done."""
        return super().response_action(request, queryset, *args, **kwargs)

    def get_deleted_objects(self, objs: Any, request: HttpRequest) -> Any:
        """Name the accounts and count what goes with them; refuse the last owner of an organization.

        Django would name every membership, session and entry of the admin's log, each by a query of its own.
        """
        users = list(objs)
        places = Membership.objects.filter(user__in=users).count()
        reachable = all(self.has_delete_permission(request, user) for user in users)
        with transaction.atomic():
            left = left_without_owner([user.pk for user in users])
        return (
            [format_html('<a href="{}">{}</a>', change_url(user), user) for user in users],
            {self.opts.verbose_name_plural: len(users), Membership._meta.verbose_name_plural: places},
            set() if reachable else {self.opts.verbose_name},
            [f"the last owner of {organization.name}" for organization in left],
        )

    @display(description="User", header=True, ordering="email")
    def header(self, user: User) -> tuple[str, str]:
        """Address over name."""
        return user.email, user.get_full_name()

    @display(description="Organizations")
    def belongs_to(self, user: Any) -> str:
        """Where the user is a member; the first by name of somebody who is everywhere."""
        names = [membership.organization.name for membership in user.first_memberships]
        return ", ".join(names[:NAMED]) + (" and others" if len(names) > NAMED else "")


admin.site.unregister(Group)


@admin.register(Group)
class GroupAdmin(DjangoGroupAdmin, CarefulAdmin):
    """Permissions under one name: powers, which superusers give and others may look at."""

    def has_add_permission(self, request: HttpRequest) -> bool:
        """Whoever may make a group could have any permission in it."""
        return request.user.is_superuser and bool(super().has_add_permission(request))

    def has_change_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        """The same for the groups that one is in."""
        return request.user.is_superuser and bool(super().has_change_permission(request, obj))

    def has_delete_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        """The same for their end."""
        return request.user.is_superuser and bool(super().has_delete_permission(request, obj))


def _new_keys_url(organization: Organization) -> str:
    return reverse("admin:new_keys", args=[quote(organization.pk)])


def _is_in_reach(request: HttpRequest, account: User | None) -> bool:
    """Tell whether somebody may touch an account: superusers all, others theirs and those without powers."""
    person: Any = request.user
    if account is None or person.is_superuser or account.pk == person.pk:
        return True
    return not (account.is_staff or account.is_superuser)
