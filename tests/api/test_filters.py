"""Filters of `GET /v1/batches` and `GET /v1/templates`; those of documents are in test_document_list.py."""

from __future__ import annotations

from urllib.parse import quote

import pytest

from accounts.models import Organization
from tests.api.tools import assert_refused, walk
from tests.conftest import ApiClient
from tests.factories import BatchFactory, TemplateFactory

STATUSES = {
    "batches": ["queued", "processing", "completed", "failed", "cancelled"],
    "templates": ["draft", "published"],
}
FACTORIES = {"batches": BatchFactory, "templates": TemplateFactory}


def listed(client: ApiClient, kind: str, query: str = "") -> list[str]:
    """Return the ids of a list, over all of its pages."""
    return [row["id"] for page in walk(client, f"/v1/{kind}?limit=2{query}") for row in page]


@pytest.mark.parametrize("kind", STATUSES)
def test_by_status(kind: str, secret: ApiClient, acme: Organization) -> None:
    template = TemplateFactory(organization=acme, status="archived")
    own = {"template": template} if kind == "batches" else {"organization": acme}
    ids = {status: [FACTORIES[kind](**own, status=status).pk for _ in range(3)] for status in STATUSES[kind]}
    for status, found in ids.items():
        assert listed(secret, kind, f"&status={status}") == found[::-1]


@pytest.mark.parametrize(
    ("kind", "status", "message"),
    [
        ("batches", "deleted", 'must be "queued", "processing", "completed", "failed" or "cancelled"'),
        ("batches", "", 'must be "queued", "processing", "completed", "failed" or "cancelled"'),
        ("batches", "failed,queued", 'must be "queued", "processing", "completed", "failed" or "cancelled"'),
        ("templates", "archived", 'must be "draft" or "published"'),
        ("templates", "Draft", 'must be "draft" or "published"'),
    ],
)
def test_a_status_that_nothing_in_the_list_has(
    kind: str, status: str, message: str, secret: ApiClient
) -> None:
    assert_refused(secret.get(f"/v1/{kind}?status={status}"), 400, f"status: {message}")
    answer = secret.get(f"/v1/{kind}?status={status}&limit=0")
    whole = "must be a whole number from 1 to 1000"
    assert_refused(answer, 400, f"limit: {whole}; status: {message}")


@pytest.mark.parametrize("kind", STATUSES)
def test_by_end_user(
    kind: str, secret: ApiClient, ann: ApiClient, ben: ApiClient, globex: ApiClient, acme: Organization
) -> None:
    own = {"template": TemplateFactory(organization=acme, status="archived")}
    fields = own if kind == "batches" else {"organization": acme}
    hers = FACTORIES[kind](**fields, external_user_id="ann").pk
    his = FACTORIES[kind](**fields, external_user_id="ben").pk
    ours = FACTORIES[kind](**fields).pk
    assert listed(secret, kind) == [ours, his, hers]
    assert listed(secret, kind, "&externalUserId=ann") == [hers]
    assert listed(secret, kind, "&externalUserId=") == []
    assert listed(ann, kind, "&externalUserId=ben") == [hers]
    assert listed(ben, kind, "&externalUserId=ann") == [his]
    assert listed(globex, kind, "&externalUserId=ann") == []


def test_batches_of_a_template(secret: ApiClient, globex: ApiClient, acme: Organization) -> None:
    one, two = TemplateFactory(organization=acme), TemplateFactory(organization=acme)
    a = BatchFactory(template=one, status="completed").pk
    b = BatchFactory(template=one).pk
    BatchFactory(template=two, status="completed")
    assert listed(secret, "batches", f"&templateId={one.pk}") == [b, a]
    assert listed(secret, "batches", f"&templateId={one.pk}&status=completed") == [a]
    assert listed(globex, "batches", f"&templateId={one.pk}") == []


@pytest.mark.parametrize("value", ["tpl_unknown", "", "a b", "\x00", "日本", "x" * 5000])
def test_a_value_that_names_nothing_matches_nothing(
    value: str, secret: ApiClient, acme: Organization
) -> None:
    BatchFactory(template=TemplateFactory(organization=acme))
    for path in ("batches?templateId=", "batches?externalUserId=", "templates?externalUserId="):
        assert secret.get(f"/v1/{path}{quote(value)}").json() == []
