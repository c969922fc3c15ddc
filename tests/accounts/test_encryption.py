"""CREDENTIALS_KEYS changes while everybody goes on working, and the old key can be dropped at the end."""

from __future__ import annotations

from datetime import timedelta
from io import StringIO
from typing import Any

import pytest
from django.core.management import CommandError, call_command
from django.utils import timezone

from accounts.credentials import encrypt
from accounts.models import Organization
from accounts.webhooks.models import Webhook
from config.doctor.database import check_credentials
from config.doctor.findings import Wrong
from tests.conftest import ApiClient, secret_client, user_client
from tests.factories import OrganizationFactory

pytestmark = pytest.mark.django_db
OLD, NEW = "old-" + "o" * 40, "new-" + "n" * 40


@pytest.fixture
def acme(settings: Any) -> Organization:
    """An organization with a webhook whose secret was replaced once, all stored under the old key."""
    settings.CREDENTIALS_KEYS = [OLD]
    organization = OrganizationFactory(name="Acme")
    webhook = Webhook(organization=organization, url="https://example.com/hook")
    webhook.set_secret("whsec_Zmlyc3Q=")
    webhook.set_secret("whsec_c2Vjb25k", earlier_until=timezone.now() + timedelta(days=1))
    webhook.save()
    return organization


def statuses(organization: Organization) -> list[int]:
    callers: list[ApiClient] = [secret_client(organization), user_client(organization, "ann")]
    return [caller.get("/v1/templates").status_code for caller in callers]


def rotate() -> str:
    out = StringIO()
    call_command("rotate_encryption", stdout=out)
    return out.getvalue()


def test_a_key_is_changed_and_dropped_without_a_refusal(acme: Organization, settings: Any) -> None:
    # First every machine learns the new key, then writes with it.
    settings.CREDENTIALS_KEYS = [OLD, NEW]
    assert statuses(acme) == [200, 200]
    settings.CREDENTIALS_KEYS = [NEW, OLD]
    assert rotate() == "3 secrets encrypted with the current key, 0 were already\n"
    assert rotate() == "0 secrets encrypted with the current key, 3 were already\n"
    # Both keys are used once, which replaces their digests.
    assert statuses(acme) == [200, 200]
    settings.CREDENTIALS_KEYS = [NEW]
    assert statuses(acme) == [200, 200]
    webhook = Webhook.objects.get()
    assert webhook.signing_secrets() == ["whsec_c2Vjb25k", "whsec_Zmlyc3Q="]


def test_a_machine_that_still_writes_with_the_old_key_bears_it(acme: Organization, settings: Any) -> None:
    for keys in ([NEW, OLD], [OLD, NEW], [NEW, OLD]):
        settings.CREDENTIALS_KEYS = keys
        rotate()
        assert statuses(acme) == [200, 200]


def test_a_key_that_was_never_used_again_is_unknown(acme: Organization, settings: Any) -> None:
    settings.CREDENTIALS_KEYS = [NEW, OLD]
    rotate()
    assert secret_client(acme).get("/v1/templates").status_code == 200
    settings.CREDENTIALS_KEYS = [NEW]
    assert statuses(acme) == [200, 401]


def test_a_signing_secret_that_no_key_reads_is_an_outage_that_names_its_cure(
    acme: Organization, settings: Any, caplog: pytest.LogCaptureFixture
) -> None:
    """The digests of the keys have moved on by being used; `rotate_encryption` was forgotten."""
    settings.CREDENTIALS_KEYS = [NEW, OLD]
    assert statuses(acme) == [200, 200]
    settings.CREDENTIALS_KEYS = [NEW]
    refused = user_client(acme, "ann").get("/v1/templates")
    assert refused.status_code == 503
    assert "operator" in refused.json()["message"]
    assert f"signing secret of {acme.pk}" in caplog.text
    assert "rotate_encryption" in caplog.text
    assert not any(record.exc_info and record.exc_info[0] for record in caplog.records)
    assert secret_client(acme).get("/v1/templates").status_code == 200


def test_what_no_key_can_read_is_left_and_told(acme: Organization, settings: Any) -> None:
    settings.CREDENTIALS_KEYS = [NEW]
    before = Organization.objects.values().get()
    with pytest.raises(CommandError, match="3 secrets cannot be read"):
        rotate()
    assert Organization.objects.values().get() == before


def test_a_rotation_of_credentials_meanwhile_wins(
    acme: Organization, settings: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The row changes between the reading and the writing of `rotate_encryption`."""
    settings.CREDENTIALS_KEYS = [NEW, OLD]
    from accounts import encryption
    from accounts.services import rotate_credentials

    genuine = encryption.encrypted_anew

    def slow(token: str) -> str | None:
        monkeypatch.setattr(encryption, "encrypted_anew", genuine)
        acme.credentials = rotate_credentials(organization=acme, actor="system")
        return genuine(token)

    monkeypatch.setattr(encryption, "encrypted_anew", slow)
    rotate()
    acme.refresh_from_db()
    assert acme.signing_secret == acme.credentials.signing_secret
    assert statuses(acme) == [200, 200]


def test_the_doctor_looks_into_webhooks_and_replaced_secrets_as_well(
    acme: Organization, settings: Any
) -> None:
    settings.CREDENTIALS_KEYS = [NEW, OLD]
    assert check_credentials() == "the secrets of 2 organizations and webhooks can be read"
    rotate()
    webhook = Webhook.objects.get()
    settings.CREDENTIALS_KEYS = [OLD]
    (earlier,) = webhook.earlier_secrets
    Webhook.objects.update(earlier_secrets=[earlier | {"secret": encrypt("whsec_Zmlyc3Q=")}])
    settings.CREDENTIALS_KEYS = [NEW]
    with pytest.raises(Wrong, match="1 of 2 organizations and webhooks cannot be read"):
        check_credentials()
