"""The contract of a section kind.

A kind is a typed model: its fields give validation, the OpenAPI schema and the editor's form. Lengths are
millimetres, font sizes points. Texts may hold `{{...}}` expressions.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Annotated, Any, ClassVar, Literal

from pydantic import AfterValidator, Field

from config.api.models import StrictModel
from templates_app.expressions.grammar import parse_path

if TYPE_CHECKING:
    from templates_app.scope import Scope
    from templates_app.variables import Use

Align = Literal["left", "center", "right"]
Color = Annotated[
    str, Field(pattern=r"^#[0-9a-fA-F]{6}$", description="Colour as #rrggbb.", examples=["#1f2937"])
]
Text = Annotated[str, Field(max_length=100_000)]


def _path(value: str) -> str:
    parse_path(value)
    return value


Path = Annotated[
    str,
    AfterValidator(_path),
    Field(
        pattern=r"^[\w-]+(\.[\w-]+)*$",
        max_length=200,
        description="Name or dotted path in the data.",
        examples=["items"],
    ),
]


class Section(StrictModel):
    """Base of every section kind."""

    label: ClassVar[str]

    def uses(self) -> Iterator[Use]:
        """Yield every place of the data that this section reads."""
        raise NotImplementedError

    def resolve(self, scope: Scope) -> Any:
        """Return the resolved section (a dataclass of `templates_app.resolved`): plain values only."""
        raise NotImplementedError
