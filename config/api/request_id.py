"""The id of the request that is being answered."""

import logging
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


class RequestIdFilter(logging.Filter):
    """Give every log record the id of its request."""

    def filter(self, record: logging.LogRecord) -> bool:
        """Add `request_id`; never drops a record."""
        record.request_id = current_request_id() or "-"
        return True
