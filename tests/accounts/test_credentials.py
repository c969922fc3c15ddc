"""Credentials: how they look, and how they are kept."""

import re

import pytest
from cryptography.fernet import InvalidToken

from accounts import credentials
from accounts.models import Organization


@pytest.fixture(autouse=True)
def _keys(settings) -> None:
    settings.CREDENTIALS_KEYS = ["current"]


def test_credentials_are_long_random_base62_behind_their_prefix() -> None:
    made = credentials.make_credentials()
    for value, prefix in [
        (made.public_key, "pk_live_"),
        (made.secret_key, "sk_live_"),
        (made.signing_secret, "ss_live_"),
    ]:
        assert re.fullmatch(prefix + "[A-Za-z0-9]{48}", value)
    assert len({made.public_key[8:], made.secret_key[8:], made.signing_secret[8:]}) == 3
    assert made != credentials.make_credentials()


def test_credentials_do_not_leak_into_logs() -> None:
    made = credentials.make_credentials()
    assert "live" not in repr(made)
    assert "live" not in str(made)


@pytest.mark.parametrize("key", ["sk_live_abc", b"sk_live_abc", "", "ключ", b"\xff\x00"])
def test_digest_is_64_hex_characters_that_hide_the_key(key: str | bytes) -> None:
    assert re.fullmatch("[0-9a-f]{64}", credentials.digest(key))
    assert credentials.digest(key) == credentials.digest(key)
    assert credentials.possible_digests(key) == [credentials.digest(key)]


def test_digest_is_the_same_for_text_and_its_bytes_and_differs_per_key(settings) -> None:
    assert credentials.digest("schlüssel") == credentials.digest("schlüssel".encode())
    assert credentials.digest("a") != credentials.digest("b")
    before = credentials.digest("a")
    settings.CREDENTIALS_KEYS = ["other"]
    assert credentials.digest("a") != before


@pytest.mark.parametrize(
    ("prefix", "credential", "shown"),
    [
        ("sk_live_", "sk_live_0123456789abcd", "sk_live_****abcd"),
        ("pk_live_", "pk_live_0123456789WXYZ", "pk_live_****WXYZ"),
        ("ss_live_", "ss_live_0123456789", "ss_live_****6789"),
    ],
)
def test_mask_shows_prefix_and_last_four(prefix: str, credential: str, shown: str) -> None:
    assert credentials.mask(prefix, credentials.hint(credential)) == shown


def test_signing_secret_is_encrypted_and_comes_back() -> None:
    token = credentials.encrypt("ss_live_secret")
    assert "secret" not in token
    assert token != credentials.encrypt("ss_live_secret")
    assert credentials.decrypt(token) == "ss_live_secret"


def test_a_new_key_in_front_still_reads_what_the_old_one_wrote(settings) -> None:
    token, stored = credentials.encrypt("ss_live_secret"), credentials.digest("sk_live_abc")
    settings.CREDENTIALS_KEYS = ["new", "current"]
    assert credentials.decrypt(token) == "ss_live_secret"
    assert stored in credentials.possible_digests("sk_live_abc")
    assert credentials.digest("sk_live_abc") != stored
    assert credentials.possible_digests("sk_live_abc")[0] == credentials.digest("sk_live_abc")


def test_without_the_old_key_nothing_can_be_read(settings) -> None:
    token, stored = credentials.encrypt("ss_live_secret"), credentials.digest("sk_live_abc")
    settings.CREDENTIALS_KEYS = ["new"]
    with pytest.raises(InvalidToken):
        credentials.decrypt(token)
    assert stored not in credentials.possible_digests("sk_live_abc")


def test_an_organization_keeps_no_credential_in_full() -> None:
    made = credentials.make_credentials()
    organization = Organization(name="Acme")
    organization.set_credentials(made)
    stored = " ".join(str(getattr(organization, name)) for name in Organization.CREDENTIAL_FIELDS)
    for credential in (made.public_key, made.secret_key, made.signing_secret):
        assert credential not in stored
        assert credential[8:-4] not in stored
    assert organization.signing_secret == made.signing_secret
    assert organization.masked_secret_key == f"sk_live_****{made.secret_key[-4:]}"
    assert organization.masked_public_key == f"pk_live_****{made.public_key[-4:]}"
    assert organization.masked_signing_secret == f"ss_live_****{made.signing_secret[-4:]}"
