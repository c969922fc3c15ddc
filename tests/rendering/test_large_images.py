"""Large images: whoever decodes one waits for the others, small ones wait for nobody."""

from __future__ import annotations

from collections.abc import Callable
from threading import Thread

import pytest

from assets.images import inspect_image, prepare_image
from config import large_images
from config.large_images import LARGE, turn_for
from rendering.formats.pdf.write.images import encode
from rendering.formats.xlsx.pictures import usable
from templates_app.resolved import ImageFile
from tests.rendering.writing import picture

MOST = 40_000_000
DECODERS: dict[str, Callable[[ImageFile], object]] = {
    "checked": lambda webp: inspect_image(webp.content, MOST),
    "uploaded": lambda webp: prepare_image(webp.content, MOST),
    "in a PDF": encode,
    "in a sheet": usable,
}


@pytest.mark.parametrize("way", DECODERS)
def test_one_at_a_time(way: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(large_images, "LARGE", 1)
    webp = picture("RGB", "WEBP", lossless=True, xmp=way.encode())  # none that is known already
    done: list[object] = []
    other = Thread(target=lambda: done.append(DECODERS[way](webp)))
    with turn_for(2):
        other.start()
        other.join(0.2)
        assert not done
    other.join(60)
    assert done
    assert done[0]


def test_small_images_wait_for_nobody() -> None:
    with turn_for(LARGE + 1), turn_for(LARGE):
        pass
