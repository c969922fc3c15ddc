"""Where assets are used. The layer that knows templates announces how to find out."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from assets.models import Asset
from config.names import short_name
from config.value import dataclass

MOST_LISTED = 100


@dataclass(frozen=True)
class Use:
    """A template that names an asset; `status` is the template's."""

    template_id: str
    name: str
    status: str


class AssetInUse(Exception):
    """An asset that may not be deleted: `uses` says which templates need it. Its text is for people."""

    def __init__(self, asset: Asset, uses: Sequence[Use]) -> None:
        names = ", ".join(f"“{short_name(use.name)}”" for use in uses[:5])
        more = f" and {len(uses) - 5} more" if len(uses) > 5 else ""
        super().__init__(
            f"“{short_name(asset.name)}” is used in {names}{more}. "
            "Take it out of there, or archive what needs it, first."
        )
        self.uses = uses


Finder = Callable[[Asset, int], list[Use]]


def _nowhere(asset: Asset, limit: int) -> list[Use]:
    return []


_find: Finder = _nowhere


def announce(find: Finder) -> None:
    """Let a higher layer say where an asset is used, archived templates left out."""
    global _find
    _find = find


def uses_of(asset: Asset) -> list[Use]:
    """Return the templates that need an asset, at most `MOST_LISTED`."""
    return _find(asset, MOST_LISTED)
