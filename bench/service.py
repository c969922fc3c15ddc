"""What the service costs around a render: `python -m bench.service`, or `make bench-service`.

The demo's one-page invoice over HTTP, on PostgreSQL (with fsync), Redis and a bucket, from 20 clients at
once, beside the same document drawn in as many processes as there are cores and nothing else. Both take
turns in one run, so that a slow moment of the machine meets both. Everything shares the cores: the clients,
the servers and the service.
"""

from __future__ import annotations

import argparse
import json
import os
import selectors
import socket
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from statistics import median, quantiles
from typing import Any, Final

from tests.live.service import Service
from tests.parts import Parts, start_parts

ROOT: Final = Path(__file__).parent.parent
CLIENTS: Final = 20
ROUNDS: Final = 4
SECONDS: Final = 8.0
ALLOWED_COST: Final = 0.35
BODIES: Final = 500
_TICKS: Final = os.sysconf("SC_CLK_TCK")
SECRETS: Final = {"SECRET_KEY": "bench-secret-" * 5, "CREDENTIALS_KEYS": "bench-credentials-" * 3}


def main() -> None:
    """Measure and print; exit code 1 when the service costs more than it may."""
    parser = argparse.ArgumentParser(prog="python -m bench.service", description=__doc__)
    parser.add_argument("--clients", type=int, default=CLIENTS)
    parser.add_argument("--rounds", type=int, default=ROUNDS)
    parser.add_argument("--seconds", type=float, default=SECONDS, help="of each side in each round")
    parser.add_argument("--embedded", action="store_true", help="SQLite, diskcache and files instead")
    parser.add_argument("--draw", metavar="FILE", help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.draw:
        draw(Path(options.draw), options.seconds)
        return
    with running(options.embedded) as (service, told):
        print(
            f"Parts: {told}. {options.clients} clients, {cores()} cores, medians of {options.rounds} rounds\n"
        )
        cost = compare(service, options.clients, options.rounds, options.seconds)
    sys.exit(cost > ALLOWED_COST)


def cores() -> int:
    """Return how many cores this run may use."""
    return len(os.sched_getaffinity(0))


@contextmanager
def running(embedded: bool) -> Iterator[tuple[Service, str]]:
    """Run a service with the demo in it; the text tells on what."""
    with tempfile.TemporaryDirectory(prefix="documents-bench-") as folder:
        if embedded:
            with serving(Path(folder), {}) as service:
                yield service, "SQLite, diskcache, local files"
            return
        with start_parts(durable=True) as parts, serving(Path(folder), on(parts)) as service:
            yield service, parts.versions


def on(parts: Parts) -> dict[str, str]:
    """Return the settings of a service with a new database and bucket on the parts."""
    parts.create_database("bench")
    parts.create_bucket("bench")
    return parts.environment("bench", 1, "bench") | SECRETS


@contextmanager
def serving(folder: Path, environment: dict[str, str]) -> Iterator[Service]:
    """Run the service: one web process per core."""
    service = Service(folder / "data", on=environment, WORKERS=cores(), JOB_WORKERS=0, LOG_LEVEL="WARNING")
    try:
        service.start()
        service.manage("seed_demo")
        yield service
    finally:
        service.stop()


def compare(service: Service, clients: int, rounds: int, seconds: float) -> float:
    """Measure both sides in turns, a line for each round, and return the share that the service costs."""
    demo = service.data_dir / "demo"
    body = json.loads((demo / "invoice.json").read_text())
    key = json.loads((demo / "access.json").read_text())["secretKey"]
    requests = [request_for(service, key, body, number) for number in range(BODIES)]
    load(service, requests, clients, 2.0)  # connections, caches, fonts
    print(f"{'in-process/s':>14}{'service/s':>12}{'share':>8}{'p50 ms':>9}{'p99 ms':>9}")
    drawn, alone, served, waits = [], [], [], []
    used: dict[str, float] = {}
    for _ in range(rounds):
        rate, milliseconds = rate_in_process(service, seconds)
        drawn.append(rate)
        alone.append(milliseconds)
        before = cpu_seconds()
        outcome = load(service, requests, clients, seconds)
        for name, value in cpu_seconds().items():
            used[name] = used.get(name, 0.0) + value - before.get(name, 0.0)
        served.append(outcome.rate)
        waits += outcome.waits
        told(drawn[-1], outcome.rate, outcome.waits)
    print("-" * 52)
    told(median(drawn), median(served), waits)
    shares = ", ".join(f"{name} {value * 1000 / len(waits):.1f}" for name, value in sorted(used.items()))
    print(f"\nProcessor time of one document in ms: {shares}; drawn alone {median(alone):.1f}")
    cost = 1 - median(served) / median(drawn)
    print(f"\nThe service costs {cost:.0%} of the throughput; it may cost {ALLOWED_COST:.0%}.")
    return cost


def told(drawn: float, served: float, waits: list[float]) -> None:
    """Print one line."""
    percentiles = quantiles(waits, n=100)
    print(
        f"{drawn:14.1f}{served:12.1f}{served / drawn:8.2f}{percentiles[49] * 1000:9.1f}"
        f"{percentiles[98] * 1000:9.1f}",
        flush=True,
    )


# ---------------------------------------------------------------- the service's side


@dataclass
class Outcome:
    """Answers of one measurement: seconds that each took, and all together."""

    seconds: float = 0.0
    waits: list[float] = field(default_factory=list)

    @property
    def rate(self) -> float:
        """Documents per second."""
        return len(self.waits) / self.seconds


@dataclass
class Client:
    """One connection with one request on its way."""

    connection: socket.socket
    sent_at: float = 0.0
    received: bytes = b""


def request_for(service: Service, key: str, body: dict[str, Any], number: int) -> bytes:
    """Return the bytes of a render; every one asks for another document."""
    data = body["data"] | {"number": f"2026-{number:04}"}
    content = json.dumps(body | {"data": data}).encode()
    head = (
        f"POST /v1/render HTTP/1.1\r\nHost: 127.0.0.1:{service.port}\r\nx-api-key: {key}\r\n"
        f"Content-Type: application/json\r\nContent-Length: {len(content)}\r\n\r\n"
    )
    return head.encode() + content


def load(service: Service, requests: list[bytes], clients: int, seconds: float) -> Outcome:
    """Keep `clients` requests on their way for `seconds`; fails for any answer but 200.

    One thread with bare sockets: what a client library costs would be taken from the service's cores.
    """
    outcome = Outcome()
    number = 0
    with selectors.DefaultSelector() as selector:
        for _ in range(clients):
            connection = socket.create_connection(("127.0.0.1", service.port))
            connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
            selector.register(connection, selectors.EVENT_READ, Client(connection))
        waiting = [key.data for key in selector.get_map().values()]
        started = time.perf_counter()
        stop_at = started + seconds
        on_their_way = 0
        while waiting or on_their_way:
            for client in waiting:
                if time.perf_counter() < stop_at:
                    client.sent_at, client.received = time.perf_counter(), b""
                    client.connection.sendall(requests[number % len(requests)])
                    number += 1
                    on_their_way += 1
            waiting = []
            for key, _ in selector.select() if on_their_way else ():
                client = key.data
                client.received += client.connection.recv(65536)
                if is_complete(client.received):
                    outcome.waits.append(time.perf_counter() - client.sent_at)
                    on_their_way -= 1
                    waiting.append(client)
        outcome.seconds = time.perf_counter() - started
        for key in list(selector.get_map().values()):
            key.data.connection.close()
    return outcome


def is_complete(answer: bytes) -> bool:
    """Tell whether an answer has arrived as a whole; fails for any but 200."""
    head, found, body = answer.partition(b"\r\n\r\n")
    assert answer, "the service closed the connection"
    if not found:
        return False
    assert head.startswith(b"HTTP/1.1 200"), answer
    length = int(head.lower().split(b"content-length: ")[1].split(b"\r\n")[0])
    return len(body) >= length


def cpu_seconds() -> dict[str, float]:
    """Return the processor time used so far by this process and all below it, by the name of the program."""
    parents, names, used = {}, {}, {}
    for folder in Path("/proc").glob("[0-9]*"):
        try:
            name, _, rest = (folder / "stat").read_text().partition("(")[2].rpartition(")")
        except OSError:
            continue
        fields = rest.split()
        pid = int(folder.name)
        parents[pid], used[pid] = int(fields[1]), (int(fields[11]) + int(fields[12])) / _TICKS
        names[pid] = "clients" if pid == os.getpid() else "service" if name.startswith("python") else name
    found: dict[str, float] = {}
    for pid, name in names.items():
        ancestor = pid
        while ancestor not in {0, os.getpid()}:
            ancestor = parents.get(ancestor, 0)
        if ancestor:
            found[name] = found.get(name, 0.0) + used[pid]
    return found


# ---------------------------------------------------------------- the other side


def rate_in_process(service: Service, seconds: float) -> tuple[float, float]:
    """Return documents per second of one drawing process per core, and the processor time of one in ms."""
    command = [
        sys.executable, "-m", "bench.service", "--seconds", str(seconds),
        "--draw", str(service.data_dir / "demo" / "invoice.json"),
    ]  # fmt: skip
    processes = [
        subprocess.Popen(command, cwd=ROOT, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
        for _ in range(cores())
    ]
    for process in processes:
        assert process.stdout is not None
        assert process.stdout.readline() == "ready\n"
    for process in processes:
        assert process.stdin is not None
        process.stdin.write("go\n")
        process.stdin.flush()
    found = [json.loads(process.communicate()[0]) for process in processes]
    return sum(rate for rate, _ in found), median(milliseconds for _, milliseconds in found)


def draw(request: Path, seconds: float) -> None:
    """Draw the invoice again and again in this process; print documents per second and the time of one."""
    from io import BytesIO

    from bench.invoice import program

    write = program(json.loads(request.read_text())["data"])
    for number in range(50):
        write(number, BytesIO())
    print("ready", flush=True)
    sys.stdin.readline()
    started, used, number = time.perf_counter(), time.process_time(), 0
    while time.perf_counter() < started + seconds:
        out = BytesIO()
        write(number, out)
        assert out.getbuffer()[:5] == b"%PDF-"
        number += 1
    rate = number / (time.perf_counter() - started)
    print(json.dumps([rate, (time.process_time() - used) * 1000 / number]), flush=True)


if __name__ == "__main__":
    main()
