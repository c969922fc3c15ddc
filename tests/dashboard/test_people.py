"""People: their account and sessions, several organizations, members and roles, never without an owner."""

from __future__ import annotations

import re
import threading

import pytest
from django.db import connections
from django.test import Client

from accounts.models import AuditEntry, Membership, Organization, User
from accounts.people import LastOwner, change_role, remove_member
from tests.dashboard.world import PASSWORD, World, make_user, make_world, page

NEW_PASSWORD = "seven quiet rivers"


@pytest.fixture
def world(db: None) -> World:
    return make_world()


def roles(world: World) -> dict[str, str]:
    members = Membership.objects.filter(organization=world.organization)
    return {member.user.email.split("@")[0]: member.role for member in members.select_related("user")}


def member(world: World, role: str, verb: str) -> str:
    return world.path("{o}/settings/members/") + f"{world.people[role].pk}/{verb}"


class TestAccount:
    def test_name(self, world: World) -> None:
        client = world.client("viewer")
        client.post("/account", {"first_name": "Vera", "last_name": "Rubin"})
        assert "Vera Rubin" in page(client.get("/account"))

    @pytest.mark.parametrize("name", ["Ve\u202era", "Vera\nYour account is closed: http://x.test"])
    def test_a_name_is_one_printable_line(self, world: World, name: str) -> None:
        answer = world.client("viewer").post("/account", {"first_name": name, "last_name": name})
        assert answer.status_code == 422
        assert page(answer).count("Use printable characters only.") == 2

    def test_password_ends_all_other_sessions(self, world: World) -> None:
        here, elsewhere = world.client("viewer"), world.client("viewer")
        form = {"old_password": PASSWORD, "new_password1": NEW_PASSWORD, "new_password2": NEW_PASSWORD}
        assert here.post("/account/password", form).status_code == 302
        assert here.get("/account").status_code == 200
        assert elsewhere.get("/account").status_code == 302
        assert world.people["viewer"].sessions.count() == 1
        assert (
            Client().post("/login", {"username": "vera@acme.example", "password": NEW_PASSWORD}).status_code
            == 302
        )

    @pytest.mark.parametrize("key", ["unknown", "a\x00b"])
    def test_a_session_that_is_none_cannot_be_ended(self, world: World, key: str) -> None:
        answer = world.client("viewer").post("/account/sessions/end", {"session": key}, follow=True)
        assert "This session had already ended" in page(answer)

    def test_password_needs_the_old_one(self, world: World) -> None:
        form = {"old_password": "wrong", "new_password1": NEW_PASSWORD, "new_password2": NEW_PASSWORD}
        answer = world.client("viewer").post("/account/password", form)
        assert answer.status_code == 422
        assert "Your old password was entered incorrectly" in page(answer)

    def test_the_old_password_cannot_be_guessed_at(self, world: World) -> None:
        form = {"old_password": "wrong", "new_password1": NEW_PASSWORD, "new_password2": NEW_PASSWORD}
        client, right = world.client("viewer"), form | {"old_password": PASSWORD}
        for _ in range(10):
            assert "was entered incorrectly" in page(client.post("/account/password", form))
        # Who has found it out by then does not learn so.
        for tried in (form, right):
            refused = page(client.post("/account/password", tried))
            assert re.search(r"Too many wrong passwords\. Try again in \d+ minutes?\.", refused)
        assert world.people["viewer"].check_password(PASSWORD)
        answer = world.client("editor").post("/account/password", right)
        assert answer.status_code == 302

    def test_sessions_are_listed_and_revoked_one_by_one(self, world: World) -> None:
        agent = "Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0"
        here, other = Client(headers={"user-agent": agent}, REMOTE_ADDR="192.0.2.7"), Client()
        for client in (here, other):
            client.post("/login", {"username": "vera@acme.example", "password": PASSWORD})
        shown = page(here.get("/account/sessions"))
        assert "Firefox on Linux" in shown
        assert "192.0.2.7" in shown
        assert shown.count("This device") == 1
        [key] = re.findall(r'name="session" value="(\w+)"', shown)
        here.post("/account/sessions/end", {"session": key})
        assert other.get("/account").status_code == 302
        assert here.get("/account").status_code == 200

    def test_all_other_sessions_end_at_once(self, world: World) -> None:
        here, *others = [world.client("viewer") for _ in range(4)]
        assert "Logged out 3 sessions" in page(here.post("/account/sessions/end", follow=True))
        assert [client.get("/account").status_code for client in others] == [302] * 3

    def test_nobody_ends_the_session_of_another_person(self, world: World) -> None:
        victim = world.client("owner")
        key = world.people["owner"].sessions.get().session_key
        answer = world.client("viewer").post("/account/sessions/end", {"session": key}, follow=True)
        assert "This session had already ended" in page(answer)
        assert victim.get("/account").status_code == 200


class TestOrganizations:
    def test_switcher_lists_them_and_the_start_remembers(self, world: World) -> None:
        other = Organization.objects.get(name="Globex")
        Membership.objects.create(organization=other, user=world.people["editor"], role="viewer")
        client = world.client("editor")
        shown = page(client.get(world.path("{o}/settings")))
        assert f"/o/{other.pk}" in shown
        client.get(f"/o/{other.pk}/settings")
        assert client.get("/", follow=True).request["PATH_INFO"].startswith(f"/o/{other.pk}/")
        client.get(world.path("{o}/settings"))
        assert client.get("/", follow=True).request["PATH_INFO"].startswith(world.path("{o}/"))

    def test_who_is_in_none_is_told_what_to_do(self, world: World) -> None:
        client = Client()
        client.force_login(make_user("alone@acme.example"))
        answer = client.get("/", follow=True)
        assert answer.request["PATH_INFO"] == "/account/organizations"
        assert "You are in no organization yet" in page(answer)
        assert "New organization" not in page(answer)

    def test_staff_create_them_and_see_the_keys_once(self, world: World) -> None:
        User.objects.filter(email="ada@acme.example").update(is_staff=True)
        client = world.client("owner")
        answer = client.post("/account/organizations/new", {"name": "  Acme Labs "}, follow=True)
        made = Organization.objects.get(name="Acme Labs")
        assert answer.request["PATH_INFO"] == f"/o/{made.pk}/settings/keys/new"
        key = re.search(r"sk_live_\w{48}", page(answer))[0]
        assert Organization.objects.for_api_key(key.encode()) == made
        again = page(client.get(answer.request["PATH_INFO"], follow=True))
        assert key not in again
        entry = AuditEntry.objects.get(organization=made)
        assert (entry.actor, entry.actor_user, entry.action) == (
            "ada@acme.example",
            world.people["owner"],
            "organization.created",
        )

    @pytest.mark.parametrize(("who", "status"), [("staff", 403), ("everybody", 200)])
    def test_the_operator_decides_who_else_may(self, who: str, status: int, world: World, settings) -> None:
        settings.ORGANIZATION_CREATION = who
        client = world.client("owner")
        assert client.get("/account/organizations/new").status_code == status
        answer = client.post("/account/organizations/new", {"name": "Mine"})
        assert Organization.objects.filter(name="Mine").exists() == (status == 200)
        assert answer.status_code == (302 if status == 200 else 403)

    def test_leaving(self, world: World) -> None:
        client = world.client("viewer")
        path = world.path("/account/organizations/{organization}/leave")
        assert "need an invitation" in page(client.get(path))
        client.post(path)
        assert "vera" not in roles(world)
        assert client.get(world.path("{o}/settings")).status_code == 404


class TestMembers:
    def test_an_owner_changes_a_role(self, world: World) -> None:
        client = world.client("owner")
        assert "Change role" in page(client.get(member(world, "viewer", "role")))
        client.post(member(world, "viewer", "role"), {"role": "editor"})
        assert roles(world)["vera"] == "editor"
        entry = AuditEntry.objects.filter(action="member.role_changed").get()
        assert entry.detail == {"before": "viewer", "after": "editor"}

    def test_an_unknown_role_is_refused(self, world: World) -> None:
        world.client("owner").post(member(world, "viewer", "role"), {"role": "emperor"})
        assert roles(world)["vera"] == "viewer"

    def test_an_owner_removes_a_member_who_is_out_at_once(self, world: World) -> None:
        theirs = world.client("viewer")
        assert theirs.get(world.path("{o}/settings")).status_code == 200
        world.client("owner").post(member(world, "viewer", "remove"))
        assert theirs.get(world.path("{o}/settings")).status_code == 404
        assert AuditEntry.objects.filter(action="member.removed", object_name="vera@acme.example").exists()

    def test_the_last_owner_stays(self, world: World) -> None:
        client = world.client("owner")
        for path, form in (
            (member(world, "owner", "remove"), {}),
            (member(world, "owner", "role"), {"role": "viewer"}),
            (world.path("/account/organizations/{organization}/leave"), {}),
        ):
            assert "needs at least one owner" in page(client.post(path, form, follow=True)), path
            if not form:  # nobody is led through a question that can only be answered with a refusal
                assert "needs at least one owner" in page(client.get(path)), path
            assert roles(world)["ada"] == "owner"

    def test_an_owner_whose_account_is_closed_does_not_count(self, world: World) -> None:
        closed = make_user("gone@acme.example", is_active=False)
        Membership.objects.create(organization=world.organization, user=closed, role="owner")
        with pytest.raises(LastOwner):
            remove_member(
                organization=world.organization, user_id=world.people["owner"].pk, actor="ada@acme.example"
            )

    def test_members_of_another_organization_are_out_of_reach(self, world: World) -> None:
        client = world.client("owner")
        for verb in ("role", "remove"):
            assert client.get(member(world, "stranger", verb)).status_code == 404
            assert client.post(member(world, "stranger", verb), {"role": "viewer"}).status_code == 404


@pytest.mark.django_db(transaction=True)
def test_of_two_owners_who_leave_at_once_one_stays() -> None:
    world = make_world()
    Membership.objects.filter(user=world.people["editor"]).update(role="owner")
    leaving = [world.people["owner"], world.people["editor"]]
    start = threading.Barrier(2)
    refused = []

    def leave(user: User) -> None:
        start.wait()
        try:
            change_role(organization=world.organization, user_id=user.pk, role="viewer", actor=user.email)
        except LastOwner:
            refused.append(user)
        finally:
            connections.close_all()

    threads = [threading.Thread(target=leave, args=(user,)) for user in leaving]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(refused) == 1
    assert list(roles(world).values()).count("owner") == 1
