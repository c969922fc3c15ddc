"""Base classes of the typed request bodies."""

from typing import Annotated, Any

from pydantic import BaseModel, BeforeValidator, ConfigDict
from pydantic.alias_generators import to_camel


def _whole(value: Any) -> Any:
    return int(value) if isinstance(value, float) and value.is_integer() else value


# JSON knows one kind of number: 2.0 is a whole one.
WholeNumber = Annotated[int, BeforeValidator(_whole)]


class StrictModel(BaseModel):
    """A section, variable or page setting: camelCase, no coercion, an unknown field is an error."""

    model_config = ConfigDict(
        alias_generator=to_camel,
        extra="forbid",
        strict=True,
        frozen=True,
        allow_inf_nan=False,
    )


class BodyModel(BaseModel):
    """The top level of a request body: as strict, but unknown fields are ignored."""

    model_config = ConfigDict(alias_generator=to_camel, extra="ignore", strict=True, allow_inf_nan=False)
