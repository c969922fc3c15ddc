"""One service for the tests that share it, and a maker of others with settings of their own."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from tests.live.service import Account, Api, Service


@pytest.fixture
def start_service(tmp_path: Path) -> Iterator[Callable[..., Service]]:
    """Start services that end with the test; keyword arguments are settings."""
    services: list[Service] = []

    def start(**settings: str | int) -> Service:
        service = Service(tmp_path / f"service{len(services)}", **settings)
        services.append(service)
        return service.start()

    try:
        yield start
    finally:
        for service in services:
            service.stop()


@pytest.fixture(scope="package")
def service(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Service]:
    """Several workers and no rate limit, for every test of this folder that needs nothing else."""
    shared = Service(tmp_path_factory.mktemp("live") / "data", WORKERS=3)
    try:
        yield shared.start()
    finally:
        shared.stop()


@pytest.fixture(scope="package")
def new_accounts(service: Service) -> list[Account]:
    """Organizations that no test has used yet."""
    return service.create_accounts(10, "localhost")


@pytest.fixture
def account(service: Service, new_accounts: list[Account]) -> Account:
    """A new organization on the shared service, whose pages are on localhost."""
    return new_accounts.pop() if new_accounts else service.create_account("Acme", "localhost")


@pytest.fixture
def api(service: Service, account: Account) -> Iterator[Api]:
    """The organization's server."""
    with Api(service.url, {"x-api-key": account.secret_key}) as client:
        yield client
