"""What views share: answering with a page, asking before a danger, going through long lists."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, Final, Generic, TypeVar
from urllib.parse import urlencode

from django.db.models import Model, QuerySet
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render

from config.api.ids import is_storable

THEMES: Final = ("light", "dark")
THEME_COOKIE: Final = "theme"
PAGE_SIZE: Final = 25
MAX_PAGE: Final = 1_000_000
FOREVER: Final = "private, max-age=31536000, immutable"  # of what never changes at its address

Row = TypeVar("Row", bound=Model)


def appearance(request: HttpRequest) -> dict[str, Any]:
    """Context processor: the stored choice of light or dark, empty when the system decides."""
    chosen = request.COOKIES.get(THEME_COOKIE, "")
    return {"theme": chosen if chosen in THEMES else ""}


def in_dialog(request: HttpRequest) -> bool:
    """Tell whether a page is asked for by a link with `data-dialog`, which shows it in a dialog."""
    return request.headers.get("X-Dialog") == "1"


def asks_for(request: HttpRequest, part: str) -> bool:
    """Tell whether htmx asks for the content of the element with this id only (`hx-target="#part"`)."""
    target = request.headers.get("HX-Target", "") if "HX-Request" in request.headers else ""
    return target.rpartition("#")[2] == part


def still_waiting(has_ended: bool) -> HttpResponse:
    """Answer a part of a page that asks again and again until something has ended, and leave it as it is.

    Then the whole page is asked for: what ended changes the rest of it as well; so it is when the thing is
    gone (`dashboard.views.errors.not_found`).
    """
    return whole_page() if has_ended else HttpResponse(status=204)


def whole_page() -> HttpResponse:
    """Answer a part of a page: the whole page is to be asked for again."""
    return HttpResponse(status=204, headers={"HX-Refresh": "true"})


@dataclass(frozen=True)
class Question:
    """What to ask before a change: what will happen in plain words, and the button that does it.

    `stay` leaves everything as it is. Where it is known to be refused, `refusal` says why in place of both.
    """

    title: str
    button: str
    back: str
    consequences: Sequence[str] = ()
    text: str = ""
    dangerous: bool = False
    refusal: str = ""
    stay: str = "Cancel"


def ask(request: HttpRequest, question: Question, *, area: str = "", **context: Any) -> HttpResponse:
    """Show a question as a page, or in a dialog when a link with `data-dialog` was followed.

    Its form posts to the same address. `area` marks the place in the navigation.
    """
    layout = "dashboard/_dialog.html" if in_dialog(request) else "dashboard/base.html"
    return render(
        request, "dashboard/question.html", {"question": question, "layout": layout, "area": area} | context
    )


@dataclass(frozen=True)
class Page(Generic[Row]):
    """Some rows of a list, and the addresses of the neighbouring pages (empty: there is none)."""

    rows: list[Row]
    previous: str = ""
    next: str = ""


def by_key(
    request: HttpRequest,
    rows: QuerySet[Row],
    *,
    key: str = "id",
    parse: Callable[[str], Any] = str,
    size: int = PAGE_SIZE,
    at: str = "",
) -> Page[Row]:
    """Return the page of a list, the newest first, that `?before=` or `?after=` a key's value asks for.

    One query that an index answers, whatever the length of the list. `key` is unique and grows with time, as
    our ids do; a value that `parse` refuses with ValueError gives the first page. `at` is the address of the
    list where a refused form shows it, too: the form's own address takes no GET.
    """
    name = "after" if "after" in request.GET else "before"
    try:
        bound = parse(request.GET.get(name, ""))
    except ValueError:
        bound = ""
    if isinstance(bound, str) and not is_storable(bound):
        bound = ""
    if name == "after" and bound != "":
        found = list(rows.filter(**{f"{key}__gt": bound}).order_by(key)[: size + 1])
        shown = found[:size][::-1]
        has_previous, has_next = len(found) > size, bool(shown)
    else:
        older = rows.filter(**{f"{key}__lt": bound}) if bound != "" else rows
        found = list(older.order_by(f"-{key}")[: size + 1])
        shown = found[:size]
        has_previous, has_next = bound != "", len(found) > size
    return Page(
        shown,
        previous=at + _query(request, after=getattr(shown[0], key)) if shown and has_previous else "",
        next=at + _query(request, before=getattr(shown[-1], key)) if shown and has_next else "",
    )


def by_number(
    request: HttpRequest,
    rows: QuerySet[Row] | Sequence[Row],
    *,
    size: int = PAGE_SIZE,
    name: str = "page",
    at: str = "",
) -> Page[Row]:
    """Return the page `?page=` of a list that can be sorted in several ways; nothing is counted.

    A second list of the same address has another `name`; `at` as in `by_key`.
    """
    number = min(max(whole_number(request.GET.get(name, "")) or 1, 1), MAX_PAGE)
    found = list(rows[(number - 1) * size : number * size + 1])
    return Page(
        found[:size],
        previous=at + _query(request, **{name: number - 1}) if number > 1 else "",
        next=at + _query(request, **{name: number + 1}) if len(found) > size else "",
    )


def whole_number(text: str) -> int | None:
    """Return a number of up to nine digits that an address or a form gives; None for anything else."""
    return int(text) if text.isascii() and text.isdigit() and len(text) < 10 else None


def _query(request: HttpRequest, **changes: Any) -> str:
    """Return the query string of this address with another place in the list."""
    kept = {name: value for name, value in request.GET.items() if name not in {"before", "after"} and value}
    return "?" + urlencode(kept | changes)
