"""Conventions of the wire: one error shape for every way to fail, request ids, CORS."""

from __future__ import annotations

import gzip
import re
from typing import Any
from urllib.parse import quote

import pytest

from tests.api.tools import HEADING, RATE, assert_refused, crash
from tests.conftest import INVOICE, ApiClient

EXPOSED = {
    *RATE,
    "X-Request-Id",
    "ETag",
    "Retry-After",
    "Link",
    "Location",
    "Allow",
    "Preference-Applied",
    "Idempotent-Replayed",
    "Accept-Ranges",
    "Content-Disposition",
    "Content-Range",
}


@pytest.mark.parametrize(
    "path",
    [
        "/v1",
        "/v1/",
        "/v1/nope",
        "/v1/templates/",
        "/v1/usage/a/b",
        "/v1/templates%0A",
        "/v1/orgs/",
        "/v1/../x",
        "/v1/render/x",
        "/v1//templates",
        "/v1/usage/trend/x",
        "/v1/%FF",
        "/v1/auth",
    ],
)
@pytest.mark.parametrize("method", ["GET", "POST", "PUT", "DELETE"])
def test_an_unknown_path(method: str, path: str, secret: ApiClient) -> None:
    answer = secret.request(method, path)
    assert answer.status_code == 404
    assert_refused(answer, 404, answer.json()["message"])
    assert answer.json()["message"].startswith("No such endpoint: ")
    assert answer.json()["message"].isprintable()


@pytest.mark.parametrize(
    "path",
    [
        "/v1/templates/tpl_x/publish/",
        "/v1/templates/tpl_x/archive",
        "/v1/batches/bat_x/cancel/",
        "/v1/documents/doc_x/cancel",
        "/v1/downloads/doc_x/",
        "/v1/assets/ast_x/",
        "/v1/webhooks/whk_x/deliveries/dlv_x/replay/",
    ],
)
def test_an_action_that_is_none_is_no_wrong_method(path: str, secret: ApiClient) -> None:
    assert_refused(secret.post(path), 404, f"No such endpoint: POST {path}")


@pytest.mark.parametrize(
    ("method", "path", "allowed"),
    [
        ("PUT", "/v1/templates", {"GET", "HEAD", "POST"}),
        ("POST", "/v1/templates/x", {"GET", "HEAD", "PATCH", "DELETE"}),
        ("GET", "/v1/render", {"POST"}),
        ("GET", "/v1/auth/rotate-keys", {"POST"}),
        ("DELETE", "/v1/orgs", {"GET", "HEAD"}),
        ("OPTIONS", "/v1/usage", {"GET", "HEAD"}),
        ("TRACE", "/v1/usage", {"GET", "HEAD"}),
        ("BREW", "/v1/usage", {"GET", "HEAD"}),
    ],
)
def test_a_wrong_method(method: str, path: str, allowed: set[str], secret: ApiClient) -> None:
    answer = secret.request(method, path)
    assert_refused(answer, 405, f'Method "{method}" not allowed.')
    assert set(answer["Allow"].split(", ")) == allowed


@pytest.mark.parametrize(
    "raw",
    [
        b"{",
        b"nonsense",
        b'{"a":}',
        b"{'a':1}",
        b'{"a":1}x',
        b'{"a":NaN}',
        b'{"a":Infinity}',
        b'{"a":"\xff"}',
        b'\xff\xfe{"a":1}',
        b'{"a":"\\ud800"}',
        b'{"a":"\x01"}',
        b'\xef\xbb\xbf{"a":1}',
        b"[" * 100_000,
        b'{"a":' * 100_000,
        b'{"a":' * 101 + b"1" + b"}" * 101,
        b'{"data":' + b"[" * 100 + b"]" * 100 + b"}",
        b"[]",
        b"[1]",
        b"5",
        b"null",
        b"true",
        b'"text"',
    ],
    ids=lambda raw: raw[:20].decode("latin-1") + str(len(raw)),
)
def test_a_body_that_is_no_json_object(raw: bytes, secret: ApiClient) -> None:
    answer = secret.post("/v1/render", raw)
    assert answer.status_code == 400
    assert_refused(answer, 400, answer.json()["message"])
    assert answer.json()["message"].startswith("Malformed JSON: ")


def test_nesting_up_to_the_limit_is_fine(secret: ApiClient) -> None:
    raw = b'{"templateId":"x","data":{"a":' + b"[" * 98 + b"]" * 98 + b"}}"
    assert_refused(secret.post("/v1/render", raw), 404, "Template not found")


def test_a_query_of_too_many_parameters(secret: ApiClient) -> None:
    query = "&".join(f"a{number}=1" for number in range(1001))
    answer = secret.get(f"/v1/documents?{query}")
    assert_refused(answer, 400, "Malformed query: too many parameters")


@pytest.mark.parametrize("raw", [b"", b"  \n", b"{}"])
def test_an_empty_body_names_what_is_missing(raw: bytes, secret: ApiClient) -> None:
    assert_refused(secret.post("/v1/render", raw), 400, "data: required; templateId: required")


@pytest.mark.parametrize(
    ("raw", "field"),
    [
        (b'{"templateId":"a","data":{},"filename":"a\\u0000b"}', "filename"),
        (b'{"templateId":"a","data":{"x":[{"y":"\\u0000"}]}}', "data.x[0].y"),
        (b'{"templateId":"a","data":{"x":{"a\\u0000":1}}}', "data.x"),
        (b'{"\\u0000":1}', "body"),
    ],
)
def test_nul_is_refused_and_located(raw: bytes, field: str, secret: ApiClient) -> None:
    assert_refused(secret.post("/v1/render", raw), 400, f"{field}: must not contain the NUL character")


@pytest.mark.parametrize(
    "content_type", ["text/plain", "multipart/form-data; boundary=x", "text/html", "x", "application/xml"]
)
def test_a_wrong_content_type(content_type: str, secret: ApiClient) -> None:
    answer = secret.post("/v1/render", b'{"a":1}', content_type=content_type)
    assert_refused(answer, 415, "Unsupported content type: send the body as application/json")


def test_a_compressed_body(secret: ApiClient) -> None:
    packed = gzip.compress(b'{"templateId":"x","data":{}}')
    answer = secret.post("/v1/render", packed, content_encoding="gzip")
    assert_refused(answer, 415, "Unsupported content encoding: send the body uncompressed")
    plain = secret.post("/v1/render", {"templateId": "x", "data": {}}, content_encoding="identity")
    assert plain.status_code == 404


@pytest.mark.parametrize(
    "content_type",
    [
        "application/json; charset=utf-8",
        'application/json;charset="UTF8"',
        "application/json; charset=us-ascii",
        "APPLICATION/JSON",
        "application/vnd.api+json",
    ],
)
def test_json_by_its_other_names(content_type: str, secret: ApiClient) -> None:
    answer = secret.post("/v1/render", b'{"templateId":"x","data":{}}', content_type=content_type)
    assert answer.status_code == 404


@pytest.mark.parametrize("charset", ["latin1", "ISO-8859-1", "utf-16", "utf-8-sig", "none-such", "é"])
def test_a_charset_that_is_not_utf_8(charset: str, secret: ApiClient) -> None:
    # "Ã©" in Latin-1 are the bytes of "é" in UTF-8: nothing but the refusal tells the two apart.
    raw = '{"templateId":"x","data":{"name":"Ã©"}}'.encode("latin-1")
    answer = secret.post("/v1/render", raw, content_type=f"application/json; charset={charset}")
    assert_refused(answer, 415, "Unsupported charset: send the body in UTF-8")


def test_accept_makes_no_difference(secret: ApiClient) -> None:
    assert secret.get("/v1/orgs", accept="text/html")["Content-Type"] == "application/json"
    assert_refused(secret.get("/v1/templates/x", accept="text/html"), 404, "Template not found")


def test_a_body_that_is_too_large(settings: Any, secret: ApiClient, nobody: ApiClient) -> None:
    settings.MAX_BODY_BYTES = 200
    message = "Request body is too large: the limit is 200 bytes (MAX_BODY_BYTES)"
    assert_refused(secret.post("/v1/render", b" " * 201), 413, message)
    assert_refused(nobody.post("/v1/nope", b" " * 201), 413, message)
    assert secret.post("/v1/render", b'{"templateId":"x","data":{}}'.ljust(200)).status_code == 404


def test_a_crash(
    secret: ApiClient, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setattr("usage.views.trend", crash)
    answer = secret.get("/v1/usage/trend", x_request_id="crash-7")
    assert_refused(answer, 500, "Internal server error")
    assert answer.json() == {"message": "Internal server error", "requestId": "crash-7"}
    assert answer["RateLimit-Limit"]
    assert "swordfish" in caplog.text


@pytest.mark.parametrize(
    "place",
    [
        "django.middleware.common.CommonMiddleware.process_request",
        "accounts.managers.OrganizationQuerySet.for_api_key",
    ],
)
def test_a_crash_outside_of_the_endpoint(
    place: str, secret: ApiClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(place, crash)
    assert_refused(secret.get("/v1/orgs"), 500, "Internal server error")


def test_a_host_that_is_not_ours(secret: ApiClient) -> None:
    answer = secret.get("/v1/orgs", host="evil.test")
    assert answer.status_code == 400
    assert_refused(answer, 400, answer.json()["message"])


@pytest.mark.parametrize("sent", ["abc", "A-1_b.c", "x" * 128])
def test_a_sane_request_id_is_kept(sent: str, secret: ApiClient, nobody: ApiClient) -> None:
    assert secret.get("/v1/orgs", x_request_id=sent)["X-Request-Id"] == sent
    assert nobody.get("/v1/orgs", x_request_id=sent).json()["requestId"] == sent


@pytest.mark.parametrize("sent", ["", "a b", "x" * 129, "<script>", "a\r\nb", "é", "a\n"])
def test_another_one_is_replaced(sent: str, secret: ApiClient) -> None:
    given = secret.get("/v1/orgs", x_request_id=sent)["X-Request-Id"]
    assert re.fullmatch(r"[0-9a-f]{32}", given)


def test_each_request_has_its_own_id(secret: ApiClient) -> None:
    assert len({secret.get("/v1/orgs")["X-Request-Id"] for _ in range(5)}) == 5


def test_cors_on_every_answer(
    settings: Any, secret: ApiClient, nobody: ApiClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("usage.views.trend", crash)
    settings.MAX_BODY_BYTES = 1000
    answers = [
        secret.get("/v1/orgs"),
        secret.get("/v1/templates/x"),
        secret.get("/v1/usage/trend"),
        secret.get("/v1/nope"),
        secret.request("PUT", "/v1/orgs"),
        secret.request("OPTIONS", "/v1/orgs"),
        secret.get("/v1/orgs", host="evil.test"),
        secret.post("/v1/render", b" " * 1001),
        nobody.get("/v1/orgs"),
        nobody.get("/v1/orgs", origin="null"),
        nobody.get("/v1"),
        nobody.get("/files/x"),
        nobody.get("/api/v1/openapi.json"),
    ]
    settings.RATE_LIMIT = "1/d"
    answers.append(secret.get("/v1/orgs"))
    for answer in answers:
        assert answer["Access-Control-Allow-Origin"] == "*"
        assert set(answer["Access-Control-Expose-Headers"].split(", ")) >= EXPOSED
        assert "Access-Control-Allow-Credentials" not in answer
        assert not answer.cookies


@pytest.mark.django_db
def test_a_preflight_needs_no_key_and_is_not_counted(
    settings: Any, secret: ApiClient, nobody: ApiClient
) -> None:
    settings.RATE_LIMIT = "1/d"
    for path in ("/v1/render", "/v1/downloads/x", "/v1/nope", "/files/x"):
        answer = nobody.request(
            "OPTIONS",
            path,
            origin="https://app.example.com",
            access_control_request_method="POST",
            access_control_request_headers="x-api-key, content-type",
            x_api_key=secret.headers["x-api-key"],
        )
        assert answer.status_code in {200, 204}
        assert "Content-Type" not in answer
        assert answer["Access-Control-Allow-Origin"] == "*"
        methods = set(answer["Access-Control-Allow-Methods"].split(", "))
        assert methods >= {"POST", "PATCH", "DELETE", "GET"}
        assert "PUT" in methods  # our 405 can be read
        allowed = {name.strip().lower() for name in answer["Access-Control-Allow-Headers"].split(",")}
        assert allowed >= {"x-api-key", "x-user-id", "x-user-hash", "content-type", "idempotency-key"}
        assert allowed >= {"traceparent", "tracestate"}  # what a browser's tracing adds by itself
        assert allowed >= {"*", "authorization"}  # neither libraries nor mistakes make a request unreadable
        assert "range" in allowed  # how viewers of long documents ask for the pages in sight
        assert "RateLimit-Limit" not in answer
    assert secret.get("/v1/orgs").status_code == 200


@pytest.mark.parametrize(
    "raw",
    [
        "x",
        "..",
        ".",
        "a b",
        " ",
        "%",
        "%2e%2e",
        "ä",
        "日本",
        "🙂",
        "\n",
        "tpl_x\n",
        "a\x00b",
        "\x7f",
        "\u202e",
        "x" * 5000,
        "'; DROP TABLE--",
        "<script>",
        "{id}",
        "null",
        "-1",
        "0",
        "a?b",
        "a#b",
        "a\\b",
        "a;b",
        "tpl_",
    ],
)
@pytest.mark.parametrize(
    ("path", "message"),
    [
        ("/v1/templates/{}", "Template not found"),
        ("/v1/templates/{}/versions", "Template not found"),
        ("/v1/downloads/{}", "Document not found"),
        ("/v1/documents/{}", "Document not found"),
        ("/v1/batches/{}", "Batch not found"),
        ("/v1/assets/{}", "Asset not found"),
        ("/v1/webhooks/{}", "Webhook not found"),
        ("/v1/webhooks/{}/deliveries/x", "Webhook not found"),
    ],
)
def test_an_id_of_any_form_is_the_404_of_its_resource(
    path: str, message: str, raw: str, secret: ApiClient
) -> None:
    assert_refused(secret.get(path.format(quote(raw, safe=""))), 404, message)


def test_nul_in_an_id_names_nothing(secret: ApiClient) -> None:
    raw = b'{"templateId":"a\\u0000b","data":{}}'
    assert_refused(secret.post("/v1/render", raw), 404, "Template not found")


def test_an_id_that_is_no_utf_8(secret: ApiClient) -> None:
    assert_refused(secret.get("/v1/templates/%ff%fe"), 404, "Template not found")
    assert_refused(secret.post("/v1/templates/%ff/publish"), 404, "Template not found")


def test_the_head_of_a_resource(secret: ApiClient) -> None:
    answer = secret.request("HEAD", "/v1/templates")
    assert (answer.status_code, answer.content, answer["Content-Type"]) == (200, b"", "application/json")


def test_a_body_where_none_is_needed_is_ignored(secret: ApiClient) -> None:
    path = f"/v1/templates/{secret.create()['id']}"
    assert secret.post(f"{path}/publish", b"nonsense", content_type="text/plain").status_code == 200
    assert secret.request("GET", path, b"{").status_code == 200
    assert secret.request("DELETE", path, b"{").status_code == 200


def test_cookies_and_sessions_count_for_nothing(nobody: ApiClient) -> None:
    answer = nobody.get("/v1/orgs", cookie="sessionid=abc", authorization="Bearer x")
    assert_refused(answer, 401, "Missing x-api-key header")


@pytest.mark.parametrize("cookie", ["sessionid=abc", "csrftoken=x"])
def test_no_answer_sets_a_cookie(cookie: str, secret: ApiClient) -> None:
    answer = secret.get("/v1/orgs", cookie=cookie)
    assert (answer.status_code, answer.cookies, answer.get("Vary")) == (200, {}, None)


def test_names_are_sent_as_utf_8(secret: ApiClient) -> None:
    answer = secret.post("/v1/templates", INVOICE | {"name": "Größe 日本 🙂", "sections": [HEADING]})
    assert "Größe 日本 🙂".encode() in answer.content


@pytest.mark.embedded
def test_the_address_of_the_service(settings: Any, secret: ApiClient) -> None:
    settings.BASE_URL = "https://documents.example.org"
    answer = secret.render(secret.published())
    assert answer.json()["downloadUrl"].startswith("https://documents.example.org/files/")


@pytest.mark.django_db
def test_the_reference_needs_no_key(nobody: ApiClient) -> None:
    page = nobody.get("/api/v1")
    assert (page.status_code, page["Content-Type"]) == (200, "text/html; charset=utf-8")
    assert not re.search(rb'(src|href)="https?://', page.content)
    schema = nobody.get("/api/v1/openapi.json")
    assert (schema.status_code, schema["Content-Type"]) == (200, "application/vnd.oai.openapi+json")
    assert schema.json()["openapi"].startswith("3.1")


def test_the_schema_is_sent_packed_and_only_once(nobody: ApiClient) -> None:
    path = "/api/v1/openapi.json"
    plain = nobody.get(path, accept_encoding="gzip;q=0, br")
    packed = nobody.get(path, accept_encoding="br, gzip")
    assert "Content-Encoding" not in plain
    assert packed["Content-Encoding"] == "gzip"
    assert gzip.decompress(packed.content) == plain.content
    assert len(packed.content) * 5 < len(plain.content)
    for known in (plain, packed):
        assert known["Vary"] == "Accept-Encoding"
        encoding = known.get("Content-Encoding", "identity")
        again = nobody.get(path, accept_encoding=encoding, if_none_match=known["ETag"])
        assert (again.status_code, again.content, again["ETag"]) == (304, b"", known["ETag"])
        other = "identity" if encoding == "gzip" else "gzip"
        assert nobody.get(path, accept_encoding=other, if_none_match=known["ETag"]).status_code == 200
    assert_refused(nobody.post(path), 405, 'Method "POST" not allowed.')
