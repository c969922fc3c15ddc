"""Everything that the editor offers whatever the template: kinds, helpers, types, suggestions. Pure."""

from __future__ import annotations

from functools import cache
from typing import Any, Final, get_args
from zoneinfo import available_timezones

from babel.core import get_global

from dashboard.editor.forms import kind_forms, page_form
from templates_app import formats
from templates_app.conditions import Operator
from templates_app.expressions.helpers import HELPERS
from templates_app.page import NOT_IN_BANDS, SIZES
from templates_app.places import TITLES
from templates_app.resolved import Theme
from templates_app.samples import DEFAULT_NAME
from templates_app.variables import VariableType

LOCALES: Final = (
    "de-AT", "de-CH", "de-DE", "en-AU", "en-CA", "en-GB", "en-IE", "en-US", "es-ES", "es-MX",
    "fr-BE", "fr-CA", "fr-CH", "fr-FR", "it-CH", "it-IT", "nl-BE", "nl-NL", "pt-BR", "pt-PT",
    "bg-BG", "cs-CZ", "da-DK", "el-GR", "et-EE", "fi-FI", "hr-HR", "hu-HU", "lt-LT", "lv-LV",
    "nb-NO", "pl-PL", "ro-RO", "sk-SK", "sl-SI", "sr-RS", "sv-SE", "tr-TR", "uk-UA", "ru-RU",
    "ar-EG", "he-IL", "hi-IN", "ja-JP", "ko-KR", "th-TH", "zh-CN", "zh-TW",
)  # fmt: skip
_OPERATORS: Final = {
    "set": "has a value",
    "empty": "is empty",
    "equals": "is",
    "notEquals": "is not",
    "greater": "is greater than",
    "greaterOrEqual": "is at least",
    "less": "is less than",
    "lessOrEqual": "is at most",
    "in": "is one of",
    "notIn": "is none of",
    "contains": "contains",
}


@cache
def catalogue() -> dict[str, Any]:
    """Return what a page of the editor holds besides the template, as JSON values."""
    theme = Theme()
    return {
        "kinds": kind_forms(),
        "pageForm": page_form(),
        "notInBands": sorted(NOT_IN_BANDS),
        "titles": list(TITLES),
        "variableTypes": list(get_args(VariableType)),
        "helpers": [
            {
                "name": helper.name,
                "help": helper.help,
                "example": helper.example,
                "takes": bool(helper.argument),
            }
            for helper in HELPERS.values()
        ],
        "operators": [
            {"value": name, "label": _OPERATORS.get(name, name)} for name in get_args(Operator)
        ],
        "formats": list(formats.known()),
        "sizes": {name: list(size) for name, size in SIZES.items()},
        "headings": {
            str(level): {"size": look.size, "color": look.color, "before": look.before, "after": look.after,
                         "bold": look.bold}
            for level, look in theme.headings.items()
        },
        "colors": {
            "ink": theme.ink, "muted": theme.muted, "accent": theme.accent, "rule": theme.rule,
            "ruleStrong": theme.rule_strong, "tint": theme.tint, "zebra": theme.zebra,
        },
        "suggestions": {
            "locales": list(LOCALES),
            "currencies": _currencies(),
            "timezones": sorted(zone for zone in available_timezones() if "/" in zone and zone[:4] != "Etc/"),
        },
        "defaultSample": DEFAULT_NAME,
    }  # fmt: skip


def _currencies() -> list[str]:
    """Return the currencies that some country pays with today."""
    found = {
        code
        for history in get_global("territory_currencies").values()
        for code, _, end, tender in history
        if end is None and tender
    }
    return sorted(found)
