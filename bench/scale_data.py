"""Fills a database by SQL: as many documents as wanted, and what belongs to them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any, Final

import psycopg

TEMPLATES: Final = 100  # of each organization
USERS: Final = 50
# Documents of the heavy organization: one in so many.
HEAVY_SHARE: Final = 10
_BATCH: Final = 1_000_000
_SPAN_SECONDS: Final = 365 * 86_400
_END: Final = "timestamptz '2026-10-31 00:00Z'"
_ALPHABET: Final = "0123456789abcdefghjkmnpqrstvwxyz"  # config.api.ids
_TABLES: Final = (
    "rendering_document", "templates_app_template", "usage_monthlycount", "accounts_organization",
)  # fmt: skip


@dataclass(frozen=True)
class Filling:
    """What to make: `ordinary` and `heavy` are organizations that exist, `sample` a document of the first.

    New rows are copies of the sample and of what it belongs to, in all columns that are not told here.
    """

    documents: int
    organizations: int
    ordinary: str
    heavy: str
    sample: str


def fill(connection: psycopg.Connection[Any], filling: Filling) -> None:
    """Fill the database and have PostgreSQL look at it. The connection commits each statement."""
    connection.execute("SET session_replication_role = replica")  # every row refers to one that there is
    connection.execute("SET maintenance_work_mem = '512MB'")
    connection.execute("SET synchronous_commit = off")
    names = _names(connection, filling)
    others = filling.organizations - 2
    _copies(connection, "accounts_organization", names["organization"], others, first=2, columns={
        "id": _organization("i"),
        "name": "'Organization ' || i",
        "public_key_digest": "md5('p' || i) || md5('q' || i)",
        "secret_key_digest": "md5('s' || i) || md5('t' || i)",
    })  # fmt: skip
    templates = filling.organizations * TEMPLATES
    _copies(connection, "templates_app_template", names["template"], templates, columns={
        "id": "'tpl_' || lpad(i::text, 26, '0')",
        "organization_id": _owner(f"i / {TEMPLATES}", filling),
        "name": "'Template ' || i",
    })  # fmt: skip
    _counters(connection, filling)
    with _without_indexes(connection, "rendering_document"):
        for first in range(0, filling.documents, _BATCH):
            _documents(connection, filling, first, min(_BATCH, filling.documents - first))
    for table in _TABLES:
        connection.execute(f"VACUUM (ANALYZE) {table}")
    connection.execute("CHECKPOINT")


def _documents(connection: psycopg.Connection[Any], filling: Filling, first: int, count: int) -> None:
    """Insert documents of a year that ended last month, in the order of their time as their ids are."""
    if filling.organizations > 1:
        number = f"CASE WHEN i % {HEAVY_SHARE} = 1 THEN 1 ELSE i % {filling.organizations} END"
    else:
        number = "0"
    step = _SPAN_SECONDS / filling.documents
    each = (
        f"SELECT made, (extract(epoch FROM made) * 1000)::bigint AS ms, {number} AS number FROM "
        f"(SELECT {_END} - ({filling.documents} - i) * interval '{step:.6f} seconds' AS made) AS moment"
    )
    time = " || ".join(
        f"substr('{_ALPHABET}', (ms >> {shift} & 31)::int + 1, 1)" for shift in range(45, -1, -5)
    )
    template = f"number * {TEMPLATES} + (i / {filling.organizations}) % {TEMPLATES}"
    _copies(connection, "rendering_document", filling.sample, count, first=first, each=each, columns={
        "id": f"'doc_' || {time} || substr(md5(i::text), 1, 16)",
        "organization_id": _owner("number", filling),
        "template_id": f"'tpl_' || lpad(({template})::text, 26, '0')",
        "external_user_id": f"CASE WHEN i % 3 = 0 THEN NULL ELSE 'user-' || (i / 7) % {USERS} END",
        # By what does not tell the organization, or each would have documents of one format only.
        "format": f"CASE WHEN i / {filling.organizations} % 4 = 0 THEN 'xlsx' ELSE 'pdf' END",
        "status": "CASE WHEN i % 501 = 0 THEN 'failed' ELSE 'completed' END",
        "file": "CASE WHEN i % 501 = 0 THEN '' ELSE sample.file END",
        "created_at": "made",
        "completed_at": "made",
        "lease_expires_at": "made",
    })  # fmt: skip


def _counters(connection: psycopg.Connection[Any], filling: Filling) -> None:
    """Half a year of counters: every template, two formats, the organization and two of its users."""
    connection.execute(
        f"""
        INSERT INTO usage_monthlycount
            (organization_id, month, template_id, format, external_user_id, documents)
        SELECT {_owner(f"i / {TEMPLATES}", filling)}, month::date, 'tpl_' || lpad(i::text, 26, '0'), format,
            owner, 8
        FROM generate_series(0, {filling.organizations * TEMPLATES - 1}) i,
             generate_series(date_trunc('month', now()) - interval '5 months', now(), '1 month') month,
             unnest(ARRAY['pdf', 'xlsx']) format, unnest(ARRAY['', 'user-1', 'user-2']) owner
        """
    )


def _copies(
    connection: psycopg.Connection[Any],
    table: str,
    sample: str,
    count: int,
    *,
    columns: Mapping[str, str],
    first: int = 0,
    each: str = "SELECT",
) -> None:
    """Insert `count` copies of a row; `columns` are SQL expressions of `i`, which counts from `first`.

    They may also use what the query `each` finds for an `i`.
    """
    found = connection.execute(
        "SELECT column_name FROM information_schema.columns WHERE table_name = %s",
        [table],
    ).fetchall()
    names = [str(name) for (name,) in found]
    values = [columns.get(name, f'sample."{name}"') for name in names]
    quoted = ", ".join(f'"{name}"' for name in names)
    connection.execute(
        f"INSERT INTO {table} ({quoted}) SELECT {', '.join(values)} "
        f"FROM generate_series({first}, {first + count - 1}) i, LATERAL ({each}) AS per, {table} sample "
        f"WHERE sample.id = '{sample}'"
    )


@contextmanager
def _without_indexes(connection: psycopg.Connection[Any], table: str) -> Iterator[None]:
    """Drop the indexes that are no constraints and make them anew afterwards: several times as fast."""
    found = connection.execute(
        "SELECT indexname, indexdef FROM pg_indexes WHERE tablename = %s AND indexname NOT IN "
        "(SELECT conname FROM pg_constraint)",
        [table],
    ).fetchall()
    for name, _ in found:
        connection.execute(f'DROP INDEX "{name}"')
    yield
    for _, definition in found:
        connection.execute(definition)


def _names(connection: psycopg.Connection[Any], filling: Filling) -> dict[str, str]:
    row = connection.execute(
        "SELECT organization_id, template_id FROM rendering_document WHERE id = %s", [filling.sample]
    ).fetchone()
    assert row is not None
    return {"organization": row[0], "template": row[1]}


def _owner(number: str, filling: Filling) -> str:
    """Return the SQL of an organization's id by its number: 0 is the ordinary one, 1 the heavy one."""
    return (
        f"CASE ({number}) WHEN 0 THEN '{filling.ordinary}' WHEN 1 THEN '{filling.heavy}' "
        f"ELSE {_organization(f'({number})')} END"
    )


def _organization(number: str) -> str:
    return f"'org_' || lpad({number}::text, 26, '0')"
