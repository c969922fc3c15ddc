"""What a language tag says of writing: its language, and which way that is written. Pure."""

from __future__ import annotations

from typing import Final

RIGHT_TO_LEFT_MARK: Final = "\u200f"  # draws nothing, and counts as a letter from right to left
# Languages that are written from right to left, and scripts that say so within a tag ("az-Arab").
_LANGUAGES: Final = frozenset({"ar", "ckb", "dv", "fa", "he", "iw", "ps", "sd", "syr", "ug", "ur", "yi"})
_SCRIPTS: Final = frozenset({"adlm", "arab", "hebr", "nkoo", "rohg", "syrc", "thaa"})


def subtags(tag: str) -> list[str]:
    """Return the parts of a BCP 47 tag or a locale in lower case, the language first."""
    return tag.lower().replace("_", "-").split("-")


def is_rtl_language(tag: str) -> bool:
    """Return whether a language (a BCP 47 tag or a locale) is written from right to left."""
    language, *others = subtags(tag)
    script = next((part for part in others if len(part) == 4 and part.isalpha()), "")
    return script in _SCRIPTS if script else language in _LANGUAGES


def is_simplified_chinese(tag: str) -> bool:
    """Return whether a language is Chinese in the simplified script."""
    language, *others = subtags(tag)
    return language == "zh" and ("hans" in others or not {"hant", "tw", "hk", "mo"} & set(others))


def numbered(number: str, title: str, *, mirrored: bool) -> str:
    """Return a title behind its number, if it has one.

    Among lines from right to left the number stays at the beginning, whatever letters the title begins with.
    """
    if not number:
        return title
    return f"{number}{RIGHT_TO_LEFT_MARK if mirrored else ''} {title}"
