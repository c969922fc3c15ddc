"""Memory of a long-running worker: `python -m bench.soak` renders 20,000 documents, all different.

Prints the resident memory after every tenth of them; the last five figures should not climb.
"""

from __future__ import annotations

import argparse
import gc
import time
from io import BytesIO
from random import Random

from bench.runner import our_program, resident_mb
from bench.workloads import WORKLOADS

RENDERS = 20_000
# Mostly invoices, with statements and sheets of changing length in between.
MIX = ("W1", "W1", "W1", "W2", "W1", "W1", "W1", "X1", "W1", "W4")
SCALES = {"W1": 1.0, "W2": 0.03, "X1": 0.05, "W4": 0.04}


def soak(renders: int) -> list[float]:
    """Render so many documents and return the memory in MB after every tenth of them."""
    programs = {name: our_program(WORKLOADS[name], SCALES[name]) for name in SCALES}
    random = Random(2026)
    readings: list[float] = []
    for number in range(1, renders + 1):
        name = MIX[number % len(MIX)]
        workload = WORKLOADS[name]
        programs[name](workload.data(random, workload.rows(SCALES[name])), BytesIO())
        if number % max(renders // 10, 1) == 0:
            gc.collect()
            readings.append(resident_mb())
    return readings


def main() -> None:
    """Print one line for every tenth of the renders."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--renders", type=int, default=RENDERS)
    renders = parser.parse_args().renders
    started = time.perf_counter()
    readings = soak(renders)
    for number, reading in enumerate(readings, start=1):
        print(f"{renders * number // 10:>8} renders  {reading:8.1f} MB")
    spread = max(readings[5:]) - min(readings[5:])
    print(f"{time.perf_counter() - started:.0f} s; last five within {spread:.1f} MB")


if __name__ == "__main__":
    main()
