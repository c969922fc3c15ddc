"""Documents in many languages: every text comes from CLDR through Babel."""

from __future__ import annotations

from typing import Any

from babel import Locale

from tests.gallery.base import Example

LOCALES = ("en", "de", "fr", "pl", "tr", "vi", "el", "ru", "ar", "he", "hi", "th", "zh", "ja", "ko")
# One for each script that the first fifteen do not have.
MORE_LOCALES = ("hy", "ka", "am", "bn", "pa", "gu", "ta", "te", "kn", "ml", "si", "km", "lo", "my")


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


GERMAN = (
    "Der Auftragnehmer verpflichtet sich, alle Sicherheitsbestimmungen einzuhalten und "
    "Unterauftragsverarbeiter nur nach schriftlicher Zustimmung einzusetzen."
)
ENGLISH = (
    "The contractor undertakes to comply with all applicable regulations and to engage "
    "subcontractors only after approval in writing."
)
ARABIC = "يلتزم المقاول بجميع أحكام السلامة (ISO 27001) ولا يستعين بمقاولين من الباطن إلا بعد موافقة خطية."


def table_of(name: str, title: str, locales: tuple[str, ...], height: int) -> Example:
    """Return an example with a row for each language."""
    return Example(
        name,
        title,
        [
            {"type": "heading", "level": 2, "content": title},
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
        {"languages": [words(each) for each in locales]},
        height=height,
    )


EXAMPLES = [
    table_of("languages", "Fifteen languages", LOCALES, 190),
    table_of("more-scripts", "Fourteen more scripts", MORE_LOCALES, 190),
    Example(
        "bilingual",
        "A language of its own for each column",
        [
            {"type": "heading", "level": 2, "content": "Obligations"},
            {
                "type": "columns",
                "columns": [
                    {
                        "language": language,
                        "sections": [{"type": "text", "align": "justify", "content": words}],
                    }
                    for language, words in (("de", GERMAN), ("en", ENGLISH), ("ar", ARABIC))
                ],
            },
        ],
        height=75,
    ),
    Example(
        "right-to-left",
        "Right to left",
        [
            {"type": "heading", "level": 2, "content": "{{title}}"},
            {"type": "table_of_contents"},
            {"type": "heading", "level": 2, "content": "Babel – {{title}}"},
            {"type": "text", "content": "{{days}} – 2026 (ABC)", "align": "justify"},
            {
                "type": "list",
                "ordered": True,
                "items": ["{{months}}", {"content": "{{countries}}", "items": ["{{title}}", "{{days}}"]}],
            },
        ],
        {"title": words("ar")["name"], **{key: words("ar")[key] for key in ("days", "months", "countries")}},
        height=100,
        page={"locale": "ar", "numberHeadings": True},
    ),
]
