"""Making organizations and users: the service, the command, the manager."""

from __future__ import annotations

import json
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from io import StringIO
from typing import Any

import pytest
from django.core.management import CommandError, call_command
from django.db import OperationalError, connection, transaction

from accounts.models import Membership, Organization, User
from accounts.services import add_domain, create_organization, rename_organization, rotate_credentials
from tests.factories import TemplateFactory

pytestmark = pytest.mark.django_db


def run(*arguments: str) -> str:
    out = StringIO()
    call_command("create_organization", *arguments, stdout=out)
    return out.getvalue()


def test_the_command_prints_the_credentials_once() -> None:
    text = run("Acme Ltd", "--allowed-domain", "Example.com", "--allowed-domain", "localhost")
    organization = Organization.objects.get()
    assert (organization.name, organization.allowed_domains) == ("Acme Ltd", ["example.com", "localhost"])
    for expected in (organization.pk, "pk_live_", "sk_live_", "ss_live_"):
        assert expected in text


def test_the_command_as_json() -> None:
    body = json.loads(run("Acme", "--json"))
    assert body.keys() >= {"id", "publicKey", "secretKey", "signingSecret"}
    assert Organization.objects.for_api_key(body["secretKey"].encode()) == Organization.objects.get()
    assert Organization.objects.get().signing_secret == body["signingSecret"]


@pytest.mark.parametrize(
    "arguments", [[" "], ["x" * 256], ["Acme", "--allowed-domain", "https://example.com"]]
)
def test_the_command_refuses_what_is_none(arguments: list[str]) -> None:
    with pytest.raises(CommandError):
        run(*arguments)
    assert not Organization.objects.exists()


@pytest.mark.parametrize("format", ["", "--json"])
def test_the_command_makes_nothing_whose_credentials_nobody_reads(format: str) -> None:
    full = open("/dev/full", "w")  # noqa: SIM115 (closing it fails as well)
    with pytest.raises(CommandError, match="Nothing is created: its credentials cannot be printed"):
        call_command("create_organization", "Acme", *filter(None, [format]), stdout=full)
    assert not Organization.objects.exists()
    with suppress(OSError):
        full.close()


@pytest.mark.parametrize("name", ["", "  ", "a\nb", "x" * 256])
def test_names_that_are_none(name: str) -> None:
    with pytest.raises(ValueError, match="name"):
        create_organization(name=name)


def test_users_are_named_by_their_address() -> None:
    user = User.objects.create_user(" Ada@Example.COM ", "secret")
    assert (user.email, str(user), user.check_password("secret")) == (
        "ada@example.com",
        "ada@example.com",
        True,
    )
    assert User.objects.get_by_natural_key("ADA@example.com") == user
    assert not User.objects.create_user("ben@example.com").has_usable_password()
    root = User.objects.create_superuser("root@example.com", "secret")
    assert (root.is_staff, root.is_superuser) == (True, True)
    with pytest.raises(ValueError, match="address"):
        User.objects.create_user(" ")


def test_a_member_of_an_organization() -> None:
    organization, _ = create_organization(name="Acme")
    user: Any = User.objects.create_user("ada@example.com")
    member = Membership.objects.create(user=user, organization=organization, role=Membership.Role.OWNER)
    assert str(member) == "ada@example.com in Acme (owner)"
    assert str(organization) == "Acme"


def store_a_template(organization: Organization) -> bool:
    """Store a row that refers to the organization; False when its lock is in the way."""
    try:
        with connection.cursor() as cursor:
            cursor.execute("SET lock_timeout = '500ms'")
        TemplateFactory(organization=organization)
    except OperationalError:
        return False
    finally:
        connection.close()
    return True


@pytest.mark.real
@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize(
    ("change", "passes"),
    [
        (lambda one: rename_organization(organization=one, name="Acme", actor="api"), True),
        (lambda one: add_domain(organization=one, domain="acme.example", actor="api"), True),
        (lambda one: rotate_credentials(organization=one, actor="system"), False),
    ],
    ids=["rename", "domain", "rotation"],
)
def test_who_changes_an_organization_lets_rows_be_stored(
    change: Callable[[Organization], object], passes: bool
) -> None:
    organization, _ = create_organization(name="Before")
    with ThreadPoolExecutor(1) as other, transaction.atomic():
        change(organization)
        assert other.submit(store_a_template, organization).result() is passes
