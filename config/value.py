"""Values and records that are quick to declare and quick to make. Pure.

The standard `dataclass` compiles four to seven functions for each class while its module is loaded: half a
millisecond and more, and a render loads a hundred such classes. Here the standard decorator only collects the
fields; each function is compiled when it is first called. What a class does is the same.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Callable
from typing import TYPE_CHECKING, Any, TypeVar, dataclass_transform

T = TypeVar("T")


@dataclass_transform(frozen_default=True)
def value(cls: type[T]) -> type[T]:
    """Make a class a value: compared and hashed by its fields, and not to be changed.

    The type checker sees to the latter and not the interpreter: a frozen dataclass sets each field through
    `object.__setattr__` and takes ten times as long to make, and a page is made of hundreds of such values.
    """
    return _made(cls, frozen=False, hashed=True, slots=True)


if TYPE_CHECKING:
    # The checker knows what the standard one promises.
    from dataclasses import dataclass as dataclass
else:

    def dataclass(cls=None, *, frozen=False, slots=False):
        """Do as `dataclasses.dataclass`, with `frozen` and `slots` only."""
        if cls is None:
            return lambda cls: _made(cls, frozen=frozen, hashed=frozen, slots=slots)
        return _made(cls, frozen=frozen, hashed=frozen, slots=slots)


def _made(cls: type[T], *, frozen: bool, hashed: bool, slots: bool) -> type[T]:
    """Return the class with its methods: those of its own body stay, but for the constructor."""
    own = cls.__dict__
    if cls.__doc__ is None:
        cls.__doc__ = cls.__name__  # else the standard decorator asks `inspect` for a signature to put there
    made: Any = dataclasses.dataclass(init=False, repr=False, eq=False, slots=slots)(cls)
    compared = [field.name for field in dataclasses.fields(made) if field.compare]
    _at_first_use(made, "__init__", lambda: _constructor(made, frozen=frozen))
    if "__repr__" not in own:
        made.__repr__ = _repr
    if "__eq__" not in own:
        _compare(made, compared, hashed=hashed and "__hash__" not in own)
    if frozen:
        made.__setattr__ = made.__delattr__ = _refuse
        if slots:
            made.__getstate__, made.__setstate__ = _state, _set_state
    return made


def _at_first_use(cls: Any, name: str, code: Callable[[], tuple[str, dict[str, Any]]]) -> None:
    """Give the class a method that is compiled, and replaced, when it is first called."""

    def first(self: Any, *args: Any, **kwargs: Any) -> Any:
        lines, known = code()
        exec(lines, known)  # noqa: S102 (made of the names of fields)
        made = known[name]
        made.__qualname__ = f"{cls.__qualname__}.{name}"
        setattr(cls, name, made)
        return made(self, *args, **kwargs)

    first.__name__ = name
    setattr(cls, name, first)


def _constructor(cls: Any, *, frozen: bool) -> tuple[str, dict[str, Any]]:
    """Return the constructor that the standard decorator would have made."""
    parameters, lines = [], []
    known: dict[str, Any] = {"MISSING": dataclasses.MISSING, "put": object.__setattr__}
    for field in dataclasses.fields(cls):
        name, given = field.name, field.name
        if field.default is not dataclasses.MISSING:
            known[f"default_{name}"] = field.default
            parameters.append(f"{name}=default_{name}")
        elif field.default_factory is not dataclasses.MISSING:
            known[f"make_{name}"] = field.default_factory
            parameters.append(f"{name}=MISSING")
            given = f"make_{name}() if {name} is MISSING else {name}"
        else:
            parameters.append(name)
        lines.append(f"put(self, {name!r}, {given})" if frozen else f"self.{name} = {given}")
    if hasattr(cls, "__post_init__"):
        lines.append("self.__post_init__()")
    body = "".join(f"\n    {line}" for line in lines) or "\n    pass"
    return f"def __init__(self, {', '.join(parameters)}):{body}", known


def _compare(cls: Any, names: list[str], *, hashed: bool) -> None:
    """Compare, and hash, by the fields of these names; a class that is not hashed says so."""

    def fields(of: str) -> str:
        return "(" + "".join(f"{of}.{name}, " for name in names) + ")"

    same = f"{fields('self')} == {fields('other')} if other.__class__ is self.__class__ else NotImplemented"
    _at_first_use(cls, "__eq__", lambda: (f"def __eq__(self, other): return {same}", {}))
    if hashed:
        _at_first_use(cls, "__hash__", lambda: (f"def __hash__(self): return hash({fields('self')})", {}))
    elif "__hash__" not in cls.__dict__:
        cls.__hash__ = None


def _repr(self: Any) -> str:
    shown = ", ".join(f"{field.name}={getattr(self, field.name)!r}" for field in dataclasses.fields(self))
    return f"{type(self).__qualname__}({shown})"


def _refuse(self: Any, name: str, *given: Any) -> None:
    raise dataclasses.FrozenInstanceError(f"cannot change field {name!r}")


def _state(self: Any) -> list[Any]:
    return [getattr(self, field.name) for field in dataclasses.fields(self)]


def _set_state(self: Any, state: list[Any]) -> None:
    for field, given in zip(dataclasses.fields(self), state, strict=True):
        object.__setattr__(self, field.name, given)
