"""Row and file of an asset come and go together."""

import re
from collections.abc import Iterator
from contextlib import contextmanager
from functools import partial
from io import BytesIO
from pathlib import Path

import pytest
from django.core.files.base import ContentFile
from django.core.files.storage import default_storage
from django.db import OperationalError, transaction
from PIL import Image

from accounts.caller import Caller
from accounts.models import AuditEntry, Organization
from accounts.services import create_organization
from assets.contents import Contents
from assets.fonts import MAX_FONT_BYTES
from assets.models import Asset
from assets.serializers import AssetSerializer
from assets.services import AssetGone, delete_asset, read_asset, rename_asset, upload_asset
from tests.failures import raiser
from tests.links import kept
from tests.parts.session import REAL

pytestmark = pytest.mark.django_db


def picture(form: str = "PNG", size: tuple[int, int] = (4, 3)) -> bytes:
    out = BytesIO()
    Image.new("RGB", size, "teal").save(out, form)
    return out.getvalue()


@pytest.fixture
def organization() -> Organization:
    return create_organization(name="Acme")[0]


@pytest.fixture
def other() -> Organization:
    return create_organization(name="Globex")[0]


def test_an_upload_is_stored_and_described(organization: Organization) -> None:
    content = picture()
    asset = upload_asset(organization=organization, name="logo.png", content=content, actor="system")
    asset.refresh_from_db()
    assert asset.id.startswith("ast_")
    assert asset.file == f"assets/{organization.id}/{asset.id}.png"
    assert kept(f"assets/{organization.id}") == [asset.file]
    assert (asset.name, asset.kind, asset.content_type) == ("logo.png", "image", "image/png")
    assert (asset.size_bytes, asset.width, asset.height) == (len(content), 4, 3)
    assert read_asset(organization=organization, asset_id=asset.id) == (content, asset)


def test_the_same_file_twice_is_two_assets(organization: Organization) -> None:
    for _ in range(2):
        upload_asset(organization=organization, name="logo.png", content=picture(), actor="system")
    assert len(kept(f"assets/{organization.id}")) == Asset.objects.count() == 2


def test_webp_is_kept_as_png(organization: Organization) -> None:
    asset = upload_asset(organization=organization, name="logo.webp", content=picture("WEBP"), actor="system")
    assert (asset.name, asset.filename, asset.content_type) == ("logo.webp", "logo.png", "image/png")
    found = read_asset(organization=organization, asset_id=asset.id)
    assert found is not None
    assert found[0].startswith(b"\x89PNG")
    assert asset.size_bytes == len(found[0])


FONT = (
    Path(__file__).parents[2] / "rendering" / "formats" / "pdf" / "fonts" / "SourceSans3-Regular.ttf"
).read_bytes()
SVG = b'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 40 20"><rect width="4" height="4"/></svg>'


def test_svg_is_kept_as_it_is(organization: Organization) -> None:
    asset = upload_asset(organization=organization, name="logo.svg", content=SVG, actor="system")
    assert (asset.kind, asset.content_type, asset.filename) == ("image", "image/svg+xml", "logo.svg")
    assert (asset.width, asset.height) == (40, 20)
    assert read_asset(organization=organization, asset_id=asset.id) == (SVG, asset)


def test_a_font_has_no_size(organization: Organization, settings) -> None:
    settings.MAX_ASSET_BYTES = 1024
    asset = upload_asset(organization=organization, name="House.TTF", content=FONT, actor="system")
    asset.refresh_from_db()
    assert (asset.kind, asset.content_type, asset.filename) == ("font", "font/ttf", "House.ttf")
    assert (asset.width, asset.height, asset.size_bytes) == (None, None, len(FONT))
    assert asset.file.endswith(f"{asset.id}.ttf")
    assert read_asset(organization=organization, asset_id=asset.id) == (FONT, asset)


def test_fonts_have_a_limit_and_rules(organization: Organization) -> None:
    with pytest.raises(ValueError, match="the font is too large: the limit is 20.0\xa0MB"):
        upload_asset(
            organization=organization, name="a.ttf", content=FONT + b"\0" * MAX_FONT_BYTES, actor="system"
        )
    with pytest.raises(ValueError, match="PostScript outlines"):
        upload_asset(organization=organization, name="a.otf", content=b"OTTO" + FONT[4:], actor="system")
    assert kept(f"assets/{organization.id}") == []


@pytest.mark.parametrize(
    ("name", "shown"),
    [
        ("../../etc/passwd", "passwd"),
        ("C:\\Users\\ann\\logo.png", "logo.png"),
        ("a\x00\r\nb.png", "ab.png"),
        ("x" * 999, "x" * 255),
        ("логотип.png", "логотип.png"),
    ],
)
def test_names_are_cleaned(name: str, shown: str, organization: Organization) -> None:
    assert upload_asset(organization=organization, name=name, content=picture(), actor="system").name == shown


def test_a_nameless_upload_is_called_by_its_id(organization: Organization) -> None:
    asset = upload_asset(organization=organization, name=" / ", content=picture(), actor="system")
    assert asset.name == asset.id


def test_a_refused_upload_leaves_nothing(organization: Organization, settings) -> None:
    settings.MAX_ASSET_BYTES = 1024
    with pytest.raises(ValueError, match=r"the limit is 1.0\xa0KB \(MAX_ASSET_BYTES\)"):
        upload_asset(
            organization=organization, name="a.png", content=picture() + b"\0" * 1024, actor="system"
        )
    with pytest.raises(ValueError, match="not a PNG, JPEG, WebP or SVG image"):
        upload_asset(organization=organization, name="a.png", content=b"MZ", actor="system")
    assert kept(f"assets/{organization.id}") == []
    assert not Asset.objects.exists()


def test_a_row_that_cannot_be_written_takes_its_file_along(
    organization: Organization, monkeypatch: pytest.MonkeyPatch
) -> None:
    def broken(self: Asset, **options: object) -> None:
        assert kept(f"assets/{organization.id}") == [self.file]
        raise RuntimeError("database gone")

    monkeypatch.setattr(Asset, "save", broken)
    with pytest.raises(RuntimeError, match="database gone"):
        upload_asset(organization=organization, name="a.png", content=picture(), actor="system")
    assert kept(f"assets/{organization.id}") == []


@pytest.mark.parametrize("is_away", [False, True])
def test_a_commit_whose_answer_is_lost_keeps_the_file(
    is_away: bool, organization: Organization, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The row may be there although writing it failed, and whether it is may be unknown for now."""
    with monkeypatch.context() as patch:
        atomic = transaction.atomic

        @contextmanager
        def unanswered() -> Iterator[None]:
            with atomic():
                yield
            if is_away:
                patch.setattr(Asset.objects, "filter", raiser(OperationalError("no connection")))
            raise OperationalError("server closed the connection unexpectedly")

        patch.setattr("assets.services.transaction.atomic", unanswered)
        with pytest.raises(OperationalError, match="unexpectedly"):
            upload_asset(organization=organization, name="a.png", content=picture(), actor="system")
    asset = Asset.objects.get()
    assert read_asset(organization=organization, asset_id=asset.id) is not None


def test_delete_removes_both(organization: Organization, django_capture_on_commit_callbacks) -> None:
    asset = upload_asset(organization=organization, name="a.png", content=picture(), actor="system")
    with django_capture_on_commit_callbacks(execute=True):
        delete_asset(asset=asset, actor="system")
        assert len(kept(f"assets/{organization.id}")) == 1
    assert kept(f"assets/{organization.id}") == []
    assert not Asset.objects.exists()


def test_what_was_deleted_meanwhile_is_neither_renamed_nor_deleted_again(organization: Organization) -> None:
    kept_one, gone, seen = (
        upload_asset(organization=organization, name=name, content=picture(), actor="system")
        for name in ("a", "b", "c")
    )
    stale = Asset.objects.get(pk=gone.pk)
    delete_asset(asset=gone, actor="system")
    for change in (
        partial(delete_asset, actor="system"),
        partial(rename_asset, name="d", actor="ada@acme.example"),
    ):
        with pytest.raises(AssetGone, match="“b” was deleted meanwhile"):
            change(asset=stale)
    rename_asset(asset=seen, name="d", actor="ada@acme.example")
    assert {(asset.pk, asset.name) for asset in Asset.objects.all()} == {(kept_one.pk, "a"), (seen.pk, "d")}
    assert AuditEntry.objects.get(action="asset.renamed").detail == {"before": "c", "after": "d"}


def test_another_organization_reads_nothing(organization: Organization, other: Organization) -> None:
    asset = upload_asset(organization=organization, name="a.png", content=picture(), actor="system")
    assert read_asset(organization=other, asset_id=asset.id) is None
    callers = [Caller(owner, False, None, "digest") for owner in (organization, other)]
    assert [Asset.objects.visible_to(caller).count() for caller in callers] == [1, 0]


@pytest.mark.parametrize("asset_id", ["", "ast_x", "a\x00b", "x" * 10_000, "\ud800", "../x"])
def test_ids_of_any_form_find_nothing(asset_id: str, organization: Organization) -> None:
    assert read_asset(organization=organization, asset_id=asset_id) is None


def test_a_lost_file_is_nothing(organization: Organization, caplog: pytest.LogCaptureFixture) -> None:
    asset = upload_asset(organization=organization, name="a.png", content=picture(), actor="system")
    default_storage.delete(asset.file)
    assert read_asset(organization=organization, asset_id=asset.id) is None
    assert asset.id in caplog.text


def test_what_the_api_shows(organization: Organization, rf) -> None:
    asset = upload_asset(organization=organization, name="my logo.png", content=picture(), actor="system")
    shown = AssetSerializer(asset, context={"request": rf.get("/v1/assets")}).data
    assert list(shown) == [
        "id", "name", "kind", "contentType", "sizeBytes", "width", "height", "url", "createdAt",
    ]  # fmt: skip
    assert shown["createdAt"].endswith("Z")
    assert REAL or shown["url"].startswith(f"http://testserver/files/{asset.file}?Expires=")
    assert re.search("[Rr]esponse-?[Cc]ontent-?[Tt]ype=image%2Fpng", shown["url"])


def test_contents_are_read_once_and_bounded() -> None:
    for name in ("one", "two", "three"):
        default_storage.save(f"contents/{name}", ContentFile(name[0].encode() * 40))
    contents = Contents(limit=100)
    assert contents.read("contents/one") == contents.read("contents/one") == b"o" * 40
    default_storage.delete("contents/one")
    assert contents.read("contents/one") == b"o" * 40
    assert contents.read("contents/two") + contents.read("contents/three") == b"t" * 80
    with pytest.raises(FileNotFoundError):
        contents.read("contents/one")
    default_storage.save("contents/large", ContentFile(bytes(60)))
    assert contents.read("contents/large") == bytes(60)
    assert contents.read("contents/two") == b"t" * 40
