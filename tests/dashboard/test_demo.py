"""The demo: templates and data fit each other, and seeding is harmless however often it runs."""

from __future__ import annotations

import json
import stat
from decimal import Decimal
from importlib import reload
from io import StringIO
from pathlib import Path

import pytest
from django.core.management import call_command

from accounts.models import Organization, User
from accounts.services import rotate_credentials
from assets.models import Asset
from dashboard.banner import banner, base_url
from dashboard.demo import (
    TEMPLATES,
    DemoTemplate,
    base,
    data_with_logo,
    invoice,
    logo_bytes,
    price_list,
    report,
    statement,
)
from dashboard.demo.base import LOGO_PLACEHOLDER
from dashboard.seeding import EMAIL, ORGANIZATION, seed_demo
from templates_app.checks import check_data
from templates_app.models import Template
from templates_app.services import archive_template
from templates_app.variables import Variable
from tests.dashboard.documents import content_of, values_of
from tests.gallery.base import LOGO

EACH = pytest.mark.parametrize("demo", TEMPLATES, ids=lambda demo: demo.slug)


def inferred(variables: list[Variable]) -> list[str]:
    names = [variable.name for variable in variables if variable.inferred]
    return names + [name for variable in variables for name in inferred(variable.fields or [])]


class TestTemplates:
    @EACH
    def test_is_a_valid_body(self, demo: DemoTemplate) -> None:
        content_of(demo).check()

    @EACH
    def test_declares_every_variable_with_a_label(self, demo: DemoTemplate) -> None:
        variables = content_of(demo).typed_variables
        assert inferred(variables) == []
        assert [variable.name for variable in variables if not variable.label] == []
        assert any(variable.required for variable in variables)

    @EACH
    def test_data_and_sample_data_fit(self, demo: DemoTemplate) -> None:
        variables = content_of(demo).typed_variables
        assert check_data(variables, data_with_logo(demo.data, LOGO)) == {}
        assert check_data(variables, data_with_logo(demo.body["sampleData"], LOGO)) == {}

    @EACH
    def test_every_declared_variable_has_data_or_is_values_of(self, demo: DemoTemplate) -> None:
        declared = content_of(demo).typed_variables
        assert {variable.name for variable in declared if variable.value is None} == set(demo.data)

    @EACH
    def test_is_json(self, demo: DemoTemplate) -> None:
        assert json.loads(json.dumps(demo.body)) == demo.body
        assert json.loads(json.dumps(demo.data)) == demo.data

    def test_are_six_of_several_countries_and_both_formats(self) -> None:
        assert len({demo.slug for demo in TEMPLATES}) == 6
        assert {demo.body["page"]["locale"] for demo in TEMPLATES} == {"en-US", "en-GB", "de-AT", "de-DE"}
        assert {demo.format for demo in TEMPLATES} == {"pdf", "xlsx"}

    def test_are_the_same_each_time(self) -> None:
        for module in (statement, price_list):
            before = module.TEMPLATE.data
            assert reload(module).TEMPLATE.data == before


class TestFigures:
    def test_statement_runs_from_balance_to_balance(self) -> None:
        data = statement.TEMPLATE.data
        balance = Decimal(str(data["opening_balance"]))
        assert len(data["transactions"]) == 400
        for row in data["transactions"]:
            balance += Decimal(str(row.get("paid_in", 0))) - Decimal(str(row.get("paid_out", 0)))
            assert balance == Decimal(str(row["balance"]))
        figures = values_of(statement.TEMPLATE)
        assert figures["closing_balance"] == balance == Decimal(str(data["months"][-1]["closing"]))
        assert figures["transaction_count"] == 400
        for name in ("paid_in", "paid_out"):
            by_month = sum(Decimal(str(month[name])) for month in data["months"])
            assert by_month == figures[f"total_{name[5:]}"]

    def test_invoice_adds_up(self) -> None:
        figures = values_of(invoice.TEMPLATE)
        assert figures["goods"] == sum(row["amount"] for row in figures["items"]) == Decimal("17122")
        assert figures["net"] == Decimal("16265.90")
        assert figures["total"] == figures["net"] * Decimal("1.2")
        assert figures["balance"] == figures["total"] - 4000
        assert figures["transfer_amount"] == "EUR15519.08"

    def test_report_adds_up(self) -> None:
        figures = values_of(report.TEMPLATE)
        revenue = sum(row["current"] for row in figures["regions"])
        assert revenue == sum(row["current"] for row in figures["products"])
        assert figures["revenue"] == Decimal(revenue) / 1000

    def test_price_list_has_120_articles_with_numbers_of_their_own(self) -> None:
        products = price_list.TEMPLATE.data["products"]
        assert len({product["article"] for product in products}) == len(products) == 120
        assert all((product["stock"] == 0) == ("restock" in product) for product in products)


class TestLogo:
    def test_is_a_small_png(self) -> None:
        assert logo_bytes().startswith(b"\x89PNG")
        assert len(logo_bytes()) < 40_000

    def test_takes_the_place_of_its_placeholder_only(self) -> None:
        data = {"logo": LOGO_PLACEHOLDER, "rows": [{"logo": LOGO_PLACEHOLDER, "n": 1}], "text": "a {logo} b"}
        assert data_with_logo(data, "ast_1") == {
            "logo": "ast_1",
            "rows": [{"logo": "ast_1", "n": 1}],
            "text": "a {logo} b",
        }
        assert data["logo"] == base.LOGO_PLACEHOLDER


@pytest.fixture
def folder(settings, tmp_path: Path) -> Path:
    """A data folder of its own, with a quick password hash."""
    settings.DATA_DIR = tmp_path
    settings.STORAGES = settings.STORAGES | {
        "default": {
            "BACKEND": "config.storage.SignedFileStorage",
            "OPTIONS": {"location": str(tmp_path / "files"), "base_url": "/files/"},
        }
    }
    settings.PASSWORD_HASHERS = ["django.contrib.auth.hashers.MD5PasswordHasher"]
    return tmp_path / "demo"


@pytest.mark.django_db
class TestSeeding:
    def test_gives_access_that_works(self, folder: Path) -> None:
        access = seed_demo()
        organization = Organization.objects.get(name=ORGANIZATION)
        assert organization.allowed_domains == ["localhost", "127.0.0.1"]
        assert Organization.objects.for_api_key(access.secret_key.encode()) == organization
        assert Organization.objects.for_api_key(access.public_key.encode()) == organization
        assert organization.signing_secret == access.signing_secret
        user = User.objects.get(email=EMAIL)
        assert user.is_superuser
        assert user.check_password(access.password)
        assert access.notes == ()

    def test_publishes_six_templates_with_the_logo(self, folder: Path) -> None:
        access = seed_demo()
        logo = Asset.objects.get()
        assert set(Template.objects.values_list("status", flat=True)) == {"published"}
        assert set(access.requests) == {demo.slug for demo in TEMPLATES}
        for path in access.requests.values():
            body = json.loads(path.read_text())
            template = Template.objects.get(pk=body["templateId"])
            assert body["format"] in template.formats
            assert check_data(template.content().typed_variables, body["data"]) == {}
            assert body["data"].get("logo", logo.pk) == logo.pk
            assert LOGO_PLACEHOLDER not in path.read_text()

    def test_twice_is_harmless(self, folder: Path) -> None:
        first, files = seed_demo(), {path: path.stat().st_mtime_ns for path in folder.iterdir()}
        assert seed_demo() == first
        assert {path: path.stat().st_mtime_ns for path in folder.iterdir()} == files
        assert Organization.objects.count() == User.objects.count() == Asset.objects.count() == 1
        assert Template.objects.count() == 6

    def test_keeps_secrets_from_other_users_and_from_repr(self, folder: Path) -> None:
        access = seed_demo()
        assert stat.S_IMODE((folder / "access.json").stat().st_mode) == 0o600
        for secret in (access.password, access.public_key, access.secret_key, access.signing_secret):
            assert secret not in repr(access)

    def test_says_that_keys_were_rotated(self, folder: Path) -> None:
        seed_demo()
        rotate_credentials(organization=Organization.objects.get(), actor="system")
        access = seed_demo()
        assert (access.secret_key, access.public_key, access.signing_secret) == (None, None, None)
        assert "rotated" in access.notes[0]
        assert "curl" not in banner(access, "http://127.0.0.1:8000")

    def test_says_that_the_password_was_changed(self, folder: Path) -> None:
        seed_demo()
        user = User.objects.get()
        user.set_password("another one entirely")
        user.save()
        access = seed_demo()
        assert access.password is None
        assert "changepassword" in access.notes[0]

    def test_with_the_file_lost_makes_nothing_twice(self, folder: Path) -> None:
        seed_demo()
        (folder / "access.json").unlink()
        access = seed_demo()
        assert Organization.objects.count() == Asset.objects.count() == 1
        assert Template.objects.count() == 6
        assert access.secret_key is None
        assert len(access.notes) == 2

    def test_with_the_file_of_another_database_begins_anew(self, folder: Path) -> None:
        folder.mkdir()
        (folder / "access.json").write_text('{"organizationId": "org_gone", "secretKey": "sk_live_x"}')
        access = seed_demo()
        assert access.notes == ()
        assert json.loads((folder / "access.json").read_text())["secretKey"] == access.secret_key

    def test_leaves_an_archived_template_alone(self, folder: Path) -> None:
        seed_demo()
        archive_template(
            templates=Template.objects.all(),
            template_id=Template.objects.get(name="Invoice").pk,
            author="api",
        )
        access = seed_demo()
        assert "invoice" not in access.requests
        assert Template.objects.count() == 6
        assert "invoice.pdf" not in banner(access, "http://127.0.0.1:8000")

    def test_command_prints_where_to_go(self, folder: Path, settings) -> None:
        settings.BASE_URL = ""
        out = StringIO()
        call_command("seed_demo", stdout=out)
        printed = out.getvalue()
        access = seed_demo()
        for shown in (EMAIL, access.password, access.secret_key, access.public_key, "/admin/", ":8000/\n"):
            assert shown in printed
        lines = [line for line in printed.splitlines() if line.startswith("curl ")]
        assert [line.rsplit(" ", 1)[1] for line in lines] == ["invoice.pdf", "price-list.xlsx"]
        assert str(access.requests["invoice"]) in lines[0]


@pytest.mark.parametrize(
    ("host", "address"),
    [
        ("127.0.0.1", "http://127.0.0.1:8000"),
        ("0.0.0.0", "http://127.0.0.1:8000"),
        ("", "http://127.0.0.1:8000"),
        ("::", "http://[::1]:8000"),
        ("docs.example", "http://docs.example:8000"),
    ],
)
def test_address_is_one_that_this_machine_reaches(host: str, address: str, settings) -> None:
    settings.BASE_URL = ""
    assert base_url(host, 8000) == address
