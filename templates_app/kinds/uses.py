"""What texts read from the data."""

from __future__ import annotations

from collections.abc import Iterator

from templates_app.expressions.grammar import Expression, parse
from templates_app.variables import Use


def text_uses(*texts: str) -> Iterator[Use]:
    """Yield a use for each expression of the texts."""
    for text in texts:
        for part in parse(text):
            if isinstance(part, Expression):
                yield Use.with_helper(part.path, part.helper)
