"""One service for the tests that share it."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from tests.live.service import Account, Api, Service


@pytest.fixture(scope="package")
def service(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Service]:
    """Two workers, no rate limit and no job worker, for every test of this folder that needs nothing else.

    Renders that a killed worker leaves behind are not swept before a test asks for it; a job worker that a
    test starts is missed soon.
    """
    shared = Service(
        tmp_path_factory.mktemp("live") / "data",
        WORKERS=2,
        RENDER_TIMEOUT=900,
        JOB_LEASE=2,
        MAX_PAGES=100_000,
    )
    try:
        yield shared.start()
    finally:
        shared.stop()


@pytest.fixture
def account(service: Service) -> Account:
    """A new organization on the shared service, whose pages are on localhost."""
    return service.create_account()


@pytest.fixture
def api(service: Service, account: Account) -> Iterator[Api]:
    """The organization's server."""
    with Api(service.url, {"x-api-key": account.secret_key}) as client:
        yield client
