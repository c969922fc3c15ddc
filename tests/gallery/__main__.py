"""`make gallery`: draw every example to `docs/gallery/*.png` and list them in `docs/gallery.md`."""

from __future__ import annotations

import json
import os
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING

from PIL import Image, ImageChops, ImageDraw

if TYPE_CHECKING:
    from tests.gallery.base import Example

DOCS = Path(__file__).resolve().parent.parent.parent / "docs"
DPI = 120
BELOW = 9.0  # millimetres of an example's page that stay below what it shows
EDGE = "#dfe3e8"
INTRODUCTION = """# Gallery

What the sections and options of [templates](authors.md) look like, each with the template that made it.
Drawn by `make gallery` from `tests/gallery`.
"""
COLORS = 128  # a palette is enough for text and charts, and a third of the size


def main() -> None:
    """Write the pictures and the page that shows them; pictures of examples that are gone are removed."""
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")
    os.environ.setdefault("DATA_DIR", tempfile.mkdtemp(prefix="gallery-"))
    import django

    django.setup()
    from tests.gallery.examples import CHAPTERS

    folder = DOCS / "gallery"
    folder.mkdir(exist_ok=True)
    lines = [INTRODUCTION]
    written: set[Path] = set()
    for chapter, examples in CHAPTERS.items():
        lines += [f"## {chapter}", ""]
        for example in examples:
            lines += _example(example, folder, written)
    for path in set(folder.glob("*.png")) - written:
        path.unlink()
    (DOCS / "gallery.md").write_text("\n".join(lines), encoding="utf-8")
    print(f"{len(written)} pictures in docs/gallery")


def _example(example: Example, folder: Path, written: set[Path]) -> list[str]:
    """Draw the pages of an example; return its lines of the documentation."""
    from tests.gallery.base import pictures

    lines = [f"### {example.title}", ""]
    for path, page in zip(example.paths(folder), pictures(example.pdf(), DPI, example.pages), strict=True):
        image = page.convert("RGB")
        if example.pages == 1:
            image = _trimmed(image)
        ImageDraw.Draw(image).rectangle((0, 0, image.width - 1, image.height - 1), outline=EDGE)
        image.quantize(COLORS).save(path, optimize=True)
        written.add(path)
        lines += [f"![{example.title}](gallery/{path.name})", ""]
    body = example.body()
    shown = {key: body[key] for key in ("sections", "variables") if body[key]}
    if example.page:
        shown["page"] = example.page
    source = json.dumps(shown, indent=2, ensure_ascii=False)
    return [
        *lines,
        "<details><summary>Template</summary>",
        "",
        "```json",
        source,
        "```",
        "",
        "</details>",
        "",
    ]


def _trimmed(image: Image.Image) -> Image.Image:
    """Return the page without the empty rest at its end."""
    ground = Image.new("RGB", image.size, "white")
    drawn = ImageChops.difference(image, ground).getbbox()
    end = image.height if drawn is None else min(image.height, drawn[3] + round(BELOW * DPI / 25.4))
    return image.crop((0, 0, image.width, end))


if __name__ == "__main__":
    main()
