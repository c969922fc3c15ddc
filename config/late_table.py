"""Tables by name whose entries are loaded when they are first asked for. Pure."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Mapping
from typing import TypeVar

Entry = TypeVar("Entry")


class LateTable(Mapping[str, Entry]):
    """For each of `names`, what `load(name)` returns the first time. Nothing is loaded for other names."""

    def __init__(self, names: Collection[str], load: Callable[[str], Entry]) -> None:
        self._names = names
        self._load = load
        self._loaded: dict[str, Entry] = {}

    def __getitem__(self, name: str) -> Entry:
        found = self._loaded.get(name)
        if found is None:
            if name not in self._names:
                raise KeyError(name)
            # Two threads may load one each; both take the one that came first.
            found = self._loaded.setdefault(name, self._load(name))
        return found

    def __contains__(self, name: object) -> bool:
        return name in self._names

    def __iter__(self) -> Iterator[str]:
        return iter(self._names)

    def __len__(self) -> int:
        return len(self._names)
