"""What expressions are evaluated against: data, the variables that type it, and the template's style."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from templates_app.expressions.grammar import Expression, parse, parse_path
from templates_app.expressions.helpers import Format, Style
from templates_app.resolved import PAGE_COUNT, PAGE_NUMBER, ImageFile
from templates_app.variables import Variable, find, format_of


class ResolveError(Exception):
    """Data that passed its check cannot be used after all; `errors` maps field paths to messages."""

    def __init__(self, errors: Mapping[str, str]) -> None:
        super().__init__("; ".join(f"{field}: {text}" for field, text in errors.items()))
        self.errors = dict(errors)


class Scope:
    """Looks values up and writes them as text.

    `load_image(reference)` returns the checked image of an asset id or data URI and raises ValueError.
    """

    def __init__(
        self,
        values: Mapping[str, Any],
        variables: Mapping[str, Variable],
        style: Style,
        load_image: Callable[[str], ImageFile],
    ) -> None:
        self.values = values
        self.variables = variables
        self.style = style
        self._load_image = load_image

    def child(self, name: str, value: Any, variable: Variable | None = None) -> Scope:
        """Return a scope in which `name` stands for `value`, such as one entry of a list."""
        variables = dict(self.variables)
        variables.pop(name, None)
        if variable is not None:
            variables[name] = variable
        return Scope({**self.values, name: value}, variables, self.style, self._load_image)

    def value(self, path: tuple[str, ...]) -> Any:
        """Return the value at a path, None where the data has nothing."""
        return walk(self.values, path)

    def text(self, template: str) -> str:
        """Return `template` with every expression replaced by its formatted value."""
        if "{{" not in template:
            return template
        return "".join(part if isinstance(part, str) else self._write(part) for part in parse(template))

    def band_text(self, template: str) -> str:
        """Like `text`, with `{{page.number}}` and `{{page.count}}` left for the layout to fill."""
        known = {("page", "number"): PAGE_NUMBER, ("page", "count"): PAGE_COUNT}
        written = []
        for part in parse(template):
            if isinstance(part, Expression) and part.path in known:
                written.append(known[part.path])
            else:
                text = part if isinstance(part, str) else self._write(part)
                written.append(text.replace(PAGE_NUMBER, "").replace(PAGE_COUNT, ""))
        return "".join(written)

    def rows(self, source: str) -> list[Any]:
        """Return the list at a dotted path, empty when there is none; raises ResolveError for others."""
        value = self.value(parse_path(source))
        if value is None:
            return []
        if not isinstance(value, list):
            raise ResolveError({f"data.{source}": "must be a list"})
        return value

    def format_at(self, path: tuple[str, ...]) -> Format:
        """Return how the value at `path` is written by default."""
        return format_of(find(self.variables, path), self.style)

    def image(self, source: str, field: str) -> ImageFile | None:
        """Return the image that `source` (an id, a data URI, or an expression) names, None when it is empty.

        Raises ResolveError; `field` names the section's own field for a literal source.
        """
        parts = parse(source)
        reference = self.text(source).strip()
        if not reference:
            return None
        if len(parts) == 1 and isinstance(parts[0], Expression):
            field = "data." + ".".join(parts[0].path)
        try:
            return self._load_image(reference)
        except ValueError as error:
            raise ResolveError({field: str(error)}) from None

    def _write(self, expression: Expression) -> str:
        value = walk(self.values, expression.path)
        if value is None:
            return ""
        if expression.helper is not None:
            return Format(expression.helper, expression.argument, self.style).text(value)
        return self.format_at(expression.path).text(value)


def walk(value: Any, path: tuple[str, ...]) -> Any:
    """Follow names through objects and numbers through lists; None where the data ends."""
    for name in path:
        if isinstance(value, Mapping):
            value = value.get(name)
        elif isinstance(value, list) and name.isascii() and name.isdigit() and int(name[:9]) < len(value):
            value = value[int(name[:9])]
        else:
            return None
    return value
