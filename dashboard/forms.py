"""The look of all forms of the dashboard, and small fields that several pages use."""

from __future__ import annotations

from datetime import date
from typing import TYPE_CHECKING, Any

from django import forms
from django.core.exceptions import ValidationError
from django.forms.renderers import BaseRenderer, TemplatesSetting

from accounts.form_parts import OrganizationName, PersonName
from accounts.models import Membership
from accounts.public_key import normalise_domain
from accounts.services import MAX_RETENTION_DAYS


class Renderer(TemplatesSetting):
    """Draws forms with the partials of the dashboard."""

    form_template_name = "dashboard/_form.html"
    field_template_name = "dashboard/_field.html"


if TYPE_CHECKING:
    _AnyForm = forms.BaseForm
else:
    _AnyForm = object


class Look(_AnyForm):
    """Mixed into a form (of Django's, too) it gives it our look: `{{ form }}`, or field by field."""

    default_renderer: BaseRenderer | type[BaseRenderer] | None = Renderer
    use_required_attribute = True

    def add_error(self, field: str | None, error: Any) -> None:
        """Note an error, and let the page that shows the form again begin at the first field with one."""
        super().add_error(field, error)
        # A group of boxes has nothing of its own to begin at.
        single = {name: each.widget for name, each in self.fields.items() if not each.widget.use_fieldset}
        first = next(
            (name for name, each in single.items() if name in self.errors and not each.is_hidden), None
        )
        for name, widget in single.items() if first else ():
            widget.attrs["autofocus"] = name == first


class Form(Look, forms.Form):
    """A form of the dashboard."""


class DayField(forms.DateField):
    """A day of a filter, in a year that can be compared with."""

    widget = forms.DateInput(attrs={"type": "date"})

    def to_python(self, value: Any) -> date | None:
        """Return the day; raises ValidationError for what is none, or is out of the range of years."""
        day = super().to_python(value)
        if day is not None and not 1970 < day.year < 9999:
            raise ValidationError("Enter a day from 1971 to 9998.")
        return day


class NameForm(OrganizationName, Form):
    """The name of an organization."""

    name = forms.CharField(
        label="Name", max_length=255, widget=forms.TextInput(attrs={"autocomplete": "off"})
    )


class DomainForm(Form):
    """One more allowed domain."""

    domain = forms.CharField(
        label="Add a domain",
        max_length=300,
        help_text="A host name without https://, port or path. Its subdomains count by themselves.",
        widget=forms.TextInput(
            attrs={"placeholder": "app.example.com", "autocomplete": "off", "spellcheck": "false"}
        ),
    )

    def clean_domain(self) -> str:
        """Return the domain as it is compared."""
        try:
            return normalise_domain(self.cleaned_data["domain"])
        except ValueError as error:
            raise ValidationError(str(error)) from None


class RemovedDomain(Form):
    """Which allowed domain a question is about: it is in no path, because a host name is any text there."""

    domain = forms.CharField(max_length=300, widget=forms.HiddenInput)


class RetentionForm(Form):
    """How long documents are kept."""

    days = forms.IntegerField(
        label="Delete documents after",
        required=False,
        min_value=1,
        max_value=MAX_RETENTION_DAYS,
        help_text="Days. Leave it empty to keep documents forever.",
        widget=forms.NumberInput(attrs={"class": "short", "inputmode": "numeric"}),
    )


class AgreedRetention(Form):
    """How long documents are kept, once the question about it is answered."""

    days = forms.IntegerField(widget=forms.HiddenInput)
    agreed = forms.CharField(widget=forms.HiddenInput)


class RoleForm(Form):
    """A role."""

    role = forms.ChoiceField(label="Role", choices=Membership.Role.choices)


class InvitationForm(Form):
    """Whom to invite as what."""

    email = forms.EmailField(
        label="E-mail address",
        widget=forms.EmailInput(attrs={"placeholder": "name@example.com", "autocomplete": "off"}),
    )
    role = forms.ChoiceField(label="Role", choices=Membership.Role.choices, initial=Membership.Role.EDITOR)


class ProfileForm(PersonName, Form):
    """A person's name."""

    first_name = forms.CharField(
        label="First name",
        max_length=150,
        required=False,
        widget=forms.TextInput(attrs={"autocomplete": "given-name"}),
    )
    last_name = forms.CharField(
        label="Last name",
        max_length=150,
        required=False,
        widget=forms.TextInput(attrs={"autocomplete": "family-name"}),
    )
