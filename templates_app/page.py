"""Page settings: paper, margins, header and footer, locale. Lengths are millimetres."""

from __future__ import annotations

from functools import lru_cache
from typing import Annotated, Any, Literal
from zoneinfo import ZoneInfo

from babel.numbers import get_territory_currencies, list_currencies
from pydantic import BeforeValidator, Field, ValidationError, field_validator, model_validator

from config.api.errors import from_pydantic
from config.api.models import StrictModel
from templates_app.expressions.helpers import Style, babel_locale

SIZES: dict[str, tuple[float, float]] = {
    "A3": (297, 420),
    "A4": (210, 297),
    "A5": (148, 210),
    "A6": (105, 148),
    "Letter": (215.9, 279.4),
    "Legal": (215.9, 355.6),
    "Tabloid": (279.4, 431.8),
}
MIN_CONTENT = 10.0


class PaperSize(StrictModel):
    """Any other paper: width and height in millimetres."""

    width: float = Field(ge=20, le=2000)
    height: float = Field(ge=20, le=2000)


def _known_size(value: Any) -> Any:
    """Say in one line what a size may be; pydantic would report each branch of the union."""
    if isinstance(value, dict):
        try:
            return PaperSize.model_validate(value)
        except ValidationError as error:
            found = from_pydantic(error).items()
            raise ValueError("; ".join(f"{field} {text}" for field, text in found)) from None
    if not isinstance(value, PaperSize) and (not isinstance(value, str) or value not in SIZES):
        names = ", ".join(f'"{name}"' for name in SIZES)
        raise ValueError(f"must be one of {names}, or {{width, height}} in mm")
    return value


class Margins(StrictModel):
    """White space around the content, in millimetres."""

    top: float = Field(default=20, ge=0, le=500)
    right: float = Field(default=20, ge=0, le=500)
    bottom: float = Field(default=20, ge=0, le=500)
    left: float = Field(default=20, ge=0, le=500)


BandText = Annotated[str, Field(max_length=1000)]


class Band(StrictModel):
    """Header or footer: three texts on a line. `{{page.number}}` and `{{page.count}}` number the pages."""

    left: BandText = ""
    center: BandText = ""
    right: BandText = Field(default="", examples=["Page {{page.number}} of {{page.count}}"])


class PageSettings(StrictModel):
    """How the paper looks and how values are written."""

    size: Annotated[
        Literal["A3", "A4", "A5", "A6", "Letter", "Legal", "Tabloid"] | PaperSize,
        BeforeValidator(_known_size),
        Field(description="Paper: a name, or width and height in millimetres."),
    ] = "A4"
    orientation: Literal["portrait", "landscape"] = "portrait"
    margins: Margins = Margins()
    header: Band | None = None
    footer: Band | None = None
    locale: Annotated[str, Field(max_length=40, examples=["de-AT"])] = "en-US"
    timezone: Annotated[str, Field(max_length=60, examples=["Europe/Vienna"])] = "UTC"
    currency: Annotated[str, Field(examples=["EUR"])] | None = Field(
        default=None, description="ISO 4217 code; without one, the currency of the locale's country."
    )

    @field_validator("locale")
    @classmethod
    def _known_locale(cls, value: str) -> str:
        babel_locale(value)
        return value

    @field_validator("timezone")
    @classmethod
    def _known_timezone(cls, value: str) -> str:
        try:
            ZoneInfo(value)
        except Exception:
            raise ValueError(f'unknown time zone "{value}"; use a name such as "Europe/Vienna"') from None
        return value

    @field_validator("currency")
    @classmethod
    def _known_currency(cls, value: str | None) -> str | None:
        if value is not None and value not in list_currencies():
            raise ValueError('must be an ISO 4217 code such as "EUR"')
        return value

    @model_validator(mode="after")
    def _room_for_content(self) -> PageSettings:
        width, height = self.paper()
        if (
            width - self.margins.left - self.margins.right < MIN_CONTENT
            or height - self.margins.top - self.margins.bottom < MIN_CONTENT
        ):
            raise ValueError("the margins leave no room for content")
        return self

    def paper(self) -> tuple[float, float]:
        """Return width and height in millimetres with the orientation applied."""
        size = SIZES[self.size] if isinstance(self.size, str) else (self.size.width, self.size.height)
        return (max(size), min(size)) if self.orientation == "landscape" else size

    def style(self) -> Style:
        """Return how values are written."""
        return Style(self.locale.replace("-", "_"), self.timezone, self.currency or _currency_of(self.locale))


@lru_cache(maxsize=64)
def _currency_of(locale: str) -> str:
    territory = babel_locale(locale).territory
    currencies = get_territory_currencies(territory) if territory else []
    return currencies[0] if currencies else "USD"
