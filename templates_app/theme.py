"""The theme of a template: fonts, sizes, colours and spacing in one place. Lengths are points here."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from functools import cached_property
from typing import Annotated, Literal

from config.api.models import Field, StrictModel
from templates_app import patterns
from templates_app.kinds.base import Color
from templates_app.resolved import FontFamily, HeadingLook, Theme

HOUSE = Theme()
AssetId = Annotated[
    str, Field(min_length=1, max_length=100, pattern=patterns.NAME, description="Id of a font asset (TTF).")
]
Level = Literal["1", "2", "3", "4", "5", "6"]


class FontSettings(StrictModel):
    """A typeface from the organization's font assets; a missing face is drawn with the regular one."""

    name: Annotated[str, Field(max_length=100)] = ""
    regular: AssetId
    bold: AssetId | None = None
    italic: AssetId | None = None
    bold_italic: AssetId | None = None


class Colors(StrictModel):
    """The colours of a document as #rrggbb; one that is not given is the house style's."""

    ink: Color | None = Field(default=None, description="Letters.")
    muted: Color | None = Field(default=None, description="Letters of less weight, such as labels.")
    accent: Color | None = Field(default=None, description="Second headings, links, charts.")
    rule: Color | None = Field(default=None, description="Fine lines.")
    rule_strong: Color | None = Field(default=None, description="Lines below heads and above totals.")
    tint: Color | None = Field(default=None, description="Behind heads of tables and code.")
    zebra: Color | None = Field(default=None, description="Behind every other row.")


class HeadingStyle(StrictModel):
    """Looks of one level of headings; what is not given is the house style's, in proportion to the size."""

    size: float | None = Field(default=None, ge=4, le=200, description="Font size in points.")
    color: Color | None = Field(default=None, description="Colour as #rrggbb.")
    before: float | None = Field(default=None, ge=0, le=200, description="Points above.")
    after: float | None = Field(default=None, ge=0, le=200, description="Points below.")
    bold: bool | None = Field(default=None, description="Bold letters.")


class ThemeSettings(StrictModel):
    """Fonts, sizes, colours and spacing of the whole document."""

    font: FontSettings | None = Field(default=None, description="Without one, the bundled family.")
    heading_font: FontSettings | None = Field(default=None, description="Without one, `font`.")
    size: float = Field(default=HOUSE.size, ge=4, le=72, description="Font size of running text in points.")
    leading: float = Field(
        default=HOUSE.leading, ge=0.8, le=4, description="Height of a line, in font sizes."
    )
    spacing: float = Field(
        default=HOUSE.spacing, ge=0, le=5, description="Factor on every gap between sections."
    )
    colors: Colors = Colors()
    headings: dict[Level, HeadingStyle] = Field(default={}, description="Looks of headings by their level.")

    def resolve(self, load_font: Callable[[str], bytes]) -> Theme:
        """Return the theme with its fonts; raises FontError for a bad one."""
        if self.font is None and self.heading_font is None:
            return self._plain
        return replace(
            self._plain,
            font=_family(self.font, "font", load_font),
            heading_font=_family(self.heading_font, "headingFont", load_font),
        )

    @cached_property
    def _plain(self) -> Theme:
        """The theme without fonts."""
        colors = self.colors
        ink, muted, accent = (
            colors.ink or HOUSE.ink,
            colors.muted or HOUSE.muted,
            colors.accent or HOUSE.accent,
        )
        replaced = {HOUSE.ink: ink, HOUSE.muted: muted, HOUSE.accent: accent}
        scale = self.size / HOUSE.size
        headings = {
            level: _heading(look, self.headings.get(str(level)), replaced[look.color], scale)  # type: ignore[call-overload]
            for level, look in HOUSE.headings.items()
        }
        return Theme(
            size=self.size,
            leading=self.leading,
            ink=ink,
            muted=muted,
            accent=accent,
            rule=colors.rule or HOUSE.rule,
            rule_strong=colors.rule_strong or HOUSE.rule_strong,
            tint=colors.tint or HOUSE.tint,
            zebra=colors.zebra or HOUSE.zebra,
            spacing=self.spacing,
            headings=headings,
        )


def _heading(look: HeadingLook, given: HeadingStyle | None, color: str, scale: float) -> HeadingLook:
    given = given or HeadingStyle()
    return HeadingLook(
        size=look.size * scale if given.size is None else given.size,
        color=given.color or color,
        before=look.before * scale if given.before is None else given.before,
        after=look.after * scale if given.after is None else given.after,
        bold=look.bold if given.bold is None else given.bold,
    )


def _family(font: FontSettings | None, field: str, load_font: Callable[[str], bytes]) -> FontFamily | None:
    if font is None:
        return None

    def load(face: str, reference: str | None) -> bytes | None:
        if reference is None:
            return None
        try:
            return load_font(reference)
        except ValueError as error:
            raise FontError(f"{field}.{face}", str(error)) from None

    return FontFamily(
        name=font.name or font.regular,
        regular=load("regular", font.regular) or b"",
        bold=load("bold", font.bold),
        italic=load("italic", font.italic),
        bold_italic=load("boldItalic", font.bold_italic),
    )


class FontError(ValueError):
    """A font of the theme cannot be used; `field` is its path in the theme."""

    def __init__(self, field: str, message: str) -> None:
        super().__init__(message)
        self.field = field
