"""Babel's data of a locale, merged as far as it is asked for.

Babel copies all that a locale inherits before it answers the first question: thousands of names of units,
zones and currencies, where a document needs the pattern of a date. Here each part is merged, by Babel's own
rules, when it is read. Which locale inherits from which stays Babel's business.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, MutableMapping
from typing import Any

from babel import localedata

_load, _merge = localedata.load, localedata.merge


class _Inherited(MutableMapping[Any, Any]):
    """A locale's data: what it inherits first, its own last."""

    def __init__(self, levels: tuple[Mapping[Any, Any], ...]) -> None:
        self.levels = levels
        self._merged: dict[Any, Any] = {}

    def __getitem__(self, key: Any) -> Any:
        if key not in self._merged:
            root, *others = self.levels
            part = {key: root[key]} if key in root else {}
            for level in others:
                if key in level:
                    _merge(part, {key: level[key]})
            self._merged[key] = part[key]
        return self._merged[key]

    def __setitem__(self, key: Any, value: Any) -> None:
        self._merged[key] = value  # an alias that Babel has resolved

    def __delitem__(self, key: Any) -> None:
        raise TypeError("locale data is not to be changed")

    def __iter__(self) -> Iterator[Any]:
        return iter(dict.fromkeys(key for level in self.levels for key in level))

    def __len__(self) -> int:
        return sum(1 for _ in self)

    def copy(self) -> _Inherited:
        """Return the same data, for a locale that inherits it."""
        return _Inherited(self.levels)


def _load_late(name: str, merge_inherited: bool = True) -> Any:
    data: Any = _load(name, merge_inherited)
    return data if isinstance(data, _Inherited) or not merge_inherited else _Inherited((data,))


def _merge_late(data: Any, own: Mapping[Any, Any]) -> None:
    if isinstance(data, _Inherited):
        data.levels = (*data.levels, own)
    else:
        _merge(data, own)


def merge_late() -> None:
    """Have Babel merge the data of locales part by part, in this process from now on."""
    functions: Any = localedata
    functions.load, functions.merge = _load_late, _merge_late
