"""Organizations, their members and credentials, and who is calling."""

from typing import Any

from django.apps import AppConfig
from django.contrib.auth.signals import user_logged_in
from django.http import HttpRequest


class AccountsConfig(AppConfig):
    """Register the accounts app; sessions are described at each log-in, and cleared when they have ended."""

    name = "accounts"
    verbose_name = "Accounts"

    def ready(self) -> None:
        """Register what must happen at log-ins of dashboard and admin alike, and regularly."""
        from accounts.sessions import clear_expired
        from config import housekeeping

        user_logged_in.connect(_describe, dispatch_uid="accounts.describe_session")
        housekeeping.register(clear_expired)


def _describe(sender: object, request: HttpRequest, **kwargs: Any) -> None:
    from accounts.sessions import describe

    describe(request)
