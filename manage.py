#!/usr/bin/env python
"""Entry point of the administrative commands."""

import gc
import os
import sys

# What a process loads stays: looking for garbage after every 700 objects is an eighth of its start.
gc.set_threshold(50_000)


def main() -> None:
    """Run the command named on the command line."""
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")
    from django.core.exceptions import ImproperlyConfigured
    from django.core.management import execute_from_command_line

    try:
        execute_from_command_line(sys.argv)
    except ImproperlyConfigured as error:
        if "--traceback" in sys.argv:
            raise
        sys.exit(str(error))


if __name__ == "__main__":
    main()
