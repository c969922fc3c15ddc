"""What people are told about their webhooks by e-mail."""

from __future__ import annotations

from django.conf import settings
from django.core.mail import send_mail

from accounts.models import Membership
from accounts.webhooks.models import Webhook

DISABLED = """\
The webhook

    {url}

of {organization} was disabled: it gets no messages any more.

{reason}

What to do: bring the receiver back or correct its address, enable the webhook again, and replay the failed
deliveries of its log, which is kept for 30 days.
{dashboard}"""


def send_disabled_notice(webhook_id: str) -> int:
    """Write to an organization's owners that its webhook was disabled; return to how many.

    Tells nobody when the webhook is gone or enabled again. Raises what the mail server's refusal raises.
    """
    webhook = Webhook.objects.select_related("organization").filter(pk=webhook_id, enabled=False).first()
    if webhook is None:
        return 0
    owners = Membership.objects.filter(
        organization=webhook.organization, role=Membership.Role.OWNER, user__is_active=True
    )
    addresses = list(owners.values_list("user__email", flat=True).order_by("user__email"))
    if not addresses:
        return 0
    text = DISABLED.format(
        url=webhook.url,
        organization=webhook.organization.name,
        reason=webhook.disabled_reason,
        dashboard=f"\n{settings.BASE_URL}\n" if settings.BASE_URL else "",
    )
    send_mail(f"A webhook of {webhook.organization.name} was disabled", text, None, addresses)
    return len(addresses)
