"""Documents and batches: filters, facts, links, deleting, progress, and what belongs to others."""

from __future__ import annotations

import re
from datetime import timedelta

import pytest
from django.utils import timezone

from accounts.caller import member_caller
from dashboard.pages import PAGE_SIZE
from rendering.models import Batch, Document
from rendering.services import render_document
from templates_app.models import Template
from tests.conftest import secret_client, user_client
from tests.dashboard.world import World, page
from tests.factories import DocumentFactory, TemplateFactory
from tests.jobs import run_jobs


def get(world: World, path: str, role: str = "viewer", **query):
    return world.client(role).get(world.path("{o}/documents" + path), query)


def test_the_list_says_what_became_of_each(world: World) -> None:
    shown = page(get(world, ""))
    assert "data.items[3].price: must be a number" in shown
    assert "83 ms" in shown
    assert "customer-17" in shown
    assert "Processing" in shown
    newest, oldest = shown.index("november-2.pdf"), shown.index("invoice-2026-0042.pdf")
    assert newest < oldest


@pytest.mark.parametrize(
    ("query", "count"),
    [
        ({"status": "failed"}, 2),
        ({"format": "xlsx"}, 1),
        ({"user": "customer-17"}, 1),
        ({"reference": "order-4711"}, 1),
        ({"reference": "order"}, 0),
        ({"template": "invo"}, 6),
        ({"template": "nothing of this name"}, 0),
        ({"since": "2200-01-01"}, 0),
        ({"until": "2000-01-01"}, 0),
        # What cannot be read filters nothing.
        ({"since": "1960-01-01", "until": "9999-12-31", "before": "\x00"}, 6),
        ({"since": "nonsense", "status": "nonsense", "before": "nonsense"}, 6),
    ],
)
def test_filters(query: dict[str, str], count: int, world: World) -> None:
    answer = get(world, "", **query)
    assert answer.status_code == 200
    assert page(answer).count('data-label="Status"') == count


def test_a_name_that_is_part_of_too_many_says_which_are_shown(
    world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("dashboard.views.documents.MOST_NAMED", 2)
    old, *others = (
        TemplateFactory(organization=world.organization, name=f"Zebra {number}") for number in range(3)
    )
    for template in (old, *others):
        DocumentFactory(template=template, completed=True)
    Template.objects.filter(pk=old.pk).update(updated_at=timezone.now() - timedelta(days=1))
    answer = page(get(world, "", template="zebra"))
    assert "More than 2 templates have “zebra” in their name" in answer
    assert answer.count('data-label="Status"') == 2
    assert old.pk not in answer
    assert "More than" not in page(get(world, "", template="Zebra 0"))


def test_a_long_list_has_pages_that_keep_the_filter(world: World) -> None:
    template = Document.objects.get(pk=world.ids["document"]).template
    DocumentFactory.create_batch(PAGE_SIZE + 5, template=template, external_user_id="many", completed=True)
    first = get(world, "", user="many")
    following = re.search(r'href="(\?[^"]+)" rel="next"', page(first))[1].replace("&amp;", "&")
    assert "user=many" in following
    second = world.client("viewer").get(world.path("{o}/documents") + following)
    assert page(second).count('data-label="Status"') == 5


def test_a_kept_render_can_be_looked_at_downloaded_and_deleted(world: World) -> None:
    caller = member_caller(world.organization, world.people["owner"])
    body = {"templateId": world.ids["template"], "data": {"name": "Ada"}, "format": "pdf"}
    document, _ = render_document(caller=caller, body=body)
    shown = page(get(world, f"/{document.pk}"))
    assert document.pk in shown
    assert "Version" in shown
    link = get(world, f"/{document.pk}/download")
    assert link.status_code == 302
    assert document.file in link["Location"]
    file = get(world, f"/{document.pk}/file")
    assert b"".join(file.streaming_content).startswith(b"%PDF")
    assert file["Content-Disposition"].startswith("inline")
    path = world.path("{o}/documents") + f"/{document.pk}/delete"
    assert "links to it stop working" in page(world.client("editor").get(path))
    assert "is deleted" in page(world.client("editor").post(path, follow=True))
    assert get(world, f"/{document.pk}").status_code == 404


def test_who_asked_and_which_version_are_told(world: World) -> None:
    """Of each way to ask for a document; items of a batch have it from their batch."""
    owner, template_id = world.people["owner"], world.ids["template"]
    ask = {"templateId": template_id, "data": {"name": "Ada"}, "format": "pdf"}
    rendered, _ = render_document(caller=member_caller(world.organization, owner), body=ask)
    server = secret_client(world.organization)
    by_server = server.post("/v1/render", ask).json()["documentId"]
    in_background = server.post("/v1/render", ask, prefer="respond-async").json()["documentId"]
    customer = user_client(world.organization, "customer-17")
    customer.headers["origin"] = "https://acme.example"
    theirs = customer.render(customer.published(), {"number": 1, "items": []}).json()["documentId"]
    batch = server.post(
        "/v1/batches", {"templateId": template_id, "format": "pdf", "items": [{"data": ask["data"]}]}
    ).json()["id"]
    run_jobs()
    item = Document.objects.get(batch_id=batch, batch_index=0)
    version = world.path("{o}/templates/{template}/history/1")
    told = {
        f"/{rendered.pk}": owner.email,
        f"/{by_server}": "A server (secret key)",
        f"/{in_background}": "A server (secret key)",
        f"/{theirs}": "End user customer-17 (public key)",
        f"/{item.pk}": "A server (secret key)",
        f"/batches/{batch}": "A server (secret key)",
    }
    for path, who in told.items():
        shown = page(get(world, path))
        assert f'<dt>By</dt><dd class="break">{who}</dd>' in shown, path
        assert (version in shown) == (path != f"/{theirs}"), path
    assert world.client("viewer").get(version).status_code == 200
    for answer in (server.get(f"/v1/documents/{rendered.pk}"), server.get("/v1/documents")):
        assert owner.email not in answer.content.decode(), "addresses of members are not for the API"


def test_a_document_of_before_does_not_say_who_asked(world: World) -> None:
    Document.objects.update(created_by="")
    assert "<dt>By</dt>" not in page(get(world, world.path("/{document}")))


def test_the_callers_own_name_is_shown_where_there_is_one(world: World) -> None:
    assert "order-4711" in page(get(world, world.path("/{document}")))
    assert "<dt>Reference</dt>" not in page(get(world, world.path("/batches/{batch}")))
    Batch.objects.update(reference="order-4712")
    Document.objects.update(reference=None)
    assert "<dt>Reference</dt>" not in page(get(world, world.path("/{document}")))
    assert "order-4712" in page(get(world, world.path("/batches/{batch}")))


def test_what_has_no_file_has_no_link(world: World) -> None:
    failed = Document.objects.filter(status="failed").first()
    assert failed is not None
    for path in ("download", "file"):
        assert get(world, f"/{failed.pk}/{path}").status_code == 404
    assert failed.error in page(get(world, f"/{failed.pk}"))


def test_documents_of_others_do_not_exist(world: World) -> None:
    theirs = DocumentFactory(completed=True)
    for path in (f"/{theirs.pk}", f"/{theirs.pk}/download", f"/{theirs.pk}/file", f"/{theirs.pk}/delete"):
        assert get(world, path, "owner").status_code == 404, path
    assert world.client("owner").post(f"{world.ids['o']}/documents/{theirs.pk}/delete").status_code == 404
    assert Document.objects.filter(pk=theirs.pk, status="completed").exists()
    assert get(world, "/nothing%00", "owner").status_code == 404


def test_a_render_in_the_background_tells_when_it_is_done(world: World) -> None:
    path = world.path("{o}/documents/{waiting}")
    client, asks = world.client("viewer"), {"hx-request": "true", "hx-target": "div#waiting"}
    assert "every 2s" in page(client.get(path))
    part = client.get(path, headers=asks)
    assert (part.status_code, "HX-Refresh" in part) == (204, False), "what turns is left turning"
    Document.objects.filter(pk=world.ids["waiting"]).update(status="failed", error="data.total: required")
    assert client.get(path, headers=asks)["HX-Refresh"] == "true"
    assert "every 2s" not in page(client.get(path))


@pytest.mark.parametrize(
    ("role", "path"),
    [
        ("viewer", "{o}/documents/doc_gone"),
        ("viewer", "{o}/documents/batches/bat_gone"),
        ("stranger", "{o}/documents/{waiting}"),
    ],
)
def test_a_part_about_what_is_gone_has_the_page_say_so(role: str, path: str, world: World) -> None:
    client, path = world.client(role), world.path(path)
    part = client.get(path, headers={"hx-request": "true", "hx-target": "div#waiting"})
    assert (part.status_code, part["HX-Refresh"], part.content) == (204, "true", b"")
    assert client.get(path).status_code == 404


def test_a_batch_follows_its_work(world: World) -> None:
    path = f"/batches/{world.ids['batch']}"
    shown = page(get(world, path))
    assert "2 of 40 done" in shown
    assert "every 2s" in shown
    assert "data.total: required" in shown
    assert shown.index("november-2.pdf") < shown.index("Item 2") < shown.index("data.total: required")
    assert "Item 2" not in page(world.client("viewer").get(world.path("{o}/documents")))
    part = world.client("viewer").get(
        world.path("{o}/documents") + path, headers={"hx-request": "true", "hx-target": "section#progress"}
    )
    assert "<html" not in page(part)
    assert 'value="5"' in page(part)
    assert "HX-Refresh" not in part
    assert "november-1.pdf" not in page(get(world, path, status="failed"))


def test_cancel_and_delete_a_batch(world: World) -> None:
    client, path = world.client("editor"), world.path("{o}/documents/batches/{batch}")
    assert "Let it run" in page(client.get(f"{path}/cancel"))
    assert "The batch is cancelled" in page(client.post(f"{path}/cancel", follow=True))
    shown = page(client.get(path))
    assert "Cancelled after 2 of 40" in shown
    assert "every 2s" not in shown
    assert "had ended before" in page(client.post(f"{path}/cancel", follow=True))
    part = client.get(path, headers={"hx-request": "true", "hx-target": "section#progress"})
    assert part["HX-Refresh"] == "true"
    assert client.get(f"{path}/download").status_code == 404
    client.post(f"{path}/delete")
    assert client.get(path).status_code == 404


def test_a_merged_batch_has_a_link(world: World) -> None:
    Batch.objects.filter(pk=world.ids["batch"]).update(
        status="completed", output="zip", file="batches/x.zip", file_size_bytes=1
    )
    answer = get(world, f"/batches/{world.ids['batch']}/download")
    assert answer.status_code == 302
    assert "batches/x.zip" in answer["Location"]


def test_a_batch_of_which_nothing_could_be_rendered_says_so(world: World) -> None:
    ended = Batch.objects.filter(pk=world.ids["batch"])
    ended.update(status="completed", output="merged", completed=0, failed=40)
    shown = page(get(world, f"/batches/{world.ids['batch']}"))
    assert "No document could be rendered.</strong> There is no file to download." in shown
    ended.update(completed=1, failed=39)
    assert "No document could be rendered" not in page(get(world, f"/batches/{world.ids['batch']}"))


def test_batches_of_others_do_not_exist(world: World) -> None:
    path = world.path("{o}/documents/batches/{batch}")
    other = world.people["stranger"].memberships.get().organization_id
    theirs = path.replace(world.organization.pk, other)
    for each in ("", "/download", "/cancel", "/delete"):
        assert world.client("stranger").get(theirs + each).status_code == 404


def test_the_items_of_a_long_batch_have_pages(world: World) -> None:
    batch = Batch.objects.get(pk=world.ids["batch"])
    for index in range(2, 30):
        DocumentFactory(template=batch.template, batch=batch, batch_index=index, filename=f"item-{index}.pdf")
    path = f"/batches/{batch.pk}"
    first = page(get(world, path))
    assert first.index("item-29.pdf") < first.index("item-28.pdf")
    assert "november-1.pdf" not in first
    assert "november-1.pdf" in page(get(world, path, before="5"))
    assert "item-29.pdf" in page(get(world, path, before="9" * 30))
