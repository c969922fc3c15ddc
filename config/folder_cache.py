"""Django's cache in a folder of this machine (diskcache), with connections that outlive a request."""

from __future__ import annotations

from typing import Any

from diskcache import DjangoCache


class Cache(DjangoCache):
    """Diskcache's, kept open.

    Django closes its caches at the end of every request, and a connection that diskcache opens again is told
    some twenty settings: more than a millisecond of each request that is counted.
    """

    def close(self, **kwargs: Any) -> None:
        """Do nothing: a connection ends with its thread."""
