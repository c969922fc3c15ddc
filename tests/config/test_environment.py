"""Settings from the environment: sane with nothing set, loud when wrong."""

import os
import subprocess
import sys
from pathlib import Path

import pytest
from django.core.exceptions import ImproperlyConfigured

from config.environment import SETTINGS, data_dir, home_of, read, read_file

DEFAULTS = read({})


def test_it_runs_with_nothing_set() -> None:
    assert DEFAULTS["HOST"] == "127.0.0.1"
    assert DEFAULTS["PORT"] == 8000
    assert DEFAULTS["RATE_LIMIT"] == "100/m"
    assert DEFAULTS["DOWNLOAD_URL_TTL"] == 3600
    assert DEFAULTS["DEBUG"] is False
    assert DEFAULTS["ALLOWED_HOSTS"] == []


def test_a_new_data_folder_is_for_its_user_alone(tmp_path: Path) -> None:
    folder = tmp_path / "new" / "data"
    subprocess.run(
        [sys.executable, "-c", "import config.settings"],
        env=os.environ | {"DATA_DIR": str(folder)},
        umask=0o022,
        check=True,
    )
    assert folder.stat().st_mode & 0o777 == 0o700


def test_names_are_unique_and_explained() -> None:
    names = [setting.name for setting in SETTINGS]
    assert len(names) == len(set(names))
    assert all(setting.help.endswith(".") and setting.name.isupper() for setting in SETTINGS)


def test_an_empty_variable_counts_as_absent() -> None:
    assert read({setting.name: " " for setting in SETTINGS}) == DEFAULTS


def test_unknown_variables_are_not_ours() -> None:
    assert read({"PATH": "/bin", "PROT": "1"}) == DEFAULTS


@pytest.mark.parametrize(
    ("name", "raw", "value"),
    [
        ("PORT", "9000", 9000),
        ("PORT", " 9000 ", 9000),
        ("HOST", " ::1 ", "::1"),
        ("DEBUG", "Yes", True),
        ("DEBUG", "off", False),
        ("ALLOWED_HOSTS", "a.example, b.example,,", ["a.example", "b.example"]),
        ("CREDENTIALS_KEYS", "new,old", ["new", "old"]),
        ("ALLOWED_HOSTS", ".Example.com, 2001:DB8::1, *", [".example.com", "[2001:db8::1]", "*"]),
        ("BASE_URL", "https://docs.example.com/", "https://docs.example.com"),
        ("BASE_URL", "HTTPS://Docs.Example.com.:443", "https://docs.example.com"),
        ("BASE_URL", "http://docs.example.com:443", "http://docs.example.com:443"),
        ("BASE_URL", "https://bücher.example", "https://xn--bcher-kva.example"),
        ("BASE_URL", "http://[2001:DB8:0:0::1]:8000", "http://[2001:db8::1]:8000"),
        ("RATE_LIMIT", "5/s", "5/s"),
        ("DATABASE_URL", "postgres://u:p@host/db", "postgres://u:p@host/db"),
        ("REDIS_URL", "rediss://host", "rediss://host"),
        ("LOG_LEVEL", "debug", "DEBUG"),
    ],
)
def test_what_is_read(name: str, raw: str, value: object) -> None:
    assert read({name: raw}) == {**DEFAULTS, name: value}


@pytest.mark.parametrize(
    ("name", "raw", "reason"),
    [
        ("PORT", "http", "must be a whole number"),
        ("PORT", "0", "must be between 1 and 65535"),
        ("PORT", "65536", "must be between 1 and 65535"),
        ("PORT", "9" * 5000, "must be a whole number"),
        ("WORKERS", "-1", "must be between 0 and 512"),
        ("DEBUG", "maybe", "must be true or false"),
        ("RATE_LIMIT", "100", 'must look like "100/m"'),
        ("RATE_LIMIT", "0/m", 'must look like "100/m"'),
        ("RATE_LIMIT", "100/minute", 'must look like "100/m"'),
        ("BASE_URL", "docs.example.com", "must be an absolute http or https address"),
        ("BASE_URL", "ftp://docs.example.com", "must be an absolute http or https address"),
        ("BASE_URL", "https://", "must be an absolute http or https address"),
        ("BASE_URL", "https://[::1", "host and port that can be read"),
        ("BASE_URL", "https://a:99999", "host and port that can be read"),
        ("BASE_URL", "https://user:word@docs.example.com", "without user, query or fragment"),
        ("BASE_URL", "https://docs.example.com/?a=b", "without user, query or fragment"),
        ("BASE_URL", "https://docs.example.com#top", "without user, query or fragment"),
        ("BASE_URL", "http://my_web:8000", "a host of letters, digits, hyphens and dots"),
        ("ALLOWED_HOSTS", "a..b", "must be host names, without scheme, port or path"),
        ("ALLOWED_HOSTS", "\u2260.example", "must be host names, without scheme, port or path"),
        ("ALLOWED_HOSTS", "https://docs.example.com", "must be host names, without scheme, port or path"),
        ("ALLOWED_HOSTS", "docs.example.com:8443", "must be host names, without scheme, port or path"),
        ("WEBHOOK_ALLOWED_HOSTS", "hooks:8443", "must be host names, without scheme, port or path"),
        ("DATABASE_URL", "mysql://host/db", "must begin with postgres:// or sqlite://"),
        ("REDIS_URL", "host:6379", "must begin with redis://"),
        ("REDIS_URL", "redis://host:6379/cache", "the database behind the slash must be a number"),
        ("S3_BUCKET", "my documents", "must be the name of a bucket"),
        ("S3_BUCKET", "s3://documents/folder", "must be the name of a bucket"),
        ("LOG_LEVEL", "loud", "must be DEBUG, INFO, WARNING, ERROR or CRITICAL"),
        ("DOWNLOAD_URL_TTL", "604801", "must be between 1 and 604800"),
    ],
)
def test_a_wrong_setting_is_named(name: str, raw: str, reason: str) -> None:
    with pytest.raises(ImproperlyConfigured) as caught:
        read({name: raw})
    assert f"{name}=" in str(caught.value)
    assert reason in str(caught.value)


@pytest.mark.parametrize("below", ["", "folder"])
def test_a_file_in_place_of_the_data_folder_is_told(below: str, tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    folder = tmp_path / "file" / below
    refused = pytest.raises(ImproperlyConfigured, match="must be a folder, and a file is in its place")
    with refused, data_dir(folder):
        folder.mkdir(parents=True, exist_ok=True)


def test_all_mistakes_are_named_at_once() -> None:
    with pytest.raises(ImproperlyConfigured) as caught:
        read({"PORT": "x", "DEBUG": "y", "WORKERS": "2"})
    assert str(caught.value).splitlines() == [
        "Wrong settings:",
        "  PORT='x': must be a whole number",
        "  DEBUG='y': must be true or false",
    ]


@pytest.mark.parametrize(
    ("name", "raw", "shown"),
    [
        ("DATABASE_URL", "mysql://user:hunter2@host/db", "mysql://***@host/db"),
        ("DATABASE_URL", "mysql://user:h@unter2@host/db", "mysql://***@host/db"),
        ("DATABASE_URL", "mysql://host/db?password=hunter2&a=b", "mysql://host/db?password=***&a=b"),
        ("DATABASE_URL", "postgres://user:hun/ter2@host/db", "postgres://***@host/db"),
        ("DATABASE_URL", "postgres://user:hun@t/er2@host/db", "postgres://***@host/db"),
        ("EMAIL_URL", "smtps://user:hun/ter2@host", "smtps://***@host"),
        ("EMAIL_URL", "smtp+tls://user:hun/ter2@host:587", "smtp+tls://***@host:587"),
        ("EMAIL_URL", "user:hunter2@host", "user:***@host"),
        ("REDIS_URL", "rediss://:hun#t@er2@cache:x", "rediss://***@cache:x"),
        ("S3_ENDPOINT_URL", "https://user:hun/ter2@host", "https://***@host"),
    ],
)
def test_a_password_is_not_repeated(name: str, raw: str, shown: str) -> None:
    with pytest.raises(ImproperlyConfigured) as caught:
        read({name: raw})
    assert str(caught.value).splitlines()[1].startswith(f"  {name}='{shown}': must ")
    assert not any(part in str(caught.value) for part in ("hun", "unter", "ter2", "er2"))


@pytest.mark.parametrize(
    ("name", "raw"),
    [
        ("DATABASE_URL", "sqlite:////srv/a@b/data.sqlite3"),
        ("DATABASE_URL", "postgres://user:p%2Fa%40ss@[::1]:5432/db?sslmode=require"),
        ("REDIS_URL", "unix:///run/redis@1.sock?db=2"),
        ("EMAIL_URL", "smtp+tls://me%40example.com:p%40@mail.example.com:587"),
    ],
)
def test_addresses_with_signs_in_them(name: str, raw: str) -> None:
    assert read({name: raw})[name] == raw


@pytest.mark.parametrize(
    ("code", "data", "home"),
    [
        ("/opt/documents", "/data", "/opt/documents"),
        ("/venv/lib/python3.13/site-packages", "/data", "/data/document-rendering-service"),
        ("/usr/lib/python3/dist-packages", "", "/home/ada/.local/share/document-rendering-service"),
        ("/venv/site-packages", "here", "/home/ada/.local/share/document-rendering-service"),
    ],
)
def test_an_installed_service_keeps_nothing_beside_its_code(
    code: str, data: str, home: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("HOME", "/home/ada")
    monkeypatch.setenv("XDG_DATA_HOME", data)
    assert home_of(Path(code)) == Path(home)


def test_variables_of_a_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    file = tmp_path / ".env"
    read_file(file)  # there need not be one
    monkeypatch.setenv("GIVEN", "environment")
    monkeypatch.delenv("ADDED", raising=False)
    file.write_bytes(b"\xef\xbb\xbfADDED='of file'\nGIVEN=file\n")  # as editors of Windows begin files
    read_file(file)
    assert (os.environ["GIVEN"], os.environ["ADDED"]) == ("environment", "of file")


@pytest.mark.parametrize("content", [b"PORT=1\n\xff\xfe", None])
def test_a_file_that_cannot_be_read_stops_the_start(content: bytes | None, tmp_path: Path) -> None:
    """Without its settings the service would begin anew, on an empty database."""
    file = tmp_path / ".env"
    file.mkdir() if content is None else file.write_bytes(content)
    with pytest.raises(ImproperlyConfigured, match=r"\.env: (is damaged: it is no text|Is a directory)"):
        read_file(file)


@pytest.mark.parametrize("content", [b"", b" \n", b"\xff\xfe"])
def test_a_secret_that_was_lost_is_not_replaced_by_nothing(content: bytes, tmp_path: Path) -> None:
    (tmp_path / "credentials_key").write_bytes(content)
    done = subprocess.run(
        [sys.executable, "-c", "import config.settings"],
        env=os.environ | {"DATA_DIR": str(tmp_path), "CREDENTIALS_KEYS": ""},
        capture_output=True,
        text=True,
    )
    assert done.returncode != 0
    assert "credentials_key: is " in done.stderr
    assert "put the file of the backup in its place" in done.stderr
