"""Quarterly report of a company: cover, chapters of prose with lists and tables, header and footer."""

from __future__ import annotations

from typing import Any, Final

from dashboard.demo import report_figures
from dashboard.demo.base import DemoTemplate, logo_variable, required, variable
from dashboard.demo.report_chapters import SECTIONS


def _thousands(name: str, **more: Any) -> dict[str, Any]:
    return required(name, "number", format="integer", **more)


def _share(name: str, **more: Any) -> dict[str, Any]:
    return variable(name, "number", format="percent:1", **more)


def _rows(name: str, label: str, *fields: dict[str, Any]) -> dict[str, Any]:
    return required(name, "list", label, fields=list(fields))


_HEADLINE = (
    "gross_margin", "gross_margin_previous", "operating_profit", "operating_growth", "operating_margin",
    "net_income", "free_cash_flow", "cash",
)  # fmt: skip
_COMPARED = (
    required("name"),
    _thousands("current"),
    _thousands("previous"),
    _share("change", value="current / previous - 1"),
)

_VARIABLES = [
    logo_variable(),
    required("company", label="Company"),
    required("quarter", label="Quarter"),
    required("period_from", "date", "From"),
    required("period_to", "date", "To"),
    required("published", "date", "Published on"),
    variable("contact", label="Contact"),
    required(
        "headline", "object", "Headline figures", fields=[required(name, "number") for name in _HEADLINE]
    ),
    _rows(
        "regions",
        "Revenue by region",
        *_COMPARED,
        _thousands("plan"),
        _share("to_plan", value="current / plan - 1"),
    ),
    _rows("products", "Revenue by product line", *_COMPARED, _share("margin")),
    _rows("income", "Income statement", *_COMPARED),
    _rows("cash_flow", "Cash flow", required("name"), _thousands("amount")),
    _rows(
        "measures",
        "Operating measures",
        required("area"),
        required("name"),
        variable("current"),
        variable("previous"),
    ),
    _rows(
        "projects",
        "Projects",
        required("name"),
        variable("status"),
        variable("due", "date"),
        _thousands("spent"),
        _thousands("budget"),
    ),
    _rows(
        "risks", "Risks", required("name"), variable("likelihood"), variable("impact"), variable("response")
    ),
    _rows("guidance", "Forecast", required("name"), variable("former"), variable("current")),
    variable("revenue", "number", "Revenue, $ million", value="sum(regions.current) / 1000"),
    variable("revenue_previous", "number", "Revenue a year ago", value="sum(regions.previous) / 1000"),
    variable("growth", "number", "Growth on the year", value="revenue / revenue_previous - 1"),
    variable("to_plan", "number", "Difference to plan", value="revenue * 1000 / sum(regions.plan) - 1"),
]

TEMPLATE: Final = DemoTemplate(
    slug="report",
    body={
        "name": "Quarterly report",
        "description": "Business report with cover, contents, numbered chapters, charts and tables.",
        "formats": ["pdf"],
        "variables": _VARIABLES,
        "sections": SECTIONS,
        "page": {
            "size": "Letter",
            "margins": {"top": 24, "right": 24, "bottom": 22, "left": 24},
            "firstHeader": None,
            "firstFooter": None,
            "header": {"left": "{{company}}", "right": "Quarterly report · {{quarter}}"},
            "footer": {
                "left": "Published {{published|date:long}}",
                "right": "{{page.number}} / {{page.count}}",
            },
            "locale": "en-US",
            "timezone": "America/Los_Angeles",
            "currency": "USD",
            "numberHeadings": True,
            "theme": {"headings": {"1": {"color": "#1f4b73", "before": 28}}},
            "title": "{{company}}, {{quarter}}",
            "author": "Fennmark Inc.",
        },
        "sampleData": report_figures.data(),
    },
    data=report_figures.data(),
)
