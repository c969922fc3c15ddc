"""The tests. They start a hundred processes, which all read the same modules: compiled ones, whoever asks."""

import os
import sys

os.environ.pop("PYTHONDONTWRITEBYTECODE", None)
sys.dont_write_bytecode = False
