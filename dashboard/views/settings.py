"""Settings of an organization: name, keys, allowed domains, retention."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

from django.contrib import messages
from django.db import transaction
from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.urls import path, reverse
from django.utils import timezone
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_GET, require_http_methods, require_POST

from accounts import services
from accounts.key_texts import ROTATION_CONSEQUENCES, SHOWN_BEFORE, shown_keys
from accounts.one_time import keep_for_next_page, take
from accounts.public_key import InvalidOrigin, is_allowed, origin_host, readable_host
from config.api.urls import base_url
from config.names import short_name
from dashboard.access import MemberRequest, member
from dashboard.forms import AgreedRetention, DomainForm, NameForm, RemovedDomain, RetentionForm
from dashboard.pages import Question, ask, asks_for, by_number
from rendering.models import Document


@require_http_methods(["GET", "POST"])
@member("viewer", post="owner")
def general(request: MemberRequest) -> HttpResponse:
    """Show and change the organization's name."""
    organization = request.organization
    given = request.POST if request.method == "POST" else None
    form = NameForm(given, initial={"name": organization.name})
    if form.is_valid():
        services.rename_organization(
            organization=organization, name=form.cleaned_data["name"], actor=request.caller.author
        )
        messages.success(request, "The name is saved.")
        return redirect("dashboard:settings", organization.pk)
    return _page(request, "settings", form=form)


@require_GET
@member("editor")
def keys(request: MemberRequest) -> HttpResponse:
    """Show the keys masked."""
    command = f"curl {base_url(request)}/v1/orgs -H 'x-api-key: sk_live_...'"
    return _page(request, "keys", command=command)


@require_http_methods(["GET", "POST"])
@member("owner")
def rotate(request: MemberRequest) -> HttpResponse:
    """Ask, then replace all three credentials and show the new ones once."""
    organization = request.organization
    if request.method == "POST":
        with transaction.atomic():
            credentials = services.rotate_credentials(organization=organization, actor=request.caller.author)
            keep_for_next_page(request.session, organization.pk, credentials)
        return redirect("dashboard:new_keys", organization.pk)
    question = Question(
        title=f"Rotate the keys of {organization.name}?",
        button="Rotate keys now",
        back=reverse("dashboard:keys", args=[organization.pk]),
        text="Rotation replaces all three credentials together. This is what it means:",
        consequences=ROTATION_CONSEQUENCES,
        dangerous=True,
    )
    return ask(request, question, area="settings", tab="keys")


@require_GET
@never_cache
@member("owner")
def new_keys(request: MemberRequest) -> HttpResponse:
    """Show new keys, once: this page takes them out of the session."""
    credentials = take(request.session, request.organization.pk)
    if credentials is None:
        messages.info(request, SHOWN_BEFORE)
        return redirect("dashboard:keys", request.organization.pk)
    return _page(request, "new_keys", tab="keys", keys=shown_keys(credentials))


@require_GET
@member("viewer")
def domains(request: MemberRequest) -> HttpResponse:
    """List the allowed domains, and tell for an address whether it would be let in."""
    return _domains(request, DomainForm())


@require_POST
@member("owner")
def add_domain(request: MemberRequest) -> HttpResponse:
    """Allow one more domain."""
    form = DomainForm(request.POST)
    if not form.is_valid():
        return _domains(request, form, status=422)
    organization, domain = request.organization, form.cleaned_data["domain"]
    if services.add_domain(organization=organization, domain=domain, actor=request.caller.author):
        messages.success(request, f"Pages on {short_name(readable_host(domain))} may use the public key now.")
    else:
        messages.info(request, f"{short_name(readable_host(domain))} is allowed already.")
    return redirect("dashboard:domains", organization.pk)


@require_http_methods(["GET", "POST"])
@member("owner")
def remove_domain(request: MemberRequest) -> HttpResponse:
    """Ask, then allow a domain no longer."""
    organization = request.organization
    back = reverse("dashboard:domains", args=[organization.pk])
    domain = (request.POST if request.method == "POST" else request.GET).get("domain", "")
    if domain not in organization.allowed_domains:
        messages.info(
            request, f"{short_name(domain)} was not on the list." if domain else "No domain was named."
        )
        return redirect(back)
    host = readable_host(domain)
    if request.method == "POST":
        services.remove_domain(organization=organization, domain=domain, actor=request.caller.author)
        messages.success(request, f"Pages on {short_name(host)} may not use the public key any more.")
        return redirect(back)
    question = Question(
        title=f"Remove {host}?",
        button="Remove",
        back=back,
        consequences=_removal_consequences(domain, organization.allowed_domains),
        dangerous=True,
    )
    form = RemovedDomain(initial={"domain": domain})
    return ask(request, question, area="settings", tab="domains", form=form)


def _removal_consequences(domain: str, allowed_domains: list[str]) -> tuple[str, ...]:
    """Return what taking a domain off the list means; little, where another entry covers it."""
    others = [each for each in allowed_domains if each != domain]
    covering = next((each for each in others if is_allowed(domain, [each])), None)
    if covering:
        return (f"Its pages may use the public key all the same: {readable_host(covering)} is on the list.",)
    return (
        f"Requests with the public key from pages on {readable_host(domain)} and its subdomains are refused "
        "at once: no documents are rendered there.",
        "Servers with the secret key go on. The domain can be added again at any time.",
    )


@require_http_methods(["GET", "POST"])
@member("viewer", post="owner")
def retention(request: MemberRequest) -> HttpResponse:
    """Show and change after how many days documents are deleted; ask where documents go that stay today."""
    organization = request.organization
    given = request.POST if request.method == "POST" else None
    form = RetentionForm(given, initial={"days": organization.retention_days})
    if form.is_valid():
        days = form.cleaned_data["days"]
        if "agreed" not in request.POST and is_shorter(days, organization.retention_days):
            return _ask_retention(request, days)
        services.change_retention(organization=organization, days=days, actor=request.caller.author)
        messages.success(
            request, f"Documents are deleted after {days} days." if days else "Documents are kept forever."
        )
        return redirect("dashboard:retention", organization.pk)
    return _page(request, "retention", form=form)


def is_shorter(days: int | None, present: int | None) -> bool:
    """Tell whether documents that stay today would be deleted after so many days; None keeps them forever."""
    return days is not None and (present is None or days < present)


def _ask_retention(request: MemberRequest, days: int) -> HttpResponse:
    """Ask before documents are deleted; the answer comes to the same address, as agreed."""
    limit = timezone.now() - timedelta(days=days)
    old = Document.objects.filter(organization=request.organization, created_at__lt=limit).exists()
    first = (
        f"Documents from before {limit.day} {limit:%B %Y} are deleted within a day, forever. Their "
        "links then answer “Document not found”."
    )
    question = Question(
        title=f"Delete documents after {days} days?",
        button=f"Delete after {days} days",
        back=reverse("dashboard:retention", args=[request.organization.pk]),
        consequences=(
            first if old else "No document is that old now: nothing is deleted today.",
            "Every document goes as soon as it is so old. Usage figures, templates and assets stay.",
        ),
        dangerous=True,
    )
    form = AgreedRetention(initial={"days": days, "agreed": "yes"})
    return ask(request, question, area="settings", tab="retention", form=form)


def check_address(address: str, allowed_domains: list[str]) -> dict[str, Any]:
    """Return whether a page at this address may use the public key, and the reason in words."""
    try:
        host = origin_host(address)
    except InvalidOrigin:
        return {
            "verdict": "invalid",
            "text": "This is no address of a page. Give one with https://, as the browser shows it.",
        }
    if is_allowed(host, allowed_domains):
        entry = next(each for each in allowed_domains if is_allowed(host, [each]))
        because = "is on the list" if entry == host else f"is a subdomain of {entry}"
        return {"verdict": "allowed", "text": f"Yes: {host} {because}."}
    return {"verdict": "refused", "text": f"No: neither {host} nor a domain above it is on the list."}


def _domains(request: MemberRequest, form: DomainForm, status: int = 200) -> HttpResponse:
    """Show the page, or only the verdict when htmx asks for that."""
    address = request.GET.get("address", "").strip()
    verdict = check_address(address, request.organization.allowed_domains) if address else None
    if asks_for(request, "verdict"):
        return render(request, "dashboard/settings/_verdict.html", {"verdict": verdict})
    listed = by_number(
        request,
        request.organization.allowed_domains,
        at=reverse("dashboard:domains", args=[request.organization.pk]),
    )
    return _page(
        request, "domains", form=form, listed=listed, address=address, verdict=verdict, status=status
    )


def _page(request: MemberRequest, page: str, *, status: int = 200, **context: Any) -> HttpResponse:
    """Show a settings page; a form with errors makes it a 422, so that tests and proxies see the refusal."""
    form = context.get("form")
    if form is not None and form.errors:
        status = 422
    shown = {"area": "settings", "tab": page} | context
    return render(request, f"dashboard/settings/{page}.html", shown, status=status)


urls = [
    path("settings", general, name="settings"),
    path("settings/keys", keys, name="keys"),
    path("settings/keys/rotate", rotate, name="rotate_keys"),
    path("settings/keys/new", new_keys, name="new_keys"),
    path("settings/domains", domains, name="domains"),
    path("settings/domains/add", add_domain, name="add_domain"),
    path("settings/domains/remove", remove_domain, name="remove_domain"),
    path("settings/retention", retention, name="retention"),
]
