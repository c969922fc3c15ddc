"""The upload form of the admin."""

from __future__ import annotations

from typing import Any

from django import forms
from django.conf import settings
from django.template.defaultfilters import filesizeformat
from unfold.widgets import UnfoldAdminFileFieldWidget, UnfoldAdminTextInputWidget

from assets.fonts import MAX_FONT_BYTES
from assets.models import Asset
from assets.services import Examined, store_upload


class AssetUploadForm(forms.ModelForm):
    """Organization, file and an optional name; the service stores it.

    What the service has found in the file, and who signs the upload in the audit log, is set on the class,
    which the admin makes for each request.
    """

    examined: Examined | ValueError | None = None
    actor: str
    name = forms.CharField(
        max_length=255,
        required=False,
        widget=UnfoldAdminTextInputWidget(),
        help_text="How it is listed. Empty: the name of the file.",
    )
    upload = forms.FileField(
        label="File",
        widget=UnfoldAdminFileFieldWidget(
            attrs={"accept": "image/png,image/jpeg,image/webp,image/svg+xml,font/ttf,.ttf"}
        ),
    )

    class Meta:
        model = Asset
        fields = ["organization", "name"]

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        limit = filesizeformat(settings.MAX_ASSET_BYTES)
        self.fields["upload"].help_text = (
            f"PNG, JPEG, WebP or SVG, at most {limit}; or a TrueType font (TTF), "
            f"at most {filesizeformat(MAX_FONT_BYTES)}."
        )

    def clean(self) -> dict[str, Any]:
        """Store the file when all is right; a refusal of its content appears at the field."""
        values: dict[str, Any] = super().clean() or self.cleaned_data
        if isinstance(self.examined, ValueError) and "upload" not in self.errors:
            text = str(self.examined)
            self.add_error("upload", f"{text[:1].upper()}{text[1:]}.")
        if isinstance(self.examined, Examined) and not self.errors:
            self.stored = store_upload(
                organization=values["organization"],
                name=values["name"] or values["upload"].name,
                examined=self.examined,
                actor=self.actor,
            )
        return values

    def _post_clean(self) -> None:
        """The model's own checks concern columns that the service fills."""

    def save(self, commit: bool = True) -> Asset:
        """Return the stored asset."""
        self.instance = self.stored
        return self.stored

    def save_m2m(self) -> None:
        """Nothing is left to be stored."""
