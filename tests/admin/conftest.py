"""A superuser's browser, and rows of every kind."""

from __future__ import annotations

from secrets import token_hex
from typing import Any

import pytest
from django.test import Client

from accounts.models import User
from rendering.models import Document
from tests.factories import DocumentFactory


@pytest.fixture
def administrator(db: None) -> User:
    return User.objects.create_superuser("root@example.com", "correct horse")


@pytest.fixture
def browser(administrator: User) -> Client:
    client = Client()
    client.force_login(administrator)
    return client


def document(**fields: Any) -> Document:
    """Return a stored document."""
    return DocumentFactory(file=f"documents/test/{token_hex(8)}.pdf", **fields)


def text(answer: Any) -> str:
    """Return the page as text."""
    return answer.content.decode()
