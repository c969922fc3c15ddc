"""OpenTelemetry traces, when OTEL_EXPORTER_OTLP_ENDPOINT is set; nothing is even imported when it is not.

A span per request and one for each stage of a render. A span holds routes, statuses and ids of requests and
organizations, never keys, data or texts of errors. The usual OTEL_* variables of the SDK (service name,
sampling, headers) count as well.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import AbstractContextManager, contextmanager, nullcontext
from typing import TYPE_CHECKING, Any, Final

if TYPE_CHECKING:
    from opentelemetry.sdk.trace import TracerProvider
    from opentelemetry.trace import Span, Tracer

NAME: Final = "document-rendering-service"
_OFF: Final[AbstractContextManager[None]] = nullcontext()
# A collector that is away must not hold up the end of a process.
EXPORT_SECONDS: Final = 5
_tracer: Tracer | None = None
_provider: TracerProvider | None = None


def start(endpoint: str) -> None:
    """Send this process's spans to a collector; called once, where requests or jobs begin. Empty: off."""
    if not endpoint or _tracer is not None:
        return
    import os

    from opentelemetry.exporter.otlp.proto.http.trace_exporter import OTLPSpanExporter
    from opentelemetry.sdk.resources import Resource
    from opentelemetry.sdk.trace import TracerProvider
    from opentelemetry.sdk.trace.export import BatchSpanProcessor

    name = os.environ.get("OTEL_SERVICE_NAME") or NAME
    provider = TracerProvider(resource=Resource.create({"service.name": name}))
    exporter = OTLPSpanExporter(endpoint=f"{endpoint}/v1/traces", timeout=EXPORT_SECONDS)
    provider.add_span_processor(BatchSpanProcessor(exporter))
    use(provider)


def stop() -> None:
    """Send what is left; called at the end of a process that has started."""
    if (provider := _provider) is not None:
        use(None)
        provider.shutdown()


def use(provider: TracerProvider | None) -> None:
    """Make spans with a provider; None ends that."""
    global _tracer, _provider
    _provider = provider
    _tracer = provider.get_tracer(NAME) if provider is not None else None


def is_on() -> bool:
    """Tell whether anybody wants spans."""
    return _tracer is not None


def span(name: str, **attributes: str | int) -> AbstractContextManager[Any]:
    """Return a context that is one span of the current trace; one that does nothing when traces are off."""
    return _OFF if _tracer is None else _span(_tracer, name, attributes)


@contextmanager
def _span(tracer: Tracer, name: str, attributes: Mapping[str, str | int]) -> Iterator[Span]:
    from opentelemetry.trace import Status, StatusCode

    with tracer.start_as_current_span(
        name, attributes=dict(attributes), record_exception=False, set_status_on_exception=False
    ) as current:
        try:
            yield current
        except BaseException as error:
            # The class only: the text of an exception may quote a caller's data.
            current.set_attribute("error.type", type(error).__qualname__)
            current.set_status(Status(StatusCode.ERROR))
            raise


@contextmanager
def request_span(method: str, headers: Mapping[str, str]) -> Iterator[Span]:
    """Open the span of a request, within the caller's trace where it sends a W3C `traceparent`.

    Only to be called when `is_on`.
    """
    from opentelemetry.trace import SpanKind
    from opentelemetry.trace.propagation.tracecontext import TraceContextTextMapPropagator

    assert _tracer is not None
    given = {name: headers[name] for name in ("traceparent", "tracestate") if name in headers}
    context = TraceContextTextMapPropagator().extract(given)
    attributes = {"http.request.method": method}
    with _tracer.start_as_current_span(method, context, SpanKind.SERVER, attributes) as current:
        yield current


def finish_request(
    current: Span, *, method: str, route: str, status: int, request_id: str, organization_id: str
) -> str:
    """Name a request's span by its route and say how it was answered; return the id of its trace in hex."""
    from opentelemetry.trace import Status, StatusCode, format_trace_id

    current.update_name(f"{method} {route}")
    current.set_attribute("http.route", route)
    current.set_attribute("http.response.status_code", status)
    current.set_attribute("request.id", request_id)
    if organization_id:
        current.set_attribute("organization.id", organization_id)
    if status >= 500:
        current.set_status(Status(StatusCode.ERROR))
    return format_trace_id(current.get_span_context().trace_id)
