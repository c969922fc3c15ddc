"""Users and memberships: what is written down, what stays as it is, and who may touch whom."""

from __future__ import annotations

import pytest
from django.contrib.auth.models import Group, Permission
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext

from accounts import admin_pages
from accounts.models import AuditEntry, Membership, User
from accounts.people import left_without_owner
from tests.admin.test_admin_organizations import membership_fields, page
from tests.factories import OrganizationFactory

USERS = "/admin/accounts/user/"


def member(email: str, **fields: object) -> Membership:
    """Return the membership of a new person, of a new organization where none is named."""
    organization = fields.pop("organization", None) or OrganizationFactory()
    user = User.objects.create_user(email)
    return Membership.objects.create(organization=organization, user=user, **fields)


def support(*permissions: str) -> Client:
    """Return the browser of a helper who is no superuser."""
    helper = User.objects.create_user("helper@example.com", "x", is_staff=True)
    helper.user_permissions.set(Permission.objects.filter(codename__in=permissions))
    browser = Client()
    browser.force_login(helper)
    return browser


@pytest.mark.parametrize("way", ["page", "list"])
def test_a_deleted_account_leaves_its_organizations_in_the_audit_log(browser: Client, way: str) -> None:
    gone = member("edith@example.com", role="editor")
    if way == "page":
        answer = browser.post(f"{USERS}{gone.user_id}/delete/", {"post": "yes"})
    else:
        chosen = {"action": "delete_selected", "post": "yes", "_selected_action": [gone.user_id]}
        answer = browser.post(USERS, chosen)
    assert answer.status_code == 302
    assert not User.objects.filter(pk=gone.user_id).exists()
    entry = AuditEntry.objects.get(action="member.removed")
    assert (entry.organization, entry.object_name) == (gone.organization, "edith@example.com")
    assert (entry.actor, entry.detail) == ("root@example.com", {"role": "editor"})


@pytest.mark.parametrize("place", ["organization", "user"])
def test_a_membership_keeps_its_person_and_its_organization(browser: Client, place: str) -> None:
    kept = member("edith@example.com", role="editor")
    other = member("ben@example.com", role="editor")
    moved = {"0__role": "viewer"}
    if place == "organization":
        path, values = page(kept.organization), {"name": "Acme", "allowed_domains": ""}
        moved["0__user"] = str(other.user_id)
    else:
        path, values = f"{USERS}{kept.user_id}/change/", {"email": kept.user.email, "is_active": "on"}
        moved["0__organization"] = other.organization_id
    assert browser.post(path, values | membership_fields(kept, **moved)).status_code == 302
    found = Membership.objects.get(pk=kept.pk)
    assert (found.user, found.organization, found.role) == (kept.user, kept.organization, "viewer")
    entry = AuditEntry.objects.get(action="member.role_changed")
    assert (entry.organization, entry.detail) == (kept.organization, {"before": "editor", "after": "viewer"})


def test_more_members_need_no_more_queries(browser: Client) -> None:
    organization = OrganizationFactory()
    counted = []
    for number in range(8):
        member(f"user{number}@example.com", organization=organization)
        with CaptureQueriesContext(connection) as captured:
            assert f"user{number}@example.com" in browser.get(page(organization)).content.decode()
        counted.append(len(captured))
    assert counted[-1] == counted[1]


def test_the_list_names_the_first_organizations_of_somebody_who_is_everywhere(browser: Client) -> None:
    ann = User.objects.create_user("ann@example.com", "x")
    for name in ("Delta", "Beta", "Alpha", "Gamma"):
        shown = browser.get(USERS).content.decode()
        assert "and others" not in shown
        Membership.objects.create(user=ann, organization=OrganizationFactory(name=name))
    assert "Alpha, Beta, Delta and others" in browser.get(USERS).content.decode()


def test_deleting_users_asks_as_often_for_many_organizations_as_for_two(browser: Client) -> None:
    ann = User.objects.create_user("ann@example.com", "x")
    counted = []
    for _ in range(4):
        Membership.objects.create(user=ann, organization=OrganizationFactory(), role="owner")
        with CaptureQueriesContext(connection) as captured:
            answer = browser.get(f"{USERS}{ann.pk}/delete/")
        counted.append(len(captured))
        for organization in ann.organizations.all():
            assert f"the last owner of {organization.name}" in answer.content.decode()
    assert counted[-1] == counted[1]


def test_more_users_than_an_action_does_at_once_are_refused(
    browser: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Their organizations would be locked, under SQLite the database, for the better part of a minute."""
    monkeypatch.setattr(admin_pages, "MAX_AT_ONCE", 2)
    people = [User.objects.create_user(f"ann{number}@example.com", "x") for number in range(3)]
    values = {
        "action": "delete_selected",
        "select_across": "1",
        "post": "yes",
        "_selected_action": people[0].pk,
    }
    answer = browser.post(f"{USERS}?q=ann", values, follow=True)
    assert "more than 2 rows" in answer.content.decode()
    assert User.objects.filter(email__startswith="ann").count() == 3


def test_saving_a_user_writes_only_what_was_changed(browser: Client) -> None:
    ann = User.objects.create_user("ann@example.com", "x")
    with CaptureQueriesContext(connection) as captured:
        values = {"email": "ann@example.com", "is_active": "on", "first_name": "Ann"}
        assert browser.post(f"{USERS}{ann.pk}/change/", values | membership_fields()).status_code == 302
    updates = [each["sql"] for each in captured if each["sql"].startswith('UPDATE "accounts_user" ')]
    assert len(updates) == 1
    assert '"first_name"' in updates[0]
    assert '"password"' not in updates[0]


def test_who_may_change_users_gives_nobody_powers(db: None) -> None:
    browser = support("view_user", "change_user")
    helper = User.objects.get()
    ann = User.objects.create_user("ann@example.com", "x")
    powers = {"is_active": "on", "is_staff": "on", "is_superuser": "on", "user_permissions": ["1"]}
    for person in (helper, ann):
        values = {"email": person.email, "first_name": "Changed"} | powers
        answer = browser.post(f"{USERS}{person.pk}/change/", values | membership_fields())
        assert answer.status_code == 302
        person.refresh_from_db()
        assert person.first_name == "Changed"
        assert (person.is_superuser, person.is_staff) == (False, person == helper)
    assert not ann.user_permissions.exists()
    assert helper.user_permissions.count() == 2


def test_who_may_change_groups_widens_none(db: None) -> None:
    browser = support("view_group", "add_group", "change_group", "delete_group")
    group = Group.objects.create(name="Support")
    User.objects.get().groups.add(group)
    path = f"/admin/auth/group/{group.pk}"
    wider = {"name": "Support", "permissions": [Permission.objects.get(codename="delete_user").pk]}
    assert browser.get(f"{path}/change/").status_code == 200
    for refused, values in (
        (f"{path}/change/", wider),
        ("/admin/auth/group/add/", wider | {"name": "Mine"}),
        (f"{path}/delete/", {"post": "yes"}),
    ):
        assert browser.post(refused, values).status_code == 403
    assert [(each.name, each.permissions.count()) for each in Group.objects.all()] == [("Support", 0)]


def test_who_may_change_users_does_not_take_over_the_accounts_of_the_admin(db: None) -> None:
    browser = support("view_user", "change_user", "delete_user")
    root = User.objects.create_superuser("root@example.com", "correct horse")
    path = f"{USERS}{root.pk}"
    assert browser.get(f"{path}/change/").status_code == 200
    assert browser.get(f"{path}/password/").status_code == 403
    passwords = {"password1": "fork-Tulip-9", "password2": "fork-Tulip-9", "usable_password": "true"}
    assert browser.post(f"{path}/password/", passwords).status_code == 403
    values = {"email": "mine@example.com", "is_active": "on"}
    assert browser.post(f"{path}/change/", values | membership_fields()).status_code == 403
    assert browser.post(f"{path}/delete/", {"post": "yes"}).status_code == 403
    chosen = {"action": "delete_selected", "post": "yes", "_selected_action": [root.pk]}
    assert browser.post(USERS, chosen).status_code == 403
    assert User.objects.filter(pk=root.pk, email="root@example.com").exists()


@pytest.mark.django_db
def test_an_owner_who_cannot_log_in_is_missed_by_nobody() -> None:
    """Nor does one count as the owner who stays; what has lost its last owner already keeps nobody."""
    owner = member("ada@acme.example", role="owner")
    away = member("away@acme.example", role="owner", organization=owner.organization)
    abandoned = member("gone@globex.example", role="owner")
    User.objects.filter(pk__in=[away.user_id, abandoned.user_id]).update(is_active=False)
    assert left_without_owner([owner.user_id]) == [owner.organization]
    assert left_without_owner([away.user_id, abandoned.user_id]) == []
