"""Statements that Django composes once: what is on the way of every render.

Composing a query takes several times as long as asking it. A `Lookup` is written with the ORM like any
other query, so that visibility and column names stay where they are, but its SQL is kept and only its values
change.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, Final, Generic, TypeVar

from django.db import connection, models
from django.db.models.query import get_related_populators

M = TypeVar("M", bound=models.Model)

# What stands in a query for a value that is not known yet; no column holds it.
_MARKS: Final[dict[type, Callable[[int], Any]]] = {
    str: lambda number: f"\x01value {number}\x01",
    int: lambda number: -(2**60) - number,
}


class Lookup(Generic[M]):
    """Finds rows by values of one type, of whatever query `compose` returns for them.

    `compose` is called once per database and number of values, with marks in their places: it must use each
    as it is, and not look at it.
    """

    def __init__(self, compose: Callable[..., models.QuerySet[M]], of: type = str) -> None:
        self._compose = compose
        self._mark = _MARKS[of]
        self._composed: dict[tuple[str, int, bool], _Composed[M]] = {}

    def first(self, *values: str | int) -> M | None:
        """Return the row, or any one of several; None when there is none."""
        return next(iter(self._ask(values, single=True)), None)

    def all(self, *values: str | int) -> list[M]:
        """Return the rows in the order of the query."""
        return self._ask(values, single=False)

    def _ask(self, values: tuple[str | int, ...], *, single: bool) -> list[M]:
        key = (connection.vendor, len(values), single)
        composed = self._composed.get(key)
        if composed is None:
            marks = [self._mark(number) for number in range(len(values))]
            rows = self._compose(*marks)
            composed = _Composed(rows.order_by()[:1] if single else rows, marks)
            self._composed[key] = composed
        return composed.ask(values)


class _Composed(Generic[M]):
    """The SQL of one query for one kind of database, and how its rows become instances."""

    def __init__(self, rows: models.QuerySet[M], marks: Sequence[Any]) -> None:
        compiler = rows.query.get_compiler(connection=connection)
        self._sql, given = compiler.as_sql()
        self._places = [(marks.index(value), None) if value in marks else (-1, value) for value in given]
        assert {place for place, _ in self._places} >= set(range(len(marks))), "a value is not asked for"
        self._model = rows.model
        assert compiler.select is not None
        assert compiler.klass_info is not None
        own = compiler.klass_info["select_fields"]
        self._own = slice(own[0], own[-1] + 1)
        columns = [column for column, _, _ in compiler.select]
        self._names = [column.target.attname for column in columns[self._own]]
        self._related = get_related_populators(  # type: ignore[call-arg]  # the stubs are of a later Django
            compiler.klass_info, compiler.select, connection.alias
        )
        self._converters = [
            (place, converters, column)
            for place, (converters, column) in compiler.get_converters(columns).items()
        ]

    def ask(self, values: Sequence[str | int]) -> list[M]:
        given = [constant if place < 0 else values[place] for place, constant in self._places]
        with connection.cursor() as cursor:
            cursor.execute(self._sql, given)
            found = cursor.fetchall()
        return [self._made(list(row)) for row in found]

    def _made(self, row: list[Any]) -> M:
        for place, converters, column in self._converters:
            for convert in converters:
                row[place] = convert(row[place], column, connection)
        instance = self._model.from_db(connection.alias, self._names, row[self._own])
        for related in self._related:
            related.populate(row, instance)
        return instance


class Insert(Generic[M]):
    """Writes new rows of a model that has an id of its own making; signals are not sent."""

    def __init__(self, model: type[M]) -> None:
        self._model = model
        self._composed: dict[str, str] = {}

    def __call__(self, instance: M) -> None:
        """Insert `instance`; raises IntegrityError where a constraint refuses it."""
        fields = self._model._meta.concrete_fields
        sql = self._composed.get(connection.vendor)
        if sql is None:
            quote = connection.ops.quote_name
            names = ", ".join(quote(str(field.column)) for field in fields)
            table = quote(self._model._meta.db_table)
            marks = ", ".join(["%s"] * len(fields))
            sql = self._composed[connection.vendor] = f"INSERT INTO {table} ({names}) VALUES ({marks})"  # noqa: S608 (names of our own)
        values = [field.get_db_prep_save(field.pre_save(instance, True), connection) for field in fields]
        with connection.cursor() as cursor:
            cursor.execute(sql, values)
        instance._state.adding, instance._state.db = False, connection.alias
