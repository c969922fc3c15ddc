"""Members of an organization and invitations to it.

Every change locks the organization's row first, so that of two changes at the same moment the second sees the
first: an organization always keeps an owner.
"""

from __future__ import annotations

import secrets
from collections import defaultdict
from collections.abc import Collection
from datetime import timedelta
from typing import Any, Final

from django.conf import settings
from django.contrib.auth.hashers import make_password
from django.core.exceptions import ValidationError
from django.core.validators import validate_email
from django.db import transaction
from django.db.models import QuerySet
from django.utils import timezone
from django.utils.timesince import timesince

from accounts import audit
from accounts.attempts import tries
from accounts.credentials import digest, possible_digests
from accounts.models import Invitation, Membership, Organization, User

INVITATION_DAYS: Final = 7


class PeopleError(ValueError):
    """A change of members that is not possible; the message is for the person who tried."""


class LastOwner(PeopleError):
    """The change would leave the organization without an owner."""

    def __init__(self) -> None:
        super().__init__(
            "An organization needs at least one owner. Make somebody else an owner first, then try again."
        )


@transaction.atomic
def change_role(*, organization: Organization, user_id: int, role: str, actor: str) -> Membership:
    """Give a member another role; raises LastOwner, PeopleError for an unknown role or member."""
    membership = _member(organization, user_id)
    before = membership.role
    if role not in Membership.Role.values:
        raise PeopleError("Choose a role: owner, editor or viewer.")
    if before == role:
        return membership
    if before == Membership.Role.OWNER and is_last_owner(organization, user_id):
        raise LastOwner
    membership.role = role
    membership.save(update_fields=["role"])
    _record(organization, actor, "member.role_changed", membership.user, before=before, after=role)
    return membership


@transaction.atomic
def remove_member(*, organization: Organization, user_id: int, actor: str) -> User:
    """Take a member out and return the person; raises LastOwner, PeopleError for who is no member."""
    membership = _member(organization, user_id)
    if membership.role == Membership.Role.OWNER and is_last_owner(organization, user_id):
        raise LastOwner
    person = membership.user
    membership.delete()
    User.objects.filter(pk=person.pk, last_organization=organization).update(last_organization=None)
    _record(organization, actor, "member.removed", person, role=membership.role)
    return person


@transaction.atomic
def invite(*, organization: Organization, email: str, role: str, inviter: User) -> tuple[Invitation, str]:
    """Invite an address, or invite it again with a new link; return the invitation and the link's token.

    The token cannot be read again. Raises PeopleError for an address that is none or a member's already, and
    beyond INVITATION_RATE_LIMIT: who can invite could have this service write to anybody.
    """
    address = User.objects.normalize_email(email)
    try:
        validate_email(address)
    except ValidationError:
        raise PeopleError("Enter a valid e-mail address.") from None
    if role not in Membership.Role.values:
        raise PeopleError("Choose a role: owner, editor or viewer.")
    _lock(organization)
    if Membership.objects.filter(organization=organization, user__email=address).exists():
        raise PeopleError(f"{address} is a member already.")
    _count_invitation(organization)
    token = secrets.token_urlsafe(32)
    now = timezone.now()
    invitation, is_new = Invitation.objects.update_or_create(
        organization=organization,
        email=address,
        accepted_at=None,
        defaults={
            "role": role,
            "token_digest": digest(token),
            "invited_by": inviter,
            "created_at": now,
            "expires_at": now + timedelta(days=INVITATION_DAYS),
        },
    )
    action = "member.invited" if is_new else "member.invited_again"
    _record_invitation(invitation, inviter.email, action)
    return invitation, token


@transaction.atomic
def revoke_invitation(*, organization: Organization, invitation_id: str, actor: str) -> Invitation:
    """Withdraw an open invitation: its link stops working. Raises PeopleError when there is none."""
    _lock(organization)
    invitation = find_invitation(organization, invitation_id)
    if invitation is None:
        raise PeopleError("This invitation was accepted or revoked in the meantime.")
    _record_invitation(invitation, actor, "member.invitation_revoked")
    invitation.delete()
    return invitation


def find_invitation(organization: Organization, invitation_id: str) -> Invitation | None:
    """Return an open invitation of an organization, None for an id of any form that names none."""
    return organization.invitations.filter(accepted_at=None).by_id(invitation_id)


def open_invitation(token: str) -> Invitation | None:
    """Return the invitation that a link's token opens.

    None for one unknown, revoked, accepted, expired, or of somebody who is no owner any more.
    """
    invitations = Invitation.objects.with_inviters().select_related("organization")
    invitation = invitations.filter(token_digest__in=possible_digests(token), accepted_at=None).first()
    is_good = invitation is not None and invitation.is_vouched and not invitation.is_expired
    return invitation if is_good else None


@transaction.atomic
def accept_invitation(*, token: str, user: User) -> Membership:
    """Make a person a member; raises PeopleError when the link is not (any more) good or for somebody else.

    Who is a member already keeps the present role.
    """
    invitation = _locked_invitation(token)
    if invitation.email != user.email:
        raise PeopleError(f"This invitation is for {invitation.email}; you are logged in as {user.email}.")
    membership, is_new = Membership.objects.get_or_create(
        organization=invitation.organization, user=user, defaults={"role": invitation.role}
    )
    invitation.accepted_at = timezone.now()
    invitation.save(update_fields=["accepted_at"])
    if is_new:
        _record(invitation.organization, user.email, "member.joined", user, role=invitation.role)
    return membership


def register_invited(*, token: str, first_name: str, last_name: str, password: str) -> User:
    """Create the account of an invited person and accept; raises PeopleError as `accept_invitation` does.

    `password` was checked by the form. Raises PeopleError too when the address has an account already.
    """
    hashed = make_password(password)  # takes its time: under SQLite nobody else could write meanwhile
    with transaction.atomic():
        invitation = _locked_invitation(token)  # a second click waits for the account that the first makes
        if User.objects.filter(email=invitation.email).exists():
            raise PeopleError(f"{invitation.email} has an account already: log in to accept.")
        user = User.objects.create(
            email=invitation.email, password=hashed, first_name=first_name, last_name=last_name
        )
        accept_invitation(token=token, user=user)
    return user


def _count_invitation(organization: Organization) -> None:
    sent = tries("invitations", organization.pk, settings.INVITATION_RATE_LIMIT, add=True)
    if sent.are_exceeded:
        wait = timesince(timezone.now() - timedelta(seconds=sent.seconds_left), depth=1)
        raise PeopleError(
            f"{organization.name} has sent {sent.limit} invitations lately, and this server allows no more. "
            f"Try again in {wait}."
        )


def _locked_invitation(token: str) -> Invitation:
    """Return the invitation of a token under its organization's lock; raises PeopleError for none."""
    invitation = open_invitation(token)
    if invitation is not None:
        _lock(invitation.organization)
        invitation = open_invitation(token)
    if invitation is None:
        raise PeopleError("This invitation is not valid any more. Ask for a new one.")
    return invitation


def record_members(changes: Any, actor: str) -> None:
    """Write what an administrator's formset of memberships did, after it was saved."""
    for membership in changes.new_objects:
        _record(membership.organization, actor, "member.added", membership.user, role=membership.role)
    before = {form.instance.pk: form.initial.get("role") for form in changes.initial_forms}
    for membership, _fields in changes.changed_objects:
        roles = {"before": before[membership.pk], "after": membership.role}
        _record(membership.organization, actor, "member.role_changed", membership.user, **roles)
    for membership in changes.deleted_objects:
        _record(membership.organization, actor, "member.removed", membership.user, role=membership.role)


@transaction.atomic
def delete_users(*, users: Collection[int], actor: str) -> None:
    """Delete accounts, and write to the audit logs of their organizations that they are members no more.

    The caller has asked `left_without_owner` in the same transaction.
    """
    places = Membership.objects.filter(user__in=users).select_related("organization", "user")
    for membership in places.order_by("organization", "user"):
        _record(membership.organization, actor, "member.removed", membership.user, role=membership.role)
    User.objects.filter(pk__in=users).delete()


def left_without_owner(users: Collection[int]) -> list[Organization]:
    """Return the organizations whose owners are all among these users; locked, within a transaction."""
    owned = Membership.objects.filter(user__in=users, role=Membership.Role.OWNER).values("organization")
    # In order: two that lock the same ones never wait for each other.
    locked = list(Organization.objects.filter(pk__in=owned).order_by("pk").select_for_update(no_key=True))
    owners = _owners(owned)
    leaving = set(users)
    return [each for each in locked if not _is_kept(owners[each.pk], leaving=leaving)]


def check_owners(organization_id: str, *, leaving: set[int], staying: set[int]) -> None:
    """Raise LastOwner when a change would take away the last of an organization's owners.

    `leaving` are the users whose membership changes, `staying` those who own it afterwards. Within a
    transaction: the organization is locked until it ends.
    """
    _lock(Organization(pk=organization_id))
    if not _keeps_an_owner(organization_id, leaving=leaving, staying=staying):
        raise LastOwner


def is_last_owner(organization: Organization, user_id: int) -> bool:
    """Tell whether the organization would have no owner without this person."""
    return not _keeps_an_owner(organization.pk, leaving={user_id})


def _keeps_an_owner(
    organization_id: str, *, leaving: set[int], staying: Collection[int] = frozenset()
) -> bool:
    """Tell whether somebody who can log in owns an organization still, if anybody has.

    Who changes something asks under the organization's lock.
    """
    return bool(staying) or _is_kept(_owners([organization_id])[organization_id], leaving=leaving)


def _is_kept(owners: set[int], *, leaving: set[int]) -> bool:
    """Tell whether somebody stays of those who own an organization, if anybody does: the rule itself."""
    return not owners or not owners <= leaving


def _owners(organizations: Collection[str] | QuerySet[Any, Any]) -> dict[str, set[int]]:
    """Return the owners that can log in, by organization; an empty set for one without."""
    owned = Membership.objects.filter(
        organization__in=organizations, role=Membership.Role.OWNER, user__is_active=True
    )
    owners: dict[str, set[int]] = defaultdict(set)
    for organization_id, user_id in owned.values_list("organization_id", "user_id"):
        owners[organization_id].add(user_id)
    return owners


def _lock(organization: Organization) -> None:
    Organization.objects.only("pk").locked(organization.pk)


def _member(organization: Organization, user_id: int) -> Membership:
    """Return a member under the organization's lock; raises PeopleError."""
    _lock(organization)
    members = Membership.objects.select_related("user")
    membership = members.filter(organization=organization, user_id=user_id).first()
    if membership is None:
        raise PeopleError("This person is not a member (any more).")
    return membership


def _record(organization: Organization, actor: str, action: str, person: User, **detail: Any) -> None:
    audit.record(
        organization,
        actor,
        action,
        object_type="member",
        object_id=str(person.pk),
        object_name=person.email,
        detail=detail,
    )


def _record_invitation(invitation: Invitation, actor: str, action: str) -> None:
    audit.record(
        invitation.organization,
        actor,
        action,
        object_type="invitation",
        object_id=invitation.pk,
        object_name=invitation.email,
        detail={"role": invitation.role},
    )
