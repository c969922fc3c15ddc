"""The list of templates, a template's page, and what can be done to it as a whole. No page needs a script."""

from __future__ import annotations

import json
import shlex
from base64 import b64encode
from datetime import timedelta
from io import BytesIO
from typing import Any
from urllib.parse import quote

import pytest
from django.test import Client
from django.utils import timezone
from PIL import Image

from accounts.models import AuditEntry, Membership
from templates_app.models import Template, TemplateSample
from tests.conftest import INVOICE, INVOICE_DATA, secret_client
from tests.dashboard.records import picture
from tests.dashboard.world import World, page
from tests.factories import OrganizationFactory, TemplateFactory
from usage.models import MonthlyCount


def names(client: Client, world: World, query: str = "") -> list[str]:
    """Return the names on the list, in its order."""
    answer = client.get(world.path("{o}/templates") + query)
    assert answer.status_code == 200
    return [row.name for row in answer.context["page"].rows]


def stored(world: World, key: str = "template") -> Template:
    return Template.objects.get(pk=world.ids[key])


def test_searched_filtered_and_sorted(world: World) -> None:
    client = world.client("viewer")
    organization = world.organization
    long_ago = timezone.now() - timedelta(days=400)
    old = TemplateFactory(organization=organization, name="annual letter", created_at=long_ago)
    TemplateFactory(organization=organization, name="Gone", status="archived")
    TemplateFactory(organization=organization, name="Theirs", external_user_id="user-42")
    TemplateFactory(name="Elsewhere")
    assert set(names(client, world)) == {"Theirs", "Offer", "Invoice", "annual letter"}
    assert names(client, world)[-1] == "annual letter", "what was changed last comes first"
    assert names(client, world, "?sort=name") == ["annual letter", "Invoice", "Offer", "Theirs"]
    assert names(client, world, "?sort=new")[0] == "Theirs"
    assert names(client, world, "?status=archived") == ["Gone"]
    assert names(client, world, "?status=published") == ["Invoice"]
    assert names(client, world, "?q=LETTER") == ["annual letter"]
    assert names(client, world, "?q=user-42") == ["Theirs"]
    assert names(client, world, f"?q={old.pk}&status=draft") == ["annual letter"]
    for nonsense in ("?q=none", "?q=a%00b", "?page=7", "?status=archived&q=Invoice"):
        assert names(client, world, nonsense) == [], nonsense
    assert len(names(client, world, "?sort=x&status=y&page=z")) == 4


def test_as_many_queries_for_a_thousand(world: World, django_assert_max_num_queries: Any) -> None:
    now = timezone.now()
    Template.objects.bulk_create(
        TemplateFactory.build(organization=world.organization, name=f"Letter {number}", created_at=now)
        for number in range(1000)
    )
    client = world.client("viewer")
    for query in ("", "?sort=name", "?q=letter&page=3", "?status=draft"):
        with django_assert_max_num_queries(8):
            answer = client.get(world.path("{o}/templates") + query)
        assert len(answer.context["page"].rows) == 24
        assert answer.context["page"].next


def test_before_the_first_template(world: World) -> None:
    empty = OrganizationFactory(name="Empty")
    for role in ("editor", "viewer"):
        Membership.objects.create(organization=empty, user=world.people[role], role=role)
    assert "Make your first template" in page(world.client("editor").get(f"/o/{empty.pk}/templates"))
    seen = page(world.client("viewer").get(f"/o/{empty.pk}/templates"))
    assert "No template yet" in seen
    assert "templates/new" not in seen


def test_htmx_gets_the_results_alone(world: World) -> None:
    answer = world.client("viewer").get(
        world.path("{o}/templates?q=offer"), headers={"HX-Request": "true", "HX-Target": "results"}
    )
    assert "Offer" in page(answer)
    assert "<html" not in page(answer)


# ---------------------------------------------------------------- pictures


def test_a_thumbnail_is_the_first_page(world: World) -> None:
    client = world.client("viewer")
    path = world.path("{o}/templates/{draft}/thumbnail")
    answer = client.get(f"{path}?v=3")
    assert answer["Content-Type"] == "image/png"
    assert "immutable" in answer["Cache-Control"]
    assert len(answer.content) < 60_000
    picture = Image.open(BytesIO(answer.content)).convert("L")
    assert picture.width == 480
    assert picture.height > picture.width, "a page of A4"
    assert picture.getextrema()[0] < 100, "with something printed on it"
    assert "immutable" not in client.get(path)["Cache-Control"]
    assert client.get(path).content == answer.content


def test_a_workbook_has_a_picture_of_its_sheet(world: World) -> None:
    Template.objects.filter(pk=world.ids["draft"]).update(formats=["xlsx"])
    answer = world.client("viewer").get(world.path("{o}/templates/{draft}/thumbnail"))
    assert answer["Content-Type"] == "image/png"
    assert Image.open(BytesIO(answer.content)).width == 480


@pytest.mark.parametrize(
    "change",
    [
        {"sections": [{"type": "heading", "content": "{{ broken }}"}]},
        {"sections": [{"type": "image", "source": "ast_gone"}]},
    ],
)
def test_what_cannot_be_rendered_has_a_plain_sheet(world: World, change: dict[str, Any]) -> None:
    Template.objects.filter(pk=world.ids["draft"]).update(**change)
    answer = world.client("viewer").get(world.path("{o}/templates/{draft}/thumbnail?v=3"))
    assert (answer.status_code, answer["Content-Type"]) == (200, "image/svg+xml")
    assert "immutable" not in answer["Cache-Control"]


# Two thousand copies take pdfium many times as long as the page may.
MANY_COPIES = '<use href="#a" x="1"/>' * 2000


def of_many_large_images() -> dict[str, Any]:
    out = BytesIO()
    Image.new("1", (6000, 6000)).save(out, "PNG")
    image = f'<image id="a" width="9" href="data:image/png;base64,{b64encode(out.getvalue()).decode()}"/>'
    svg = f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 9 9">{image}{MANY_COPIES}</svg>'
    return {"type": "image", "source": f"data:image/svg+xml;base64,{b64encode(svg.encode()).decode()}"}


def test_what_takes_long_to_draw_has_a_plain_sheet_and_no_picture(
    world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("dashboard.pictures.raster.MOST_SECONDS", 0.2)
    Template.objects.filter(pk=world.ids["draft"]).update(sections=[of_many_large_images()])
    client, path = world.client("viewer"), world.path("{o}/templates/{draft}")
    assert client.get(f"{path}/thumbnail?v=3")["Content-Type"] == "image/svg+xml"
    assert "Its pages take too long to draw" in page(client.get(f"{path}/history/3"))
    assert client.get(f"{path}/history/3/pages/1.png").status_code == 404


def test_without_a_sample_the_picture_is_of_made_up_data(world: World) -> None:
    required = [{"name": "number", "type": "string", "required": True}]
    Template.objects.filter(pk=world.ids["draft"]).update(variables=required, sample_data={})
    answer = world.client("viewer").get(world.path("{o}/templates/{draft}/thumbnail"))
    assert answer["Content-Type"] == "image/png"


def test_a_published_template_says_how_it_is_used(world: World) -> None:
    seen = world.client("editor").get(world.path("{o}/templates/{template}")).content.decode()
    assert world.path("{o}/playground?template={template}") in seen
    assert "curl http://testserver/v1/render" in seen
    assert world.ids["template"] in seen.partition("--data-raw")[2]
    draft = world.client("editor").get(world.path("{o}/templates/{draft}")).content.decode()
    assert "curl" not in draft


def test_the_first_request_stays_short_and_renders(world: World) -> None:
    large = f"data:image/png;base64,{b64encode(picture() * 200).decode()}"
    Template.objects.filter(pk=world.ids["template"]).update(
        sections=[{"type": "image", "source": "{{logo}}"}, {"type": "text", "content": "{{note}}"}],
        variables=[{"name": "logo", "type": "image", "required": True}, {"name": "note", "type": "string"}],
        sample_data={"logo": large, "note": "Thank you. " * 2000, "items": [{"n": 1}] * 900},
    )
    answer = world.client("viewer").get(world.path("{o}/templates/{template}"))
    assert len(answer.content) < 40_000
    body = json.loads(shlex.split(answer.context["curl"])[-1])
    assert secret_client(world.organization).post("/v1/render", body).status_code == 200


def test_where_no_short_request_would_do_the_playground_has_it(world: World) -> None:
    sample = {f"field_{number}": number for number in range(1000)}
    Template.objects.filter(pk=world.ids["template"]).update(sample_data=sample)
    answer = world.client("viewer").get(world.path("{o}/templates/{template}"))
    assert "Its sample is too long" in page(answer)
    assert "field_7" not in page(answer)


def test_a_template_of_an_end_user_says_whose_pages_render_it(world: World) -> None:
    path = world.path("{o}/templates/{template}")
    assert "every server with your secret key can render it" in page(world.client("viewer").get(path))
    Template.objects.filter(pk=world.ids["template"]).update(external_user_id="user-42")
    shown = page(world.client("viewer").get(path))
    assert "every server with your secret key and the pages of this end user can render it" in shown


def test_a_document_with_a_password_has_a_picture(world: World) -> None:
    Template.objects.filter(pk=world.ids["draft"]).update(page={"protection": {"userPassword": "secret"}})
    answer = world.client("viewer").get(world.path("{o}/templates/{draft}/thumbnail"))
    assert answer["Content-Type"] == "image/png"


# ---------------------------------------------------------------- one template


def test_the_page_of_a_template(world: World) -> None:
    row = stored(world)
    MonthlyCount.objects.all().delete()
    today = timezone.now().date().replace(day=1)
    months = {today: 3, (today - timedelta(days=1)).replace(day=1): 12}
    for month, documents in months.items():
        MonthlyCount.objects.create(
            organization=world.organization,
            month=month,
            template_id=row.pk,
            format="pdf",
            documents=documents,
        )
    seen = page(world.client("viewer").get(world.path("{o}/templates/{template}")))
    for words in (
        "Published",
        "Version 1",
        "A server (secret key)",
        row.pk,
        "<dt>Last month</dt><dd>12</dd>",
        "Export JSON",
    ):
        assert words in seen, words
    for words in ("Duplicate</button>", "Archive…", "Move</a>"):
        assert words not in seen, words
    editor = page(world.client("editor").get(world.path("{o}/templates/{template}")))
    for words in ("Duplicate</button>", "Archive…", "Move</a>"):
        assert words in editor, words
    question = page(world.client("editor").get(world.path("{o}/templates/{template}/archive")))
    assert "It made 12 documents last month, and 3 this month so far." in question
    assert "Template is not published" in question


def test_archived_it_is_looked_at_and_duplicated(world: World) -> None:
    client = world.client("editor")
    path = world.path("{o}/templates/{draft}")
    TemplateSample.objects.create(template_id=world.ids["draft"], name="Long", data={"number": "1" * 40})
    assert client.post(f"{path}/archive").status_code == 302
    assert stored(world, "draft").status == "archived"
    assert AuditEntry.objects.filter(action="template.archived", actor="ed@acme.example").exists()
    seen = page(client.get(path))
    assert "Archived <time" in seen
    for word in ("/publish", "/move", "/archive"):
        assert f'{path}{word}"' not in seen, word
    assert client.get(f"{path}/archive").status_code == 302
    assert client.post(f"{path}/move", {"user": "x"}).status_code == 302
    assert stored(world, "draft").external_user_id is None

    answer = client.post(f"{path}/duplicate", follow=True)
    copy = Template.objects.get(name="Copy of Offer")
    assert answer.redirect_chain[-1][0].endswith(copy.pk)
    old = stored(world, "draft")
    assert (copy.status, copy.version, copy.sections) == ("draft", 1, old.sections)
    assert (copy.variables, copy.sample_data) == (old.variables, old.sample_data)
    assert [sample.name for sample in copy.samples.all()] == ["Long"]
    assert client.get(f"{path}/edit").status_code == 200


def test_messages_tell_of_long_names_their_ends(world: World) -> None:
    Template.objects.filter(pk=world.ids["draft"]).update(name="Offer " + "x" * 180 + " Vienna")
    answer = world.client("editor").post(world.path("{o}/templates/{draft}/archive"), follow=True)
    [told] = [str(message) for message in answer.context["messages"]]
    assert told.startswith("Offer xxx")
    assert told.endswith("Vienna is archived.")
    assert len(told) < 80


def test_what_is_broken_cannot_be_duplicated_and_says_why(world: World) -> None:
    Template.objects.filter(pk=world.ids["draft"]).update(sections=[{"type": "text", "content": "{{ x }}"}])
    answer = world.client("editor").post(world.path("{o}/templates/{draft}/duplicate"), follow=True)
    assert "It cannot be duplicated as it is. Section 1" in page(answer)
    assert Template.objects.count() == 2


def test_moved_between_users(world: World) -> None:
    client = world.client("editor")
    path = world.path("{o}/templates/{template}/move")
    assert "Its earlier versions go with it" in page(client.get(path))
    assert client.post(path, {"user": "user-42"}).status_code == 302
    assert (stored(world).external_user_id, stored(world).version) == ("user-42", 2)
    assert client.post(path, {"user": "user-42"}).status_code == 302
    assert stored(world).version == 2, "nothing to do is no version"
    assert client.post(path, {"user": "a\tb"}).status_code == 422
    assert client.post(path, {"user": ""}).status_code == 302
    assert stored(world).external_user_id is None


def test_an_export_is_a_body_of_the_api(world: World) -> None:
    Template.objects.filter(pk=world.ids["draft"]).update(name="Angebot für 東京")
    answer = world.client("viewer").get(world.path("{o}/templates/{draft}/export.json"))
    assert f"filename*=UTF-8''{quote('Angebot für 東京.json')}" in answer["Content-Disposition"]
    body = json.loads(answer.content)
    assert body["sections"][0] == {"type": "heading", "content": "Offer {{number}}"}
    assert body["sampleData"] == INVOICE_DATA
    assert body["variables"] == []
    assert body.keys() == {*INVOICE, "description", "variables", "page", "sampleData"}


@pytest.mark.parametrize(
    "name", ["", "/archive", "/move", "/export.json", "/thumbnail", "/history", "/history/1", "/publish"]
)
def test_templates_of_others_do_not_exist(world: World, name: str) -> None:
    theirs = world.people["stranger"].organizations.get()
    path = f"/o/{theirs.pk}/templates/{world.ids['draft']}{name}"
    assert world.client("stranger").get(path).status_code == 404
    assert world.client("owner").get(world.path("{o}/templates/x%00") + name).status_code == 404
