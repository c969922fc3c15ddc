"""A part of a file by `Range`, as a bucket answers it (RFC 9110, 14.2): a browser goes on with a download."""

from __future__ import annotations

from django.http import FileResponse, HttpRequest, HttpResponse
from django.http.response import HttpResponseBase
from whitenoise.responders import SlicedFile, StaticFile

_BLOCK_BYTES = 2**16


def in_part(request: HttpRequest, response: FileResponse) -> HttpResponseBase:
    """Return the part of a file's answer that a GET asks for: 206, or 416 where the file ends before it.

    The whole answer is right where none is asked for, several are, the header says nothing of sense, or the
    part is wanted of another state of the file than that of the answer's ETag and Last-Modified (`If-Range`).
    """
    response["Accept-Ranges"] = "bytes"
    size = int(response["Content-Length"])
    asked, file = _asked(request, response, size), response.file_to_stream
    if asked is None or file is None:
        return response
    start, last = asked
    if start > last:
        file.close()
        return HttpResponse(status=416, headers={"Content-Range": f"bytes */{size}"})
    part = SlicedFile(file, start, last)
    response.status_code = 206
    response["Content-Range"] = f"bytes {start}-{last}/{size}"
    response["Content-Length"] = str(last - start + 1)
    response.streaming_content = iter(lambda: part.read(_BLOCK_BYTES), b"")
    return response


def _asked(request: HttpRequest, response: FileResponse, size: int) -> tuple[int, int] | None:
    """Return the first and last byte that are asked for, None for the whole; no byte is if first > last."""
    header = request.headers.get("Range", "").strip()
    if request.method != "GET" or not header:
        return None
    state = request.headers.get("If-Range")
    if state is not None and state not in (response.get("ETag"), response.get("Last-Modified")):
        return None
    try:
        start, end = StaticFile.parse_byte_range(header)
    except ValueError:
        return None
    if header.startswith("bytes=-"):  # so many bytes of the end
        return max(0, size + start) if start else size, size - 1
    if end is not None and end < start:
        return None
    return start, size - 1 if end is None else min(end, size - 1)
