"""Fixtures of the dashboard's tests; those of a real browser are in `browser.py`."""

from __future__ import annotations

from collections.abc import Iterator
from copy import deepcopy
from typing import Any

import pytest
from django.core.files.base import ContentFile
from django.core.files.storage import default_storage
from django.db import transaction

from tests.dashboard.browser import visit  # noqa: F401
from tests.dashboard.world import World, make_world
from tests.links import kept_of


@pytest.fixture(scope="module")
def cast(django_db_setup: None, django_db_blocker: Any) -> Iterator[World]:
    """The world of a module, which each test gives back unchanged: making it takes longer than most tests.

    Not for a module with tests that commit: they make their own.
    """
    with django_db_blocker.unblock(), transaction.atomic():
        yield make_world()
        transaction.set_rollback(True)


@pytest.fixture(scope="module")
def files(cast: World) -> dict[str, bytes]:
    """What is stored of the world, by name."""
    names = kept_of(cast.organization.pk)
    return {name: default_storage.open(name).read() for name in names}


@pytest.fixture
def world(cast: World, files: dict[str, bytes], db: None) -> Iterator[World]:
    """The world, in a transaction of the test; files have none, so that those a test deletes are put back."""
    yield deepcopy(cast)
    for name, content in files.items():
        if not default_storage.exists(name):
            default_storage.save(name, ContentFile(content))
