"""The id of the request that is being answered."""

import re
import uuid
from contextvars import ContextVar

_current: ContextVar[str] = ContextVar("request_id", default="")
_SANE = re.compile(r"[A-Za-z0-9._-]{1,128}")


def start_request(offered: str | None) -> str:
    """Take the caller's own id when it is sane, else make one; return it."""
    request_id = offered if offered and _SANE.fullmatch(offered) else uuid.uuid4().hex
    _current.set(request_id)
    return request_id


def current_request_id() -> str:
    """Return the id of the current request, empty outside of one."""
    return _current.get()
