"""Invitations: by mail, accepted as a new or an existing person, expired, revoked, renewed."""

from __future__ import annotations

import re
from datetime import timedelta

import pytest
from django.core import mail
from django.test import Client
from django.utils import timezone

from accounts.models import AuditEntry, Invitation, Membership, Organization, User
from tests.dashboard.world import World, make_user, page

NEW = {
    "first_name": "Zoe",
    "last_name": "Quinn",
    "password1": "seven quiet rivers",
    "password2": "seven quiet rivers",
}


@pytest.fixture
def mail_server(settings) -> None:
    settings.HAS_MAIL_SERVER = True


def invite(world: World, email: str = "zoe@acme.example", role: str = "editor", follow: bool = True):
    form = {"email": email, "role": role}
    return world.client("owner").post(world.path("{o}/settings/members/invite"), form, follow=follow)


def link() -> str:
    return re.search(r"http://testserver(/invitations/\S+)", mail.outbox[-1].body)[1]


def role_of(world: World, email: str) -> str | None:
    membership = Membership.objects.filter(organization=world.organization, user__email=email).first()
    return membership and membership.role


def test_a_new_person_joins(world: World, mail_server: None) -> None:
    assert "zoe@acme.example will get an e-mail" in page(invite(world))
    assert mail.outbox[0].to == ["zoe@acme.example"]
    assert "Ada Byron invites you to join Acme as editor" in mail.outbox[0].body
    client = Client()
    assert "zoe@acme.example" in page(client.get(link()))
    answer = client.post(link(), NEW, follow=True)
    assert "Welcome to Acme" in page(answer)
    assert role_of(world, "zoe@acme.example") == "editor"
    assert User.objects.get(email="zoe@acme.example").get_full_name() == "Zoe Quinn"
    joined = AuditEntry.objects.filter(organization=world.organization, action="member.joined").get()
    assert (joined.actor, joined.object_name) == ("zoe@acme.example", "zoe@acme.example")
    assert Client().get(link()).status_code == 404, "a link works once"


@pytest.mark.parametrize("field", ["first_name", "last_name"])
def test_a_name_adds_no_lines_to_the_mails_of_the_person(world: World, mail_server: None, field: str) -> None:
    invite(world, role="owner")
    answer = Client().post(link(), NEW | {field: "Zoe\n\nYour account is closed: http://x.test"})
    assert answer.status_code == 422
    assert "Use printable characters only." in page(answer)
    assert not User.objects.filter(email="zoe@acme.example").exists()


@pytest.mark.parametrize("invitation", ["inv_unknown", "inv%00"])
def test_no_invitation_is_revoked_by_an_id_that_is_none(world: World, invitation: str) -> None:
    address = world.path(f"{{o}}/settings/members/invitations/{invitation}/revoke")
    owner = world.client("owner")
    assert owner.get(address).status_code == 404
    assert "accepted or revoked in the meantime" in page(owner.post(address, follow=True))


def test_an_existing_person_logs_in_and_joins(world: World, mail_server: None) -> None:
    invite(world, "SAM@globex.example", "viewer")
    stranger = Client().get(link())
    assert "You have an account with this address" in page(stranger)
    assert f"/login?next={link()}" in page(stranger)
    client = world.client("stranger")
    assert "Join as viewer" in page(client.get(link()))
    answer = client.post(link(), follow=True)
    assert answer.request["PATH_INFO"].startswith(world.path("{o}/"))
    assert role_of(world, "sam@globex.example") == "viewer"
    assert {each.organization.name for each in world.people["stranger"].memberships.all()} == {
        "Acme",
        "Globex",
    }


def test_somebody_else_cannot_take_it(world: World, mail_server: None) -> None:
    invite(world)
    client = world.client("stranger")
    assert "You are logged in as sam@globex.example" in page(client.get(link()))
    client.post(link())
    assert role_of(world, "sam@globex.example") is None


def test_nobody_registers_over_an_account(world: World, mail_server: None) -> None:
    invite(world, "sam@globex.example")
    before = User.objects.get(email="sam@globex.example").password
    Client().post(link(), NEW)
    assert User.objects.get(email="sam@globex.example").password == before
    assert role_of(world, "sam@globex.example") is None


def test_a_weak_password_is_refused_at_its_field(world: World, mail_server: None) -> None:
    invite(world)
    answer = Client().post(link(), NEW | {"password1": "zoe@acme.example", "password2": "zoe@acme.example"})
    assert answer.status_code == 422
    assert "too similar to the e-mail address" in page(answer)
    assert not User.objects.filter(email="zoe@acme.example").exists()


def test_it_expires(world: World, mail_server: None) -> None:
    invite(world)
    Invitation.objects.update(expires_at=timezone.now() - timedelta(seconds=1))
    assert Client().get(link()).status_code == 404
    assert Client().post(link(), NEW).status_code == 404
    assert role_of(world, "zoe@acme.example") is None
    assert "Expired" in page(world.client("owner").get(world.path("{o}/settings/members")))


@pytest.mark.parametrize("change", ["demoted", "removed", "closed", "deleted"])
def test_it_counts_as_long_as_who_sent_it_is_an_owner(change: str, world: World, mail_server: None) -> None:
    Membership.objects.filter(user=world.people["editor"]).update(role="owner")
    path, form = world.path("{o}/settings/members/invite"), {"email": "ed@elsewhere.example", "role": "owner"}
    world.client("editor").post(path, form)
    assert Client().get(link()).status_code == 200
    sender = world.people["editor"]
    owner, member = world.client("owner"), world.path("{o}/settings/members/") + str(sender.pk)
    match change:
        case "demoted":
            owner.post(f"{member}/role", {"role": "viewer"})
        case "removed":
            assert "Invitations that the person sent stop working" in page(owner.get(f"{member}/remove"))
            owner.post(f"{member}/remove")
        case "closed":
            User.objects.filter(pk=sender.pk).update(is_active=False)
        case "deleted":
            sender.delete()
    assert Client().get(link()).status_code == 404
    assert Client().post(link(), NEW).status_code == 404
    assert role_of(world, "ed@elsewhere.example") is None
    assert "who sent it is no owner any more" in page(owner.get(world.path("{o}/settings/members")))
    invite(world, "ed@elsewhere.example", "viewer")
    assert Client().get(link()).status_code == 200, "another owner vouches for it now"


def test_it_is_revoked(world: World, mail_server: None) -> None:
    invite(world)
    invitation = Invitation.objects.get(email="zoe@acme.example")
    address = world.path("{o}/settings/members/invitations/") + f"{invitation.pk}/revoke"
    assert "stops working at once" in page(world.client("owner").get(address))
    answer = world.client("owner").post(address, follow=True)
    assert "The invitation of zoe@acme.example is revoked" in page(answer)
    assert Client().get(link()).status_code == 404
    assert world.client("owner").get(address).status_code == 404


def test_sending_again_replaces_the_link_and_the_role(world: World, mail_server: None) -> None:
    invite(world, role="viewer")
    first = link()
    invite(world, role="editor")
    assert Client().get(first).status_code == 404
    Client().post(link(), NEW)
    assert role_of(world, "zoe@acme.example") == "editor"


@pytest.mark.parametrize(
    ("email", "said"),
    [("ed@acme.example", "is a member already"), ("nonsense", "Enter a valid email address")],
)
def test_what_cannot_be_invited(email: str, said: str, world: World) -> None:
    answer = invite(world, email)
    assert answer.status_code == 422
    assert said in page(answer)


def test_an_organization_sends_so_many_and_no_more(world: World, mail_server: None, settings) -> None:
    settings.INVITATION_RATE_LIMIT = "3/d"
    for _ in range(3):
        assert "will get an e-mail" in page(invite(world))
    answer = invite(world, "one.more@acme.example")
    assert answer.status_code == 422
    assert "Acme has sent 3 invitations lately, and this server allows no more. Try again in " in page(answer)
    assert 'value="one.more@acme.example"' in page(answer)
    assert len(mail.outbox) == 3
    other = World(Organization.objects.get(name="Globex"), {"owner": world.people["stranger"]})
    other.ids["o"] = f"/o/{other.organization.pk}"
    assert "will get an e-mail" in page(invite(other)), "another organization is not affected"


def test_without_a_mail_server_the_link_is_shown_once(world: World) -> None:
    answer = invite(world)
    shown = re.search(r"http://testserver(/invitations/[\w-]+)", page(answer))[1]
    assert Client().get(shown).status_code == 200
    assert shown not in page(world.client("owner").get(world.path("{o}/settings/members")))


def test_a_mail_server_that_fails_does_not_lose_the_invitation(
    world: World, mail_server: None, settings, monkeypatch
) -> None:
    def fail(*args: object, **kwargs: object) -> None:
        raise ConnectionRefusedError

    monkeypatch.setattr("dashboard.mails.send_mail", fail)
    assert "no mail went out" in page(invite(world))


def test_no_token_is_in_the_database(world: World, mail_server: None) -> None:
    invite(world)
    token = link().rsplit("/", 1)[1]
    assert token not in str(list(Invitation.objects.values()) + list(AuditEntry.objects.values()))


def test_who_is_a_member_already_keeps_the_role(world: World, mail_server: None) -> None:
    invite(world, "late@acme.example", "viewer")
    late = make_user("late@acme.example")
    Membership.objects.create(organization=world.organization, user=late, role="owner")
    client = Client()
    client.force_login(late)
    client.post(link())
    assert role_of(world, "late@acme.example") == "owner"
