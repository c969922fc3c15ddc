"""Other programs read every document of the gallery and the demo without a complaint."""

from __future__ import annotations

import time
from io import BytesIO
from pathlib import Path

import openpyxl
import pytest

from dashboard.demo import TEMPLATES, data_with_logo, logo_bytes
from rendering.engine import check_content
from rendering.formats import RENDERERS
from rendering.formats.base import Limits
from rendering.resolve import resolve
from templates_app.bodies import TemplateCreate, parse_body
from templates_app.content import Content
from tests.gallery.base import CREATED, LOGO, load_image
from tests.gallery.examples import EXAMPLES
from tests.programs import program, run


def demo_files() -> dict[str, bytes]:
    """Return every demo template in each of its formats, by file name."""
    files = {}
    for demo in TEMPLATES:
        content = Content(**{"description": "", "sample_data": {}, **parse_body(TemplateCreate, demo.body)})
        values = check_content(content, data_with_logo(demo.data, LOGO))
        document = resolve(content, values, load_image=load_image, created_at=CREATED)
        for name in content.formats:
            out = BytesIO()
            RENDERERS[name].render(document, out, Limits(1000, time.monotonic() + 600, 600))
            files[f"{demo.slug}.{name}"] = out.getvalue()
    return files


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with all documents."""
    path = tmp_path_factory.mktemp("documents")
    for name, content in demo_files().items():
        (path / name).write_bytes(content)
    for example in EXAMPLES:
        (path / f"{example.name}.pdf").write_bytes(example.pdf())
    return path


def test_qpdf_finds_nothing_wrong(folder: Path) -> None:
    qpdf = program("qpdf")
    for path in sorted(folder.glob("*.pdf")):
        assert "No syntax or stream encoding errors" in run(qpdf, "--check", str(path)), path.name


def test_libreoffice_reads_every_sheet(folder: Path) -> None:
    paths = sorted(folder.glob("*.xlsx"))
    assert paths
    office = program("soffice", "libreoffice")
    profile = f"-env:UserInstallation=file://{folder}/profile"
    run(office, profile, "--headless", "--convert-to", "csv", "--outdir", str(folder), *map(str, paths))
    for path in paths:
        assert path.with_suffix(".csv").stat().st_size > 100


def test_openpyxl_reads_every_sheet(folder: Path) -> None:
    for path in folder.glob("*.xlsx"):
        book = openpyxl.load_workbook(path)
        assert all(sheet.max_row > 1 for sheet in book.worksheets)


def test_the_logo_is_there() -> None:
    assert load_image("logo").content == logo_bytes()
