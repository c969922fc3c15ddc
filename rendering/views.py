"""`/v1/render`, `/v1/documents` and `/v1/downloads`."""

from __future__ import annotations

from typing import Any

from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import (
    OpenApiExample,
    OpenApiParameter,
    OpenApiRequest,
    OpenApiResponse,
    extend_schema,
)
from rest_framework.request import Request
from rest_framework.response import Response

from accounts.caller import caller_of
from config.api.errors import invalid, must_be_one_of
from config.api.pagination import page
from config.api.schema import PAGE_HEADERS, PAGE_PARAMETERS, carries, links, refusal
from config.api.urls import base_url
from config.api.views import ApiViewSet
from rendering.answers import document_body, document_summary, link_expiry, timestamp
from rendering.deletion import delete_document
from rendering.errors import document_not_found
from rendering.files import link_of
from rendering.filters import FILTER_PARAMETERS, MOMENT, select
from rendering.models import Document
from rendering.requests import RenderRequest
from rendering.serializers import (
    STATUSES,
    DocumentSerializer,
    DocumentSummarySerializer,
    DownloadSerializer,
)
from rendering.services import accept_render, render_document

IDEMPOTENCY_KEY = OpenApiParameter(
    "Idempotency-Key",
    {"type": "string", "minLength": 1, "maxLength": 255, "pattern": r"^[!-~]([ -~]*[!-~])?$"},
    OpenApiParameter.HEADER,
    description="Any unique text, such as a UUID.",
)
PREFER = OpenApiParameter(
    "Prefer", OpenApiTypes.STR, OpenApiParameter.HEADER, description="`respond-async` does not wait."
)
DOCUMENT_ID = OpenApiParameter("id", OpenApiTypes.STR, OpenApiParameter.PATH, description="Document id.")
DOCUMENT_NOT_FOUND = refusal("No such document is visible to the caller.", "Document not found")
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
            "make a retry safe: it returns the first document, never a second one, for 24 hours. With "
            "`Prefer: respond-async` the answer does not wait for the render: after the same checks it is a "
            "202 with the document as `processing`. `GET /v1/documents/{id}` or a webhook tells when it is "
            "ready."
        ),
        request=OpenApiRequest(RenderRequest, examples=[RENDER_EXAMPLE]),
        parameters=[IDEMPOTENCY_KEY, PREFER],
        responses={
            200: DocumentSerializer,
            202: OpenApiResponse(
                DocumentSerializer,
                description="With `Prefer: respond-async`: `processing`, and `Location` names the document.",
            ),
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
            503: refusal(
                "The document could not be kept, or a part of the service is lost.",
                "Storage is full; the document was not kept",
                "Rendering was interrupted; try again",
                "The database is unavailable; try again",
            ),
        },
        extensions=links(200, "downloadDocument", id="$response.body#/documentId")
        | carries(
            _200=("Idempotent-Replayed", "Location", "Preference-Applied"),
            _202=("Idempotent-Replayed", "Location", "Preference-Applied"),
        ),
    )
    def create(self, request: Request) -> Response:
        """Render and answer with a link, or have it rendered and answer where to look."""
        in_background = prefers_async(request)
        document, replayed = (accept_render if in_background else render_document)(
            caller=caller_of(request),
            body=self.json_object(request),
            idempotency_key=request.headers.get("Idempotency-Key"),
        )
        headers = {"Idempotent-Replayed": "true"} if replayed else {}
        if in_background:
            headers |= {
                "Preference-Applied": "respond-async",
                "Location": f"{base_url(request)}/v1/documents/{document.pk}",
            }
        waiting = document.status == Document.Status.PROCESSING
        return Response(_linked_body(request, document), status=202 if waiting else 200, headers=headers)


class DocumentViewSet(ApiViewSet):
    """Documents of the caller, whatever their status."""

    @extend_schema(
        operation_id="listDocuments",
        summary="List documents",
        description=(
            "Documents in any status, newest first, without links: `GET /v1/documents/{id}` has a fresh one. "
            "Filters add up."
        ),
        parameters=[*FILTER_PARAMETERS, *PAGE_PARAMETERS],
        responses={
            200: OpenApiResponse(DocumentSummarySerializer(many=True)),
            400: refusal(
                "A wrong filter, limit or cursor.",
                f"status: {must_be_one_of(STATUSES)}",
                f"createdFrom: {MOMENT}",
                "limit: must be a whole number from 1 to 1000",
            ),
        },
        extensions=PAGE_HEADERS,
    )
    def list(self, request: Request) -> Response:
        """Return the documents that the caller sees and asks for."""
        caller = caller_of(request)
        visible = Document.objects.visible_to(caller)
        chosen, errors = select(visible, request.query_params, is_public=caller.is_public)
        rows, headers = page(request, chosen, errors=errors)
        return Response([document_summary(document) for document in rows], headers=headers)

    @extend_schema(
        operation_id="getDocument",
        summary="Get a document",
        description="A completed document has a fresh link, a failed one says why in `error`.",
        parameters=[DOCUMENT_ID],
        responses={200: DocumentSerializer, 404: DOCUMENT_NOT_FOUND},
    )
    def retrieve(self, request: Request, id: str) -> Response:
        """Return one document."""
        return Response(_linked_body(request, self._get(request, id)))

    @extend_schema(
        operation_id="deleteDocument",
        summary="Delete a document",
        description=(
            "Removes the file and its links at once; one that is still processing is cancelled. Usage stays."
        ),
        parameters=[DOCUMENT_ID],
        request=None,
        responses={
            204: OpenApiResponse(description="It is gone."),
            404: DOCUMENT_NOT_FOUND,
        },
    )
    def destroy(self, request: Request, id: str) -> Response:
        """Delete one document."""
        delete_document(self._get(request, id))
        return Response(status=204)

    def _get(self, request: Request, id: str) -> Document:
        document = Document.objects.visible_to(caller_of(request)).by_id(id)
        if document is None:
            raise document_not_found()
        return document


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
            DOCUMENT_ID,
            OpenApiParameter("redirect", OpenApiTypes.BOOL, description="false answers 200 with the link."),
        ],
        responses={
            200: OpenApiResponse(DownloadSerializer, description="With `redirect=false`."),
            302: OpenApiResponse(description="The link is in the `Location` header."),
            400: refusal("A wrong `redirect`.", "redirect: must be true or false"),
            404: refusal("No such completed document is visible to the caller.", "Document not found"),
        },
        extensions=carries(_302=("Location",)),
    )
    def retrieve(self, request: Request, id: str) -> Response:
        """Redirect to a fresh link."""
        caller = caller_of(request)
        document = Document.objects.visible_to(caller).completed().by_id(id)
        if document is None:
            raise document_not_found()
        redirect = request.query_params.get("redirect", "true").lower()  # Python writes `False`
        if redirect not in {"true", "false"}:
            raise invalid({"redirect": "must be true or false"})
        expires_at = link_expiry()
        url = link_of(document, base_url(request))
        if redirect == "true":
            return Response(status=302, headers={"Location": url})
        return Response({"documentId": document.pk, "downloadUrl": url, "expiresAt": timestamp(expires_at)})


def prefers_async(request: Request) -> bool:
    """Tell whether the caller asks not to wait (RFC 7240); other preferences do not concern us."""
    preferences = (
        part.split(";")[0].strip().lower() for part in request.headers.get("Prefer", "").split(",")
    )
    return "respond-async" in preferences


def _linked_body(request: Request, document: Document) -> dict[str, Any]:
    """Return a document with a fresh link, if it is completed."""
    expires_at = link_expiry()
    completed = document.status == Document.Status.COMPLETED
    return document_body(document, link_of(document, base_url(request)) if completed else None, expires_at)
