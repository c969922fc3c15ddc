"""Traces: a span per request and stage, in the caller's trace; nothing at all when they are off."""

from __future__ import annotations

import gzip
import subprocess
import sys
import threading
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

import pytest
from opentelemetry.sdk.trace import ReadableSpan, TracerProvider
from opentelemetry.sdk.trace.export import SimpleSpanProcessor
from opentelemetry.sdk.trace.export.in_memory_span_exporter import InMemorySpanExporter
from opentelemetry.trace import SpanKind, StatusCode

from accounts.models import Organization
from config import tracing
from tests.conftest import ApiClient

ROOT = Path(__file__).resolve().parent.parent.parent
TRACE_ID = "4bf92f3577b34da6a3ce929d0e0e4736"
STAGES = ["render.check", "render.resolve", "render.draw", "render.store", "render.count"]


@pytest.fixture
def spans() -> Iterator[InMemorySpanExporter]:
    exporter = InMemorySpanExporter()
    provider = TracerProvider()
    provider.add_span_processor(SimpleSpanProcessor(exporter))
    tracing.use(provider)
    try:
        yield exporter
    finally:
        tracing.use(None)
        provider.shutdown()


def of(exporter: InMemorySpanExporter, kind: SpanKind) -> list[ReadableSpan]:
    return [span for span in exporter.get_finished_spans() if span.kind is kind]


def test_a_render_is_one_trace_of_its_stages(
    secret: ApiClient, acme: Organization, spans: InMemorySpanExporter
) -> None:
    template_id = secret.published()
    spans.clear()
    secret.render(template_id, data={"number": "Ada's", "items": []})
    (server,) = of(spans, SpanKind.SERVER)
    assert server.name == "POST /v1/render"
    attributes: dict[str, Any] = dict(server.attributes or {})
    assert attributes.pop("request.id")
    assert attributes == {
        "http.request.method": "POST",
        "http.route": "/v1/render",
        "http.response.status_code": 200,
        "organization.id": acme.pk,
    }
    stages = [span for span in of(spans, SpanKind.INTERNAL) if span.name.startswith("render.")]
    assert [span.name for span in stages] == STAGES
    assert server.context is not None
    assert {span.context.trace_id for span in stages if span.context} == {server.context.trace_id}
    assert {span.parent.span_id for span in stages if span.parent} == {server.context.span_id}
    assert "Ada" not in "".join(span.to_json() for span in spans.get_finished_spans())


def test_the_callers_trace_is_taken_over(secret: ApiClient, spans: InMemorySpanExporter) -> None:
    secret.get("/v1/orgs", traceparent=f"00-{TRACE_ID}-00f067aa0ba902b7-01", tracestate="vendor=1")
    (server,) = of(spans, SpanKind.SERVER)
    assert server.context is not None
    assert f"{server.context.trace_id:032x}" == TRACE_ID
    assert server.parent is not None
    assert f"{server.parent.span_id:016x}" == "00f067aa0ba902b7"


@pytest.mark.parametrize("header", ["nonsense", "00-0-0-01", f"ff-{TRACE_ID}-00f067aa0ba902b7-01", ""])
def test_a_header_that_is_none_begins_a_trace(
    secret: ApiClient, spans: InMemorySpanExporter, header: str
) -> None:
    assert secret.get("/v1/orgs", traceparent=header).status_code == 200
    (server,) = of(spans, SpanKind.SERVER)
    assert server.parent is None


def test_failures_are_marked_without_their_texts(
    secret: ApiClient, spans: InMemorySpanExporter, monkeypatch: pytest.MonkeyPatch
) -> None:
    template_id = secret.published()
    spans.clear()

    def crash(*_: object) -> None:
        raise ValueError("Ada Lovelace")

    monkeypatch.setattr("rendering.services.default_storage.save", crash)
    assert secret.render(template_id).status_code == 500
    (server,) = of(spans, SpanKind.SERVER)
    assert server.status.status_code is StatusCode.ERROR
    (store,) = [span for span in spans.get_finished_spans() if span.name == "render.store"]
    assert store.status.status_code is StatusCode.ERROR
    assert (store.attributes or {})["error.type"] == "ValueError"
    assert "Ada" not in "".join(span.to_json() for span in spans.get_finished_spans())


def test_off_is_off() -> None:
    assert not tracing.is_on()
    assert tracing.span("a") is tracing.span("b", x=1)
    with tracing.span("a") as nothing:
        assert nothing is None
    tracing.start("")
    assert not tracing.is_on()


def test_nothing_is_imported_when_off() -> None:
    code = (
        "import sys, config.tracing, config.observation; print([m for m in sys.modules if 'opentele' in m])"
    )
    done = subprocess.run(
        [sys.executable, "-c", f"from django.conf import settings; settings.configure(); {code}"],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=True,
    )
    assert done.stdout == "[]\n"


class Collector(ThreadingHTTPServer):
    """What receives spans."""

    def __init__(self) -> None:
        super().__init__(("127.0.0.1", 0), Receiver)
        self.received: list[tuple[str, bytes]] = []
        threading.Thread(target=self.serve_forever, daemon=True).start()


class Receiver(BaseHTTPRequestHandler):
    """Keeps the bodies."""

    def do_POST(self) -> None:
        body = self.rfile.read(int(self.headers["Content-Length"]))
        assert isinstance(self.server, Collector)
        self.server.received.append((self.path, gzip.decompress(body) if body[:2] == b"\x1f\x8b" else body))
        self.send_response(200)
        self.end_headers()

    def log_message(self, *_: Any) -> None:
        """Be quiet."""


def test_spans_reach_a_collector_at_the_end_of_a_process(secret: ApiClient, acme: Organization) -> None:
    with Collector() as collector:
        tracing.start(f"http://127.0.0.1:{collector.server_port}")
        try:
            assert secret.get("/v1/orgs").status_code == 200
        finally:
            tracing.stop()
        assert not tracing.is_on()
        collector.shutdown()
    ((path, body),) = collector.received
    assert path == "/v1/traces"
    assert b"GET /v1/orgs" in body
    assert tracing.NAME.encode() in body
    assert acme.credentials.secret_key.encode() not in body
