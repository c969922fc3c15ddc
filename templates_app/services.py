"""What can be done to templates; API, dashboard and scripts run these same functions."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import replace
from typing import Any

from django.db import transaction
from django.utils import timezone

from accounts import audit
from accounts.models import Organization
from accounts.webhooks.events import EventType, emit
from config.api.errors import ApiError
from templates_app.bodies import TemplateCreate, TemplateUpdate, parse_body
from templates_app.content import LONGEST_NAME, BrokenContent, BrokenExpression, Content
from templates_app.errors import (
    template_has_other_status,
    template_is_archived,
    template_not_found,
    template_was_changed,
    version_not_found,
)
from templates_app.models import Template, TemplateQuerySet, TemplateSample, TemplateVersion
from templates_app.variables import Variable

# null on the wire -> value of the column
_EMPTY: dict[str, Any] = {"description": "", "variables": [], "page": {}, "sample_data": {}}
# The columns that are typed together: what is wrong may be in none of them alone.
_TYPED = frozenset({"sections", "variables", "page"})


def create_template(
    *, organization: Organization, body: Mapping[str, Any], author: str, external_user_id: str | None = None
) -> Template:
    """Create a draft from an API body; raises ApiError 400.

    `external_user_id` is the owner that the caller's key decides; None takes the body's.
    """
    if external_user_id is not None:
        body = _without_owner(body)
    fields = _columns(parse_body(TemplateCreate, body))
    if external_user_id is not None:
        fields["external_user_id"] = external_user_id
    now = timezone.now()
    template = Template(
        organization=organization,
        created_at=now,
        updated_at=now,
        content_created_at=now,
        content_created_by=author,
        **fields,
    )
    template.variables = complete_variables(template.content())
    with transaction.atomic():
        template.save(force_insert=True)
        _record(template, author, "template.created")
    return template


def duplicate_template(*, template: Template, author: str) -> Template:
    """Make a draft with the same content and samples, for the same end user; raises ApiError 400."""
    with transaction.atomic():
        made = create_template(
            organization=template.organization,
            body=template.body() | {"name": f"Copy of {template.name}"[:LONGEST_NAME].rstrip()},
            author=author,
            external_user_id=template.external_user_id,
        )
        TemplateSample.objects.bulk_create(
            TemplateSample(template=made, name=sample.name, data=sample.data, position=sample.position)
            for sample in template.samples.all()
        )
    return made


def update_template(
    *,
    templates: TemplateQuerySet,
    template: Template,
    body: Mapping[str, Any],
    author: str,
    may_move: bool,
    expected_version: int | None = None,
    expected_status: str | None = None,
) -> Template:
    """Change what `body` gives and keep the replaced content as a version entry; raises ApiError 404 or 400.

    `templates` are those the caller may see, `template` the one of them as the caller found it; `may_move`
    lets the body's externalUserId count. Where it is no longer at `expected_version`, or in
    `expected_status`, nothing is changed and the ApiError is a 409: what was written for a draft does not go
    live because somebody has published it meanwhile.
    """
    check_expected(template, expected_version, expected_status)
    fields = check_update(template=template, body=body, may_move=may_move)
    return apply_update(
        templates=templates,
        template=template,
        fields=fields,
        author=author,
        expected_version=expected_version,
        expected_status=expected_status,
    )


def check_update(*, template: Template, body: Mapping[str, Any], may_move: bool) -> dict[str, Any]:
    """Return the columns that an update of a template changes; raises ApiError 400 as `update_template`.

    All that takes its time is here: not within a transaction, whose lock is everybody's under SQLite. What is
    made of the content is at hand in `apply_update`, unless somebody else changes the template meanwhile.
    """
    fields = _columns(parse_body(TemplateUpdate, body if may_move else _without_owner(body)))
    _check_content(template, fields)
    return fields


def apply_update(
    *,
    templates: TemplateQuerySet,
    template: Template,
    fields: Mapping[str, Any],
    author: str,
    expected_version: int | None = None,
    expected_status: str | None = None,
) -> Template:
    """Store what `check_update` has returned; the rest is as of `update_template`."""
    with transaction.atomic():
        template = _locked(templates, template.pk)
        check_expected(template, expected_version, expected_status)
        entry = TemplateVersion.of(template)
        before = _declared(template, fields)
        content = _check_content(template, fields)
        for name, value in fields.items():
            setattr(template, name, value)
        if content is not None:
            template.variables = complete_variables(content)
        changed = sorted(name for name, value in _declared(template, fields).items() if value != before[name])
        template.version += 1
        template.updated_at = template.content_created_at = timezone.now()
        template.content_created_by = author
        entry.save(force_insert=True)
        template.save()
        _record(template, author, "template.updated", version=template.version, changed=changed)
    return template


def _check_content(template: Template, fields: Mapping[str, Any]) -> Content | None:
    """Return a template's content with some of its fields replaced, None where they are others.

    Raises ApiError 400, also for what stays: a template that was broken behind the service's back can be
    renamed, no more.
    """
    replaced = {name: value for name, value in fields.items() if name in _TYPED}
    if not replaced:
        return None
    content = replace(template.content(), **replaced)
    try:
        content.check()
    except BrokenExpression as error:
        raise error.refusal() from None
    except BrokenContent as error:
        raise ApiError(400, str(error)) from None
    return content


def _declared(template: Template, names: Iterable[str]) -> dict[str, Any]:
    """Return what a template holds under these names; of its variables those that its author declared."""
    values = {name: getattr(template, name) for name in names}
    if "variables" in values:
        values["variables"] = template.declared()
    return values


def publish_template(
    *,
    templates: TemplateQuerySet,
    template_id: str,
    author: str,
    expected_version: int | None = None,
    expected_status: str | None = None,
) -> Template:
    """Make a template renderable; a published one stays as it is, an archived one gives 400.

    One that is no longer at `expected_version`, or in `expected_status`, gives 409: what was looked at is not
    what would go live.
    """
    with transaction.atomic():
        template = _locked(templates, template_id)
        check_expected(template, expected_version, expected_status)
        if template.status != Template.Status.PUBLISHED:
            template.status = Template.Status.PUBLISHED
            template.published_at = template.updated_at = timezone.now()
            template.save(update_fields=["status", "published_at", "updated_at"])
            _record(template, author, "template.published", version=template.version)
            _announce(template, "template.published")
    return template


def archive_template(
    *,
    templates: TemplateQuerySet,
    template_id: str,
    author: str,
    expected_version: int | None = None,
    expected_status: str | None = None,
) -> Template:
    """Take a template out of lists and out of rendering; nothing is destroyed.

    An archived one stays as it is; one that is not as expected gives 409, as in `publish_template`.
    """
    with transaction.atomic():
        template = _locked(templates, template_id)
        if not template.is_archived:
            check_expected(template, expected_version, expected_status)
            template.status = Template.Status.ARCHIVED
            template.archived_at = template.updated_at = timezone.now()
            template.save(update_fields=["status", "archived_at", "updated_at"])
            _record(template, author, "template.archived")
            _announce(template, "template.archived")
    return template


def check_expected(template: Template, version: int | None, status: str | None = None) -> None:
    """Raise the ApiError of a template that cannot be changed (400) or is not what its author saw (409).

    None expects nothing.
    """
    if template.is_archived:
        raise template_is_archived()
    if version not in {None, template.version}:
        raise template_was_changed(template.version)
    if status not in {None, template.status}:
        raise template_has_other_status(template.status)


def version_of(template: Template, version: str | int) -> TemplateVersion:
    """Return any version of a template, the current one unsaved; raises the 404 of a version."""
    text = str(version)
    number = int(text) if text.isascii() and text.isdigit() and len(text) < 10 else 0
    if number == template.version:
        return TemplateVersion.of(template)
    entry = TemplateVersion.objects.filter(template=template, version=number).first()
    if entry is None:
        raise version_not_found()
    return entry


def _record(template: Template, author: str, action: str, **detail: Any) -> None:
    """Write the change of a template to its organization's audit log."""
    audit.record(
        template.organization_id,
        author,
        action,
        object_type="template",
        object_id=template.pk,
        object_name=template.name,
        detail=detail,
    )


def _announce(template: Template, type: EventType) -> None:
    """Tell the organization's webhooks what became of a template."""
    from templates_app.serializers import TemplateSummarySerializer  # not for job workers, which render only

    emit(
        template.organization_id,
        type,
        lambda: TemplateSummarySerializer(template).data,
        external_user_id=template.external_user_id,
    )


def complete_variables(content: Content) -> list[dict[str, Any]]:
    """Return the stored form of the declared variables and the inferred ones."""
    return [_complete(variable) for variable in content.typed_variables]


def _complete(variable: Variable) -> dict[str, Any]:
    stored = variable.model_dump(exclude={"fields", "inferred"})
    if variable.fields:
        stored["fields"] = [_complete(child) for child in variable.fields]
    if variable.inferred:
        stored["inferred"] = True
    return stored


def _without_owner(body: Mapping[str, Any]) -> dict[str, Any]:
    """Leave out the owner that a public key decides, not the body."""
    return {name: value for name, value in body.items() if name != "externalUserId"}


def _locked(templates: TemplateQuerySet, template_id: str) -> Template:
    # Not against new documents of the template: renders go on while an update is checked.
    template = templates.select_for_update(no_key=True).by_id(template_id)
    if template is None:
        raise template_not_found()
    return template


def _columns(fields: dict[str, Any]) -> dict[str, Any]:
    return {
        name: _EMPTY[name] if value is None and name in _EMPTY else value for name, value in fields.items()
    }
