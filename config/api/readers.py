"""Readers: from a type, as an annotation says it, to the function that takes JSON or raises ValueError.

A reader takes at most what pydantic takes in strict mode; what it refuses, pydantic judges
(`config/api/models.py`). So it may be plain where pydantic is generous, and must not be generous where
pydantic is not: `tests/templates_app/test_reading.py` compares both on random JSON.
"""

from __future__ import annotations

import math
import operator
import re
from collections.abc import Callable
from types import NoneType, UnionType
from typing import Annotated, Any, Literal, TypeVar, Union, get_args, get_origin

from config.api.models import (
    MISSING,
    AfterValidator,
    BeforeValidator,
    Discriminator,
    FieldInfo,
    Reading,
    StrictModel,
    Tag,
    WithJsonSchema,
)

Reader = Callable[[Any], Any]
Model = TypeVar("Model", bound=StrictModel)


class Unfit(ValueError):
    """A value is not of its type."""


def read_model(model: type[Model], value: Any) -> Model:
    """Return JSON as the model; raises ValueError when it is none, and says no more than that."""
    if type(value) is not dict:
        if type(value) is model:
            return value
        raise Unfit
    value = model.check_given(value)
    readers = _readers_of(model)
    if not value.keys() <= readers.keys():
        raise Unfit
    checks = model._field_checks
    data: dict[str, Any] = {}
    given: dict[str, Any] = {}
    for name, info in model.model_fields.items():
        if info.alias in value:
            read = readers[info.alias] or _field_reader(readers, info)
            found = read(value[info.alias])
            if name in checks:
                found = model.check_field(name, found, data)
            given[name] = data[name] = found
            continue
        if info.default is MISSING:
            raise Unfit
        data[name] = model.check_field(name, info.default, data) if info.validate_default else info.default
    return model.checked(given)


_known: dict[type, dict[str, Reader | None]] = {}


def _readers_of(model: type[StrictModel]) -> dict[str, Reader | None]:
    """Return a model's readers by the names on the wire, None for those that nobody needed yet."""
    found = _known.get(model)
    if found is None:
        found = _known.setdefault(model, dict.fromkeys(info.alias for info in model.model_fields.values()))
    return found


def _field_reader(readers: dict[str, Reader | None], info: FieldInfo) -> Reader:
    read, said = reader_of(hint_of(info)), _limits(info)
    readers[info.alias] = made = _then(read, *said) if said else read
    return made


def hint_of(info: FieldInfo) -> Any:
    """Return the type of a model's field."""
    text, names = info.hint
    return eval(text, names)  # noqa: S307 (an annotation of ours)


def reader_of(hint: Any) -> Reader:
    """Return the reader of a type."""
    if simple := _SIMPLE.get(hint):
        return simple
    if isinstance(hint, type) and issubclass(hint, StrictModel):
        return lambda value: read_model(hint, value)
    origin, parts = get_origin(hint), get_args(hint)
    if origin is Annotated:
        return _annotated(parts[0], parts[1:])
    if origin is Literal:
        return _one_of(parts)
    if origin in (Union, UnionType):
        return _any_of(parts)
    if origin is list:
        return _list_of(reader_of(parts[0]))
    if origin is dict:
        return _dict_of(*map(reader_of, parts))
    raise TypeError(f"no reader for {hint}")


def _annotated(hint: Any, metadata: tuple[Any, ...]) -> Reader:
    own = next((extra for extra in metadata if isinstance(extra, Reading)), None)
    read = own.read if own is not None else reader_of(hint)
    for extra in metadata:
        if isinstance(extra, BeforeValidator):
            read = _then(extra.func, read)
        elif isinstance(extra, AfterValidator):
            read = _then(read, extra.func)
        elif isinstance(extra, FieldInfo):
            read = _then(read, *_limits(extra))
        elif not isinstance(extra, (Reading, Discriminator, Tag, WithJsonSchema)):
            raise TypeError(f"{extra!r}: take what annotates a type from config.api.models")
    return read


def _then(*steps: Reader) -> Reader:
    def read(value: Any) -> Any:
        for step in steps:
            value = step(value)
        return value

    return read


# ---------------------------------------------------------------- types


def _text(value: Any) -> str:
    if type(value) is not str:
        raise Unfit
    if not value.isascii():
        value.encode()  # a lone surrogate is no text
    return value


def _number(value: Any) -> float:
    if type(value) is not float:
        if type(value) is not int:
            raise Unfit
        try:
            value = float(value)
        except OverflowError:
            raise Unfit from None
    if not math.isfinite(value):
        raise Unfit
    return value


def _exactly(kind: type) -> Reader:
    def read(value: Any) -> Any:
        if type(value) is not kind:
            raise Unfit
        return value

    return read


_SIMPLE: dict[Any, Reader] = {
    str: _text,
    float: _number,
    int: _exactly(int),
    bool: _exactly(bool),
    NoneType: _exactly(NoneType),
    Any: lambda value: value,
}


def _one_of(texts: tuple[str, ...]) -> Reader:
    known = frozenset(texts)

    def read(value: Any) -> str:
        if type(value) is not str or value not in known:
            raise Unfit
        return value

    return read


def _any_of(hints: tuple[Any, ...]) -> Reader:
    """Return a reader that takes what the first type that fits takes; a null is looked for first."""
    nullable = NoneType in hints
    readers = [reader_of(hint) for hint in hints if hint is not NoneType]

    def read(value: Any) -> Any:
        if value is None and nullable:
            return None
        for one in readers[:-1]:
            try:
                return one(value)
            except ValueError:
                continue
        return readers[-1](value)

    return read


def _list_of(entry: Reader) -> Reader:
    def read(value: Any) -> list[Any]:
        if type(value) is not list:
            raise Unfit
        return [entry(one) for one in value]

    return read


def _dict_of(name: Reader, entry: Reader) -> Reader:
    def read(value: Any) -> dict[Any, Any]:
        if type(value) is not dict:
            raise Unfit
        return {name(key): entry(one) for key, one in value.items()}

    return read


# ---------------------------------------------------------------- limits

_BOUNDS: dict[str, Callable[[Any, Any], bool]] = {
    "ge": operator.ge,
    "gt": operator.gt,
    "le": operator.le,
    "lt": operator.lt,
    "min_length": lambda value, bound: len(value) >= bound,
    "max_length": lambda value, bound: len(value) <= bound,
}


def _limits(info: FieldInfo) -> list[Reader]:
    """Return what a field says of the values of its type; a null has no limits."""
    bounds = [(holds, bound) for name, holds in _BOUNDS.items() if (bound := getattr(info, name)) is not None]
    steps = [_within(bounds)] if bounds else []
    return [*steps, _matching(info.pattern)] if info.pattern is not None else steps


def _within(bounds: list[tuple[Callable[[Any, Any], bool], Any]]) -> Reader:
    def read(value: Any) -> Any:
        if value is not None:
            for holds, bound in bounds:
                if not holds(value, bound):
                    raise Unfit
        return value

    return read


def _matching(pattern: str) -> Reader:
    """Return the check of a pattern in pydantic's language, where `$` is the very end.

    The two know other letters beyond ASCII; what Python calls a letter is one for both.
    """
    search = re.compile(re.sub(r"\$$", r"\\Z", pattern)).search

    def read(value: Any) -> Any:
        if value is not None:
            if not search(value):
                raise Unfit
            if not value.isascii() and not all(sign.isascii() or sign.isalpha() for sign in value):
                raise Unfit
        return value

    return read
