"""Capitals and small letters as a language writes them."""

from __future__ import annotations

import re
import unicodedata

_MARKS = "\u0300-\u036f"
_WORD = re.compile(rf"[^\W_](?:[^\W_]|[{_MARKS}])*(?:['’][^\W\d_]{{1,2}}\b)?")
_TURKIC = ("tr", "az")
_ACCENTS = re.compile("[\u0300\u0301\u0304\u0306\u0313\u0314\u0342]")
_DIALYTIKA = "\u0308"
# Here the accent tells that two vowels are no diphthong.
_PARTED = re.compile("([αεουηΑΕΟΥΗ])\u0301([ιυΙΥ])(?!\u0308)")
_OR = re.compile("(?<![^\\W\\d_])[ήΉ](?![^\\W\\d_])")  # the word "or" keeps its accent


def upper(text: str, locale: str) -> str:
    """Return a text in capitals."""
    language = _language(locale)
    if language in _TURKIC:
        text = text.replace("i", "İ")
    elif language == "el":
        return "Ή".join(map(_upper_greek, _OR.split(text)))
    return text.upper()


def lower(text: str, locale: str) -> str:
    """Return a text in small letters."""
    if _language(locale) in _TURKIC:
        text = text.replace("I\u0307", "i").replace("İ", "i").replace("I", "ı")
    return text.lower()


def title(text: str, locale: str) -> str:
    """Return a text whose words begin with capitals: `O'Neil`, but `Customer's`."""
    return _WORD.sub(lambda match: _first_upper(match[0][:1], locale) + lower(match[0][1:], locale), text)


def capitalize(text: str, locale: str) -> str:
    """Return a text whose first letter is a capital, and the others as they are."""
    return _first_upper(text[:1], locale) + text[1:]


def _first_upper(letter: str, locale: str) -> str:
    turkic = letter == "i" and _language(locale) in _TURKIC
    return "İ" if turkic else letter.title()  # "ǆ" begins with "ǅ"; an accent stays in Greek


def _upper_greek(text: str) -> str:
    """Return Greek in capitals, which have no accents."""
    parted = _PARTED.sub(rf"\1\2{_DIALYTIKA}", unicodedata.normalize("NFD", text))
    return unicodedata.normalize("NFC", _ACCENTS.sub("", parted)).upper()


def _language(locale: str) -> str:
    return locale.replace("-", "_").partition("_")[0].lower()
