"""Does the service stay quick in a large database? `python -m bench.scale`, or `make bench-scale`.

Two databases in one PostgreSQL: one organization with its 10,000 documents and 100 templates, and a thousand
such organizations, 10 million documents together. A service over each; the same requests go to both in
turns, and the medians are compared. One organization of the large database is heavy: a tenth of all
documents are its own, and it is asked the same questions.
"""

from __future__ import annotations

import argparse
import sys
import tempfile
import time
from collections.abc import Callable
from contextlib import ExitStack
from dataclasses import dataclass
from pathlib import Path
from statistics import median
from typing import Any, Final

import httpx
import psycopg

from bench.scale_data import Filling, fill
from bench.service import SECRETS
from tests.live.service import Account, Service
from tests.parts import Parts, start_parts

DOCUMENTS: Final = 10_000_000
PER_ORGANIZATION: Final = 10_000
REPEATS: Final = 300
ALLOWED_RATIO: Final = 1.3
TEMPLATE: Final[dict[str, Any]] = {
    "name": "Note",
    "formats": ["pdf"],
    "sections": [{"type": "text", "content": "Hello {{name}}"}],
}


@dataclass(frozen=True)
class Side:
    """A service with an organization in it that is asked."""

    service: Service
    client: httpx.Client
    organization_id: str
    template_id: str
    document_id: str


Question = Callable[[Side], httpx.Response]


def listed(query: str) -> Question:
    """Return a question for a page of the documents list."""
    return lambda side: side.client.get(f"/v1/documents?limit=50{query}")


QUESTIONS: Final[dict[str, Question]] = {
    "render (one line of text)": lambda side: side.client.post(
        "/v1/render", json={"templateId": side.template_id, "data": {"name": "Ada"}}
    ),
    "download": lambda side: side.client.get(f"/v1/downloads/{side.document_id}"),
    "usage": lambda side: side.client.get("/v1/usage"),
    "trend": lambda side: side.client.get("/v1/usage/trend"),
    "template list": lambda side: side.client.get("/v1/templates?limit=50"),
    "document list": listed(""),
    "document list, status": listed("&status=failed"),
    "document list, format": listed("&format=xlsx"),
    "document list, end user": listed("&externalUserId=user-7"),
    "document list, template": lambda side: side.client.get(
        "/v1/documents", params={"limit": 50, "templateId": side.template_id}
    ),
    "document list, one day": listed("&createdFrom=2026-06-01&createdTo=2026-06-01"),
    "document list, user and format": listed("&externalUserId=user-7&format=xlsx"),
}


def main() -> None:
    """Fill, measure and print; exit code 1 when an answer takes too much longer in the large database."""
    parser = argparse.ArgumentParser(prog="python -m bench.scale", description=__doc__)
    parser.add_argument("--documents", type=int, default=DOCUMENTS, help="of the large database")
    parser.add_argument("--repeats", type=int, default=REPEATS, help="of each question on each side")
    parser.add_argument("--plans", action="store_true", help="how PostgreSQL answers the large questions")
    options = parser.parse_args()
    with ExitStack() as stack:
        folder = Path(stack.enter_context(tempfile.TemporaryDirectory(prefix="documents-scale-")))
        parts = stack.enter_context(start_parts(durable=True))
        print(f"Parts: {parts.versions}")
        small, _ = side(stack, parts, folder / "small", PER_ORGANIZATION)
        large, heavy = side(stack, parts, folder / "large", options.documents)
        missed = compare(small, large, heavy, options.repeats)
        if options.plans:
            for name, asked in (("ordinary", large), ("heavy", heavy)):
                command = f"from bench.plans import main; main({asked.organization_id!r})"
                print(
                    f"\n==== the {name} organization",
                    large.service.manage("shell", "--no-imports", "-c", command),
                )
    sys.exit(bool(missed))


def side(stack: ExitStack, parts: Parts, folder: Path, documents: int) -> tuple[Side, Side]:
    """Return a service over a database with so many documents: as its ordinary and its heavy organization."""
    name = folder.name
    parts.create_database(name)
    parts.create_bucket(name)
    number = 1 if name == "small" else 2
    environment = parts.environment(name, number, name) | SECRETS
    service = Service(folder, on=environment, WORKERS=1, JOB_WORKERS=0, LOG_LEVEL="WARNING")
    stack.callback(service.stop)
    service.start()
    accounts = [service.create_account() for _ in range(2)]
    sides = tuple(caller(stack, service, account) for account in accounts)
    started = time.perf_counter()
    with psycopg.connect(environment["DATABASE_URL"], autocommit=True) as connection:
        fill(
            connection,
            Filling(
                documents=documents,
                organizations=max(1, documents // PER_ORGANIZATION),
                ordinary=accounts[0].id,
                heavy=accounts[1].id,
                sample=sides[0].document_id,
            ),
        )
        rows = connection.execute(
            "SELECT (SELECT count(*) FROM rendering_document), (SELECT count(*) FROM templates_app_template),"
            " (SELECT count(*) FROM accounts_organization),"
            " pg_size_pretty(pg_database_size(current_database()))"
        ).fetchone()
    assert rows is not None
    print(
        f"{name}: {rows[0]:,} documents, {rows[1]:,} templates, {rows[2]:,} organizations, {rows[3]}, "
        f"filled in {time.perf_counter() - started:.0f} s",
        flush=True,
    )
    return sides[0], sides[1]


def caller(stack: ExitStack, service: Service, account: Account) -> Side:
    """Return a side with a template and a document of its own."""
    client = stack.enter_context(
        httpx.Client(
            base_url=service.url, headers={"x-api-key": account.secret_key}, timeout=120, verify=False
        )
    )
    created = client.post("/v1/templates", json=TEMPLATE).json()
    client.post(f"/v1/templates/{created['id']}/publish").raise_for_status()
    rendered = client.post("/v1/render", json={"templateId": created["id"], "data": {"name": "Ada"}})
    return Side(service, client, account.id, created["id"], rendered.raise_for_status().json()["documentId"])


def compare(small: Side, large: Side, heavy: Side, repeats: int) -> list[str]:
    """Ask everything, print a line each, and return the questions whose ratio is too large."""
    print(f"\n{'p50 in ms':34}{'small':>9}{'large':>9}{'ratio':>8}{'':6}{'heavy':>9}{'ratio':>8}")
    missed = []
    for name, question in QUESTIONS.items():
        took: dict[str, list[float]] = {"small": [], "large": [], "heavy": []}
        for number in range(repeats + 10):
            order = [("small", small), ("large", large), ("heavy", heavy)]
            for key, each in order if number % 2 else reversed(order):
                elapsed = asked(each, question)
                if number >= 10:
                    took[key].append(elapsed)
        base, ordinary, most = (median(took[key]) for key in ("small", "large", "heavy"))
        if ordinary / base > ALLOWED_RATIO:
            missed.append(name)
        verdict = "miss" if name in missed else "ok"
        print(
            f"{name:34}{base:9.2f}{ordinary:9.2f}{ordinary / base:8.2f}{verdict:>6}"
            f"{most:9.2f}{most / base:8.2f}",
            flush=True,
        )
    return missed


def asked(side: Side, question: Question) -> float:
    """Return the milliseconds until an answer has arrived; fails for a refusal."""
    started = time.perf_counter()
    answer = question(side)
    elapsed = (time.perf_counter() - started) * 1000
    assert answer.status_code in {200, 302}, answer.text
    return elapsed


if __name__ == "__main__":
    main()
