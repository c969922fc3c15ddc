"""`make pictures`: draw the pages of the demo anew to `tests/expected`, after looking at what changed."""

from __future__ import annotations

import os
import tempfile


def main() -> None:
    """Write the pictures that `test_demo_pictures.py` compares; those of no page are removed."""
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")
    os.environ.setdefault("DATA_DIR", tempfile.mkdtemp(prefix="pictures-"))
    import django

    django.setup()
    from tests.dashboard.pictures import EXPECTED, drawn, save

    EXPECTED.mkdir(exist_ok=True)
    written = set()
    for name, picture in drawn():
        path = EXPECTED / f"{name}.png"
        save(picture, path)
        written.add(path)
    for path in set(EXPECTED.glob("*.png")) - written:
        path.unlink()
    print(f"{len(written)} pictures in {EXPECTED}")


if __name__ == "__main__":
    main()
