"""`manage.py serve`, from a database that it refuses to both of its ends."""

from __future__ import annotations

import contextlib
import os
import signal
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from itertools import cycle, islice
from pathlib import Path

import httpx
import pytest

from config import serving
from tests.conftest import INVOICE, INVOICE_DATA
from tests.live.service import ROOT, Account, Api, Service, pause, resume, wait_for
from tests.live.windows import account_with_fresh_window

pytestmark = [pytest.mark.embedded, pytest.mark.live]

ENDPOINTS = ("/v1/orgs", "/v1/templates", "/v1/usage", "/v1/usage/trend", "/v1/assets", "/v1/templates/none")
WORKERS = 2


@pytest.fixture(scope="module")
def stage(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Service]:
    """A service with the default limit and the default job worker."""
    service = Service(
        tmp_path_factory.mktemp("serve") / "data",
        WORKERS=WORKERS,
        THREADS=2,
        RATE_LIMIT="100/m",
        JOB_WORKERS="",
        LOG_LEVEL="INFO",
    )
    try:
        yield service
    finally:
        service.stop()


@pytest.fixture
def serve(stage: Service) -> Service:
    """The service of this module, running; a test may end it."""
    return stage if stage.is_running() else stage.start()


# A command of each kind that asks the database, Django's own among them.
COMMANDS = ["serve", "worker", "create_organization X", "purge", "sweep", "rotate_encryption", "seed_demo"]


def refused(command: str, data_dir: Path, **settings: str) -> str:
    """Return what a command says that does not start: a few words, no traceback."""
    environment = Service(data_dir, on={}).environment | settings
    ended = subprocess.run(
        [sys.executable, "manage.py", *command.split()],
        cwd=ROOT, env=environment, capture_output=True, text=True, timeout=120,
    )  # fmt: skip
    assert ended.returncode == 1
    assert "Traceback" not in ended.stderr
    return ended.stderr


@pytest.mark.parametrize("command", COMMANDS)
def test_a_database_that_is_not_migrated_is_refused(tmp_path: Path, command: str) -> None:
    said = refused(command, tmp_path)
    assert said.startswith("CommandError: ")
    assert said.endswith(" migrations are not applied: run manage.py migrate\n")


@pytest.mark.parametrize("command", [*COMMANDS, "migrate", "showmigrations"])
def test_a_database_that_does_not_answer_is_named(tmp_path: Path, command: str) -> None:
    (tmp_path / "database.sqlite3").mkdir()
    said = refused(command, tmp_path)
    assert said == "CommandError: the database does not answer: unable to open database file\n"


def test_wrong_settings_are_said_in_a_line_each(tmp_path: Path) -> None:
    said = refused("serve", tmp_path, PORT="abc", DEBUG="perhaps")
    assert said.splitlines() == [
        "Wrong settings:",
        "  PORT='abc': must be a whole number",
        "  DEBUG='perhaps': must be true or false",
    ]


def test_a_data_folder_that_cannot_be_used_is_named(tmp_path: Path) -> None:
    file = tmp_path / "file"
    file.touch()
    for folder in (file, file / "below"):
        reason = f"DATA_DIR='{folder}': must be a folder, and a file is in its place"
        assert refused("serve", folder) == f"Wrong settings:\n  {reason}\n"
    (tmp_path / "data" / "secret_key").mkdir(parents=True)
    said = refused("serve", tmp_path / "data", SECRET_KEY="")
    assert f"DATA_DIR='{tmp_path}/data': {tmp_path}/data/secret_key: Is a directory" in said


def test_exactly_one_hundred_of_three_hundred_concurrent_requests(serve: Service) -> None:
    """Specification section 8: the promised number of requests, whichever process answers them."""
    wait_for(lambda: f"Serving on {serve.url}" in serve.log.read_text(), 60, "its announcement")
    wait_for(lambda: len(serve.workers()) == WORKERS, 60, "all workers")
    account = account_with_fresh_window(serve)
    with Api(serve.url, {"x-api-key": account.secret_key}) as api, ThreadPoolExecutor(30) as pool:
        # One request was made to see the window.
        answers = list(pool.map(lambda path: api.http.get(path), islice(cycle(ENDPOINTS), 299)))
    refused = [answer for answer in answers if answer.status_code == 429]
    assert (len(answers) - len(refused), len(refused)) == (99, 200)
    assert {a.status_code for a in answers if a not in refused} == {200, 404}
    remaining = sorted(int(a.headers["RateLimit-Remaining"]) for a in answers if a not in refused)
    assert remaining == list(range(99))
    for answer in refused:
        assert answer.headers["RateLimit-Remaining"] == "0"
        assert answer.headers["RateLimit-Limit"] == "100"
        assert 1 <= int(answer.headers["Retry-After"]) <= 60
        assert answer.headers["Retry-After"] == answer.headers["RateLimit-Reset"]
        assert answer.json()["message"].startswith("Rate limit exceeded")


def test_killed_workers_come_back(serve: Service) -> None:
    """Those that answer, the one that works, and one that is killed while it starts."""
    (first,) = wait_for(serve.job_workers, 60, "a job worker")
    os.kill(first, signal.SIGKILL)
    for _ in range(WORKERS + 1):
        (oldest, *_) = wait_for(serve.workers, 60, "a worker")
        os.kill(oldest, signal.SIGKILL)
        wait_for(lambda gone=oldest: gone not in serve.workers(), 60, "end of a killed worker")
    wait_for(lambda: len(serve.workers()) == WORKERS, 60, "all workers")
    wait_for(lambda: set(serve.job_workers()) - {first}, 60, "another job worker")
    wait_for(serve.answers, 120, "an answer")


def long_renders(pool: ThreadPoolExecutor, service: Service, account: Account) -> list[Future[int]]:
    """Send renders, and return them when every worker is paused and has some of them begun but not ended."""
    api = Api(service.url, {"x-api-key": account.secret_key})
    template_id = api.published(**INVOICE)
    items = 1000
    while True:
        data = INVOICE_DATA | {
            "items": [{"name": f"Pen {number}", "price": number} for number in range(items)]
        }
        renders = [pool.submit(outcome, api, template_id, data) for _ in range(8)]

        def seen(sent: list[Future[int]] = renders) -> bool:
            return "processing" in statuses(service, account) or all(each.done() for each in sent)

        wait_for(seen, 60, "a render", pause=0.001)  # on a busy machine all may have ended unseen
        pause(*service.workers())
        if "processing" in statuses(service, account):
            return renders
        resume(*service.workers())
        assert {render.result(60) for render in renders} == {200}
        items *= 2  # no machine is too fast


def outcome(api: Api, template_id: str, data: dict[str, object]) -> int:
    """Return the status of an answer; 0 when the service had closed its port before."""
    try:
        return api.render(template_id, data).status_code
    except httpx.TransportError:
        return 0


def statuses(service: Service, account: Account) -> Counter[str]:
    """Return how many documents of an organization have which status, whatever the workers are doing."""
    query = f"SELECT status FROM rendering_document WHERE organization_id = '{account.id}'"
    return Counter(status for (status,) in service.rows(query))


def test_what_runs_finishes_on_sigterm(serve: Service) -> None:
    account = serve.create_account()
    (job_worker,) = wait_for(serve.job_workers, 60, "a job worker")
    with ThreadPoolExecutor(8) as pool:
        renders = long_renders(pool, serve, account)
        ended, running = statuses(serve, account)["completed"], statuses(serve, account)["processing"]
        paused = serve.workers()
        serve.terminate()
        resume(*paused)
        for _ in range(4):  # an impatient Ctrl-C, a process manager that signals the whole group
            ask_to_stop(*paused)
            serve.terminate()
            time.sleep(0.02)
        answers = Counter(render.result(120) for render in renders)
    assert serve.wait(60) == 0
    # Whatever had begun was answered, and nothing is left half done.
    found = statuses(serve, account)
    assert found.keys() == {"completed"}
    assert found["completed"] - ended >= running
    assert answers.keys() <= {200, 0}
    assert answers[200] >= running
    assert not Path(f"/proc/{job_worker}").exists()


def ask_to_stop(*pids: int) -> None:
    """Send SIGTERM to those that have not ended."""
    for pid in pids:
        with contextlib.suppress(ProcessLookupError):
            os.kill(pid, signal.SIGTERM)


def test_no_worker_outlives_a_killed_service(serve: Service) -> None:
    workers = [*serve.workers(), *wait_for(serve.job_workers, 60, "a job worker")]
    serve.kill()
    # One that has work may finish it first: RENDER_TIMEOUT and some seconds, then it is killed.
    wait_for(lambda: not any(Path(f"/proc/{pid}/exe").exists() for pid in workers), 180, "end of the workers")
    # A process lets its program go before its sockets.
    wait_for(lambda: is_free(serve.port), 60, "the port")


def is_free(port: int) -> bool:
    """Tell whether a service may listen on a port."""
    try:
        serving.check_port("127.0.0.1", port)
    except serving.PortTaken:
        return False
    return True
