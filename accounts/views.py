"""Endpoints of the account: the organization behind the key, and rotation of its credentials."""

from __future__ import annotations

from drf_spectacular.utils import OpenApiExample, OpenApiResponse, extend_schema
from rest_framework.request import Request
from rest_framework.response import Response

from accounts.caller import caller_of
from accounts.errors import SECRET_KEY_REQUIRED
from accounts.serializers import CredentialsSerializer, OrganizationSerializer
from accounts.services import rotate_credentials_of_caller
from config.api.schema import refusal
from config.api.views import ApiViewSet

ORGANIZATION_EXAMPLE = OpenApiExample(
    "Organization",
    value={
        "id": "org_01k9xq3v7m2c8r5t0w4y6z1b3d",
        "name": "Acme Ltd",
        "allowedDomains": ["acme.example", "localhost"],
        "publicKey": "pk_live_****Qm7x",
        "secretKey": "sk_live_****b2Ta",
        "signingSecret": "ss_live_****9fKe",
        "createdAt": "2026-11-02T08:15:30.123456Z",
    },
    response_only=True,
)
CREDENTIALS_EXAMPLE = OpenApiExample(
    "Credentials",
    value={
        "publicKey": "pk_live_0000000000000000000000000000000000000000EXAMPLE1",
        "secretKey": "sk_live_0000000000000000000000000000000000000000EXAMPLE2",
        "signingSecret": "ss_live_0000000000000000000000000000000000000000EXAMPLE3",
    },
    response_only=True,
)


class OrganizationViewSet(ApiViewSet):
    """The organization behind the key."""

    @extend_schema(
        operation_id="getOrganization",
        summary="Get the organization",
        description="The organization behind the API key, its credentials masked to prefix and last four "
        "characters. Both keys may read it.",
        request=None,
        responses={200: OpenApiResponse(OrganizationSerializer, description="The organization.")},
        examples=[ORGANIZATION_EXAMPLE],
    )
    def retrieve(self, request: Request) -> Response:
        """Answer `GET /v1/orgs`."""
        return Response(OrganizationSerializer(caller_of(request).organization).data)


class CredentialsViewSet(ApiViewSet):
    """The organization's credentials."""

    @extend_schema(
        operation_id="rotateKeys",
        summary="Rotate all credentials",
        description="Replaces public key, secret key and signing secret at once. The old ones stop working "
        "immediately, in every process; the new ones are shown in this answer only. A body is ignored.",
        request=None,
        auth=[{"secretKey": []}],  # type: ignore[list-item]
        responses={
            200: OpenApiResponse(CredentialsSerializer, description="The new credentials, in full, once."),
            403: refusal("The key is a public one.", SECRET_KEY_REQUIRED),
        },
        examples=[CREDENTIALS_EXAMPLE],
    )
    def rotate(self, request: Request) -> Response:
        """Answer `POST /v1/auth/rotate-keys`."""
        return Response(CredentialsSerializer(rotate_credentials_of_caller(caller=caller_of(request))).data)
