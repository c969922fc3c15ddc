"""The one maker of error bodies, and the exception that carries them. Knows no web framework.

Each text of the specification lives in the `errors.py` of the app that owns it and is an ApiError. What
Django and DRF raise is translated in `config/api/failures.py`.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from pydantic import ValidationError
    from pydantic_core import ErrorDetails

MAX_LISTED_ERRORS = 1000
MAX_PATH_LENGTH = 300


class ApiError(Exception):
    """A refusal with a status and one exact message.

    `errors` maps field paths to messages, only for validation.
    """

    def __init__(
        self,
        status: int,
        message: str,
        *,
        errors: Mapping[str, str] | None = None,
        headers: Mapping[str, str] | None = None,
    ) -> None:
        super().__init__(message)
        self.status = status
        self.message = message
        self.errors = dict(errors or {})
        self.headers = dict(headers or {})


def error_body(message: str, errors: Mapping[str, str] | None = None) -> dict[str, Any]:
    """Return the body of every non-2xx answer: message, errors (validation only), requestId."""
    from config.api.request_id import current_request_id  # only an answer has one

    body: dict[str, Any] = {"message": message}
    if errors:
        body["errors"] = [{"field": field, "message": text} for field, text in errors.items()]
    body["requestId"] = current_request_id()
    return body


def invalid(errors: Mapping[str, str]) -> ApiError:
    """Return the 400 that names every offending field in one line, in natural order.

    How many are left out is not told: who checks data stops counting when there are too many to list.
    """
    ordered = dict(sorted(errors.items(), key=lambda item: _natural(item[0])))
    listed = [(_one_line(field), text) for field, text in ordered.items()][:MAX_LISTED_ERRORS]
    message = "; ".join(f"{field}: {text}" for field, text in listed)
    if len(ordered) > len(listed):
        message += "; and more"
    return ApiError(400, message, errors=dict(listed))


def must_be_one_of(words: Iterable[str]) -> str:
    """Return what is said of a value that is none of some words: `must be "a", "b" or "c"`."""
    *others, last = (f'"{word}"' for word in words)
    return f"must be {', '.join(others)} or {last}" if others else f"must be {last}"


def malformed(message: str) -> ApiError:
    """Return the 400 of a body that cannot be read at all."""
    return ApiError(400, message)


def from_pydantic(error: ValidationError, tagged: str = "") -> dict[str, str]:
    """Translate pydantic's errors into field paths and our wording; the first of a field wins.

    `tagged` names the lists whose entries are a tagged union, at any depth: pydantic puts the tag behind the
    index, and no caller wrote it there.
    """
    found: dict[str, str] = {}
    for detail in error.errors(include_url=False):
        location = _without_tags(detail["loc"], tagged)
        if detail["type"].startswith("union_tag"):
            # Pydantic reports the object; the caller looks for the field that tells the kinds apart.
            location = (*location, "type")
        path = field_path(location)
        found.setdefault(path or "body", _wording(detail))
    return found


def _without_tags(location: tuple[int | str, ...], tagged: str) -> tuple[int | str, ...]:
    """Leave out what no caller wrote: the mark of a key that is wrong itself, and the tags of unions.

    Those are behind the index in a list called `tagged`, or in angle brackets.
    """
    kept: list[int | str] = []
    for part in location[:-1] if location[-1:] == ("[key]",) else location:
        if isinstance(part, str):
            if tagged and len(kept) > 1 and kept[-2] == tagged and isinstance(kept[-1], int):
                kept.append("")  # so that the next part is not taken for a tag
                continue
            if part.startswith("<") and part.endswith(">"):
                continue
        kept.append(part)
    return tuple(part for part in kept if part != "")


def field_path(location: tuple[int | str, ...]) -> str:
    """Join a location into a path such as `sections[0].columns[1].key`."""
    path = ""
    for part in location:
        if isinstance(part, int):
            path += f"[{part}]"
        else:
            path += f".{part}" if path else part
    return path


def _natural(path: str) -> list[tuple[int, str]]:
    """Return a sort key in which `rows[9]` comes before `rows[10]`.

    Paths hold the caller's own names: numbers are compared by length, since `int` refuses 5,000 digits.
    """
    key: list[tuple[int, str]] = []
    for index, part in enumerate(re.split(r"([0-9]+)", path)):
        number = part.lstrip("0")
        key.append((len(number), number) if index % 2 else (0, part))
    return key


def _one_line(path: str) -> str:
    """Return `path` fit for a message: printable, and short even where the caller's name is not."""
    shown = "".join(c if c.isprintable() else "\N{REPLACEMENT CHARACTER}" for c in path[:MAX_PATH_LENGTH])
    return shown if len(path) <= MAX_PATH_LENGTH else f"{shown}..."


_WORDING = {
    "missing": "required",
    "extra_forbidden": "unknown field",
    "string_type": "must be a string",
    "int_type": "must be a whole number",
    "int_from_float": "must be a whole number",
    "float_type": "must be a number",
    "bool_type": "must be true or false",
    "list_type": "must be a list",
    "dict_type": "must be an object",
    "model_type": "must be an object",
    "model_attributes_type": "must be an object",
    "none_required": "must be null",
    "finite_number": "must be a finite number",
}
_WORDING_WITH_CONTEXT = {
    "string_too_short": "must have at least {min_length} characters",
    "string_too_long": "must have at most {max_length} characters",
    "too_short": "must have at least {min_length} entries",
    "too_long": "must have at most {max_length} entries",
    "greater_than": "must be greater than {gt}",
    "greater_than_equal": "must be at least {ge}",
    "less_than": "must be less than {lt}",
    "less_than_equal": "must be at most {le}",
}


_PATTERNS: dict[str, str] = {}


def worded(pattern: str, words: str) -> str:
    """Return a pattern for `Field(pattern=...)`; a text that does not match it is refused with `words`."""
    _PATTERNS[pattern] = words
    return pattern


def _shown(limit: Any) -> Any:
    """Return a limit as people write it: 500, not 500.0."""
    return int(limit) if isinstance(limit, float) and limit.is_integer() else limit


def _wording(detail: ErrorDetails) -> str:
    kind, context = detail["type"], {name: _shown(value) for name, value in detail.get("ctx", {}).items()}
    if kind in _WORDING:
        return _WORDING[kind]
    if kind in {"string_too_short", "too_short"} and context.get("min_length") == 1:
        return "must not be empty"
    if kind in _WORDING_WITH_CONTEXT:
        return _WORDING_WITH_CONTEXT[kind].format(**context)
    if kind == "literal_error":
        return f"must be {str(context['expected']).replace(chr(39), chr(34))}"
    if kind == "union_tag_not_found":
        return "required"
    if kind == "union_tag_invalid":
        expected = str(context["expected_tags"]).replace("'", '"')
        return f"must be one of {expected}"
    if kind == "string_pattern_mismatch" and context.get("pattern") in _PATTERNS:
        return _PATTERNS[context["pattern"]]
    if kind == "value_error":
        return str(context["error"])
    message = detail["msg"]
    return message[:1].lower() + message[1:]
