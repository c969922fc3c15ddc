"""Log-in after wrong passwords, as django-axes asks for it; named in settings.AXES_HANDLER.

Two counters pause it: that of one address from one place (AXES_FAILURE_LIMIT), which stops guessing a
person's password, and that of a place whatever the addresses, which stops trying one password on many people.
"""

from __future__ import annotations

from typing import Any, Final

from axes.handlers.cache import AxesCacheHandler
from django.http import HttpRequest

from accounts.attempts import Tries, place_of, tries

# Many people may share a place. A success forgives nothing: who tries passwords may well have an account.
PLACE_RATE: Final = "30/15m"


def tries_of_place(request: HttpRequest, *, add: bool = False) -> Tries:
    """Return how often a log-in failed lately where a request comes from; `add` counts one more."""
    return tries("failed log-ins", place_of(request), PLACE_RATE, add=add)


class LoginAttempts(AxesCacheHandler):
    """Counts failures by address and place in the cache, as its base does, and by place alone."""

    def is_locked(self, request: HttpRequest, credentials: dict[str, Any] | None = None) -> bool:
        """Tell whether either counter is used up."""
        return super().is_locked(request, credentials) or tries_of_place(request).are_used_up

    def user_login_failed(
        self, sender: Any, credentials: dict[str, Any], request: Any = None, **kwargs: Any
    ) -> None:
        """Count a wrong password; what was refused without looking at the password is none."""
        was_refused = request is None or request.axes_locked_out
        super().user_login_failed(sender, credentials, request, **kwargs)
        if not was_refused and tries_of_place(request, add=True).are_used_up:
            request.axes_locked_out = True
