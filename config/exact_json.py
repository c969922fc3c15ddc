"""JSON that a database gives back as it took it.

PostgreSQL's `jsonb`, which Django's field uses, sorts the names of objects, turns 1e30 into an integer of 31
digits and refuses `\\u0000`. Its `json` keeps the text. Nobody looks inside these values by SQL.
"""

from __future__ import annotations

import json
from typing import Any

from django.db import models
from django.db.backends.base.base import BaseDatabaseWrapper
from django.db.models.expressions import BaseExpression
from django.db.models.sql.compiler import SQLCompiler


class ExactJSONField(models.JSONField):
    """A JSONField whose names keep their order and whose numbers and texts keep their form."""

    def db_type(self, connection: BaseDatabaseWrapper) -> str | None:
        """Return `json` on PostgreSQL."""
        return "json" if connection.vendor == "postgresql" else super().db_type(connection)

    def get_db_prep_value(self, value: Any, connection: BaseDatabaseWrapper, prepared: bool = False) -> Any:
        """Return what the driver sends: text."""
        if connection.vendor != "postgresql" or isinstance(value, BaseExpression):
            return super().get_db_prep_value(value, connection, prepared)
        from psycopg.types.json import Json

        return Json(value, dumps=lambda content: json.dumps(content, cls=self.encoder))

    def select_format(self, compiler: SQLCompiler, sql: str, params: Any) -> tuple[str, Any]:
        """Read it as text, which Django parses; the driver would parse `json` itself."""
        if compiler.connection.vendor == "postgresql":
            return f"{sql}::text", params
        return super().select_format(compiler, sql, params)
