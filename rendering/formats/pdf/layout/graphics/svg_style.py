"""How SVG elements look: presentation attributes, style sheets, inheritance, colours and gradients."""

from __future__ import annotations

import colorsys
import re
from collections.abc import Iterator, Mapping, Sequence
from itertools import islice, pairwise
from typing import Final

from assets.svg import Node, length
from config.value import dataclass

Style = dict[str, str]

INHERITED: Final = frozenset(
    {
        "fill",
        "fill-opacity",
        "fill-rule",
        "stroke",
        "stroke-width",
        "stroke-opacity",
        "stroke-linecap",
        "stroke-linejoin",
        "stroke-dasharray",
        "color",
        "font-family",
        "font-size",
        "font-weight",
        "font-style",
        "text-anchor",
        "visibility",
    }
)
OWN: Final = frozenset(
    {"opacity", "display", "clip-path", "filter", "stop-color", "stop-opacity", "baseline-shift"}
)
INITIAL: Final[Mapping[str, str]] = {"fill": "black", "stroke": "none", "color": "black", "font-size": "16"}
MOST_RULES: Final = 2000
MOST_COMPOUND: Final = 200  # rules of several classes or ids
_NO_SELECTOR = re.compile("[{@]")
_SELECTOR = re.compile(r"(\*|[\w-]+)?((?:[.#][\w-]+)*)")
_REFERENCE = re.compile(r"""url\(\s*+['"]?+#([^'")]++)['"]?+\s*+\)\s*+(.*)""", re.DOTALL)
_CHANNELS = re.compile(r"(rgb|hsl)a?\(([^()]++)\)", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Paint:
    """A colour as `#rrggbb` and how opaque it is."""

    color: str
    opacity: float = 1.0


@dataclass(slots=True)
class _Rule:
    """A selector of one element and what it says; `place` orders rules of the same weight."""

    weight: tuple[int, int, int]
    place: int
    name: str
    ids: frozenset[str]
    classes: frozenset[str]
    style: Style


class Sheet:
    """The style sheets inside of one SVG: selectors of one element (`.a`, `#b`, `path.a`), no others.

    Rules are found by one of their words, so that many of them cost nothing for an element they do not mean.
    """

    def __init__(self, text: str) -> None:
        self._rules: dict[str, list[_Rule]] = {}
        self._known: dict[str, _Rule] = {}
        self._compound = 0
        text = re.sub(r"/\*.*?(\*/|$)", "", text, flags=re.DOTALL).replace("<![CDATA[", "").replace("]]>", "")
        for place, (selectors, block) in enumerate(islice(_rules(text), MOST_RULES)):
            style = declarations(block)
            for selector in selectors.split(",")[:MOST_RULES]:
                self._add(selector.strip(), place, style)

    def _add(self, selector: str, place: int, style: Style) -> None:
        known = self._known.get(selector)
        if known is not None:
            known.style.update(style)
            known.place = place
            return
        match = _SELECTOR.fullmatch(selector)
        if match is None or not selector or len(self._known) >= MOST_RULES:
            return
        name = "" if match[1] in (None, "*") else match[1]
        parts = re.findall(r"([.#])([\w-]+)", match[2])
        if len(parts) > 1:
            self._compound += 1
            if self._compound > MOST_COMPOUND:
                return
        ids = frozenset(word for sign, word in parts if sign == "#")
        classes = frozenset(word for sign, word in parts if sign == ".")
        weight = (len(ids), len(classes), int(bool(name)))
        rule = self._known[selector] = _Rule(weight, place, name, ids, classes, dict(style))
        key = parts[0][0] + parts[0][1] if parts else name
        self._rules.setdefault(key, []).append(rule)

    def style(self, node: Node) -> Style:
        """Return what the sheets say about an element, the strongest rule last."""
        if not self._rules:
            return {}
        name = node.attributes.get("id", "")
        classes = frozenset(node.attributes.get("class", "").split())
        keys = ["", node.name, f"#{name}", *(f".{each}" for each in sorted(classes))]
        found = [
            rule for key in keys for rule in self._rules.get(key, ()) if _holds(rule, node, name, classes)
        ]
        found.sort(key=lambda rule: (rule.weight, rule.place))
        style: Style = {}
        for rule in found:
            style.update(rule.style)
        return style


def _rules(text: str) -> Iterator[tuple[str, str]]:
    """Yield selectors and block of each rule; what stands before a brace or an at sign is none of it.

    By hand: an expression would look from each letter on for a brace that never comes.
    """
    *blocks, _ = text.split("}")
    for block in blocks:
        head, brace, inside = block.rpartition("{")
        selectors = _NO_SELECTOR.split(head)[-1]
        if brace and selectors:
            yield selectors, inside


def _holds(rule: _Rule, node: Node, name: str, classes: frozenset[str]) -> bool:
    return (not rule.name or rule.name == node.name) and rule.classes <= classes and rule.ids <= {name}


def declarations(text: str) -> Style:
    """Return the properties of a `style` attribute or block that we know."""
    style: Style = {}
    for declaration in text.split(";"):
        key, colon, value = declaration.partition(":")
        key = key.strip().lower()
        if colon and (key in INHERITED or key in OWN):
            style[key] = value.replace("!important", "").strip()
    return style


def styled(node: Node, parent: Style, sheet: Sheet) -> Style:
    """Return the style of an element: its own over what it inherits."""
    own: Style = {
        key: value.strip() for key, value in node.attributes.items() if key in INHERITED or key in OWN
    }
    own.update(sheet.style(node))
    if "style" in node.attributes:
        own.update(declarations(node.attributes["style"]))
    style = {key: value for key, value in parent.items() if key in INHERITED}
    for key, value in own.items():
        if value == "inherit":
            if key in parent:
                style[key] = parent[key]
        elif key == "font-size":
            style[key] = _font_size(value, style.get(key, INITIAL[key]))
        else:
            style[key] = value
    return style


def _font_size(value: str, parent: str) -> str:
    """Return a font size in user units; em and percent are of the parent's."""
    whole = float(parent)
    em = re.fullmatch(r"([\d.]{1,9})em", value)
    try:
        size = float(em[1]) * whole if em else length(value, whole)
    except ValueError:
        size = None
    return parent if size is None or size < 0 else repr(min(size, 1e5))


def fraction(text: str | None, default: float = 1.0) -> float:
    """Return an opacity or offset between 0 and 1, written as number or percentage."""
    text = (text or "").strip()
    try:
        value = float(text[:-1]) / 100 if text.endswith("%") else float(text)
    except ValueError:
        return default
    return min(max(value, 0.0), 1.0) if value == value else default


# ---------------------------------------------------------------- colours


def color(text: str, current: str = "black") -> Paint | None:
    """Return a colour of CSS; None for `none` and for what is no colour."""
    text = text.strip().lower()
    if text == "currentcolor":
        return color(current) if current.strip().lower() != "currentcolor" else Paint("#000000")
    if text in ("none", "transparent", ""):
        return None
    if text.startswith("#"):
        return _hexadecimal(text[1:])
    match = _CHANNELS.match(text)
    if match:
        return _channels(match[1].lower(), [part for part in re.split(r"[\s,/]+", match[2]) if part])
    return _named(text)


def _named(name: str) -> Paint | None:
    from PIL import ImageColor  # the 148 names of CSS

    if name not in ImageColor.colormap:
        return None
    red, green, blue = ImageColor.getrgb(name)[:3]
    return Paint(f"#{red:02x}{green:02x}{blue:02x}")


def _hexadecimal(digits: str) -> Paint | None:
    if not re.fullmatch(r"[0-9a-f]{3,4}|[0-9a-f]{6}|[0-9a-f]{8}", digits):
        return None
    if len(digits) < 6:
        digits = "".join(digit * 2 for digit in digits)
    return Paint("#" + digits[:6], int(digits[6:], 16) / 255 if len(digits) == 8 else 1.0)


def _channels(model: str, parts: Sequence[str]) -> Paint | None:
    if len(parts) not in (3, 4):
        return None
    opacity = fraction(parts[3]) if len(parts) == 4 else 1.0
    try:
        if model == "rgb":
            values = [float(p[:-1]) * 255 / 100 if p.endswith("%") else float(p) for p in parts[:3]]
        else:
            hue = float(parts[0].removesuffix("deg")) / 360 % 1.0
            saturation, lightness = (fraction(part) for part in parts[1:3])
            values = [value * 255 for value in colorsys.hls_to_rgb(hue, lightness, saturation)]
        red, green, blue = (int(min(max(value, 0.0), 255.0) + 0.5) for value in values)
    except (ValueError, OverflowError):
        return None
    return Paint(f"#{red:02x}{green:02x}{blue:02x}", opacity)


# ---------------------------------------------------------------- paints


class Paints:
    """Fills and strokes, gradients included: a gradient is its average colour."""

    def __init__(self, ids: Mapping[str, Node], sheet: Sheet) -> None:
        self._ids = ids
        self._sheet = sheet
        self._gradients: dict[str, Paint | None] = {}

    def paint(self, text: str, style: Style) -> Paint | None:
        """Return what a `fill` or `stroke` paints with; None for nothing."""
        reference = _REFERENCE.match(text.strip())
        current = style.get("color", "black")
        if reference is None:
            return color(text, current)
        name, fallback = reference[1].strip(), reference[2]
        if name not in self._gradients:
            self._gradients[name] = self._average(name)
        return self._gradients[name] or color(fallback, current)

    def _average(self, name: str) -> Paint | None:
        stops = self._stops(name, 0)
        if not stops:
            return None
        # The ends reach to the ends of the gradient; between two stops the colour is halfway.
        points = [(0.0, *stops[0][1:]), *stops, (1.0, *stops[-1][1:])]
        total = [0.0, 0.0, 0.0, 0.0]
        for first, second in pairwise(points):
            share = max(second[0] - first[0], 0.0) / 2
            for index in range(4):
                total[index] += share * (first[index + 1] + second[index + 1])
        red, green, blue = (min(round(value), 255) for value in total[:3])
        return Paint(f"#{red:02x}{green:02x}{blue:02x}", min(round(total[3], 4), 1.0))

    def _stops(self, name: str, depth: int) -> list[tuple[float, float, float, float, float]]:
        """Return offset, red, green, blue and opacity of each stop, those it refers to if it has none."""
        node = self._ids.get(name)
        if node is None or node.name not in ("linearGradient", "radialGradient") or depth > 10:
            return []
        found: list[tuple[float, float, float, float, float]] = []
        last = 0.0
        for stop in node.elements:
            if stop.name != "stop":
                continue
            style = styled(stop, {}, self._sheet)
            paint = color(style.get("stop-color", "black"), style.get("color", "black")) or Paint(
                "#000000", 0.0
            )
            last = max(last, fraction(stop.attributes.get("offset"), 0.0))
            red, green, blue = (int(paint.color[i : i + 2], 16) for i in (1, 3, 5))
            found.append((last, red, green, blue, paint.opacity * fraction(style.get("stop-opacity"))))
        return found or self._stops(node.attributes.get("href", "").lstrip("#"), depth + 1)
