"""Counters of completed documents."""

from __future__ import annotations

from django.db import models

from accounts.models import Organization
from config.api.ids import ID_LENGTH


class MonthlyCount(models.Model):
    """How many documents one template made in one month, by format and end user.

    A row of its own, so that usage stays quick however many documents there are, and survives them. The
    template is a plain value: counting never waits for a template's row.
    """

    organization = models.ForeignKey(Organization, on_delete=models.PROTECT, related_name="+")
    # First day of the month, so that a range of months is a range of one column.
    month = models.DateField()
    template_id = models.CharField(max_length=ID_LENGTH)
    format = models.CharField(max_length=20)
    # Empty for the organization itself: NULL would not be unique.
    external_user_id = models.CharField(max_length=255, default="", blank=True)
    documents = models.PositiveBigIntegerField(default=0)

    class Meta:
        constraints = [
            models.UniqueConstraint(
                fields=["organization", "month", "external_user_id", "template_id", "format"],
                name="one_counter_per_month",
            )
        ]

    def __str__(self) -> str:
        return f"{self.month:%Y-%m} {self.template_id} {self.format}: {self.documents}"
