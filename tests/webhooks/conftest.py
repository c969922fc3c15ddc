"""The receiver, allowed although it is on loopback."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest

from tests.conftest import ApiClient
from tests.webhooks.receiver import Receiver, receiving


@pytest.fixture
def receiver(settings: Any) -> Iterator[Receiver]:
    settings.WEBHOOK_ALLOWED_HOSTS = ["127.0.0.1"]
    with receiving() as receiver:
        yield receiver


@pytest.fixture
def webhook(receiver: Receiver, secret: ApiClient) -> dict[str, Any]:
    """A webhook of Acme's for everything, with its secret in full."""
    answer = secret.post("/v1/webhooks", {"url": receiver.url})
    assert answer.status_code == 201, answer.content
    return answer.json()
