"""A real browser: a page on another origin renders and downloads, and the reference needs nobody else."""

from __future__ import annotations

import re
import threading
from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import pytest
from playwright.sync_api import Browser, ConsoleMessage, Page, expect

from tests.chromium import needs_chromium
from tests.conftest import INVOICE, INVOICE_DATA
from tests.live.service import Account, Service

pytestmark = [
    pytest.mark.live,
    pytest.mark.browser,
    needs_chromium,
]

RENDER_AND_DOWNLOAD = """
async ({url, headers, template, data}) => {
  const json = {...headers, 'content-type': 'application/json'};
  const send = (method, path, body) => fetch(url + path, {method, headers: body ? json : headers,
    body: body && JSON.stringify(body)});
  const read = async (answer) => {
    const bytes = new Uint8Array(await answer.arrayBuffer());
    return {status: answer.status, size: bytes.length, type: answer.headers.get('content-type'),
      start: String.fromCharCode(...bytes.slice(0, 5)), name: answer.headers.get('content-disposition')};
  };
  const created = await (await send('POST', '/v1/templates', template)).json();
  const published = await send('POST', `/v1/templates/${created.id}/publish`);
  const answer = await send('POST', '/v1/render', {templateId: created.id, data, format: 'pdf'});
  const rendered = await answer.json();
  const link = await (await send('GET', `/v1/downloads/${rendered.documentId}?redirect=false`)).json();
  return {
    created, rendered, published: published.status,
    seen: Object.fromEntries(['RateLimit-Limit', 'RateLimit-Remaining', 'RateLimit-Reset', 'X-Request-Id']
      .map(name => [name, answer.headers.get(name)])),
    byLink: await read(await fetch(link.downloadUrl)),
    byUrl: await read(await fetch(rendered.downloadUrl)),
    followed: await read(await send('GET', `/v1/downloads/${rendered.documentId}`)),
    archived: (await send('DELETE', `/v1/templates/${created.id}`)).status,
  };
}
"""
READ_REFUSAL = """
async ({url, headers, path}) => {
  const answer = await fetch(url + path, {headers});
  return {status: answer.status, id: answer.headers.get('X-Request-Id'), body: await answer.json()};
}
"""


RENDER = "#operations-render-renderDocument"


@dataclass
class Reference:
    """The page of the reference, every address that it asked for and all that went wrong on it."""

    page: Page
    requested: list[str] = field(default_factory=list)
    complaints: list[str] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.page.on("request", lambda request: self.requested.append(request.url))
        self.page.on("requestfailed", lambda request: self.complaints.append(f"failed: {request.url}"))
        self.page.on("pageerror", lambda error: self.complaints.append(str(error)))
        self.page.on("console", self._console)

    def _console(self, message: ConsoleMessage) -> None:
        if message.type == "error":
            self.complaints.append(message.text)


class _Quiet(SimpleHTTPRequestHandler):
    def log_message(self, *args: Any) -> None:
        """Keep the log of the test clean."""


@pytest.fixture(scope="module")
def account(service: Service) -> Account:
    """One organization for all pages."""
    return service.create_account()


@pytest.fixture
def page(chromium: Browser) -> Iterator[Page]:
    opened = chromium.new_page()
    opened.set_default_timeout(30_000)
    yield opened
    opened.close()


@pytest.fixture
def foreign_page(page: Page, tmp_path: Path) -> Iterator[Page]:
    """A page of somebody's own web site: http://localhost:<port>, while the service is on 127.0.0.1."""
    (tmp_path / "index.html").write_text("<!doctype html><title>Shop</title><link rel=icon href=data:,>")
    server = ThreadingHTTPServer(("127.0.0.1", 0), partial(_Quiet, directory=str(tmp_path)))
    threading.Thread(target=server.serve_forever, daemon=True).start()
    try:
        page.goto(f"http://localhost:{server.server_port}/index.html")
        yield page
    finally:
        server.shutdown()
        server.server_close()


def user(account: Account) -> dict[str, str]:
    """Return the headers that a script sets; the browser adds Origin itself."""
    headers = account.user_headers("ann", "")
    del headers["origin"]
    return headers


def test_a_page_on_another_origin_renders_and_downloads(
    foreign_page: Page, service: Service, account: Account
) -> None:
    result = foreign_page.evaluate(
        RENDER_AND_DOWNLOAD,
        {"url": service.url, "headers": user(account), "template": INVOICE, "data": INVOICE_DATA},
    )
    assert result["created"]["externalUserId"] == "ann"
    assert result["published"] == 200
    assert result["rendered"]["status"] == "completed"
    for way in ("byLink", "byUrl", "followed"):
        got = result[way]
        assert got["status"] == 200, way
        assert (got["start"], got["type"]) == ("%PDF-", "application/pdf"), way
        assert got["size"] == result["rendered"]["fileSizeBytes"], way
        assert "Invoice.pdf" in got["name"], way
    seen = result["seen"]
    assert all(seen.values()), seen
    assert int(seen["RateLimit-Remaining"]) < int(seen["RateLimit-Limit"])
    assert result["archived"] == 200


@pytest.mark.parametrize(
    ("changes", "path", "status", "message"),
    [
        ({"x-user-hash": "0" * 64}, "/v1/templates", 401, "Invalid x-user-hash"),
        ({"x-api-key": "pk_live_wrong"}, "/v1/templates", 401, "Invalid API key"),
        ({}, "/v1/templates/tpl_none", 404, "Template not found"),
        ({}, "/v1/templates?limit=0", 400, "limit: must be a whole number from 1 to 1000"),
    ],
)
def test_a_page_can_read_why_it_was_refused(
    foreign_page: Page,
    service: Service,
    account: Account,
    changes: dict[str, str],
    path: str,
    status: int,
    message: str,
) -> None:
    result = foreign_page.evaluate(
        READ_REFUSAL, {"url": service.url, "headers": user(account) | changes, "path": path}
    )
    assert (result["status"], result["body"]["message"]) == (status, message)
    assert result["id"] == result["body"]["requestId"]


def test_a_page_on_a_domain_that_is_not_allowed_is_told_so(foreign_page: Page, service: Service) -> None:
    account = service.create_account("Elsewhere", "shop.example")
    result = foreign_page.evaluate(
        READ_REFUSAL, {"url": service.url, "headers": user(account), "path": "/v1/templates"}
    )
    assert result["status"] == 401
    assert result["body"]["message"] == "Domain localhost is not in allowedDomains"


@pytest.fixture(scope="module")
def reference(chromium: Browser, service: Service) -> Iterator[Reference]:
    """The reference of the API, loaded once: it takes seconds to draw itself."""
    page = chromium.new_page(color_scheme="dark")
    page.set_default_timeout(30_000)
    seen = Reference(page)
    page.goto(f"{service.url}/api/v1", wait_until="networkidle")
    page.wait_for_selector(RENDER)
    yield seen
    page.close()


def test_the_reference_page_asks_no_other_host(reference: Reference, service: Service) -> None:
    page = reference.page
    page.click(f"{RENDER} .opblock-summary-control")
    page.wait_for_selector(f"{RENDER} .responses-table tbody .response-col_links")
    hosts = {urlsplit(url).netloc for url in reference.requested if not url.startswith(("data:", "blob:"))}
    assert hosts == {urlsplit(service.url).netloc}
    assert reference.complaints == []
    # What stands open fits a phone.
    page.set_viewport_size({"width": 390, "height": 844})
    assert page.evaluate("document.documentElement.scrollWidth") == 390


def test_the_reference_page_is_dark_while_the_system_is(reference: Reference) -> None:
    page = reference.page
    ground = page.locator("body")
    expect(ground).to_have_css("background-color", re.compile(r"rgb\(\d\d,"))
    page.emulate_media(color_scheme="light")
    expect(ground).to_have_css("background-color", re.compile(r"rgb\(2\d\d,"))
