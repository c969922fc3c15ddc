"""The admin in a real browser: what its own styles add must hold on a phone."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest

from accounts.models import User
from accounts.webhooks.models import WebhookAttempt
from templates_app.models import Template
from tests.dashboard import browser
from tests.dashboard.browser import PHONE, Visit, world  # noqa: F401
from tests.dashboard.world import World
from tests.factories import WebhookDeliveryFactory

pytestmark = browser.marks
TOO_WIDE = "document.documentElement.scrollWidth - window.innerWidth"


@pytest.fixture
def operator(world: World) -> World:  # noqa: F811
    """The world, of which the owner is the operator as well."""
    User.objects.filter(email="ada@acme.example").update(is_staff=True, is_superuser=True)
    return world


def test_long_lines_of_a_template_scroll_in_their_own_box(operator: World, visit: Visit) -> None:
    sections = [{"type": "text", "content": "A line that no phone is wide enough for. " * 10}]
    Template.objects.update(sections=sections)
    page = visit(operator, "owner", "/admin/templates_app/template/", viewport=PHONE)
    page.locator("#result_list a[href*='/change/']").first.click()
    page.locator("pre.admin-json").first.wait_for()
    assert page.evaluate(TOO_WIDE) == 0
    assert page.evaluate("(box => box.scrollWidth > box.clientWidth)(document.querySelector('.admin-json'))")


def test_times_are_written_alike_everywhere(operator: World, visit: Visit) -> None:
    delivery = WebhookDeliveryFactory(webhook__organization=operator.organization)
    moment = datetime(2026, 3, 4, 15, 6, tzinfo=UTC)
    WebhookAttempt.objects.create(delivery=delivery, number=1, started_at=moment, duration_ms=1)
    page = visit(
        operator, "owner", f"/admin/webhooks/webhookdelivery/{delivery.pk.replace('_', '_5F')}/change/"
    )
    assert page.locator("[title='2026-03-04 15:06:00 UTC']").inner_text() == "4 Mar 2026, 15:06"
