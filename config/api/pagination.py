"""Cursor pagination of plain arrays: `limit`, `cursor`, `Link: rel="next"`."""

from __future__ import annotations

import base64
import binascii
import re
from collections.abc import Mapping
from types import MappingProxyType
from typing import Any, TypeVar
from urllib.parse import urlencode

from django.core.exceptions import ValidationError
from django.db.models import Model, QuerySet
from rest_framework.request import Request

from config.api.errors import invalid
from config.api.ids import is_made_by
from config.api.parameters import whole_number
from config.api.urls import base_url

MAX_LIMIT = 1000
_NUMBER = re.compile(r"[0-9]{1,9}")
M = TypeVar("M", bound=Model)


def page(
    request: Request, queryset: QuerySet[M], key: str = "pk", errors: Mapping[str, str] = MappingProxyType({})
) -> tuple[list[M], dict[str, str]]:
    """Return one page, newest first by `key`, and the headers that announce the next.

    Raises ApiError 400 naming a wrong `limit` or `cursor`, together with `errors`: what else is wrong with
    the query, by parameter.
    """
    wrong = dict(errors)
    limit = whole_number(request.query_params, "limit", 1, MAX_LIMIT, MAX_LIMIT, wrong)
    queryset = queryset.order_by(f"-{key}")
    after = _decode(request.query_params.get("cursor"), queryset, key, wrong)
    if wrong:
        raise invalid(wrong)
    if after is not None:
        queryset = queryset.filter(**{f"{key}__lt": after})
    rows = list(queryset[: limit + 1])
    if len(rows) <= limit:
        return rows, {}
    rows.pop()
    query = {name: value for name, value in request.query_params.items() if name != "cursor"}
    query["cursor"] = _encode(getattr(rows[-1], key))
    return rows, {"Link": f'<{base_url(request)}{request.path}?{urlencode(query)}>; rel="next"'}


def _encode(value: Any) -> str:
    return base64.urlsafe_b64encode(str(value).encode()).decode().rstrip("=")


def _decode(cursor: str | None, queryset: QuerySet[Any], key: str, wrong: dict[str, str]) -> Any:
    if cursor is None:
        return None
    try:
        padded = cursor + "=" * (-len(cursor) % 4)
        text = base64.b64decode(padded, altchars=b"-_", validate=True).decode("ascii")
        field: Any = queryset.model._meta.pk if key == "pk" else queryset.model._meta.get_field(key)
        if not (is_made_by(field.default, text) if key == "pk" else _NUMBER.fullmatch(text)):
            raise ValueError
        return field.to_python(text)
    except (ValueError, binascii.Error, ValidationError):
        wrong["cursor"] = "is not a cursor of this list"
        return None
