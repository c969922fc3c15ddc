"""Runs one measurement in this process, or many in fresh processes, and takes medians."""

from __future__ import annotations

import json
import os
import resource
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, BinaryIO, Final, Literal

from bench.workloads import WORKLOADS, Workload

ROOT: Final = Path(__file__).parent.parent
Side = Literal["floor", "ours"]
SIDES: Final[tuple[Side, ...]] = ("floor", "ours")
MEGABYTE: Final = 2**20
IN_MEMORY: Final = 8 * MEGABYTE  # of a document, as in the service; the rest goes to a temporary file
WARM_UP_SCALE: Final = 0.02
SEED: Final = 2026
Program = Callable[[dict[str, Any], BinaryIO], None]


@dataclass(frozen=True)
class Measurement:
    """One process: milliseconds per document, peak memory, and how much of it came on top of the data.

    `start_ms` is what loading modules took before the first document.
    """

    ms: float
    peak_mb: float
    over_data_mb: float
    kilobytes: float
    start_ms: float


# ---------------------------------------------------------------- inside the measured process


def measure(workload: Workload, side: Side, *, scale: float, seed: int, started: float) -> Measurement:
    """Measure one side of a workload in this process.

    A warm one writes a small document first, so that modules and fonts are loaded; its time is the median of
    its documents. A cold one counts from `started`, a reading of `time.monotonic()` before the process began.
    """
    before = time.monotonic()
    program = _program(workload, side, scale)
    start_ms = (time.monotonic() - before) * 1000
    if not workload.cold:
        small = min(scale, 1.0) * WARM_UP_SCALE
        warm_up = _program(workload, side, small)
        _write(warm_up, workload.documents(seed + 1, small)[0])
    documents = workload.documents(seed, scale)
    data_mb = resident_mb()
    times, size = [], 0
    for document in documents:
        begin = time.perf_counter()
        size = _write(program, document)
        times.append(time.perf_counter() - begin)
    elapsed = time.monotonic() - started if workload.cold else _median(times)
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / (
        1024 if sys.platform != "darwin" else MEGABYTE
    )
    return Measurement(elapsed * 1000, peak, max(peak - data_mb, 0.0), size / 1024, start_ms)


def _write(program: Program, document: dict[str, Any]) -> int:
    with tempfile.SpooledTemporaryFile(max_size=IN_MEMORY) as out:
        program(document, out)  # type: ignore[arg-type]
        out.seek(0, os.SEEK_END)
        return out.tell()


def resident_mb() -> float:
    """Return the memory in use now; where there is no /proc, the peak so far."""
    try:
        pages = int(Path("/proc/self/statm").read_text().split()[1])
    except OSError:
        return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / MEGABYTE
    return pages * resource.getpagesize() / MEGABYTE


def _program(workload: Workload, side: Side, scale: float) -> Program:
    """Return the function from data to file."""
    if side == "ours":
        return our_command(workload, scale) if workload.cold else our_program(workload, scale)
    from bench.floors import FLOORS

    return FLOORS[workload.name]


def our_program(workload: Workload, scale: float) -> Program:
    """Return our way from stored content and data to the file: what a request does once its body is read.

    Typed content is made anew for each document, as it is for each request. Each call has a copy of the
    stored content, as the database gives it, so that what the warm-up compiled has to be compared with it.
    """
    from rendering import engine
    from rendering.formats import RENDERERS
    from rendering.formats.base import Limits
    from rendering.inline_images import inline_image
    from templates_app.content import Content

    stored = json.loads(json.dumps(workload.template(workload.rows(scale))))
    renderer = RENDERERS[workload.format]
    created_at = datetime(2026, 1, 1, tzinfo=UTC)

    def program(data: dict[str, Any], out: BinaryIO) -> None:
        content = Content(
            name=workload.title,
            description="",
            formats=[workload.format],
            sections=stored["sections"],
            variables=stored["variables"],
            page=stored["page"],
            sample_data={},
        )
        renderer.check(content.kinds())
        values = engine.check_content(content, data)
        limits = Limits(max_pages=1_000_000, deadline=time.monotonic() + 3600, seconds=3600)
        engine.write(content, values, renderer, limits, out, load_image=inline_image, created_at=created_at)

    return program


def our_command(workload: Workload, scale: float) -> Program:
    """Return what `python -m rendering` does once it has read its two files, every check included."""
    import rendering.__main__  # noqa: F401 (what the command does before it loads anything)
    from rendering.command import render

    template = {
        "name": workload.title, "formats": [workload.format], **workload.template(workload.rows(scale))
    }  # fmt: skip

    def program(data: dict[str, Any], out: BinaryIO) -> None:
        render(template, data, out, created_at=datetime(2026, 1, 1, tzinfo=UTC))

    return program


# ---------------------------------------------------------------- outside


def run(
    names: list[str], rounds: int, *, scale: float, told: Callable[[str], None]
) -> Iterator[tuple[Workload, dict[Side, Measurement]]]:
    """Yield each workload with the medians of both sides, measured in turns, every one in a fresh process.

    Raises subprocess.CalledProcessError when a measured process fails.
    """
    with tempfile.TemporaryDirectory(prefix="bench-") as folder:
        # Modules are compiled once, as on a machine where they have been installed: for both sides.
        environment = {**os.environ, "DATA_DIR": folder, "PYTHONPYCACHEPREFIX": folder}
        environment.pop("PYTHONDONTWRITEBYTECODE", None)
        for side in SIDES:
            _spawn("W1cold", side, scale, SEED, environment)
        for name in names:
            found: dict[Side, list[Measurement]] = {side: [] for side in SIDES}
            for number in range(rounds):
                for side in SIDES if number % 2 == 0 else reversed(SIDES):
                    told(f"{name} {side} {number + 1}/{rounds}")
                    found[side].append(_spawn(name, side, scale, SEED + number * 10, environment))
            yield WORKLOADS[name], {side: _medians(found[side]) for side in SIDES}


def _median(values: list[float]) -> float:
    from statistics import median  # not at the top: a cold start would count what this module loads

    return median(values)


def _spawn(name: str, side: Side, scale: float, seed: int, environment: dict[str, str]) -> Measurement:
    import subprocess

    started = time.monotonic()
    command = [sys.executable, "-m", "bench", "--measure", name, side, str(scale), str(seed), str(started)]
    done = subprocess.run(command, cwd=ROOT, env=environment, stdout=subprocess.PIPE, check=True)
    return Measurement(**json.loads(done.stdout))


def _medians(measurements: list[Measurement]) -> Measurement:
    return Measurement(
        **{
            name: _median([getattr(measurement, name) for measurement in measurements])
            for name in Measurement.__dataclass_fields__
        }
    )
