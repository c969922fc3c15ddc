"""The doctor: a sound configuration passes, and each mistake is named with what to do."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import timedelta
from io import StringIO
from typing import Any

import pytest
from django.core.cache import cache
from django.core.checks import run_checks
from django.core.files.storage import default_storage
from django.core.management import CommandError, call_command
from django.db import OperationalError, ProgrammingError
from django.utils import timezone

from config import doctor
from config.checks import OURS
from config.doctor import given, storage
from config.doctor.clocks import check_skew
from config.jobs.models import Turn, Worker
from tests.factories import OrganizationFactory
from tests.failures import raiser
from tests.links import kept
from tests.live.service import reserve_port
from tests.parts.session import REAL

NEEDS_A_GAP = {"templates_app.0003_exact_json"}

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def quiet_port(settings: Any) -> Iterator[None]:
    """Nothing answers where the service would be: not even one that a developer has running meanwhile."""
    with reserve_port() as held:
        settings.PORT = held.getsockname()[1]
        yield


def run(*arguments: str) -> tuple[str, str]:
    """Return what the command printed and how it ended."""
    out = StringIO()
    try:
        call_command("doctor", *arguments, stdout=out)
    except CommandError as error:
        return out.getvalue(), str(error)
    return out.getvalue(), ""


def finding(part: str) -> doctor.Finding:
    (found,) = [finding for finding in doctor.examine() if finding.part == part]
    return found


@pytest.fixture
def sound(settings: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    """A configuration without fault, as far as it does not need a running service."""
    settings.BASE_URL, settings.TRUST_PROXY_HEADERS = "https://documents.example.com", True
    settings.ENVIRONMENT = settings.ENVIRONMENT | {"SECRET_KEY": "x" * 40, "CREDENTIALS_KEYS": ["y" * 40]}
    settings.SECRET_KEY, settings.CREDENTIALS_KEYS = "x" * 40, ["y" * 40]
    settings.HAS_MAIL_SERVER = True
    now = timezone.now()
    Worker.objects.create(id="w", host="h", pid=1, started_at=now, seen_at=now)
    OrganizationFactory()
    if not REAL:
        monkeypatch.setattr(storage, "_fetch", lambda url: (200, {}, storage.CONTENT))


@pytest.mark.usefixtures("sound")
def test_a_sound_configuration_passes_and_nothing_is_left() -> None:
    printed, ended = run("--strict")
    assert ended == "", printed
    assert printed.count("ok ") == len(doctor.EXAMINATIONS)
    assert "it counts" in printed
    assert "written, read and deleted" in printed
    assert kept("probes") == []
    assert not Turn.objects.exists()


def test_it_ends_with_an_error_and_says_what_to_do(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(cache, "add", raiser(ConnectionRefusedError(111, "Connection refused")))
    printed, ended = run("--no-mail")
    assert "ERROR   cache: ConnectionRefusedError: [Errno 111] Connection refused" in printed
    assert f"-> {'Look at REDIS_URL' if REAL else 'Give the user of the service the right'}" in printed
    assert ended == "1 of 14 parts need your attention"
    assert "e-mail" not in printed


def test_a_misspelt_setting_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("METRIC_TOKEN", "secret")
    monkeypatch.setenv("HOSTNAME", "web-1")
    monkeypatch.delenv("METRICS_TOKEN", raising=False)
    found = finding("settings")
    assert (found.level, found.text) == ("warning", "METRIC_TOKEN is no setting")
    assert "METRICS_TOKEN" in found.advice
    monkeypatch.setenv("METRICS_TOKEN", "secret")  # so the other one is somebody else's
    assert finding("settings").level == "ok"


@pytest.mark.parametrize(
    ("part", "owner", "name", "replacement", "text"),
    [
        ("cache", cache, "incr", lambda *_: 7, "1 + 1 gave 7"),
        (
            "storage",
            default_storage,
            "save",
            raiser(PermissionError(13, "Permission denied")),
            "Permission denied",
        ),
        ("storage", default_storage, "delete", lambda _: None, "cannot be deleted"),
        (
            "migrations",
            doctor.database,
            "missing_migrations",
            lambda: ["a.1", "a.2"],
            "2 migrations are not applied",
        ),
        (
            "writing",
            Turn.objects,
            "create",
            raiser(OperationalError("readonly database")),
            "readonly database",
        ),
        (
            "writing",
            Turn.objects,
            "create",
            raiser(ProgrammingError("permission denied for table turns")),
            "permission denied for table turns",
        ),
        ("e-mail", doctor.parts, "get_connection", raiser(TimeoutError("timed out")), "timed out"),
    ],
)
@pytest.mark.usefixtures("sound")
def test_a_part_that_fails_is_named(
    monkeypatch: pytest.MonkeyPatch, part: str, owner: Any, name: str, replacement: Any, text: str
) -> None:
    monkeypatch.setattr(owner, name, replacement)
    found = finding(part)
    assert (found.level, bool(found.advice)) == ("error", True)
    assert text in found.text


@pytest.mark.parametrize("error", [OSError(28, "No space left on device"), OSError(122, "Quota exceeded")])
def test_a_full_disk_is_not_a_question_of_rights(monkeypatch: pytest.MonkeyPatch, error: OSError) -> None:
    monkeypatch.setattr(default_storage, "save", raiser(error))
    assert finding("storage").advice == "Make room on the disk of DATA_DIR."


@pytest.mark.parametrize(
    ("part", "setting", "value"),
    [
        ("writing", "DATABASE_URL", "postgres://database/documents"),
        ("cache", "REDIS_URL", "redis://cache"),
        ("storage", "S3_BUCKET", "documents"),
    ],
)
def test_advice_is_about_the_part_that_is_used(
    settings: Any, monkeypatch: pytest.MonkeyPatch, part: str, setting: str, value: str
) -> None:
    monkeypatch.setitem(doctor.EXAMINATIONS, part, raiser(PermissionError(13, "Permission denied")))
    settings.ENVIRONMENT = settings.ENVIRONMENT | {setting: ""}
    assert "DATA_DIR" in finding(part).advice
    settings.ENVIRONMENT = settings.ENVIRONMENT | {setting: value}
    assert setting in finding(part).advice


def test_a_database_that_does_not_answer_is_asked_once(monkeypatch: pytest.MonkeyPatch) -> None:
    lost = raiser(OperationalError("connection refused"))
    for part in ("database", *doctor.IN_DATABASE):
        monkeypatch.setitem(doctor.EXAMINATIONS, part, lost)
    printed, ended = run("--no-mail")
    assert printed.count("OperationalError") == 1
    assert printed.count("not asked: the database does not answer") == len(doctor.IN_DATABASE)
    assert "manage.py migrate" not in printed
    assert ended == "1 of 14 parts need your attention"


def test_what_fails_for_want_of_a_migration_is_cured_by_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(doctor.database, "missing_migrations", lambda: ["jobs.0002"])
    monkeypatch.setitem(doctor.EXAMINATIONS, "writing", raiser(ProgrammingError("no such column")))
    found = finding("writing")
    assert found.text == "ProgrammingError: its table is missing or older"
    assert found.advice == "Run manage.py migrate."


@pytest.mark.parametrize(
    ("missing", "said"),
    [
        (["templates_app.0003_exact_json", "usage.0002"], "Stop serve and worker"),
        (["templates_app.0001_initial", "templates_app.0003_exact_json"], "bears that"),  # nothing runs yet
        (["usage.0002"], "bears that"),
    ],
)
def test_a_migration_that_needs_a_gap_is_not_advised_to_run_beside_the_service(
    monkeypatch: pytest.MonkeyPatch, missing: list[str], said: str
) -> None:
    monkeypatch.setattr(doctor.database, "missing_migrations", lambda: missing)
    monkeypatch.setattr(doctor.database, "NEED_A_GAP", {"postgresql": NEEDS_A_GAP, "sqlite": NEEDS_A_GAP})
    assert said in finding("migrations").advice


@pytest.mark.parametrize(
    ("part", "changes", "level", "text"),
    [
        ("address", {"BASE_URL": ""}, "warning", "BASE_URL is not set"),
        ("address", {"BASE_URL": "http://documents.example.com"}, "warning", "in the clear"),
        ("address", {"BASE_URL": "http://127.0.0.1:8000"}, "ok", "127.0.0.1"),
        ("address", {"BASE_URL": "https://example.com/documents"}, "warning", "has the path /documents"),
        ("address", {"TRUST_PROXY_HEADERS": False}, "warning", "seems to come from the proxy"),
        ("address", {"DEBUG": True}, "error", "DEBUG is on"),
        ("secrets", {"SECRET_KEY": "short"}, "error", "SECRET_KEY can be guessed"),
        ("secrets", {"SECRET_KEY_FALLBACKS": ["old"]}, "error", "SECRET_KEY_FALLBACKS can be guessed"),
        ("secrets", {"CREDENTIALS_KEYS": ["y" * 40, "old"]}, "error", "CREDENTIALS_KEYS can be guessed"),
        ("e-mail", {"HAS_MAIL_SERVER": False}, "warning", "EMAIL_URL is not set"),
        ("credentials", {"CREDENTIALS_KEYS": ["z" * 40]}, "error", "1 of 1 organizations and webhooks"),
    ],
)
@pytest.mark.usefixtures("sound")
def test_a_setting_that_is_wrong_is_named(
    settings: Any, part: str, changes: dict[str, Any], level: str, text: str
) -> None:
    for name, value in changes.items():
        setattr(settings, name, value)
    found = finding(part)
    assert found.level == level
    assert text in found.text


GIVEN = {"REDIS_URL": "redis://x", "S3_BUCKET": "b", "SECRET_KEY": "s", "CREDENTIALS_KEYS": ["c"]}


@pytest.mark.parametrize(
    ("missing", "level", "text"),
    [
        ("SECRET_KEY", "error", "SECRET_KEY is not set"),
        ("CREDENTIALS_KEYS", "error", "CREDENTIALS_KEYS is not set"),
        ("REDIS_URL", "warning", "counted on each machine"),
        ("S3_BUCKET", "warning", "kept on the machine"),
    ],
)
@pytest.mark.usefixtures("sound")
def test_machines_that_share_a_database_share_the_rest(
    settings: Any, monkeypatch: pytest.MonkeyPatch, missing: str, level: str, text: str
) -> None:
    settings.ENVIRONMENT = settings.ENVIRONMENT | GIVEN | {missing: ""}
    monkeypatch.setitem(settings.DATABASES["default"], "ENGINE", "django.db.backends.postgresql")
    with pytest.raises(doctor.Wrong) as caught:
        given.check_machines()
    assert caught.value.level == level
    assert text in caught.value.text
    assert missing in caught.value.advice or missing in caught.value.text


@pytest.mark.usefixtures("sound")
def test_a_worker_that_is_quiet_is_missed() -> None:
    assert finding("worker").level == "ok"
    Worker.objects.update(seen_at=timezone.now() - timedelta(minutes=3))
    assert "no worker has been seen since" in finding("worker").text
    Worker.objects.all().delete()
    assert finding("worker").level == "warning"


@pytest.mark.parametrize("seconds", [0, 29, -29])
def test_clocks_may_differ_a_little(seconds: int) -> None:
    check_skew("bucket", timedelta(seconds=seconds))


@pytest.mark.parametrize(("seconds", "level"), [(40, "warning"), (-1200, "error")])
def test_clocks_that_differ_are_named(seconds: int, level: str) -> None:
    with pytest.raises(doctor.Wrong) as caught:
        check_skew("bucket", timedelta(seconds=seconds))
    assert caught.value.level == level
    assert "seconds apart" in caught.value.text


@pytest.mark.skipif(not REAL, reason="SQLite has the clock of its machine")
@pytest.mark.parametrize(("minutes", "level"), [(-0.75, "warning"), (5, "error")])
def test_a_clock_by_which_renders_are_taken_for_dead_is_an_error(
    monkeypatch: pytest.MonkeyPatch, minutes: float, level: str
) -> None:
    there = timezone.now() + timedelta(minutes=minutes)
    monkeypatch.setattr(doctor.database.timezone, "now", lambda: there)
    found = finding("database")
    assert (found.level, "seconds apart" in found.text, "NTP" in found.advice) == (level, True, True)


BUCKET = "https://bucket.example/probe?X-Amz-Signature=0a1"
GOOD = {"Content-Type": storage.CONTENT_TYPE, "Content-Disposition": 'attachment; filename="doctor.pdf"'}


@pytest.mark.parametrize(
    ("answers", "text"),
    [
        ([(200, GOOD, storage.CONTENT), (403, {}, b""), (403, {}, b"")], ""),
        ([(403, {}, b"SignatureDoesNotMatch")], "a presigned link gave 403"),
        ([(200, GOOD, b"other")], "a presigned link gave 200"),
        ([(200, {}, storage.CONTENT)], "does not set the type and name"),
        ([(200, GOOD, storage.CONTENT), (200, {}, b"")], "everybody can read the bucket"),
        ([(200, GOOD, storage.CONTENT), (403, {}, b""), (200, {}, b"")], "accepts a forged signature"),
        ([(200, GOOD | {"Date": "Sat, 01 Jan 2000 00:00:00 GMT"}, storage.CONTENT)], "the clocks of"),
    ],
)
def test_links_of_a_bucket(monkeypatch: pytest.MonkeyPatch, answers: list[Any], text: str) -> None:
    fetched: list[str] = []

    def fetch(url: str) -> Any:
        fetched.append(url)
        return answers[len(fetched) - 1]

    monkeypatch.setattr(storage, "_fetch", fetch)
    monkeypatch.setattr(default_storage, "url", lambda *_, **__: BUCKET)
    if not text:
        assert storage._try_link("probe") == "its link works, and only when signed"
        assert fetched == [BUCKET, "https://bucket.example/probe", BUCKET[:-1] + "0"]
        return
    with pytest.raises(doctor.Wrong) as caught:
        storage._try_link("probe")
    assert text in caught.value.text


def test_links_that_lead_nowhere(monkeypatch: pytest.MonkeyPatch) -> None:
    with reserve_port() as held:
        nowhere = f"http://127.0.0.1:{held.getsockname()[1]}/bucket"
        monkeypatch.setattr(
            default_storage, "url", lambda name, **_: f"{nowhere}/{name}?X-Amz-Signature=secret"
        )
        with pytest.raises(doctor.Wrong) as caught:
            storage._try_link("probe")
    assert caught.value.text == f"nothing answers at {nowhere}, where links lead: NewConnectionError"
    assert "S3_PUBLIC_ENDPOINT_URL" in caught.value.advice


@pytest.mark.parametrize(
    ("token", "is_open", "level", "said"),
    [
        ("", False, "ok", "set METRICS_TOKEN"),
        ("", True, "warning", "everybody"),
        ("a token", True, "ok", "need METRICS_TOKEN"),
    ],
)
def test_who_may_read_metrics(settings: Any, token: str, is_open: bool, level: str, said: str) -> None:
    settings.METRICS_TOKEN, settings.METRICS_OPEN = token, is_open
    found = finding("metrics")
    assert (found.level, said in found.text) == (level, True)


def test_each_start_warns_of_what_can_be_guessed(settings: Any) -> None:
    settings.SECRET_KEY, settings.SECRET_KEY_FALLBACKS, settings.CREDENTIALS_KEYS = "x", ["y"], ["z" * 40]
    assert [message.id for message in run_checks(tags=OURS)][:2] == ["config.W003", "config.W003"]
    settings.SECRET_KEY, settings.SECRET_KEY_FALLBACKS = "x" * 40, []
    assert "config.W003" not in [message.id for message in run_checks(tags=OURS)]
