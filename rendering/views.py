"""`/v1/render` and `/v1/downloads`."""

from __future__ import annotations

from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import OpenApiExample, OpenApiParameter, OpenApiResponse, extend_schema
from rest_framework.request import Request
from rest_framework.response import Response

from accounts.caller import caller_of
from config.api.errors import invalid
from config.api.schema import links, refusal
from config.api.urls import base_url
from config.api.views import ApiViewSet
from config.files import presign
from rendering.errors import document_not_found
from rendering.formats import RENDERERS
from rendering.models import Document
from rendering.requests import RenderRequest
from rendering.serializers import (
    DocumentSerializer,
    DownloadSerializer,
    document_body,
    link_expiry,
    timestamp,
)
from rendering.services import render_document

RENDER_EXAMPLE = OpenApiExample(
    "Invoice",
    request_only=True,
    value={
        "templateId": "tpl_01jd0000000000000000000000",
        "format": "pdf",
        "data": {
            "invoice_number": "2026-0042",
            "issued": "2026-11-21",
            "customer": {"name": "Ada Lovelace"},
            "items": [{"description": "Analytical engine", "quantity": 1, "amount": 1500}],
            "total": 1500,
        },
        "filename": "invoice-2026-0042",
    },
)


class RenderViewSet(ApiViewSet):
    """Template and data to a document."""

    @extend_schema(
        operation_id="renderDocument",
        summary="Render a document",
        description=(
            "Renders a published template with data and stores the document. Send an `Idempotency-Key` to "
            "make a retry safe: it returns the first document, never a second one, for 24 hours."
        ),
        request=RenderRequest,
        parameters=[
            OpenApiParameter(
                "Idempotency-Key",
                {"type": "string", "minLength": 1, "maxLength": 255, "pattern": r"^[!-~]([ -~]*[!-~])?$"},
                OpenApiParameter.HEADER,
                description="Any unique text, such as a UUID.",
            )
        ],
        examples=[RENDER_EXAMPLE],
        responses={
            200: DocumentSerializer,
            400: refusal(
                "The request cannot be rendered.",
                'data: must be an object; format: must be "pdf" or "xlsx"; templateId: required',
                "Template is not published",
                "No table sections found",
                'Template contains an invalid {{...}} expression (section 2: "{{ total }}")',
                "data.items[3].price: must be a number",
                "Idempotency-Key was already used with another request body",
            ),
            404: refusal("No such template is visible to the caller.", "Template not found"),
            409: refusal(
                "The first request of this Idempotency-Key takes long.",
                "The first request with this Idempotency-Key is still being processed",
            ),
            503: refusal("The document could not be kept.", "Storage is full; the document was not kept"),
        },
        extensions=links(200, "downloadDocument", id="$response.body#/documentId"),
    )
    def create(self, request: Request) -> Response:
        """Render and answer with a link."""
        document, replayed = render_document(
            caller=caller_of(request),
            body=self.json_object(request),
            idempotency_key=request.headers.get("Idempotency-Key"),
        )
        expires_at = link_expiry()
        body = document_body(document, download_url(request, document), expires_at)
        return Response(body, headers={"Idempotent-Replayed": "true"} if replayed else None)


class DownloadViewSet(ApiViewSet):
    """Fresh links to completed documents."""

    @extend_schema(
        operation_id="downloadDocument",
        summary="Download a document",
        description=(
            "Redirects to a fresh presigned link. A browser that cannot follow the redirect sends "
            "`redirect=false` and gets the link in a JSON body."
        ),
        parameters=[
            OpenApiParameter("id", OpenApiTypes.STR, OpenApiParameter.PATH, description="Document id."),
            OpenApiParameter("redirect", OpenApiTypes.BOOL, description="false answers 200 with the link."),
        ],
        responses={
            200: OpenApiResponse(DownloadSerializer, description="With `redirect=false`."),
            302: OpenApiResponse(description="The link is in the `Location` header."),
            400: refusal("A wrong `redirect`.", "redirect: must be true or false"),
            404: refusal("No such completed document is visible to the caller.", "Document not found"),
        },
    )
    def retrieve(self, request: Request, id: str) -> Response:
        """Redirect to a fresh link."""
        caller = caller_of(request)
        document = Document.objects.visible_to(caller).completed().by_id(id)
        if document is None:
            raise document_not_found()
        redirect = request.query_params.get("redirect", "true")
        if redirect not in {"true", "false"}:
            raise invalid({"redirect": "must be true or false"})
        expires_at = link_expiry()
        url = download_url(request, document)
        if redirect == "true":
            return Response(status=302, headers={"Location": url})
        return Response({"documentId": document.pk, "downloadUrl": url, "expiresAt": timestamp(expires_at)})


def download_url(request: Request, document: Document) -> str:
    """Return a fresh presigned link to a document."""
    return presign(
        document.file,
        filename=document.filename,
        content_type=RENDERERS[document.format].content_type,
        request_base_url=base_url(request),
    )
