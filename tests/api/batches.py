"""Batches over HTTP: sending one, and finding what became of it."""

from __future__ import annotations

from io import BytesIO
from typing import Any

from django_tasks_db.models import DBTaskResult

from config.jobs import queue
from tests.api.tools import follow
from tests.conftest import INVOICE, ApiClient
from tests.jobs import run_task

CHECKED = INVOICE | {"variables": [{"name": "number", "type": "number", "required": True}]}


def item(number: Any, **fields: Any) -> dict[str, Any]:
    """Return an item of the invoice template."""
    return {"data": {"number": number, "items": [{"name": "Pen", "price": number}]}} | fields


def order(client: ApiClient, items: Any, **fields: Any) -> Any:
    """Send a batch of a new template and return the answer."""
    template_id = fields.pop("templateId", None) or client.published(**CHECKED)
    headers = fields.pop("headers", {})
    return client.post("/v1/batches", {"templateId": template_id, "items": items} | fields, **headers)


def accepted(client: ApiClient, items: Any, **fields: Any) -> str:
    """Send a batch and return its id."""
    answer = order(client, items, **fields)
    assert answer.status_code == 202, answer.content
    return answer.json()["id"]


def found(client: ApiClient, batch_id: str) -> Any:
    """Return the body of a batch."""
    answer = client.get(f"/v1/batches/{batch_id}")
    assert answer.status_code == 200
    return answer.json()


def file_of(client: ApiClient, batch_id: str) -> BytesIO:
    """Return the zip or merged file of a batch."""
    answer = follow(found(client, batch_id)["downloadUrl"])
    assert answer.status_code == 200
    return BytesIO(answer.content)


def documents_of(client: ApiClient, batch_id: str) -> dict[int, Any]:
    """Return the documents of a batch by index."""
    rows = client.get(f"/v1/documents?batchId={batch_id}").json()
    return {row["batchIndex"]: row for row in rows}


def download(client: ApiClient, document_id: str) -> bytes:
    """Return the file of a document."""
    url = client.get(f"/v1/documents/{document_id}").json()["downloadUrl"]
    return follow(url).content


def queue_has(name: str) -> bool:
    """Tell whether a queue has jobs."""
    return DBTaskResult.objects.filter(queue_name=name, status="READY").exists()


def run_one(name: str = "default") -> str:
    """Run the next job of a queue and return its name."""
    task = queue.claim("worker", name)
    assert task is not None
    run_task(task)
    return task.task_path.rpartition(".")[2]
