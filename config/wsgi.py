"""WSGI entry point."""

import os
from importlib import import_module

from django.conf import settings
from django.core.wsgi import get_wsgi_application

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")

application = get_wsgi_application()
# Else the first request would wait for all that is mounted.
import_module(settings.ROOT_URLCONF)
