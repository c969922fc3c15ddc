"""All examples, in the order of the gallery."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from tests.gallery import languages, more, more_texts, structure, tables, texts
from tests.gallery.base import Example

CHAPTERS: Final[Mapping[str, list[Example]]] = {
    "Text": [*texts.EXAMPLES, *more_texts.TEXTS],
    "Tables": [*tables.EXAMPLES, *more.TABLES],
    "Structure": [*structure.EXAMPLES, *more.STRUCTURE],
    "Languages": languages.EXAMPLES,
}
EXAMPLES: Final = [example for chapter in CHAPTERS.values() for example in chapter]
