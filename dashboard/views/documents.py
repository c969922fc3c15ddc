"""Documents: the list with its filters, one document, its file, deleting it."""

from __future__ import annotations

from typing import Any, Final, cast

from django import forms
from django.contrib import messages
from django.core.files.storage import default_storage
from django.db.models import Q
from django.http import FileResponse, Http404, HttpResponse
from django.shortcuts import redirect, render
from django.urls import path, reverse
from django.views.decorators.http import require_GET, require_http_methods

from config.api.ids import is_storable
from config.api.urls import base_url
from config.files import content_disposition
from config.names import short_name
from dashboard.access import MemberRequest, member
from dashboard.forms import DayField, Form
from dashboard.pages import Question, ask, asks_for, by_key, still_waiting
from rendering.deletion import delete_document
from rendering.files import link_of
from rendering.filters import filtered
from rendering.formats import RENDERERS
from rendering.models import Document, DocumentQuerySet
from rendering.serializers import STATUSES
from templates_app.models import Template

MOST_OFFERED: Final = 50  # templates that the filter offers by name
MOST_NAMED: Final = 100  # templates that a part of a name may stand for


def _exact(label: str, placeholder: str) -> forms.CharField:
    """Return the field of a name that a caller has given."""
    hints = {"placeholder": placeholder, "autocomplete": "off", "spellcheck": "false"}
    return forms.CharField(label=label, required=False, max_length=255, widget=forms.TextInput(attrs=hints))


class Filter(Form):
    """Which documents to show; the dates are days in UTC, both included."""

    template = forms.CharField(
        label="Template",
        required=False,
        max_length=200,
        widget=forms.TextInput(
            attrs={"list": "template-names", "placeholder": "Name, id", "autocomplete": "off"}
        ),
    )
    status = forms.ChoiceField(
        label="Status",
        required=False,
        choices=[("", "Any"), *((status.value, status.label) for status in STATUSES)],
    )
    format = forms.ChoiceField(label="Format", required=False)
    reference = _exact("Reference", "Exact text")
    user = _exact("End user", "Exact id")
    since = DayField(label="From", required=False)
    until = DayField(label="To", required=False)

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        field = cast(forms.ChoiceField, self.fields["format"])
        field.choices = [("", "Any"), *((name, name.upper()) for name in RENDERERS)]

    def query(self) -> dict[str, str]:
        """Return the filter as the API's list takes it; a field that cannot be read filters nothing."""
        self.is_valid()
        given = self.cleaned_data
        wanted = {
            "status": given.get("status"),
            "format": given.get("format"),
            "reference": given.get("reference"),
            "externalUserId": given.get("user"),
            "createdFrom": given["since"].isoformat() if given.get("since") else "",
            "createdTo": given["until"].isoformat() if given.get("until") else "",
        }
        return {name: value for name, value in wanted.items() if value}


@require_GET
@member("viewer")
def documents(request: MemberRequest) -> HttpResponse:
    """List the documents, the newest first."""
    form = Filter(request.GET)
    visible = filtered(Document.objects.visible_to(request.caller), form.query(), is_public=False)
    visible = _of_templates(request, visible, form.cleaned_data.get("template", ""))
    offered = (
        Template.objects.visible_to(request.caller).order_by("-updated_at").values_list("name", flat=True)
    )
    context = {
        "area": "documents",
        "tab": "documents",
        "form": form,
        "page": by_key(request, visible.with_templates()),
        "is_filtered": any(form.cleaned_data.values()),
        "template_names": sorted(set(offered[:MOST_OFFERED])),
    }
    return render(request, "dashboard/documents/list.html", context)


@require_GET
@member("viewer")
def document(request: MemberRequest, document_id: str) -> HttpResponse:
    """Show everything about a document, and its pages; a part asks for itself while it is rendered."""
    row = find(request, document_id)
    if asks_for(request, "waiting"):
        return still_waiting(row.status != Document.Status.PROCESSING)
    context = {
        "area": "documents",
        "document": row,
        "pages": row.status == Document.Status.COMPLETED and row.format == "pdf",
        "example": f"GET /v1/documents/{row.pk}",
    }
    return render(request, "dashboard/documents/document.html", context)


@require_GET
@member("viewer")
def download(request: MemberRequest, document_id: str) -> HttpResponse:
    """Redirect to a fresh signed link to the file."""
    row = _completed(request, document_id)
    return redirect(link_of(row, base_url(request)))


@require_GET
@member("viewer")
def file(request: MemberRequest, document_id: str) -> FileResponse:
    """Send the file itself, for the page that shows it: pages of ours may load from here only."""
    row = _completed(request, document_id)
    try:
        stored = default_storage.open(row.file, "rb")
    except FileNotFoundError:
        raise Http404("The file is gone") from None
    answer = FileResponse(stored, content_type=RENDERERS[row.format].content_type)
    answer["Content-Disposition"] = content_disposition(row.filename, "inline")
    return answer


@require_http_methods(["GET", "POST"])
@member("editor")
def delete(request: MemberRequest, document_id: str) -> HttpResponse:
    """Ask, then delete a document."""
    row = find(request, document_id)
    if request.method == "POST":
        delete_document(row)
        messages.success(request, f"{short_name(row.filename)} is deleted.")
        return redirect("dashboard:documents", request.organization.pk)
    back = reverse("dashboard:document", args=[request.organization.pk, row.pk])
    if row.status == Document.Status.PROCESSING:
        return ask_before_removal(
            request,
            title="Cancel this render?",
            button="Cancel the render",
            back=back,
            text=f"{row.filename} is still being rendered.",
            consequences=("It is not finished, and the document is deleted.", "It does not count in usage."),
        )
    return ask_before_removal(
        request,
        title="Delete this document?",
        button="Delete",
        back=back,
        text=f"{row.filename} is removed for good.",
        consequences=(
            "The file is deleted, and links to it stop working at once.",
            "Usage still counts it.",
        ),
    )


def ask_before_removal(request: MemberRequest, **question: Any) -> HttpResponse:
    """Ask before documents are cancelled or deleted."""
    return ask(request, Question(dangerous=True, **question), area="documents")


def find(request: MemberRequest, document_id: str) -> Document:
    """Return a document of the organization; raises Http404."""
    rows = Document.objects.visible_to(request.caller).with_templates().select_related("batch")
    row = rows.by_id(document_id)
    if row is None:
        raise Http404("No such document")
    return row


def _completed(request: MemberRequest, document_id: str) -> Document:
    row = find(request, document_id)
    if row.status != Document.Status.COMPLETED:
        raise Http404("The document has no file")
    return row


def _of_templates(request: MemberRequest, rows: DocumentQuerySet, words: str) -> DocumentQuerySet:
    """Return the documents of the templates that words name: an id, or a part of a name."""
    if not words:
        return rows
    if not is_storable(words):
        return rows.none()
    named = Template.objects.visible_to(request.caller).filter(Q(pk=words) | Q(name__icontains=words))
    found = list(named.order_by("-updated_at", "-id").values_list("pk", flat=True)[: MOST_NAMED + 1])
    if len(found) > MOST_NAMED:
        messages.warning(
            request,
            f"More than {MOST_NAMED} templates have “{short_name(words)}” in their name: only documents of "
            f"the {MOST_NAMED} that were changed last are listed.",
        )
    return rows.filter(template_id__in=found[:MOST_NAMED])


urls = [
    path("documents", documents, name="documents"),
    path("documents/<str:document_id>", document, name="document"),
    path("documents/<str:document_id>/download", download, name="download_document"),
    path("documents/<str:document_id>/file", file, name="document_file"),
    path("documents/<str:document_id>/delete", delete, name="delete_document"),
]
