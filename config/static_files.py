"""Static files under names with a hash, so that browsers may keep them for ever."""

from whitenoise.storage import CompressedManifestStaticFilesStorage


class StaticFiles(CompressedManifestStaticFilesStorage):
    """Also the modules that our own modules import: after an upgrade no old one meets a new one.

    Files of others are left as they are: what looks like an import in them may be none.
    """

    support_js_module_import_aggregation = True
    _js_module_import_aggregation_patterns = (
        "dashboard/editor/*",
        CompressedManifestStaticFilesStorage._js_module_import_aggregation_patterns[1],
    )
    # A module has its name once those that it imports have theirs: one pass for each step of the way.
    max_post_process_passes = 30
