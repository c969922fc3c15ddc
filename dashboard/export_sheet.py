"""The worksheet of an export. Loads XlsxWriter, so it is imported with the first export."""

from __future__ import annotations

from typing import Any

from xlsxwriter.worksheet import Worksheet


class TextSheet(Worksheet):
    """A worksheet in constant memory whose texts are texts.

    XlsxWriter writes one that begins with `<r>` and ends with `</r>` as it stands, for rich text of its own
    making: whoever gives a template its name could write cells, and formulas in them.
    """

    def _xml_rich_inline_string(self, string: str, attributes: Any = ()) -> None:
        """Write the text like any other; blanks at its ends are none, as it has tags there."""
        self._xml_inline_string(string, False, attributes)
