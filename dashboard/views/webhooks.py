"""Settings of an organization: webhooks, their secret, the log of deliveries, and sending one again."""

from __future__ import annotations

import json
from datetime import timedelta
from typing import Any

from django import forms
from django.contrib import messages
from django.db import transaction
from django.http import Http404, HttpResponse
from django.shortcuts import redirect, render
from django.urls import path, reverse
from django.utils import timezone
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_GET, require_http_methods, require_POST

from accounts.one_time import keep_secrets, take_secrets
from accounts.webhooks import services
from accounts.webhooks.events import EVENT_TYPES
from accounts.webhooks.models import Webhook, WebhookDelivery
from config.api.errors import ApiError
from dashboard.access import MemberRequest, member
from dashboard.forms import Form
from dashboard.pages import Question, ask, asks_for, by_key, by_number, still_waiting

EVENTS = {
    "document.completed": "A document is rendered",
    "document.failed": "A document could not be rendered",
    "batch.completed": "All documents of a batch are done",
    "template.published": "A template is published",
    "template.archived": "A template is archived",
    "credentials.rotated": "The API keys are rotated",
}


class WebhookForm(Form):
    """Where to send what."""

    url = forms.CharField(
        label="Address",
        help_text="Messages are sent there by POST, signed with the webhook's secret.",
        widget=forms.URLInput(attrs={"placeholder": "https://hooks.example.com/documents"}),
    )
    description = forms.CharField(
        label="Description", required=False, max_length=255, help_text="For people: what receives here."
    )
    events = forms.MultipleChoiceField(
        label="Events",
        required=False,
        choices=[(name, f"{EVENTS.get(name, name)} ({name})") for name in EVENT_TYPES],
        widget=forms.CheckboxSelectMultiple,
        help_text="Choose none to be told all, also types that come later.",
    )
    enabled = forms.BooleanField(label="Enabled", required=False, initial=True)

    def body(self) -> dict[str, Any]:
        """Return the fields as the services take them: the body of an API call."""
        given = self.cleaned_data
        return {
            "url": given["url"],
            "description": given["description"],
            "eventTypes": given["events"] or None,
            "enabled": given["enabled"],
        }

    def refuse(self, error: ApiError) -> None:
        """Show a refusal of a service at the field it is about."""
        fields = {"eventTypes": "events"}
        for name, text in error.errors.items():
            field = fields.get(name.partition("[")[0], name)
            self.add_error(field if field in self.fields else None, text)
        if not error.errors:
            self.add_error(None, error.message)


@require_GET
@member("editor")
def webhooks(request: MemberRequest) -> HttpResponse:
    """List the organization's webhooks."""
    rows = Webhook.objects.of(request.organization.pk).order_by("id")
    return _page(request, "webhooks", rows=rows)


@require_http_methods(["GET", "POST"])
@member("owner")
def new(request: MemberRequest) -> HttpResponse:
    """Create a webhook, then show its secret once."""
    form = WebhookForm(request.POST if request.method == "POST" else None)
    if form.is_valid():
        try:
            made = services.create_webhook(
                organization=request.organization, body=form.body(), actor=request.caller.author
            )
        except ApiError as error:
            form.refuse(error)
        else:
            return _show_secret(request, made)
    return _page(request, "webhook_form", form=form, heading="New webhook", button="Create")


@require_http_methods(["GET", "POST"])
@member("owner")
def edit(request: MemberRequest, webhook: str) -> HttpResponse:
    """Change a webhook."""
    row = _webhook(request, webhook)
    initial = {
        "url": row.url,
        "description": row.description,
        "events": row.event_types,
        "enabled": row.enabled,
    }
    form = WebhookForm(request.POST if request.method == "POST" else None, initial=initial)
    if form.is_valid():
        try:
            services.update_webhook(webhook=row, body=form.body(), actor=request.caller.author)
        except ApiError as error:
            form.refuse(error)
        else:
            messages.success(request, "The webhook is saved.")
            return redirect("dashboard:webhook", request.organization.pk, row.pk)
    return _page(request, "webhook_form", form=form, webhook=row, heading=f"Change {row.url}", button="Save")


@require_GET
@member("editor")
def webhook(request: MemberRequest, webhook: str) -> HttpResponse:
    """Show a webhook and the log of its deliveries, the newest first."""
    row = _webhook(request, webhook)
    status = request.GET.get("status", "")
    known = status if status in WebhookDelivery.Status.values else None
    page = by_key(request, services.deliveries_of(row, status=known))
    statuses = WebhookDelivery.Status.choices
    return _page(request, "webhook", webhook=row, page=page, status_shown=known or "", statuses=statuses)


@require_http_methods(["GET", "POST"])
@member("owner")
def rotate(request: MemberRequest, webhook: str) -> HttpResponse:
    """Ask, then replace the secret and show the new one once."""
    row = _webhook(request, webhook)
    if request.method == "POST":
        with transaction.atomic():
            return _show_secret(request, services.rotate_secret(webhook=row, actor=request.caller.author))
    hours = int(services.SECRET_OVERLAP.total_seconds() // 3600)
    return _ask(
        request,
        row,
        title="Replace the secret of this webhook?",
        button="Replace the secret",
        text=f"{row.url} gets a new secret, which is shown once, on the next page.",
        consequences=(
            f"For {hours} hours messages are signed with both, the present one and the new one: "
            "time to set the new one up at the receiver.",
            "After that only the new one counts.",
        ),
    )


@require_GET
@never_cache
@member("owner")
def secret(request: MemberRequest, webhook: str) -> HttpResponse:
    """Show a new secret, once: this page takes it out of the session."""
    row = _webhook(request, webhook)
    secrets = take_secrets(request.session, _name(row))
    if not secrets:
        messages.info(request, "A new secret is shown once. If it is lost, replace it to get another.")
        return redirect("dashboard:webhook", request.organization.pk, row.pk)
    return _page(request, "webhook_secret", webhook=row, secret=secrets[0])


@require_http_methods(["GET", "POST"])
@member("owner")
def delete(request: MemberRequest, webhook: str) -> HttpResponse:
    """Ask, then delete a webhook with its log."""
    row = _webhook(request, webhook)
    if request.method == "POST":
        services.delete_webhook(webhook=row, actor=request.caller.author)
        messages.success(request, "The webhook is deleted.")
        return redirect("dashboard:webhooks", request.organization.pk)
    return _ask(
        request,
        row,
        title="Delete this webhook?",
        button="Delete",
        text=f"{row.url} gets no messages any more.",
        consequences=("What is not delivered yet is not sent.", "Its log is deleted as well."),
        dangerous=True,
    )


@require_POST
@member("editor")
def test(request: MemberRequest, webhook: str) -> HttpResponse:
    """Send a test event and show its delivery."""
    row = _webhook(request, webhook)
    delivery = services.send_test(webhook=row)
    messages.success(request, "A test is on its way.")
    return redirect("dashboard:delivery", request.organization.pk, row.pk, delivery.pk)


@require_GET
@member("editor")
def delivery(request: MemberRequest, webhook: str, delivery: str) -> HttpResponse:
    """Show a delivery: the message and every attempt to send it."""
    row = _webhook(request, webhook)
    found = _delivery(row, delivery)
    if asks_for(request, "sending"):
        return still_waiting(not _is_first_due(found))
    message = json.dumps(json.loads(found.event.body), indent=2, ensure_ascii=False)
    return _page(
        request,
        "delivery",
        webhook=row,
        delivery=found,
        message=message,
        page=by_number(request, found.log.order_by("-id")),
        is_awaited=_is_first_due(found),
    )


@require_POST
@member("editor")
def replay(request: MemberRequest, webhook: str, delivery: str) -> HttpResponse:
    """Send a delivery again."""
    row = _webhook(request, webhook)
    found = _delivery(row, delivery)
    try:
        services.replay_delivery(delivery=found, actor=request.caller.author)
    except ApiError as error:
        messages.error(request, f"{error.message}.")
    else:
        messages.success(request, "It is on its way again.")
    return redirect("dashboard:delivery", request.organization.pk, row.pk, found.pk)


def _webhook(request: MemberRequest, webhook: str) -> Webhook:
    row = Webhook.objects.of(request.organization.pk).by_id(webhook)
    if row is None:
        raise Http404("No such webhook")
    return row


def _delivery(webhook: Webhook, delivery: str) -> WebhookDelivery:
    try:
        return services.find_delivery(webhook, delivery)
    except ApiError:
        raise Http404("No such delivery") from None


def _is_first_due(delivery: WebhookDelivery) -> bool:
    """Tell whether it pays to wait: before the first attempt there is nothing to read, later there is."""
    soon = timezone.now() + timedelta(minutes=1)
    is_due = delivery.next_attempt_at is None or delivery.next_attempt_at < soon
    return delivery.is_pending and not delivery.tries and is_due


def _show_secret(request: MemberRequest, made: services.NewSecret) -> HttpResponse:
    keep_secrets(request.session, _name(made.webhook), [made.secret])
    return redirect("dashboard:webhook_secret", request.organization.pk, made.webhook.pk)


def _name(webhook: Webhook) -> str:
    return f"new_webhook_secret:{webhook.pk}"


def _ask(request: MemberRequest, webhook: Webhook, **question: Any) -> HttpResponse:
    back = reverse("dashboard:webhook", args=[request.organization.pk, webhook.pk])
    return ask(request, Question(back=back, **question), area="settings", tab="webhooks")


def _page(request: MemberRequest, name: str, /, **context: Any) -> HttpResponse:
    form = context.get("form")
    shown = {"area": "settings", "tab": "webhooks", "events": EVENTS} | context
    status = 422 if form is not None and form.errors else 200
    return render(request, f"dashboard/settings/{name}.html", shown, status=status)


urls = [
    path("settings/webhooks", webhooks, name="webhooks"),
    path("settings/webhooks/new", new, name="new_webhook"),
    path("settings/webhooks/<str:webhook>", webhook, name="webhook"),
    path("settings/webhooks/<str:webhook>/edit", edit, name="edit_webhook"),
    path("settings/webhooks/<str:webhook>/secret", secret, name="webhook_secret"),
    path("settings/webhooks/<str:webhook>/rotate", rotate, name="rotate_webhook"),
    path("settings/webhooks/<str:webhook>/delete", delete, name="delete_webhook"),
    path("settings/webhooks/<str:webhook>/test", test, name="test_webhook"),
    path("settings/webhooks/<str:webhook>/deliveries/<str:delivery>", delivery, name="delivery"),
    path("settings/webhooks/<str:webhook>/deliveries/<str:delivery>/replay", replay, name="replay"),
]
