"""Dockerfile, compose file and units name what exists: folders, settings, commands. Nothing is started."""

from __future__ import annotations

import configparser
import re
import subprocess
import sys
import tomllib
from pathlib import Path
from typing import Any

import pytest
import yaml
from django.core.management import get_commands
from granian.http import HTTP1Settings

from config import serving
from config.environment import DISTRIBUTION, SETTINGS, parse

ROOT = Path(__file__).resolve().parent.parent.parent
NAMES = {setting.name for setting in SETTINGS}
# Read by boto3 itself.
AWS = {"AWS_ACCESS_KEY_ID", "AWS_SECRET_ACCESS_KEY"}
DOCKERFILE = (ROOT / "Dockerfile").read_text()
COMPOSE: dict[str, Any] = yaml.safe_load((ROOT / "compose.yaml").read_text())
SERVICES: dict[str, dict[str, Any]] = COMPOSE["services"]
OURS = {name: service for name, service in SERVICES.items() if "build" in service}
UNITS = sorted((ROOT / "deploy/systemd").glob("*.service"))


def test_hadolint_finds_nothing() -> None:
    hadolint = Path(sys.executable).parent / "hadolint"
    done = subprocess.run([hadolint, ROOT / "Dockerfile"], capture_output=True, text=True)
    assert done.stdout + done.stderr == ""
    assert done.returncode == 0


def test_the_image_holds_every_package_and_only_those() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())
    packages = {name.rstrip("*") for name in project["tool"]["setuptools"]["packages"]["find"]["include"]}
    copied = set(re.findall(r"^COPY (?!--from)(\S+) ", DOCKERFILE, re.M))
    assert copied == packages | {"requirements.txt", "manage.py"}
    ignored = (ROOT / ".dockerignore").read_text().split()
    assert {line[1:] for line in ignored if line.startswith("!")} == copied


def test_the_package_holds_every_file_and_its_command() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())
    setuptools = project["tool"]["setuptools"]
    patterns = ["*.py", *setuptools["package-data"]["*"]]
    folders = {name.rstrip("*") for name in setuptools["packages"]["find"]["include"]}
    files = [path for folder in folders for path in (ROOT / folder).rglob("*.*") if path.is_file()]
    assert len(files) > 500
    assert {
        path.name
        for path in files
        if "__pycache__" not in path.parts and not any(path.match(pattern) for pattern in patterns)
    } == set()
    assert project["project"]["name"] == DISTRIBUTION
    assert project["project"]["scripts"] == {DISTRIBUTION: "manage:main"}
    assert setuptools["py-modules"] == ["manage"]


def test_the_image_runs_unprivileged_and_can_be_read_only() -> None:
    assert re.search(r"^USER 10001:10001$", DOCKERFILE, re.M)
    assert re.search(r"^VOLUME /data$", DOCKERFILE, re.M)
    assert "HEALTHCHECK" in DOCKERFILE
    variables = dict(re.findall(r"^ +(\w+)=(\S+)", DOCKERFILE, re.M))
    given = {name: value for name, value in variables.items() if not name.startswith("PYTHON")}
    assert given == {
        "DATA_DIR": "/data",
        "HOST": "0.0.0.0",
        "PORT": "8000",
        "LOG_FORMAT": "json",
    }
    assert parse(given)[1] == []


def test_everything_of_the_issue_is_composed() -> None:
    assert set(SERVICES) == {"migrate", "web", "worker", "database", "cache", "bucket"}
    named = {
        volume.partition(":")[0] for service in SERVICES.values() for volume in service.get("volumes", ())
    }
    assert named - {"/data"} == set(COMPOSE["volumes"])


def test_the_worker_counts_where_the_metrics_of_the_service_are_read() -> None:
    assert OURS["web"]["volumes"] == OURS["worker"]["volumes"] == ["data:/data"]


@pytest.mark.parametrize("name", OURS)
def test_our_services(name: str) -> None:
    service = OURS[name]
    assert service["read_only"] is True
    assert service["cap_drop"] == ["ALL"]
    assert service["command"][0] in get_commands()
    assert set(service["environment"]) - AWS <= NAMES
    assert set(service["depends_on"]) <= set(SERVICES)
    for part, how in service["depends_on"].items():
        assert how["condition"] in {"service_healthy", "service_completed_successfully"}
        assert (how["condition"] == "service_healthy") == (
            "healthcheck" in SERVICES[part] and part != "migrate"
        )


def test_no_secret_is_written_down_and_each_is_asked_for() -> None:
    text = (ROOT / "compose.yaml").read_text()
    example = (ROOT / "deploy/compose.env.example").read_text()
    asked = set(re.findall(r"\$\{(\w+):[?-]", text))
    offered = set(re.findall(r"^(\w+)=", example, re.M))
    assert asked <= offered
    assert offered - {"POSTGRES_PASSWORD", "BUCKET_PASSWORD"} <= NAMES
    required = set(re.findall(r"\$\{(\w+):\?", text))
    assert required == {"SECRET_KEY", "CREDENTIALS_KEYS", "POSTGRES_PASSWORD", "BUCKET_PASSWORD"}
    assert all(re.search(rf"^{name}=$", example, re.M) for name in required)


@pytest.mark.parametrize("name", OURS)
def test_every_setting_reaches_our_services(name: str) -> None:
    """What stands in .env and nowhere else; what the parts decide is not theirs to change."""
    service = OURS[name]
    assert service["env_file"] == [{"path": ".env", "required": False}]
    decided = {key for key, value in service["environment"].items() if "${" not in value}
    assert decided - AWS == {
        "HOST", "PORT", "DATA_DIR", "REDIS_URL", "S3_BUCKET", "S3_ENDPOINT_URL",
    }  # fmt: skip


def test_what_compose_gives_can_be_parsed() -> None:
    """With the defaults that stand in the file, and a word for every secret."""
    raw = {
        name: re.sub(
            r"\$\{\w+:(?:-([^}]*)|\?[^}]*)\}", lambda m: "secret" * 8 if m[1] is None else m[1], value
        )
        for name, value in OURS["web"]["environment"].items()
    }
    values, mistakes = parse(raw)
    assert mistakes == []
    assert values["S3_PUBLIC_ENDPOINT_URL"] == "http://localhost:8333"


@pytest.mark.parametrize("unit", UNITS, ids=lambda unit: unit.stem)
def test_units(unit: Path) -> None:
    parser = configparser.ConfigParser(strict=False, interpolation=None)
    parser.optionxform = str  # type: ignore[assignment,method-assign]
    parser.read_string(unit.read_text())
    command = parser["Service"]["ExecStart"].split("manage.py ")[1]
    assert command in get_commands()
    assert parser["Service"]["ProtectSystem"] == "strict"
    assert parser["Service"]["StateDirectory"] == "documents"
    # systemd sets the mode at each start, by default to one that lets everybody read the database.
    assert parser["Service"]["StateDirectoryMode"] == "0700"
    assert parser["Service"]["UMask"] == "0077"
    example = (ROOT / "deploy/systemd/documents.env.example").read_text()
    given = dict(re.findall(r"^(\w+)=(.*)$", example, re.M))
    assert set(given) <= NAMES
    assert parse(given)[1] == []
    assert given["DATA_DIR"] == "/var/lib/documents"


@pytest.mark.parametrize("unit", UNITS, ids=lambda unit: unit.stem)
def test_commands_run_as_the_units_do(unit: Path) -> None:
    script = ROOT / "deploy/systemd/documents"
    assert script.stat().st_mode & 0o111
    subprocess.run(["sh", "-n", script], check=True)
    text = script.read_text()
    service = dict(re.findall(r"^(\w+)=(.*)$", unit.read_text(), re.M))
    assert f"--uid {service['User']} " in text
    assert f"--working-directory {service['WorkingDirectory']} " in text
    assert f"EnvironmentFile={service['EnvironmentFile']} " in text
    assert f"UMask={service['UMask']} " in text
    assert service["ExecStart"].rpartition(" ")[0] + ' "$@"' in text


def test_the_web_server_may_finish_its_renders() -> None:
    longest = 60 + serving.STORING_SECONDS
    (unit,) = [unit for unit in UNITS if "web" in unit.name]
    (seconds,) = re.findall(r"^TimeoutStopSec=(\d+)$", unit.read_text(), re.M)
    assert int(seconds) > longest
    assert int(SERVICES["web"]["stop_grace_period"].rstrip("s")) > longest


NGINX = (ROOT / "deploy/proxy/nginx.conf").read_text()
CADDY = (ROOT / "deploy/proxy/Caddyfile").read_text()
DEFAULTS = parse({})[0]


def test_nginx_says_itself_who_asks() -> None:
    """A header that it passed on would let everybody choose an address, and log in without pauses."""
    headers = dict(re.findall(r"proxy_set_header (\S+) +(\S+);", NGINX))
    assert headers == {"Host": "$host", "X-Forwarded-For": "$remote_addr", "X-Forwarded-Proto": "$scheme"}
    assert "header_up" not in CADDY, "Caddy does so by default"


def test_proxies_lead_to_the_default_port_and_keep_metrics_inside() -> None:
    port = DEFAULTS["PORT"]
    assert f"proxy_pass http://127.0.0.1:{port};" in NGINX, (
        "a path would have nginx decode that of the request"
    )
    assert f"reverse_proxy 127.0.0.1:{port} " in CADDY
    assert re.search(r"location = /metrics \{\s+return 404;", NGINX)
    assert "respond /metrics 404" in CADDY


def test_proxies_wait_for_the_longest_render_and_take_the_largest_body() -> None:
    (waits,) = re.findall(r"proxy_read_timeout (\d+)s;", NGINX)
    assert int(waits) > DEFAULTS["RENDER_TIMEOUT"] + serving.STORING_SECONDS
    (megabytes,) = re.findall(r"client_max_body_size (\d+)m;", NGINX)
    assert int(megabytes) * 2**20 > DEFAULTS["MAX_BODY_BYTES"]


def test_proxies_give_idle_connections_up_before_the_service_does() -> None:
    """Granian waits so long for the head of the next request."""
    (idles,) = re.findall(r"keepalive (\d+)s", CADDY)
    assert int(idles) * 1000 < HTTP1Settings().header_read_timeout
    assert "keepalive" not in NGINX, "it opens a connection for each request"


def test_nobody_gets_past_the_proxy_of_compose() -> None:
    assert SERVICES["web"]["ports"] == ["127.0.0.1:8000:8000"]
