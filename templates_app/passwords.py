"""Passwords of documents: what of them counts. Pure; loaded with the first protected document."""

from __future__ import annotations

import stringprep
import unicodedata
from typing import Final

LONGEST: Final = 127  # bytes of a password that count


def prepared(text: str) -> bytes:
    """Return a password as a PDF knows it: its SASLprep form (RFC 4013) in UTF-8, the first 127 bytes.

    Characters that nobody sees or types, such as the soft hyphen, are left out; nothing may be left.
    """
    mapped = "".join(
        " " if stringprep.in_table_c12(char) else char for char in text if not stringprep.in_table_b1(char)
    )
    return unicodedata.normalize("NFKC", mapped).encode("utf-8", "replace")[:LONGEST]
