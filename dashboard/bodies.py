"""Bodies of `POST /v1/templates` for what is shown only."""

from __future__ import annotations

from typing import Any


def without_password(body: dict[str, Any]) -> dict[str, Any]:
    """Return a body whose PDF everybody can open, for pictures of it."""
    page = {name: value for name, value in body["page"].items() if name != "protection"}
    return body | {"page": page}
