"""A render request as a program to copy: curl, Python and JavaScript. Pure.

Whatever the data holds, what a program sends is the body that it was made from: texts are quoted by the rules
of each language, and a number keeps its digits. The key is never part of it, only the name of the variable
that holds it.
"""

from __future__ import annotations

import json
import re
import shlex
from collections.abc import Callable, Mapping
from typing import Any, Final

from config.value import dataclass

KEY_VARIABLE: Final = "DOCUMENTS_API_KEY"
_INDENT: Final = "    "


@dataclass(frozen=True)
class Snippet:
    """A program: `language` for its tab, `name` for its element, and the text."""

    name: str
    language: str
    text: str


def snippets(url: str, body: Mapping[str, Any]) -> list[Snippet]:
    """Return the request of a body to `url` in every language."""
    return [
        Snippet("curl", "curl", curl(url, body)),
        Snippet("python", "Python", python(url, body)),
        Snippet("javascript", "JavaScript", javascript(url, body)),
    ]


def curl(url: str, body: Mapping[str, Any]) -> str:
    """Return a command for a POSIX shell."""
    data = json.dumps(body, indent=2, ensure_ascii=False)
    return "\n".join(
        (
            f"curl {shlex.quote(url)} \\",
            f'  -H "x-api-key: ${KEY_VARIABLE}" \\',
            "  -H 'content-type: application/json' \\",
            f"  --data-raw {_quoted(data)}",
        )
    )


def python(url: str, body: Mapping[str, Any]) -> str:
    """Return a program that needs `requests`."""
    return "\n".join(
        (
            "import os",
            "",
            "import requests",
            "",
            "response = requests.post(",
            f"    {json.dumps(url)},",
            f'    headers={{"x-api-key": os.environ["{KEY_VARIABLE}"]}},',
            f"    json={_literal(body, _python_scalar, _python_key, 1)},",
            "    timeout=60,",
            ")",
            "response.raise_for_status()",
            'print(response.json()["downloadUrl"])',
        )
    )


def javascript(url: str, body: Mapping[str, Any]) -> str:
    """Return a module for Node.js; a secret key has no place in a browser."""
    return "\n".join(
        (
            f"const response = await fetch({_script_text(url)}, {{",
            '    method: "POST",',
            "    headers: {",
            f'        "x-api-key": process.env.{KEY_VARIABLE},',
            '        "content-type": "application/json",',
            "    },",
            f"    body: JSON.stringify({_literal(body, _script_scalar, _script_key, 1)}),",
            "});",
            "const result = await response.json();",
            "if (!response.ok) throw new Error(result.message);",
            "console.log(result.downloadUrl);",
        )
    )


def _quoted(text: str) -> str:
    """Quote for a POSIX shell, on as few interruptions as it takes."""
    return "'" + text.replace("'", "'\\''") + "'"


def _literal(value: Any, scalar: Callable[[Any], str], key: Callable[[str], str], depth: int) -> str:
    """Write lists and objects over several lines, as JSON, Python and JavaScript agree on."""
    inner, outer = _INDENT * (depth + 1), _INDENT * depth
    if isinstance(value, Mapping):
        items = [(f"{key(name)}: ", each) for name, each in value.items()]
        opening, closing = "{", "}"
    elif isinstance(value, list):
        items = [("", each) for each in value]
        opening, closing = "[", "]"
    else:
        return scalar(value)
    lines = [f"{inner}{name}{_literal(each, scalar, key, depth + 1)},\n" for name, each in items]
    return f"{opening}\n{''.join(lines)}{outer}{closing}" if lines else opening + closing


def _python_scalar(value: Any) -> str:
    if isinstance(value, str):
        return _python_text(value)
    return repr(value) if value is None or isinstance(value, bool) else json.dumps(value)


def _python_key(name: str) -> str:
    return _python_text(name)


def _python_text(text: str) -> str:
    """Write a text with double quotes, as formatters of Python do; what does not print is escaped."""
    escaped = "".join(
        character if character.isprintable() else character.encode("unicode_escape").decode()
        for character in text.replace("\\", "\\\\").replace('"', '\\"')
    )
    return f'"{escaped}"'


def _script_scalar(value: Any) -> str:
    return _script_text(value) if isinstance(value, str) else json.dumps(value)


def _script_text(text: str) -> str:
    # JSON's texts are JavaScript's; what does not print is escaped as well, so that it can be seen.
    return "".join(
        character if character.isprintable() else _escaped(character)
        for character in json.dumps(text, ensure_ascii=False)
    )


def _escaped(character: str) -> str:
    return json.dumps(character)[1:-1]


def _script_key(name: str) -> str:
    # In a literal `__proto__` would set the prototype and not be sent.
    if name == "__proto__":
        return '["__proto__"]'
    return name if re.fullmatch(r"[A-Za-z_$][A-Za-z0-9_$]*", name) else _script_text(name)
