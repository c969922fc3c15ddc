"""Getting in: log-in, log-out, a forgotten password, an invitation."""

from __future__ import annotations

from typing import Any, cast
from urllib.parse import urlsplit

import axes.utils
from django import forms
from django.conf import settings
from django.contrib import messages
from django.contrib.auth import login, views
from django.contrib.auth.forms import (
    AuthenticationForm,
    BaseUserCreationForm,
    SetPasswordForm,
)
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.shortcuts import redirect, render
from django.urls import path, reverse, reverse_lazy
from django.utils.translation import gettext_lazy as _
from django.views.decorators.cache import never_cache
from django.views.decorators.debug import sensitive_post_parameters
from django.views.decorators.http import require_GET, require_http_methods

from accounts.attempts import place_of, tries
from accounts.form_parts import PersonName
from accounts.login_attempts import tries_of_place
from accounts.models import Invitation, User
from accounts.people import PeopleError, accept_invitation, open_invitation, register_invited
from accounts.sessions import revoke
from config.api.urls import base_url
from config.names import short_name
from dashboard.access import PersonRequest, last_membership, person
from dashboard.forms import Form, Look
from dashboard.navigation import landing
from dashboard.tasks import send_reset_mail

MODEL_BACKEND = "django.contrib.auth.backends.ModelBackend"
# Mails to reset a password: at most so many for one address, and asked for from one place.
RESETS = {"address": "5/h", "place": "30/h"}
LOCKED_OUT = (
    "Too many wrong passwords. Log-in for this address is paused for 15 minutes from here; "
    "if you do not remember the password, reset it."
)
PLACE_LOCKED_OUT = (
    "Too many wrong passwords for several addresses came from your network. Log-in is paused there for "
    "up to 15 minutes; from elsewhere it works."
)


class LoginForm(Look, AuthenticationForm):
    """Address and password."""

    error_messages = {
        "invalid_login": _("E-mail address and password do not match. Check both, or reset the password."),
        "inactive": _("This account is closed. Ask an administrator of this server."),
    }
    username = forms.EmailField(
        label="E-mail address",
        widget=forms.EmailInput(attrs={"autofocus": True, "autocomplete": "username"}),
    )


class ResetForm(Form):
    """Where to send the link."""

    email = forms.EmailField(
        label="E-mail address", max_length=254, widget=forms.EmailInput(attrs={"autocomplete": "email"})
    )

    def clean_email(self) -> str:
        """Return the address as it is stored."""
        return User.objects.normalize_email(self.cleaned_data["email"])


class NewPasswordForm(Look, SetPasswordForm):
    """The new password, twice."""


class RegisterForm(PersonName, Look, BaseUserCreationForm):
    """Name and password of an invited person; the address is the invitation's."""

    class Meta:
        model = User
        fields = ("first_name", "last_name")


class LoginView(views.LoginView):
    """The log-in page. Who logs in is who they say from then on, whoever the browser was before."""

    form_class = LoginForm
    authentication_form = LoginForm
    template_name = "dashboard/people/login.html"

    def get(self, request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponse:
        """Show the page; who is logged in already is led on."""
        if request.user.is_authenticated:
            return HttpResponseRedirect(self.get_success_url())
        return super().get(request, *args, **kwargs)

    def get_redirect_url(self, *args: Any) -> str:
        """Return where the person wanted to go, if that is a page of ours and not this one."""
        wanted: str = super().get_redirect_url(*args)
        return "" if urlsplit(wanted).path == self.request.path else wanted


class LogoutView(views.LogoutView):
    """Ends the session; the browser forgets the pages it kept."""

    next_page = "dashboard:login"

    def post(self, request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponse:
        """Log out."""
        response = super().post(request, *args, **kwargs)
        response["Clear-Site-Data"] = '"cache"'
        return response


class ResetView(views.PasswordResetView):
    """Asks where to send the link.

    The answer and the time that it takes are the same whether there is such an account or not: a job finds
    that out.
    """

    form_class = ResetForm  # type: ignore[assignment]
    template_name = "dashboard/people/reset.html"
    success_url = reverse_lazy("dashboard:reset_sent")

    def form_valid(self, form: Any) -> HttpResponse:
        """Have the link of the public address sent; silently not, when it was asked for again and again."""
        asked = {"address": form.cleaned_data["email"], "place": place_of(self.request)}
        counts = [
            tries(f"password reset by {name}", who, RESETS[name], add=True) for name, who in asked.items()
        ]
        if not any(count.are_exceeded for count in counts):
            send_reset_mail.enqueue(asked["address"], base_url(self.request))
        return HttpResponseRedirect(self.get_success_url())


class ResetConfirmView(views.PasswordResetConfirmView):
    """Takes the new password; every session of the person ends."""

    form_class = NewPasswordForm
    template_name = "dashboard/people/reset_confirm.html"
    success_url = reverse_lazy("dashboard:login")

    def form_valid(self, form: Any) -> HttpResponse:
        """Save it. Whoever was paused for wrong passwords here may try the new one at once."""
        response = super().form_valid(form)
        revoke(form.user)
        axes.utils.reset(ip=place_of(self.request), username=form.user.email)
        messages.success(self.request, "Your password is changed. Log in with the new one.")
        return response


@require_GET
@person
def home(request: PersonRequest) -> HttpResponse:
    """Go to the organization the person was in last."""
    membership = last_membership(request)
    if membership is None:
        return redirect("dashboard:organizations")
    return redirect(landing(membership))


@require_GET
def reset_sent(request: HttpRequest) -> HttpResponse:
    """Say where to look for the link."""
    context = {"has_mail_server": settings.HAS_MAIL_SERVER}
    return render(request, "dashboard/people/reset_sent.html", context)


@sensitive_post_parameters("password1", "password2")
@require_http_methods(["GET", "POST"])
@never_cache
def invitation(request: HttpRequest, token: str) -> HttpResponse:
    """Show an invitation and accept it, as whoever is logged in or as a new person."""
    offered = open_invitation(token)
    if offered is None:
        return render(request, "dashboard/people/invitation_gone.html", status=404)
    if request.user.is_authenticated:
        return _accept(request, offered, token)
    has_account = User.objects.filter(email=offered.email).exists()
    form = None
    if not has_account:
        form = RegisterForm(request.POST or None, instance=User(email=offered.email))
        if request.method == "POST" and form.is_valid():
            return _register(request, offered, token, form.cleaned_data)
    context = {
        "invitation": offered,
        "form": form,
        "login_url": f"{reverse('dashboard:login')}?next={request.path}",
    }
    status = 200 if form is None or not form.errors else 422
    return render(request, "dashboard/people/invitation.html", context, status=status)


def _accept(request: HttpRequest, offered: Invitation, token: str) -> HttpResponse:
    user = cast(User, request.user)
    if request.method == "POST":
        try:
            membership = accept_invitation(token=token, user=user)
        except PeopleError as error:
            messages.error(request, str(error))
            return redirect("dashboard:invitation", token)
        messages.success(request, f"Welcome to {short_name(membership.organization)}.")
        return HttpResponseRedirect(landing(membership))
    context = {"invitation": offered, "is_other": user.email != offered.email}
    return render(request, "dashboard/people/invitation.html", context)


def _register(request: HttpRequest, offered: Invitation, token: str, given: dict[str, Any]) -> HttpResponse:
    try:
        user = register_invited(
            token=token,
            first_name=given["first_name"],
            last_name=given["last_name"],
            password=given["password1"],
        )
    except PeopleError as error:
        messages.error(request, str(error))
        return redirect("dashboard:invitation", token)
    login(request, user, backend=MODEL_BACKEND)
    messages.success(request, f"Welcome to {short_name(offered.organization)}.")
    return redirect("dashboard:home")


def locked_out(request: HttpRequest, response: HttpResponse, credentials: Any = None) -> HttpResponse:
    """Answer a log-in after too many wrong passwords (settings.AXES_LOCKOUT_CALLABLE)."""
    of_place = tries_of_place(request)
    text, seconds = LOCKED_OUT, int(settings.AXES_COOLOFF_TIME.total_seconds())
    if of_place.are_used_up:
        text, seconds = PLACE_LOCKED_OUT, of_place.seconds_left
    form = LoginForm(request, initial={"username": request.POST.get("username", "")})
    context = {"locked_out": text, "form": form, "next": request.POST.get("next", "")}
    answer = render(request, "dashboard/people/login.html", context, status=429)
    answer["Retry-After"] = str(seconds)
    return answer


urls = [
    path("", home, name="home"),
    path("login", LoginView.as_view(), name="login"),
    path("logout", LogoutView.as_view(), name="logout"),
    path("password/reset", ResetView.as_view(), name="reset"),
    path("password/reset/sent", reset_sent, name="reset_sent"),
    path("password/reset/<uidb64>/<token>", ResetConfirmView.as_view(), name="reset_confirm"),
    path("invitations/<str:token>", invitation, name="invitation"),
]
