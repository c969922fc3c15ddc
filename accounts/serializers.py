"""Answers of the account endpoints."""

from __future__ import annotations

from typing import Any

from rest_framework import serializers


class OrganizationSerializer(serializers.Serializer[Any]):
    """The organization behind a key, its credentials masked."""

    id = serializers.CharField(read_only=True)
    name = serializers.CharField(read_only=True)
    allowedDomains = serializers.ListField(
        source="allowed_domains",
        child=serializers.CharField(),
        read_only=True,
        help_text="Host names of the pages that may use the public key; subdomains count.",
    )
    publicKey = serializers.CharField(
        source="masked_public_key", read_only=True, help_text="Masked to prefix and last four characters."
    )
    secretKey = serializers.CharField(
        source="masked_secret_key", read_only=True, help_text="Masked to prefix and last four characters."
    )
    signingSecret = serializers.CharField(
        source="masked_signing_secret", read_only=True, help_text="Masked to prefix and last four characters."
    )
    createdAt = serializers.DateTimeField(source="created_at", read_only=True)


class CredentialsSerializer(serializers.Serializer[Any]):
    """New credentials in full; they are shown this once."""

    publicKey = serializers.CharField(source="public_key", read_only=True)
    secretKey = serializers.CharField(source="secret_key", read_only=True)
    signingSecret = serializers.CharField(source="signing_secret", read_only=True)
