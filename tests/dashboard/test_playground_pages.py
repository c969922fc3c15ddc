"""The playground: trials and kept renders, refusals at their fields, and code that sends what it says."""

from __future__ import annotations

import ast
import json
import re
import shlex
import shutil
import subprocess

import pytest

from dashboard.playground.snippets import curl, javascript, python, snippets
from rendering.models import Document
from templates_app.models import Template, TemplateSample
from tests.dashboard.world import World, page
from usage.models import MonthlyCount

SCRIPT = {"accept": "multipart/form-data"}
NASTY = {
    "templateId": "tpl_1",
    "format": "pdf",
    "data": {
        "it's": 'don\'t "quote" $HOME `id` \\n \\ !x %s {{name}}',
        "lines": "one\ntwo\r\n\ttab \u2028 \u202e \x7f",
        "__proto__": {"constructor": None},
        "ünï-cödé": "日本 😀 é",
        "numbers": [0, -1, 1.5, 1e300, 2**53, True, False, None],
        "empty": [{}, [], ""],
        "'": "'",
        "</script>": "'''\"\"\"",
    },
}
URL = "https://documents.example.com/v1/render"


@pytest.fixture
def world(world: World) -> World:
    Template.objects.filter(pk=world.ids["template"]).update(
        sample_data={"name": "Ada"},
        variables=[{"name": "name", "type": "string", "required": True}],
    )
    return world


def render(world: World, role: str = "editor", headers=None, **form):
    given = {"template": world.ids["template"], "format": "pdf", "values": '{"name": "Ada"}'} | form
    return world.client(role).post(world.path("{o}/playground/render"), given, headers=headers or {})


def test_a_trial_is_not_kept_and_not_counted(world: World) -> None:
    documents, counts = Document.objects.count(), MonthlyCount.objects.values_list("documents", flat=True)
    before = list(counts)
    answer = render(world, "viewer")
    assert answer["Content-Type"] == "application/pdf"
    assert answer.content.startswith(b"%PDF")
    assert answer["Content-Disposition"].startswith("inline")
    assert (Document.objects.count(), list(counts.all())) == (documents, before)


def test_a_kept_one_is_a_document(world: World) -> None:
    answer = render(world, keep="on", filename="mine", user="ann")
    made = Document.objects.latest("id")
    assert answer["Location"] == world.path("{o}/documents/") + made.pk
    assert (made.status, made.filename, made.external_user_id) == ("completed", "mine.pdf", "ann")
    documents = Document.objects.count()
    assert render(world, "viewer", keep="on").status_code == 403
    assert Document.objects.count() == documents


def test_a_script_gets_result_and_file(world: World) -> None:
    shown = render(world, headers=SCRIPT).content
    result = json.loads(re.search(rb'name="result"\r\n\r\n(\{.*?\})\r\n--', shown)[1])
    assert result["format"] == "pdf"
    assert result["filename"] == "Invoice.pdf"
    assert b"%PDF" in shown
    kept = render(world, headers=SCRIPT, keep="on", format="pdf").content
    assert Document.objects.latest("id").pk.encode() in kept


def test_a_document_with_a_password_is_shown_with_it(world: World) -> None:
    Template.objects.filter(pk=world.ids["template"]).update(
        page={"protection": {"userPassword": "{{name}}"}}
    )
    shown = render(world, headers=SCRIPT).content
    result = json.loads(re.search(rb'name="result"\r\n\r\n(\{.*?\})\r\n--', shown)[1])
    assert result["password"] == "Ada"


@pytest.mark.parametrize(
    ("form", "field", "text"),
    [
        ({"values": "{"}, "data", "Malformed JSON"),
        ({"values": "[]"}, "data", "must be a JSON object"),
        ({"values": '{"name": 1}'}, "data.name", "must be a string"),
        ({"values": "{}"}, "data.name", "required"),
        ({"filename": "a/b"}, "filename", "without slashes"),
        ({"user": "a\tb"}, "externalUserId", "printable"),
        ({"format": "docx"}, "format", 'must be "pdf" or "xlsx"'),
        ({"format": "xlsx"}, "", "No table sections found"),
    ],
)
def test_refusals_are_those_of_the_api_at_their_fields(form, field: str, text: str, world: World) -> None:
    answer = render(world, headers=SCRIPT, **form)
    assert answer.status_code == 400
    problem = answer.json()["problems"][0]
    assert problem["field"] == field
    assert text in problem["message"]
    plain = render(world, **form)
    assert plain.status_code == 422
    assert text.replace('"', "&quot;") in page(plain)


def test_samples(world: World) -> None:
    template = Template.objects.get(pk=world.ids["template"])
    TemplateSample.objects.create(template=template, name="Long name", data={"name": "Augusta Ada"})
    path = world.path("{o}/playground?template={template}")
    client = world.client("viewer")
    assert "&quot;Ada&quot;" in page(client.get(path))
    assert "Augusta Ada" in page(client.get(path + "&sample=Long name"))
    assert "&quot;name&quot;" in page(client.get(path + "&sample=*"))


def test_only_published_templates_of_the_organization(world: World) -> None:
    client = world.client("editor")
    assert "Nothing to render yet" in page(client.get(world.path("{o}/playground?template={draft}")))
    other = world.people["stranger"].memberships.get().organization_id
    answer = world.client("stranger").get(f"/o/{other}/playground?template={world.ids['template']}")
    assert "Nothing to render yet" in page(answer)
    refused = world.client("stranger").post(
        f"/o/{other}/playground/render", {"template": world.ids["template"]}, headers=SCRIPT
    )
    assert refused.status_code == 404


def test_the_code_follows_the_form(world: World) -> None:
    client, path = world.client("viewer"), world.path("{o}/playground/code")
    shown = page(client.post(path, {"values": '{"name": "O\'Hara"}', "format": "xlsx", "user": "ann"}))
    assert "O&#x27;Hara" in shown
    assert "externalUserId" in shown
    assert "sk_live" not in shown
    assert "$DOCUMENTS_API_KEY" in shown
    assert "once the data is right" in page(client.post(path, {"values": "{"}))


def test_curl_sends_the_very_body() -> None:
    words = shlex.split(curl(URL, NASTY).replace("\\\n", " "))
    assert words[:2] == ["curl", URL]
    assert "x-api-key: $DOCUMENTS_API_KEY" in words
    assert json.loads(words[words.index("--data-raw") + 1]) == NASTY
    # By a real shell, too: what it hands over is what curl would send.
    script = "curl() { for word; do printf '%s\\0' \"$word\"; done; }\n" + curl(URL, NASTY)
    environment = {"DOCUMENTS_API_KEY": "sk_test"}
    out = subprocess.run(["/bin/sh", "-c", script], env=environment, capture_output=True, check=True).stdout  # noqa: S603
    handed = out.decode().split("\0")
    assert handed[2] == "x-api-key: sk_test"
    assert json.loads(handed[-2]) == NASTY


def test_python_sends_the_very_body() -> None:
    tree = ast.parse(python(URL, NASTY))
    call = next(node for node in ast.walk(tree) if isinstance(node, ast.Call) and node.keywords)
    body = next(each.value for each in call.keywords if each.arg == "json")
    assert ast.literal_eval(body) == NASTY
    assert ast.literal_eval(call.args[0]) == URL


@pytest.mark.skipif(not shutil.which("node"), reason="no Node.js here")
def test_javascript_sends_the_very_body() -> None:
    program = (
        "globalThis.fetch = async (url, options) => {\n"
        "  console.log(JSON.stringify([url, options.body, options.headers['x-api-key']]));\n"
        "  return {ok: true, json: async () => ({downloadUrl: ''})};\n};\n" + javascript(URL, NASTY)
    )
    out = subprocess.run(  # noqa: S603
        [str(shutil.which("node")), "--input-type=module", "-e", program],
        env={"DOCUMENTS_API_KEY": "sk_test"},
        capture_output=True,
        check=True,
    ).stdout
    url, body, key = json.loads(out.decode().partition("\n")[0])
    assert (url, json.loads(body), key) == (URL, NASTY, "sk_test")


def test_every_language_holds_the_placeholder_alone() -> None:
    for snippet in snippets(URL, NASTY):
        assert "DOCUMENTS_API_KEY" in snippet.text
        assert "sk_" not in snippet.text
