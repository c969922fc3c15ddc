"""Users, organizations and who belongs where."""

from __future__ import annotations

from typing import ClassVar

from django.contrib.auth.models import AbstractUser
from django.db import models
from django.db.models.functions import Length, Lower
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


class User(AbstractUser):
    """A person who logs in to the dashboard or the admin, with an e-mail address."""

    username = None  # type: ignore[assignment]
    email = models.EmailField("e-mail address", unique=True)

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
        """What a member may do in the dashboard."""

        OWNER = "owner", "Owner"
        EDITOR = "editor", "Editor"
        VIEWER = "viewer", "Viewer"

    user = models.ForeignKey(User, on_delete=models.CASCADE, related_name="memberships")
    organization = models.ForeignKey(Organization, on_delete=models.CASCADE, related_name="memberships")
    role = models.CharField(max_length=16, choices=Role.choices, default=Role.EDITOR)

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
