"""The figures of the quarterly report, in thousands of dollars unless stated otherwise; sums are computed."""

from __future__ import annotations

from typing import Any, Final

from dashboard.demo.base import LOGO_PLACEHOLDER

Row = dict[str, Any]

# name, this quarter, same quarter of last year, plan
REGIONS: Final = (
    ("North America", 18420, 16905, 18000),
    ("Germany, Austria, Switzerland", 14230, 12610, 13900),
    ("United Kingdom and Ireland", 9615, 9280, 9800),
    ("Nordics", 5140, 5325, 5400),
    ("Other markets", 2385, 1960, 2250),
)
# name, this quarter, same quarter of last year, gross margin
PRODUCTS: Final = (
    ("Desks, tables", 17940, 16880, 0.416),
    ("Seating", 12610, 12905, 0.374),
    ("Lighting", 9780, 7860, 0.468),
    ("Storage", 5330, 5120, 0.371),
    ("Acoustics", 2890, 2205, 0.443),
    ("Services", 1240, 1110, 0.236),
)
COST_OF_GOODS: Final = (29476, 27832)
EXPENSES: Final = (
    ("Selling and marketing", 7420, 7015),
    ("Research and development", 2310, 1940),
    ("General and administrative", 3980, 3860),
)
INTEREST: Final = (412, 455)
TAX: Final = (1548, 1245)
CASH_OPENING: Final = 10233

# area, measure, this quarter, same quarter of last year
MEASURES: Final = (
    ("Customers and delivery", "Orders delivered on the promised day", "96.2%", "93.8%"),
    ("Customers and delivery", "Lead time, order to delivery", "17 days", "21 days"),
    ("Customers and delivery", "Order intake", "$52.3 million", "$47.5 million"),
    ("Customers and delivery", "Order backlog at quarter end", "$31.6 million", "$27.9 million"),
    ("Customers and delivery", "Returned goods, share of revenue", "1.4%", "1.9%"),
    ("Customers and delivery", "Net promoter score", "61", "57"),
    ("Environment", "Energy for each unit made", "38.4 kWh", "41.2 kWh"),
    ("Environment", "Recycled steel in frames", "46%", "39%"),
    ("People", "Accidents in a million hours worked", "3.1", "4.6"),
    ("People", "Employees at quarter end", "612", "584"),
)
PROJECTS: Final = (
    ("Second coating line, Kassel", "On track", "2026-02-27", 3180, 4600),
    ("Configurator for dealers", "Delivered", "2025-08-18", 890, 940),
    ("Halo 2 luminaire family", "On track", "2026-04-30", 1260, 2100),
    ("Warehouse consolidation, Midlands", "Six weeks late", "2026-01-16", 1745, 1700),
    ("Take-back scheme for used furniture", "Pilot running", "2026-06-30", 310, 850),
)
RISKS: Final = (
    ("Steel and aluminum prices", "Likely", "Medium",
     "Two thirds of 2026 volume fixed in price; quarterly surcharge clause"),
    ("Delays at the Midlands warehouse", "Likely", "Low", "Old site stays open until the end of March 2026"),
    ("Weaker office construction in the Nordics", "Possible", "Medium",
     "Refit packages for existing space; costs adjusted"),
    ("Import duties on finished goods", "Possible", "High",
     "Final assembly for North America moves to Fairhaven"),
    ("Loss of a key electronics supplier", "Unlikely", "High",
     "Second source qualified; four months of driver stock"),
)  # fmt: skip
GUIDANCE: Final = (
    ("Revenue, $ million", "190 to 196", "194 to 198"),
    ("Gross margin", "39.5% to 40.5%", "40.3% to 40.8%"),
    ("Operating margin", "11.5% to 12.5%", "12.5% to 13.0%"),
    ("Capital expenditure, $ million", "11 to 13", "10 to 11"),
)


def _compared(name: str, current: int, previous: int, **more: Any) -> Row:
    """Return a row with this quarter and last year's."""
    return {"name": name, "current": current, "previous": previous, **more}


def _income(revenue: tuple[int, int]) -> dict[str, tuple[int, int]]:
    """Return the lines of the income statement: this quarter and last year's."""
    lines = {"Revenue": revenue, "Cost of goods sold": (-COST_OF_GOODS[0], -COST_OF_GOODS[1])}
    lines["Gross profit"] = (revenue[0] - COST_OF_GOODS[0], revenue[1] - COST_OF_GOODS[1])
    lines |= {name: (-current, -previous) for name, current, previous in EXPENSES}
    spent = (sum(expense[1] for expense in EXPENSES), sum(expense[2] for expense in EXPENSES))
    operating = (lines["Gross profit"][0] - spent[0], lines["Gross profit"][1] - spent[1])
    lines["Operating profit"] = operating
    lines["Interest"] = (-INTEREST[0], -INTEREST[1])
    lines["Income tax"] = (-TAX[0], -TAX[1])
    lines["Net income"] = (operating[0] - INTEREST[0] - TAX[0], operating[1] - INTEREST[1] - TAX[1])
    return lines


def _cash(net_income: int) -> list[Row]:
    """Return the cash flow line by line, its sums included."""
    operating = net_income + 1865 - 1120
    free = operating - 2740
    closing = CASH_OPENING + free - 1500
    lines = (
        ("Cash at the beginning of the quarter", CASH_OPENING),
        ("Net income", net_income),
        ("Depreciation and amortization", 1865),
        ("Change in working capital", -1120),
        ("Cash flow from operations", operating),
        ("Capital expenditure", -2740),
        ("Free cash flow", free),
        ("Repayment of loans", -1500),
        ("Cash at the end of the quarter", closing),
    )
    return [{"name": name, "amount": amount} for name, amount in lines]


def data() -> Row:
    """Return the data of the report."""
    revenue = sum(region[1] for region in REGIONS)
    income = _income((revenue, sum(region[2] for region in REGIONS)))
    gross, operating, net = (income[name] for name in ("Gross profit", "Operating profit", "Net income"))
    cash = _cash(net[0])
    return {
        "logo": LOGO_PLACEHOLDER,
        "company": "Fennmark Inc.",
        "quarter": "Third quarter 2025",
        "period_from": "2025-07-01",
        "period_to": "2025-09-30",
        "published": "2025-10-06",
        "contact": "Priya Raman, Investor Relations, investors@fennmark.example",
        "headline": {
            "gross_margin": round(gross[0] / revenue, 4),
            "gross_margin_previous": round(gross[1] / income["Revenue"][1], 4),
            "operating_profit": operating[0] / 1000,
            "operating_growth": round(operating[0] / operating[1] - 1, 4),
            "operating_margin": round(operating[0] / revenue, 4),
            "net_income": net[0] / 1000,
            "free_cash_flow": cash[6]["amount"] / 1000,
            "cash": cash[8]["amount"] / 1000,
        },
        "regions": [_compared(name, now, then, plan=plan) for name, now, then, plan in REGIONS],
        "products": [_compared(name, now, then, margin=margin) for name, now, then, margin in PRODUCTS],
        "income": [_compared(name, *values) for name, values in income.items()],
        "cash_flow": cash,
        "measures": [
            {"area": area, "name": name, "current": now, "previous": then}
            for area, name, now, then in MEASURES
        ],
        "projects": [
            {"name": name, "status": status, "due": due, "spent": spent, "budget": budget}
            for name, status, due, spent, budget in PROJECTS
        ],
        "risks": [
            {"name": name, "likelihood": likelihood, "impact": impact, "response": response}
            for name, likelihood, impact, response in RISKS
        ],
        "guidance": [{"name": name, "former": former, "current": now} for name, former, now in GUIDANCE],
    }
