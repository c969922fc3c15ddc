"""`python -m rendering --template template.json --data data.json -o out.pdf`: no server, no database."""

from __future__ import annotations

import gc
import sys

# A process of one document keeps nearly all that it makes, modules above all: looking for garbage after every
# 700 objects is a tenth of its time. Large documents are still collected.
gc.set_threshold(50_000)

from rendering.command import main  # noqa: E402

if __name__ == "__main__":
    sys.exit(main())
