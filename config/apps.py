"""The project package as an app: it owns `serve` and the wire conventions."""

from django.apps import AppConfig


class ConfigConfig(AppConfig):
    """Register the project package for its management commands."""

    name = "config"
