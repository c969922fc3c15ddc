"""Typed JSON objects: declared once, read at once, judged in words only when something is wrong.

A model is declared with pydantic's words (`Field`, `Annotated`, `field_validator`), but they are those of
this module: to load pydantic and to build its models takes half the time in which a new process renders its
first page, and what is sound needs no explanation. So there are two ways from JSON to a value of a class:

- `model_validate` asks the reader (`config/api/readers.py`) first, plain functions made of the fields that a
  value gives. It knows only yes and no, and never says yes where pydantic would say no.
- What the reader does not take is handed to pydantic's model of the same declaration, made in
  `config/api/bodies.py`, whose word counts: it returns the value or raises the ValidationError that names
  every field. Request bodies, the OpenAPI schema and error messages come from there as well.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Container, Mapping
from typing import Annotated, Any, ClassVar, Final, Self, TypeVar, dataclass_transform

Checked = TypeVar("Checked", bound=Callable[..., Any])


class _Missing:
    """No value: a field without default is required."""

    def __repr__(self) -> str:
        return "MISSING"


MISSING: Final[Any] = _Missing()


class MissingValue(ValueError):
    """Raised by a check for a field that is needed although it has a default."""


class FieldInfo:
    """What is said of a field, or of a type in `Annotated`: limits, words, the name on the wire.

    `ge`, `gt`, `le` and `lt` bound numbers, `min_length` and `max_length` texts and lists; `pattern` must
    match somewhere in a text; `default` is given as it is and not checked unless `validate_default`.
    """

    __slots__ = (
        "alias", "default", "description", "examples", "ge", "gt", "hint", "le", "lt", "max_length",
        "min_length", "pattern", "validate_default",
    )  # fmt: skip

    def __init__(
        self,
        default: Any = MISSING,
        *,
        alias: str = "",
        description: str | None = None,
        examples: list[Any] | None = None,
        ge: float | None = None,
        gt: float | None = None,
        le: float | None = None,
        lt: float | None = None,
        min_length: int | None = None,
        max_length: int | None = None,
        pattern: str | None = None,
        validate_default: bool = False,
    ) -> None:
        self.default = default
        self.alias = alias
        self.description = description
        self.examples = examples
        self.ge = ge
        self.gt = gt
        self.le = le
        self.lt = lt
        self.min_length = min_length
        self.max_length = max_length
        self.pattern = pattern
        self.validate_default = validate_default
        self.hint: Any = None  # of a model's field: its annotation as it is written, and the module's names

    def is_required(self) -> bool:
        """Tell whether the field must be given."""
        return self.default is MISSING


def Field(default: Any = MISSING, **said: Any) -> Any:
    """Describe a field; see `FieldInfo`. Any, because it stands where the field's default stands."""
    return FieldInfo(default, **said)


class AfterValidator:
    """In `Annotated`: a function that returns what it is given, or raises ValueError."""

    __slots__ = ("func",)

    def __init__(self, func: Callable[[Any], Any]) -> None:
        self.func = func


class BeforeValidator(AfterValidator):
    """The same before the type is looked at."""

    __slots__ = ()


class WithJsonSchema:
    """In `Annotated`: the JSON schema of a type, where checks are functions."""

    __slots__ = ("json_schema",)

    def __init__(self, json_schema: dict[str, Any]) -> None:
        self.json_schema = json_schema


class Tag:
    """In `Annotated`: the name of one type of a union; in angle brackets it is left out of error paths."""

    __slots__ = ("tag",)

    def __init__(self, tag: str) -> None:
        self.tag = tag


class Discriminator:
    """In `Annotated` around a union: the function that tells the `Tag` of a value."""

    __slots__ = ("func",)

    def __init__(self, func: Callable[[Any], str]) -> None:
        self.func = func


class Reading:
    """In `Annotated`: a type that reads itself. Subclasses say how, for the reader and for pydantic."""

    def read(self, value: Any) -> Any:
        """Return the typed value; raises ValueError."""
        raise NotImplementedError

    def __get_pydantic_core_schema__(self, source: Any, handler: Any) -> Any:
        """Return the schema by which pydantic checks the type."""
        raise NotImplementedError


class _Check:
    """A check of a model: which fields it is for (none: the whole), and when."""

    def __init__(self, check: Any, fields: tuple[str, ...], mode: str) -> None:
        self.check = getattr(check, "__func__", check)  # behind a classmethod
        self.fields = fields
        self.mode = mode


def field_validator(*fields: str) -> Callable[[Checked], Checked]:
    """Make a class method `(value)` or `(value, info)` the check of fields behind that of their types.

    `info.data` are the fields before it. A field that is not given is not checked.
    """
    return lambda check: _Check(check, fields, "after")  # type: ignore[return-value]


def model_validator(*, mode: str) -> Callable[[Checked], Checked]:
    """Make a method the check of a whole value (`after`), a class method that of what is given (`before`)."""
    return lambda check: _Check(check, (), mode)  # type: ignore[return-value]


class ValidationInfo:
    """What a check of one field knows of the others."""

    __slots__ = ("data",)

    def __init__(self, data: dict[str, Any]) -> None:
        self.data = data


def whole(value: Any) -> Any:
    """Return a whole number that was written as a fraction, 2.0, as one; anything else as it is."""
    return int(value) if isinstance(value, float) and value.is_integer() else value


# JSON knows one kind of number: 2.0 is a whole one.
WholeNumber = Annotated[int, BeforeValidator(whole)]


def to_camel(name: str) -> str:
    """Return a field's name as it is on the wire."""
    first, *others = name.split("_")
    return first + "".join(other.capitalize() for other in others)


@dataclass_transform(kw_only_default=True, frozen_default=True, field_specifiers=(Field,))
class StrictModel:
    """A section, variable or page setting: camelCase, no coercion, an unknown field is an error.

    Values are not to be changed. A default is the class's attribute, so that an object holds what was given.
    The constructor takes fields by their Python names as they are, for values that the program makes itself.
    """

    model_fields: ClassVar[dict[str, FieldInfo]] = {}
    # More for the JSON schema, or a function that changes it.
    model_schema_extra: ClassVar[dict[str, Any] | Callable[[dict[str, Any]], None] | None] = None
    _by_wire: ClassVar[dict[str, str]] = {}
    _field_checks: ClassVar[dict[str, tuple[Callable[..., Any], ...]]] = {}
    _before: ClassVar[tuple[Callable[..., Any], ...]] = ()
    _after: ClassVar[tuple[Callable[..., Any], ...]] = ()

    def __init_subclass__(cls) -> None:
        """Collect fields and checks; types stay as written until a value of the field is read."""
        fields = dict(cls.model_fields)
        names = vars(sys.modules[cls.__module__])
        for name, hint in cls.__dict__.get("__annotations__", {}).items():  # noqa: RUF063 (of this class alone)
            if not isinstance(hint, str):
                raise TypeError(
                    f"{cls.__module__} needs `from __future__ import annotations`: types are read late"
                )
            if hint.startswith("ClassVar"):
                continue
            given = cls.__dict__.get(name, MISSING)
            if type(given).__name__ == "FieldInfo" and not isinstance(given, FieldInfo):
                raise TypeError(f"{cls.__name__}.{name}: take Field from config.api.models")
            info = given if isinstance(given, FieldInfo) else FieldInfo(given)
            info.alias = info.alias or to_camel(name)
            info.hint = (hint, names)
            fields[name] = info
            if info.default is not MISSING:
                setattr(cls, name, info.default)
            elif given is not MISSING:
                delattr(cls, name)
        cls.model_fields = fields
        cls._by_wire = {info.alias: name for name, info in fields.items()}
        cls._collect_checks()

    @classmethod
    def _collect_checks(cls) -> None:
        for name, check in list(cls.__dict__.items()):
            if not isinstance(check, _Check):
                continue
            setattr(cls, name, check.check)
            for field in check.fields:
                cls._field_checks = cls._field_checks | {
                    field: (*cls._field_checks.get(field, ()), check.check)
                }
            if not check.fields and check.mode == "before":
                cls._before = (*cls._before, check.check)
            elif not check.fields:
                cls._after = (*cls._after, check.check)

    def __init__(self, **fields: Any) -> None:
        vars(self).update(fields)

    @classmethod
    def model_validate(cls, value: Any) -> Self:
        """Return the JSON value typed; raises pydantic's ValidationError, a ValueError, for a wrong one."""
        from config.api.readers import read_model

        try:
            return read_model(cls, value)
        except (ValueError, RecursionError):
            from config.api.bodies import judge

            return judge(cls, value)

    @classmethod
    def check_field(cls, name: str, value: Any, data: dict[str, Any]) -> Any:
        """Return a field's value behind its checks; `data` are the fields before it. Raises ValueError."""
        for check in cls._field_checks.get(name, ()):
            value = check(cls, value, ValidationInfo(data)) if _takes_info(check) else check(cls, value)
        return value

    @classmethod
    def check_given(cls, value: Any) -> Any:
        """Return what is given, behind the checks that come before all others; raises ValueError."""
        for check in cls._before:
            value = check(cls, value)
        return value

    @classmethod
    def checked(cls, fields: Mapping[str, Any]) -> Self:
        """Return the object of fields that fit one by one; raises ValueError when they do not together."""
        made = cls(**fields)
        for check in cls._after:
            check(made)
        return made

    @property
    def model_fields_set(self) -> set[str]:
        """The fields that were given."""
        return vars(self).keys() & self.model_fields.keys()

    def model_copy(self, *, update: Mapping[str, Any]) -> Self:
        """Return a copy with other values of some fields, which are not checked."""
        return type(self)(**{name: getattr(self, name) for name in self.model_fields_set} | dict(update))

    def model_dump(self, *, exclude_unset: bool = False, exclude: Container[str] = ()) -> dict[str, Any]:
        """Return the JSON object, under the names of the wire and in the order of the fields."""
        given = vars(self)
        return {
            info.alias: _dumped(getattr(self, name), exclude_unset)
            for name, info in self.model_fields.items()
            if name not in exclude and (name in given or not exclude_unset)
        }

    @classmethod
    def __get_pydantic_core_schema__(cls, source: Any, handler: Any) -> Any:
        """Be a type that pydantic can check (only pydantic asks)."""
        from config.api.bodies import schema_of

        return schema_of(cls, handler)

    def __setattr__(self, name: str, value: Any) -> None:
        raise AttributeError(f"{type(self).__name__} is not to be changed")

    __delattr__ = __setattr__  # type: ignore[assignment]

    def __repr__(self) -> str:
        given = ", ".join(f"{name}={value!r}" for name, value in vars(self).items())
        return f"{type(self).__name__}({given})"


def _takes_info(check: Callable[..., Any]) -> bool:
    return check.__code__.co_argcount > 2


def _dumped(value: Any, exclude_unset: bool) -> Any:
    if isinstance(value, StrictModel):
        return value.model_dump(exclude_unset=exclude_unset)
    if isinstance(value, list):
        return [_dumped(entry, exclude_unset) for entry in value]
    if isinstance(value, dict):
        return {name: _dumped(entry, exclude_unset) for name, entry in value.items()}
    return value
