"""Documents whose bytes are compared; `python -m tests.rendering.specimens SEED THREADS` prints digests.

A thread that is alone draws all of them, one of many some of them, in an order of its own and after another
document that fills the caches of the process with something else.
"""

from __future__ import annotations

import hashlib
import json
import sys
import time
from collections.abc import Callable, Mapping
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from io import BytesIO
from random import Random
from threading import Barrier
from typing import Any, Final

# As examples of the gallery; those with tables become worksheets as well.
PAGES: Final = (
    "text-marks", "text-german", "lists", "contents", "group", "table-cells", "table-carry", "barcodes",
    "page", "languages", "right-to-left",
)  # fmt: skip
SHEETS: Final = ("table-groups", "table-styles", "languages")
SHARE: Final = 4
SCRIPTS: Final = (("a", "z"), ("À", "ÿ"), ("α", "ω"), ("а", "я"), ("א", "ת"), ("ก", "ฮ"), ("一", "丏"))


def specimens() -> Mapping[str, Callable[[], bytes]]:
    """Return what draws each document, by name."""
    from tests.gallery.examples import EXAMPLES

    known = {example.name: example for example in EXAMPLES}
    found: dict[str, Callable[[], bytes]] = {
        f"{name}.pdf": known[name].pdf for name in PAGES if name in known
    }
    for name in SHEETS:
        if name in known:
            found[f"{name}.xlsx"] = partial(_sheet, known[name])
    return found


def digests(seed: int, threads: int) -> list[dict[str, str]]:
    """Return for each thread the SHA-256 of documents by name; all threads draw at the same time."""
    documents = specimens()
    start = Barrier(threads)

    def draw(number: int) -> dict[str, str]:
        random = Random(seed * 100 + number)
        names = sorted(documents)
        random.shuffle(names)
        if threads > 1:
            del names[SHARE:]
        start.wait()
        if seed:
            _history(random)
        return {name: hashlib.sha256(documents[name]()).hexdigest() for name in names}

    with ThreadPoolExecutor(threads) as pool:
        return list(pool.map(draw, range(threads)))


def _history(random: Random) -> None:
    """Draw a document that no specimen is like: words of several scripts, in tables and lines."""
    from rendering.formats.base import Limits
    from rendering.formats.pdf.renderer import PdfRenderer
    from tests.rendering.resolved import document, text
    from tests.rendering.tables import column, table

    words = [
        "".join(chr(random.randint(ord(first), ord(last))) for _ in range(random.randint(1, 9)))
        for first, last in SCRIPTS
        for _ in range(20)
    ]
    random.shuffle(words)
    rows = [[word, random.random() * 10_000] for word in words[:30]]
    sections = [text(" ".join(words), align="justify"), table([column("A"), column("B")], rows)]
    random.shuffle(sections)
    PdfRenderer().render(document(*sections), BytesIO(), Limits(1000, time.monotonic() + 600, 600))


def _sheet(example: Any) -> bytes:
    from rendering.formats import RENDERERS
    from rendering.formats.base import Limits

    out = BytesIO()
    RENDERERS["xlsx"].render(example.resolved(), out, Limits(1000, time.monotonic() + 600, 600))
    return out.getvalue()


def main() -> None:
    """Print one JSON object per thread."""
    import django

    django.setup()
    seed, threads = map(int, sys.argv[1:])
    print(json.dumps(digests(seed, threads)))


if __name__ == "__main__":
    main()
