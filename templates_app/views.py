"""`/v1/templates`."""

from __future__ import annotations

from collections.abc import Callable

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
from templates_app import services
from templates_app.bodies import TemplateCreate, TemplateUpdate
from templates_app.entity_tags import entity_tag, if_match
from templates_app.errors import template_not_found
from templates_app.filters import FILTER_PARAMETERS, LISTED_STATUSES, select
from templates_app.models import Template, TemplateQuerySet, TemplateVersion
from templates_app.serializers import TemplateSerializer, TemplateSummarySerializer, TemplateVersionSerializer

ID = OpenApiParameter("id", OpenApiTypes.STR, OpenApiParameter.PATH, description="Template id.")
IF_MATCH = OpenApiParameter(
    "If-Match",
    OpenApiTypes.STR,
    OpenApiParameter.HEADER,
    description="The `ETag` of the template that you have seen: one that is another by now is left alone.",
)
CHANGED = refusal(
    "The template is not that of `If-Match`, and stays as it is.",
    "If-Match is not the template's ETag: it is published, at version 4",
)
NOT_FOUND = refusal("No such template is visible to the caller.", "Template not found")
BAD_EXPRESSION = 'Section 2: "{{ total }}" is not a valid expression: ...'
BAD_BODY = refusal(
    "The body does not hold a template.",
    BAD_EXPRESSION,
    'formats: must list "pdf" or "xlsx"; sections: required',
)
BAD_CHANGE = refusal(
    "The body does not hold fields of a template, or the template is archived.",
    BAD_EXPRESSION,
    'formats: must list "pdf" or "xlsx"; sections[0].level: must be at most 6',
    "body: required",
    "Template is archived",
)
# What a client may do with the id of a template that it has just made.
BY_TEMPLATE = ("getTemplate", "updateTemplate", "publishTemplate", "archiveTemplate", "listTemplateVersions")
ARCHIVED = refusal("The template is archived.", "Template is archived")
EXAMPLE = OpenApiExample(
    "Invoice",
    request_only=True,
    value={
        "name": "Invoice",
        "formats": ["pdf", "xlsx"],
        "sections": [
            {"type": "heading", "content": "Invoice {{invoice_number}}"},
            {
                "type": "text",
                "content": "Dear {{customer.name}},\nplease find your invoice of {{issued|date:long}}.",
            },
            {
                "type": "table",
                "source": "items",
                "columns": [
                    {"key": "description", "header": "Description"},
                    {"key": "quantity", "header": "Quantity", "format": "integer"},
                    {"key": "amount", "header": "Amount", "format": "currency"},
                ],
            },
            {
                "type": "key_value",
                "align": "right",
                "items": [{"label": "Total", "value": "{{total|currency}}"}],
            },
        ],
        "variables": [{"name": "invoice_number", "type": "string", "required": True}],
        "page": {
            "locale": "en-GB",
            "currency": "EUR",
            "footer": {"right": "Page {{page.number}} of {{page.count}}"},
        },
    },
)
CHANGE_EXAMPLE = OpenApiExample(
    "Another name, workbooks too",
    request_only=True,
    value={"name": "Invoice 2027", "formats": ["pdf", "xlsx"]},
)


class TemplateViewSet(ApiViewSet):
    """Templates of the caller."""

    def _visible(self, request: Request) -> TemplateQuerySet:
        return Template.objects.visible_to(caller_of(request))

    @extend_schema(
        operation_id="listTemplates",
        summary="List templates",
        description="Templates that are not archived, newest first, without their content. Filters add up.",
        parameters=[*FILTER_PARAMETERS, *PAGE_PARAMETERS],
        responses={
            200: OpenApiResponse(TemplateSummarySerializer(many=True)),
            400: refusal(
                "A wrong filter, limit or cursor.",
                f"status: {must_be_one_of(LISTED_STATUSES)}",
                "limit: must be a whole number from 1 to 1000",
            ),
        },
        extensions=PAGE_HEADERS,
    )
    def list(self, request: Request) -> Response:
        """Return the templates that the caller sees and asks for."""
        is_public = caller_of(request).is_public
        chosen, errors = select(self._visible(request).listed(), request.query_params, is_public=is_public)
        rows, headers = page(request, chosen, errors=errors)
        return Response(TemplateSummarySerializer(rows, many=True).data, headers=headers)

    @extend_schema(
        operation_id="createTemplate",
        summary="Create a template",
        description="The template starts as a draft; publish it to render it.",
        request=OpenApiRequest(TemplateCreate, examples=[EXAMPLE]),
        responses={201: TemplateSerializer, 400: BAD_BODY},
        extensions=links(201, *BY_TEMPLATE, id="$response.body#/id") | carries(_201=("ETag", "Location")),
    )
    def create(self, request: Request) -> Response:
        """Create a draft."""
        caller = caller_of(request)
        template = services.create_template(
            organization=caller.organization,
            body=self.json_object(request),
            author=caller.author,
            external_user_id=caller.user_id,
        )
        answer = _answer(template, status=201)
        answer["Location"] = f"{base_url(request)}/v1/templates/{template.pk}"
        return answer

    @extend_schema(
        operation_id="getTemplate",
        summary="Get a template",
        description="Archived templates answer too, for audit.",
        parameters=[ID],
        responses={200: TemplateSerializer, 404: NOT_FOUND},
        extensions=carries(_200=("ETag",)),
    )
    def retrieve(self, request: Request, id: str) -> Response:
        """Return one template with its content."""
        return _answer(self._get(request, id))

    @extend_schema(
        operation_id="updateTemplate",
        summary="Update a template",
        description=(
            "Fields that are not sent stay. Every update adds one entry to the version history. With "
            "`If-Match` nobody else's change is undone unseen."
        ),
        parameters=[ID, IF_MATCH],
        request=OpenApiRequest(TemplateUpdate, examples=[CHANGE_EXAMPLE]),
        responses={200: TemplateSerializer, 400: BAD_CHANGE, 404: NOT_FOUND, 412: CHANGED},
        extensions=links(
            200, "getTemplateVersion", id="$response.body#/id", version="$response.body#/version"
        )
        | carries(_200=("ETag",)),
    )
    def partial_update(self, request: Request, id: str) -> Response:
        """Change a template."""
        caller = caller_of(request)
        found = self._get(request, id)  # first: an id that names nothing is a 404 whatever the body
        body = self.json_object(request, may_be_empty=False)
        with if_match(request, self._visible(request), id) as expected:
            template = services.update_template(
                templates=self._visible(request),
                template=found,
                body=body,
                author=caller.author,
                may_move=not caller.is_public,
                **expected,
            )
        return _answer(template)

    @extend_schema(
        operation_id="archiveTemplate",
        summary="Archive a template",
        description="It is no longer listed or rendered; documents that it made keep working.",
        parameters=[ID, IF_MATCH],
        request=None,
        responses={200: TemplateSerializer, 404: NOT_FOUND, 412: CHANGED},
        extensions=carries(_200=("ETag",)),
    )
    def destroy(self, request: Request, id: str) -> Response:
        """Archive a template."""
        return self._moved(request, id, services.archive_template)

    @extend_schema(
        operation_id="publishTemplate",
        summary="Publish a template",
        description="Makes the template renderable; publishing it again changes nothing.",
        parameters=[ID, IF_MATCH],
        request=None,
        responses={200: TemplateSerializer, 400: ARCHIVED, 404: NOT_FOUND, 412: CHANGED},
        extensions=carries(_200=("ETag",)),
    )
    def publish(self, request: Request, id: str) -> Response:
        """Publish a template."""
        return self._moved(request, id, services.publish_template)

    @extend_schema(
        operation_id="listTemplateVersions",
        summary="List earlier versions",
        description="Contents that updates replaced, newest first; the template is the current version.",
        parameters=[ID, *PAGE_PARAMETERS],
        responses={
            200: OpenApiResponse(TemplateVersionSerializer(many=True)),
            400: refusal("A wrong limit or cursor.", "limit: must be a whole number from 1 to 1000"),
            404: NOT_FOUND,
        },
        extensions=PAGE_HEADERS,
    )
    def versions(self, request: Request, id: str) -> Response:
        """Return the history."""
        rows, headers = page(
            request, TemplateVersion.objects.filter(template=self._get(request, id)), key="version"
        )
        context = {"caller": caller_of(request)}
        return Response(TemplateVersionSerializer(rows, many=True, context=context).data, headers=headers)

    @extend_schema(
        operation_id="getTemplateVersion",
        summary="Get one version",
        description="Any version, the current one included.",
        parameters=[
            ID,
            OpenApiParameter(
                "version", OpenApiTypes.STR, OpenApiParameter.PATH, description="Version number."
            ),
        ],
        responses={
            200: TemplateVersionSerializer,
            404: refusal("No such template or version.", "Template not found"),
        },
    )
    def version(self, request: Request, id: str, version: str) -> Response:
        """Return the content of one version."""
        template = self._get(request, id)
        found, context = services.version_of(template, version), {"caller": caller_of(request)}
        return Response(TemplateVersionSerializer(found, context=context).data)

    def _moved(self, request: Request, id: str, service: Callable[..., Template]) -> Response:
        """Publish or archive a template."""
        visible = self._visible(request)
        with if_match(request, visible, id) as expected:
            template = service(
                templates=visible, template_id=id, author=caller_of(request).author, **expected
            )
        return _answer(template)

    def _get(self, request: Request, id: str) -> Template:
        template = self._visible(request).by_id(id)
        if template is None:
            raise template_not_found()
        return template


def _answer(template: Template, status: int = 200) -> Response:
    """Return a template with its content, and the tag that `If-Match` takes."""
    headers = {"ETag": entity_tag(template)}
    return Response(TemplateSerializer(template).data, status=status, headers=headers)
