"""A long-running worker: `python -m bench.soak` renders 20,000 documents, all different.

Prints the resident memory after every tenth of them: it grows while caches fill, and stays flat afterwards.
With `--threads 16` so many threads draw a smaller set of documents at once, again and again, and every one is
compared with what a single thread made of it before.
"""

from __future__ import annotations

import argparse
import gc
import hashlib
import sys
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from io import BytesIO
from random import Random
from typing import Any, Final

from bench.runner import Program, our_program, resident_mb
from bench.workloads import WORKLOADS

RENDERS: Final = 20_000
# Mostly invoices, with statements and sheets of changing length in between.
MIX: Final = ("W1", "W1", "W1", "W2", "W1", "W1", "W1", "X1", "W1", "W4")
SCALES: Final = {"W1": 1.0, "W2": 0.03, "X1": 0.05, "W4": 0.04}
SEED: Final = 2026
COMPARED: Final = 400  # different documents that threads draw again and again
PARTS: Final = 10


def soak(renders: int) -> list[float]:
    """Render so many documents and return the memory in MB after every tenth of them."""
    programs = _programs()
    random = Random(SEED)
    readings: list[float] = []
    for number in range(1, renders + 1):
        name = MIX[number % len(MIX)]
        programs[name](_data(name, random), BytesIO())
        if number % max(renders // PARTS, 1) == 0:
            gc.collect()
            readings.append(resident_mb())
            print(f"{number:>8} renders  {readings[-1]:8.1f} MB", flush=True)
    return readings


def compare(renders: int, threads: int) -> list[int]:
    """Render with many threads at once; return which documents ever differ from the single thread's."""
    programs = _programs()
    random = Random(SEED)
    names = [MIX[number % len(MIX)] for number in range(min(COMPARED, renders))]
    documents = [(name, _data(name, random)) for name in names]
    wanted = [_digest(programs[name], data) for name, data in documents]
    order = [number % len(documents) for number in range(renders)]
    random.shuffle(order)

    def draw(part: list[int]) -> Iterator[int]:
        for number in part:
            name, data = documents[number]
            if _digest(programs[name], data) != wanted[number]:
                yield number

    with ThreadPoolExecutor(threads) as pool:
        found = pool.map(lambda start: list(draw(order[start::threads])), range(threads))
        return sorted({number for part in found for number in part})


def _programs() -> dict[str, Program]:
    return {name: our_program(WORKLOADS[name], scale) for name, scale in SCALES.items()}


def _data(name: str, random: Random) -> dict[str, Any]:
    workload = WORKLOADS[name]
    return workload.data(random, workload.rows(SCALES[name]))


def _digest(program: Program, data: dict[str, Any]) -> bytes:
    out = BytesIO()
    program(data, out)
    return hashlib.sha256(out.getvalue()).digest()


def main() -> None:
    """Print the memory, or whether threads agree; exits with 1 when they do not."""
    parser = argparse.ArgumentParser(prog="python -m bench.soak", description=__doc__)
    parser.add_argument("--renders", type=int, default=RENDERS)
    parser.add_argument("--threads", type=int, default=0, help="compare so many threads with a single one")
    options = parser.parse_args()
    started = time.perf_counter()
    if options.threads:
        differing = compare(options.renders, options.threads)
        said = f"{len(differing)} documents differ: {differing[:20]}" if differing else "all bytes are equal"
        print(f"{options.renders} renders by {options.threads} threads: {said}; {resident_mb():.1f} MB")
        sys.exit(bool(differing))
    readings = soak(options.renders)
    spread = max(readings[5:]) - min(readings[5:])
    print(f"{time.perf_counter() - started:.0f} s; last five within {spread:.1f} MB")


if __name__ == "__main__":
    main()
