"""How often a person may have something drawn: previews, trials, thumbnails, old versions, the publish gate.

All of them draw while the person waits, and count together (PREVIEW_RATE_LIMIT).
"""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from typing import Concatenate, Final, ParamSpec

from django.conf import settings
from django.http import HttpResponse
from django.shortcuts import render

from accounts.attempts import tries
from config.api.errors import ApiError
from dashboard.access import MemberRequest

GROUP: Final = "preview"

P = ParamSpec("P")


class TooManyPreviews(ApiError):
    """A person asks too often; Retry-After says when the next preview may come."""

    def __init__(self, wait: int) -> None:
        super().__init__(429, "Too many previews at once. Wait a moment", headers={"Retry-After": str(wait)})


def spend_preview(request: MemberRequest) -> None:
    """Count a preview of this person; raises TooManyPreviews."""
    spent = tries(GROUP, str(request.user.pk), settings.PREVIEW_RATE_LIMIT, add=True)
    if spent.are_exceeded:
        raise TooManyPreviews(spent.seconds_left)


def draws(view: Callable[Concatenate[MemberRequest, P], HttpResponse]) -> Callable[..., HttpResponse]:
    """Answer with a page and 429 when a view draws more than the person may have drawn; below `@member`."""

    @wraps(view)
    def counted(request: MemberRequest, *args: P.args, **kwargs: P.kwargs) -> HttpResponse:
        try:
            return view(request, *args, **kwargs)
        except TooManyPreviews as error:
            shown = {"area": "templates", "wait": error.headers["Retry-After"]}
            answer = render(request, "dashboard/template/too_many_previews.html", shown, status=429)
            answer["Retry-After"] = error.headers["Retry-After"]
            return answer

    return counted
