"""The floors of X1, X2 and X3: sheet XML by f-strings, streamed into a zip with zlib level 6."""

from __future__ import annotations

import zipfile
from datetime import date
from typing import Any, BinaryIO, Final
from xml.sax.saxutils import escape

from bench.workloads import NARROW, SHEET_COLUMNS, Columns

CHUNK: Final = 1000  # rows that are written at once
MAIN: Final = "http://schemas.openxmlformats.org/spreadsheetml/2006/main"
OFFICE: Final = "http://schemas.openxmlformats.org/officeDocument/2006/relationships"
PACKAGE: Final = "http://schemas.openxmlformats.org/package/2006"
TYPE: Final = "application/vnd.openxmlformats-officedocument.spreadsheetml"
HEAD: Final = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n'
# Number formats by column format; their place is the cell style, after plain (0) and bold (1).
PATTERNS: Final = {
    "integer": "#,##0",
    "date:yyyy-MM-dd": "yyyy\\-mm\\-dd",
    "currency": "[$€-x-euro2]#,##0.00",
    "percent": "0%",
    "number:3": "#,##0.000",
}
EPOCH: Final = date(1899, 12, 30).toordinal()


def narrow_sheet(data: dict[str, Any], out: BinaryIO) -> None:
    """Write the worksheet of X1."""
    _workbook(data["items"], NARROW, out)


def sheet(data: dict[str, Any], out: BinaryIO) -> None:
    """Write the worksheet of X2 and X3."""
    _workbook(data["items"], SHEET_COLUMNS, out)


def _workbook(rows: list[dict[str, Any]], columns: Columns, out: BinaryIO) -> None:
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED, compresslevel=6) as package:
        for name, text in _parts().items():
            package.writestr(name, HEAD + text)
        with package.open("xl/worksheets/sheet1.xml", "w", force_zip64=True) as part:
            part.write((HEAD + _sheet_head(columns)).encode())
            line = _wide_line if len(columns) > len(NARROW) else _narrow_line
            for start in range(0, len(rows), CHUNK):
                chunk = rows[start : start + CHUNK]
                part.write(
                    "".join([line(number, row) for number, row in enumerate(chunk, start + 2)]).encode()
                )
            last = f"{chr(64 + len(columns))}{len(rows) + 1}"
            part.write(f'</sheetData><autoFilter ref="A1:{last}"/></worksheet>'.encode())


def _serial(day: str) -> int:
    return date.fromisoformat(day).toordinal() - EPOCH


def _narrow_line(n: int, row: dict[str, Any]) -> str:
    return (
        f'<row r="{n}"><c r="A{n}" s="2"><v>{row["number"]}</v></c>'
        f'<c r="B{n}" s="3"><v>{_serial(row["date"])}</v></c>'
        f'<c r="C{n}" t="inlineStr"><is><t>{escape(row["customer"])}</t></is></c>'
        f'<c r="D{n}" t="inlineStr"><is><t>{escape(row["city"])}</t></is></c>'
        f'<c r="E{n}" s="2"><v>{row["quantity"]}</v></c><c r="F{n}" s="4"><v>{row["price"]}</v></c>'
        f'<c r="G{n}" s="5"><v>{row["discount"]}</v></c><c r="H{n}" s="4"><v>{row["amount"]}</v></c></row>'
    )


def _wide_line(n: int, row: dict[str, Any]) -> str:
    return (
        _narrow_line(n, row)[:-6] + f'<c r="I{n}" s="6"><v>{row["weight"]}</v></c>'
        f'<c r="J{n}" t="inlineStr"><is><t>{escape(row["status"])}</t></is></c></row>'
    )


def _sheet_head(columns: Columns) -> str:
    widths = "".join(
        f'<col min="{index}" max="{index}" width="{width / 2:g}" customWidth="1"/>'
        for index, (_, _, _, width, _) in enumerate(columns, start=1)
    )
    heads = "".join(
        f'<c r="{chr(65 + index)}1" s="1" t="inlineStr"><is><t>{escape(header)}</t></is></c>'
        for index, (_, header, *_) in enumerate(columns)
    )
    pane = '<pane ySplit="1" topLeftCell="A2" activePane="bottomLeft" state="frozen"/>'
    return (
        f'<worksheet xmlns="{MAIN}"><sheetViews><sheetView workbookViewId="0">{pane}</sheetView></sheetViews>'
        f'<cols>{widths}</cols><sheetData><row r="1">{heads}</row>'
    )


def _parts() -> dict[str, str]:
    """Return the parts of the package around the sheet."""
    formats = "".join(
        f'<numFmt numFmtId="{164 + index}" formatCode="{escape(code)}"/>'
        for index, code in enumerate(PATTERNS.values())
    )
    styles = "".join(
        f'<xf numFmtId="{164 + index}" applyNumberFormat="1"/>' for index in range(len(PATTERNS))
    )
    override = '<Override PartName="/xl/{}" ContentType="' + TYPE + '.{}+xml"/>'
    return {
        "[Content_Types].xml": (
            f'<Types xmlns="{PACKAGE}/content-types"><Default Extension="rels" '
            'ContentType="application/vnd.openxmlformats-package.relationships+xml"/>'
            + override.format("workbook.xml", "sheet.main")
            + override.format("worksheets/sheet1.xml", "worksheet")
            + override.format("styles.xml", "styles")
            + "</Types>"
        ),
        "_rels/.rels": (
            f'<Relationships xmlns="{PACKAGE}/relationships"><Relationship Id="rId1" '
            f'Type="{OFFICE}/officeDocument" Target="xl/workbook.xml"/></Relationships>'
        ),
        "xl/_rels/workbook.xml.rels": (
            f'<Relationships xmlns="{PACKAGE}/relationships"><Relationship Id="rId1" '
            f'Type="{OFFICE}/worksheet" Target="worksheets/sheet1.xml"/>'
            f'<Relationship Id="rId2" Type="{OFFICE}/styles" Target="styles.xml"/></Relationships>'
        ),
        "xl/workbook.xml": (
            f'<workbook xmlns="{MAIN}" xmlns:r="{OFFICE}"><sheets><sheet name="Orders" sheetId="1" '
            'r:id="rId1"/></sheets></workbook>'
        ),
        "xl/styles.xml": (
            f'<styleSheet xmlns="{MAIN}"><numFmts count="{len(PATTERNS)}">{formats}</numFmts>'
            '<fonts count="2"><font><sz val="11"/><name val="Calibri"/></font>'
            '<font><b/><sz val="11"/><name val="Calibri"/></font></fonts>'
            '<fills count="1"><fill><patternFill patternType="none"/></fill></fills>'
            '<borders count="1"><border/></borders><cellStyleXfs count="1"><xf/></cellStyleXfs>'
            f'<cellXfs count="{2 + len(PATTERNS)}"><xf/><xf fontId="1" applyFont="1"/>{styles}</cellXfs>'
            "</styleSheet>"
        ),
    }
