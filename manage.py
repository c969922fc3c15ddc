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
    from django.db import DatabaseError, InterfaceError

    try:
        execute_from_command_line(sys.argv)
        sys.stdout.flush()
    except BrokenPipeError:
        if "--traceback" in sys.argv:
            raise
        # What is still to be written would fail once more when Python ends.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        sys.exit("CommandError: whoever read the output has gone; it was not written to its end")
    except ImproperlyConfigured as error:
        if "--traceback" in sys.argv:
            raise
        sys.exit(str(error))
    except (DatabaseError, InterfaceError) as error:
        from config.health import database_refusal

        refusal = database_refusal(error)
        if refusal is None or "--traceback" in sys.argv:
            raise
        sys.exit(f"CommandError: {refusal}")


if __name__ == "__main__":
    main()
