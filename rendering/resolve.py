"""Template content and data to a ResolvedDocument: plain values that know no format."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from datetime import datetime
from typing import Any

from templates_app.content import Content
from templates_app.page import Band, PageSettings
from templates_app.resolved import ImageFile, ResolvedBand, ResolvedDocument, ResolvedPage
from templates_app.scope import ResolveError, Scope


def resolve(
    content: Content,
    values: Mapping[str, Any],
    *,
    load_image: Callable[[str], ImageFile],
    created_at: datetime,
) -> ResolvedDocument:
    """Fill checked content with checked values.

    `load_image` returns the image of an asset id or data URI and raises ValueError. Raises ResolveError
    for what only shows when values are used, such as an image that is none.
    """
    page = content.typed_page
    variables = {variable.name: variable for variable in content.typed_variables}
    scope = Scope(values, variables, page.style(), load_image)
    sections = []
    for index, section in enumerate(content.typed_sections):
        try:
            sections.append(section.resolve(scope))
        except ResolveError as error:
            raise ResolveError(
                {
                    path if path.startswith("data.") else f"sections[{index}].{path}": text
                    for path, text in error.errors.items()
                }
            ) from None
    return ResolvedDocument(
        title=content.name,
        language=page.locale,
        page=_page(page, scope),
        sections=sections,
        created_at=created_at,
    )


def _page(page: PageSettings, scope: Scope) -> ResolvedPage:
    width, height = page.paper()
    return ResolvedPage(
        width=width,
        height=height,
        margin_top=page.margins.top,
        margin_right=page.margins.right,
        margin_bottom=page.margins.bottom,
        margin_left=page.margins.left,
        header=_band(page.header, scope),
        footer=_band(page.footer, scope),
    )


def _band(band: Band | None, scope: Scope) -> ResolvedBand | None:
    if band is None:
        return None
    return ResolvedBand(scope.band_text(band.left), scope.band_text(band.center), scope.band_text(band.right))
