"""Forms from definitions: what the editor asks for in a section, a page setting or a variable. Pure.

A kind's model is the only definition of its fields. What the types say becomes a control; the little that
they cannot say (better words, what to show first) is in `kinds/<kind>.py`, what many kinds share in
`overrides.py`. A new kind has its form without a line in any of them.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import cache
from types import NoneType, UnionType
from typing import Annotated, Any, Final, Literal, Union, get_args, get_origin, get_type_hints

from config.api.models import MISSING, FieldInfo, StrictModel
from dashboard.editor.kinds import KIND_FORMS
from dashboard.editor.kinds.base import Better, KindForm
from dashboard.editor.overrides import ANY_FIELD, OPTION_LABELS, PAGE_FIELDS
from templates_app.conditions import Condition
from templates_app.kinds import KINDS, AnySection
from templates_app.kinds.base import Color, GivenImage, ImageSource, LanguageTag, Name, Path
from templates_app.kinds.list import Entry
from templates_app.kinds.table_parts import Width
from templates_app.page import PageSettings, PaperSize
from templates_app.theme import AssetId
from templates_app.variables import ITEM, FormatText, FormulaText, LocaleText

Form = list[dict[str, Any]]

# Types with a name of their own, and the control that asks for such a value.
_NAMED: Final[tuple[tuple[Any, str], ...]] = (
    (Path, "path"),
    (Name, "name"),
    (Color, "color"),
    (Width, "width"),
    (FormulaText, "formula"),
    (FormatText, "format"),
    (LocaleText, "locale"),
    (LanguageTag, "locale"),
    (ImageSource, "image"),
    (GivenImage, "image"),
    (AssetId, "font"),
    (Condition, "condition"),
    (AnySection, "section"),
    (Entry, "entry"),
    (PaperSize, "paper"),
)
_LAST: Final = ("language", "showIf")  # what any kind may have
_MULTILINE: Final = 10_000  # letters; texts that may be as long get room for lines
_UNITS: Final = (("millimetre", "mm"), ("points", "pt"), ("degrees", "°"))
_ONLY_UNITS: Final = frozenset({"Millimetres.", "Points."})
# How a colour is written is for those who write JSON: here it is picked.
_NOTATION: Final = re.compile(r" as #rrggbb| \(#rrggbb\)")
_IS_OF_A_ROW: Final = re.compile(rf"\{{\{{{ITEM}\b").search
_LIMITS: Final = {"ge": "min", "gt": "above", "le": "max", "lt": "below"}


@cache
def kind_forms() -> list[dict[str, Any]]:
    """Return what the editor needs to know of every kind, in the order of the picker.

    Each: `type`, `label`, `help`, `group`, `icon`, `words` (see `KindForm`),
    `fields` (see `form_of`), `starter` (a new section of it).
    """
    known = [_kind(name) for name in KINDS]
    order = {name: place for place, name in enumerate(KIND_FORMS)}
    return sorted(known, key=lambda kind: order.get(kind["type"], len(order)))


def _kind(name: str) -> dict[str, Any]:
    model = KINDS[name]
    form = KIND_FORMS.get(name) or KindForm()
    fields = form_of(model, name)
    return {
        "type": name,
        "label": model.kind_label,
        "help": form.help or _first_line(model).replace("`", ""),
        "group": form.group,
        "icon": form.icon,
        "words": form.words,
        "fields": fields,
        "starter": {"type": name, **(form.starter or _starter(fields))},
    }


def page_form() -> Form:
    """Return the fields of the page settings."""
    return form_of(PageSettings, "page")


def form_of(model: type[StrictModel], place: str) -> Form:
    """Return the fields of a model as plain descriptions.

    Each has `name` (on the wire), `label`, `help`, `control`, `required` and `more` (shown on demand); where
    they apply: `default`, `options` (`value`, `label`), `min`, `max`, `unit`, `multiline`, `fields` (of an
    object or of each entry of a list), `example`, `least` and `most` entries, `starter` (a new entry), `row`
    (names of the row are offered: its example has some).
    `place` is where the model stands, such as `table.columns`.
    """
    hints = get_type_hints(model, include_extras=True, localns={"AnySection": AnySection})
    described = []
    for name, info in model.model_fields.items():
        wire = info.alias
        if name == "type" and place in KINDS:
            continue
        described.append(_field(f"{place}.{wire}", wire, hints[name], info))
    if place in KINDS:
        described.sort(key=lambda field: _LAST.index(field["name"]) if field["name"] in _LAST else -1)
    return described


def _field(place: str, wire: str, hint: Any, info: FieldInfo) -> dict[str, Any]:
    field: dict[str, Any] = {
        "name": wire,
        "label": _words(wire),
        "help": info.description or "",
        "required": info.is_required(),
        "more": False,
    }
    if info.default is not MISSING and info.default is not None:
        field["default"] = _plain(info.default)
    _put_limits(field, info)
    _put_control(field, hint, place)
    examples = info.examples or field.get("examples")
    for found_on_the_way in ("examples", "longest"):
        field.pop(found_on_the_way, None)
    if examples:
        field["example"] = examples[0]
    if field["control"] == "text" and _IS_OF_A_ROW(str(field.get("example", ""))):
        field["row"] = True
    if field["control"] == "number":
        field.setdefault("unit", _unit(field["help"]))
    if field["help"] in _ONLY_UNITS:
        field["help"] = ""
    field["help"] = field["help"].replace("`", "")
    if field["control"] == "color":
        field["help"] = _NOTATION.sub("", field["help"])
    return {**field, **ANY_FIELD.get(wire, {}), **_better(place)}


def _better(place: str) -> Better:
    """Return what is said of one field by hand."""
    kind, _, below = place.partition(".")
    fields = PAGE_FIELDS if kind == "page" else KIND_FORMS.get(kind, KindForm()).fields
    return fields.get(below, {})


def _put_control(field: dict[str, Any], hint: Any, place: str) -> None:
    """Say by which control a value of the type `hint` is asked for."""
    for named, control in _NAMED:
        if hint == named:
            field["control"] = control
            return _put_metadata(field, hint)
    origin = get_origin(hint)
    if origin is Annotated:
        _put_metadata(field, hint)
        return _put_control(field, get_args(hint)[0], place)
    if origin in (Union, UnionType):
        return _put_union(field, hint, place)
    if origin is Literal:
        field["control"] = "choice"
        field["options"] = [_option(value) for value in get_args(hint)]
    elif origin is list:
        _put_list(field, get_args(hint)[0], place)
    elif hint is bool:
        field["control"] = "switch"
    elif hint in (int, float):
        field["control"] = "number"
        field["whole"] = hint is int
    elif hint is str:
        field["control"] = "text"
        field["multiline"] = field.get("longest", _MULTILINE) >= _MULTILINE
    elif isinstance(hint, type) and issubclass(hint, StrictModel):
        field["control"] = "object"
        field["fields"] = form_of(hint, place)
    else:
        field["control"] = "json"
    return None


def _put_union(field: dict[str, Any], hint: Any, place: str) -> None:
    """An optional value; or what has several forms, of which the first with a name of its own counts."""
    members = [member for member in get_args(hint) if member is not NoneType]
    field["nullable"] = len(members) < len(get_args(hint))
    if len(members) == 1:
        return _put_control(field, members[0], place)
    field["control"] = "json"
    for member in members:
        if isinstance(member, type) and issubclass(member, StrictModel):
            field["fields"] = form_of(member, place)
        elif get_origin(member) is Literal:
            field["options"] = [_option(value) for value in get_args(member)]
    return None


def _put_list(field: dict[str, Any], entry: Any, place: str) -> None:
    if entry == AnySection:
        field["control"] = "sections"
    elif isinstance(entry, type) and issubclass(entry, StrictModel):
        field["control"] = "list"
        field["fields"] = form_of(entry, place)
        field["starter"] = _starter(field["fields"])
    else:
        below: dict[str, Any] = {"help": ""}
        _put_control(below, entry, place)
        field["control"] = "entries" if below["control"] == "entry" else "json"
        field["starter"] = ""


def _put_metadata(field: dict[str, Any], annotated: Any) -> None:
    """Take limits, words and examples from what annotates a type."""
    for extra in getattr(annotated, "__metadata__", ()):
        if isinstance(extra, FieldInfo):
            field["help"] = field["help"] or extra.description or ""
            if extra.examples:
                field["examples"] = extra.examples
            _put_limits(field, extra)


def _put_limits(field: dict[str, Any], info: FieldInfo) -> None:
    for theirs, ours in _LIMITS.items():
        if (value := getattr(info, theirs)) is not None:
            field[ours] = value
    if info.max_length is not None:
        field["longest"] = field["most"] = info.max_length
    if info.min_length is not None:
        field["least"] = info.min_length


def _starter(fields: Form) -> dict[str, Any]:
    """Return a new entry: what is required, by its example or by the least that it may be."""
    started: dict[str, Any] = {}
    for field in fields:
        if field["required"]:
            started[field["name"]] = _first_value(field)
    return started


def _first_value(field: Mapping[str, Any]) -> Any:
    if "example" in field:
        return field["example"]
    match field["control"]:
        case "list":
            return [field["starter"]] * max(1, field.get("least", 0))
        case "sections":
            return [{"type": "text", "content": ""}]
        case "object":
            return _starter(field["fields"])
        case "choice":
            return field["options"][0]["value"]
        case "number":
            return field.get("min", field.get("above", 0) + 1)
        case "switch":
            return False
        case "condition":
            return {"field": "name", "is": "set"}
    return ""


def _option(value: Any) -> dict[str, Any]:
    return {"value": value, "label": OPTION_LABELS.get(str(value)) or _words(str(value))}


def _plain(value: Any) -> Any:
    return value.model_dump() if isinstance(value, StrictModel) else value


def _unit(help: str) -> str:
    return next((unit for word, unit in _UNITS if word in help.lower()), "")


def _words(name: str) -> str:
    """Return `labelWidth` or `stacked_bar` as words."""
    words = re.sub(r"(?<=[a-z0-9])(?=[A-Z])", " ", name).replace("_", " ").lower()
    return words[:1].upper() + words[1:]


def _first_line(model: type[StrictModel]) -> str:
    return (model.__doc__ or "").strip().partition("\n")[0]
