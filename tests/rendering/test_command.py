"""`python -m rendering`: one document from files, in a process without Django."""

from __future__ import annotations

import base64
import json
import os
import subprocess
import sys
from io import BytesIO
from pathlib import Path
from typing import Any

import openpyxl
import pypdf
import pytest
from PIL import Image

from config.api.errors import ApiError
from rendering.command import REFUSED
from templates_app.bodies import TemplateCreate, parse_body

ROOT = Path(__file__).parent.parent.parent
TABLE = {
    "type": "table",
    "source": "items",
    "columns": [{"key": "name"}, {"key": "price", "header": "Price"}],
}
TEMPLATE = {
    "name": "Greeting",
    "formats": ["pdf", "xlsx"],
    "sections": [{"type": "heading", "content": "Hello {{customer}}"}, TABLE],
    "page": {"footer": {"right": "{{page.number}}"}},
    "sampleData": {"customer": "Sample", "items": []},
}
DATA = {"customer": "Ada", "items": [{"name": "Engine", "price": 1234.5}]}
# What must not be loaded for one PDF: the service, and the features that the document does not use.
TOO_MUCH = (
    "django rest_framework drf_spectacular pydantic pydantic_core boto3 psycopg redis xlsxwriter PIL "
    "cryptography email ssl templates_app.kinds.chart rendering.formats.xlsx.renderer"
)


def run(folder: Path, *arguments: str, **environment: str) -> subprocess.CompletedProcess[str]:
    """Run the command in a folder of its own."""
    return python(folder, "-m", "rendering", *arguments, **environment)


def python(folder: Path, *arguments: str, **environment: str) -> subprocess.CompletedProcess[str]:
    """Run Python in a folder, without the settings of Django."""
    kept = {name: value for name, value in os.environ.items() if name != "DJANGO_SETTINGS_MODULE"}
    return subprocess.run(
        [sys.executable, *arguments],
        cwd=folder,
        env={**kept, "PYTHONPATH": str(ROOT), **environment},
        capture_output=True,
        text=True,
        timeout=120,
    )


def render(folder: Path, template: Any, *arguments: str, **environment: str) -> tuple[int, list[str]]:
    """Render a template with DATA into `out`; return the exit code and the lines of standard error."""
    (folder / "template.json").write_text(json.dumps(template))
    (folder / "data.json").write_text(json.dumps(DATA))
    given = ("--template", "template.json", "--data", "data.json", "-o", "out", *arguments)
    done = run(folder, *given, **environment)
    return done.returncode, done.stderr.splitlines()


def text_of(path: Path) -> str:
    return "".join(page.extract_text() for page in pypdf.PdfReader(path).pages)


def test_a_pdf_and_a_workbook(tmp_path: Path) -> None:
    assert render(tmp_path, TEMPLATE) == (0, [])
    assert "Hello Ada" in text_of(tmp_path / "out")
    assert render(tmp_path, TEMPLATE, "--format", "xlsx") == (0, [])
    sheet = openpyxl.load_workbook(BytesIO((tmp_path / "out").read_bytes())).active
    assert "Engine" in {cell.value for row in sheet.iter_rows() for cell in row}
    assert sorted(path.name for path in tmp_path.iterdir()) == ["data.json", "out", "template.json"]


def test_the_ending_of_the_file_chooses_the_format(tmp_path: Path) -> None:
    assert render(tmp_path, TEMPLATE, "-o", "prices.XLSX") == (0, [])
    assert (tmp_path / "prices.XLSX").read_bytes().startswith(b"PK")
    assert render(tmp_path, TEMPLATE, "-o", "prices.xlsx", "--format", "pdf") == (0, [])
    assert (tmp_path / "prices.xlsx").read_bytes().startswith(b"%PDF")
    wanted = (1, ["format: is not enabled in this template; enabled: pdf"])
    assert render(tmp_path, {**TEMPLATE, "formats": ["pdf"]}, "-o", "prices.xlsx") == wanted


def test_without_data_the_samples_are_shown(tmp_path: Path) -> None:
    (tmp_path / "template.json").write_text(json.dumps(TEMPLATE))
    assert run(tmp_path, "--template", "template.json", "-o", "out").returncode == 0
    assert "Hello Sample" in text_of(tmp_path / "out")


def test_only_what_the_document_needs_is_loaded(tmp_path: Path) -> None:
    (tmp_path / "template.json").write_text(json.dumps(TEMPLATE))
    program = (
        "import sys; from rendering.command import main; "
        "code = main(['--template', 'template.json', '-o', 'out']); "
        f"print(code, [name for name in {TOO_MUCH.split()!r} if name in sys.modules])"
    )
    done = python(tmp_path, "-c", program)
    assert done.stdout.strip() == "0 []", done.stderr


def test_images_are_data_uris(tmp_path: Path) -> None:
    out = BytesIO()
    Image.new("RGB", (40, 20), "red").save(out, "PNG")
    uri = "data:image/png;base64," + base64.b64encode(out.getvalue()).decode()
    logo = {"type": "image", "source": uri, "alt": "Logo"}
    assert render(tmp_path, {**TEMPLATE, "sections": [logo]}) == (0, [])
    code, lines = render(tmp_path, {**TEMPLATE, "sections": [{**logo, "source": "as_01"}]})
    assert (code, lines) == (1, ["sections[0].source: must be a data URI of an image"])


BAD_SECTIONS = [
    {"type": "heading", "content": "x", "level": 9},
    {"type": "nope"},
    {},
    3,
    {
        "type": "box",
        "sections": [
            {"type": "text"},
            {**TABLE, "columns": [{"key": "a", "width": "u"}]},
            {**TABLE, "carryForward": {"x": 1}},
        ],
    },
    {"type": "list", "items": ["a", {"text": 3}], "showIf": {"value": "a", "is": 1}},
    {"type": "columns", "columns": [{"sections": [{"type": "divider", "color": "red"}]}]},
    {"type": "group", "source": "a", "as": "x" * 101, "sections": [{"type": "text", "content": "x"}]},
]
WRONG: list[dict[str, Any]] = [
    {},
    {"name": " ", "formats": ["doc"], "sections": []},
    {**TEMPLATE, "sections": BAD_SECTIONS},
    {**TEMPLATE, "page": {"footer": {"sections": BAD_SECTIONS}, "margins": {"top": -1}, "theme": {"x": 1}}},
    {**TEMPLATE, "page": {"header": {"left": "a", "sections": BAD_SECTIONS[:1]}, "size": "B9"}},
    {**TEMPLATE, "page": {"watermark": {}, "locale": "xx-YY", "protection": {"allowPrint": 1}}},
    {**TEMPLATE, "variables": [{"name": "a"}, {"name": "a"}]},
    {**TEMPLATE, "variables": [{"name": "a b", "type": "x", "fields": [{"name": 3}]}]},
    {**TEMPLATE, "sections": [{"type": "text", "content": "{{ a b }}"}]},
    {**TEMPLATE, "description": "x" * 3000},
]


# One process for all of them: its start, and what loads with the first refusal, take longer than they do.
TELL_ALL = """
import json, sys
from contextlib import redirect_stderr
from io import StringIO
from rendering.command import main

for number in range(int(sys.argv[1])):
    with redirect_stderr(StringIO()) as said:
        code = main(["--template", f"{number}.json", "--data", "data.json", "-o", f"{number}.out"])
    print(json.dumps([code, said.getvalue().splitlines()]))
print(json.dumps("django" in sys.modules))
"""


@pytest.fixture(scope="module")
def told(tmp_path_factory: pytest.TempPathFactory) -> list[tuple[int, list[str]]]:
    """What the command says of each wrong template: the exit code and the lines of standard error."""
    folder = tmp_path_factory.mktemp("wrong")
    (folder / "data.json").write_text(json.dumps(DATA))
    for number, template in enumerate(WRONG):
        (folder / f"{number}.json").write_text(json.dumps(template))
    done = python(folder, "-c", TELL_ALL, str(len(WRONG)))
    assert (done.returncode, done.stderr) == (0, "")
    assert not list(folder.glob("*.out"))
    *answers, has_django = map(json.loads, done.stdout.splitlines())
    assert not has_django
    return [(code, lines) for code, lines in answers]


@pytest.mark.parametrize("number", range(len(WRONG)))
def test_a_wrong_template_is_told_as_by_the_api(number: int, told: list[tuple[int, list[str]]]) -> None:
    with pytest.raises(ApiError) as raised:
        parse_body(TemplateCreate, WRONG[number])
    refusal = raised.value
    lines = [f"{path}: {text}" for path, text in refusal.errors.items()] or [refusal.message]
    assert told[number] == (REFUSED, lines)


def test_what_the_data_and_the_format_lack(tmp_path: Path) -> None:
    typed = {
        **TEMPLATE,
        "variables": [{"name": "customer", "type": "number"}, {"name": "due", "required": True}],
    }
    assert render(tmp_path, typed) == (1, ["data.customer: must be a number", "data.due: required"])
    heading = {**TEMPLATE, "sections": TEMPLATE["sections"][:1]}
    assert render(tmp_path, heading, "--format", "xlsx") == (1, ["No table sections found"])
    code, lines = render(tmp_path, {**TEMPLATE, "formats": ["pdf"]}, "--format", "xlsx")
    assert (code, lines) == (1, ["format: is not enabled in this template; enabled: pdf"])


def test_limits_are_the_settings(tmp_path: Path) -> None:
    two = {**TEMPLATE, "sections": [{"type": "page_break"}, {"type": "text", "content": "x"}] * 2}
    assert render(tmp_path, two, MAX_PAGES="1") == (1, ["Document has more than 1 pages (MAX_PAGES)"])
    code, lines = render(tmp_path, TEMPLATE, MAX_SECTIONS="1")
    assert (code, lines) == (1, ["sections: must have at most 1 entries (MAX_SECTIONS)"])
    code, lines = render(tmp_path, TEMPLATE, MAX_COLUMNS="1")
    assert (code, lines) == (1, ["sections[1].columns: must have at most 1 entries (MAX_COLUMNS)"])
    code, lines = render(tmp_path, TEMPLATE, MAX_PAGES="x", RENDER_TIMEOUT="0")
    assert (code, lines) == (
        2,
        ["MAX_PAGES='x': must be a whole number", "RENDER_TIMEOUT='0': must be between 1 and 3600"],
    )


def test_misuse(tmp_path: Path) -> None:
    (tmp_path / "list.json").write_text("[]")
    (tmp_path / "template.json").write_text(json.dumps(TEMPLATE))
    for arguments, told in (
        (("--template", "nowhere.json", "-o", "out"), "nowhere.json: No such file or directory"),
        (
            ("--template", "list.json", "-o", "out"),
            "list.json: Malformed JSON: the file must be a JSON object",
        ),
        (("--template", "template.json", "-o", "no/out"), "no/out: No such file or directory"),
    ):
        done = run(tmp_path, *arguments)
        assert (done.returncode, done.stderr.strip()) == (2, told)
    assert run(tmp_path, "--template", "template.json").returncode == 2
