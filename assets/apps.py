"""The app of uploaded images."""

from django.apps import AppConfig


class AssetsConfig(AppConfig):
    """Register the models."""

    name = "assets"
