"""`GET /v1/assets` and `GET /v1/assets/{id}`."""

from io import BytesIO
from pathlib import Path
from urllib.parse import quote

import pytest
from django.test import Client
from PIL import Image

from accounts.services import create_organization
from assets.services import upload_asset
from tests.links import follow
from tests.parts.session import REAL

pytestmark = pytest.mark.django_db


@pytest.fixture
def two():
    """Two organizations with their secret keys; the first has three assets."""
    out = BytesIO()
    Image.new("RGB", (4, 3)).save(out, "PNG")
    acme, acme_keys = create_organization(name="Acme")
    _, globex_keys = create_organization(name="Globex")
    assets = [
        upload_asset(organization=acme, name=f"logo-{index}.png", content=out.getvalue(), actor="system")
        for index in range(3)
    ]
    clients = [Client(headers={"x-api-key": keys.secret_key}) for keys in (acme_keys, globex_keys)]
    return assets, *clients


def test_list_and_get(two) -> None:
    assets, acme, globex = two
    listed = acme.get("/v1/assets")
    assert listed.status_code == 200
    assert sorted(entry["id"] for entry in listed.json()) == sorted(asset.id for asset in assets)
    one = acme.get(f"/v1/assets/{assets[0].id}")
    assert one.json()["name"] == "logo-0.png"
    assert globex.get("/v1/assets").json() == []
    assert globex.get(f"/v1/assets/{assets[0].id}").status_code == 404


def test_the_url_serves_the_content(two) -> None:
    assets, acme, _ = two
    url = acme.get(f"/v1/assets/{assets[0].id}").json()["url"]
    answer = follow(url)
    assert answer.status_code == 200
    assert answer.headers["Content-Type"] == "image/png"
    assert 'inline; filename="logo-0.png"' in answer.headers["Content-Disposition"]
    assert len(answer.content) == assets[0].size_bytes


def test_pages(two) -> None:
    _, acme, _ = two
    first = acme.get("/v1/assets?limit=2")
    assert len(first.json()) == 2
    address = first.headers["Link"].split(">")[0].removeprefix("<http://testserver")
    second = acme.get(address)
    assert len(second.json()) == 1
    assert "Link" not in second.headers
    assert not {entry["id"] for entry in first.json()} & {entry["id"] for entry in second.json()}
    assert acme.get("/v1/assets?limit=0").json()["message"].startswith("limit: ")


@pytest.mark.parametrize(
    "raw",
    [
        "x",
        "ast_unknown",
        "a\x00b",
        "x" * 10_000,
        "ä",
        "a b",
        "..",
        "%2e",
        "\n",
        "'; --",
        "{id}",
        "null",
        "-1",
    ],
)
def test_an_id_of_any_form_is_a_404(raw: str, two) -> None:
    _, acme, _ = two
    answer = acme.get(f"/v1/assets/{quote(raw)}")
    assert answer.status_code == 404
    assert answer.json()["message"] == "Asset not found"


def test_assets_are_read_only(two) -> None:
    assets, acme, _ = two
    for method in ("post", "put", "patch", "delete"):
        answer = getattr(acme, method)(f"/v1/assets/{assets[0].id}")
        assert answer.status_code == 405
        assert answer.json()["message"] == f'Method "{method.upper()}" not allowed.'


def test_the_list_costs_the_same_whatever_its_length(two, django_assert_max_num_queries) -> None:
    _, acme, _ = two
    with django_assert_max_num_queries(3):
        acme.get("/v1/assets")


def test_a_font_and_an_svg(two) -> None:
    assets, acme, _ = two
    organization = assets[0].organization
    fonts = Path(__file__).parents[2] / "rendering" / "formats" / "pdf" / "fonts"
    font = upload_asset(
        organization=organization,
        name="house.ttf",
        content=(fonts / "SourceSans3-Regular.ttf").read_bytes(),
        actor="system",
    )
    shown = acme.get(f"/v1/assets/{font.id}").json()
    assert {key: shown[key] for key in ("kind", "contentType", "width", "height")} == {
        "kind": "font", "contentType": "font/ttf", "width": None, "height": None,
    }  # fmt: skip
    drawing = upload_asset(
        organization=organization,
        name="logo.svg",
        content=b"<svg xmlns='http://www.w3.org/2000/svg'/>",
        actor="system",
    )
    shown = acme.get(f"/v1/assets/{drawing.id}").json()
    assert (shown["kind"], shown["contentType"], shown["width"]) == ("image", "image/svg+xml", 300)
    answer = follow(shown["url"])
    assert answer.headers["Content-Type"] == "image/svg+xml"
    if REAL:  # another origin than ours: a script in a drawing would find nothing there
        return
    assert "sandbox" in answer.headers["Content-Security-Policy"]
    assert answer.headers["X-Content-Type-Options"] == "nosniff"
