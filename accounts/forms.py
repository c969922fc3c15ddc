"""Forms of the admin for organizations and users."""

from __future__ import annotations

from collections import defaultdict
from typing import Any, ClassVar

from django import forms
from django.core.exceptions import ValidationError
from unfold.forms import PaginationInlineFormSet
from unfold.forms import UserChangeForm as UnfoldUserChangeForm
from unfold.forms import UserCreationForm as UnfoldUserCreationForm
from unfold.widgets import UnfoldAdminSelectWidget, UnfoldAdminTextareaWidget

from accounts.actors import SYSTEM
from accounts.credentials import Credentials
from accounts.form_parts import OrganizationName, PersonName
from accounts.models import Membership, Organization, User
from accounts.people import LastOwner, check_owners, left_without_owner
from accounts.public_key import normalise_domain
from accounts.services import create_organization, normalise_retention


class DomainsField(forms.Field):
    """A list of domains, written one per line; each wrong line is named."""

    widget = UnfoldAdminTextareaWidget(
        attrs={"rows": 5, "placeholder": "app.example.com", "spellcheck": "false"}
    )

    def prepare_value(self, value: Any) -> Any:
        """Return a list as lines, and what was typed as it is."""
        return "\n".join(value) if isinstance(value, list) else value

    def to_python(self, value: Any) -> list[str]:
        """Return normalised domains, each once; raises ValidationError with a sentence per wrong line."""
        domains, errors = [], []
        for line in str(value or "").splitlines():
            if line.strip():
                try:
                    domains.append(normalise_domain(line))
                except ValueError as error:
                    errors.append(str(error))
        if errors:
            raise ValidationError(errors)
        return list(dict.fromkeys(domains))

    def has_changed(self, initial: Any, data: Any) -> bool:
        """Compare domains, not spaces and line ends."""
        try:
            return list(initial or []) != self.to_python(data)
        except ValidationError:
            return True


class OrganizationForm(OrganizationName, forms.ModelForm):
    """Name and domains. Saving a new one goes through the service and leaves its keys in `credentials`."""

    credentials: Credentials | None = None
    # Who signs the creation in the audit log.
    actor = SYSTEM
    allowed_domains = DomainsField(
        required=False,
        help_text=(
            "One host name per line, without https://, port or path. Pages on these hosts, and on their "
            "subdomains, may use the public key. Empty: no page may."
        ),
    )

    class Meta:
        model = Organization
        fields = ["name", "allowed_domains", "retention_days"]
        help_texts: ClassVar = {
            "retention_days": "Days after which documents are deleted for ever with their files, batches and "
            "webhook events; those that are older already go within a day. Empty keeps them."
        }

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        # What counts as changed is what differs from the page that was shown, not from the row as it is now:
        # another administrator may have changed the other fields since.
        for field in self.fields.values():
            field.show_hidden_initial = True

    def clean_retention_days(self) -> int | None:
        """Return the days as the service stores them."""
        try:
            return normalise_retention(self.cleaned_data["retention_days"])
        except ValueError as error:
            raise ValidationError(str(error).capitalize() + ".") from None

    def save(self, commit: bool = True) -> Organization:
        """Create the organization with its keys, or hand back the changed one."""
        if not self.instance._state.adding:
            organization: Organization = super().save(commit)
            return organization
        self.instance, self.credentials = create_organization(**self.cleaned_data, actor=self.actor)
        return self.instance

    def save_m2m(self) -> None:
        """Nothing is left to be stored."""


class LowerCaseEmail:
    """Addresses are stored in lower case; typing one otherwise is no mistake."""

    cleaned_data: dict[str, Any]

    def clean_email(self) -> str:
        """Return the address as it is stored and looked up."""
        return User.objects.normalize_email(self.cleaned_data.get("email"))


class UserAddForm(LowerCaseEmail, UnfoldUserCreationForm):
    """A new person: address and password."""

    class Meta:
        model = User
        fields = ("email",)


class UserChangeForm(LowerCaseEmail, PersonName, UnfoldUserChangeForm):
    """A person who exists."""

    class Meta:
        model = User
        fields = "__all__"
        field_classes: dict[str, Any] = {}

    def clean(self) -> dict[str, Any]:
        """Refuse to lock out the last owner of an organization."""
        cleaned: dict[str, Any] = super().clean()
        if "is_active" in self.changed_data and not cleaned.get("is_active"):
            names = ", ".join(organization.name for organization in left_without_owner([self.instance.pk]))
            if names:
                self.add_error("is_active", f"{LastOwner()} It is about: {names}.")
        return cleaned


class MembersFormSet(PaginationInlineFormSet):
    """Memberships of an organization or of a user: each organization keeps an owner."""

    def add_fields(self, form: Any, index: int | None) -> None:
        """Keep person and organization of a membership that exists: others are another membership."""
        super().add_fields(form, index)
        if form.instance.pk is None:
            return
        for name, field in form.fields.items():
            if name in ("user", "organization") and isinstance(field, forms.ModelChoiceField):
                row = getattr(form.instance, name)
                # The widget that searches would ask for each row's name by a query of its own.
                field.widget = UnfoldAdminSelectWidget(choices=[(row.pk, str(row))])
                field.disabled = True

    def clean(self) -> None:
        """Refuse what takes away a last owner, under the locks of the organizations."""
        super().clean()
        if any(self.errors):
            return
        leaving: dict[str, set[int]] = defaultdict(set)
        staying: dict[str, set[int]] = defaultdict(set)
        for form in self.forms:
            if not form.has_changed():
                continue
            if form.initial:
                before = self.instance.pk
                organization, user = (
                    form.initial.get("organization", before),
                    form.initial.get("user", before),
                )
                leaving[organization].add(user)
            after = form.instance
            if after.role == Membership.Role.OWNER and not self._should_delete_form(form):
                staying[after.organization_id].update({after.user_id} if after.user.is_active else ())
        try:
            for organization in sorted(leaving):
                check_owners(organization, leaving=leaving[organization], staying=staying[organization])
        except LastOwner as error:
            raise ValidationError(str(error)) from None
