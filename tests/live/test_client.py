"""A client generated from the schema works as it is: nobody patches it by hand."""

from __future__ import annotations

import importlib
import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from types import ModuleType

import httpx
import pytest

from tests.conftest import INVOICE_DATA
from tests.live import plain
from tests.live.service import Account, Service

pytestmark = [pytest.mark.embedded, pytest.mark.live]

PACKAGE = "generated_documents_client"


@pytest.fixture(scope="module")
def generated(service: Service, tmp_path_factory: pytest.TempPathFactory) -> Iterator[ModuleType]:
    """The generated package, imported."""
    tmp_path = tmp_path_factory.mktemp("client")
    # The generator formats its output with ruff, which lies beside this interpreter.
    path = f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"
    done = subprocess.run(
        [
            sys.executable,
            "-m",
            "openapi_python_client",
            "generate",
            f"--url={service.url}/api/v1/openapi.json",
            "--meta=none",
            f"--output-path={tmp_path / PACKAGE}",
            "--fail-on-warning",
        ],
        env=os.environ | {"PATH": path},
        cwd=tmp_path,
        capture_output=True,
        text=True,
        timeout=120,
    )
    assert done.returncode == 0, done.stdout + done.stderr
    sys.path.insert(0, str(tmp_path))
    try:
        yield importlib.import_module(PACKAGE)
    finally:
        sys.path.remove(str(tmp_path))
        for name in [name for name in sys.modules if name.partition(".")[0] == PACKAGE]:
            del sys.modules[name]


def module(path: str) -> ModuleType:
    return importlib.import_module(f"{PACKAGE}.{path}")


def test_create_publish_render_download(service: Service, account: Account, generated: ModuleType) -> None:
    models = module("models")
    client = generated.AuthenticatedClient(
        base_url=service.url,
        token=account.secret_key,
        prefix="",
        auth_header_name="x-api-key",
        raise_on_unexpected_status=True,
        timeout=httpx.Timeout(60),
    )
    with client:
        body = models.TemplateCreate(
            name="Invoice",
            formats=[models.Format.PDF, models.Format.XLSX],
            sections=[
                models.HeadingSection(
                    type_="heading",
                    content="Invoice {{number}}",
                    level=2,
                    show_if=models.Condition(field="number", is_=models.Operator.SET),
                ),
                models.TableSection(
                    type_="table",
                    source="items",
                    columns=[
                        models.TableColumn(key="name", header="Item"),
                        models.TableColumn(key="price", format_="currency"),
                    ],
                ),
            ],
            variables=[models.Variable(name="number", type_=models.VariableType.STRING, required=True)],
            page=models.PageSettings(locale="de-AT", footer=models.Band(right="{{page.number}}")),
        )
        created = module("api.templates.create_template").sync(client=client, body=body)
        assert isinstance(created, models.Template)
        assert created.status == "draft"
        assert [type(section).__name__ for section in created.sections] == ["HeadingSection", "TableSection"]
        assert created.sections[0].show_if.field == "number"
        assert [variable.name for variable in created.variables] == ["number", "items"]

        published = module("api.templates.publish_template").sync(created.id, client=client)
        assert published.status == "published"
        assert created.id in {t.id for t in module("api.templates.list_templates").sync(client=client)}

        request = models.RenderRequest(
            template_id=created.id, data=models.RenderRequestData.from_dict(INVOICE_DATA), filename="first"
        )
        rendered = module("api.render.render_document").sync(
            client=client, body=request, idempotency_key="first"
        )
        assert isinstance(rendered, models.Document)
        assert (rendered.status, rendered.format_, rendered.filename) == ("completed", "pdf", "first.pdf")
        assert {type(rendered.format_), *map(type, created.formats)} == {models.Format}

        download = module("api.downloads.download_document")
        link = download.sync(rendered.document_id, client=client, redirect=False)
        file = plain.get(link.download_url, timeout=30)
        assert file.content.startswith(b"%PDF-")
        assert len(file.content) == rendered.file_size_bytes
        assert download.sync_detailed(rendered.document_id, client=client).status_code == 302

        usage = module("api.usage.get_usage").sync(client=client)
        assert (usage.total, usage.usage[0].documents) == (1, 1)
        organization = module("api.orgs.get_organization").sync(client=client)
        assert organization.id == account.id


def test_a_change_sends_what_was_set_and_nothing_else(
    service: Service, account: Account, generated: ModuleType
) -> None:
    models = module("models")
    client = generated.AuthenticatedClient(
        base_url=service.url, token=account.secret_key, prefix="", auth_header_name="x-api-key"
    )
    with client:
        body = models.TemplateCreate(
            name="Letter",
            formats=[models.Format.PDF],
            sections=[models.TextSection(type_="text", content="Hello")],
        )
        created = module("api.templates.create_template").sync(client=client, body=body)
        changed = module("api.templates.update_template").sync(
            created.id, client=client, body=models.TemplateUpdate(description="To all")
        )
        assert isinstance(changed, models.Template), changed
        assert (changed.name, changed.description, changed.version) == ("Letter", "To all", 2)
    assert models.WebhookUpdate(description="Ours").to_dict() == {"description": "Ours"}


def test_a_refusal_is_typed(service: Service, account: Account, generated: ModuleType) -> None:
    models = module("models")
    client = generated.AuthenticatedClient(
        base_url=service.url, token=account.secret_key, prefix="", auth_header_name="x-api-key"
    )
    with client:
        missing = module("api.templates.get_template").sync_detailed("tpl_none", client=client)
        assert missing.status_code == 404
        assert isinstance(missing.parsed, models.Error)
        assert missing.parsed.message == "Template not found"


def test_the_examples_of_the_schema_are_accepted(service: Service, account: Account) -> None:
    """What the reference shows as a request works when it is pasted."""
    schema = plain.get(f"{service.url}/api/v1/openapi.json", timeout=30).json()
    with httpx.Client(
        base_url=service.url, headers={"x-api-key": account.secret_key}, timeout=30, verify=False
    ) as http:
        example = request_example(schema, "/v1/templates")
        created = http.post("/v1/templates", json=example)
        assert created.status_code == 201, created.text
        template_id = created.json()["id"]
        assert http.post(f"/v1/templates/{template_id}/publish").status_code == 200
        example = request_example(schema, "/v1/render") | {"templateId": template_id}
        rendered = http.post("/v1/render", json=example)
        assert rendered.status_code == 200, rendered.text


def request_example(schema: dict, path: str) -> dict:
    content = schema["paths"][path]["post"]["requestBody"]["content"]["application/json"]
    return next(iter(content["examples"].values()))["value"]
