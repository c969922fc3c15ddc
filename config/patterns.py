"""Regular expressions that are compiled when they are first used, not when their module is loaded. Pure.

Compiling takes a tenth of a millisecond to some, most for large classes of characters, and a module holds the
patterns of every feature while a document uses a few.
"""

from __future__ import annotations

import re
from typing import Any, AnyStr, cast

_METHODS = ("search", "match", "fullmatch", "sub", "subn", "split", "findall", "finditer")


class _Late:
    def __init__(self, pattern: Any, flags: int) -> None:
        self._given = pattern, flags
        self.pattern = pattern

    def __getattr__(self, name: str) -> Any:
        compiled = re.compile(*self._given)
        # Found on the object itself from now on: as quick as those of a pattern.
        vars(self).update({method: getattr(compiled, method) for method in _METHODS})
        return getattr(compiled, name)


def late(pattern: AnyStr, flags: int = 0) -> re.Pattern[AnyStr]:
    """Return `pattern` to be used as a compiled one; what is wrong with it shows at its first use."""
    return cast("re.Pattern[AnyStr]", _Late(pattern, flags))
