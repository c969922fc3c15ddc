"""Files of documents and batches that nobody can have: left by a crash, a restore, a worker that came late.

A row is there before its file is, so a file of an earlier day without one is nobody's. So is that of a batch
that failed or was cancelled, whose worker was killed before it took the file away. Only folders of
organizations that are in the database are looked into, and only names that we give are touched.

The folders of days are looked at one after the other; the scheduled run keeps in the cache where it is, and
begins anew after a week.
"""

from __future__ import annotations

import logging
import re
from collections.abc import Iterable, Iterator
from datetime import datetime, timedelta
from pathlib import PurePosixPath
from typing import Any, Final

from django.core.cache import cache
from django.core.files.storage import default_storage
from django.utils import timezone

from accounts.models import Organization
from config.files import list_folder
from config.housekeeping import over_after
from config.storage import intended_name
from rendering.deletion import sweep_each
from rendering.models import Batch, Document

logger = logging.getLogger(__name__)

_KINDS: Final[dict[str, Any]] = {"batches": Batch, "documents": Document}
_WITHOUT_FILE: Final = frozenset({Batch.Status.FAILED, Batch.Status.CANCELLED, Document.Status.FAILED})
_OUR_NAME: Final = re.compile(r"(doc|bat)_[0-9a-z]+\.[a-z]+")
_AGE: Final = timedelta(days=1)
_LOOKED_UP_AT_ONCE: Final = 500
SCHEDULED_SECONDS: Final = 20.0  # that a scheduled run may take
_CURSOR: Final = "orphans:cursor"
_DONE: Final = "orphans:done"
_WEEK: Final = 7 * 24 * 3600


def sweep_orphans(*, dry_run: bool = False, now: datetime | None = None) -> int:
    """Delete every file of an earlier day that is nobody's; return how many there are, or would be."""
    last_day = _last_day(now or timezone.now())
    return sum(
        _sweep_folder(folder, dry_run)
        for organization in _organization_folders()
        for folder in _day_folders(organization, last_day)
    )


def scheduled_sweep() -> None:
    """Sweep as housekeeping does: a while at a time, all of it once a week."""
    if cache.get(_DONE):
        return
    is_over = over_after(SCHEDULED_SECONDS)
    after, last_day = cache.get(_CURSOR, ""), _last_day(timezone.now())
    for number, organization in enumerate(_organization_folders(after)):
        if number and is_over():  # many organizations may have nothing to look into
            cache.set(_CURSOR, f"{organization}/", _WEEK)
            return
        for folder in _day_folders(organization, last_day, after):
            try:
                _sweep_folder(folder, dry_run=False)
            finally:  # one whose files cannot be deleted does not keep the others from being looked into
                cache.set(_CURSOR, folder, _WEEK)
            if is_over():
                return
    cache.set(_DONE, True, _WEEK)
    cache.delete(_CURSOR)


def _last_day(now: datetime) -> str:
    """Return the last day whose files are old enough, as its folder is named."""
    return f"{now - _AGE - timedelta(days=1):%Y/%m/%d}"


def _organization_folders(after: str = "") -> Iterator[str]:
    """Yield the folders of organizations in the order of their names, those with something behind `after`."""
    for kind in sorted(_KINDS):
        organizations = Organization.objects.order_by("pk").values_list("pk", flat=True)
        for organization in organizations.iterator():
            yield from _from([f"{kind}/{organization}"], after)


def _day_folders(organization: str, last_day: str, after: str = "") -> list[str]:
    """Return the folders of days in that of an organization, from the one behind `after` to the last."""
    folders = [organization]
    for _ in ("year", "month", "day"):
        below = (f"{folder}/{name}" for folder in folders for name in sorted(list_folder(folder)[0]))
        folders = _from(below, after)
    return [folder for folder in folders if folder.split("/", 2)[2] <= last_day]


def _from(folders: Iterable[str], after: str) -> list[str]:
    """Leave the folders in which something may lie behind `after`; the others are not even listed."""
    return [folder for folder in folders if folder > after or after.startswith(f"{folder}/")]


def _sweep_folder(folder: str, dry_run: bool) -> int:
    """Delete what nobody owns in the folder of a day; return how many files."""
    if dry_run:
        return sum(1 for _ in _ownerless(folder))
    swept, all_tried = sweep_each(_ownerless(folder), default_storage.delete, _not_deleted)
    if swept:
        logger.warning("Deleted %d files that were nobody's in %s", swept, folder)
    if not all_tried:
        raise OSError("files cannot be deleted")
    return swept


def _not_deleted(name: str, error: Exception) -> None:
    logger.warning("%s could not be deleted: %s", name, type(error).__name__)


def _ownerless(folder: str) -> Iterator[str]:
    """Yield the paths of the files in the folder of a day that are nobody's."""
    files = list_folder(folder)[1]
    for start in range(0, len(files), _LOOKED_UP_AT_ONCE):
        yield from _ownerless_of(folder, files[start : start + _LOOKED_UP_AT_ONCE])


def _ownerless_of(folder: str, names: list[str]) -> Iterator[str]:
    model = _KINDS[folder.partition("/")[0]]
    targets = {name: target for name in names if _OUR_NAME.fullmatch(target := intended_name(name))}
    ids = {PurePosixPath(target).stem for target in targets.values()}
    known = dict(model.objects.filter(pk__in=ids).values_list("file", "status"))
    for name, target in targets.items():
        status = known.get(f"{folder}/{target}")
        # What was being written beside a file when its writer was killed, unless one is at it now.
        is_left_draft = name != target and status != model.Status.PROCESSING
        if status is None or status in _WITHOUT_FILE or is_left_draft:
            yield f"{folder}/{name}"
