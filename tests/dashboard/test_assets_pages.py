"""Assets: uploading with and without scripts, refusals in words, where used, renaming, deleting."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile

import rendering
from accounts.models import AuditEntry
from assets.models import Asset
from assets.references import AssetInUse
from assets.services import delete_asset
from templates_app.models import Template, TemplateSample
from tests.dashboard.records import picture
from tests.dashboard.world import World, make_user, page
from tests.factories import TemplateFactory

FONT = (Path(rendering.__file__).parent / "formats/pdf/fonts/SourceSans3-Italic.ttf").read_bytes()
SVG = (
    b'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 4 4"><path style="fill:red" d="M0 0h4v4z"/></svg>'
)


def file(name: str, content: bytes) -> SimpleUploadedFile:
    return SimpleUploadedFile(name, content)


def upload(world: World, *files: SimpleUploadedFile, role: str = "editor", **headers):
    path = world.path("{o}/assets/upload")
    return world.client(role).post(path, {"files": list(files)}, headers=headers, follow=True)


def test_upload_several_at_once(world: World) -> None:
    answer = upload(world, file("sign.png", picture()), file("mark.svg", SVG))
    assert "Uploaded sign.png, mark.svg" in page(answer)
    assert AuditEntry.objects.filter(action="asset.uploaded", actor="ed@acme.example").count() == 2


def test_one_that_is_refused_does_not_keep_the_others_out(world: World) -> None:
    answer = upload(world, file("a.png", picture()), file("b.exe", b"MZ"), file("c.otf", b"OTTO" + FONT[4:]))
    assert answer.status_code == 422
    shown = page(answer)
    assert "<strong>b.exe</strong>: " in shown
    assert "<strong>c.otf</strong>: The font has PostScript outlines" in shown
    assert Asset.objects.filter(name="a.png").exists()
    assert "Choose at least one file" in page(upload(world))


def test_files_behind_those_that_took_too_long_are_refused_unseen(world: World, settings: Any) -> None:
    settings.RENDER_TIMEOUT = -1
    answer = upload(world, file("a.png", picture()))
    assert answer.status_code == 422
    assert "<strong>a.png</strong>: The files before it took too long" in page(answer)


def test_a_script_gets_json(world: World) -> None:
    answer = upload(world, file("a.png", picture()), accept="application/json")
    assert answer.json()["name"] == "a.png"
    assert world.client("viewer").get(answer.json()["url"]).status_code == 200
    refused = upload(world, file("a.png", b"nonsense"), accept="application/json")
    assert refused.status_code == 422
    assert refused.json()["message"].endswith(".")


def test_the_file_is_served_from_here_and_cannot_run_anything(world: World) -> None:
    upload(world, file("mark.svg", SVG))
    drawing = Asset.objects.get(name="mark.svg")
    answer = world.client("viewer").get(world.path("{o}/assets/") + f"{drawing.pk}/content")
    assert answer["Content-Type"] == "image/svg+xml"
    assert "sandbox" in answer["Content-Security-Policy"]
    assert "script" not in answer["Content-Security-Policy"]
    assert "immutable" in answer["Cache-Control"]
    assert "private" in answer["Cache-Control"]


def test_a_font_shows_itself(world: World) -> None:
    upload(world, file("Own.ttf", FONT))
    font = Asset.objects.get(kind="font")
    client, base = world.client("viewer"), world.path("{o}/assets")
    sheet = f"{base}/fonts.css?id={font.pk}"
    assert sheet in page(client.get(base))
    assert sheet in page(client.get(f"{base}/{font.pk}"))
    rules = page(client.get(sheet))
    assert f".font-{font.pk} " in rules
    assert f"{base}/{font.pk}/content" in rules
    assert font.pk not in page(client.get(f"{base}?kind=image"))


@pytest.mark.parametrize("place", ["sections", "page", "variables", "sample_data", "sample"])
def test_what_a_template_needs_cannot_be_deleted(place: str, world: World) -> None:
    asset = Asset.objects.get(pk=world.ids["asset"])
    template = TemplateFactory(organization=world.organization, name="Letterhead")
    if place == "sample":
        TemplateSample.objects.create(template=template, name="Long", data={"logo": asset.pk})
    else:
        value = {"source": asset.pk} if place in {"page", "sample_data"} else [{"source": asset.pk}]
        Template.objects.filter(pk=template.pk).update(**{place: value})
    TemplateFactory(name="Of somebody else", sample_data={"logo": asset.pk})
    path = world.path("{o}/assets/{asset}")
    shown = page(world.client("editor").get(path))
    assert "Letterhead" in shown
    assert "Of somebody else" not in shown
    assert f"{path}/delete" not in shown
    answer = world.client("editor").post(f"{path}/delete", follow=True)
    assert "is used in “Letterhead”" in page(answer)
    with pytest.raises(AssetInUse):
        delete_asset(asset=asset, actor="system")
    Template.objects.filter(pk=template.pk).update(status="archived")
    assert "is deleted" in page(world.client("editor").post(f"{path}/delete", follow=True))
    assert not Asset.objects.filter(pk=asset.pk).exists()


def test_the_admin_keeps_the_same_rule(world: World) -> None:
    TemplateFactory(organization=world.organization, sample_data={"logo": world.ids["asset"]}, name="Letter")
    world.people["staff"] = make_user("root@example.com", is_staff=True, is_superuser=True)
    path = f"/admin/assets/asset/{world.ids['asset']}/delete/"
    answer = world.client("staff").post(path, {"post": "yes"}, follow=True)
    assert "used in the template Letter" in page(answer)
    assert Asset.objects.filter(pk=world.ids["asset"]).exists()
    Template.objects.filter(name="Letter").delete()
    world.client("staff").post(path, {"post": "yes"})
    assert not Asset.objects.filter(pk=world.ids["asset"]).exists()


def test_rename(world: World) -> None:
    path = world.path("{o}/assets/{asset}")
    answer = world.client("editor").post(f"{path}/rename", {"name": " New mark.png "}, follow=True)
    assert "The name is saved" in page(answer)
    assert Asset.objects.get(pk=world.ids["asset"]).name == "New mark.png"
    refused = world.client("editor").post(f"{path}/rename", {"name": "///"})
    assert refused.status_code == 422
    assert "Give it a name." in page(refused)
    entry = AuditEntry.objects.get(action="asset.renamed")
    assert entry.detail == {"before": "Acme logo.png", "after": "New mark.png"}


def test_what_somebody_else_has_deleted_is_gone(world: World, monkeypatch: pytest.MonkeyPatch) -> None:
    path = world.path("{o}/assets/{asset}")
    seen = Asset.objects.get(pk=world.ids["asset"])
    seen.delete()
    monkeypatch.setattr("dashboard.views.assets._find", lambda *_: seen)
    editor = world.client("editor")
    assert editor.post(f"{path}/rename", {"name": "Late.png"}).status_code == 404
    assert editor.post(f"{path}/delete").status_code == 404
    assert not AuditEntry.objects.filter(action__in=["asset.renamed", "asset.deleted"]).exists()


def test_assets_of_others_do_not_exist(world: World) -> None:
    other = world.people["stranger"].memberships.get().organization_id
    base = f"/o/{other}/assets/{world.ids['asset']}"
    client = world.client("stranger")
    for path in ("", "/content", "/delete"):
        assert client.get(base + path).status_code == 404, path
    assert client.post(f"{base}/delete").status_code == 404
    assert page(client.get(f"/o/{other}/assets/fonts.css?id={world.ids['asset']}")) == ""
