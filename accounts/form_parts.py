"""What forms of the admin and of the dashboard have in common."""

from __future__ import annotations

from typing import Any

from django.core.exceptions import ValidationError

from accounts.services import normalise_name


class OrganizationName:
    """Mixed into a form: its `name` is that of an organization."""

    cleaned_data: dict[str, Any]

    def clean_name(self) -> str:
        """Return the name as the service stores it."""
        try:
            return normalise_name(self.cleaned_data["name"])
        except ValueError as error:
            raise ValidationError(str(error)) from None
