"""The starters as documents: each renders in its formats, passes the publish gate, and adds up."""

from __future__ import annotations

import json
from decimal import ROUND_HALF_UP, Decimal
from typing import Any

import pytest

from accounts.models import Organization
from dashboard.demo import TEMPLATES
from dashboard.starters import STARTERS, Starter
from rendering.engine import check_content
from rendering.gate import Sample, findings
from templates_app.bodies import TemplateCreate, parse_body
from templates_app.content import Content
from templates_app.variables import Variable
from tests.api.tools import pdf_of, workbook_of
from tests.conftest import ApiClient

BY_SLUG = {starter.slug: starter for starter in STARTERS}
# Those of the demo are looked after in `test_demo.py`.
OWN = [starter for starter in STARTERS if starter.slug.replace("_", "-") not in {d.slug for d in TEMPLATES}]
EACH = pytest.mark.parametrize("starter", OWN, ids=lambda starter: starter.slug)
PAGES = {
    "quote": 2,
    "receipt": 1,
    "packing_slip": 1,
    "payslip": 1,
    "timesheet": 1,
    "contract_letter": 3,
    "catalogue": 6,
    "inventory": 3,
}


def content_of(starter: Starter) -> Content:
    return Content(**parse_body(TemplateCreate, starter.body))


def sample(slug: str) -> Any:
    """Return the sample data with exact numbers."""
    return json.loads(json.dumps(BY_SLUG[slug].body["sampleData"]), parse_float=Decimal)


def values(slug: str) -> dict[str, Any]:
    """Return the sample data with what the template computes."""
    starter = BY_SLUG[slug]
    return check_content(content_of(starter), starter.body["sampleData"])


def cents(amount: Any) -> Decimal:
    return Decimal(amount).quantize(Decimal("0.01"), ROUND_HALF_UP)


def without_labels(variables: list[Variable]) -> list[str]:
    return [variable.name for variable in variables if not variable.label]


class TestGallery:
    def test_names_and_slugs_are_unique(self) -> None:
        assert len(BY_SLUG) == len({starter.name for starter in STARTERS}) == len(STARTERS) == 14
        assert {starter.slug for starter in OWN} == set(PAGES)

    @EACH
    def test_is_json_of_small_size(self, starter: Starter) -> None:
        written = json.dumps(starter.body)
        assert json.loads(written) == starter.body
        assert len(written) < 60_000

    @EACH
    def test_is_named_in_body_and_gallery_alike(self, starter: Starter) -> None:
        assert starter.body["name"] == starter.name
        assert starter.description.endswith(".")

    @EACH
    def test_declares_what_it_takes(self, starter: Starter) -> None:
        variables = content_of(starter).typed_variables
        assert without_labels(variables) == []
        assert any(variable.required for variable in variables)
        given = {variable.name for variable in variables if variable.value is None}
        assert given == set(starter.body["sampleData"])


class TestRendering:
    @EACH
    def test_passes_the_gate(self, starter: Starter, acme: Organization) -> None:
        data = dict(starter.body["sampleData"])
        assert findings(organization=acme, body=starter.body, samples=[Sample("Sample", data)]) == []

    @EACH
    def test_renders_in_each_format(self, starter: Starter, secret: ApiClient) -> None:
        answer = secret.post("/v1/templates", starter.body)
        assert answer.status_code == 201, answer.content
        template_id = answer.json()["id"]
        assert secret.post(f"/v1/templates/{template_id}/publish").status_code == 200
        for format in starter.body["formats"]:
            answer = secret.render(template_id, starter.body["sampleData"], format=format)
            if format == "pdf":
                assert len(pdf_of(answer).pages) == PAGES[starter.slug]
            else:
                assert workbook_of(answer).worksheets

    @EACH
    def test_renders_without_what_is_optional(self, starter: Starter, secret: ApiClient) -> None:
        template_id = secret.published(**starter.body)
        needed = {variable.name for variable in content_of(starter).typed_variables if variable.required}
        data = {name: value for name, value in starter.body["sampleData"].items() if name in needed}
        for format in starter.body["formats"]:
            answer = secret.render(template_id, data, format=format)
            assert answer.status_code == 200, answer.content

    def test_inventory_is_a_workbook_to_work_with(self, secret: ApiClient) -> None:
        starter = BY_SLUG["inventory"]
        template_id = secret.published(**starter.body)
        book = workbook_of(secret.render(template_id, starter.body["sampleData"], format="xlsx"))
        stock, value, charts = book["Stock"], book["Value"], book["Charts"]
        assert (stock.freeze_panes, stock.auto_filter.ref) == ("C3", "A2:N22")
        assert stock["H3"].value == "=F3-G3"
        assert stock["K3"].value == "=IF(H3<I3,J3-H3,0)"
        assert str(stock["M23"].value).startswith("=SUBTOTAL(")
        assert len(stock.conditional_formatting) == 4
        assert max(line.outlineLevel for line in value.row_dimensions.values()) == 2
        assert len(charts._charts) == 1


class TestTotals:
    def test_receipt(self) -> None:
        data, found = sample("receipt"), values("receipt")
        goods = sum(item["quantity"] * item["price"] for item in data["items"])
        taxed = sum(item["quantity"] * item["price"] for item in data["items"] if item["taxed"])
        total = goods - data["discount"]
        share = cents(taxed * total / goods)
        assert found["goods"] == goods == Decimal("122.85")
        assert found["total"] == total
        assert found["change"] == data["tendered"] - total
        assert found["taxed"] == share
        assert found["untaxed"] == total - share
        assert found["vat"] == cents(share - share / (1 + data["vat_rate"]))

    def test_quote(self) -> None:
        data, found = sample("quote"), values("quote")
        work = sum(item["days"] * item["rate"] for item in data["items"])
        net = work - cents(work * data["discount_rate"])
        total = net + cents(net * data["vat_rate"])
        assert (found["work"], found["net"], found["total"]) == (work, net, total)
        assert found["days"] == sum(item["days"] for item in data["items"])
        assert sum(payment["amount"] for payment in found["payments"]) == total

    def test_packing_slip(self) -> None:
        data, found = sample("packing_slip"), values("packing_slip")
        assert found["packed"] == sum(item["packed"] for item in data["items"])
        assert found["later"] == sum(item["ordered"] - item["packed"] for item in data["items"])
        assert found["weight"] == sum(item["packed"] * item["unit_weight"] for item in data["items"])
        assert found["parcels"] == len({item["parcel"] for item in data["items"]})

    def test_payslip(self) -> None:
        data, found = sample("payslip"), values("payslip")
        gross = sum(cents(line["units"] * line["rate"]) for line in data["payments"])
        deducted = sum(line["amount"] for line in data["deductions"])
        before = sum(line["before"] for line in data["deductions"])
        assert (found["gross"], found["net"]) == (gross, gross - deducted)
        assert found["gross_so_far"] == data["gross_before"] + gross
        assert found["net_so_far"] == data["gross_before"] + gross - before - deducted
        assert found["cost"] == gross + data["employer_pension"] + data["employer_insurance"]
        assert found["leave_left"] == Decimal("5.5")

    def test_contract_letter(self) -> None:
        data, found = sample("contract_letter"), values("contract_letter")
        package = sum(part["amount"] for part in data["pay"])
        assert (found["package"], found["first_pay"]) == (package, cents(Decimal(package) / 12))

    def test_timesheet(self) -> None:
        data, found = sample("timesheet"), values("timesheet")
        days = ("mon", "tue", "wed", "thu", "fri", "sat", "sun")
        hours = [sum(entry.get(day, 0) for day in days) for entry in data["entries"]]
        billed = sum(h for h, entry in zip(hours, data["entries"], strict=True) if entry["billable"])
        assert (found["hours"], found["billed"]) == (sum(hours), billed)
        assert found["amount"] == billed * data["rate"]
        assert found["balance"] == sum(hours) - data["contract_hours"]

    def test_catalogue(self) -> None:
        found = values("catalogue")
        for collection in found["collections"]:
            assert collection["count"] == len(collection["products"])
            for product in collection["products"]:
                assert product["pack_price"] == product["pack"] * Decimal(str(product["price"]))
                digits = [int(digit) for digit in product["ean"]]
                assert (sum(digits[::2]) + 3 * sum(digits[1::2])) % 10 == 0

    def test_inventory(self) -> None:
        data, found = sample("inventory"), values("inventory")
        value = order_value = Decimal()
        low = 0
        for item in data["items"]:
            available = item["on_hand"] - item["reserved"]
            value += item["on_hand"] * item["cost"]
            if available < item["reorder_at"]:
                low += 1
                order_value += (item["target"] - available) * item["cost"]
        assert (found["value"], found["order_value"], found["low"]) == (value, order_value, low)
        assert found["articles"] == len(data["items"]) == 20
        months = data["months"]
        for earlier, later in zip(months, months[1:], strict=False):
            assert later["value"] == earlier["value"] + later["received"] - later["issued"]
        assert months[-1]["value"] == value
