"""`/v1/batches`."""

from __future__ import annotations

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
from config.api.errors import must_be_one_of
from config.api.pagination import page
from config.api.schema import PAGE_HEADERS, PAGE_PARAMETERS, carries, links, refusal
from config.api.urls import base_url
from config.api.views import ApiViewSet
from rendering.answers import batch_body, batch_summary, link_expiry
from rendering.batch_requests import MAX_ITEMS, BatchRequest
from rendering.batch_serializers import STATUSES, BatchSerializer, BatchSummarySerializer
from rendering.batches import cancel_batch, create_batch, remove_batch
from rendering.errors import batch_not_found
from rendering.files import link_of_batch
from rendering.filters import BATCH_FILTER_PARAMETERS, select_batches
from rendering.models import Batch
from rendering.views import IDEMPOTENCY_KEY

ID = OpenApiParameter("id", OpenApiTypes.STR, OpenApiParameter.PATH, description="Batch id.")
NOT_FOUND = refusal("No such batch is visible to the caller.", "Batch not found")
EXAMPLE = OpenApiExample(
    "Two invoices in one PDF",
    request_only=True,
    value={
        "templateId": "tpl_01jd0000000000000000000000",
        "format": "pdf",
        "output": "merged",
        "items": [
            {"data": {"invoice_number": "2026-0042", "total": 1500}, "filename": "invoice-42"},
            {"data": {"invoice_number": "2026-0043", "total": 90}, "externalUserId": "user-7"},
        ],
    },
)


class BatchViewSet(ApiViewSet):
    """Batches of the caller."""

    @extend_schema(
        operation_id="listBatches",
        summary="List batches",
        description="Batches in any status, newest first, without errors and links. Filters add up.",
        parameters=[*BATCH_FILTER_PARAMETERS, *PAGE_PARAMETERS],
        responses={
            200: OpenApiResponse(BatchSummarySerializer(many=True)),
            400: refusal(
                "A wrong filter, limit or cursor.",
                f"status: {must_be_one_of(STATUSES)}",
                "limit: must be a whole number from 1 to 1000",
            ),
        },
        extensions=PAGE_HEADERS,
    )
    def list(self, request: Request) -> Response:
        """Return the batches that the caller sees and asks for."""
        caller = caller_of(request)
        visible = Batch.objects.visible_to(caller)
        chosen, errors = select_batches(visible, request.query_params, is_public=caller.is_public)
        rows, headers = page(request, chosen, errors=errors)
        return Response([batch_summary(batch) for batch in rows], headers=headers)

    @extend_schema(
        operation_id="createBatch",
        summary="Render a batch",
        description=(
            f"Renders up to {MAX_ITEMS:,} documents of one template in the background. Each item becomes a "
            "document of its own, with its own id, owner and link, and counts as one in usage, whatever the "
            "output is. "
            "The shape of every item is checked at once; data that does not fit fails that item's document "
            "and no other. `GET /v1/documents?batchId=...` lists the documents as they are begun. "
            "The version of the template is fixed now. Single renders go before batches. An organization may "
            "have so many items waiting (by default 100,000, over all of its batches); more gives 429."
        ),
        request=OpenApiRequest(BatchRequest, examples=[EXAMPLE]),
        parameters=[IDEMPOTENCY_KEY],
        responses={
            200: OpenApiResponse(
                BatchSerializer, description="An earlier request had made a batch that has ended."
            ),
            202: OpenApiResponse(BatchSerializer, description="Accepted; `Location` names the batch."),
            400: refusal(
                "The batch cannot be rendered.",
                "items[3].data: must be an object; templateId: required",
                "Template is not published",
                "No table sections found",
                "output: cannot be merged: only pdf documents can",
                "Idempotency-Key was already used with another request body",
            ),
            404: refusal("No such template is visible to the caller.", "Template not found"),
            429: refusal(
                "The key has used its requests of this minute, or more items would wait than may.",
                "Rate limit exceeded: try again in 12 seconds",
                "Too many batch items are waiting: 95000 of at most 100000; try again when some are done",
            ),
        },
        extensions=links(202, "getBatch", "cancelBatch", "deleteBatch", id="$response.body#/id")
        | carries(_200=("Idempotent-Replayed", "Location"), _202=("Idempotent-Replayed", "Location")),
    )
    def create(self, request: Request) -> Response:
        """Accept a batch."""
        batch, replayed = create_batch(
            caller=caller_of(request),
            body=self.json_object(request),
            idempotency_key=request.headers.get("Idempotency-Key"),
        )
        headers = {"Location": f"{base_url(request)}/v1/batches/{batch.pk}"}
        if replayed:
            headers["Idempotent-Replayed"] = "true"
        return Response(
            _linked_batch(request, batch), status=200 if batch.has_ended else 202, headers=headers
        )

    @extend_schema(
        operation_id="getBatch",
        summary="Get a batch",
        description=(
            "`completed` means that every item has been rendered or has failed, and that the file of a `zip` "
            "or `merged` batch is ready. Where no item was completed there is no file."
        ),
        parameters=[ID],
        responses={200: BatchSerializer, 404: NOT_FOUND},
    )
    def retrieve(self, request: Request, id: str) -> Response:
        """Return one batch."""
        return Response(_linked_batch(request, self._get(request, id)))

    @extend_schema(
        operation_id="cancelBatch",
        summary="Cancel a batch",
        description=(
            "Documents that are done stay, items that were not begun never are, and no zip or merged file is "
            "made. A batch that has ended stays as it is."
        ),
        parameters=[ID],
        request=None,
        responses={200: BatchSerializer, 404: NOT_FOUND},
    )
    def cancel(self, request: Request, id: str) -> Response:
        """Stop a batch."""
        batch = cancel_batch(self._get(request, id))
        if batch is None:
            raise batch_not_found()
        return Response(_linked_batch(request, batch))

    @extend_schema(
        operation_id="deleteBatch",
        summary="Delete a batch",
        description="Cancels it. Its documents and its file are removed as soon as a worker comes to it; "
        "usage stays.",
        parameters=[ID],
        request=None,
        responses={204: OpenApiResponse(description="The batch is gone."), 404: NOT_FOUND},
    )
    def destroy(self, request: Request, id: str) -> Response:
        """Delete a batch."""
        remove_batch(self._get(request, id))
        return Response(status=204)

    def _get(self, request: Request, id: str) -> Batch:
        batch = Batch.objects.visible_to(caller_of(request)).by_id(id)
        if batch is None:
            raise batch_not_found()
        return batch


def _linked_batch(request: Request, batch: Batch) -> dict[str, object]:
    """Return a batch with a fresh link to its file, if it has one."""
    expires_at = link_expiry()
    return batch_body(batch, link_of_batch(batch, base_url(request)), expires_at)
