"""What the stories of the editor share: opening a template, its fields and its preview."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from io import BytesIO
from typing import Any

from django.core.files.storage import default_storage
from playwright.sync_api import Page, Route
from pypdf import PdfReader

from rendering.models import Document
from templates_app.models import Template
from tests.dashboard.browser import Visit
from tests.dashboard.world import World, make_world

EDIT = "{o}/templates/{template}/edit"


def make_drafting_world() -> World:
    """Create the cast with a draft: the gate in front of what is live has stories of its own."""
    world = make_world()
    Template.objects.filter(pk=world.ids["template"]).update(status=Template.Status.DRAFT)
    return world


def fresh(page: Page) -> None:
    """Wait until the preview shows what is there."""
    page.locator("#ed-state[data-state=fresh]").wait_for()


def opened(visit: Visit, world: World, role: str = "editor", **options: Any) -> Page:
    """Open the template in the editor as somebody."""
    page = visit(world, role, EDIT, **options)
    fresh(page)
    return page


def stored(world: World, **changes: Any) -> Template:
    """Return the world's template, with other content."""
    if changes:
        Template.objects.filter(pk=world.ids["template"]).update(**changes)
    return Template.objects.get(pk=world.ids["template"])


@contextmanager
def held(page: Page, path: str) -> Iterator[None]:
    """Keep the requests for a path waiting, so that what goes on meanwhile can be looked at."""
    waiting: list[Route] = []
    page.route(f"**/{path}", lambda route: waiting.append(route))
    yield
    for route in waiting:
        route.continue_()
    page.unroute(f"**/{path}")


def choose(page: Page, words: str) -> None:
    """Select the section that shows these words."""
    page.locator(".ed-section", has_text=words).first.click()


def add(page: Page, kind: str) -> None:
    """Add a section of a kind, by its label."""
    page.get_by_role("button", name="Add section").click()
    page.locator(".ed-kind").filter(has=page.get_by_text(kind, exact=True)).click()


def field(page: Page, path: str) -> Any:
    """Return the field of a place of the template."""
    return page.locator(f'[data-path="{path}"]')


def document_text(world: World, answer: Any) -> str:
    """Return the text of the document that an answer of the API tells of."""
    assert answer.status_code == 200, answer.content
    with default_storage.open(Document.objects.get(pk=answer.json()["documentId"]).file) as file:
        return "\n".join(page.extract_text() for page in PdfReader(BytesIO(file.read())).pages)
