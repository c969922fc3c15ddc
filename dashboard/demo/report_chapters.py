"""The chapters of the quarterly report: prose with the figures filled in, lists and tables."""

from __future__ import annotations

from typing import Final

from dashboard.demo.base import (
    AMBER,
    BLUE,
    TEAL,
    box,
    bullets,
    column,
    columns,
    heading,
    page_break,
    pairs,
    table,
    text,
    when,
)
from dashboard.demo.report_parts import (
    CHANGE,
    COVER,
    QUARTERS,
    Section,
    caption,
    chart,
    figure,
    prose,
    results,
)

SUMMARY: Final[list[Section]] = [
    heading("The quarter at a glance"),
    prose(
        "The third quarter was the strongest in our history. Revenue reached ${{revenue|number:1}} "
        "million after ${{revenue_previous|number:1}} million a year ago, an increase of "
        "{{growth|percent:1}} and {{to_plan|percent:1}} above plan. Operating profit rose "
        "by {{headline.operating_growth|percent:1}} to ${{headline.operating_profit|number:1}} million, "
        "which is {{headline.operating_margin|percent:1}} of revenue.\n\n"
        "Three developments explain most of the result. Companies are giving up floors but investing more "
        "in those they keep, so the value of an average project rose from $41,000 to $47,500. Lighting, "
        "which we sold separately until last year, is now part of two projects in three. And the shorter "
        "lead times that came with the new planning system won orders that would have gone elsewhere a year "
        "ago."
    ),
    columns(
        figure("Revenue", "${{revenue|number:1}} m", "+{{growth|percent:1}} on the year"),
        figure(
            "Gross margin",
            "{{headline.gross_margin|percent:1}}",
            "after {{headline.gross_margin_previous|percent:1}}",
        ),
        figure(
            "Operating margin",
            "{{headline.operating_margin|percent:1}}",
            "profit +{{headline.operating_growth|percent:1}}",
        ),
        figure(
            "Free cash flow", "${{headline.free_cash_flow|number:1}} m", "cash ${{headline.cash|number:1}} m"
        ),
        gap=4,
    ),
    heading("What went well", 2),
    bullets(
        "The configurator for dealers opened on August 18. By the end of September 214 of our 380 dealers "
        "had placed an order with it, and one order in four came in without a question to our staff.",
        "Deliveries kept their promised day in 96.2% of all cases. Our target for the year was 95%.",
        "The Kassel plant finished its tenth month without an accident that led to lost days.",
    ),
    heading("What did not", 2),
    bullets(
        "Seating lost revenue for the second quarter in a row. The mid-price Lund chair needs a successor, "
        "and it will come half a year later than planned.",
        "The consolidation of our two warehouses in the Midlands is six weeks late because the fire "
        "protection of the new building had to be redone.",
        "Nordic business stayed below both last year and plan.",
    ),
    box(
        text("Decisions of the board in this quarter", bold=True, color=BLUE),
        text(
            "The board approved final assembly in Fairhaven for the North American market, an investment of "
            "$2.2 million in 2026, and raised the limit for the take-back pilot from $600,000 to $850,000. "
            "It also decided to repay $1.5 million of the 2021 equipment loan ahead of its schedule.",
            size=9.5,
        ),
        background="#fdf6ea",
        accent=AMBER,
        padding=5,
        radius=1.5,
    ),
]

MARKETS: Final[list[Section]] = [
    heading("Markets"),
    prose(
        "Demand differed widely between regions. In North America and in the German-speaking countries "
        "refits of existing offices more than made up for the lack of new buildings. In the United Kingdom "
        "the public sector postponed tenders until its new framework contracts take effect in January. In "
        "the Nordics two large projects moved into 2026; without them revenue would have matched last "
        "year's."
    ),
    table(
        "regions",
        [
            column("name", "Region"),
            column("current", "Q3 2025", 22, total="sum", bold=True),
            column("previous", "Q3 2024", 22, total="sum"),
            CHANGE,
            column("plan", "Plan", 22, total="sum"),
            column("to_plan", "To plan", 20),
        ],
        title="Revenue by region, $ thousand",
        totalsLabel="Fennmark",
    ),
    chart(
        "bar",
        "regions",
        QUARTERS,
        "Bars: revenue of each region in this quarter and a year ago",
        height=56,
        labels=True,
    ),
    caption("Figure 1. Revenue by region in thousands of dollars, this quarter and a year ago"),
    heading("North America", 2),
    prose(
        "Eleven of the fifteen largest orders came from health care, where clinics replace reception desks "
        "and treatment-room lighting together. The Fairhaven showroom, opened in May, has already paid for "
        "its fitting out. From the second quarter of 2026 we will assemble height-adjustable desks there, "
        "which takes ten days of ocean freight out of the lead time and makes us independent of duties on "
        "finished goods."
    ),
    heading("Germany, Austria and Switzerland", 2),
    prose(
        "The region grew for the sixth quarter in a row. Law and tax firms are the largest group of "
        "customers for the first time. Austria, where we moved to our own warehouse in Graz last winter, "
        "grew by a fifth. Price increases of 2.5% on average took effect on July 1 and were accepted "
        "without a visible loss of orders."
    ),
    heading("United Kingdom, Ireland and the Nordics", 2),
    prose(
        "Private customers compensated for the pause in public tenders in the United Kingdom and Ireland. "
        "We won the renewal of the Hartlow Hotels contract for another four years. In the Nordics we closed "
        "the Aarhus showroom at the end of September and now serve customers through three partners, which "
        "lowers fixed costs by about $400,000 a year."
    ),
]

PRODUCTS: Final[list[Section]] = [
    heading("Products"),
    prose(
        "Desks remain the backbone of the company, but the mix is changing. Lighting contributed more than "
        "half of the growth of the quarter and has the highest gross margin of all lines. Acoustics, our "
        "youngest line, came close to $3 million for the first time. Seating is the exception, and the "
        "subject of its own section below."
    ),
    table(
        "products",
        [
            column("name", "Line"),
            column("current", "Q3 2025", 23, total="sum", bold=True),
            column("previous", "Q3 2024", 23, total="sum"),
            CHANGE,
            column("share", "Share", 19, value="current / sum(current)", format="percent:1"),
            column("margin", "Gross margin", 27),
        ],
        title="Revenue by product line, $ thousand",
        totalsLabel="All lines",
    ),
    columns(
        [
            chart(
                "donut",
                "products",
                [{"key": "current", "name": "Revenue"}],
                "Donut: shares of the product lines in revenue",
                height=58,
                legend="right",
            ),
            caption("Figure 2. Shares of revenue"),
        ],
        [
            chart(
                "column",
                "products",
                [{"key": "margin", "name": "Gross margin", "color": TEAL}],
                "Columns: gross margin of each product line",
                height=58,
                legend="none",
                format="percent:0",
                labels=True,
            ),
            caption("Figure 3. Gross margin"),
        ],
        widths=("*", 80),
        gap=5,
    ),
    heading("Lighting", 2),
    prose(
        "The Halo pendant is now our best-selling article by value. It sells because planners can specify "
        "it with the desk below it: one drawing, one delivery, one fitter. Halo 2, due at the end of April "
        "2026, adds sensors that dim each light by daylight and presence. In our own Kassel office the "
        "prototype saved 38% of the energy for lighting over six months."
    ),
    heading("Seating", 2),
    prose(
        "Revenue fell by 2.3%. The cause is the middle of the range. Lund has been in the program for nine "
        "years, and three competitors now offer a comparable mechanism for less. A successor was planned "
        "for January; tests of the new recline mechanism showed wear after 80,000 cycles where our standard "
        "asks for 120,000. We decided to change the supplier of the bearing and to accept a launch in July "
        "2026. Until then we support dealers with a package of chair, desk and lamp at a fixed price."
    ),
    heading("Acoustics and storage", 2),
    prose(
        "Open-plan offices that are used more densely need more absorption. Felt panels in the 160 cm width "
        "sold out in August and are available again since mid-September. Storage grew with lockers for "
        "shared desks, while classic cupboards keep declining; we will take 22 of 140 cupboard variants out "
        "of the program at the turn of the year."
    ),
]

FINANCIALS: Final[list[Section]] = [
    heading("Financial results"),
    prose(
        "Gross margin improved from {{headline.gross_margin_previous|percent:1}} to "
        "{{headline.gross_margin|percent:1}}. About half of the improvement comes from the mix, a third "
        "from prices and the rest from lower freight. Research and development grew faster than revenue "
        "because Halo 2 and the new chair overlap; the other expenses grew more slowly. Net "
        "income was ${{headline.net_income|number:1}} million."
    ),
    table(
        "income",
        [
            column("name", "$ thousand"),
            column("current", "Q3 2025", 30),
            column("previous", "Q3 2024", 30),
            column("change", "Change", 28),
        ],
        title="Income statement",
        styles=results("Gross profit", "Operating profit", "Net income"),
        padding=0.9,
    ),
    prose(
        "Working capital rose by $1.1 million, less than sales would suggest: customers paid after 41 days "
        "on average, three days sooner than a year ago. Capital expenditure went mainly into the coating "
        "line in Kassel. After the early repayment of $1.5 million, cash stood at "
        "${{headline.cash|number:1}} million at the end of the quarter, and the revolving credit of $8 "
        "million was not used."
    ),
    table(
        "cash_flow",
        [column("name", "$ thousand"), column("amount", "Q3 2025", 35)],
        title="Cash flow",
        styles=results("Cash flow from operations", "Free cash flow", "Cash at the end of the quarter"),
        padding=0.9,
    ),
]

OPERATIONS: Final[list[Section]] = [
    heading("Operations and people"),
    prose(
        "The planning system introduced in March now schedules all three plants. It reserves material when "
        "the order is confirmed, not when production starts, and it is the main reason why lead times fell "
        "from 21 to 17 days while stock stayed level. Where a promise could not be kept, the customer "
        "learned of it six days before the date on average; a year ago it was one."
    ),
    table(
        "measures",
        [
            column("name", "Measure"),
            column("current", "Q3 2025", 35, align="right"),
            column("previous", "Q3 2024", 35, align="right"),
        ],
        title="How we work",
        padding=0.8,
        groupBy=[{"key": "area", "subtotals": False}],
    ),
    heading("Environment", 2),
    prose(
        "The photovoltaic plant on the roof of the Kassel factory supplied 31% of its electricity between "
        "July and September. Frames now contain 46% recycled steel, and the share will reach 60% when the "
        "new supplier begins deliveries in spring. In the take-back pilot, 1,140 pieces came back to us in "
        "three months. Two thirds were sold again after refurbishing, the rest was taken apart by material."
    ),
    heading("People", 2),
    prose(
        "We employed 612 people at the end of September, 28 more than a year ago. Fourteen apprentices "
        "began their training, more than ever before, and all nine who finished in summer stayed with us. "
        "Sick leave fell to 4.1%. The survey in September was answered by 84% of staff; communication "
        "between the plants remains what people want to see improved, and each plant manager now spends one "
        "week a quarter at another site."
    ),
]

PROJECTS: Final[list[Section]] = [
    heading("Projects and risks"),
    prose(
        "Five projects are reported to the board. Together they have spent 72% of their budgets. Only the "
        "warehouse consolidation exceeds its own, by $45,000 so far; we expect the excess to reach $160,000 "
        "when it is finished, and the savings of $520,000 a year to begin in April."
    ),
    table(
        "projects",
        [
            column("name", "Project"),
            column(
                "status",
                "Status",
                29,
                styles=[
                    {"when": when("status", "contains", value="late"), "color": "#b3261e", "bold": True},
                    {"when": when("status", "equals", value="Delivered"), "color": "#14602f", "bold": True},
                ],
            ),
            column("due", "Due", 26),
            column("spent", "Spent", 18, total="sum"),
            column("budget", "Budget", 18, total="sum"),
            column("used", "Used", 16, value="spent / budget", format="percent:0"),
        ],
        title="Projects, $ thousand",
        totalsLabel="All projects",
    ),
    table(
        "risks",
        [
            column("name", "Risk", 52),
            column("likelihood", "Likelihood", 22),
            column("impact", "Impact", 20),
            column("response", "Response"),
        ],
        title="Main risks",
        styles=[{"when": when("impact", "equals", value="High"), "background": "#fdf1ef"}],
    ),
    heading("How the projects stand", 2),
    prose(
        "The coating line in Kassel has passed its first trial with two of four colors. It will run beside "
        "the old one from March and replace it in May, which takes a third of the solvents out of "
        "production. The dealer configurator is finished and now belongs to the sales team; two people stay "
        "to maintain it. The take-back scheme runs in three cities and will be opened to all dealers in "
        "Germany and Austria if the second half of the pilot confirms the costs of the first."
    ),
]

OUTLOOK: Final[list[Section]] = [
    heading("Outlook"),
    prose(
        "Orders in hand cover eight weeks of production. We expect a fourth quarter on the level of the "
        "third and raise our forecast for revenue and margins in the full year. Capital expenditure will be "
        "lower than planned because the last payment for the coating line moves into 2026."
    ),
    table(
        "guidance",
        [
            column("name", "Full year 2025"),
            column("former", "Forecast in July", 45, align="right"),
            column("current", "Forecast now", 45, align="right"),
        ],
        padding=0.9,
    ),
    heading("What the forecast rests on", 2),
    prose(
        "We assume exchange rates of $1.10 to the euro and $1.30 to the pound, steel at the prices fixed in "
        "the contracts for the fourth quarter, and no further duties before the end of the year. A change "
        "of five cents in the rate of the euro moves revenue of the remaining quarter by about $600,000 and "
        "operating profit by a tenth of that, because most costs of the European plants arise in euros."
    ),
    heading("Priorities until the end of the year", 2),
    bullets(
        "Release the bearing of the new chair after 120,000 test cycles, so that tools can be ordered in "
        "December.",
        "Move the remaining 6,200 pallets to the new Midlands warehouse and close the old site by March.",
        "Bring 300 dealers to the configurator and answer the rest of their questions within a working day.",
        "Sign the supply contract for frames with 60% recycled steel.",
        "Decide on the location of a second showroom in North America.",
        ordered=True,
    ),
    heading("Dates", 2),
    pairs(
        [
            ("Conference call", "October 8, 2025, 9:00 a.m. PT"),
            ("Investor day in Kassel", "November 20, 2025"),
            ("Annual report 2025", "February 26, 2026"),
            ("Annual meeting", "April 23, 2026"),
        ],
        columns=2,
    ),
    text(
        "This report is unaudited. Statements about the future rest on what we know at the day of "
        "publication; actual results can differ. Changes are against the same quarter of the previous year "
        "unless stated otherwise. Sums can differ from their parts by rounding.",
        size=8.5,
        color="#5c6776",
    ),
]

SECTIONS: Final[list[Section]] = [
    *COVER,
    page_break(),
    *SUMMARY,
    page_break(),
    *MARKETS,
    *PRODUCTS,
    *FINANCIALS,
    *OPERATIONS,
    *PROJECTS,
    *OUTLOOK,
]
