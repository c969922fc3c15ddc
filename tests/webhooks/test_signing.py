"""Signatures, checked by the convention's own library."""

from __future__ import annotations

import base64
import time

import pytest
from hypothesis import given
from hypothesis import strategies as st
from standardwebhooks import Webhook, WebhookVerificationError

from accounts.webhooks.signing import make_secret, signature, signed_headers


def test_the_example_of_the_convention() -> None:
    assert (
        signature(
            "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw",
            message_id="msg_p5jXN8AQM9LWM0D4loKWxJek",
            timestamp=1614265330,
            body=b'{"test": 2432232314}',
        )
        == "v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE="
    )


def test_a_secret_is_long_and_never_the_same() -> None:
    made = {make_secret() for _ in range(20)}
    assert len(made) == 20
    for secret in made:
        assert len(base64.b64decode(secret.removeprefix("whsec_"))) == 32


@given(body=st.text().map(str.encode), count=st.integers(1, 4))
def test_the_library_accepts_every_secret_that_signed_and_no_other(body: bytes, count: int) -> None:
    secrets = [make_secret() for _ in range(count)]
    headers = signed_headers(secrets, message_id="evt_1", timestamp=int(time.time()), body=body)
    for secret in secrets:
        Webhook(secret).verify(body, headers, json_parse=False)
    with pytest.raises(WebhookVerificationError):
        Webhook(make_secret()).verify(body, headers, json_parse=False)
    with pytest.raises(WebhookVerificationError):
        Webhook(secrets[0]).verify(body + b" ", headers, json_parse=False)
    with pytest.raises(WebhookVerificationError):
        Webhook(secrets[0]).verify(body, headers | {"webhook-id": "evt_2"}, json_parse=False)
