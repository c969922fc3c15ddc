"""A person's own pages: name, password, sessions, organizations, light or dark."""

from __future__ import annotations

from typing import Any

from django.conf import settings
from django.contrib import messages
from django.contrib.auth import update_session_auth_hash
from django.contrib.auth.forms import PasswordChangeForm
from django.core.exceptions import PermissionDenied, ValidationError
from django.db import transaction
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.shortcuts import redirect, render
from django.urls import path, reverse
from django.utils.http import url_has_allowed_host_and_scheme
from django.views.decorators.debug import sensitive_post_parameters
from django.views.decorators.http import require_GET, require_http_methods, require_POST

from accounts.attempts import tries
from accounts.models import User
from accounts.one_time import keep_for_next_page
from accounts.people import LastOwner, PeopleError, is_last_owner, remove_member
from accounts.services import create_organization
from accounts.sessions import digest, revoke, sessions_of
from config.names import short_name
from dashboard.access import PersonRequest, person
from dashboard.agents import describe_agent
from dashboard.forms import Look, NameForm, ProfileForm
from dashboard.pages import THEME_COOKIE, THEMES, Question, ask, by_number

YEAR = 365 * 24 * 3600
# Wrong old passwords of one person: whoever sits at somebody else's screen is not to find out the password.
GUESSING_RATE = "10/15m"


class PasswordForm(Look, PasswordChangeForm):
    """The old password and the new one."""

    def clean_old_password(self) -> str:
        """Take the right password; after too many wrong ones none is looked at for a while."""
        counter = ("old passwords", str(self.user.pk), GUESSING_RATE)
        if (wrong := tries(*counter)).are_used_up:
            minutes = -(-wrong.seconds_left // 60)
            raise ValidationError(
                f"Too many wrong passwords. Try again in {minutes} minute{'s' if minutes > 1 else ''}."
            )
        try:
            old: str = super().clean_old_password()
        except ValidationError:
            tries(*counter, add=True)
            raise
        return old


@require_http_methods(["GET", "POST"])
@person
def profile(request: PersonRequest) -> HttpResponse:
    """Show and change the name; the address is the account's and an administrator's to change."""
    user = request.user
    initial = {"first_name": user.first_name, "last_name": user.last_name}
    form = ProfileForm(request.POST if request.method == "POST" else None, initial=initial)
    if form.is_valid():
        user.first_name = form.cleaned_data["first_name"]
        user.last_name = form.cleaned_data["last_name"]
        user.save(update_fields=["first_name", "last_name"])
        messages.success(request, "Your name is saved.")
        return redirect("dashboard:account")
    return _account(request, "profile", form)


@sensitive_post_parameters()
@require_http_methods(["GET", "POST"])
@person
def password(request: PersonRequest) -> HttpResponse:
    """Change the password; every other session of the person ends."""
    form = PasswordForm(request.user, request.POST if request.method == "POST" else None)
    if form.is_valid():
        form.save()
        update_session_auth_hash(request, request.user)
        revoke(request.user, keep=request.session.session_key)
        messages.success(request, "Your password is changed. You are logged out everywhere else.")
        return redirect("dashboard:password")
    return _account(request, "password", form)


@require_GET
@person
def sessions(request: PersonRequest) -> HttpResponse:
    """List where the person is logged in."""
    here = digest(request.session.session_key or "")
    own = sessions_of(request.user)
    page = by_number(request, own.exclude(session_key=here))
    shown = page.rows if page.previous else [*own.filter(session_key=here), *page.rows]
    rows = [
        {"session": row, "device": describe_agent(row.user_agent), "is_here": row.session_key == here}
        for row in shown
    ]
    context = {"rows": rows, "page": page, "has_others": page.rows or page.previous, "tab": "sessions"}
    return render(request, "dashboard/account/sessions.html", context)


@require_POST
@person
def end_session(request: PersonRequest) -> HttpResponse:
    """End one session, or all others."""
    key = request.POST.get("session", "")
    ended = (
        revoke(request.user, session_key=key)
        if key
        else revoke(request.user, keep=request.session.session_key)
    )
    if ended:
        messages.success(request, f"Logged out {ended} {'session' if ended == 1 else 'sessions'}.")
    else:
        messages.info(request, "This session had already ended.")
    return redirect("dashboard:sessions")


@require_GET
@person
def organizations(request: PersonRequest) -> HttpResponse:
    """List the person's organizations."""
    context = {
        "tab": "organizations",
        "page": by_number(request, request.memberships),
        "may_create": may_create_organization(request.user),
    }
    return render(request, "dashboard/account/organizations.html", context)


@require_http_methods(["GET", "POST"])
@person
def new_organization(request: PersonRequest) -> HttpResponse:
    """Create an organization with the person as its owner, then show its keys once."""
    if not may_create_organization(request.user):
        raise PermissionDenied("On this server only administrators create organizations.")
    form = NameForm(request.POST if request.method == "POST" else None)
    if form.is_valid():
        with transaction.atomic():
            organization, credentials = create_organization(
                name=form.cleaned_data["name"], owner=request.user, actor=request.user.email
            )
            keep_for_next_page(request.session, organization.pk, credentials)
        return redirect("dashboard:new_keys", organization.pk)
    status = 422 if form.errors else 200
    return render(request, "dashboard/account/new_organization.html", {"form": form}, status=status)


@require_http_methods(["GET", "POST"])
@person
def leave(request: PersonRequest, organization: str) -> HttpResponse:
    """Leave an organization; its last owner cannot."""
    membership = next((each for each in request.memberships if each.organization_id == organization), None)
    if membership is None:
        return redirect("dashboard:organizations")
    if request.method == "POST":
        try:
            remove_member(
                organization=membership.organization, user_id=request.user.pk, actor=request.user.email
            )
        except PeopleError as error:
            messages.error(request, str(error))
        else:
            messages.success(request, f"You have left {short_name(membership.organization)}.")
        return redirect("dashboard:organizations")
    question = Question(
        title=f"Leave {membership.organization}?",
        button="Leave",
        back=reverse("dashboard:organizations"),
        consequences=(
            "You do not see its templates, documents and settings any more.",
            "To come back you need an invitation by one of its owners.",
            "What you made there stays.",
        ),
        dangerous=True,
        refusal=str(LastOwner()) if is_last_owner(membership.organization, request.user.pk) else "",
    )
    return ask(request, question)


@require_POST
def theme(request: HttpRequest) -> HttpResponse:
    """Keep the choice of light or dark in a cookie; anything else leaves it to the system."""
    back = request.POST.get("next", "")
    if not url_has_allowed_host_and_scheme(back, {request.get_host()}, request.is_secure()):
        back = reverse("dashboard:home")
    response = HttpResponseRedirect(back)
    chosen = request.POST.get("theme", "")
    if chosen in THEMES:
        response.set_cookie(
            THEME_COOKIE, chosen, max_age=YEAR, samesite="Lax", secure=request.is_secure(), httponly=True
        )
    else:
        response.delete_cookie(THEME_COOKIE, samesite="Lax")
    return response


def may_create_organization(user: User) -> bool:
    """Tell whether the operator lets this person create organizations (ORGANIZATION_CREATION)."""
    return user.is_staff or settings.ORGANIZATION_CREATION == "everybody"


def _account(request: PersonRequest, tab: str, form: Any) -> HttpResponse:
    status = 422 if form.errors else 200
    context = {"form": form, "tab": tab}
    return render(request, f"dashboard/account/{tab}.html", context, status=status)


urls = [
    path("account", profile, name="account"),
    path("account/password", password, name="password"),
    path("account/sessions", sessions, name="sessions"),
    path("account/sessions/end", end_session, name="end_session"),
    path("account/organizations", organizations, name="organizations"),
    path("account/organizations/new", new_organization, name="new_organization"),
    path("account/organizations/<str:organization>/leave", leave, name="leave"),
    path("account/theme", theme, name="theme"),
]
