"""What the editor says of a kind besides what its model says. Data only."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Final

# What replaces the generated description of a field (`forms.form_of`); the words that many need:
Better = Mapping[str, Any]
ONE_LINE: Final = {"multiline": False}
MORE: Final = {"more": True}  # shown on demand
SILENT: Final = {"help": ""}  # help that would say no more than its label


@dataclass(frozen=True)
class KindForm:
    """How the picker shows a kind, and what its form says better than its model does.

    `words` are others by which people look for it in the picker. `icon` is one of `dashboard/icons`.
    `starter` is a new section, else one of what is required, by its examples. `fields` are named by their
    places in the kind: `columns.key` is `key` of an entry of `columns`.
    """

    help: str = ""
    group: str = "More"
    icon: str = "square"
    words: str = ""
    starter: Mapping[str, Any] | None = None
    fields: Mapping[str, Better] = field(default_factory=dict)
