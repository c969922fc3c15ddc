"""Template content and data to a ResolvedDocument: plain values that know no format."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from datetime import datetime
from typing import Any

from templates_app.content import Content
from templates_app.kinds.base import resolve_sections
from templates_app.page import Band, PageSettings, ProtectionSettings, WatermarkSettings
from templates_app.resolved import (
    ImageFile,
    Protection,
    ResolvedBand,
    ResolvedDocument,
    ResolvedPage,
    Theme,
    Watermark,
)
from templates_app.scope import Budget, Numbering, ResolveError, Scope
from templates_app.theme import HOUSE, FontError, ThemeSettings

MAX_WATERMARK = 1000  # characters


def no_fonts(reference: str) -> bytes:
    """Load no font: for renders without an organization."""
    raise ValueError("must be the id of a font asset")


def resolve(
    content: Content,
    values: Mapping[str, Any],
    *,
    load_image: Callable[[str], ImageFile],
    created_at: datetime,
    load_font: Callable[[str], bytes] = no_fonts,
    check_time: Callable[[], None] = lambda: None,
    with_places: bool = False,
) -> ResolvedDocument:
    """Fill checked content with checked values.

    `load_image` returns the image of an asset id or data URI, `load_font` the bytes of a font asset; both
    raise ValueError. `check_time` is called for each section and may raise. Raises ResolveError for what only
    shows when values are used, such as an image that is none. `with_places` keeps where each section is
    written, for a layout that is asked which section drew what.
    """
    compiled = content.compiled
    page = compiled.page
    numbering = Numbering() if page.number_headings else None
    style, budget = compiled.types.style, Budget(check_time, with_places=with_places)
    scope = Scope(values, compiled.types, style, load_image, numbering=numbering, budget=budget)
    bands = Scope(values, compiled.types, style, load_image, for_bands=True, budget=budget)
    return ResolvedDocument(
        title=content.name if page.title is None else scope.text(page.title),
        language=page.language or page.locale,
        page=_page(page, scope, bands),
        sections=resolve_sections(compiled.sections, scope),
        created_at=created_at,
        author=scope.text(page.author),
        subject=scope.text(page.subject),
        theme=_theme(page.theme, load_font),
        protection=_protection(page.protection, scope),
        tagged=page.tagged,
        archivable=page.archivable,
        cover_sheet=page.cover_sheet,
    )


def _page(page: PageSettings, scope: Scope, bands: Scope) -> ResolvedPage:
    width, height = page.paper()
    background = _background(page.background, "page.background", scope)
    first_background = background
    if "first_background" in page.model_fields_set:
        first_background = _background(page.first_background, "page.firstBackground", scope)
    return ResolvedPage(
        width=width,
        height=height,
        margin_top=page.margins.top,
        margin_right=page.margins.right,
        margin_bottom=page.margins.bottom,
        margin_left=page.margins.left,
        header=_band(page.header, bands, "header"),
        footer=_band(page.footer, bands, "footer"),
        first_header=_first_band(page, "first_header", "firstHeader", bands),
        first_footer=_first_band(page, "first_footer", "firstFooter", bands),
        watermark=_watermark(page.watermark, scope),
        background=background,
        first_background=first_background,
    )


def _background(source: str | None, place: str, scope: Scope) -> ImageFile | None:
    return scope.image(source, place) if source else None


def _first_band(page: PageSettings, name: str, place: str, bands: Scope) -> ResolvedBand | None:
    """Return the band of the first page: an empty one for null, None when it was not given."""
    if name not in page.model_fields_set:
        return None
    return _band(getattr(page, name), bands, place) or ResolvedBand()


def _band(band: Band | None, bands: Scope, place: str) -> ResolvedBand | None:
    if band is None:
        return None
    sections = resolve_sections(band.sections, bands, f"page.{place}.sections") if band.sections else ()
    return ResolvedBand(
        bands.rich(band.left), bands.rich(band.center), bands.rich(band.right), sections, band.height
    )


def _watermark(watermark: WatermarkSettings | None, scope: Scope) -> Watermark | None:
    """Return the watermark; None where its text or image turns out empty."""
    if watermark is None:
        return None
    # It is drawn on every page: what data makes longer than a template may write is cut.
    text = scope.text(watermark.text).strip()[:MAX_WATERMARK]
    image = scope.image(watermark.image, "page.watermark.image") if watermark.image is not None else None
    if not text and image is None:
        return None
    return Watermark(text, image, watermark.color, watermark.opacity, watermark.angle, watermark.size)


def _theme(theme: ThemeSettings | None, load_font: Callable[[str], bytes]) -> Theme:
    if theme is None:
        return HOUSE
    try:
        return theme.resolve(load_font)
    except FontError as error:
        raise ResolveError({f"page.theme.{error.field}": str(error)}) from None


def _protection(protection: ProtectionSettings | None, scope: Scope) -> Protection | None:
    """Return passwords and permissions; raises ResolveError rather than leave a document open by mistake."""
    if protection is None:
        return None
    from templates_app.passwords import prepared

    passwords = {}
    for name, template in (
        ("userPassword", protection.user_password),
        ("ownerPassword", protection.owner_password),
    ):
        passwords[name] = scope.text(template)
        if template and not prepared(passwords[name]):
            raise ResolveError({f"page.protection.{name}": "is empty: the data does not give it"})
    return Protection(
        passwords["userPassword"],
        passwords["ownerPassword"],
        protection.allow_print,
        protection.allow_copy,
        protection.allow_change,
    )
