"""Where assets are used: in the templates that would be rendered with them."""

from __future__ import annotations

from assets.models import Asset
from assets.references import Use
from templates_app.mentions import mentioning
from templates_app.models import Template


def find_uses(asset: Asset, limit: int) -> list[Use]:
    """Return the templates that name an asset, by name, archived ones left out."""
    templates = Template.objects.filter(organization_id=asset.organization_id)
    rows = mentioning(asset.pk, templates).order_by("name", "pk").values_list("pk", "name", "status")
    return [Use(*row) for row in rows[:limit]]
