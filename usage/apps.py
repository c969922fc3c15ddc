"""Counters of completed documents."""

from django.apps import AppConfig


class UsageConfig(AppConfig):
    """Register the app."""

    name = "usage"
