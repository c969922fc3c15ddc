"""Users, organizations and who belongs where."""

from __future__ import annotations

from typing import ClassVar, Self

from django.contrib.auth.models import AbstractUser
from django.contrib.sessions.backends.base import SessionBase
from django.contrib.sessions.base_session import AbstractBaseSession
from django.db import models
from django.db.models.functions import Length, Lower, Now
from django.db.models.lookups import Exact, GreaterThan
from django.utils import timezone

from accounts.credentials import (
    DIGEST_LENGTH,
    PUBLIC_KEY_PREFIX,
    SECRET_KEY_PREFIX,
    SIGNING_SECRET_PREFIX,
    Credentials,
    decrypt,
    digest,
    encrypt,
    hint,
    mask,
)
from accounts.managers import OrganizationQuerySet, UserManager
from config.api.ids import ID_LENGTH, id_maker
from config.api.rows import ByIdQuerySet


class User(AbstractUser):
    """A person who logs in to the dashboard or the admin, with an e-mail address."""

    username = None  # type: ignore[assignment]
    email = models.EmailField("e-mail address", unique=True)
    # Where the person was last: `/` goes there.
    last_organization = models.ForeignKey(
        "Organization", on_delete=models.SET_NULL, null=True, blank=True, related_name="+", editable=False
    )

    objects: ClassVar[UserManager] = UserManager()  # type: ignore[assignment]

    USERNAME_FIELD = "email"
    EMAIL_FIELD = "email"
    REQUIRED_FIELDS = []

    class Meta:
        ordering = ["email"]
        constraints = [
            models.CheckConstraint(name="user_email_lower_case", condition=models.Q(email=Lower("email"))),
        ]

    def __str__(self) -> str:
        return self.email


class Organization(models.Model):
    """A tenant: owns templates, documents, assets and one set of credentials.

    No credential is stored as it is: the keys as keyed digests, the signing secret encrypted, and of
    each the last four characters to tell it by.
    """

    id = models.CharField(primary_key=True, max_length=ID_LENGTH, default=id_maker("org"), editable=False)
    name = models.CharField(max_length=255)
    allowed_domains = models.JSONField(
        default=list,
        blank=True,
        help_text="Host names of the pages that may use the public key; subdomains count.",
    )
    public_key_digest = models.CharField(max_length=DIGEST_LENGTH, unique=True, editable=False)
    public_key_hint = models.CharField(max_length=4, editable=False)
    secret_key_digest = models.CharField(max_length=DIGEST_LENGTH, unique=True, editable=False)
    secret_key_hint = models.CharField(max_length=4, editable=False)
    signing_secret_encrypted = models.TextField(editable=False)
    signing_secret_hint = models.CharField(max_length=4, editable=False)
    created_at = models.DateTimeField(default=timezone.now, editable=False)
    credentials_rotated_at = models.DateTimeField(default=timezone.now, editable=False)
    retention_days = models.PositiveIntegerField(
        null=True,
        blank=True,
        help_text="Days after which the files of documents are deleted; empty keeps them for ever.",
    )
    members = models.ManyToManyField(User, through="Membership", related_name="organizations")

    objects = OrganizationQuerySet.as_manager()

    CREDENTIAL_FIELDS = (
        "public_key_digest",
        "public_key_hint",
        "secret_key_digest",
        "secret_key_hint",
        "signing_secret_encrypted",
        "signing_secret_hint",
        "credentials_rotated_at",
    )

    class Meta:
        ordering = ["name", "id"]
        constraints = [
            models.CheckConstraint(name="organization_has_name", condition=GreaterThan(Length("name"), 0)),
            # A key in full has another length than a digest, so that one can never be stored by mistake.
            models.CheckConstraint(
                name="organization_public_key_is_digest",
                condition=Exact(Length("public_key_digest"), DIGEST_LENGTH),
            ),
            models.CheckConstraint(
                name="organization_secret_key_is_digest",
                condition=Exact(Length("secret_key_digest"), DIGEST_LENGTH),
            ),
            # Every Fernet token begins with its version byte and the high bytes of the time.
            models.CheckConstraint(
                name="organization_signing_secret_is_encrypted",
                condition=models.Q(signing_secret_encrypted__startswith="gAAAAA"),  # noqa: S106 (a prefix)
            ),
        ]

    def __str__(self) -> str:
        return self.name

    def set_credentials(self, credentials: Credentials) -> None:
        """Replace all three credentials on this object; the caller saves CREDENTIAL_FIELDS."""
        self.public_key_digest = digest(credentials.public_key)
        self.public_key_hint = hint(credentials.public_key)
        self.secret_key_digest = digest(credentials.secret_key)
        self.secret_key_hint = hint(credentials.secret_key)
        self.signing_secret_encrypted = encrypt(credentials.signing_secret)
        self.signing_secret_hint = hint(credentials.signing_secret)
        self.credentials_rotated_at = timezone.now()

    @property
    def signing_secret(self) -> str:
        """The signing secret in full, to verify user hashes with; never shown again."""
        return decrypt(self.signing_secret_encrypted)

    @property
    def masked_public_key(self) -> str:
        """The public key as it may be shown."""
        return mask(PUBLIC_KEY_PREFIX, self.public_key_hint)

    @property
    def masked_secret_key(self) -> str:
        """The secret key as it may be shown."""
        return mask(SECRET_KEY_PREFIX, self.secret_key_hint)

    @property
    def masked_signing_secret(self) -> str:
        """The signing secret as it may be shown."""
        return mask(SIGNING_SECRET_PREFIX, self.signing_secret_hint)


class Membership(models.Model):
    """A user's place in an organization."""

    class Role(models.TextChoices):
        """What a member may do in the dashboard; each role may do what those after it may."""

        OWNER = "owner", "Owner"
        EDITOR = "editor", "Editor"
        VIEWER = "viewer", "Viewer"

    user = models.ForeignKey(User, on_delete=models.CASCADE, related_name="memberships")
    organization = models.ForeignKey(Organization, on_delete=models.CASCADE, related_name="memberships")
    role = models.CharField(max_length=16, choices=Role.choices, default=Role.EDITOR)
    created_at = models.DateTimeField(default=timezone.now, db_default=Now(), editable=False)

    class Meta:
        ordering = ["organization", "user"]
        constraints = [
            models.UniqueConstraint(name="one_membership_per_organization", fields=["user", "organization"]),
            models.CheckConstraint(
                name="membership_role_known", condition=models.Q(role__in=["owner", "editor", "viewer"])
            ),
        ]

    def __str__(self) -> str:
        return f"{self.user} in {self.organization} ({self.role})"

    def may(self, role: str) -> bool:
        """Tell whether this membership has the powers of `role`: the one place that ranks roles."""
        ranked = list(self.Role.values)
        return ranked.index(self.role) <= ranked.index(role)


class InvitationQuerySet(ByIdQuerySet["Invitation"]):
    """Invitations, with who sent them."""

    def with_inviters(self) -> Self:
        """Fetch who invited; `is_vouched` tells of each row whether that person is an owner still."""
        owners = Membership.objects.filter(
            organization=models.OuterRef("organization"),
            user=models.OuterRef("invited_by"),
            user__is_active=True,
            role=Membership.Role.OWNER,
        )
        return self.select_related("invited_by").annotate(is_vouched=models.Exists(owners))


class Invitation(models.Model):
    """An offer of a place in an organization, to whoever reads the mail of an address.

    The link holds a random token of which only the digest is stored. At most one is open per address; sending
    it again replaces the token, revoking deletes the row. It counts as long as who sent it is an owner:
    nobody comes back by an invitation that they wrote to themselves before they were removed.
    """

    id = models.CharField(primary_key=True, max_length=ID_LENGTH, default=id_maker("inv"), editable=False)
    organization = models.ForeignKey(Organization, on_delete=models.CASCADE, related_name="invitations")
    email = models.EmailField("e-mail address")
    role = models.CharField(max_length=16, choices=Membership.Role.choices)
    token_digest = models.CharField(max_length=DIGEST_LENGTH, unique=True, editable=False)
    invited_by = models.ForeignKey(User, on_delete=models.SET_NULL, null=True, related_name="+")
    created_at = models.DateTimeField(default=timezone.now)
    expires_at = models.DateTimeField()
    accepted_at = models.DateTimeField(null=True, blank=True)
    is_vouched: bool  # of rows fetched `with_inviters`

    objects = InvitationQuerySet.as_manager()

    class Meta:
        ordering = ["-id"]
        constraints = [
            models.CheckConstraint(
                name="invitation_email_lower_case", condition=models.Q(email=Lower("email"))
            ),
            models.CheckConstraint(
                name="invitation_role_known", condition=models.Q(role__in=["owner", "editor", "viewer"])
            ),
            models.UniqueConstraint(
                name="one_open_invitation_per_address",
                fields=["organization", "email"],
                condition=models.Q(accepted_at=None),
            ),
        ]

    def __str__(self) -> str:
        return f"{self.email} to {self.organization} ({self.role})"

    @property
    def is_expired(self) -> bool:
        """Tell whether the link has stopped working by time."""
        return self.expires_at <= timezone.now()


class UserSession(AbstractBaseSession):
    """A log-in of the dashboard or the admin, as `accounts.sessions` keeps it.

    `session_key` is the digest of the key in the cookie: a stolen database opens no session. What a person
    sees of it (device, address, when) are columns, so that the list of sessions is one query.
    """

    session_key = models.CharField(primary_key=True, max_length=DIGEST_LENGTH)
    user = models.ForeignKey(User, on_delete=models.CASCADE, null=True, related_name="sessions")
    user_agent = models.CharField(max_length=400, blank=True, default="")
    ip = models.GenericIPAddressField(null=True, blank=True)
    created_at = models.DateTimeField(default=timezone.now)
    seen_at = models.DateTimeField(default=timezone.now)

    class Meta(AbstractBaseSession.Meta):
        verbose_name = "session"
        indexes = [models.Index(fields=["user", "-seen_at"], name="session_by_user")]

    @classmethod
    def get_session_store_class(cls) -> type[SessionBase]:
        """Return the store whose rows these are."""
        from accounts.sessions import SessionStore

        return SessionStore


class AuditEntry(models.Model):
    """One change of keys, members, domains, templates and the like: who did what to what, and when.

    Entries are written by `accounts.audit.record` in the transaction of the change and never changed after;
    they go when they are older than AUDIT_LOG_DAYS, where that is set.
    """

    organization = models.ForeignKey(Organization, on_delete=models.CASCADE, related_name="audit_entries")
    at = models.DateTimeField(default=timezone.now)
    actor = models.CharField(max_length=320)  # signs as `accounts.actors` says
    actor_user = models.ForeignKey(User, on_delete=models.SET_NULL, null=True, related_name="+")
    action = models.CharField(max_length=64)
    object_type = models.CharField(max_length=32, blank=True, default="")
    object_id = models.CharField(max_length=255, blank=True, default="")
    object_name = models.CharField(max_length=255, blank=True, default="")
    detail = models.JSONField(default=dict, blank=True)

    class Meta:
        ordering = ["-id"]
        verbose_name_plural = "audit entries"
        indexes = [
            models.Index(fields=["organization", "-id"], name="audit_by_organization"),
            models.Index(fields=["organization", "actor", "-id"], name="audit_by_actor"),
        ]

    def __str__(self) -> str:
        return f"{self.actor} {self.action} {self.object_name or self.object_id}".rstrip()
