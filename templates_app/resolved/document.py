"""The resolved document and its page."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import field
from datetime import datetime

from config.value import value
from templates_app.resolved.look import ImageFile, Rich, Theme
from templates_app.resolved.sections import ResolvedSection

# Private-use characters: caller data cannot be mistaken for them, `resolve` removes them from values.
PAGE_NUMBER = "\ue000"
PAGE_COUNT = "\ue001"


@value
class ResolvedBand:
    """Header or footer: three texts on one line, or sections; PAGE_NUMBER and PAGE_COUNT in any of its texts
    stand for what layout knows."""

    left: Rich = ""
    center: Rich = ""
    right: Rich = ""
    sections: Sequence[ResolvedSection] = ()
    height: float | None = None  # millimetres, of sections at least; None: as their content takes


@value
class Watermark:
    """Words or an image across every page, behind the content."""

    text: str = ""
    image: ImageFile | None = None
    color: str = "#9aa3ad"
    opacity: float = 0.15
    angle: float = 45.0  # degrees, anticlockwise
    size: float | None = None  # points; None: as large as the page takes


@value
class ResolvedPage:
    """The paper: size and margins in millimetres, orientation already applied."""

    width: float
    height: float
    margin_top: float
    margin_right: float
    margin_bottom: float
    margin_left: float
    header: ResolvedBand | None = None
    footer: ResolvedBand | None = None
    # None: as on the other pages; an empty band: nothing
    first_header: ResolvedBand | None = None
    first_footer: ResolvedBand | None = None
    watermark: Watermark | None = None
    background: ImageFile | None = None  # covers every page but the first
    first_background: ImageFile | None = None


@value
class Protection:
    """Passwords and what a reader without the owner's may do."""

    user_password: str = ""
    owner_password: str = ""
    allow_print: bool = True
    allow_copy: bool = True
    allow_change: bool = False


@value
class ResolvedDocument:
    """Everything a renderer needs. `created_at` is an input, so that the same input gives the same bytes."""

    title: str
    language: str
    page: ResolvedPage
    sections: Sequence[ResolvedSection]
    created_at: datetime
    author: str = ""
    subject: str = ""
    theme: Theme = field(default_factory=Theme)
    protection: Protection | None = None
    tagged: bool = False  # pdf: with the structure of what it says
    archivable: bool = False  # pdf: PDF/A
    cover_sheet: bool = False  # xlsx: a first worksheet with the text
