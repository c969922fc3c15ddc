"""All examples, in the order of the gallery."""

from __future__ import annotations

from tests.gallery import languages, structure, tables, texts
from tests.gallery.base import Example

EXAMPLES: list[Example] = [*texts.EXAMPLES, *tables.EXAMPLES, *structure.EXAMPLES, *languages.EXAMPLES]
