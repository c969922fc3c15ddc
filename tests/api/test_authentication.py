"""The guards: their order, origins, domains, end users, rotation."""

from __future__ import annotations

import base64
import hashlib
import hmac

import pytest

from accounts.models import Organization
from tests.api.tools import assert_refused
from tests.conftest import ApiClient, secret_client, sign, user_client
from tests.factories import OrganizationFactory

NO_KEY = "Missing x-api-key header"
BAD_KEY = "Invalid API key"
NO_ORIGIN = "Public key requires Origin header"
BAD_ORIGIN = "Invalid Origin header"
BAD_DOMAIN = "Domain evil.test is not in allowedDomains"
NO_USER = "Public key requires x-user-id and x-user-hash headers"
BAD_HASH = "Invalid x-user-hash"


def status_of(client: ApiClient, **headers: str) -> int:
    return client.get("/v1/orgs", **headers).status_code


@pytest.mark.parametrize(
    ("faults", "text"),
    [
        ({"x_api_key": "", "origin": "null", "x_user_id": "", "x_user_hash": "0"}, NO_KEY),
        ({"x_api_key": " ", "origin": ""}, NO_KEY),
        ({"x_api_key": "pk_live_no", "origin": "", "x_user_id": "", "x_user_hash": "0"}, BAD_KEY),
        ({"x_api_key": "nonsense", "origin": "null"}, BAD_KEY),
        ({"origin": "", "x_user_id": "", "x_user_hash": ""}, NO_ORIGIN),
        ({"origin": "", "x_user_hash": "0"}, NO_ORIGIN),
        ({"origin": "null", "x_user_id": ""}, BAD_ORIGIN),
        ({"origin": "https://", "x_user_hash": "0"}, BAD_ORIGIN),
        ({"origin": "https://evil.test", "x_user_id": "", "x_user_hash": ""}, BAD_DOMAIN),
        ({"origin": "https://evil.test", "x_user_hash": "0"}, BAD_DOMAIN),
        ({"x_user_id": "", "x_user_hash": "0"}, NO_USER),
        ({"x_user_hash": ""}, NO_USER),
        ({"x_user_hash": "0"}, BAD_HASH),
    ],
)
def test_the_first_fault_is_the_one_that_is_told(faults: dict[str, str], text: str, ann: ApiClient) -> None:
    answer = ann.get("/v1/orgs", **faults)
    assert_refused(answer, 401, text)
    assert answer["WWW-Authenticate"]


def test_the_key_comes_before_path_method_and_body(nobody: ApiClient) -> None:
    assert_refused(nobody.post("/v1/render", b"{", content_type="text/html"), 401, NO_KEY)
    assert_refused(nobody.request("PUT", "/v1/templates"), 401, NO_KEY)
    assert_refused(nobody.get("/v1/templates?limit=0"), 401, NO_KEY)


@pytest.mark.parametrize(
    "key",
    [
        "sk_live_",
        "pk_live_",
        "sk_live",
        "sk_test_1",
        "ss_live_1",
        "é",
        "\x00",
        "x" * 10_000,
        "sk_live_\udcff",
    ],
)
def test_a_key_of_any_form_is_a_401(key: str, nobody: ApiClient) -> None:
    assert_refused(nobody.get("/v1/orgs", x_api_key=key), 401, BAD_KEY)


def test_a_mistyped_key_is_not_valid(acme: Organization, nobody: ApiClient) -> None:
    key = acme.credentials.secret_key
    for wrong in (
        key[:-1],
        key + "x",
        key.swapcase(),
        key.replace("sk_", "pk_"),
        acme.credentials.signing_secret,
    ):
        assert_refused(nobody.get("/v1/orgs", x_api_key=wrong), 401, BAD_KEY)


def test_a_secret_key_needs_no_origin_and_no_user(secret: ApiClient) -> None:
    assert status_of(secret) == 200
    assert status_of(secret, origin="null", x_user_id="ann", x_user_hash="wrong") == 200


def test_a_secret_key_is_no_end_user(secret: ApiClient, ann: ApiClient) -> None:
    template_id = ann.create()["id"]
    assert secret.get(f"/v1/templates/{template_id}", x_user_id="ben").status_code == 200


def test_the_referer_stands_in_for_a_missing_origin(ann: ApiClient) -> None:
    assert status_of(ann, origin="", referer="https://app.example.com/page?a=1#b") == 200
    assert_refused(ann.get("/v1/orgs", origin="", referer="https://evil.test/x"), 401, BAD_DOMAIN)
    assert_refused(ann.get("/v1/orgs", origin="", referer="about:blank"), 401, BAD_ORIGIN)


def test_the_origin_beats_the_referer(ann: ApiClient) -> None:
    assert_refused(
        ann.get("/v1/orgs", origin="https://evil.test", referer="https://app.example.com/"), 401, BAD_DOMAIN
    )
    assert_refused(ann.get("/v1/orgs", origin="null", referer="https://app.example.com/"), 401, BAD_ORIGIN)
    assert status_of(ann, referer="https://evil.test/") == 200


@pytest.mark.parametrize(
    "origin",
    [
        "https://example.com",
        "http://example.com:3000",
        "HTTPS://EXAMPLE.COM",
        "https://a.b.example.com",
        "https://example.com.",
    ],
)
def test_hosts_that_are_allowed(origin: str, ann: ApiClient) -> None:
    assert status_of(ann, origin=origin) == 200


@pytest.mark.parametrize(
    ("origin", "host"),
    [
        ("https://notexample.com", "notexample.com"),
        ("https://example.com.evil.test", "example.com.evil.test"),
        ("https://example.com@evil.test", "evil.test"),
        ("https://com", "com"),
        ("http://localhost:8000", "localhost"),
        ("http://127.0.0.1", "127.0.0.1"),
        ("https://bücher.example", "xn--bcher-kva.example"),
    ],
)
def test_hosts_that_are_not(origin: str, host: str, ann: ApiClient) -> None:
    sent = origin.encode().decode("latin-1")
    assert_refused(ann.get("/v1/orgs", origin=sent), 401, f"Domain {host} is not in allowedDomains")


@pytest.mark.parametrize(
    "origin",
    ["null", "example.com", "//example.com", "ftp://example.com", "https:example.com", "https://", "x"],
)
def test_origins_that_are_none(origin: str, ann: ApiClient) -> None:
    assert_refused(ann.get("/v1/orgs", origin=origin), 401, BAD_ORIGIN)


@pytest.mark.django_db
def test_an_international_domain_matches_in_either_spelling() -> None:
    client = user_client(OrganizationFactory(allowed_domains=["Bücher.example"]), "ann")
    assert status_of(client, origin="https://xn--bcher-kva.example") == 200
    assert status_of(client, origin="https://www.BÜCHER.example".encode().decode("latin-1")) == 200


@pytest.mark.django_db
def test_without_allowed_domains_no_page_may_call() -> None:
    client = user_client(OrganizationFactory(allowed_domains=[]), "ann")
    assert_refused(client.get("/v1/orgs"), 401, "Domain app.example.com is not in allowedDomains")


def test_the_hash_in_its_encodings(acme: Organization, ann: ApiClient) -> None:
    mac = hmac.new(acme.credentials.signing_secret.encode(), b"ann", hashlib.sha256)
    for accepted in (mac.hexdigest(), mac.hexdigest().upper(), base64.b64encode(mac.digest()).decode()):
        assert status_of(ann, x_user_hash=accepted) == 200
    for wrong in (
        mac.hexdigest()[:-1],
        sign("ben", acme.credentials.signing_secret),
        sign("ann", "ss_live_x"),
        "é",
    ):
        assert_refused(ann.get("/v1/orgs", x_user_hash=wrong), 401, BAD_HASH)


@pytest.mark.parametrize("user_id", ["zoë", "日本語", "à", "o'brien; drop", "a b", "x" * 255])
def test_a_user_id_is_signed_as_utf_8(user_id: str, acme: Organization, secret: ApiClient) -> None:
    client = user_client(acme, user_id)
    client.headers["x-user-id"] = user_id.encode().decode("latin-1")  # how WSGI hands UTF-8 bytes over
    template = client.create()
    assert template["externalUserId"] == user_id
    assert secret.get(f"/v1/templates/{template['id']}").json()["externalUserId"] == user_id


def test_a_user_id_may_arrive_as_latin_1(acme: Organization) -> None:
    client = user_client(acme, "zoë")
    client.headers["x-user-id"] = "zoë"  # one byte for the last letter: no UTF-8
    assert client.create()["externalUserId"] == "zoë"


@pytest.mark.parametrize("user_id", ["x" * 256, "a\x7fb", "a\tb"])
def test_a_signed_user_id_that_cannot_be_stored_is_named(user_id: str, acme: Organization) -> None:
    answer = user_client(acme, user_id).get("/v1/orgs")
    assert_refused(answer, 400, "x-user-id: must be printable text of at most 255 characters")


def test_rotation_end_to_end(
    acme: Organization, secret: ApiClient, ann: ApiClient, nobody: ApiClient
) -> None:
    template_id = ann.create()["id"]
    answer = secret.post("/v1/auth/rotate-keys")
    assert answer.status_code == 200
    new = answer.json()
    assert {name: value[:8] for name, value in new.items()} == {
        "publicKey": "pk_live_",
        "secretKey": "sk_live_",
        "signingSecret": "ss_live_",
    }
    old = acme.credentials
    assert set(new.values()).isdisjoint({old.public_key, old.secret_key, old.signing_secret})

    assert_refused(secret.get("/v1/orgs"), 401, BAD_KEY)
    assert_refused(secret.post("/v1/auth/rotate-keys"), 401, BAD_KEY)
    assert_refused(ann.get("/v1/orgs"), 401, BAD_KEY)
    assert_refused(ann.get("/v1/orgs", x_api_key=new["publicKey"]), 401, BAD_HASH)
    hashed = sign("ann", new["signingSecret"])
    kept = ann.get(f"/v1/templates/{template_id}", x_api_key=new["publicKey"], x_user_hash=hashed)
    assert kept.status_code == 200

    organization = nobody.get("/v1/orgs", x_api_key=new["secretKey"]).json()
    assert organization["secretKey"] == f"sk_live_****{new['secretKey'][-4:]}"
    assert organization["publicKey"] == f"pk_live_****{new['publicKey'][-4:]}"
    assert organization["signingSecret"] == f"ss_live_****{new['signingSecret'][-4:]}"


def test_a_refused_rotation_rotates_nothing(secret: ApiClient, ann: ApiClient) -> None:
    assert_refused(ann.post("/v1/auth/rotate-keys"), 403, "Secret key required to rotate credentials")
    assert status_of(secret) == status_of(ann) == 200


def test_rotation_leaves_other_organizations_alone(secret: ApiClient, globex: ApiClient) -> None:
    secret.post("/v1/auth/rotate-keys")
    assert status_of(globex) == 200


def test_the_organization_with_its_keys_masked(acme: Organization, secret: ApiClient, ann: ApiClient) -> None:
    body = secret.get("/v1/orgs").json()
    credentials = acme.credentials
    assert body == {
        "id": acme.pk,
        "name": "Acme",
        "allowedDomains": ["example.com"],
        "publicKey": f"pk_live_****{credentials.public_key[-4:]}",
        "secretKey": f"sk_live_****{credentials.secret_key[-4:]}",
        "signingSecret": f"ss_live_****{credentials.signing_secret[-4:]}",
        "createdAt": body["createdAt"],
    }
    assert body["createdAt"].endswith("Z")
    assert ann.get("/v1/orgs").json() == body


def test_the_database_holds_no_key(acme: Organization) -> None:
    row = str(Organization.objects.filter(pk=acme.pk).values().get())
    credentials = acme.credentials
    for key in (credentials.public_key, credentials.secret_key, credentials.signing_secret):
        assert key not in row
        assert key[8:] not in row


def test_a_key_of_an_earlier_master_key_still_works(settings: object, secret: ApiClient) -> None:
    unused = secret_client(OrganizationFactory(name="Initech"))
    settings.CREDENTIALS_KEYS = ["a new one", *settings.CREDENTIALS_KEYS]
    assert status_of(secret) == 200
    settings.CREDENTIALS_KEYS = settings.CREDENTIALS_KEYS[:1]
    # A key that was used meanwhile is kept under the new master key; one that was not needs the old one.
    assert status_of(secret) == 200
    assert status_of(unused) == 401


def test_a_rotation_that_lost_a_race_hands_out_nothing(
    acme: Organization, secret: ApiClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    from accounts import services, views

    def beaten(*, caller: object) -> object:
        services.rotate_credentials(organization=Organization.objects.get(pk=acme.pk), actor="system")
        return services.rotate_credentials_of_caller(caller=caller)

    monkeypatch.setattr(views, "rotate_credentials_of_caller", beaten)
    assert_refused(secret_client(acme).post("/v1/auth/rotate-keys"), 401, BAD_KEY)
