"""Uploading, reading, renaming and deleting assets: row and file together."""

from __future__ import annotations

import logging
from datetime import datetime, timedelta
from typing import TYPE_CHECKING, Any

from django.conf import settings
from django.core.files.base import ContentFile
from django.core.files.storage import default_storage
from django.core.files.uploadedfile import UploadedFile
from django.db import DatabaseError, transaction
from django.template.defaultfilters import filesizeformat
from django.utils import timezone

from accounts import audit
from assets.contents import contents
from assets.fonts import CONTENT_TYPE as FONT_TYPE
from assets.fonts import MAX_FONT_BYTES, InvalidFont, inspect_font, looks_like_font
from assets.images import InvalidImage, prepare_image
from assets.models import EXTENSIONS, Asset
from assets.references import AssetInUse, uses_of
from config.api.ids import first_id, is_storable
from config.files import list_folder
from config.statements import Lookup
from config.storage import intended_name
from config.value import dataclass

if TYPE_CHECKING:
    from accounts.models import Organization

logger = logging.getLogger(__name__)

MAX_NAME_LENGTH = 255
# An upload that takes longer is taken for killed.
UPLOAD_GRACE = timedelta(hours=1)
_LOOKED_UP_AT_ONCE = 500
_of_organization = Lookup(
    lambda pk, organization_id: Asset.objects.filter(organization_id=organization_id, pk=pk)
)


class AssetGone(Exception):
    """An asset that somebody else has deleted; its text is for people."""


@dataclass(frozen=True)
class Examined:
    """What is kept of an uploaded file, and what it is; a font has neither width nor height (in pixels)."""

    content: bytes
    kind: Asset.Kind
    content_type: str
    width: int | None = None
    height: int | None = None


def upload_asset(*, organization: Organization, name: str, content: bytes, actor: str) -> Asset:
    """Store an image or a font under a name of its own and return its row.

    `name` is only shown, the type is read from the bytes. Raises ValueError as `examine` does.
    """
    return store_upload(organization=organization, name=name, examined=examine(content), actor=actor)


def examine(content: bytes) -> Examined:
    """Return what an upload is, by its bytes, and what is kept of it.

    Large images take many seconds: not within a transaction, which keeps everybody from writing under SQLite.
    Raises ValueError, with a message for the person who uploads, when the content is no acceptable image or
    font, or larger than MAX_ASSET_BYTES (a font: 20 MB, as typefaces of East Asia need).
    """
    if looks_like_font(content):
        if len(content) > MAX_FONT_BYTES:
            raise InvalidFont(f"the font is too large: the limit is {filesizeformat(MAX_FONT_BYTES)}")
        inspect_font(content)
        return Examined(content, Asset.Kind.FONT, FONT_TYPE)
    if len(content) > settings.MAX_ASSET_BYTES:
        limit = filesizeformat(settings.MAX_ASSET_BYTES)
        raise InvalidImage(f"the file is too large: the limit is {limit} (MAX_ASSET_BYTES)")
    kept, info = prepare_image(content, settings.MAX_IMAGE_PIXELS)
    return Examined(kept, Asset.Kind.IMAGE, info.content_type, info.width, info.height)


def store_upload(*, organization: Organization, name: str, examined: Examined, actor: str) -> Asset:
    """Store what `examine` has found under a name of its own and return its row.

    The file comes first: a row never points to nothing, and a file without a row is swept.
    """
    asset = Asset(
        organization=organization,
        kind=examined.kind,
        content_type=examined.content_type,
        size_bytes=len(examined.content),
        width=examined.width,
        height=examined.height,
    )
    asset.name = clean_name(name) or asset.id
    wanted = f"assets/{organization.pk}/{asset.id}.{EXTENSIONS[asset.content_type]}"
    asset.file = default_storage.save(wanted, ContentFile(examined.content))
    try:
        with transaction.atomic():
            asset.save(force_insert=True)
            _record(asset, actor, "asset.uploaded", type=asset.content_type, bytes=asset.size_bytes)
    except BaseException:
        _take_back(asset)
        raise
    return asset


def _take_back(asset: Asset) -> None:
    """Delete the file of a row that was not written; what cannot be told now is swept.

    A commit whose answer was lost with the connection may have happened.
    """
    try:
        is_written = Asset.objects.filter(pk=asset.pk).exists()
    except DatabaseError:
        logger.warning("%s may have no row: if so, it will be swept", asset.file)
        return
    if not is_written:
        _delete_file(asset.file)


def read_upload(given: UploadedFile) -> bytes:
    """Return an uploaded file for `examine`: of one that is too large no more than shows it."""
    return bytes(given.read(max(settings.MAX_ASSET_BYTES, MAX_FONT_BYTES) + 1))


def rename_asset(*, asset: Asset, name: str, actor: str) -> None:
    """Change the name that is shown; templates go by the id.

    Raises ValueError for an empty one, AssetGone.
    """
    wanted = clean_name(name)
    if not wanted:
        raise ValueError("give it a name")
    with transaction.atomic():
        before = _lock(asset).name
        asset.name = wanted
        if wanted != before:
            asset.save(update_fields=["name"])
            _record(asset, actor, "asset.renamed", before=before, after=wanted)


def delete_asset(*, asset: Asset, actor: str) -> None:
    """Delete the row, then the file once that is final. Documents rendered before keep their copy.

    Raises AssetInUse while a template that is not archived names it: its renders would fail; AssetGone.
    """
    file = asset.file
    with transaction.atomic():
        _lock(asset)
        if uses := uses_of(asset):
            raise AssetInUse(asset, uses)
        _record(asset, actor, "asset.deleted")
        asset.delete()
        transaction.on_commit(lambda: _delete_file(file))


def _lock(asset: Asset) -> Asset:
    """Return the row as it is now, locked until the transaction ends; raises AssetGone."""
    row = Asset.objects.select_for_update().filter(pk=asset.pk).first()
    if row is None:
        raise AssetGone(f"“{asset.name}” was deleted meanwhile.")
    return row


def read_asset(*, organization: Organization, asset_id: str) -> tuple[bytes, Asset] | None:
    """Return the content and row of an organization's asset; None when it has none of this id."""
    if not is_storable(asset_id):
        return None
    asset = _of_organization.first(asset_id, organization.pk)
    if asset is None:
        return None
    try:
        return contents.read(asset.file), asset
    except FileNotFoundError:
        logger.error("Asset %s has lost its file %s", asset.pk, asset.file)
        return None


def clean_name(name: str) -> str:
    """Return the last part of an uploaded file's name without control characters."""
    last = name.replace("\\", "/").rsplit("/", 1)[-1]
    return "".join(c for c in last if c.isprintable()).strip()[:MAX_NAME_LENGTH]


def sweep(now: datetime | None = None, *, dry_run: bool = False) -> int:
    """Delete the files that no asset owns, which killed uploads and deletions leave, and return how many.

    With `dry_run` they are only counted. The name of a file holds the id of its asset, and that the time: a
    younger one may be on its way.
    """
    cutoff = first_id("ast", (now or timezone.now()) - UPLOAD_GRACE)
    swept = 0
    for folder in list_folder("assets")[0]:
        found = {
            f"assets/{folder}/{name}": intended_name(name) for name in list_folder(f"assets/{folder}")[1]
        }
        old = sorted(path for path, name in found.items() if name < cutoff)
        for start in range(0, len(old), _LOOKED_UP_AT_ONCE):
            paths = old[start : start + _LOOKED_UP_AT_ONCE]
            owned = set(Asset.objects.filter(file__in=paths).values_list("file", flat=True))
            swept += sum(dry_run or _delete_file(path) for path in paths if path not in owned)
    if swept and not dry_run:
        logger.warning("Swept %d files that no asset owned", swept)
    return swept


def _record(asset: Asset, actor: str, action: str, **detail: Any) -> None:
    audit.record(
        asset.organization_id,
        actor,
        action,
        object_type="asset",
        object_id=asset.pk,
        object_name=asset.name,
        detail=detail,
    )


def _delete_file(name: str) -> bool:
    """Delete a file that no asset owns; a failure is logged, and the file swept later."""
    try:
        default_storage.delete(name)
    except Exception:
        logger.warning("Could not delete %s: it will be swept", name, exc_info=True)
        return False
    return True
