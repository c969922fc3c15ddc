"""One maker of error bodies: order, wording, translation of what the framework raises."""

from __future__ import annotations

from typing import Annotated, Literal

import pydantic
import pytest
from django.core.exceptions import PermissionDenied, RequestDataTooBig
from django.http import Http404, UnreadablePostError
from pydantic import ValidationError
from rest_framework import exceptions

from config.api.bodies import BodyModel
from config.api.errors import (
    MAX_LISTED_ERRORS,
    MAX_PATH_LENGTH,
    ApiError,
    error_body,
    from_pydantic,
    invalid,
)
from config.api.failures import as_api_error, handle_exception
from config.api.models import Field, StrictModel, field_validator
from config.api.request_id import start_request


def test_the_body_of_an_error() -> None:
    start_request("abc-1")
    assert error_body("No") == {"message": "No", "requestId": "abc-1"}
    assert error_body("a: b", {"a": "b"}) == {
        "message": "a: b",
        "errors": [{"field": "a", "message": "b"}],
        "requestId": "abc-1",
    }


def test_fields_are_named_in_one_line_and_sorted() -> None:
    error = invalid({"templateId": "required", "format": 'must be "pdf" or "xlsx"'})
    assert error.status == 400
    assert error.message == 'format: must be "pdf" or "xlsx"; templateId: required'
    assert list(error.errors) == ["format", "templateId"]


def test_numbers_sort_as_numbers() -> None:
    paths = ["rows[10]", "rows[9].b", "rows[9].a", "rows", "rows[2]", "rows[02]", "page"]
    assert list(invalid(dict.fromkeys(paths, "x")).errors) == [
        "page",
        "rows",
        "rows[2]",
        "rows[02]",
        "rows[9].a",
        "rows[9].b",
        "rows[10]",
    ]


@pytest.mark.parametrize("name", ["²", "٣", "9" * 5000, "a²1", "\n", "", "½[1]"])
def test_no_name_of_a_caller_breaks_the_order(name: str) -> None:
    error = invalid({f"data.{name}": "x", "data.a": "x", "data[1]": "x"})
    assert len(error.errors) == 3
    assert error.message.isprintable()


def test_long_names_and_control_characters_stay_one_short_line() -> None:
    error = invalid({"a" * 10_000: "unknown field", "b\r\nc": "unknown field"})
    assert len(error.message) < MAX_PATH_LENGTH + 100
    assert "b\N{REPLACEMENT CHARACTER}\N{REPLACEMENT CHARACTER}c: unknown field" in error.message


def test_a_flood_of_errors_is_cut() -> None:
    error = invalid({f"rows[{index}]": "required" for index in range(MAX_LISTED_ERRORS + 7)})
    assert error.message.endswith("; and more")
    assert len(error.errors) == MAX_LISTED_ERRORS


class Column(StrictModel):
    key: str
    width: float | None = None
    share: float = Field(default=1, gt=0, le=2.5)
    align: Literal["left", "right"] = "left"


class Table(StrictModel):
    type: Literal["table"]
    source_name: str = Field(min_length=1)
    columns: list[Column] = Field(min_length=1, max_length=2)


class Spacer(StrictModel):
    type: Literal["spacer"]
    height: int = Field(gt=0, le=100)

    @field_validator("height")
    @classmethod
    def even(cls, value: int) -> int:
        if value % 2:
            raise ValueError("must be even")
        return value


class Body(BodyModel):
    name: str = pydantic.Field(max_length=5)
    flag: bool = False
    sections: list[Annotated[Table | Spacer, pydantic.Field(discriminator="type")]] = []


def errors_of(model: type, value: object, **options: object) -> dict[str, str]:
    with pytest.raises(ValidationError) as caught:
        model.model_validate(value)
    return from_pydantic(caught.value, **options)


TABLE = {"type": "table", "sourceName": "rows", "columns": [{"key": "a"}]}


@pytest.mark.parametrize(
    ("change", "errors"),
    [
        ({"sourceName": ""}, {"sourceName": "must not be empty"}),
        ({"sourceName": 1}, {"sourceName": "must be a string"}),
        ({"columns": []}, {"columns": "must not be empty"}),
        ({"columns": [{"key": "a"}] * 3}, {"columns": "must have at most 2 entries"}),
        ({"columns": {}}, {"columns": "must be a list"}),
        ({"columns": [{}]}, {"columns[0].key": "required"}),
        ({"columns": ["x"]}, {"columns[0]": "must be an object"}),
        ({"columns": [{"key": "a", "width": "1"}]}, {"columns[0].width": "must be a number"}),
        ({"columns": [{"key": "a", "width": float("inf")}]}, {"columns[0].width": "must be a finite number"}),
        ({"columns": [{"key": "a", "share": 0}]}, {"columns[0].share": "must be greater than 0"}),
        ({"columns": [{"key": "a", "share": 3}]}, {"columns[0].share": "must be at most 2.5"}),
        ({"columns": [{"key": "a", "align": "top"}]}, {"columns[0].align": 'must be "left" or "right"'}),
        ({"colums": 1}, {"colums": "unknown field"}),
        ({"type": "tabel"}, {"type": 'must be "table"'}),
    ],
)
def test_wording(change: dict[str, object], errors: dict[str, str]) -> None:
    assert errors_of(Table, TABLE | change) == errors


@pytest.mark.parametrize(
    ("height", "text"),
    [
        (0, "must be greater than 0"),
        (101, "must be at most 100"),
        (1.5, "must be a whole number"),
        ("4", "must be a whole number"),
        (True, "must be a whole number"),
        (3, "must be even"),
    ],
)
def test_wording_of_numbers(height: object, text: str) -> None:
    assert errors_of(Spacer, {"type": "spacer", "height": height}) == {"height": text}


def test_several_fields() -> None:
    assert errors_of(Spacer, {"size": 1}) == {
        "type": "required",
        "height": "required",
        "size": "unknown field",
    }


@pytest.mark.parametrize("value", [[], None])
def test_what_is_no_object_at_all(value: object) -> None:
    assert errors_of(Spacer, value) == {"body": "must be an object"}


def test_a_kind_is_told_by_its_type() -> None:
    found = errors_of(
        Body, {"name": "a", "sections": [{}, {"type": "x"}, {"type": "spacer"}]}, tagged="sections"
    )
    assert found == {
        "sections[0].type": "required",
        "sections[1].type": 'must be one of "table", "spacer"',
        "sections[2].height": "required",
    }


def test_unknown_fields_of_a_body_are_ignored() -> None:
    assert Body.model_validate({"name": "a", "other": 1}).name == "a"
    assert errors_of(Body, {"name": "abcdef", "flag": "yes"}) == {
        "name": "must have at most 5 characters",
        "flag": "must be true or false",
    }


@pytest.mark.parametrize(
    ("raised", "status", "message"),
    [
        (ApiError(404, "Template not found"), 404, "Template not found"),
        (
            exceptions.UnsupportedMediaType("text/plain"),
            415,
            "Unsupported content type: send the body as application/json",
        ),
        (exceptions.MethodNotAllowed("PUT"), 405, 'Method "PUT" not allowed.'),
        (exceptions.Throttled(1), 429, "Rate limit exceeded: try again in 1 second"),
        (exceptions.Throttled(), 429, "Rate limit exceeded: try again in 1 second"),
        (exceptions.ParseError("Bad"), 400, "Bad"),
        (RequestDataTooBig(), 413, "Request body is too large"),
        (UnreadablePostError(), 400, "Request body ended before it was complete"),
        (Http404(), 404, "Not found"),
        (PermissionDenied(), 403, "Forbidden"),
        (RecursionError(), 400, "Malformed JSON: nested too deep"),
    ],
)
def test_translation(raised: Exception, status: int, message: str) -> None:
    error = as_api_error(raised)
    assert error is not None
    assert (error.status, error.message) == (status, message)


def test_retry_after_is_rounded_up() -> None:
    throttled = exceptions.Throttled()
    throttled.wait = 11.2
    error = as_api_error(throttled)
    assert error is not None
    assert error.headers == {"Retry-After": "12"}


def test_a_crash_tells_nothing(caplog: pytest.LogCaptureFixture) -> None:
    start_request("crash-1")
    response = handle_exception(ZeroDivisionError("secret detail"), {})
    assert (response.status_code, response.data) == (
        500,
        {"message": "Internal server error", "requestId": "crash-1"},
    )
    assert "secret detail" in caplog.text


def test_a_401_names_its_scheme() -> None:
    response = handle_exception(ApiError(401, "Invalid API key"), {})
    assert response.headers["WWW-Authenticate"] == 'ApiKey realm="api"'
