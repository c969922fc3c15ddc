"""The real settings over a private DATA_DIR, with what would only cost time replaced.

On the embedded default, or with `TEST_STACK=real` on PostgreSQL, Redis and a bucket (`tests/parts`).
"""

import atexit
import os
import shutil
import tempfile

from tests.migrated import FOLDER
from tests.parts import session

_folder = tempfile.mkdtemp(prefix="documents-tests-")
_owner = os.getpid()
atexit.register(lambda: os.getpid() == _owner and shutil.rmtree(_folder, ignore_errors=True))
for _name in (*session.SETTINGS, "BASE_URL", "RATE_LIMIT"):
    os.environ.pop(_name, None)
os.environ["DATA_DIR"] = _folder
os.environ.setdefault(FOLDER, _folder)
if session.REAL:
    os.environ |= session.own_environment()

from config.settings import *  # noqa: E402, F403
from config.settings import CACHES, DATA_DIR, DATABASES, STORAGES  # noqa: E402

ALLOWED_HOSTS = ["testserver", "localhost", "127.0.0.1"]
PASSWORD_HASHERS = ["django.contrib.auth.hashers.MD5PasswordHasher"]
for _cache in CACHES.values():
    if _cache["BACKEND"] == "diskcache.DjangoCache":
        _cache["BACKEND"] = "tests.caches.FolderCache"
STORAGES["staticfiles"] = {"BACKEND": "django.contrib.staticfiles.storage.StaticFilesStorage"}
STATIC_ROOT = DATA_DIR / "static"
STATIC_ROOT.mkdir(exist_ok=True)
if not session.REAL:
    # A file, not memory: threads of one test see one database, with the locks of the real one.
    DATABASES["default"]["TEST"] = {"NAME": str(DATA_DIR / "test.sqlite3")}
