"""Mails to people: text from a page file, its first line the subject."""

from __future__ import annotations

import logging
from typing import Any

from django.conf import settings
from django.core.mail import send_mail
from django.http import HttpRequest
from django.template.loader import render_to_string
from django.urls import reverse

from accounts.models import Invitation
from dashboard.pages import absolute

logger = logging.getLogger(__name__)


def invitation_link(request: HttpRequest, token: str) -> str:
    """Return the public address that accepts an invitation."""
    return absolute(request, reverse("dashboard:invitation", args=[token]))


def send_invitation(request: HttpRequest, invitation: Invitation, token: str) -> bool:
    """Mail an invitation; False when this server sends no mails, or could not send this one."""
    return _send("invitation", invitation.email, invitation=invitation, link=invitation_link(request, token))


def _send(name: str, address: str, **context: Any) -> bool:
    """Send one mail. A failure is logged, never raised: the change it tells of is made already."""
    subject, _, text = render_to_string(f"dashboard/mail/{name}.txt", context).partition("\n")
    try:
        send_mail(subject.strip(), text.strip() + "\n", None, [address])
    except OSError:  # SMTPException is one
        logger.exception("Could not send the mail %s", name)
        return False
    return settings.HAS_MAIL_SERVER
