"""Page settings: paper, margins, header and footer, theme, locale, document. Lengths are millimetres."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cached_property, lru_cache
from typing import TYPE_CHECKING, Annotated, Any, ClassVar, Literal, cast

from babel.numbers import get_territory_currencies, list_currencies

from config.api.models import (
    BeforeValidator,
    Field,
    StrictModel,
    ValidationInfo,
    field_validator,
    model_validator,
)
from templates_app.expressions.helpers import Style, babel_locale
from templates_app.expressions.values import check_zone
from templates_app.kinds.any_section import AnySection
from templates_app.kinds.base import Color, GivenImage, LanguageTag, Section, nested, sections_uses
from templates_app.kinds.uses import image_uses, text_uses
from templates_app.scope import PAGE_VALUES
from templates_app.theme import ThemeSettings
from templates_app.variables import Use

if TYPE_CHECKING:
    from pydantic import ValidationError

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
        except ValueError as error:
            from config.api.errors import from_pydantic

            found = from_pydantic(cast("ValidationError", error)).items()
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
DocumentText = Annotated[str, Field(max_length=1000)]
MAX_BAND_SECTIONS = 20
NOT_IN_BANDS = frozenset({"page_break", "table_of_contents"})


class Band(StrictModel):
    """Header or footer: three texts on a line, or sections. `{{page.number}}` and `{{page.count}}` number the
    pages in either."""

    left: BandText = ""
    center: BandText = ""
    right: BandText = Field(default="", examples=["Page {{page.number}} of {{page.count}}"])
    sections: Annotated[list[AnySection], Field(max_length=MAX_BAND_SECTIONS)] = Field(
        default=[], description="Sections in place of the three texts."
    )
    height: float | None = Field(
        default=None, ge=1, le=500, description="Millimetres; without one, as its content takes."
    )

    @field_validator("sections")
    @classmethod
    def _kinds_of_a_band(cls, value: list[Section]) -> list[Section]:
        for section in nested(value):
            kind = getattr(section, "type", "")
            if kind in NOT_IN_BANDS:
                raise ValueError(f"must not hold a section of type {kind}")
        return value

    @model_validator(mode="after")
    def _one_form(self) -> Band:
        if self.sections and (self.left or self.center or self.right):
            raise ValueError("give either sections or left, center and right")
        return self


class WatermarkSettings(StrictModel):
    """Words or an image across every page, behind the content."""

    text: BandText = Field(default="", examples=["DRAFT"])
    image: GivenImage | None = Field(
        default=None, description="An asset id, a data URI, or an expression that gives one."
    )
    color: Color = Field(default="#9aa3ad", description="Colour of the words as #rrggbb.")
    opacity: float = Field(default=0.15, ge=0, le=1, description="0 is invisible, 1 solid.")
    angle: float = Field(default=45, ge=-180, le=180, description="Degrees, anticlockwise.")
    size: float | None = Field(
        default=None, ge=4, le=1000, description="Points; without one, as large as the page takes."
    )

    @model_validator(mode="after")
    def _one_form(self) -> WatermarkSettings:
        if bool(self.text) == (self.image is not None):
            raise ValueError("give either text or image")
        return self


class ProtectionSettings(StrictModel):
    """Passwords of a PDF, and what a reader without the owner's may do."""

    user_password: BandText = Field(
        default="", description="Asked for to open the document.", examples=["{{birth_date|date:ddMMyyyy}}"]
    )
    owner_password: BandText = Field(default="", description="Lifts what is not allowed.")
    allow_print: bool = True
    allow_copy: bool = True
    allow_change: bool = False


def _first_page_has_no_defaults(schema: dict[str, Any]) -> None:
    """Take the null out, which is not what leaving them out means: clients send defaults by themselves."""
    for name in ("firstHeader", "firstFooter", "firstBackground"):
        del schema["properties"][name]["default"]


class PageSettings(StrictModel):
    """How the paper looks, how values are written, and what the document says about itself."""

    model_schema_extra: ClassVar = _first_page_has_no_defaults

    size: Annotated[
        Literal["A3", "A4", "A5", "A6", "Letter", "Legal", "Tabloid"] | PaperSize,
        BeforeValidator(_known_size),
        Field(description="Paper: a name, or width and height in millimetres."),
    ] = "A4"
    orientation: Literal["portrait", "landscape"] = "portrait"
    margins: Margins = Margins()
    header: Band | None = None
    footer: Band | None = None
    first_header: Band | None = Field(
        default=None, description="Header of the first page; null: none there; not given: as on the others."
    )
    first_footer: Band | None = Field(
        default=None, description="Footer of the first page; null: none there; not given: as on the others."
    )
    watermark: WatermarkSettings | None = None
    background: GivenImage | None = Field(
        default=None, description="An image across every page: an asset id, a data URI, or an expression."
    )
    first_background: GivenImage | None = Field(
        default=None,
        description="That of the first page, a letterhead; null: none there; not given: as on the others.",
    )
    theme: ThemeSettings | None = Field(default=None, description="Fonts, sizes, colours and spacing.")
    locale: Annotated[str, Field(max_length=40, examples=["de-AT"])] = "en-US"
    timezone: Annotated[str, Field(max_length=60, examples=["Europe/Vienna"])] = "UTC"
    currency: Annotated[str, Field(examples=["EUR"])] | None = Field(
        default=None, description="ISO 4217 code; without one, the currency of the locale's country."
    )
    language: LanguageTag | None = Field(
        default=None, description="Language of the texts, for hyphenation and readers; else the locale's."
    )
    title: DocumentText | None = Field(
        default=None,
        description="Title of the document; without one, the template's name.",
        examples=["Invoice {{number}}"],
    )
    author: DocumentText = Field(default="", description="Author of the document.")
    subject: DocumentText = Field(default="", description="Subject of the document.")
    number_headings: bool = Field(default=False, description="Number the headings: 1, 1.1, 1.2, 2.")
    tagged: bool = Field(
        default=False,
        description=(
            "A PDF tells screen readers and programs its structure: headings, paragraphs, lists, tables with "
            "their head cells, and what figures show. It is larger and takes longer."
        ),
    )
    archivable: bool = Field(
        default=False,
        description=(
            "A PDF is made for archives: PDF/A-2u (ISO 19005-2), PDF/A-2a where it is tagged. It cannot have "
            "passwords."
        ),
    )
    protection: ProtectionSettings | None = Field(
        default=None, description="Passwords and permissions of a PDF."
    )
    cover_sheet: bool = Field(
        default=False, description="A workbook begins with a worksheet of the texts and pairs."
    )

    @field_validator("locale")
    @classmethod
    def _known_locale(cls, value: str) -> str:
        babel_locale(value)
        return value

    @field_validator("timezone")
    @classmethod
    def _known_timezone(cls, value: str) -> str:
        check_zone(value)
        return value

    @field_validator("currency")
    @classmethod
    def _known_currency(cls, value: str | None) -> str | None:
        if value is not None and value not in list_currencies():
            raise ValueError('must be an ISO 4217 code such as "EUR"')
        return value

    @field_validator("protection")
    @classmethod
    def _archives_are_open(
        cls, value: ProtectionSettings | None, info: ValidationInfo
    ) -> ProtectionSettings | None:
        if value is not None and info.data.get("archivable"):
            raise ValueError("not together with archivable: an archived PDF opens without a password")
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
        return self._style

    @cached_property
    def _style(self) -> Style:
        return Style(self.locale.replace("-", "_"), self.timezone, self.currency or _currency_of(self.locale))

    def bands(self) -> Iterator[Band]:
        """Yield headers and footers."""
        for band in (self.header, self.footer, self.first_header, self.first_footer):
            if band is not None:
                yield band

    def uses(self) -> Iterator[Use]:
        """Yield every place of the data that the page reads."""
        for band in self.bands():
            for use in (*text_uses(band.left, band.center, band.right), *sections_uses(band.sections)):
                if use.path not in PAGE_VALUES:
                    yield use
        yield from text_uses(self.title, self.author, self.subject)
        yield from image_uses(self.background)
        yield from image_uses(self.first_background)
        if self.watermark is not None:
            yield from text_uses(self.watermark.text)
            yield from image_uses(self.watermark.image)
        if self.protection is not None:
            yield from text_uses(self.protection.user_password, self.protection.owner_password)


@lru_cache(maxsize=64)
def _currency_of(locale: str) -> str:
    territory = babel_locale(locale).territory
    currencies = get_territory_currencies(territory) if territory else []
    return currencies[0] if currencies else "USD"
