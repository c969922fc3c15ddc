"""What the admin pages of all apps share: read-only models, bounded counts, confirmations, small formats."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Sequence
from datetime import datetime
from typing import Any

from django import forms
from django.contrib import messages
from django.contrib.admin.helpers import ACTION_CHECKBOX_NAME
from django.contrib.admin.options import IncorrectLookupParameters
from django.contrib.admin.utils import quote, unquote
from django.contrib.admin.views.main import ERROR_FLAG
from django.core.exceptions import PermissionDenied
from django.core.paginator import Paginator
from django.db import DataError, transaction
from django.db.models import Model, QuerySet
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseRedirect
from django.template.loader import render_to_string
from django.template.response import TemplateResponse
from django.urls import reverse
from django.utils import timezone
from django.utils.formats import date_format
from django.utils.functional import cached_property
from django.utils.html import format_html, format_html_join
from django.utils.safestring import SafeString
from django.utils.text import smart_split, unescape_string_literal
from unfold.admin import ModelAdmin
from unfold.decorators import display
from unfold.views import ChangeList

from config.api.ids import is_storable

MAX_LISTED = 10_000
# An action asks and writes for each row: more would outlast the request, and keep others from writing.
MAX_AT_ONCE = 500
MAX_WORDS = 50
# PostgreSQL refuses it in any text.
NUL = "\x00"
STATUS_COLOURS = {
    "draft": "warning",
    "published": "success",
    "archived": "default",
    "processing": "info",
    "completed": "success",
    "failed": "danger",
    "queued": "info",
    "cancelled": "default",
    "deleted": "default",
    "ready": "info",
    "running": "success",
    "pending": "info",
    "delivered": "success",
    "enabled": "success",
    "failing": "warning",
    "disabled": "default",
    "disabled by the service": "danger",
}


class BoundedPaginator(Paginator):
    """Counts and pages at most MAX_LISTED rows: a full count of millions is slow and helps nobody."""

    template_name = "accounts/admin/pagination.html"

    @cached_property
    def count(self) -> int:
        """Number of rows, at most MAX_LISTED; without their order and columns, which take time for all."""
        rows: Any = self.object_list
        return min(rows.order_by().values("pk")[: MAX_LISTED + 1].count(), MAX_LISTED)

    @property
    def is_bounded(self) -> bool:
        """Tell whether there may be more rows than are counted."""
        return self.count == MAX_LISTED


class CarefulList(ChangeList):
    """A list that takes any address: a filter that no database can ask is a wrong filter like others."""

    def get_filters(self, request: HttpRequest) -> Any:
        """Take a date that ends behind the last one there is as wrong."""
        try:
            return super().get_filters(request)
        except (OverflowError, ValueError) as error:
            raise IncorrectLookupParameters from error

    def get_results(self, request: HttpRequest) -> None:
        """Take as wrong what is found out by asking: a year without dates, a number of too many digits."""
        try:
            with transaction.atomic():
                super().get_results(request)
        except (OverflowError, ValueError, DataError) as error:
            raise IncorrectLookupParameters from error


class BoundedList(CarefulList):
    """A list that is counted up to a bound."""

    def get_results(self, request: HttpRequest) -> None:
        """Count first. Beyond the bound no date hierarchy: it would sum up every row by date."""
        super().get_results(request)
        if self.paginator.is_bounded:
            self.date_hierarchy = None
        if not self.query and not self.filter_params:
            # Everything is listed already, so nothing is offered to show all.
            self.full_result_count = self.result_count


class CarefulAdmin(ModelAdmin):
    """A model whose pages take any address: text that no database stores or searches for finds nothing."""

    def get_changelist(self, request: HttpRequest, **kwargs: Any) -> type[Any]:
        """Use the list that bears wrong filters."""
        return CarefulList

    def get_object(self, request: HttpRequest, object_id: str, from_field: str | None = None) -> Any:
        """Return the row of an id, None for no id of a row."""
        return super().get_object(request, object_id, from_field) if is_storable(object_id) else None

    def changelist_view(self, request: HttpRequest, extra_context: Any = None) -> HttpResponse:
        """Answer as Django does to a wrong filter: by the whole list."""
        if any(NUL in text for _name, texts in request.GET.lists() for text in texts):
            return HttpResponseRedirect(f"{request.path}?{ERROR_FLAG}=1")
        response: HttpResponse = super().changelist_view(request, extra_context)
        return response

    def get_search_results(
        self, request: HttpRequest, queryset: QuerySet[Any], search_term: str
    ) -> tuple[QuerySet[Any], bool]:
        """Search for the first words; each is a condition of its own, and SQLite takes only so many."""
        if NUL in search_term:
            return queryset.none(), False
        words = " ".join(search_term.split()[:MAX_WORDS])
        found: tuple[QuerySet[Any], bool] = super().get_search_results(request, queryset, words)
        return found

    def response_action(self, request: HttpRequest, queryset: QuerySet[Any]) -> Any:
        """Refuse “all” of more rows than an action does at once, before it begins with any."""
        across = forms.BooleanField().to_python(request.POST.get("select_across"))
        if across and queryset.order_by()[: MAX_AT_ONCE + 1].count() > MAX_AT_ONCE:
            messages.error(
                request,
                f"These are more than {MAX_AT_ONCE:,} rows, too many at once. Search or filter for fewer.",
            )
            return HttpResponseRedirect(request.get_full_path())
        return super().response_action(request, queryset)


class BoundedAdmin(CarefulAdmin):
    """A model of which there may be millions."""

    paginator = BoundedPaginator
    show_full_result_count = False
    list_per_page = 50

    def get_changelist(self, request: HttpRequest, **kwargs: Any) -> type[Any]:
        """Use the list that knows when to stop counting."""
        return BoundedList


class ReadOnlyAdmin(BoundedAdmin):
    """A model that the admin shows but never edits: its rows come from the service itself."""

    def has_add_permission(self, request: HttpRequest) -> bool:
        """Nobody adds a row here."""
        return False

    def has_change_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        """Nobody edits a row here."""
        return False

    def has_delete_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        """Nobody deletes a row here."""
        return False


def searched_words(search_term: str) -> list[str]:
    """Return what a search looks for, as Django's own parts it: words, and phrases in quotes."""
    parts = smart_split(" ".join(search_term.split()[:MAX_WORDS]))
    return [unescape_string_literal(part) if _is_quoted(part) else part for part in parts]


def object_or_404(model_admin: CarefulAdmin, request: HttpRequest, object_id: str) -> Any:
    """Return the row that an admin address names; raises 404, or 403 for who may not see it."""
    row = model_admin.get_object(request, unquote(object_id))
    if row is None:
        raise Http404(f"No such {model_admin.opts.verbose_name}")
    if not model_admin.has_view_or_change_permission(request, row):
        raise PermissionDenied
    return row


def change_url(row: Model) -> str:
    """Return the address of a row's detail page."""
    return reverse(f"admin:{row._meta.app_label}_{row._meta.model_name}_change", args=[quote(row.pk)])


def row_page(
    model_admin: ModelAdmin, request: HttpRequest, row: Model | None, page: str, **context: Any
) -> TemplateResponse:
    """Return an admin page of ours about one row, None for rows of the list at this address.

    `page` is its file in accounts/admin.
    """
    request.current_app = model_admin.admin_site.name
    return TemplateResponse(
        request,
        f"accounts/admin/{page}.html",
        {
            **model_admin.admin_site.each_context(request),
            "opts": model_admin.opts,
            "original": row,
            "change_url": change_url(row) if row else request.get_full_path(),
            **context,
        },
    )


def confirmation(
    model_admin: ModelAdmin,
    request: HttpRequest,
    row: Model | None,
    *,
    title: str,
    button: str,
    consequences: Sequence[str],
    dangerous: bool = False,
) -> TemplateResponse:
    """Return the page that says in plain words what a button will do and asks for it by POST.

    Without a row it is about those that a bulk action was asked for: the POST asks again, with `post`.
    """
    repeated = [
        (name, value)
        for name in ("action", "select_across", "index", ACTION_CHECKBOX_NAME)
        for value in request.POST.getlist(name)
    ]
    return row_page(
        model_admin,
        request,
        row,
        "confirmation",
        title=title,
        button=button,
        consequences=consequences,
        hidden=[] if row else [("post", "yes"), *repeated],
        variant="danger" if dangerous else "primary",
    )


def pretty_json(value: Any) -> SafeString:
    """Return a JSON value as indented text, in the order in which it was written."""
    return format_html(
        '<pre class="admin-json">{}</pre>', json.dumps(value, indent=2, ensure_ascii=False, default=str)
    )


def badge(text: str) -> SafeString:
    """Return a word as a badge, coloured when it is a status."""
    return render_to_string("unfold/helpers/label.html", {"text": text, "type": STATUS_COLOURS.get(text)})


def badges(texts: Iterable[str]) -> SafeString:
    """Return several badges."""
    return format_html_join(" ", "{}", ((badge(text),) for text in texts))


def moment(field: str, description: str) -> Callable[[Any, Any], str | None]:
    """Return a column for a time of the row, in UTC to the minute."""

    @display(description=description, ordering=field)
    def shown(model_admin: ModelAdmin, row: Any) -> str | None:
        value: datetime | None = getattr(row, field)
        if value is None:
            return None
        text = date_format(timezone.localtime(value, timezone.get_default_timezone()), "j M Y, H:i")
        return format_html(
            '<span class="whitespace-nowrap" title="{} UTC">{}</span>',
            value.isoformat(" ", "seconds")[:19],
            text,
        )

    column: Callable[[Any, Any], str | None] = shown
    return column


def _is_quoted(part: str) -> bool:
    return len(part) > 1 and part[0] in "\"'" and part[0] == part[-1]


def identifier(value: str) -> SafeString:
    """Return an id in the letters of code."""
    return format_html('<code class="admin-id">{}</code>', value)
