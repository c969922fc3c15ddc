"""What the service keeps about itself."""

from __future__ import annotations

from typing import Final

from django.db import models


class Start(models.Model):
    """What secrets the last start of `serve` or `worker` had, as marks (`config.shared_secrets`): one row."""

    ONLY: Final = 1

    id = models.PositiveSmallIntegerField(primary_key=True, default=ONLY, editable=False)
    credentials_mark = models.CharField(max_length=64)
    secret_mark = models.CharField(max_length=64)
    host = models.CharField(max_length=255)
    at = models.DateTimeField()

    def __str__(self) -> str:
        return f"{self.host} at {self.at:%Y-%m-%d %H:%M}"
