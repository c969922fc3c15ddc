"""The refusals of the asset endpoints; texts of specification section 7."""

from config.api.errors import ApiError


def asset_not_found() -> ApiError:
    """Return the 404 of an unknown id and of another organization's asset."""
    return ApiError(404, "Asset not found")
