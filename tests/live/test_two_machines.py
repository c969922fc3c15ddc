"""Two machines over one database, one Redis and one bucket: whichever answers, the answer is the same."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from itertools import cycle, islice
from pathlib import Path

import pytest

from tests.conftest import INVOICE, INVOICE_DATA
from tests.live import plain
from tests.live.service import ROOT, Account, Api, Service, wait_for
from tests.live.windows import account_with_fresh_window

pytestmark = [pytest.mark.real, pytest.mark.live]

Machines = tuple[Service, Service]


@pytest.fixture(scope="module")
def machines(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Machines]:
    """Two services that share nothing but the parts."""
    folder = tmp_path_factory.mktemp("machines")
    first = Service(folder / "first", WORKERS=2, RATE_LIMIT="100/m")
    second = Service(folder / "second", on=first.parts, WORKERS=2, RATE_LIMIT="100/m")
    try:
        yield first.start(), second.start()
    finally:
        second.stop()
        first.stop()


@pytest.fixture
def account(machines: Machines) -> Account:
    """An organization made for the first machine that no test has used."""
    return machines[0].create_account()


@pytest.fixture
def apis(machines: Machines, account: Account) -> Iterator[tuple[Api, Api]]:
    """Its server, as a caller of each machine."""
    headers = {"x-api-key": account.secret_key}
    with Api(machines[0].url, headers) as first, Api(machines[1].url, headers) as second:
        yield first, second


def test_a_rotation_counts_on_the_other_machine_at_the_next_request(
    machines: Machines, account: Account, apis: tuple[Api, Api]
) -> None:
    first, second = apis
    browser = account.user_headers("ann", "http://localhost")
    for _ in range(5):  # both have the organization in whatever they cache
        assert second.http.get("/v1/orgs").status_code == 200
        assert plain.get(f"{machines[1].url}/v1/templates", headers=browser).status_code == 200
    rotated = first.http.post("/v1/auth/rotate-keys").json()
    for _ in range(5):
        answer = second.http.get("/v1/orgs")
        assert (answer.status_code, answer.json()["message"]) == (401, "Invalid API key")
        changed = browser | {"x-api-key": rotated["publicKey"]}
        answer = plain.get(f"{machines[1].url}/v1/templates", headers=changed)
        assert (answer.status_code, answer.json()["message"]) == (401, "Invalid x-user-hash")
    with Api(machines[1].url, {"x-api-key": rotated["secretKey"]}) as renewed:
        assert renewed.http.get("/v1/orgs").status_code == 200


def test_the_rate_limit_is_exact_over_both(machines: Machines) -> None:
    headers = {"x-api-key": account_with_fresh_window(machines[0]).secret_key}
    with Api(machines[0].url, headers) as first, Api(machines[1].url, headers) as second:
        callers = islice(cycle((first, second)), 249)
        with ThreadPoolExecutor(20) as pool:
            answers = list(pool.map(lambda api: api.http.get("/v1/orgs"), callers))
    allowed = [answer for answer in answers if answer.status_code == 200]
    assert (len(allowed), len(answers) - len(allowed)) == (99, 150)
    assert sorted(int(a.headers["RateLimit-Remaining"]) for a in allowed) == list(range(99))
    assert {answer.status_code for answer in answers} == {200, 429}


def test_a_document_of_one_is_downloaded_through_the_other(apis: tuple[Api, Api]) -> None:
    first, second = apis
    template_id = first.published(**INVOICE)
    rendered = second.render(template_id, INVOICE_DATA, filename="Invoice 42")
    assert rendered.status_code == 200, rendered.text
    redirect = first.http.get(f"/v1/downloads/{rendered.json()['documentId']}")
    assert redirect.status_code == 302
    for link in (redirect.headers["Location"], rendered.json()["downloadUrl"]):
        file = plain.get(link)
        assert (file.status_code, len(file.content)) == (200, rendered.json()["fileSizeBytes"])
        assert file.headers["Content-Type"] == "application/pdf"
        assert 'filename="Invoice 42.pdf"' in file.headers["Content-Disposition"]
    assert [api.http.get("/v1/usage").json()["total"] for api in apis] == [1, 1]


def test_one_document_for_one_idempotency_key_on_both(apis: tuple[Api, Api]) -> None:
    template_id = apis[0].published(**INVOICE)
    headers = {"Idempotency-Key": "order-42"}
    with ThreadPoolExecutor(12) as pool:
        callers = islice(cycle(apis), 12)
        answers = list(pool.map(lambda api: api.render(template_id, INVOICE_DATA, headers=headers), callers))
    assert {answer.status_code for answer in answers} == {200}
    assert len({answer.json()["documentId"] for answer in answers}) == 1
    assert apis[0].http.get("/v1/usage").json()["total"] == 1


@pytest.mark.parametrize("missing", ["SECRET_KEY", "CREDENTIALS_KEYS"])
def test_a_machine_with_secrets_of_its_own_is_refused(
    missing: str, machines: Machines, tmp_path: Path
) -> None:
    third = Service(tmp_path, on=machines[0].parts, **{missing: ""})
    refused = subprocess.run(
        [sys.executable, "manage.py", "serve"],
        cwd=ROOT, env=third.environment, capture_output=True, text=True, timeout=120,
    )  # fmt: skip
    assert refused.returncode == 1
    assert f"{missing} is not set, and the database may be shared" in refused.stderr


def test_workers_of_both_machines_share_the_queue(machines: Machines, apis: tuple[Api, Api]) -> None:
    """Ten documents accepted by both machines, made by two workers, each exactly once."""
    template_id = apis[0].published(**INVOICE)
    workers = [machine.start_worker() for machine in machines]
    try:
        # One that has said that it is there can be asked to end; before, it would just be killed.
        wait_for(lambda: machines[0].rows("SELECT count(*) FROM jobs_worker") == [(2,)], 120, "both workers")
        accepted = [
            api.render(template_id, INVOICE_DATA, headers={"Prefer": "respond-async"})
            for api in islice(cycle(apis), 10)
        ]
        assert {answer.status_code for answer in accepted} == {202}
        wait_for(lambda: apis[1].http.get("/v1/usage").json()["total"] == 10, 120, "ten documents")
        for answer in accepted:
            shown = apis[0].http.get(f"/v1/documents/{answer.json()['documentId']}").json()
            assert shown["status"] == "completed"
    finally:
        for worker in workers:
            worker.terminate()
        assert [worker.wait(60) for worker in workers] == [0, 0]
