"""Images: uploaded with a look at the content, deleted with their file."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest
from django.contrib.admin.utils import quote
from django.core.files.storage import default_storage
from django.core.files.uploadedfile import SimpleUploadedFile
from django.db import connection
from django.test import Client

from accounts.models import AuditEntry, Organization, User
from assets import admin as assets_admin
from assets.models import Asset
from assets.services import examine
from tests.admin.conftest import text
from tests.conftest import ApiClient
from tests.parts.session import REAL
from tests.png import plain_png

LIST = "/admin/assets/asset/"
SVG = b'<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>'


def png(size: tuple[int, int] = (30, 20)) -> bytes:
    return plain_png(size)


def upload(browser: Client, acme: Organization, content: bytes, **values: str) -> Any:
    file = SimpleUploadedFile("logo.png", content, content_type="image/png")
    return browser.post(f"{LIST}add/", {"organization": acme.pk, "name": "", "upload": file} | values)


def test_an_uploaded_image_is_listed_with_a_thumbnail_and_known_to_the_api(
    browser: Client, acme: Organization, secret: ApiClient
) -> None:
    assert upload(browser, acme, png()).status_code == 302
    asset = Asset.objects.get()
    assert (asset.name, asset.organization, asset.width, asset.height) == ("logo.png", acme, 30, 20)
    assert [each["id"] for each in secret.get("/v1/assets").json()] == [asset.pk]
    for shown in (browser.get(LIST), browser.get(f"{LIST}{quote(asset.pk)}/change/")):
        source = re.search(rf'src="([^"]*/{asset.file}\?[^"]*)"', text(shown))
        assert source
        assert REAL or source[1].startswith(f"/files/{asset.file}?Expires=")


def test_the_audit_log_names_who_uploaded_and_deleted(browser: Client, acme: Organization) -> None:
    upload(browser, acme, png())
    browser.post(f"{LIST}{quote(Asset.objects.get().pk)}/delete/", {"post": "yes"})
    signed = AuditEntry.objects.filter(object_type="asset").order_by("id").values_list("action", "actor")
    person = User.objects.get(is_superuser=True).email
    assert list(signed) == [("asset.uploaded", person), ("asset.deleted", person)]


def test_an_upload_is_looked_at_before_the_transaction_that_stores_it(
    browser: Client, acme: Organization, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A large image takes many seconds, in which nobody else could write to an SQLite database."""
    depths: list[int] = []

    def examined(content: bytes) -> Any:
        depths.append(len(connection.savepoint_ids))
        return examine(content)

    monkeypatch.setattr(assets_admin, "examine", examined)
    assert upload(browser, acme, png()).status_code == 302
    assert depths == [len(connection.savepoint_ids)]


def test_a_name_may_be_given(browser: Client, acme: Organization) -> None:
    upload(browser, acme, png(), name="Letterhead")
    assert Asset.objects.get().name == "Letterhead"


def test_a_font_is_listed_without_a_picture(browser: Client, acme: Organization) -> None:
    font = Path(__file__).parents[2] / "rendering" / "formats" / "pdf" / "fonts" / "SourceSans3-Regular.ttf"
    assert upload(browser, acme, font.read_bytes(), name="House").status_code == 302
    asset = Asset.objects.get()
    assert (asset.kind, asset.width) == ("font", None)
    for shown in (browser.get(LIST), browser.get(f"{LIST}{quote(asset.pk)}/change/")):
        assert shown.status_code == 200
        assert "House" in text(shown)


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (SVG, "The SVG contains <script>."),
        (b"\x89PNG\r\n\x1a\nnothing else", "Not a PNG, JPEG, WebP or SVG image."),
        (png()[:-30], "The image is damaged or incomplete."),
        (b"", "The submitted file is empty."),
    ],
)
def test_what_is_no_image_is_refused_at_the_field(
    browser: Client, acme: Organization, content: bytes, message: str
) -> None:
    answer = upload(browser, acme, content)
    assert answer.status_code == 200
    assert answer.context["adminform"].form.errors == {"upload": [message]}
    assert not Asset.objects.exists()


def test_a_large_file_is_refused(browser: Client, acme: Organization, settings: Any) -> None:
    settings.MAX_ASSET_BYTES = 100
    answer = upload(browser, acme, png((300, 300)))
    assert "MAX_ASSET_BYTES" in str(answer.context["adminform"].form.errors["upload"])


def test_without_organization_nothing_is_stored(browser: Client, acme: Organization) -> None:
    answer = upload(browser, acme, png(), organization="")
    assert set(answer.context["adminform"].form.errors) == {"organization"}
    assert not Asset.objects.exists()


@pytest.mark.django_db(transaction=True)
def test_deleting_takes_the_file_too(browser: Client, acme: Organization) -> None:
    for _ in range(3):
        upload(browser, acme, png())
    one, *others = Asset.objects.all()
    assert browser.post(f"{LIST}{quote(one.pk)}/delete/", {"post": "yes"}).status_code == 302
    assert not default_storage.exists(one.file)
    chosen = [asset.pk for asset in others]
    browser.post(LIST, {"action": "delete_selected", "_selected_action": chosen, "post": "yes"})
    assert not Asset.objects.exists()
    assert not any(default_storage.exists(asset.file) for asset in others)


def test_an_image_is_not_edited(browser: Client, acme: Organization) -> None:
    upload(browser, acme, png())
    address = f"{LIST}{quote(Asset.objects.get().pk)}/change/"
    assert browser.post(address, {"name": "other"}).status_code == 403
