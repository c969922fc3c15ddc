"""Who may open a page: the one place where the dashboard decides it.

    @member("viewer")                  every member reads
    @member("viewer", post="owner")    every member reads, owners change
    @person                            whoever is logged in, of any organization

A page of an organization has `organization_id` in its path; the decorator takes it, and the view gets
`request.organization`, `request.membership` and `request.caller` instead. Who is no member gets the 404 of an
organization that does not exist; whose role is too low gets a 403 page.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from typing import Any, cast

from django.contrib.auth.views import redirect_to_login
from django.core.exceptions import PermissionDenied
from django.http import Http404, HttpRequest, HttpResponse
from django.http.response import HttpResponseBase
from django.shortcuts import resolve_url
from django.utils.cache import patch_cache_control, patch_vary_headers
from django_htmx.middleware import HtmxDetails

from accounts.caller import Caller, member_caller
from accounts.models import Membership, Organization, User
from accounts.sessions import describe
from config.statements import Lookup

SAFE_METHODS = {"GET", "HEAD", "OPTIONS"}

View = Callable[..., HttpResponseBase]


class PersonRequest(HttpRequest):
    """A request of somebody who is logged in. `memberships` are all of theirs, for the switcher, by name."""

    user: User
    htmx: HtmxDetails
    memberships: list[Membership]


class MemberRequest(PersonRequest):
    """A request of a member about one organization; `caller` is the member as services take it."""

    organization: Organization
    membership: Membership
    caller: Caller


def member(role: str, *, post: str | None = None) -> Callable[[View], View]:
    """Let in members whose role has the powers of `role`, and for changes those with the powers of `post`."""

    def decorate(view: View) -> View:
        @wraps(view)
        def inner(request: HttpRequest, organization_id: str, **arguments: Any) -> HttpResponseBase:
            if not request.user.is_authenticated:
                return ask_to_log_in(request)
            asked = cast(MemberRequest, _with_person(request))
            asked.membership = _membership(asked, organization_id)
            asked.organization = asked.membership.organization
            asked.caller = member_caller(asked.organization, asked.user)
            _remember(asked)
            needed = role if request.method in SAFE_METHODS else post or role
            if not asked.membership.may(needed):
                raise PermissionDenied(refusal(asked.membership, needed))
            return _private(view(asked, **arguments))

        return inner

    return decorate


def person(view: View) -> View:
    """Let in whoever is logged in; the page shows the navigation of the organization they were in last."""

    @wraps(view)
    def inner(request: HttpRequest, **arguments: Any) -> HttpResponseBase:
        if not request.user.is_authenticated:
            return ask_to_log_in(request)
        asked = _with_person(request)
        last = last_membership(asked)
        if last is not None:
            about = cast(MemberRequest, asked)
            about.membership, about.organization = last, last.organization
        return _private(view(asked, **arguments))

    return inner


def last_membership(request: PersonRequest) -> Membership | None:
    """Return the membership that the person used last, else the first one; None without any."""
    last = request.user.last_organization_id
    used = (each for each in request.memberships if each.organization_id == last)
    return next(used, next(iter(request.memberships), None))


def ask_to_log_in(request: HttpRequest) -> HttpResponse:
    """Send a stranger to the log-in page and back; for a part of a page the whole page goes there."""
    if getattr(request, "htmx", False):
        return HttpResponse(status=401, headers={"HX-Redirect": resolve_url("dashboard:login")})
    return redirect_to_login(request.get_full_path())


def refusal(membership: Membership, needed: str) -> str:
    """Return why a member may not do something, and who may."""
    who = {"owner": "owners", "editor": "editors and owners"}[needed]
    return (
        f"Only {who} of {membership.organization} may do this, and you are "
        f"{'an' if membership.role == 'editor' else 'a'} {membership.role} here. "
        "Ask an owner to change your role."
    )


_memberships = Lookup(
    lambda user_id: (
        Membership.objects.filter(user_id=user_id)
        .select_related("organization")
        .order_by("organization__name", "organization_id")
    ),
    of=int,
)


def _with_person(request: HttpRequest) -> PersonRequest:
    asked = cast(PersonRequest, request)
    asked.memberships = _memberships.all(asked.user.pk)
    describe(request)
    return asked


def _membership(request: PersonRequest, organization_id: str) -> Membership:
    for membership in request.memberships:
        if membership.organization_id == organization_id:
            return membership
    raise Http404("No such organization")


def _remember(request: MemberRequest) -> None:
    """Note where the person is, for the next `/`."""
    if request.user.last_organization_id != request.organization.pk:
        request.user.last_organization = request.organization
        User.objects.filter(pk=request.user.pk).update(last_organization=request.organization)


def _private(response: HttpResponseBase) -> HttpResponseBase:
    """Keep a page out of shared caches, and have it asked for again each time it is shown."""
    if "Cache-Control" not in response:
        patch_cache_control(response, private=True, no_cache=True)
        # A part that htmx asks for has the address of its page, where going back shows what the browser kept.
        patch_vary_headers(response, ["HX-Request", "HX-Target"])
    return response
