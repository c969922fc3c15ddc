"""Files of documents and batches that no row knows: left by a crash, a restore, a worker that came back late.

A row is there before its file is, so a file of an earlier day without one is nobody's. Only folders of
organizations that are in the database are looked into, and only names that we give are touched.

The folders of days are looked at one after the other; the scheduled run keeps in the cache where it is, and
begins anew after a week.
"""

from __future__ import annotations

import logging
import re
import time
from collections.abc import Iterable, Iterator
from datetime import datetime, timedelta
from pathlib import PurePosixPath
from typing import Any, Final

from django.core.cache import cache
from django.core.files.storage import default_storage
from django.utils import timezone

from accounts.models import Organization
from rendering.deletion import MOST_FAILURES
from rendering.models import Batch, Document

logger = logging.getLogger(__name__)

_KINDS: Final[dict[str, Any]] = {"batches": Batch, "documents": Document}
_OUR_NAME: Final = re.compile(r"(doc|bat)_[0-9a-z]+\.[a-z]+")
_AGE: Final = timedelta(days=1)
_LOOKED_UP_AT_ONCE: Final = 500
# How long the scheduled run may take: other housekeeping waits for it, and it comes again.
SCHEDULED_SECONDS: Final = 20.0
_CURSOR: Final = "orphans:cursor"
_DONE: Final = "orphans:done"
_WEEK: Final = 7 * 24 * 3600


def sweep_orphans(*, dry_run: bool = False, now: datetime | None = None) -> int:
    """Delete every file of an earlier day that no row knows; return how many there are, or would be."""
    return sum(_sweep_folder(folder, dry_run) for folder in _day_folders(now or timezone.now()))


def scheduled_sweep() -> None:
    """Sweep as housekeeping does: a while at a time, all of it once a week."""
    if cache.get(_DONE):
        return
    give_up = time.monotonic() + SCHEDULED_SECONDS
    for folder in _day_folders(timezone.now(), after=cache.get(_CURSOR, "")):
        try:
            _sweep_folder(folder, dry_run=False)
        finally:  # one whose files cannot be deleted does not keep the others from being looked into
            cache.set(_CURSOR, folder, _WEEK)
        if time.monotonic() > give_up:
            return
    cache.set(_DONE, True, _WEEK)
    cache.delete(_CURSOR)


def _day_folders(now: datetime, after: str = "") -> Iterator[str]:
    """Yield the folders of days that are over, in the order of their names, from the one behind `after`."""
    last_day = f"{now - _AGE - timedelta(days=1):%Y/%m/%d}"
    for kind in sorted(_KINDS):
        organizations = Organization.objects.order_by("pk").values_list("pk", flat=True)
        for organization in organizations.iterator():
            folders = _from([f"{kind}/{organization}"], after)
            for _ in ("year", "month", "day"):
                below = (f"{folder}/{name}" for folder in folders for name in sorted(_listed(folder)[0]))
                folders = _from(below, after)
            yield from (folder for folder in folders if folder.split("/", 2)[2] <= last_day)


def _from(folders: Iterable[str], after: str) -> list[str]:
    """Leave the folders in which something may lie behind `after`; the others are not even listed."""
    return [folder for folder in folders if folder > after or after.startswith(f"{folder}/")]


def _sweep_folder(folder: str, dry_run: bool) -> int:
    """Delete what nobody owns in the folder of a day; return how many files."""
    files = _listed(folder)[1]
    swept = failed = 0
    for start in range(0, len(files), _LOOKED_UP_AT_ONCE):
        for name in _ownerless(folder, files[start : start + _LOOKED_UP_AT_ONCE]):
            if dry_run:
                swept += 1
                continue
            try:
                default_storage.delete(name)
            except Exception as error:
                logger.warning("%s could not be deleted: %s", name, type(error).__name__)
                failed += 1
            else:
                swept, failed = swept + 1, 0
            if failed == MOST_FAILURES:
                raise OSError("files cannot be deleted")
    if swept and not dry_run:
        logger.warning("Deleted %d files that no row knew in %s", swept, folder)
    return swept


def _ownerless(folder: str, names: list[str]) -> Iterator[str]:
    """Yield the paths of those files that no row names."""
    model = _KINDS[folder.partition("/")[0]]
    targets = {name: _target(name) for name in names if _OUR_NAME.fullmatch(_target(name))}
    ids = {PurePosixPath(target).stem for target in targets.values()}
    known = dict(model.objects.filter(pk__in=ids).values_list("file", "status"))
    for name, target in targets.items():
        status = known.get(f"{folder}/{target}")
        # What was being written beside a file when its writer was killed, unless one is at it now.
        is_left_draft = name != target and status != model.Status.PROCESSING
        if status is None or is_left_draft:
            yield f"{folder}/{name}"


def _target(name: str) -> str:
    """Return the name that a file has or, where its writing was killed, would have got."""
    is_draft = name.startswith(".") and name.endswith(".part")
    return name[1:].rsplit(".", 2)[0] if is_draft else name


def _listed(folder: str) -> tuple[list[str], list[str]]:
    """Return the folders and files in a folder of the storage, none where there is no such folder."""
    try:
        folders, files = default_storage.listdir(folder)
    except FileNotFoundError:
        return [], []
    return [name for name in folders if name], files
