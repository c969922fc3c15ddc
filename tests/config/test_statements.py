"""Statements that are composed once: they find and write what the ORM does, for every kind of caller."""

from __future__ import annotations

import hmac
from hashlib import sha256

import pytest
from django.db import IntegrityError, connection, transaction
from django.test.utils import CaptureQueriesContext

from accounts.caller import Caller
from accounts.models import Membership, Organization, User
from accounts.scoping import VisibleLookup
from config.statements import Insert, Lookup
from rendering.models import Document
from templates_app.models import Template
from tests.factories import DocumentFactory, OrganizationFactory, TemplateFactory

pytestmark = pytest.mark.django_db

visible = VisibleLookup(Template.objects.all)


def test_a_lookup_returns_what_the_query_would() -> None:
    mine, theirs = TemplateFactory(external_user_id="u' OR 1=1 --"), TemplateFactory()
    organization = mine.organization
    digest = hmac.new(b"key", b"", sha256).hexdigest()
    callers = [
        Caller(organization, False, None, digest),
        Caller(organization, True, mine.external_user_id, digest),
        Caller(organization, True, "another", digest),
        Caller(theirs.organization, False, None, digest),
    ]
    for caller in callers:
        for pk in (mine.pk, theirs.pk, "tpl_unknown", "", "nul\x00", "x" * 5000):
            found = visible.by_id(caller, pk)
            expected = Template.objects.visible_to(caller).by_id(pk)
            assert found == expected
            if found is not None and expected is not None:
                found_values, expected_values = vars(found).copy(), vars(expected).copy()
                for values in (found_values, expected_values):
                    values.pop("_state")
                assert found_values == expected_values
                assert not found._state.adding


def test_constants_of_a_query_stay_and_values_change() -> None:
    first, second = OrganizationFactory(), OrganizationFactory()
    published = Lookup(lambda pk: Template.objects.filter(status="published", organization_id=pk))
    TemplateFactory(organization=first, status="draft")
    template = TemplateFactory(organization=second, status="published")
    assert published.first(first.pk) is None
    with CaptureQueriesContext(
        connection,
    ) as queries:
        assert published.first(second.pk) == template
    assert len(queries) == 1


def test_the_number_of_values_may_differ() -> None:
    organizations = [OrganizationFactory() for _ in range(3)]
    named = Lookup(lambda *ids: Organization.objects.filter(pk__in=ids))
    assert named.first(organizations[0].pk) == organizations[0]
    assert named.first("org_none", organizations[1].pk) == organizations[1]
    assert named.first("org_none", "org_other", organizations[2].pk) == organizations[2]


def test_an_insert_writes_what_save_would() -> None:
    saved = DocumentFactory()
    saved.refresh_from_db()
    copy = Document.objects.get(pk=saved.pk)
    copy.pk, copy.filename = "doc_copy", "Überweisung „50 %“.pdf"
    Insert(Document)(copy)
    assert not copy._state.adding
    found = Document.objects.get(pk="doc_copy")
    names = [field.attname for field in Document._meta.concrete_fields]
    differing = {name for name in names if getattr(found, name) != getattr(saved, name)}
    assert differing == {"id", "filename"}
    with pytest.raises(IntegrityError), transaction.atomic():
        Insert(Document)(copy)


def test_all_rows_come_in_order_with_what_belongs_to_them() -> None:
    people = [User.objects.create_user(f"{name}@acme.example") for name in ("ada", "bob")]
    for name, person in [("Zeta", 0), ("Alpha", 0), ("Mid", 1), ("Beta", 0)]:
        Membership.objects.create(
            user=people[person], organization=OrganizationFactory(name=name), role="owner"
        )
    of_user = Lookup(
        lambda user_id: (
            Membership.objects.filter(user_id=user_id)
            .select_related("organization")
            .order_by("organization__name")
        ),
        of=int,
    )
    for person in people:
        expected = Membership.objects.filter(user=person).order_by("organization__name")
        with CaptureQueriesContext(connection) as queries:
            found = of_user.all(person.pk)
            names = [each.organization.name for each in found]
        assert len(queries) == 1
        assert found == list(expected)
        assert names == [each.organization.name for each in expected]
        assert vars(found[0].organization).keys() == vars(expected[0].organization).keys()
    assert of_user.all(0) == []
