"""What forms of the admin and of the dashboard have in common."""

from __future__ import annotations

from typing import Any

from django.core.exceptions import ValidationError

from accounts.services import normalise_name


class PersonName:
    """Mixed into a form: `first_name` and `last_name` are one line, as mails and pages show them."""

    cleaned_data: dict[str, Any]

    def clean_first_name(self) -> str:
        """Return the name; raises ValidationError for what is not printed."""
        return _printable(self.cleaned_data["first_name"])

    def clean_last_name(self) -> str:
        """Return the name; raises ValidationError for what is not printed."""
        return _printable(self.cleaned_data["last_name"])


class OrganizationName:
    """Mixed into a form: its `name` is that of an organization."""

    cleaned_data: dict[str, Any]

    def clean_name(self) -> str:
        """Return the name as the service stores it."""
        try:
            return normalise_name(self.cleaned_data["name"])
        except ValueError as error:
            raise ValidationError(str(error)) from None


def _printable(text: str) -> str:
    # Line breaks, too: a mail says who invites, and the rest of the name would be its text.
    if not text.isprintable():
        raise ValidationError("Use printable characters only.")
    return text
