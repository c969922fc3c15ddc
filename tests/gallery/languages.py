"""One document in fifteen languages: every text comes from CLDR through Babel."""

from __future__ import annotations

from typing import Any

from babel import Locale

from tests.gallery.base import Example

LOCALES = ("en", "de", "fr", "pl", "tr", "vi", "el", "ru", "ar", "he", "hi", "th", "zh", "ja", "ko")


def words(name: str) -> dict[str, Any]:
    """Return names of the language, of months, days and countries in a language."""
    locale = Locale.parse(name)
    months, days = locale.months["format"]["wide"], locale.days["format"]["wide"]
    return {
        "code": name,
        "name": locale.get_display_name(),
        "months": ", ".join(str(months[number]) for number in range(1, 7)),
        "days": ", ".join(str(days[number]) for number in range(7)),
        "countries": ", ".join(str(locale.territories[code]) for code in ("AT", "JP", "BR", "EG")),
    }


EXAMPLES = [
    Example(
        "languages",
        "Fifteen languages",
        [
            {"type": "heading", "level": 2, "content": "Fifteen languages"},
            {
                "type": "table",
                "source": "languages",
                "size": 8,
                "columns": [
                    {"key": "code", "header": "", "width": 9, "bold": True},
                    {"key": "name", "header": "Language", "width": 24},
                    {"key": "months", "header": "Months"},
                    {"key": "days", "header": "Days"},
                ],
            },
        ],
        {"languages": [words(name) for name in LOCALES]},
        height=190,
    ),
    Example(
        "right-to-left",
        "Right to left",
        [
            {"type": "heading", "level": 2, "content": "{{title}}"},
            {"type": "text", "content": "{{days}} – 2026 (ABC)", "align": "justify"},
            {"type": "list", "items": ["{{months}}", "{{countries}}"]},
        ],
        {"title": words("ar")["name"], **{key: words("ar")[key] for key in ("days", "months", "countries")}},
        height=62,
        page={"locale": "ar"},
    ),
]
