"""How usage looks on the wire; the values come ready from `usage.queries`."""

from __future__ import annotations

from typing import Any

from rest_framework import serializers

from config.api.schema import shown_as


class UsageRowSerializer(serializers.Serializer[Any]):
    """Documents of one template in one format."""

    templateId = serializers.CharField()
    templateName = serializers.CharField(help_text="The template's present name.")
    format = serializers.CharField()
    documents = serializers.IntegerField()


class MonthlyUsageSerializer(serializers.Serializer[Any]):
    """One month."""

    year = serializers.IntegerField()
    month = serializers.IntegerField()
    total = serializers.IntegerField()
    usage = UsageRowSerializer(many=True)


@shown_as({"year": 2026, "month": 11, "documents": 128})
class TrendSerializer(serializers.Serializer[Any]):
    """Documents of one month."""

    year = serializers.IntegerField()
    month = serializers.IntegerField()
    documents = serializers.IntegerField()
