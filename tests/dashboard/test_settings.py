"""Settings of an organization: name, keys, allowed domains, retention, audit log."""

from __future__ import annotations

import csv
import re
import sqlite3
from datetime import timedelta
from io import StringIO
from typing import Any
from urllib.parse import quote

import pytest
from django.db import OperationalError, connection
from django.utils import timezone

from accounts import audit
from accounts.models import AuditEntry, Organization
from accounts.one_time import LIFETIME_SECONDS
from accounts.services import add_domain, remove_domain
from dashboard.pages import PAGE_SIZE
from rendering.models import Document
from tests.conftest import secret_client
from tests.dashboard.world import World, page

AGREED = {"agreed": "yes"}


def stored(world: World) -> Organization:
    return Organization.objects.get(pk=world.organization.pk)


def last_entry(world: World) -> AuditEntry:
    return AuditEntry.objects.filter(organization=world.organization).latest("id")


class TestGeneral:
    def test_rename(self, world: World) -> None:
        answer = world.client("owner").post(world.path("{o}/settings"), {"name": " Acme Ltd "}, follow=True)
        assert "The name is saved" in page(answer)
        assert stored(world).name == "Acme Ltd"
        entry = last_entry(world)
        assert (entry.action, entry.actor) == ("organization.renamed", "ada@acme.example")
        assert entry.detail == {"before": "Acme", "after": "Acme Ltd"}

    @pytest.mark.parametrize("name", ["", "   ", "a\tb", "x" * 300])
    def test_an_unusable_name_is_refused_at_its_field(self, name: str, world: World) -> None:
        answer = world.client("owner").post(world.path("{o}/settings"), {"name": name})
        assert answer.status_code == 422
        assert 'id="id_name_error"' in page(answer)
        assert stored(world).name == "Acme"

    def test_the_same_name_is_no_change(self, world: World) -> None:
        before = AuditEntry.objects.count()
        world.client("owner").post(world.path("{o}/settings"), {"name": "Acme"})
        assert AuditEntry.objects.count() == before

    def test_who_may_not_change_it_gets_no_form(self, world: World) -> None:
        assert 'name="name"' not in page(world.client("editor").get(world.path("{o}/settings")))


def full_at(table: str) -> Any:
    """Return an execute wrapper for a disk on which nothing more can be written to this table."""

    def execute(run: Any, sql: str, params: Any, many: bool, context: Any) -> Any:
        if sql.startswith(("INSERT", "UPDATE")) and f'"{table}"' in sql:
            raise OperationalError("disk is full") from sqlite3.OperationalError("database or disk is full")
        return run(sql, params, many, context)

    return connection.execute_wrapper(execute)


class TestKeys:
    def test_are_masked(self, world: World) -> None:
        shown = page(world.client("editor").get(world.path("{o}/settings/keys")))
        for masked in ("masked_public_key", "masked_secret_key", "masked_signing_secret"):
            assert getattr(world.organization, masked) in shown
        for key in vars(world.organization.credentials).values():
            assert key not in shown

    def test_of_keys_that_cannot_be_shown_the_old_ones_stay(self, world: World, settings: Any) -> None:
        settings.ORGANIZATION_CREATION = "everybody"
        client, organizations = world.client("owner", raise_request_exception=False), Organization.objects
        before = organizations.count()
        with full_at("accounts_usersession"):
            for path, body in (
                (world.path("{o}/settings/keys/rotate"), {}),
                ("/account/organizations/new", {"name": "Initech"}),
            ):
                assert client.post(path, body).status_code == 503
        assert secret_client(world.organization).get("/v1/orgs").status_code == 200
        assert organizations.count() == before
        answer = client.post(world.path("{o}/settings/keys/rotate"), follow=True)
        assert "sk_live_" in page(answer)

    def test_rotation_says_what_stops_and_shows_the_new_ones_once(self, world: World) -> None:
        client = world.client("owner")
        asked = page(client.get(world.path("{o}/settings/keys/rotate")))
        assert "401 “Invalid API key”" in asked
        old = secret_client(world.organization)
        assert old.get("/v1/orgs").status_code == 200
        answer = client.post(world.path("{o}/settings/keys/rotate"), follow=True)
        assert "no-store" in answer["Cache-Control"]
        keys = re.findall(r'value="((?:pk|sk|ss)_live_\w{48})"', page(answer))
        assert [key[:2] for key in keys] == ["pk", "sk", "ss"]
        assert old.get("/v1/orgs").status_code == 401
        old.headers["x-api-key"] = keys[1]
        assert old.get("/v1/orgs").status_code == 200
        again = client.get(answer.request["PATH_INFO"], follow=True)
        assert "New keys are shown once" in page(again)
        assert keys[1] not in page(again)
        assert last_entry(world).action == "keys.rotated"
        assert not any(key in str(list(AuditEntry.objects.values())) for key in keys)

    def test_new_keys_wait_ten_minutes_at_most(self, world: World, monkeypatch) -> None:
        client = world.client("owner")
        shown_at = client.post(world.path("{o}/settings/keys/rotate"))["Location"]
        from accounts import one_time

        now = one_time.time.time()
        monkeypatch.setattr(one_time.time, "time", lambda: now + LIFETIME_SECONDS + 1)
        assert client.get(shown_at).status_code == 302

    def test_new_keys_are_for_owners(self, world: World) -> None:
        assert world.client("editor").get(world.path("{o}/settings/keys/new")).status_code == 403

    def test_the_question_opens_in_a_dialog_too(self, world: World) -> None:
        client = world.client("owner")
        answer = client.get(world.path("{o}/settings/keys/rotate"), headers={"x-dialog": "1"})
        assert "<html" not in page(answer)
        assert "csrfmiddlewaretoken" in page(answer)
        assert f'action="{world.path("{o}/settings/keys/rotate")}"' in page(answer)


class TestDomains:
    def post(self, world: World, verb: str, domain: str):
        address = world.path("{o}/settings/domains/") + verb
        return world.client("owner").post(address, {"domain": domain}, follow=True)

    def test_add(self, world: World) -> None:
        answer = self.post(world, "add", " Shop.Example. ")
        assert "Pages on shop.example may use the public key now" in page(answer)
        assert stored(world).allowed_domains == ["acme.example", "localhost", "shop.example"]
        assert last_entry(world).detail["after"][-1] == "shop.example"

    def test_a_name_that_is_not_ascii_is_shown_as_it_is_written(self, world: World) -> None:
        said = page(self.post(world, "add", "münchen.de"))
        assert "Pages on münchen.de may use the public key now" in said
        assert (
            '<code class="break">münchen.de</code> <small class="faint break">xn--mnchen-3ya.de</small>'
            in said
        )
        assert "Pages on münchen.de may not" in page(self.post(world, "remove", "xn--mnchen-3ya.de"))

    def test_add_what_is_there(self, world: World) -> None:
        assert "is allowed already" in page(self.post(world, "add", "LOCALHOST"))

    @pytest.mark.parametrize(
        "domain", ["https://shop.example", "*.shop.example", "shop.example:8000", "a b", ""]
    )
    def test_what_is_no_domain_is_refused_at_its_field(self, domain: str, world: World) -> None:
        answer = self.post(world, "add", domain)
        assert answer.status_code == 422
        assert 'id="id_domain_error"' in page(answer)
        assert len(stored(world).allowed_domains) == 2

    def test_removing_is_asked_about(self, world: World) -> None:
        client = world.client("owner")
        address = world.path("{o}/settings/domains/remove")
        assert f'href="{address}?domain=acme.example" data-dialog' in page(
            client.get(world.path("{o}/settings/domains"))
        )
        asked = page(client.get(address, {"domain": "acme.example"}, headers={"x-dialog": "1"}))
        assert "Remove acme.example?" in asked
        assert "from pages on acme.example and its subdomains are refused at once" in asked
        assert '<input type="hidden" name="domain" value="acme.example"' in asked
        assert stored(world).allowed_domains == ["acme.example", "localhost"]
        assert "b.example was not on the list" in page(
            client.get(address, {"domain": "b.example"}, follow=True)
        )
        self.post(world, "add", "app.acme.example")
        assert "all the same: acme.example is on the list" in page(
            client.get(address, {"domain": "app.acme.example"})
        )

    def test_remove(self, world: World) -> None:
        said = page(self.post(world, "remove", "acme.example"))
        assert "Pages on acme.example may not use the public key any more" in said
        assert stored(world).allowed_domains == ["localhost"]
        assert "acme.example was not on the list" in page(self.post(world, "remove", "acme.example"))
        assert AuditEntry.objects.filter(action="domains.changed").count() == 2

    def test_of_changes_at_once_none_is_lost(self, world: World) -> None:
        seen = [stored(world) for _ in range(3)]
        assert add_domain(organization=seen[0], domain="one.example", actor="ada@acme.example")
        assert add_domain(organization=seen[1], domain="Two.Example", actor="ada@acme.example")
        assert remove_domain(organization=seen[2], domain="localhost", actor="ada@acme.example")
        assert stored(world).allowed_domains == ["acme.example", "one.example", "two.example"]
        assert not add_domain(organization=seen[2], domain="one.example", actor="ada@acme.example")

    @pytest.mark.parametrize(
        ("address", "said"),
        [
            ("https://acme.example/", "Yes: acme.example is on the list"),
            ("https://app.acme.example/x", "Yes: app.acme.example is a subdomain of acme.example"),
            ("http://LOCALHOST:3000", "Yes: localhost is on the list"),
            ("https://notacme.example", "No: neither notacme.example"),
            ("acme.example", "This is no address of a page"),
            ("javascript:alert(1)", "This is no address of a page"),
        ],
    )
    def test_check_an_address(self, address: str, said: str, world: World) -> None:
        client = world.client("viewer")
        whole = client.get(world.path("{o}/settings/domains"), {"address": address})
        assert said in page(whole)
        part = client.get(
            world.path("{o}/settings/domains"),
            {"address": address},
            headers={"hx-request": "true", "hx-target": "div#verdict"},
        )
        assert said in page(part)
        assert "<html" not in page(part)

    def test_a_long_list_is_paged(self, world: World) -> None:
        names = [f"shop{number}.example" for number in range(PAGE_SIZE + 1)]
        Organization.objects.filter(pk=world.organization.pk).update(allowed_domains=names)
        address = world.path("{o}/settings/domains")
        shown = [page(world.client("viewer").get(address, {"page": number})) for number in (1, 2)]
        listed = [re.findall(r"<code class=\"break\">([^<]+)</code>", each) for each in shown]
        assert listed == [names[:-1], names[-1:]]
        assert ('rel="next"' in shown[0], 'rel="prev"' in shown[1]) == (True, True)

    def test_what_was_typed_is_no_markup(self, world: World) -> None:
        shown = page(
            world.client("viewer").get(world.path("{o}/settings/domains"), {"address": '"><script>x'})
        )
        assert "<script>x" not in shown


class TestRetention:
    def test_set_and_unset(self, world: World) -> None:
        client, path = world.client("owner"), world.path("{o}/settings/retention")
        assert "deleted after 90 days" in page(client.post(path, AGREED | {"days": "90"}, follow=True))
        assert stored(world).retention_days == 90
        assert "deleted after 120 days" in page(client.post(path, {"days": "120"}, follow=True))
        assert "deleted after 90 days" in page(client.post(path, AGREED | {"days": "90"}, follow=True))
        assert "kept forever" in page(client.post(path, {"days": ""}, follow=True))
        assert stored(world).retention_days is None
        assert last_entry(world).detail == {"before": 90, "after": None}

    def test_what_deletes_documents_is_asked_about(self, world: World) -> None:
        client, path = world.client("owner"), world.path("{o}/settings/retention")
        asked = page(client.post(path, {"days": "30"}))
        assert "Delete documents after 30 days?" in asked
        assert "No document is that old now" in asked
        assert '<input type="hidden" name="days" value="30"' in asked
        assert '<input type="hidden" name="agreed" value="yes"' in asked
        Document.objects.filter(pk=world.ids["document"]).update(
            created_at=timezone.now() - timedelta(days=31)
        )
        assert "are deleted within a day, forever" in page(client.post(path, {"days": "30"}))
        assert stored(world).retention_days is None

    @pytest.mark.parametrize("days", ["0", "-1", "x", "1.5", "999999"])
    def test_nonsense_is_refused(self, days: str, world: World) -> None:
        answer = world.client("owner").post(world.path("{o}/settings/retention"), {"days": days})
        assert answer.status_code == 422
        assert stored(world).retention_days is None


class TestAudit:
    def test_reads_as_sentences(self, world: World) -> None:
        template = secret_client(world.organization).create(name="Offer")
        shown = page(world.client("owner").get(world.path("{o}/settings/audit")))
        assert "created the template <strong>Offer</strong>" in shown
        assert "A server (secret key)" in shown
        assert "added localhost" in shown
        assert template["id"] not in shown

    def test_says_how_long_entries_are_kept(self, world: World, settings: Any) -> None:
        said = []
        for settings.AUDIT_LOG_DAYS in (None, 365):
            said.append(
                "deleted after 365 days" in page(world.client("owner").get(world.path("{o}/settings/audit")))
            )
        assert said == [False, True]

    def test_every_change_of_a_template_is_there(self, world: World) -> None:
        api = secret_client(world.organization)
        template = api.create(name="Offer")["id"]
        api.patch(f"/v1/templates/{template}", {"name": "Quote"})
        for _ in range(2):
            api.post(f"/v1/templates/{template}/publish")
            api.delete(f"/v1/templates/{template}")
        entries = AuditEntry.objects.filter(object_id=template).order_by("id")
        assert [entry.action for entry in entries] == [
            "template.created",
            "template.updated",
            "template.published",
            "template.archived",
        ]
        assert entries[1].detail == {"version": 2, "changed": ["name"]}

    def test_what_was_sent_and_is_the_same_is_not_called_changed(self, world: World) -> None:
        api = secret_client(world.organization)
        names = ("name", "description", "formats", "page", "sampleData")
        declared = [{"name": "day", "type": "date"}]
        sections = [{"type": "text", "content": "{{number}} of {{day}}"}]
        made = api.create(name="Offer", sections=sections, variables=declared)
        sent = {name: made[name] for name in names} | {"variables": declared}
        sent["sections"] = [{"type": "text", "content": "{{total}} of {{day}}"}]
        api.patch(f"/v1/templates/{made['id']}", sent)
        api.patch(f"/v1/templates/{made['id']}", sent)
        entries = AuditEntry.objects.filter(object_id=made["id"], action="template.updated").order_by("id")
        assert [entry.detail["changed"] for entry in entries] == [["sections"], []]

    def test_filters(self, world: World) -> None:
        secret_client(world.organization).create(name="Offer")
        client, path = world.client("owner"), world.path("{o}/settings/audit")
        assert "Offer" not in page(client.get(path, {"area": "domains"}))
        assert "added localhost" in page(client.get(path, {"area": "domains"}))
        assert "added localhost" not in page(client.get(path, {"actor": "api"}))
        assert "Nothing fits this filter" in page(client.get(path, {"until": "2020-01-01"}))
        assert "Offer" in page(client.get(path, {"since": "2020-01-01", "area": "template"}))
        assert "Offer" in page(client.get(path, {"since": "nonsense", "area": "unknown"}))
        shown = page(client.get(path, {"since": "0001-01-01", "until": "9999-12-31"}))
        assert "Offer" in shown
        assert shown.count("Enter a day from 1971 to 9998.") == 2

    @pytest.mark.parametrize(
        ("actor", "texts"),
        [
            ("ada@acme.example", ("ada@acme.example", " Ada@Acme.example ")),
            ("user:Kunde-17", ("Kunde-17", "user:Kunde-17", "End user Kunde-17 (public key)")),
            ("user:Ada@Acme.example", ("Ada@Acme.example", "user:Ada@Acme.example")),
            ("api", ("api", "API", "A server (secret key)")),
            ("system", ("system", "This service")),
        ],
    )
    def test_is_filtered_by_who_as_it_shows_them(self, actor: str, texts: tuple, world: World) -> None:
        audit.record(world.organization, actor, "template.created", object_name="The one")
        audit.record(world.organization, "user:kunde-17", "template.created", object_name="Another")
        client, path = world.client("owner"), world.path("{o}/settings/audit")
        for text in texts:
            shown = page(client.get(path, {"actor": text}))
            assert ("The one" in shown, "Another" in shown) == (True, False), text
        link = f'href="{path}?actor={quote(actor, safe="")}"'
        assert link in page(client.get(path))

    def test_pages(self, world: World, django_assert_max_num_queries) -> None:
        for number in range(120):
            audit.record(
                world.organization, "system", "template.created", object_name=f"Template {number:03}"
            )
        client, path = world.client("owner"), world.path("{o}/settings/audit")
        seen, query = [], "?area=template"
        while query:
            with django_assert_max_num_queries(12):
                shown = page(client.get(path + query))
            seen += re.findall(r"Template \d{3}", shown)
            following = re.search(r'href="([^"]+)" rel="next"', shown)
            query = following and following[1].replace("&amp;", "&")
        assert seen == [f"Template {number:03}" for number in reversed(range(120))]
        back = re.search(r'href="([^"]+)" rel="prev"', shown)[1].replace("&amp;", "&")
        assert len(re.findall(r"Template \d{3}", page(client.get(path + back)))) == PAGE_SIZE

    def test_export(self, world: World) -> None:
        audit.record(
            world.organization, "user:a@b", "template.created", object_name="=1+1", detail={"version": 1}
        )
        answer = world.client("owner").get(world.path("{o}/settings/audit.csv"))
        assert answer["Content-Type"] == "text/csv; charset=utf-8"
        assert "attachment" in answer["Content-Disposition"]
        rows = list(csv.DictReader(StringIO(b"".join(answer.streaming_content).decode())))
        assert rows[0]["action"] == "organization.created"
        assert rows[-1]["objectName"] == "'=1+1", "no formula for a spreadsheet"
        assert rows[-1]["actor"] == "user:a@b"
        assert len(rows) == AuditEntry.objects.filter(organization=world.organization).count()

    def test_the_log_of_another_organization_stays_there(self, world: World) -> None:
        shown = page(world.client("owner").get(world.path("{o}/settings/audit")))
        assert "Globex" not in shown

    def test_an_end_user_is_not_taken_for_a_person(self, world: World) -> None:
        entry = audit.record(world.organization, "user:ada@acme.example", "template.created")
        assert entry.actor_user is None
