"""`/v1/usage`."""

from __future__ import annotations

from django.utils import timezone
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import OpenApiExample, OpenApiParameter, extend_schema
from rest_framework.request import Request
from rest_framework.response import Response

from accounts.caller import caller_of
from config.api.errors import invalid
from config.api.parameters import whole_number
from config.api.schema import refusal
from config.api.views import ApiViewSet
from usage.queries import month_usage, trend
from usage.serializers import MonthlyUsageSerializer, TrendSerializer

EARLIEST_YEAR, LATEST_YEAR = 2000, 9999


class UsageViewSet(ApiViewSet):
    """Completed documents, counted."""

    @extend_schema(
        operation_id="getUsage",
        summary="Usage of one month",
        description="Completed documents by template and format. A public key sees its own user's only.",
        parameters=[
            OpenApiParameter(
                "year",
                {"type": "integer", "minimum": EARLIEST_YEAR, "maximum": LATEST_YEAR},
                description="Default: the current year (UTC).",
            ),
            OpenApiParameter(
                "month",
                {"type": "integer", "minimum": 1, "maximum": 12},
                description="Default: the current month (UTC).",
            ),
            OpenApiParameter(
                "externalUserId",
                OpenApiTypes.STR,
                description="Only this end user; ignored with a public key.",
            ),
        ],
        responses={
            200: MonthlyUsageSerializer,
            400: refusal("A wrong year or month.", "month: must be a whole number from 1 to 12"),
        },
        examples=[
            OpenApiExample(
                "One template",
                value={
                    "year": 2026,
                    "month": 11,
                    "total": 128,
                    "usage": [
                        {
                            "templateId": "tpl_01jd0000000000000000000000",
                            "templateName": "Invoice",
                            "format": "pdf",
                            "documents": 128,
                        }
                    ],
                },
            )
        ],
    )
    def month(self, request: Request) -> Response:
        """Return usage grouped by template and format."""
        caller = caller_of(request)
        now = timezone.now()
        errors: dict[str, str] = {}
        query = request.query_params
        year = whole_number(query, "year", EARLIEST_YEAR, LATEST_YEAR, now.year, errors)
        month = whole_number(query, "month", 1, 12, now.month, errors)
        if errors:
            raise invalid(errors)
        user = query.get("externalUserId")
        rows = month_usage(caller=caller, year=year, month=month, external_user_id=user)
        return Response(
            {"year": year, "month": month, "total": sum(row["documents"] for row in rows), "usage": rows}
        )

    @extend_schema(
        operation_id="getUsageTrend",
        summary="Usage of the last six months",
        description="Documents per month, oldest first; months without any are there too.",
        responses={200: TrendSerializer(many=True)},
    )
    def trend(self, request: Request) -> Response:
        """Return documents per month."""
        return Response(trend(caller=caller_of(request), today=timezone.now().date()))
