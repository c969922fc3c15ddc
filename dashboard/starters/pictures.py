"""`make starters`: draw the first page of every starter for the gallery, with the real engine."""

from __future__ import annotations

import os
import tempfile
from pathlib import Path
from typing import Final

FOLDER: Final = Path(__file__).resolve().parents[1] / "static" / "dashboard" / "starters"
WIDTH: Final = 480


def main() -> None:
    """Write the pictures; those of no starter are removed."""
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")
    os.environ.setdefault("DATA_DIR", tempfile.mkdtemp(prefix="starters-"))
    import django

    django.setup()
    from accounts.models import Organization
    from dashboard.pictures.thumbnails import picture_of
    from dashboard.starters import STARTERS

    FOLDER.mkdir(parents=True, exist_ok=True)
    written = set()
    for starter in STARTERS:
        image = picture_of(Organization(), starter.body, width=WIDTH)
        if image is None:
            raise SystemExit(f"{starter.slug} cannot be rendered with its sample data")
        path = FOLDER / f"{starter.slug}.webp"
        image.save(path, "WEBP", quality=82, method=6)
        written.add(path)
    for path in set(FOLDER.glob("*.webp")) - written:
        path.unlink()
    print(f"{len(written)} pictures in {FOLDER}")


if __name__ == "__main__":
    main()
