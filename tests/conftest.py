"""The cast: `acme` with its users `ann` and `ben`, and `globex`, which must see nothing of theirs."""

from __future__ import annotations

import gc
import hashlib
import hmac
import json
import re
from collections.abc import Generator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest
from django.core.cache import caches
from django.db import connection
from django.test import Client
from xdist.scheduler import LoadScopeScheduling

from accounts.models import Organization
from config.processes import spare_collections
from tests import migrated
from tests.cases import load_profile
from tests.chromium import chromium  # noqa: F401 (the fixture, once for all folders)
from tests.factories import OrganizationFactory
from tests.parts.session import REAL, parts

load_profile()

ROOT = Path(__file__).parent
# What runs on the real parts too: whatever reaches a database, a cache or a file. The rest is pure.
REAL_FOLDERS = ("accounts", "admin", "api", "assets", "config", "dashboard", "live", "parts", "webhooks")


# What shares something slow stays in one process: a running service, a browser. Everything else goes
# wherever there is time.
GROUPS = {
    "live": re.compile(r"tests/live/"),
    "browser": re.compile(r"tests/dashboard/test_(\w+_browser|\w+_stories|accessibility)\.py"),
}


def group_of(nodeid: str) -> str | None:
    """Return the group that a test belongs to."""
    return next((name for name, pattern in GROUPS.items() if pattern.match(nodeid)), None)


class Scheduling(LoadScopeScheduling):
    """Groups first, each in a process of its own, then test after test.

    Not by the marks of `--dist loadgroup`: with pytest 9 xdist 3.8 does not see them.
    """

    def _split_scope(self, nodeid: str) -> str:
        return group_of(nodeid) or nodeid


def pytest_xdist_make_scheduler(config: pytest.Config, log: Any) -> Scheduling:
    """Distribute the tests by `Scheduling`, which puts the largest group first."""
    return Scheduling(config, log)


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Keep the tests that say something about this stack."""
    for item in items:
        if item.get_closest_marker("browser") and not group_of(item.nodeid):
            raise pytest.UsageError(f"{item.nodeid} needs a browser: name its file test_..._browser.py")
    other = "embedded" if REAL else "real"
    items[:] = [
        item
        for item in items
        if not item.get_closest_marker(other)
        and not (REAL and item.get_closest_marker("browser"))  # pages say the same on either stack
        and (not REAL or item.path.relative_to(ROOT).parts[0] in REAL_FOLDERS)
    ]


@pytest.hookimpl(wrapper=True)
def pytest_collection() -> Generator[None, object, object]:
    """Have the garbage collector leave alone what is loaded by then, as the service does.

    A million objects are: modules, and thousands of tests. Going through them took a sixth of the suite.
    """
    gc.disable()
    try:
        return (yield)
    finally:
        spare_collections()
        gc.enable()


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    """Say before the closing line what the tests ran on."""
    terminalreporter.write_line(f"On {parts().versions}:" if REAL else "On the embedded default:")


INVOICE: dict[str, Any] = {
    "name": "Invoice",
    "formats": ["pdf", "xlsx"],
    "sections": [
        {"type": "heading", "content": "Invoice {{number}}"},
        {
            "type": "table",
            "source": "items",
            "columns": [
                {"key": "name", "header": "Item"},
                {"key": "price", "header": "Price", "format": "currency"},
            ],
        },
    ],
}
INVOICE_DATA: dict[str, Any] = {
    "number": "42",
    "items": [{"name": "Pen", "price": 1.5}, {"name": "Ink", "price": 20}],
}


def sign(user_id: str, signing_secret: str) -> str:
    """Return the documented x-user-hash."""
    return hmac.new(signing_secret.encode(), user_id.encode(), hashlib.sha256).hexdigest()


@dataclass
class ApiClient:
    """A caller with its headers. Answers are Django's, with `.json()`; bodies are sent as JSON."""

    headers: dict[str, str] = field(default_factory=dict)

    def request(self, method: str, path: str, body: Any = None, **headers: str) -> Any:
        """Send one request; `headers` replace the caller's own, with `_` for `-`."""
        sent = self.headers | {name.replace("_", "-"): value for name, value in headers.items()}
        return Client(raise_request_exception=False).generic(
            method,
            path,
            data=body if isinstance(body, bytes) else b"" if body is None else json.dumps(body).encode(),
            content_type=sent.pop("content-type", "application/json"),
            headers=sent,
        )

    def get(self, path: str, **headers: str) -> Any:
        return self.request("GET", path, **headers)

    def post(self, path: str, body: Any = None, **headers: str) -> Any:
        return self.request("POST", path, body, **headers)

    def patch(self, path: str, body: Any = None, **headers: str) -> Any:
        return self.request("PATCH", path, body, **headers)

    def delete(self, path: str, **headers: str) -> Any:
        return self.request("DELETE", path, **headers)

    def create(self, **changes: Any) -> Any:
        """Create a template and return its body."""
        answer = self.post("/v1/templates", INVOICE | changes)
        assert answer.status_code == 201, answer.content
        return answer.json()

    def published(self, **changes: Any) -> str:
        """Create and publish a template and return its id."""
        template_id = self.create(**changes)["id"]
        assert self.post(f"/v1/templates/{template_id}/publish").status_code == 200
        return template_id

    def render(self, template_id: str, data: Any = None, **fields: Any) -> Any:
        """Render and return the answer."""
        return self.post(
            "/v1/render", {"templateId": template_id, "data": INVOICE_DATA if data is None else data} | fields
        )


def secret_client(organization: Organization) -> ApiClient:
    """Return a server of the organization."""
    return ApiClient({"x-api-key": organization.credentials.secret_key})


def user_client(organization: Organization, user_id: str) -> ApiClient:
    """Return a browser of one of the organization's end users."""
    return ApiClient(
        {
            "x-api-key": organization.credentials.public_key,
            "origin": "https://app.example.com",
            "x-user-id": user_id,
            "x-user-hash": sign(user_id, organization.credentials.signing_secret),
        }
    )


@pytest.fixture(scope="session")
def django_db_keepdb(django_db_modify_db_settings: None) -> bool:
    """Tell whether the database of this process is there already: a copy of what another one has migrated."""
    test = connection.settings_dict["TEST"]
    if REAL or not migrated.take(Path(test["NAME"])):
        return False
    test["MIGRATE"] = False
    return True


@pytest.fixture(scope="session")
def django_db_setup(django_db_setup: None, django_db_keepdb: bool) -> None:
    """Have the database of this process; the first one of a run gives it to the others."""
    if not REAL and not django_db_keepdb:
        migrated.give(Path(connection.settings_dict["NAME"]))


@pytest.fixture(autouse=True)
def _fresh_limits() -> None:
    for cache in caches.all():
        cache.clear()


@pytest.fixture
def acme(db: None) -> Organization:
    return OrganizationFactory(name="Acme")


@pytest.fixture
def secret(acme: Organization) -> ApiClient:
    return secret_client(acme)


@pytest.fixture
def ann(acme: Organization) -> ApiClient:
    return user_client(acme, "ann")


@pytest.fixture
def ben(acme: Organization) -> ApiClient:
    return user_client(acme, "ben")


@pytest.fixture
def globex(db: None) -> ApiClient:
    return secret_client(OrganizationFactory(name="Globex"))


@pytest.fixture
def nobody(db: None) -> ApiClient:
    return ApiClient()
