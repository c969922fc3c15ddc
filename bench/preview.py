"""`make bench-preview`: what a preview costs the server beside the bare render of the same document.

Both get the demo invoice with a letter more at each turn, as typing sends it: no content was seen before. The
bare render checks, resolves and draws it. The preview is a request through every middleware: session,
membership, rate limit, JSON in, the same stages, the answer out. Turns alternate; medians of the processor's
time are compared, so that other programs on the machine do not count.
"""

from __future__ import annotations

import io
import os
import statistics
import tempfile
import time
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from templates_app.models import Template

TURNS = 200
WARM_UP = 20
GOAL = 1.5


def main() -> None:
    """Measure and print both, with their ratio."""
    with tempfile.TemporaryDirectory(prefix="bench-preview-") as folder:
        os.environ.update(DATA_DIR=folder, DJANGO_SETTINGS_MODULE="config.settings", LOG_LEVEL="ERROR")
        os.environ["PREVIEW_RATE_LIMIT"] = "1000000/m"
        bare, warm, request = _sides()
        times: dict[Callable[[int], Any], list[float]] = {bare: [], warm: [], request: []}
        for turn in range(WARM_UP + TURNS):
            for side, taken in times.items():
                started = time.process_time()
                side(turn)
                taken.append((time.process_time() - started) * 1000)
        medians = [statistics.median(taken[WARM_UP:]) for taken in times.values()]
    known, seen, ours = medians
    print(f"demo invoice, processor time, medians of {TURNS} turns, ms")
    print(f"{'bare render, content never seen':36}{known:8.2f}")
    print(f"{'bare render, content seen before':36}{seen:8.2f}")
    print(f"{'preview, request to answer':36}{ours:8.2f}   ratio {ours / known:.2f} (goal {GOAL})")


def _sides() -> tuple[Callable[[int], Any], Callable[[int], Any], Callable[[int], Any]]:
    """Return the bare render of new and of known content, and the request, each of a turn's number."""
    template, headers = _demo()

    def sections(turn: int) -> list[Any]:
        return [*template.sections, {"type": "text", "content": f"Typed {'x' * (turn % 7)}{turn}"}]

    render, request = _bare_render(template), _request(template, headers)
    known = sections(0)
    return (
        lambda turn: render(sections(turn)),
        lambda turn: render(known),
        lambda turn: request(sections(turn + 10_000)),
    )


def _demo() -> tuple[Template, dict[str, str]]:
    """Make the demo, and return its invoice and the WSGI headers of a member who is logged in."""
    import django

    django.setup()
    from django.conf import settings
    from django.core.management import call_command
    from django.middleware.csrf import CSRF_SECRET_LENGTH
    from django.test import Client
    from django.utils.crypto import get_random_string

    from accounts.models import User
    from dashboard.seeding import seed_demo
    from templates_app.models import Template

    call_command("migrate", verbosity=0)
    access = seed_demo()
    template = Template.objects.select_related("organization").get(
        organization_id=access.organization_id, name="Invoice"
    )
    client = Client()
    client.force_login(User.objects.get(email=access.email))
    token = get_random_string(CSRF_SECRET_LENGTH)
    client.cookies[settings.CSRF_COOKIE_NAME] = token
    cookies = "; ".join(f"{name}={morsel.value}" for name, morsel in client.cookies.items())
    return template, {"HTTP_COOKIE": cookies, "HTTP_X_CSRFTOKEN": token}


def _body(template: Template) -> dict[str, Any]:
    return {name: getattr(template, name) for name in ("name", "description", "formats", "variables", "page")}


def _bare_render(template: Template) -> Callable[[list[Any]], bytes]:
    """Return what checks, resolves and draws the template with other sections."""
    from django.utils import timezone

    from rendering import engine
    from rendering.images import font_loader, image_loader
    from templates_app.content import Content

    body, organization = _body(template), template.organization

    def render(typed: list[Any]) -> bytes:
        content = Content(**body, sections=typed, sample_data={})
        renderer = engine.choose_renderer(content, "pdf")
        limits, out = engine.limits_from_now(), io.BytesIO()
        values = engine.check_content(content, template.sample_data, limits.check_time)
        engine.write(
            content, values, renderer, limits, out, load_image=image_loader(organization),
            load_font=font_loader(organization), created_at=timezone.now(),
        )  # fmt: skip
        return out.getvalue()

    return render


def _request(template: Template, headers: dict[str, str]) -> Callable[[list[Any]], bytes]:
    """Return what asks for a preview of the template with other sections, through every middleware."""
    import orjson
    from django.core.wsgi import get_wsgi_application

    body, application = _body(template), get_wsgi_application()

    def request(typed: list[Any]) -> bytes:
        content = {**body, "sampleData": {}, "sections": typed}
        sent = orjson.dumps({"content": content, "data": template.sample_data, "format": "pdf"})
        statuses: list[str] = []
        environ = {
            **headers,
            "REQUEST_METHOD": "POST",
            "PATH_INFO": f"/o/{template.organization_id}/preview",
            "SERVER_NAME": "localhost",
            "SERVER_PORT": "80",
            "SERVER_PROTOCOL": "HTTP/1.1",
            "HTTP_HOST": "localhost",
            "CONTENT_TYPE": "application/json",
            "CONTENT_LENGTH": str(len(sent)),
            "wsgi.input": io.BytesIO(sent),
            "wsgi.url_scheme": "http",
            "wsgi.errors": io.StringIO(),
            "REMOTE_ADDR": "127.0.0.1",
        }

        def answer(status: str, headers: Any, error: Any = None) -> Callable[[bytes], None]:
            statuses.append(status)
            return lambda written: None

        parts = application(environ, answer)
        answered = b"".join(parts)
        assert statuses == ["200 OK"], (statuses, answered[:300])
        return answered

    return request


if __name__ == "__main__":
    main()
