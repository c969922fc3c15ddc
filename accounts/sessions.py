"""Sessions in the database, listed by person and revocable; named in settings.SESSION_ENGINE.

The row is found by the digest of the key in the cookie, so that a stolen database opens no session. The
service runs Django synchronously: the asynchronous twins of these methods are closed.
"""

from __future__ import annotations

import hashlib
import ipaddress
import time
from datetime import UTC, datetime
from typing import Any, Final

from django.contrib.auth import SESSION_KEY
from django.contrib.auth import middleware as authentication
from django.contrib.sessions.backends.base import UpdateError
from django.contrib.sessions.backends.db import SessionStore as DatabaseSessionStore
from django.db.models import QuerySet
from django.http import HttpRequest
from django.utils import timezone
from django.utils.functional import SimpleLazyObject, cached_property

from accounts.attempts import client_ip
from accounts.models import User, UserSession
from config.api.ids import is_storable
from config.outages import lost_part
from config.statements import Lookup

# How often the time of the last visit is written, in seconds.
SEEN_EVERY: Final = 300
# Where in the session's data its description is: device, address, first and last visit.
_ABOUT: Final = "about"
_by_key = Lookup(lambda key: UserSession.objects.filter(session_key=key))


def digest(session_key: str) -> str:
    """Return the name of a session in the database."""
    return hashlib.sha256(session_key.encode()).hexdigest()


class SessionStore(DatabaseSessionStore):
    """A session whose row carries whose it is, from where, and when it was seen."""

    keeps_key = False  # while the person of the session is found out: see AuthenticationMiddleware

    @classmethod
    def get_model_class(cls) -> type[UserSession]:
        """Return the model of the rows."""
        return UserSession

    @cached_property
    def model(self) -> type[UserSession]:
        """The model of the rows."""
        return UserSession

    def load(self) -> dict[str, Any]:
        """Return the data of the session; an unknown or expired key is forgotten."""
        row = _by_key.first(digest(self.session_key or ""))
        if row is None or row.expire_date <= timezone.now():
            self._session_key = None
            return {}
        return self.decode(row.session_data)

    def exists(self, session_key: str) -> bool:
        """Tell whether a session with this key is stored."""
        return UserSession.objects.filter(session_key=digest(session_key)).exists()

    def save(self, must_create: bool = False) -> None:
        """Store the session; raises UpdateError where it has ended, and what a lost database raises."""
        try:
            super().save(must_create)
            return
        except UpdateError as error:
            # Django says so of every failure; a full disk is no log-out.
            reason = error.__context__
            if reason is None or lost_part(reason) is None:
                raise
        raise reason

    def cycle_key(self) -> None:
        """Give the session another key, as a log-in does."""
        if not self.keeps_key:
            super().cycle_key()

    def delete(self, session_key: str | None = None) -> None:
        """Forget a session, this one when no key is given."""
        key = session_key or self.session_key
        if key is not None:
            UserSession.objects.filter(session_key=digest(key)).delete()

    def create_model_instance(self, data: dict[str, Any]) -> UserSession:
        """Return the row that holds `data`."""
        about = data.get(_ABOUT, {})
        now = time.time()
        return UserSession(
            session_key=digest(self._get_or_create_session_key()),  # type: ignore[attr-defined]
            session_data=self.encode(data),
            expire_date=self.get_expiry_date(),
            user_id=int(data[SESSION_KEY]) if SESSION_KEY in data else None,
            user_agent=about.get("agent", ""),
            ip=about.get("ip"),
            created_at=_moment(about.get("created", now)),
            seen_at=_moment(about.get("seen", now)),
        )

    async def aload(self) -> dict[str, Any]:
        """Refuse: see the module."""
        raise NotImplementedError

    async def aexists(self, session_key: str) -> bool:
        """Refuse: see the module."""
        raise NotImplementedError

    async def adelete(self, session_key: str | None = None) -> None:
        """Refuse: see the module."""
        raise NotImplementedError

    async def acreate_model_instance(self, data: dict[str, Any]) -> UserSession:
        """Refuse: see the module."""
        raise NotImplementedError


class AuthenticationMiddleware(authentication.AuthenticationMiddleware):
    """Django's, but for a session that an earlier SECRET_KEY vouches for: it goes on under its own key.

    Django would end it for one of another key. Requests that a page makes side by side have the old cookie,
    and while machines exchange the setting one by one, each would do so to the other's sessions.
    """

    def process_request(self, request: HttpRequest) -> None:
        """Say who is logged in, when somebody asks."""
        super().process_request(request)
        request.user = SimpleLazyObject(lambda: _person(request))  # type: ignore[assignment]


def _person(request: HttpRequest) -> Any:
    store: Any = request.session
    store.keeps_key = True
    try:
        return authentication.get_user(request)
    finally:
        store.keeps_key = False


def describe(request: HttpRequest) -> None:
    """Note device, address and time of a log-in in its session, and each further visit now and then."""
    session = request.session
    about = session.get(_ABOUT)
    now = time.time()
    if about is None:
        session[_ABOUT] = {
            "agent": _printable(request.headers.get("User-Agent", ""))[:400],
            "ip": _ip(request),
            "created": now,
            "seen": now,
        }
    elif now - about["seen"] > SEEN_EVERY:
        session[_ABOUT] = about | {"seen": now, "ip": _ip(request)}


def sessions_of(user: User) -> QuerySet[UserSession]:
    """Return the sessions in which a person is logged in, the last seen first."""
    return UserSession.objects.filter(user=user, expire_date__gt=timezone.now()).order_by("-seen_at")


def revoke(user: User, *, session_key: str | None = None, keep: str | None = None) -> int:
    """End one session of a person by its stored key, or all but the one whose cookie key is `keep`.

    Returns how many ended, none for a key of any form that names none; the next request with one of them is a
    stranger's.
    """
    if session_key is not None and not is_storable(session_key):
        return 0
    rows = UserSession.objects.filter(user=user)
    if session_key is not None:
        rows = rows.filter(session_key=session_key)
    elif keep is not None:
        rows = rows.exclude(session_key=digest(keep))
    return rows.delete()[0]


def clear_expired() -> None:
    """Delete the sessions that time has ended; a housekeeping job."""
    SessionStore.clear_expired()


def _moment(seconds: float) -> datetime:
    return datetime.fromtimestamp(seconds, tz=UTC)


def _ip(request: HttpRequest) -> str | None:
    """Return the address of a visit; what is no address (a proxy said it) is not kept."""
    address = client_ip(request)
    try:
        return str(ipaddress.ip_address(address or ""))
    except ValueError:
        return None


def _printable(text: str) -> str:
    return "".join(character for character in text if character.isprintable())
