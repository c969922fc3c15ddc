"""The first page of a template as a small picture, kept by version."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, Final

from django.core.cache import caches
from PIL import Image

from accounts.models import Organization
from config.api.errors import ApiError
from dashboard.bodies import without_password
from dashboard.editor.samples import shown_data
from dashboard.pictures.raster import NoPages, as_png, page_images
from dashboard.pictures.sheets import sheet_image
from rendering.preview import preview
from templates_app.models import Template

WIDTH: Final = 480
KEPT_SECONDS: Final = 7 * 24 * 3600
# What has no picture gets one without a new version when an asset or a font comes back.
FAILURE_KEPT_SECONDS: Final = 300


def thumbnail(template: Template, spend: Callable[[], None]) -> bytes | None:
    """Return a PNG of the first page, made with the template's own sample; None where that fails.

    Without a sample of its own it is made with data from its variables. `spend` is called before it is drawn,
    and may raise.
    """
    key = f"thumbnail:{template.pk}:{template.version}"
    kept = caches["derived"].get(key)
    if kept is None:
        spend()
        image = picture_of(template.organization, template.body())
        kept = as_png(image) if image is not None else b""
        caches["derived"].set(key, kept, KEPT_SECONDS if kept else FAILURE_KEPT_SECONDS)
    return kept or None


def picture_of(
    organization: Organization, body: Mapping[str, Any], *, width: int = WIDTH
) -> Image.Image | None:
    """Return the first page or sheet of a body, in its first format with its own sample; None on failure."""
    try:
        made = preview(
            organization=organization,
            body=without_password(dict(body)),
            data=lambda variables: shown_data(body.get("sampleData"), variables).data,
            format=next(iter(body["formats"]), None),
        )
        if made.renderer.name == "pdf":
            return page_images(made.file, [1], width)[0]
        return sheet_image(made.sheets, width)
    except (ApiError, NoPages):
        return None
