"""Value objects that are quick to make. Pure."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TypeVar, dataclass_transform

T = TypeVar("T")


@dataclass_transform(frozen_default=True)
def value(cls: type[T]) -> type[T]:
    """Make a class a value: compared and hashed by its fields, and not to be changed.

    The type checker sees to the latter and not the interpreter: a frozen dataclass sets each field through
    `object.__setattr__` and takes ten times as long to make, and a page is made of hundreds of such values.
    """
    return dataclass(slots=True, unsafe_hash=True)(cls)
