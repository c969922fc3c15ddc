"""The OpenAPI document as the service serves it: made once in a process, packed for who takes it packed."""

from __future__ import annotations

import gzip
import hashlib
import re
from functools import cache
from threading import Lock
from typing import Any, Final

from django.http import HttpRequest, HttpResponse
from django.http.response import HttpResponseBase
from django.utils.cache import get_conditional_response, patch_vary_headers
from drf_spectacular.renderers import OpenApiJsonRenderer
from drf_spectacular.views import SpectacularJSONAPIView
from rest_framework.request import Request

from config.api.json import JsonRenderer
from config.value import value

_TAKES_GZIP: Final = re.compile(r"\bgzip\b(?!\s*;\s*q=0(?:\.0*)?\s*(?:,|$))")
_making = Lock()


@value
class _Document:
    """The document as it is, and in gzip; `digest` names it."""

    plain: bytes
    packed: bytes
    digest: str


class DocumentView(SpectacularJSONAPIView):
    """Serves the document. Making it takes a second of processor, and anybody may ask for it."""

    renderer_classes = [JsonRenderer]  # of refusals

    def get(self, request: Request, *args: Any, **kwargs: Any) -> HttpResponseBase:
        """Return the document; 304 to who has it already."""
        with _making:
            document = _document()
        is_packed = bool(_TAKES_GZIP.search(request.headers.get("Accept-Encoding", "")))
        etag = f'"{document.digest}-gzip"' if is_packed else f'"{document.digest}"'
        response = HttpResponse(
            document.packed if is_packed else document.plain,
            content_type=OpenApiJsonRenderer.media_type,
            headers={"Content-Disposition": f'inline; filename="{self._get_filename(request, None)}"'},
        )
        if is_packed:
            response["Content-Encoding"] = "gzip"
        response["ETag"], response["Cache-Control"] = etag, "no-cache"
        patch_vary_headers(response, ["Accept-Encoding"])
        asked: HttpRequest = request._request
        return get_conditional_response(asked, etag=etag, response=response) or response


@cache
def _document() -> _Document:
    schema = DocumentView.generator_class().get_schema(public=True)
    plain: bytes = OpenApiJsonRenderer().render(schema, renderer_context={})
    packed = gzip.compress(plain, mtime=0)
    return _Document(plain, packed, hashlib.sha256(plain).hexdigest()[:32])
