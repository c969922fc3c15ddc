"""Collect static files when they changed: `serve` needs them, and a second start must be quick."""

from __future__ import annotations

import hashlib
import os
from importlib.metadata import version
from pathlib import Path

from django.conf import settings
from django.contrib.staticfiles.finders import get_finders
from django.core.management import call_command

from config.environment import data_dir


def collect_static() -> bool:
    """Fill STATIC_ROOT unless it is up to date; tell whether there was something to do.

    Raises ImproperlyConfigured where the files cannot be written.
    """
    root = Path(settings.STATIC_ROOT)
    stamp = root.with_name(f"{root.name}.stamp")
    wanted = fingerprint()
    with data_dir(root.parent):
        if (root / "staticfiles.json").exists() and stamp.exists() and stamp.read_text() == wanted:
            return False
        root.mkdir(parents=True, exist_ok=True)
        call_command("collectstatic", interactive=False, verbosity=0)
        draft = stamp.with_name(f".{stamp.name}.{os.getpid()}")
        draft.write_text(wanted)
        draft.replace(stamp)
    return True


def fingerprint() -> str:
    """Return a digest over path, size and time of every static file that an app offers."""
    digest = hashlib.sha256(
        f"{settings.STORAGES['staticfiles']} {version('django')} {version('whitenoise')}".encode()
    )
    for finder in get_finders():
        for path, storage in finder.list([]):
            full = storage.path(path)
            status = os.stat(full)
            digest.update(f"{full}\0{status.st_size}\0{status.st_mtime_ns}\n".encode())
    return digest.hexdigest()
