"""What an example is, and how it becomes pages and pictures."""

from __future__ import annotations

import base64
import time
from collections.abc import Iterator
from dataclasses import dataclass, field
from datetime import UTC, datetime
from io import BytesIO
from pathlib import Path
from typing import Any, Final

from accounts.models import Organization
from dashboard.demo import logo_bytes
from rendering.engine import check_content
from rendering.formats import RENDERERS
from rendering.formats.base import Limits
from rendering.images import image_loader
from rendering.resolve import resolve
from templates_app.bodies import TemplateCreate, parse_body
from templates_app.content import Content
from templates_app.resolved import ImageFile, ResolvedDocument
from tests.gallery.pictures import PICTURES

CREATED = datetime(2026, 11, 21, 9, 30, tzinfo=UTC)
WIDTH = 150  # millimetres: as wide as a column of the documentation


@dataclass(frozen=True)
class Example:
    """A template with its data; `height` of the page in millimetres, None for A4."""

    name: str
    title: str
    sections: list[dict[str, Any]]
    data: dict[str, Any] = field(default_factory=dict)
    height: float | None = None
    page: dict[str, Any] = field(default_factory=dict)
    variables: list[dict[str, Any]] = field(default_factory=list)
    pages: int = 1  # pages that are shown

    def body(self) -> dict[str, Any]:
        """Return the body of a template."""
        page: dict[str, Any] = {
            "margins": dict.fromkeys(("top", "right", "bottom", "left"), 10),
            "locale": "en-GB",
        }
        if self.height is not None:
            page["size"] = {"width": WIDTH, "height": self.height}
        return {
            "name": self.title,
            "formats": ["pdf"],
            "sections": self.sections,
            "variables": self.variables,
            "page": page | self.page,
        }

    def paths(self, folder: Path) -> list[Path]:
        """Return where its pictures are."""
        if self.pages == 1:
            return [folder / f"{self.name}.png"]
        return [folder / f"{self.name}-{number}.png" for number in range(1, self.pages + 1)]

    def resolved(self) -> ResolvedDocument:
        """Return the resolved document."""
        stored = parse_body(TemplateCreate, self.body())
        content = Content(**{"description": "", "sample_data": {}, **stored})
        values = check_content(content, self.data)
        return resolve(content, values, load_image=load_image, created_at=CREATED)

    def pdf(self) -> bytes:
        """Return the document as PDF."""
        out = BytesIO()
        RENDERERS["pdf"].render(self.resolved(), out, Limits(1000, time.monotonic() + 600, 600))
        return out.getvalue()


# The logo as data gives it.
LOGO: Final = f"data:image/png;base64,{base64.b64encode(logo_bytes()).decode()}"


def load_image(reference: str) -> ImageFile:
    """Return the logo, one of the gallery's pictures, or a data URI, by the way that a data URI takes."""
    if not reference.startswith("data:"):
        content = logo_bytes() if reference == "logo" else PICTURES[reference]()
        kind = "svg+xml" if reference.endswith(".svg") else "png"
        reference = f"data:image/{kind};base64,{base64.b64encode(content).decode()}"
    return image_loader(Organization(name="Gallery"))(reference)


def pictures(pdf: bytes, dpi: int, most: int) -> Iterator[Any]:
    """Yield the first pages of a PDF as Pillow images."""
    import pypdfium2

    document = pypdfium2.PdfDocument(pdf)
    for number in range(min(len(document), most)):
        yield document[number].render(scale=dpi / 72).to_pil()
