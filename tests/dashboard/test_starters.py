"""The gallery of new templates: every starter is a sound template with a picture."""

from __future__ import annotations

from pathlib import Path

import pytest

import dashboard
from accounts.models import Organization
from dashboard.publishing import judge
from dashboard.starters import STARTERS, Starter
from templates_app.models import Template
from tests.dashboard.world import World

PICTURES = Path(dashboard.__file__).parent / "static" / "dashboard" / "starters"


def test_every_starter_has_a_picture() -> None:
    assert {path.stem for path in PICTURES.glob("*.webp")} == {starter.slug for starter in STARTERS}


@pytest.mark.parametrize("starter", STARTERS, ids=lambda starter: starter.slug)
def test_a_starter_is_made_and_can_be_published(starter: Starter, world: World) -> None:
    answer = world.client("editor").post(
        world.path("{o}/templates/new"), {"starter": starter.slug, "name": ""}
    )
    template = Template.objects.order_by("id").last()
    assert template is not None
    assert template.name == starter.name
    assert answer["Location"].endswith(f"{template.pk}/edit")
    assert template.status == "draft"
    assert [finding.text for finding in judge(template).errors] == []


def test_a_starter_under_another_name(world: World) -> None:
    form = {"starter": "invoice", "name": "Spring", "formats": "xlsx"}
    world.client("editor").post(world.path("{o}/templates/new"), form)
    template = Template.objects.get(name="Spring")
    assert template.formats == list(next(s for s in STARTERS if s.slug == "invoice").body["formats"])


def test_what_is_to_be_corrected_is_said_at_its_field_in_words(world: World) -> None:
    editor, address = world.client("editor"), world.path("{o}/templates/new")

    nothing = editor.post(address, {"name": " "})
    assert nothing.status_code == 422
    page = nothing.content.decode()
    assert 'id="name_error"><p>Give the template a name.</p>' in page
    assert 'id="formats_error"><p>Choose at least one format.</p>' in page
    assert page.count(" autofocus") == 1

    named = editor.post(address, {"name": "Slip"})
    assert named.status_code == 422
    page = named.content.decode()
    assert 'value="Slip"' in page
    assert "name_error" not in page
    assert 'id="formats_error"><p>Choose at least one format.</p>' in page
    assert page.count(" autofocus") == 1


def test_the_gallery(world: World) -> None:
    answer = world.client("editor").get(world.path("{o}/templates/new?starter=invoice")).content.decode()
    assert 'value="invoice" class="hidden-text" checked' in answer
    assert Organization.objects.count() == 2
    for starter in STARTERS:
        assert f"dashboard/starters/{starter.slug}" in answer
