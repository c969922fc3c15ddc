"""Organizations, their members and credentials, and who is calling."""

from django.apps import AppConfig


class AccountsConfig(AppConfig):
    """Register the accounts app."""

    name = "accounts"
    verbose_name = "Accounts"
