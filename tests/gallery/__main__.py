"""`make gallery`: draw every example to `docs/gallery/*.png` and list them in `docs/gallery.md`."""

from __future__ import annotations

import os
import tempfile
from pathlib import Path

DOCS = Path(__file__).resolve().parent.parent.parent / "docs"
DPI = 120
COLORS = 128  # a palette is enough for text and charts, and a third of the size


def main() -> None:
    """Write the pictures and the page that shows them; pictures of examples that are gone are removed."""
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")
    os.environ.setdefault("DATA_DIR", tempfile.mkdtemp(prefix="gallery-"))
    import django

    django.setup()
    from tests.gallery.base import pictures
    from tests.gallery.examples import EXAMPLES

    folder = DOCS / "gallery"
    folder.mkdir(exist_ok=True)
    lines = ["# Gallery", "", "Made by `make gallery` from `tests/gallery`.", ""]
    written = set()
    for example in EXAMPLES:
        lines += [f"## {example.title}", ""]
        for number, image in enumerate(pictures(example.pdf(), DPI, example.pages), start=1):
            path = folder / (f"{example.name}.png" if example.pages == 1 else f"{example.name}-{number}.png")
            image.convert("RGB").quantize(COLORS).save(path, optimize=True)
            written.add(path)
            lines += [f"![{example.title}](gallery/{path.name})", ""]
    for path in set(folder.glob("*.png")) - written:
        path.unlink()
    (DOCS / "gallery.md").write_text("\n".join(lines), encoding="utf-8")
    print(f"{len(written)} pictures in docs/gallery")


if __name__ == "__main__":
    main()
