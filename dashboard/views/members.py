"""Settings of an organization: its members, and invitations to become one."""

from __future__ import annotations

from django.conf import settings
from django.contrib import messages
from django.http import Http404, HttpResponse
from django.shortcuts import redirect, render
from django.urls import path, reverse
from django.views.decorators.http import require_GET, require_http_methods, require_POST

from accounts.models import Membership
from accounts.people import (
    INVITATION_DAYS,
    LastOwner,
    PeopleError,
    change_role,
    find_invitation,
    invite,
    is_last_owner,
    remove_member,
    revoke_invitation,
)
from config.names import short_name
from dashboard.access import MemberRequest, member
from dashboard.forms import InvitationForm, RoleForm
from dashboard.mails import invitation_link, send_invitation
from dashboard.pages import Question, ask, by_number

OPEN_INVITATIONS = 10  # on a page, above the members
ROLES = (
    ("Owner", "does everything: keys, domains, webhooks, members, and what editors do."),
    ("Editor", "builds, publishes and archives templates, renders documents, uploads assets."),
    ("Viewer", "sees templates, documents and usage, and changes nothing."),
)


@require_GET
@member("viewer")
def members(request: MemberRequest) -> HttpResponse:
    """List members and open invitations."""
    return _members(request, InvitationForm())


@require_POST
@member("owner")
def send(request: MemberRequest) -> HttpResponse:
    """Invite an address, or invite it again."""
    form = InvitationForm(request.POST)
    if not form.is_valid():
        return _members(request, form, status=422)
    try:
        invitation, token = invite(
            organization=request.organization,
            email=form.cleaned_data["email"],
            role=form.cleaned_data["role"],
            inviter=request.user,
        )
    except PeopleError as error:
        form.add_error("email", str(error))
        return _members(request, form, status=422)
    if send_invitation(request, invitation, token):
        messages.success(request, f"{short_name(invitation.email)} will get an e-mail with a link to join.")
        return redirect("dashboard:members", request.organization.pk)
    link = invitation_link(request, token)
    return _members(request, InvitationForm(), invitation=invitation, link=link)


@require_http_methods(["GET", "POST"])
@member("owner")
def revoke(request: MemberRequest, invitation: str) -> HttpResponse:
    """Ask, then withdraw an invitation."""
    organization = request.organization
    back = reverse("dashboard:members", args=[organization.pk])
    if request.method == "POST":
        try:
            revoked = revoke_invitation(
                organization=organization, invitation_id=invitation, actor=request.caller.author
            )
        except PeopleError as error:
            messages.error(request, str(error))
        else:
            messages.success(request, f"The invitation of {short_name(revoked.email)} is revoked.")
        return redirect(back)
    offered = find_invitation(organization, invitation)
    if offered is None:
        raise Http404("No such invitation")
    question = Question(
        title=f"Revoke the invitation of {offered.email}?",
        button="Revoke",
        back=back,
        text="The link in the mail stops working at once.",
        dangerous=True,
    )
    return ask(request, question, area="settings", tab="members")


@require_http_methods(["GET", "POST"])
@member("owner")
def role(request: MemberRequest, user: int) -> HttpResponse:
    """Give a member another role."""
    organization = request.organization
    membership = _membership(request, user)
    back = reverse("dashboard:members", args=[organization.pk])
    form = RoleForm(request.POST if request.method == "POST" else None, initial={"role": membership.role})
    if form.is_valid():
        chosen = form.cleaned_data["role"]
        try:
            change_role(organization=organization, user_id=user, role=chosen, actor=request.caller.author)
        except PeopleError as error:
            messages.error(request, str(error))
        else:
            messages.success(request, f"{short_name(membership.user.email)} is {_a(chosen)} now.")
        return redirect(back)
    question = Question(title=f"Role of {membership.user.email}", button="Change role", back=back)
    return ask(request, question, area="settings", tab="members", form=form, roles=ROLES)


@require_http_methods(["GET", "POST"])
@member("owner")
def remove(request: MemberRequest, user: int) -> HttpResponse:
    """Ask, then take a member out."""
    organization = request.organization
    membership = _membership(request, user)
    back = reverse("dashboard:members", args=[organization.pk])
    if request.method == "POST":
        try:
            remove_member(organization=organization, user_id=user, actor=request.caller.author)
        except PeopleError as error:
            messages.error(request, str(error))
            return redirect(back)
        messages.success(request, f"{short_name(membership.user.email)} is no longer a member.")
        return redirect("dashboard:home" if membership.user_id == request.user.pk else back)
    question = Question(
        title=f"Remove {membership.user.email}?",
        button="Remove",
        back=back,
        consequences=(
            f"{membership.user.email} does not see {organization.name} any more, from the next click on.",
            "API keys that the person knows still work: rotate them if that must not be.",
            "Invitations that the person sent stop working. What the person made stays.",
        ),
        dangerous=True,
        refusal=str(LastOwner()) if is_last_owner(organization, user) else "",
    )
    return ask(request, question, area="settings", tab="members")


def _membership(request: MemberRequest, user: int) -> Membership:
    rows = Membership.objects.filter(organization=request.organization, user_id=user).select_related("user")
    membership = rows.first() if user < 2**63 else None
    if membership is None:
        raise Http404("No such member")
    return membership


def _members(
    request: MemberRequest, form: InvitationForm, *, status: int = 200, **context: object
) -> HttpResponse:
    organization = request.organization
    rows = Membership.objects.filter(organization=organization).select_related("user").order_by("user__email")
    here = reverse("dashboard:members", args=[organization.pk])
    shown = {
        "area": "settings",
        "tab": "members",
        "page": by_number(request, rows, at=here),
        "invitations": by_number(
            request,
            organization.invitations.filter(accepted_at=None).with_inviters(),
            size=OPEN_INVITATIONS,
            name="invitations",
            at=here,
        ),
        "form": form,
        "roles": ROLES,
        "days": INVITATION_DAYS,
        "sends_mail": settings.HAS_MAIL_SERVER,
    }
    return render(request, "dashboard/settings/members.html", shown | context, status=status)


def _a(role: str) -> str:
    return f"a {role}" if role == Membership.Role.VIEWER else f"an {role}"


urls = [
    path("settings/members", members, name="members"),
    path("settings/members/invite", send, name="invite"),
    path("settings/members/invitations/<str:invitation>/revoke", revoke, name="revoke_invitation"),
    path("settings/members/<int:user>/role", role, name="role"),
    path("settings/members/<int:user>/remove", remove, name="remove_member"),
]
