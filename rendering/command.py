"""One document from files: the engine without a server, a database or Django."""

from __future__ import annotations

import os
import sys
import time
from collections.abc import Mapping, Sequence
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any, BinaryIO, Final

from config.api.errors import ApiError
from rendering import engine
from rendering.formats import RENDERERS
from rendering.inline_images import inline_image
from templates_app import formats
from templates_app.files import content_of

if TYPE_CHECKING:
    from argparse import Namespace

REFUSED: Final = 1  # the template or the data
MISUSED: Final = 2  # an argument, a file or a setting
STANDARD: Final = "-"


class Misuse(Exception):
    """A wrong argument, file or setting; one line each."""


def render(
    template: Mapping[str, Any],
    data: dict[str, Any] | None,
    out: BinaryIO,
    *,
    format: str | None = None,
    created_at: datetime | None = None,
) -> None:
    """Render one document of a template as `POST /v1/templates` takes it; raises what `engine` raises.

    No data stands for the template's sample data. Images are data URIs only. Limits are the operator's.
    """
    formats.announce(lambda: tuple(RENDERERS))
    content = content_of(template)
    renderer = engine.choose_renderer(content, format)
    limits = engine.limits_from_now()
    values = engine.check_content(
        content, dict(content.sample_data) if data is None else data, limits.check_time
    )
    created_at = created_at or datetime.fromtimestamp(int(time.time()), UTC)
    engine.write(content, values, renderer, limits, out, load_image=inline_image, created_at=created_at)


def main(given: Sequence[str] | None = None) -> int:
    """Run the command line; return 0, 1 for a refused document, 2 for wrong arguments, files or settings."""
    options = _options(given)
    try:
        _check_limits()
        template = _object(options.template)
        data = None if options.data is None else _object(options.data)
        format = options.format or _format_of(options.output)
        _to(options.output, lambda out: render(template, data, out, format=format))
    except Misuse as error:
        return _told(str(error).splitlines(), MISUSED)
    except Exception as error:
        refusal = engine.as_refusal(error)
        if refusal is None:
            raise
        lines = [f"{path}: {text}" for path, text in refusal.errors.items()]
        return _told(lines or [refusal.message], REFUSED)
    return 0


def _options(given: Sequence[str] | None) -> Namespace:
    from argparse import ArgumentParser

    parser = ArgumentParser(prog="python -m rendering", description="Render one document without a server.")
    parser.add_argument(
        "--template", required=True, metavar="FILE", help="a template as POST /v1/templates takes it"
    )
    parser.add_argument("--data", metavar="FILE", help="JSON object; without it, the template's sampleData")
    parser.add_argument(
        "--format",
        choices=tuple(RENDERERS),
        help="default: what the name to write says, else the first that the template has",
    )
    parser.add_argument(
        "-o", "--output", required=True, metavar="FILE", help='where to write; "-" is standard output'
    )
    return parser.parse_args(given)


def _format_of(name: str) -> str | None:
    """Return the format that the ending of a file's name says, None where it says none."""
    ending = name.rpartition(".")[2].lower()
    return ending if ending in RENDERERS else None


def _check_limits() -> None:
    from config.limits import from_environment

    try:
        from_environment()
    except ValueError as error:
        raise Misuse(str(error)) from None


def _object(name: str) -> dict[str, Any]:
    """Return the JSON object of a file."""
    from config.api.objects import parse_object

    try:
        if name == STANDARD:
            raw = sys.stdin.buffer.read()
        else:
            with open(name, "rb") as file:
                raw = file.read()
        return parse_object(raw, "the file")
    except OSError as error:
        raise Misuse(f"{name}: {error.strerror or error}") from None
    except ApiError as error:
        raise Misuse(f"{name}: {error.message}") from None


def _to(name: str, write: Any) -> None:
    """Write a file that is either complete or not there."""
    import tempfile

    with tempfile.SpooledTemporaryFile(max_size=8 * 2**20) as out:
        write(out)
        out.seek(0)
        try:
            if name == STANDARD:
                _copy(out, sys.stdout.buffer)
                return
            draft = f"{name}.{os.getpid()}.part"
            try:
                with open(draft, "xb") as file:
                    _copy(out, file)
                os.replace(draft, name)
            except BaseException:
                if os.path.exists(draft):
                    os.unlink(draft)
                raise
        except OSError as error:
            raise Misuse(f"{name}: {error.strerror or error}") from None


def _copy(source: Any, target: BinaryIO) -> None:
    while part := source.read(2**20):
        target.write(part)


def _told(lines: Sequence[str], code: int) -> int:
    for line in lines:
        print(line, file=sys.stderr)
    return code
