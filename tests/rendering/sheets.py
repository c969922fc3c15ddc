"""Workbooks as our writer makes them and other programs read them."""

from __future__ import annotations

import io
import zipfile
from typing import Any

from openpyxl import Workbook, load_workbook

from tests.rendering.resolved import document, workbook_bytes


def written(*sections: Any, **more: Any) -> bytes:
    return workbook_bytes(document(*sections, **more))


def read(*sections: Any, **more: Any) -> Workbook:
    """Return the workbook of a document as openpyxl reads it."""
    return load_workbook(io.BytesIO(written(*sections, **more)))


def both(*sections: Any, **more: Any) -> tuple[Workbook, Workbook]:
    """Return the workbook with its formulas, and with the values stored beside them."""
    content = written(*sections, **more)
    return load_workbook(io.BytesIO(content)), load_workbook(io.BytesIO(content), data_only=True)


def part(content: bytes, name: str) -> str:
    with zipfile.ZipFile(io.BytesIO(content)) as package:
        return package.read(name).decode()
