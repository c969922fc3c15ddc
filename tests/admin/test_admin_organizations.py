"""Organizations, their keys, and people."""

from __future__ import annotations

import re
from typing import Any

import pytest
from django.contrib.admin.models import LogEntry
from django.contrib.admin.utils import quote
from django.test import Client

from accounts.models import AuditEntry, Membership, Organization, User, UserSession
from tests.admin.conftest import text
from tests.conftest import ApiClient
from tests.factories import OrganizationFactory

LIST = "/admin/accounts/organization/"
KEY = re.compile(r"[ps][ks]_live_[A-Za-z0-9]{48}|ss_live_[A-Za-z0-9]{48}")


def page(organization: Organization, name: str = "change") -> str:
    return f"{LIST}{quote(organization.pk)}/{name}/"


def no_members() -> dict[str, str]:
    return {"memberships-TOTAL_FORMS": "0", "memberships-INITIAL_FORMS": "0"}


def create(browser: Client, **values: str) -> Any:
    return browser.post(f"{LIST}add/", {"name": "Initech", "allowed_domains": ""} | values)


def keys_on(answer: Any) -> dict[str, str]:
    return {key[:2]: key for key in KEY.findall(text(answer))}


def test_new_keys_are_shown_once_and_work(browser: Client) -> None:
    answer = create(browser, allowed_domains="App.Example.com\r\nbücher.example\r\n\r\napp.example.com")
    organization = Organization.objects.get()
    assert (organization.name, organization.allowed_domains) == (
        "Initech",
        ["app.example.com", "xn--bcher-kva.example"],
    )
    assert answer.status_code == 302
    assert answer["Location"] == page(organization, "new-keys")

    shown = browser.get(answer["Location"])
    keys = keys_on(shown)
    assert set(keys) == {"pk", "sk", "ss"}
    assert "no-store" in shown["Cache-Control"]
    assert ApiClient({"x-api-key": keys["sk"]}).get("/v1/orgs").status_code == 200
    assert organization.signing_secret == keys["ss"]

    again = browser.get(answer["Location"], follow=True)
    assert again.redirect_chain == [(page(organization), 302)]
    assert "New keys are shown once" in text(again)
    assert not keys_on(again)
    assert organization.masked_secret_key in text(again)


def test_new_keys_wait_encrypted_and_leave_no_trace(
    browser: Client, caplog: pytest.LogCaptureFixture
) -> None:
    answer = create(browser)
    waiting = str([session.get_decoded() for session in UserSession.objects.all()])
    assert "new_credentials" in waiting
    assert "_live_" not in waiting
    browser.get(answer["Location"])
    left = str([session.get_decoded() for session in UserSession.objects.all()])
    assert "new_credentials" not in left
    assert "_live_" not in caplog.text + str(list(LogEntry.objects.values()))


def test_new_keys_are_not_shown_after_ten_minutes(browser: Client, monkeypatch: pytest.MonkeyPatch) -> None:
    answer = create(browser)
    from accounts import one_time

    now = one_time.time.time()
    monkeypatch.setattr(one_time.time, "time", lambda: now + 601)
    assert browser.get(answer["Location"]).status_code == 302


def test_new_keys_are_not_given_to_another_session_or_by_other_methods(
    browser: Client, administrator: User
) -> None:
    answer = create(browser)
    other = Client()
    other.force_login(administrator)
    assert not keys_on(other.get(answer["Location"], follow=True))
    assert browser.post(answer["Location"]).status_code == 405
    assert browser.head(answer["Location"]).status_code == 405
    assert keys_on(browser.get(answer["Location"]))


@pytest.mark.parametrize(
    ("values", "field", "message"),
    [
        (
            {"allowed_domains": "ok.example\nhttps://example.com/path"},
            "allowed_domains",
            '"https://example.com/path" is not a domain',
        ),
        ({"allowed_domains": "*.example.com"}, "allowed_domains", '"*.example.com" is not a domain'),
        ({"name": ""}, "name", "This field is required"),
        ({"name": "a\x07b"}, "name", "must be printable"),
    ],
)
def test_a_wrong_field_is_named_and_nothing_is_created(
    browser: Client, values: dict[str, str], field: str, message: str
) -> None:
    answer = create(browser, **values)
    assert answer.status_code == 200
    assert message in " ".join(answer.context["adminform"].form.errors[field])
    assert not Organization.objects.exists()


def test_editing_changes_name_and_domains_and_keeps_the_keys(browser: Client) -> None:
    organization = OrganizationFactory()
    before = Organization.objects.values(*Organization.CREDENTIAL_FIELDS).get()
    answer = browser.post(
        page(organization), {"name": " New ", "allowed_domains": "A.example\n"} | no_members()
    )
    assert answer.status_code == 302
    organization.refresh_from_db()
    assert (organization.name, organization.allowed_domains) == ("New", ["a.example"])
    assert Organization.objects.values(*Organization.CREDENTIAL_FIELDS).get() == before


def test_rotation_asks_first_then_shows_the_new_keys_once(browser: Client) -> None:
    organization = OrganizationFactory()
    old = ApiClient({"x-api-key": organization.credentials.secret_key})
    question = browser.get(page(organization, "rotate-keys"))
    assert question.status_code == 200
    assert "stop working at once" in text(question)
    assert old.get("/v1/orgs").status_code == 200

    answer = browser.post(page(organization, "rotate-keys"))
    assert answer.status_code == 302
    keys = keys_on(browser.get(answer["Location"]))
    assert ApiClient({"x-api-key": keys["sk"]}).get("/v1/orgs").status_code == 200
    assert old.get("/v1/orgs").status_code == 401
    assert not keys_on(browser.get(answer["Location"], follow=True))
    assert LogEntry.objects.get().get_change_message() == "Rotated the keys."


def test_organizations_cannot_be_deleted(browser: Client) -> None:
    organization = OrganizationFactory()
    assert browser.post(page(organization, "delete"), {"post": "yes"}).status_code == 403
    assert Organization.objects.exists()


def test_viewers_of_organizations_cannot_rotate(db: None) -> None:
    from django.contrib.auth.models import Permission

    viewer = User.objects.create_user("viewer@example.com", "x", is_staff=True)
    viewer.user_permissions.add(Permission.objects.get(codename="view_organization"))
    browser = Client()
    browser.force_login(viewer)
    organization = OrganizationFactory()
    assert browser.get(page(organization)).status_code == 200
    assert browser.get(page(organization, "rotate-keys")).status_code == 403
    assert browser.post(page(organization, "rotate-keys")).status_code == 403


@pytest.mark.parametrize("may_view", [True, False])
def test_who_adds_an_organization_sees_its_keys(may_view: bool, db: None) -> None:
    from django.contrib.auth.models import Permission

    helper = User.objects.create_user("helper@example.com", "x", is_staff=True)
    powers = ["add_organization", "view_organization"][: 1 + may_view]
    helper.user_permissions.set(Permission.objects.filter(codename__in=powers))
    browser = Client()
    browser.force_login(helper)
    url = f"{LIST}add/"
    answer = browser.post(url, {"name": "Acme", "allowed_domains": ""}, follow=True)
    assert answer.status_code == (200 if may_view else 403)
    assert Organization.objects.exists() == may_view
    assert may_view == ("sk_live_" in answer.content.decode())


def test_members_are_added_in_the_organization(browser: Client) -> None:
    organization = OrganizationFactory()
    ann = User.objects.create_user("ann@example.com", "x")
    answer = browser.post(
        page(organization),
        {
            "name": organization.name,
            "allowed_domains": "",
            "memberships-TOTAL_FORMS": "1",
            "memberships-INITIAL_FORMS": "0",
            "memberships-0-user": str(ann.pk),
            "memberships-0-role": "owner",
        },
    )
    assert answer.status_code == 302
    assert list(Membership.objects.values_list("user", "organization", "role")) == [
        (ann.pk, organization.pk, "owner")
    ]


def test_a_user_is_added_with_a_password_and_logs_in_however_the_address_is_typed(browser: Client) -> None:
    values = {
        "email": "Ann@Example.com",
        "usable_password": "true",
        "password1": "fork-Tulip-9",
        "password2": "fork-Tulip-9",
    }
    answer = browser.post("/admin/accounts/user/add/", values)
    assert answer.status_code == 302, answer.context["adminform"].form.errors
    ann = User.objects.get(email="ann@example.com")
    User.objects.filter(pk=ann.pk).update(is_staff=True)
    visitor = Client()
    answer = visitor.post(
        "/admin/login/?next=/admin/", {"username": "ANN@example.com", "password": "fork-Tulip-9"}
    )
    assert (answer.status_code, answer["Location"]) == (302, "/admin/")


def test_a_user_address_is_edited_in_any_case_and_must_stay_unique(browser: Client) -> None:
    ann = User.objects.create_user("ann@example.com", "x")
    User.objects.create_user("ben@example.com", "x")
    values = {
        "email": "ANN.new@example.com",
        "is_active": "on",
        "date_joined_0": "2026-01-01",
        "date_joined_1": "10:00",
    }
    answer = browser.post(f"/admin/accounts/user/{ann.pk}/change/", values | no_members())
    assert answer.status_code == 302
    ann.refresh_from_db()
    assert ann.email == "ann.new@example.com"
    taken = browser.post(
        f"/admin/accounts/user/{ann.pk}/change/", values | {"email": "BEN@example.com"} | no_members()
    )
    assert "already exists" in str(taken.context["adminform"].form.errors)


def test_what_the_admin_changes_is_in_the_audit_log(browser: Client) -> None:
    create(browser)
    organization = Organization.objects.get()
    ann = User.objects.create_user("ann@example.com", "correct horse")
    form = {
        "name": "Initech",
        "allowed_domains": "a.example",
        "retention_days": "30",
        "memberships-TOTAL_FORMS": "1",
        "memberships-INITIAL_FORMS": "0",
        "memberships-0-organization": organization.pk,
        "memberships-0-user": str(ann.pk),
        "memberships-0-role": "owner",
    }
    assert browser.post(page(organization), form).status_code == 302
    browser.post(page(organization, "rotate-keys"))
    entries = AuditEntry.objects.filter(organization=organization).order_by("id")
    assert [entry.action for entry in entries] == [
        "organization.created",
        "domains.changed",
        "retention.changed",
        "member.added",
        "keys.rotated",
    ]
    assert {entry.actor for entry in entries} == {"root@example.com"}


def membership_fields(*memberships: Membership, **changes: str) -> dict[str, str]:
    """Return the fields of the memberships on the page of their organization or user."""
    fields = {"memberships-TOTAL_FORMS": str(len(memberships))}
    fields["memberships-INITIAL_FORMS"] = fields["memberships-TOTAL_FORMS"]
    for number, membership in enumerate(memberships):
        fields |= {
            f"memberships-{number}-id": str(membership.pk),
            f"memberships-{number}-user": str(membership.user_id),
            f"memberships-{number}-organization": membership.organization_id,
            f"memberships-{number}-role": membership.role,
        }
    return fields | {f"memberships-{name}".replace("__", "-"): value for name, value in changes.items()}


@pytest.fixture
def owned(db: None) -> tuple[Membership, Membership]:
    """An owner and an editor of Acme."""
    acme = OrganizationFactory(name="Acme")
    return tuple(
        Membership.objects.create(
            organization=acme, user=User.objects.create_user(f"{name}@example.com"), role=role
        )
        for name, role in (("olga", "owner"), ("edith", "editor"))
    )  # type: ignore[return-value]


LAST = "An organization needs at least one owner."


@pytest.mark.parametrize("change", [{"0__role": "viewer"}, {"0__DELETE": "on"}])
@pytest.mark.parametrize("place", ["organization", "user"])
def test_the_last_owner_stays(
    browser: Client, owned: tuple[Membership, Membership], place: str, change: dict[str, str]
) -> None:
    owner, editor = owned
    if place == "organization":
        path = page(owner.organization)
        values = {"name": "Acme", "allowed_domains": ""}
        fields = membership_fields(owner, editor, **change)
        others = {"1__role": "owner"}
        allowed = membership_fields(owner, editor, **change, **others)
    else:
        path = f"/admin/accounts/user/{owner.user_id}/change/"
        values = {"email": owner.user.email, "is_active": "on"}
        fields = allowed = membership_fields(owner, **change)
    answer = browser.post(path, values | fields)
    assert answer.status_code == 200
    assert LAST in text(answer)
    assert set(owner.organization.memberships.values_list("role", flat=True)) == {"owner", "editor"}
    if place == "user":
        Membership.objects.filter(pk=editor.pk).update(role="owner")
    assert browser.post(path, values | allowed).status_code == 302
    assert list(owner.organization.memberships.filter(role="owner")) == [editor]


def test_the_last_owner_is_neither_deactivated_nor_deleted(
    browser: Client, owned: tuple[Membership, Membership]
) -> None:
    owner, editor = owned
    path = f"/admin/accounts/user/{owner.user_id}"
    answer = browser.post(f"{path}/change/", {"email": owner.user.email} | membership_fields(owner))
    assert LAST in text(answer)
    assert "It is about: Acme." in text(answer)
    assert "the last owner of Acme" in text(browser.post(f"{path}/delete/", {"post": "yes"}))
    action = {"action": "delete_selected", "post": "yes", "_selected_action": [owner.user_id, editor.user_id]}
    assert "the last owner of Acme" in text(browser.post("/admin/accounts/user/", action))
    assert User.objects.filter(pk=owner.user_id, is_active=True).exists()
    # An owner who cannot log in does not count.
    User.objects.filter(pk=editor.user_id).update(is_active=False)
    Membership.objects.filter(pk=editor.pk).update(role="owner")
    assert "the last owner of Acme" in text(browser.post(f"{path}/delete/", {"post": "yes"}))
    User.objects.filter(pk=editor.user_id).update(is_active=True)
    assert browser.post(f"{path}/delete/", {"post": "yes"}).status_code == 302
    assert list(owner.organization.memberships.values_list("user_id", flat=True)) == [editor.user_id]


def test_an_organization_without_an_owner_can_be_edited(browser: Client) -> None:
    membership = Membership.objects.create(
        organization=OrganizationFactory(name="Acme"),
        user=User.objects.create_user("edith@example.com"),
        role="editor",
    )
    values = {"name": "Acme", "allowed_domains": ""}
    answer = browser.post(
        page(membership.organization), values | membership_fields(membership, **{"0__role": "viewer"})
    )
    assert answer.status_code == 302


@pytest.mark.parametrize("days", ["0", "36501"])
def test_a_retention_out_of_range_is_refused_at_its_field(browser: Client, days: str) -> None:
    organization = OrganizationFactory()
    values = {"name": organization.name, "allowed_domains": "", "retention_days": days}
    answer = browser.post(page(organization), values | no_members())
    assert answer.status_code == 200
    assert "Must be between 1 and 36500 days." in str(
        answer.context["adminform"].form.errors["retention_days"]
    )


def as_shown(browser: Client, organization: Organization) -> dict[str, str]:
    """Return what the page of an organization sends when nothing is changed."""
    form = browser.get(page(organization)).context["adminform"].form
    values = {name: str(form[name].value() or "") for name in form.fields}
    hidden = {form[name].html_initial_name: value for name, value in values.items()}
    for name in hidden:
        assert f'name="{name}"' in text(browser.get(page(organization)))
    return values | hidden | no_members()


def test_two_administrators_at_one_organization_undo_nothing_of_each_other(browser: Client) -> None:
    organization = OrganizationFactory(name="Acme", allowed_domains=["a.example", "b.example"])
    seen = as_shown(browser, organization)
    domains = {"allowed_domains": "a.example\r\nb.example\r\nnew.example"}
    assert browser.post(page(organization), seen | domains).status_code == 302
    assert browser.post(page(organization), seen | {"name": "Acme Ltd"}).status_code == 302
    organization.refresh_from_db()
    assert organization.name == "Acme Ltd"
    assert organization.allowed_domains == ["a.example", "b.example", "new.example"]
    actions = AuditEntry.objects.order_by("id").values_list("action", flat=True)
    assert list(actions) == ["organization.created", "domains.changed", "organization.renamed"]


def test_organizations_are_offered_in_order_to_memberships(browser: Client) -> None:
    for number in (3, 1, 2):
        OrganizationFactory(name=f"Org {number}")
    query = {"app_label": "accounts", "model_name": "membership", "field_name": "organization"}
    offered = browser.get("/admin/autocomplete/", query).json()["results"]
    assert [each["text"] for each in offered] == ["Org 1", "Org 2", "Org 3"]
