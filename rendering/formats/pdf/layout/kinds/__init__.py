"""How each section kind is laid out: every kind is drawn, by the module that bears its name.

A module has `render(section, flow)`. It is imported when the first section of its kind is drawn: charts, bar
codes and SVG bring libraries that most documents do not need. Adding one: `docs/developing.md`.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from importlib import import_module
from typing import Final

from config.late_table import LateTable
from templates_app.kinds import KINDS as MODELS


def _load(kind: str) -> Callable[..., None]:
    render: Callable[..., None] = import_module(f"{__name__}.{kind}").render
    return render


KINDS: Final[Mapping[str, Callable[..., None]]] = LateTable(MODELS, _load)
