"""Locale data that is merged late is what Babel merges at once."""

from __future__ import annotations

import subprocess
import sys
from typing import Any

import pytest
from babel import Locale, localedata

from config.locale_data import merge_late

# Own data, inherited, several levels, a parent that the name does not tell, a script, the root alone.
LOCALES = (
    "en_US",
    "de_AT",
    "de",
    "en_AU",
    "es_MX",
    "pt_AO",
    "zh_Hant_HK",
    "uz_Arab",
    "ar_EG",
    "hi",
    "sr_Latn",
    "root",
)
AT_ONCE = "from babel import localedata; print(ascii({name: localedata.load(name) for name in %r}))"


def plain(value: Any) -> Any:
    return (
        {key: plain(value[key]) for key in value}
        if hasattr(value, "keys") and not hasattr(value, "resolve")
        else value
    )


@pytest.fixture(scope="module")
def at_once() -> str:
    done = subprocess.run(
        [sys.executable, "-c", AT_ONCE % (LOCALES,)], capture_output=True, text=True, check=True
    )
    return done.stdout.strip()


def test_it_is_the_same(at_once: str, monkeypatch: pytest.MonkeyPatch) -> None:
    merge_late()
    monkeypatch.setattr(localedata, "_cache", {})
    assert ascii({name: plain(localedata.load(name)) for name in LOCALES}) == at_once


def test_aliases_are_followed() -> None:
    merge_late()
    assert Locale("de", "AT").months["stand-alone"]["abbreviated"][1] == "Jän"
    assert len(Locale("de", "AT")._data) == len(list(Locale("de", "AT")._data))
