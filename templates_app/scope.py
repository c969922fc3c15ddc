"""What expressions are evaluated against: data, the variables that type it, and the template's style."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from functools import lru_cache
from typing import Any, Final

from templates_app.expressions.grammar import Expression, parse, parse_path
from templates_app.expressions.helpers import (
    MOMENT_HELPERS,
    NUMBER_HELPERS,
    Format,
    Style,
    number_writer,
    parse_format,
    plain_text,
)
from templates_app.paths import gather, walk
from templates_app.resolved import PAGE_COUNT, PAGE_NUMBER, ImageFile, Rich
from templates_app.richtext import markdown, marks_of, rich
from templates_app.variables import Variable, find, format_of

PAGE_VALUES: Final = {("page", "number"): PAGE_NUMBER, ("page", "count"): PAGE_COUNT}
MAX_RESOLVED: Final = 500_000  # sections of one document, those of every entry of a group counted
MAX_LETTERS: Final = 300_000_000  # that expressions and formulas of one document write, all together
LONG: Final = 10_000  # letters of a text that is worth a look at the clock
_TYPED: Final = frozenset({*NUMBER_HELPERS, *MOMENT_HELPERS})
_PLACEHOLDERS: Final = str.maketrans("", "", PAGE_NUMBER + PAGE_COUNT)


# Literals, and what is read where and written how.
Plan = tuple[str | tuple[tuple[str, ...], Format], ...]
ColumnKey = tuple[tuple[str, ...], str | None, str | None, str | None]


class ResolveError(Exception):
    """Data that passed its check cannot be used after all; `errors` maps field paths to messages."""

    def __init__(self, errors: Mapping[str, str]) -> None:
        super().__init__("; ".join(f"{field}: {text}" for field, text in errors.items()))
        self.errors = dict(errors)

    def below(self, place: str) -> ResolveError:
        """Return the error as seen from further out: `place` goes before fields of the template."""
        return ResolveError(
            {
                path if path == "data" or path.startswith("data.") else f"{place}.{path}": text
                for path, text in self.errors.items()
            }
        )


class Types:
    """The variables in reach and the style: how each path is written. One for all renders of a template."""

    def __init__(self, variables: Mapping[str, Variable], style: Style) -> None:
        self.variables = variables
        self.style = style
        self._formats: dict[tuple[str, ...], Format] = {}
        self._written: dict[str, Format] = {}
        self._children: dict[tuple[str, tuple[str, ...]], Types] = {}
        self._plans: dict[str, Plan | None] = {}
        self._columns: dict[ColumnKey, Format] = {}
        self._fixed: dict[str, bool] = {}
        self._found: dict[tuple[str, ...], Variable | None] = {}

    def variable(self, path: tuple[str, ...]) -> Variable | None:
        """Return the variable at a path of the template, or None."""
        try:
            return self._found[path]
        except KeyError:
            found = self._found[path] = find(self.variables, path)
            return found

    def plan(self, template: str) -> Plan | None:
        """Return the parts of a text without marks, with the format of each expression; None for others."""
        try:
            return self._plans[template]
        except KeyError:
            pass
        plan: Plan | None = None
        if "|markdown" not in template and not marks_of(template):
            plan = tuple(
                part if isinstance(part, str) else (part.path, self.format_for(part))
                for part in (parse(template) if "{{" in template else (template,))
            )
        self._plans[template] = plan
        return plan

    def is_fixed(self, source: str) -> bool:
        """Tell whether the source of an image has no expression; asked once, since a data URI is long."""
        found = self._fixed.get(source)
        if found is None:
            found = self._fixed[source] = "{{" not in source
        return found

    def column_format(
        self, source: tuple[str, ...], key: str | None, text: str | None, locale: str | None
    ) -> Format:
        """Return how a column of the list at `source` is written: by `text`, else as its field `key` is.

        A locale is that of the column where its `text` names no other; it leaves the field's time zone.
        """
        found = self._columns.get((source, key, text, locale))
        if found is None:
            named = {} if locale is None else {"locale": locale.replace("-", "_")}
            style = replace(self.style, **named)
            if text is not None:
                found = Format(*parse_format(text), style)
            elif key is None:
                found = Format(None, None, style)
            else:
                found = format_of(find(self.variables, (*source, *key.split("."))), style)
                found = replace(found, style=replace(found.style, **named))
            self._columns[source, key, text, locale] = found
        return found

    def format_at(self, path: tuple[str, ...]) -> Format:
        """Return how the value at `path` is written by default."""
        found = self._formats.get(path)
        if found is None:
            found = self._formats[path] = format_of(find(self.variables, path), self.style)
        return found

    def format_for(self, expression: Expression) -> Format:
        """Return how the value of an expression is written."""
        found = self._written.get(expression.source)
        if found is None:
            found = (
                Format(expression.helper, expression.argument, self.style)
                if expression.helper is not None
                else self.format_at(expression.path)
            )
            self._written[expression.source] = found
        return found

    def entry(self, name: str, source: tuple[str, ...]) -> Types:
        """Return the types of a scope in which `name` stands for an entry of the list at `source`."""
        found = self._children.get((name, source))
        if found is None:
            variable = find(self.variables, source)
            entry = (
                variable.model_copy(update={"name": name, "type": "object", "inferred": False})
                if variable is not None and variable.fields
                else None
            )
            found = self._children[name, source] = self.with_variable(name, entry)
        return found

    def with_variable(self, name: str, variable: Variable | None) -> Types:
        """Return the types of a scope in which `name` is another variable, None for one of no known type."""
        variables = dict(self.variables)
        variables.pop(name, None)
        if variable is not None:
            variables[name] = variable
        return Types(variables, self.style)


class Numbering:
    """Numbers headings: 1, 1.1, 1.2, 2."""

    def __init__(self) -> None:
        self._counts: list[int] = []

    def next(self, level: int) -> str:
        """Return the number of the next heading of `level` (from 1)."""
        self._counts = self._counts[:level] + [0] * (level - len(self._counts))
        self._counts[level - 1] += 1
        first = next(index for index, count in enumerate(self._counts) if count)
        return ".".join(map(str, self._counts[first:]))


class Budget:
    """What one render may resolve: groups over long lists inside of each other multiply, and so does a long
    value that a text names a thousand times.

    `check_time` raises once the render has used up its time. `with_places`: sections keep where they are
    written (`ResolvedPlace`).
    """

    def __init__(self, check_time: Callable[[], None] = lambda: None, *, with_places: bool = False) -> None:
        self.with_places = with_places
        self._left = MAX_RESOLVED
        self._letters = MAX_LETTERS
        self.check_time = check_time

    def spend(self) -> None:
        """Count one section; raises ResolveError when there were too many."""
        self._left -= 1
        if self._left < 0:
            raise ResolveError({"data": f"makes more than {MAX_RESOLVED} sections"})
        self.check_time()

    def write(self, letters: int) -> None:
        """Count what an expression or a formula writes; raises ResolveError when it is too much."""
        self._letters -= letters
        if self._letters < 0:
            raise ResolveError({"data": f"makes texts of more than {MAX_LETTERS} characters"})
        if letters > LONG:
            self.check_time()


class Scope:
    """Looks values up and writes them as text.

    `load_image(reference)` returns the checked image of an asset id or data URI and raises ValueError.
    `locals` are the names that enclosing sections add (the entry of a group), with their place in the data.
    In a scope `for_bands` `{{page.number}}` and `{{page.count}}` are left for the layout to fill.
    """

    __slots__ = ("_places", "budget", "for_bands", "load_image", "locals", "numbering", "types", "values")

    def __init__(
        self,
        values: Mapping[str, Any],
        variables: Mapping[str, Variable] | Types,
        style: Style,
        load_image: Callable[[str], ImageFile],
        *,
        numbering: Numbering | None = None,
        for_bands: bool = False,
        budget: Budget | None = None,
    ) -> None:
        self.values = values
        self.types = variables if isinstance(variables, Types) else Types(variables, style)
        self.load_image = load_image
        self.locals: Mapping[str, Any] = {}
        self.numbering = numbering
        self.for_bands = for_bands
        self.budget = budget or Budget()
        self._places: Mapping[str, str] = {}

    @property
    def style(self) -> Style:
        """How values are written."""
        return self.types.style

    @property
    def variables(self) -> Mapping[str, Variable]:
        """Variables by name."""
        return self.types.variables

    def child(self, name: str, value: Any, types: Types | None = None, place: str | None = None) -> Scope:
        """Return a scope in which `name` stands for `value`, found at `place` of the data."""
        made = Scope(
            self.values,
            types or self.types.with_variable(name, None),
            self.style,
            self.load_image,
            numbering=self.numbering,
            for_bands=self.for_bands,
            budget=self.budget,
        )
        made.locals = {**self.locals, name: value}
        made._places = {**self._places, name: place or name}
        return made

    def entries(self, name: str, source: str) -> list[Scope]:
        """Return a scope for each entry of the list at a dotted path; raises ResolveError when it is none."""
        types = self.types.entry(name, parse_path(source))
        place = self.place(parse_path(source))
        return [
            self.child(name, entry, types, f"{place}[{index}]")
            for index, entry in enumerate(self.rows(source))
        ]

    def place(self, path: tuple[str, ...]) -> str:
        """Return where a path leads to in the data: `item.price` may be `items[3].price`."""
        return ".".join((self._places.get(path[0], path[0]), *path[1:]))

    def origin(self, template: str, field: str) -> str:
        """Return what an error names for a text: where its one expression leads in the data, else `field`."""
        parts = parse(template)
        only = parts[0] if len(parts) == 1 else None
        return f"data.{self.place(only.path)}" if isinstance(only, Expression) else field

    def value(self, path: tuple[str, ...]) -> Any:
        """Return the value at a path, None where the data has nothing."""
        values = self.locals if path[0] in self.locals else self.values
        return values.get(path[0]) if len(path) == 1 else walk(values, path)

    def gather(self, path: tuple[str, ...]) -> Any:
        """Return what a formula reads at a path: as `value`, all values of a list where it holds `"[]"`."""
        return gather(self.locals if path[0] in self.locals else self.values, path)

    def text(self, template: str) -> str:
        """Return `template` with every expression replaced by its formatted value; marks stay letters."""
        if "{{" not in template:
            return template
        return "".join([part if isinstance(part, str) else self.write(part) for part in parse(template)])

    def rich(self, template: str) -> Rich:
        """Return `template` filled in, with its inline marks applied."""
        if self.for_bands:
            return rich(template.translate(_PLACEHOLDERS), self._write_rich)
        plan = self.types.plan(template)
        if plan is None:
            return rich(template, self._write_rich)
        if len(plan) == 1:
            part = plan[0]
            return part if isinstance(part, str) else self._value_text(part)
        return "".join([part if isinstance(part, str) else self._value_text(part) for part in plan])

    def typed(self, template: str) -> tuple[Any, Format] | None:
        """Return the value and the format of a text that is one number or moment; None for any other."""
        plan = self.types.plan(template)
        if plan is None or len(plan) != 1 or isinstance(plan[0], str):
            return None
        path, written = plan[0]
        return (self.value(path), written) if written.helper in _TYPED else None

    def _value_text(self, part: tuple[tuple[str, ...], Format]) -> str:
        value = self.value(part[0])
        if value is None:
            return ""
        text = write_value(part[1], value)
        self.budget.write(len(text))
        return text

    def rows(self, source: str) -> list[Any]:
        """Return the list at a dotted path, empty when there is none; raises ResolveError for others."""
        path = parse_path(source)
        value = self.value(path)
        if value is None:
            return []
        if not isinstance(value, list):
            raise ResolveError({f"data.{self.place(path)}": "must be a list"})
        return value

    def format_at(self, path: tuple[str, ...]) -> Format:
        """Return how the value at `path` is written by default."""
        return self.types.format_at(path)

    def image(self, source: str, field: str) -> ImageFile | None:
        """Return the image that `source` (an id, a data URI, or an expression) names, None when it is empty.

        Raises ResolveError; `field` names the section's own field for a literal source.
        """
        if not self.types.is_fixed(source):
            field, source = self.origin(source, field), self.text(source)
        reference = source.strip()
        if not reference:
            return None
        try:
            return self.load(reference)
        except ValueError as error:
            raise ResolveError({field: str(error)}) from None

    def load(self, reference: str) -> ImageFile:
        """Return the image of an asset id or data URI; raises ValueError with the reason.

        Some hundred bytes may be an image of seconds: each looks at the clock first.
        """
        self.budget.check_time()
        return self.load_image(reference)

    def _write_rich(self, expression: Expression) -> Rich:
        if expression.helper != "markdown":
            return self.write(expression)
        value = self.value(expression.path)
        text = "" if value is None else plain_text(value, self.style)
        self.budget.write(len(text))
        made = markdown(text)
        return _without_placeholders(made) if self.for_bands else made

    def write(self, expression: Expression) -> str:
        """Return the value of an expression as text."""
        if self.for_bands and expression.path in PAGE_VALUES:
            return PAGE_VALUES[expression.path]
        value = self.value(expression.path)
        if value is None:
            return ""
        text = write_value(self.types.format_for(expression), value)
        self.budget.write(len(text))
        return text.translate(_PLACEHOLDERS) if self.for_bands else text


def write_value(written: Format, value: Any) -> str:
    """Return `written.text(value)`, by the quick ways where there are some."""
    helper = written.helper
    if helper is None and type(value) is str:
        return value
    if helper in NUMBER_HELPERS and type(value) in {int, float}:
        return number_writer(helper or "", written.argument, written.style).one(value)
    if helper in MOMENT_HELPERS and type(value) is str and len(value) < 50:
        return _moment_text(written, value)
    return written.text(value)


@lru_cache(maxsize=4096)
def _moment_text(written: Format, value: str) -> str:
    return written.text(value)


def _without_placeholders(text: Rich) -> Rich:
    """Remove what only the layout may write from a value."""
    if isinstance(text, str):
        return text.translate(_PLACEHOLDERS)
    return tuple(replace(span, text=span.text.translate(_PLACEHOLDERS)) for span in text)
