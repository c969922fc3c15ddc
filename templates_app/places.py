"""Places of a template in the words of an author: `column Price of section 4 (table items)`. Pure.

The wire's paths count from 0 and name fields as the API does; the editor numbers sections from 1 and shows
their kind, so do these words.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any, Final

from templates_app.kinds import KINDS

Step = str | int
Path = tuple[Step, ...]

MOST_QUOTED: Final = 40  # characters of a value that are quoted
# name of a list on the wire -> how one of its entries is called
_NOUNS: Final = {
    "sections": "section",
    "columns": "column",
    "variables": "variable",
    "fields": "field",
    "items": "entry",
    "pairs": "pair",
    "styles": "style",
    "series": "series",
    "groupBy": "grouping",
    "formats": "format",
    "entries": "entry",
}
_BANDS: Final = {
    "header": "the header",
    "footer": "the footer",
    "firstHeader": "the header of the first page",
    "firstFooter": "the footer of the first page",
}
# What an author calls a section by, or an entry of one: the first of these in which something is written.
TITLES: Final = ("header", "title", "label", "name", "key", "source", "content", "value")


def noun_of(step: Step) -> str:
    """Return what one entry of a list is called."""
    name = str(step)
    return _NOUNS.get(name) or words_of(name).removesuffix("s")


def words_of(name: str) -> str:
    """Turn `emptyText` into `empty text`."""
    return re.sub(r"(?<=[a-z0-9])(?=[A-Z])", " ", name).replace("_", " ").lower()


def kind_of(entry: Any) -> str:
    """Return the name of a section's kind as the editor shows it, in lower case, or nothing."""
    kind = entry.get("type") if isinstance(entry, Mapping) else None
    if not isinstance(kind, str):
        return ""
    return KINDS[kind].kind_label.lower() if kind in KINDS else words_of(kind)


def title_of(entry: Any, *, but: Step = "") -> str:
    """Return what an author calls an entry by, quoted where it is more than a word.

    `but` is a field that would not help: the one that a sentence is about.
    """
    for name in TITLES:
        text = entry.get(name) if isinstance(entry, Mapping) else None
        if isinstance(text, str) and text.strip() and not _is_embedded(text):
            if name == but:
                return ""
            return text if re.fullmatch(r"[\w.-]{1,40}", text) else quoted(text)
    return ""


def quoted(text: str) -> str:
    """Return a text in quotes, its beginning where it is long."""
    words = " ".join(text.split())
    return f"“{words}”" if len(words) <= MOST_QUOTED else f"“{words[: MOST_QUOTED - 1].rstrip()}…”"


def _is_embedded(text: str) -> bool:
    """Tell whether a text is a file in a data URI: nothing that anybody calls an entry by."""
    return text.lstrip().startswith("data:") and ";base64," in text[:100]


def name_of(entry: Any, parent: Path, index: int, *, but: Step = "") -> str:
    """Return an entry of a list by number, kind and title: `section 4 (table items)`, `column Price`."""
    if parent and parent[-1] == "sections":
        title = title_of(entry, but=but)
        described = f"{kind_of(entry)} {title}".strip()
        if parent == ("sections",):
            return f"section {index + 1}" + (f" ({described})" if described else "")
        return described or f"section {index + 1}"
    noun = noun_of(parent[-1]) if parent else "entry"
    return f"{noun} {title_of(entry) or index + 1}"


def place_of(content: Any, path: Path, *, but: Step = "") -> str:
    """Return where something is, from the inside outwards; nothing for the whole.

    `but` is the field of the innermost section that the sentence is about anyway.
    """
    parts: list[str] = []
    around = _values(content, path)
    end = len(path)
    while end:
        step = path[end - 1]
        end -= 1
        if isinstance(step, int):
            parts.append(name_of(around[end + 1], path[:end], step, but=but))
            end -= 1  # the list itself is in the name
        elif step == "page":
            if not parts or parts[-1] not in _BANDS.values():
                parts.append("the page")
        elif end == 1 and path[0] == "page" and step in _BANDS:
            parts.append(_BANDS[str(step)])
        elif not (step == "sections" and parts):
            parts.append(words_of(str(step)))
        but = ""
    return " of ".join(parts)


def _values(content: Any, path: Path) -> list[Any]:
    """Return the value at every step of a path, the whole first; None from where it leads nowhere."""
    found = [content]
    for step in path:
        inner = found[-1]
        if isinstance(step, int):
            found.append(inner[step] if isinstance(inner, list) and step < len(inner) else None)
        else:
            found.append(inner.get(step) if isinstance(inner, Mapping) else None)
    return found


def path_of(text: str) -> Path:
    """Return the steps of a path that is written as text: `sections[2].columns[0].key`."""
    return tuple(
        int(index) if index else name for index, name in re.findall(r"\[(\d{1,9})\]|([^.\[\]]+)", text)
    )
