"""The contract of a section kind.

A kind is a typed model: its fields give validation, the OpenAPI schema and the editor's form. Lengths are
millimetres, font sizes points. Texts may hold `{{...}}` expressions and inline marks.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import TYPE_CHECKING, Annotated, ClassVar

from config.api.models import AfterValidator, Field, StrictModel
from templates_app import patterns
from templates_app.conditions import Condition, check_path
from templates_app.resolved import ResolvedLanguage, ResolvedPlace, ResolvedSection
from templates_app.scope import ResolveError, Scope

if TYPE_CHECKING:
    from templates_app.variables import Use

Color = Annotated[str, Field(pattern=patterns.COLOR, description="Colour as #rrggbb.", examples=["#1f2937"])]
Text = Annotated[str, Field(max_length=100_000)]
LanguageTag = Annotated[str, Field(max_length=40, pattern=patterns.LANGUAGE, examples=["de"])]
Name = Annotated[str, Field(min_length=1, max_length=100, pattern=patterns.NAME, examples=["item"])]


# An asset id, a data URI, or an expression that gives one of them.
ImageSource = Annotated[str, Field(max_length=5_000_000)]
GivenImage = Annotated[ImageSource, Field(min_length=1)]
Path = Annotated[
    str,
    AfterValidator(check_path),
    Field(
        pattern=patterns.PATH,
        max_length=200,
        description="Name or dotted path in the data.",
        examples=["items"],
    ),
]


class Section(StrictModel):
    """Base of every section kind."""

    kind_label: ClassVar[str]  # what people call the kind: "Bar code"

    show_if: Condition | None = Field(
        default=None, description="The section is left out where this does not hold."
    )

    def uses(self) -> Iterator[Use]:
        """Yield every place of the data that this section reads, but for its condition."""
        raise NotImplementedError

    def resolve(self, scope: Scope) -> ResolvedSection | None:
        """Return the resolved section: plain values only.

        None leaves it out. Raises ResolveError with paths relative to the section or into the data.
        """
        raise NotImplementedError

    def parts(self) -> Sequence[Sequence[Section]]:
        """Return the lists of sections inside this one."""
        return ()


class Written(Section):
    """Base of the kinds that show texts, and of those that hold sections."""

    language: LanguageTag | None = Field(
        default=None,
        description="Language of the texts in here, where it is another one than around: "
        "how words are divided, how letters look, which side lines begin at.",
    )


def nested(sections: Iterable[Section]) -> Iterator[Section]:
    """Yield sections and those inside them, in document order."""
    for section in sections:
        yield section
        for part in section.parts():
            yield from nested(part)


def depth_of(sections: Iterable[Section]) -> int:
    """Return how deep sections stand in each other: 1 when none holds others."""
    return 1 + max((depth_of(part) for section in sections for part in section.parts()), default=0)


def sections_uses(sections: Iterable[Section]) -> Iterator[Use]:
    """Yield what sections and their conditions read."""
    for section in sections:
        if section.show_if is not None:
            yield from section.show_if.uses()
        yield from section.uses()


def resolve_sections(
    sections: Iterable[Section], scope: Scope, place: str = "sections", language: str | None = None
) -> list[ResolvedSection]:
    """Return the sections that show, resolved; a ResolveError says in which one it was.

    One with a language of its own, else `language`, is in a ResolvedLanguage; each is in a ResolvedPlace
    where the budget says so.
    """
    resolved: list[ResolvedSection] = []
    for index, section in enumerate(sections):
        try:
            scope.budget.spend()
            if section.show_if is None or section.show_if.holds(scope):
                made = section.resolve(scope)
                if made is None:
                    continue
                spoken = (section.language if isinstance(section, Written) else None) or language
                if spoken is not None:
                    made = ResolvedLanguage(made, spoken)
                if scope.budget.with_places:
                    made = ResolvedPlace(made, f"{place}[{index}]")
                resolved.append(made)
        except ResolveError as error:
            raise error.below(f"{place}[{index}]") from None
    return resolved
