"""What workers do for webhooks. Both tasks may run twice: rows decide what is left to do."""

from __future__ import annotations

from django_tasks import task

from config.jobs import IO


@task(queue_name=IO)
def deliver(delivery_id: str, attempts: int = 0) -> None:
    """Make the attempt that follows `attempts` earlier ones, unless it was made already."""
    from accounts.webhooks.deliveries import attempt

    attempt(delivery_id, attempts)


@task(queue_name=IO)
def tell_owners(webhook_id: str) -> None:
    """Write to the owners of an organization that its webhook was disabled."""
    from accounts.webhooks.notices import send_disabled_notice

    send_disabled_notice(webhook_id)
