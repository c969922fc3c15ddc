"""Fixtures of the dashboard's tests; those of a real browser are in `browser.py`."""

from tests.dashboard.browser import chromium, visit  # noqa: F401
