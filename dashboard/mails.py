"""Mails to people: text from a page file, its first line the subject."""

from __future__ import annotations

import logging
from typing import Any

from django.conf import settings
from django.contrib.auth.forms import PasswordResetForm
from django.contrib.auth.tokens import default_token_generator
from django.core.mail import send_mail
from django.http import HttpRequest
from django.template.loader import render_to_string
from django.urls import reverse
from django.utils.encoding import force_bytes
from django.utils.http import urlsafe_base64_encode

from accounts.models import Invitation
from config.api.urls import base_url

logger = logging.getLogger(__name__)


def invitation_link(request: HttpRequest, token: str) -> str:
    """Return the public address that accepts an invitation."""
    return base_url(request) + reverse("dashboard:invitation", args=[token])


def send_invitation(request: HttpRequest, invitation: Invitation, token: str) -> bool:
    """Mail an invitation; False when this server sends no mails, or could not send this one."""
    return _sent("invitation", invitation.email, invitation=invitation, link=invitation_link(request, token))


def send_reset(address: str, root: str) -> None:
    """Mail the link for a new password to whoever logs in with an address.

    `root` is the public address of the service. Raises OSError when the mail server does not take it.
    """
    for user in PasswordResetForm().get_users(address):
        uid = urlsafe_base64_encode(force_bytes(user.pk))
        path = reverse("dashboard:reset_confirm", args=[uid, default_token_generator.make_token(user)])
        _send("reset", user.email, email=user.email, link=root + path)


def _send(name: str, address: str, **context: Any) -> None:
    """Send one mail; raises OSError, of which SMTPException is one."""
    subject, _, text = render_to_string(f"dashboard/mail/{name}.txt", context).partition("\n")
    send_mail(subject.strip(), text.strip() + "\n", None, [address])


def _sent(name: str, address: str, **context: Any) -> bool:
    """Send one mail of a change that is made already: a failure is logged, never raised."""
    try:
        _send(name, address, **context)
    except OSError:
        logger.exception("Could not send the mail %s", name)
        return False
    return settings.HAS_MAIL_SERVER
