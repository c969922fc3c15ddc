"""Values and records do as the standard dataclass does, and late patterns as compiled ones."""

from __future__ import annotations

import copy
import dataclasses
import pickle
from dataclasses import field, replace

import pytest

from config.patterns import late
from config.value import dataclass, value


@value
class Point:
    x: int
    y: int = 0

    @property
    def sum(self) -> int:
        return self.x + self.y


@value
class Spot(Point):
    names: tuple[str, ...] = field(default_factory=tuple)


@dataclass(frozen=True, slots=True)
class Fixed:
    name: str
    at: int = field(default=0, compare=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "name", self.name.upper())


@dataclass(frozen=True)
class Open:
    name: str


@dataclass
class Record:
    items: list[int] = field(default_factory=list)


def test_a_value_is_its_fields() -> None:
    assert Point(1) == Point(x=1, y=0) != Point(1, 2)
    assert (Point(1) == Spot(1), Point(1) == 1, len({Point(1), Point(1), Point(2)})) == (False, False, 2)
    assert (repr(Spot(1, 2, ("a",))), Spot(1).names, Spot(3, 4).sum) == (
        "Spot(x=1, y=2, names=('a',))", (), 7,
    )  # fmt: skip
    assert [entry.name for entry in dataclasses.fields(Spot)] == ["x", "y", "names"]
    assert replace(Point(1), y=5) == Point(1, 5)
    with pytest.raises(TypeError, match=r"Point.__init__\(\) missing 1 required positional argument: 'x'"):
        Point()  # type: ignore[call-arg]
    with pytest.raises(AttributeError):
        Point(1).z = 3  # type: ignore[attr-defined]


@pytest.mark.parametrize("made", [Fixed("a", 3), Open("a")])
def test_a_frozen_one_stays_as_it_is(made: Fixed | Open) -> None:
    with pytest.raises(dataclasses.FrozenInstanceError):
        made.name = "b"  # type: ignore[misc]
    with pytest.raises(dataclasses.FrozenInstanceError):
        del made.name
    assert copy.copy(made) == copy.deepcopy(made) == pickle.loads(pickle.dumps(made)) == made
    assert hash(made) == hash(copy.copy(made))


def test_fields_that_do_not_count() -> None:
    assert Fixed("a", 1) == Fixed("A", 2)
    assert copy.copy(Fixed("a", 2)).at == 2


def test_a_record_may_change_and_is_no_key() -> None:
    one, other = Record(), Record()
    one.items.append(1)
    assert (one, other) == (Record([1]), Record())
    with pytest.raises(TypeError, match="unhashable"):
        hash(one)


def test_a_pattern_is_compiled_when_it_is_used() -> None:
    pattern = late("a(b)?")
    found = pattern.search("xab")
    assert found is not None
    assert (found[1], pattern.sub("-", "cab"), pattern.pattern, pattern.groups) == ("b", "c-", "a(b)?", 1)
    assert pattern.split("1a2") == ["1", None, "2"]
    with pytest.raises(Exception, match="unterminated"):
        late("(").match("")
