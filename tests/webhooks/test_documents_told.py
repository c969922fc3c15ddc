"""What webhooks are told of documents and batches: each end once, in the shape that the API shows."""

from __future__ import annotations

import json
from typing import Any

import pytest

from accounts.webhooks.models import Webhook
from rendering.formats import RENDERERS
from tests.conftest import INVOICE, ApiClient
from tests.jobs import run_jobs
from tests.webhooks.receiver import Receiver

LINK = {"downloadUrl", "expiresAt"}
CHECKED = INVOICE | {"variables": [{"name": "number", "type": "number", "required": True}]}


@pytest.fixture(autouse=True)
def listening(webhook: dict[str, Any]) -> None:
    """A webhook hears of what documents and batches do, and of nothing else."""
    wanted = ["document.completed", "document.failed", "batch.completed"]
    Webhook.objects.filter(pk=webhook["id"]).update(event_types=wanted)


def told(receiver: Receiver) -> list[tuple[str, Any]]:
    """Run all jobs and return type and data of what has arrived, in the order of the types."""
    run_jobs()
    bodies = [json.loads(message.body) for message in receiver.messages]
    receiver.messages.clear()
    return sorted(((body["type"], body["data"]) for body in bodies), key=lambda each: each[0])


def without_link(client: ApiClient, document_id: str) -> Any:
    """Return a document as the API shows it, but for what a message must not hold."""
    body = client.get(f"/v1/documents/{document_id}").json()
    return {name: value for name, value in body.items() if name not in LINK}


def batch(client: ApiClient, output: str, *numbers: Any) -> str:
    """Order a document for each number; one that is no number fails. Return the id of the batch."""
    items = [{"data": {"number": number, "items": []}} for number in numbers]
    body = {"templateId": client.published(**CHECKED), "items": items, "output": output}
    answer = client.post("/v1/batches", body)
    assert answer.status_code == 202, answer.content
    return answer.json()["id"]


@pytest.mark.parametrize("prefer", ["", "respond-async"])
def test_a_completed_document(prefer: str, secret: ApiClient, ann: ApiClient, receiver: Receiver) -> None:
    body = {"templateId": ann.published(), "data": {}, "reference": "order-4711"}
    document_id = ann.post("/v1/render", body, prefer=prefer).json()["documentId"]
    [(kind, data)] = told(receiver)
    assert kind == "document.completed"
    assert data == without_link(secret, document_id)
    assert (data["status"], data["externalUserId"]) == ("completed", "ann")
    assert data["reference"] == "order-4711"


def test_a_retry_is_not_told_again(secret: ApiClient, receiver: Receiver) -> None:
    body = {"templateId": secret.published(), "data": {}}
    for _ in range(2):
        assert secret.post("/v1/render", body, idempotency_key="k-1").status_code == 200
    assert len(told(receiver)) == 1


def test_a_failed_document(
    secret: ApiClient, receiver: Receiver, settings: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Refused in its turn by what the data makes impossible, or by a fault of ours while somebody waits."""
    template_id = secret.published()
    body = {"templateId": template_id, "data": {}}
    document_id = secret.post("/v1/render", body, prefer="respond-async").json()["documentId"]
    settings.MAX_PAGES = 0
    [(kind, data)] = told(receiver)
    assert kind == "document.failed"
    assert data == without_link(secret, document_id)
    assert "MAX_PAGES" in data["error"]

    def fail(*args: Any) -> None:
        raise ZeroDivisionError("the password is swordfish")

    monkeypatch.setattr(RENDERERS["pdf"], "render", fail)
    assert secret.post("/v1/render", body).status_code == 500
    [(kind, data)] = told(receiver)
    assert (kind, data["status"]) == ("document.failed", "failed")
    assert "swordfish" not in json.dumps(data)


def test_what_is_refused_before_it_begins_is_no_event(secret: ApiClient, receiver: Receiver) -> None:
    template_id = secret.published()
    assert secret.render(template_id, {"items": 5}).status_code == 400
    assert secret.render("tpl_unknown").status_code == 404
    assert told(receiver) == []


def test_a_batch_of_files_tells_each_document_and_its_own_end(secret: ApiClient, receiver: Receiver) -> None:
    batch_id = batch(secret, "files", 1, "none", 3)
    events = told(receiver)
    assert [kind for kind, _ in events] == ["batch.completed", *2 * ["document.completed"], "document.failed"]
    assert {data["batchId"] for _, data in events[1:]} == {batch_id}
    assert events[3][1]["batchIndex"] == 1
    assert events[3][1]["error"] == "data.number: must be a number"
    whole = events[0][1]
    assert (whole["id"], whole["status"]) == (batch_id, "completed")
    assert (whole["items"]["completed"], whole["items"]["failed"]) == (2, 1)


@pytest.mark.parametrize("output", ["zip", "merged"])
def test_a_batch_with_a_file_tells_its_end_alone(output: str, secret: ApiClient, receiver: Receiver) -> None:
    batch_id = batch(secret, output, 1, "none", 3)
    [(kind, data)] = told(receiver)
    assert (kind, data["id"], data["status"]) == ("batch.completed", batch_id, "completed")
    assert not data.keys() & LINK


def test_a_cancelled_batch_says_nothing(secret: ApiClient, receiver: Receiver) -> None:
    batch_id = batch(secret, "files", 1, 2)
    assert secret.post(f"/v1/batches/{batch_id}/cancel").status_code == 200
    assert told(receiver) == []
