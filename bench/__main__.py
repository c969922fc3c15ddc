"""`python -m bench`: our workloads beside their floors, as a table of ratios."""

from __future__ import annotations

import json
import sys
from collections.abc import Sequence
from dataclasses import asdict
from typing import TYPE_CHECKING, cast

from bench.runner import Measurement, Side, measure, run
from bench.workloads import WORKLOADS, Workload

if TYPE_CHECKING:
    import argparse

QUICK: tuple[str, ...] = ("W1", "W2", "W4", "X1")
ROUNDS = 3
HEAD = (
    f"{'':8}{'':24}{'floor ms':>10}{'ours ms':>10}{'ratio':>8}{'goal':>7}"
    f"{'':>6}{'peak MB':>9}{'+data MB':>10}{'floor MB':>10}{'KB':>8}{'floor KB':>10}"
)
LEGEND = (
    "ratio: ours to the floor, less is better. peak MB: of the whole process; +data MB: on top of what it\n"
    "held with data and modules in place. W1cold: from the start of the process."
)


def arguments(given: Sequence[str] | None = None) -> argparse.Namespace:
    """Return the parsed command line; exits with a message for a wrong one."""
    import argparse

    parser = argparse.ArgumentParser(prog="python -m bench", description=__doc__)
    parser.add_argument("workloads", nargs="*", metavar="W1|W1cold|W2|...", help="default: all but the large")
    parser.add_argument("--full", action="store_true", help="the large ones (W3, X3) too")
    parser.add_argument("--cold", action="store_true", help="a new process per invoice (W1cold) too")
    parser.add_argument("--quick", action="store_true", help="about 20 seconds: fewer workloads, one round")
    parser.add_argument("--rounds", type=int, default=None, help=f"processes per figure (default {ROUNDS})")
    parser.add_argument("--scale", type=float, default=1.0, help="times as many rows (W3: 0.2, 1, 4)")
    parser.add_argument("--json", action="store_true", help="one JSON object per workload")
    options = parser.parse_args(given)
    unknown = [name for name in options.workloads if name not in WORKLOADS]
    if unknown:
        parser.error(f"unknown workload {', '.join(unknown)}; known are {', '.join(WORKLOADS)}")
    if options.scale <= 0 or (options.rounds is not None and options.rounds < 1):
        parser.error("--scale and --rounds must be positive")
    return options


def chosen(options: argparse.Namespace) -> list[str]:
    """Return the names of the workloads to run, in the order of the table."""
    if options.workloads:
        return list(options.workloads)
    if options.quick:
        return [*QUICK, "W1cold"] if options.cold else list(QUICK)
    return [
        name
        for name, workload in WORKLOADS.items()
        if (options.full or not workload.full) and (options.cold or not workload.cold)
    ]


def line(workload: Workload, found: dict[Side, Measurement]) -> str:
    """Return one line of the table."""
    ours, floor = found["ours"], found["floor"]
    ratio = ours.ms / floor.ms
    return (
        f"{workload.name:8}{workload.title:24}{floor.ms:10,.2f}{ours.ms:10,.2f}{ratio:8.2f}{workload.goal:7.2f}"
        f"{'ok' if ratio <= workload.goal else 'miss':>6}{ours.peak_mb:9,.0f}{ours.over_data_mb:10,.1f}"
        f"{floor.over_data_mb:10,.1f}{ours.kilobytes:8,.0f}{floor.kilobytes:10,.0f}"
    )


def main() -> None:
    """Measure and print."""
    if sys.argv[1:2] == ["--measure"]:  # before anything that a cold start would have to load
        name, side, scale, seed, started = sys.argv[2:]
        result = measure(
            WORKLOADS[name],
            cast(Side, side),
            scale=float(scale),
            seed=int(seed),
            started=float(started),
        )
        print(json.dumps(asdict(result)))
        return
    _table(arguments())


def _table(options: argparse.Namespace) -> None:
    from bench.floors import font_files

    def told(text: str) -> None:
        if sys.stderr.isatty():
            print(f"\r{text:40}\r", end="", file=sys.stderr, flush=True)

    rounds = options.rounds or (1 if options.quick else ROUNDS)
    if not options.json:
        print(f"Floor font: {font_files()[0].name}; {rounds} processes per figure, medians\n\n{HEAD}")
    for workload, found in run(chosen(options), rounds, scale=options.scale, told=told):
        if options.json:
            sides = {side: asdict(measurement) for side, measurement in found.items()}
            print(json.dumps({"workload": workload.name, "goal": workload.goal, **sides}), flush=True)
            continue
        print(line(workload, found), flush=True)
        if workload.cold:
            print(f"{'':8}of ours, {found['ours'].start_ms:,.0f} ms were modules")
    if not options.json:
        print(f"\n{LEGEND}")


if __name__ == "__main__":
    main()
