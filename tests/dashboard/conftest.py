"""Fixtures of the dashboard's tests; those of a real browser are in `browser.py`."""

from tests.dashboard.browser import visit  # noqa: F401
