"""A document from right to left is the mirror image of the same one from left to right."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final

import pytest

from rendering.formats.pdf.layout.document import pages_of
from rendering.formats.pdf.layout.measures import MM
from templates_app.kinds import KINDS
from tests.rendering.geometry import boxes
from tests.rendering.resolved import document, heading, limits, page
from tests.templates_app.test_kinds import DATA, MINIMAL, scope, section

# Their sides are those of the paper, as docs/authors.md says.
ON_PAPER: Final = {"image", "barcode", "chart"}
# What the smallest section of a kind does not have, and stands at one side.
MORE: Final[dict[str, dict[str, Any]]] = {
    "box": {"accent": "#112233", "padding": 8},
    "columns": {
        "columns": [*MINIMAL["columns"]["columns"], {"width": 30, "sections": [{"type": "divider"}]}]
    },
    "key_value": {"labelWidth": 30},
    "list": {"items": ["{{note}}", {"content": "{{note}}", "items": ["{{note}}"]}]},
    "signature": {"signers": [{"name": "{{note}}", "role": "{{title}}", "date": "{{title}}"}]},
    "table": {"columns": [{"key": "x", "align": "left"}, {"key": "y", "width": 20}]},
}
WIDTH: Final = 210 * MM


def places(kind: str, language: str) -> Sequence[tuple[float, float, float]]:
    """Return where things are that a section of a kind draws: their left and right ends, and their height.

    Behind it comes a heading that a table of contents can name.
    """
    made = section(kind, **MORE.get(kind, {})).resolve(scope(DATA))
    (laid,) = pages_of(document(made, heading("H"), on=page(), language=language), limits())
    return [(box.left, box.right, box.bottom) for box in boxes(laid.items)]


@pytest.mark.parametrize("kind", sorted(set(KINDS) - ON_PAPER))
def test_every_kind_is_mirrored(kind: str) -> None:
    turned = [(WIDTH - right, WIDTH - left, y) for left, right, y in places(kind, "en")]
    found = places(kind, "he")
    assert len(found) == len(turned)
    left_behind = [
        place for place in turned if not any(place == pytest.approx(one, abs=0.5) for one in found)
    ]
    assert not left_behind, "its own places by flow.typesetter.mirrored, or a line in ON_PAPER"
