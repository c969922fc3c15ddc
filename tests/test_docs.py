"""Documentation is part of done: it names every setting, kind, field, helper, variable type and command."""

import json
from io import StringIO
from pathlib import Path
from typing import get_args

import pytest
from django.core.management import call_command

from config.environment import SETTINGS
from dashboard.editor.kinds import KIND_FORMS
from rendering.formats import RENDERERS
from templates_app.expressions.helpers import HELPERS
from templates_app.kinds import KINDS
from templates_app.variables import Variable, VariableType
from tests.conftest import ApiClient
from tests.rendering import random_content

ROOT = Path(__file__).resolve().parent.parent
AUTHORS = (ROOT / "docs/authors.md").read_text()
SECTIONS = AUTHORS.partition("## Sections")[2].partition("## Variables")[0]
API = (ROOT / "docs/api.md").read_text()
OPERATING = (ROOT / "docs/operating.md").read_text()


@pytest.mark.parametrize("setting", SETTINGS, ids=lambda setting: setting.name)
def test_every_setting_is_documented_as_it_is(setting):
    default = f"`{setting.default}`" if setting.default else "empty"
    assert f"| `{setting.name}` | {default} | {setting.help} |" in OPERATING


@pytest.mark.parametrize("kind", KINDS)
def test_every_kind_and_field_is_documented(kind):
    rows = [line for line in SECTIONS.splitlines() if line.startswith(f"| `{kind}` |")]
    assert len(rows) == 1, f"the table of sections in docs/authors.md has no single row for {kind}"
    (row,) = rows
    for name, field in KINDS[kind].model_fields.items():
        if name != "type":
            assert f"`{field.alias}`" in row, f"the row of {kind} does not name {field.alias}"


@pytest.mark.parametrize("name", HELPERS)
def test_every_helper_is_documented(name):
    assert f"| `{name}` |" in AUTHORS


@pytest.mark.parametrize("name", get_args(VariableType))
def test_every_variable_type_is_documented(name):
    assert f"| `{name}` |" in AUTHORS


@pytest.mark.parametrize(
    "path", sorted(ROOT.glob("*/management/commands/[!_]*.py")), ids=lambda path: path.stem
)
def test_every_command_is_documented(path):
    assert f"| `{path.stem}" in OPERATING


def test_every_kind_has_words_in_the_editor():
    assert set(KIND_FORMS) == set(KINDS), "NAMES of dashboard/editor/kinds"


@pytest.mark.parametrize("kind", KINDS)
def test_every_kind_is_drawn(kind):
    assert callable(RENDERERS["pdf"].sections[kind])


@pytest.mark.parametrize("name", RENDERERS)
def test_no_format_knows_another_kind(name):
    assert set(RENDERERS[name].sections) <= set(KINDS)


@pytest.mark.parametrize("kind", KINDS)
def test_every_kind_is_in_random_documents(kind):
    strategies = Path(random_content.__file__).read_text()
    assert f'"type": "{kind}"' in strategies, (
        "leaves, pictures or containers of tests/rendering/random_content"
    )


def test_the_error_that_is_shown_is_one_that_comes(secret: ApiClient):
    shown = json.loads(API.partition("## Errors")[2].partition("```json")[2].partition("```")[0])
    answer = secret.post("/v1/render", {"data": {}, "format": "docx"}, x_request_id=shown["requestId"])
    assert (answer.status_code, answer.json()) == (400, shown)


def test_content_is_returned_as_the_guide_says(secret: ApiClient):
    content = {
        "name": "Letter",
        "formats": ["pdf"],
        "sections": [{"type": "box", "sections": [{"type": "text", "content": "x"}]}],
        "page": {"header": {"left": "x"}},
        "variables": [{"name": "note"}],
    }
    template = secret.post("/v1/templates", content).json()
    assert {name: template[name] for name in ("sections", "page")} == {
        name: content[name] for name in ("sections", "page")
    }
    (variable,) = template["variables"]
    assert set(variable) == {field.alias or name for name, field in Variable.model_fields.items()} - {
        "fields",
        "inferred",
    }


def test_the_committed_schema_is_up_to_date(capfd):
    out = StringIO()
    call_command("spectacular", format="openapi-json", validate=True, fail_on_warn=True, stdout=out)
    is_the_same = json.loads(out.getvalue()) == json.loads((ROOT / "docs/openapi.json").read_text())
    assert is_the_same, "make schema"
