"""`GET /v1/assets` and `GET /v1/assets/{id}` (specification section 4)."""

from __future__ import annotations

from drf_spectacular.utils import OpenApiParameter, extend_schema
from rest_framework.request import Request
from rest_framework.response import Response

from accounts.caller import caller_of
from assets.errors import asset_not_found
from assets.models import Asset
from assets.serializers import AssetSerializer
from config.api.pagination import page
from config.api.schema import PAGE_HEADERS, PAGE_PARAMETERS, links, refusal
from config.api.views import ApiViewSet


class AssetViewSet(ApiViewSet):
    """Read-only: uploads happen in the dashboard and the admin."""

    @extend_schema(
        operation_id="listAssets",
        summary="List assets",
        description="The organization's uploaded assets, newest first. A public key sees them too.",
        parameters=PAGE_PARAMETERS,
        extensions=PAGE_HEADERS | links(200, "getAsset", id="$response.body#/0/id"),
        responses={200: AssetSerializer(many=True), 400: refusal("A wrong `limit` or `cursor`.")},
    )
    def list(self, request: Request) -> Response:
        """Answer one page of the organization's assets."""
        assets, headers = page(request, Asset.objects.visible_to(caller_of(request)))
        context = {"request": request}
        serializer = AssetSerializer(assets, many=True, context=context)  # type: ignore[arg-type]
        return Response(serializer.data, headers=headers)

    @extend_schema(
        operation_id="getAsset",
        summary="Get an asset",
        description="Metadata of one asset with a fresh presigned link to its content.",
        parameters=[OpenApiParameter("id", str, OpenApiParameter.PATH, description="Id of the asset.")],
        responses={
            200: AssetSerializer,
            404: refusal("Unknown id or another organization's asset.", "Asset not found"),
        },
    )
    def retrieve(self, request: Request, id: str) -> Response:
        """Answer one asset; raises the 404 for an id of any form that names nothing of the organization."""
        asset = Asset.objects.visible_to(caller_of(request)).by_id(id)
        if asset is None:
            raise asset_not_found()
        return Response(AssetSerializer(asset, context={"request": request}).data)
