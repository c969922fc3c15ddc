"""Two ways from JSON to a model: the reader takes nothing that pydantic refuses, and makes the same of it."""

from __future__ import annotations

import copy
import json
from collections.abc import Iterator
from random import Random
from typing import Annotated, Any

import pydantic
import pytest
from hypothesis import given
from pydantic import ValidationError

from config.api.bodies import BodyModel, judge
from config.api.models import Field, StrictModel
from config.api.readers import Unfit, read_model
from dashboard.starters import STARTERS
from templates_app.kinds import KINDS
from templates_app.page import PageSettings
from templates_app.variables import Variable
from tests.gallery.examples import EXAMPLES
from tests.templates_app.test_kinds import MINIMAL, changed_sections

BODIES = [starter.body for starter in STARTERS] + [example.body() for example in EXAMPLES]
SECTIONS = [section for body in BODIES for section in body["sections"]] + [
    {"type": kind} | fields for kind, fields in MINIMAL.items()
]
PAGES = [body.get("page", {}) for body in BODIES] + [
    {"firstHeader": None, "size": {"width": 100, "height": 60}, "theme": {"headings": {"1": {"size": 9}}}},
    {"watermark": {"text": "x"}, "protection": {}, "header": {"sections": [SECTIONS[0]]}},
]
VARIABLES = [variable for body in BODIES for variable in body.get("variables", [])] + [
    {"name": "a", "type": "list", "fields": [{"name": "b", "type": "date", "format": "date:long"}]},
    {"name": "c", "default": "x", "label": "C", "locale": "de-AT"},
]
# What stands in place of any value: of each type, at the edges, and what only one of the two ways could take.
OTHERS: list[Any] = [
    None, True, False, 0, 1, -1, 2.0, 2.5, 1e300, 10**400, float("inf"), float("nan"), "", " ", "a", "a.b",
    "a b", "a\n", "#aabbcc", "#AABBCC\n", "25%", "0%", "²%", "*", "left", "größe", "कीमत", "x²", "ª",
    "\u200d", "x * 2", "{{x}}", "number:2", "de-AT", "xx", "A5", "EUR", "Europe/Vienna", "x" * 41, "x" *
    101, "x" * 1001, [], [1], ["a"], [None], {}, {"a": 1}, {"type": "text", "content": "x"}, {"field":
    "größe", "is": "set"}, {"field": "a", "is": "in", "value": [1, "b"]}, {"not": {"field": "a", "is":
    "greater", "value": True}}, {"all": []}, {"width": 100, "height": 60}, {"width": 1}, [{"name": "a"},
    {"name": "a"}], ["a", {"content": "b", "items": ["c"]}], (1,), b"a",
]  # fmt: skip
NAMES = [
    "showIf",
    "width",
    "height",
    "format",
    "value",
    "key",
    "default",
    "carryForward",
    "sheet",
    "styles",
    "nope",
]


def places(value: Any, path: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:
    """Yield the paths of all values inside a value."""
    inside = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for name, child in inside:
        yield (*path, name)
        yield from places(child, (*path, name))


def changed(value: dict[str, Any], random: Random) -> dict[str, Any]:
    """Return a copy in which a value is another one, is missing, or is not known."""
    value = copy.deepcopy(value)
    path = random.choice([*places(value), (random.choice(NAMES),)])
    node: Any = value
    for name in path[:-1]:
        node = node[name]
    match random.randrange(4):
        case 0 if isinstance(node, dict):
            node.pop(path[-1], None)
        case 1 if isinstance(node, dict):
            node[random.choice(NAMES)] = random.choice(OTHERS)
        case _:
            node[path[-1]] = random.choice(OTHERS)
    return value


def both(model: type[StrictModel], value: Any) -> bool:
    """Hold the reader against pydantic; return whether the reader took the value."""
    try:
        read = read_model(model, value)
    except ValueError:
        return False
    judged = judge(model, value)
    assert read.model_fields_set == judged.model_fields_set
    # As text: 1 is not 1.0 there.
    assert json.dumps(read.model_dump()) == json.dumps(judged.model_dump())
    return True


def model_of(section: dict[str, Any]) -> type[StrictModel]:
    return KINDS[section["type"]]


def test_what_people_write_is_read_without_pydantic() -> None:
    assert all(both(model_of(section), section) for section in SECTIONS)
    assert all(both(PageSettings, page) for page in PAGES)
    assert all(both(Variable, variable) for variable in VARIABLES)


@pytest.mark.parametrize("seed", range(4))
def test_the_reader_takes_nothing_that_pydantic_refuses(seed: int) -> None:
    random = Random(seed)
    taken = 0
    for _ in range(600):
        section = random.choice(SECTIONS)
        taken += both(model_of(section), changed(section, random))
        taken += both(PageSettings, changed(random.choice(PAGES), random))
        taken += both(Variable, changed(random.choice(VARIABLES), random))
    assert 100 < taken < 1700


@given(changed_sections)
def test_nor_of_any_other_json(section: dict[str, Any]) -> None:
    both(model_of(section), section)


def test_what_the_reader_does_not_know_pydantic_judges() -> None:
    """Signs that belong to letters: the expressions of the two differ there."""
    with pytest.raises(Unfit):
        read_model(Variable, {"name": "कीमत"})
    assert Variable.model_validate({"name": "कीमत"}).name == "कीमत"


class Entry(StrictModel):
    key_name: str = Field(min_length=1)
    size: float | None = Field(default=None, ge=1)


class Holder(StrictModel):
    entry: Entry | int
    entries: Annotated[list[Entry], Field(max_length=1)] = []


class Body(BodyModel):
    holder: Holder


def test_a_model_in_a_body_and_in_a_union() -> None:
    body = Body.model_validate({"holder": {"entry": {"keyName": "a", "size": 2}}, "more": 1})
    assert type(body.holder.entry) is Entry
    assert body.holder.model_dump(exclude_unset=True) == {"entry": {"keyName": "a", "size": 2.0}}
    assert body.holder.entries == []
    with pytest.raises(ValidationError) as caught:
        Body.model_validate({"holder": {"entry": {"size": 0}, "entries": [{}, {}]}})
    assert {error["loc"][1:]: error["type"] for error in caught.value.errors()} == {
        ("entry", "Entry", "keyName"): "missing",
        ("entry", "Entry", "size"): "greater_than_equal",
        ("entry", "int"): "int_type",
        ("entries",): "too_long",
    }
    with pytest.raises(AttributeError):
        body.holder.entry = 3  # type: ignore[misc]


def test_a_declaration_in_pydantics_own_words_is_refused() -> None:
    with pytest.raises(TypeError, match=r"config\.api\.models"):

        class Wrong(StrictModel):
            name: str = pydantic.Field(min_length=1)

    class Hidden(StrictModel):
        name: Limited = ""

    with pytest.raises(TypeError, match=r"config\.api\.models"):
        read_model(Hidden, {"name": "a"})


Limited = Annotated[str, pydantic.Field(max_length=0)]
