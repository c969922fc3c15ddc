"""What workers do for people."""

from __future__ import annotations

from django_tasks import task

from config.jobs import IO


@task(queue_name=IO)
def send_reset_mail(address: str, root: str) -> None:
    """Mail the link for a new password, if there is such an account.

    The address as it was typed is the argument, and no account's id: to look one up is what the page must
    not do, or the time of its answer would tell.
    """
    from dashboard.mails import send_reset

    send_reset(address, root)
