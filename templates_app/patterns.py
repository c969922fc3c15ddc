"""Patterns of fields, each with what a value that does not match it is told."""

from __future__ import annotations

from typing import Final

from config.api.errors import worded
from templates_app.expressions.grammar import NO_PATH

# Not `{1,100}` in a pattern: compiled, that is as large as a hundred of them, and takes 50 ms.
NAME: Final = worded(r"^[\w-]+$", 'must be letters, digits, "_" and "-" without spaces')
PATH: Final = worded(r"^[\w-]+(\.[\w-]+)*$", NO_PATH)
COLOR: Final = worded(r"^#[0-9a-fA-F]{6}$", "must be a colour such as #1f2937")
LANGUAGE: Final = worded(r"^[A-Za-z]{2,3}([-_][A-Za-z0-9]{2,8})*$", "must be a language such as en or de-CH")
VISIBLE: Final = worded(r"\S", "must not be blank")
