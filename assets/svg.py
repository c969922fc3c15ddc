"""SVG read with suspicion: bytes in, a small tree out. Nothing else is ever opened. Pure.

Entities, declared attributes, scripts, event handlers and whatever refers to another file or address are
refused while the text is being parsed, and so are depth and size beyond any logo. Renderers draw from this
tree and from nothing else.
"""

from __future__ import annotations

import base64
import binascii
import math
import re
from dataclasses import field
from typing import Any, Final
from xml.parsers import expat

from config.patterns import late
from config.value import dataclass

MAX_BYTES: Final = 2_000_000
MAX_NODES: Final = 20_000
MAX_DEPTH: Final = 100
MAX_SIDE: Final = 100_000
DEFAULT_SIZE: Final = (300.0, 150.0)  # what CSS gives an image that tells neither size nor ratio

SVG_NAMESPACE: Final = "http://www.w3.org/2000/svg"
XML_NAMESPACE: Final = "http://www.w3.org/XML/1998/namespace"
XHTML_NAMESPACE: Final = "http://www.w3.org/1999/xhtml"
_SCRIPTING = frozenset(
    {
        "script",
        "foreignobject",
        "iframe",
        "object",
        "embed",
        "audio",
        "video",
        "canvas",
        "handler",
        "listener",
    }
)
_LINKS = ("http://", "https://", "mailto:", "#")
_EMBEDDED = late(r"\s*data:image/(?:png|jpe?g|webp);base64,", re.ASCII | re.IGNORECASE)
_URL = late(r"""url\(\s*['"]?\s*(.?)""", re.IGNORECASE | re.DOTALL)
_CSS_ESCAPE = late(r"\\(?:([0-9a-fA-F]{1,6})\s?|(.))", re.DOTALL)
# A number takes all of its digits and gives none back: they could be shared out in endless ways.
NUMBER: Final = r"[+-]?+(?:\d++(?:\.\d*+)?+|\.\d++)(?:[eE][+-]?\d{1,3})?+"
_LENGTH = late(
    rf"\s*+({NUMBER})\s*+(px|pt|pc|mm|cm|in|em|rem|ex|q|%)?\s*+",
    re.ASCII | re.IGNORECASE,
)
# CSS pixels of one unit; em and ex by the initial font size.
UNITS: Final = {
    "": 1.0,
    "px": 1.0,
    "pt": 96 / 72,
    "pc": 16.0,
    "mm": 96 / 25.4,
    "cm": 96 / 2.54,
    "in": 96.0,
    "em": 16.0,
    "rem": 16.0,
    "ex": 8.0,
    "q": 96 / 101.6,
}


class InvalidSvg(ValueError):
    """The bytes are no SVG that we take; the message says why and is fit for the person who uploaded it."""


@dataclass(slots=True)
class Node:
    """An element of the SVG namespace: `href` is the link of either namespace, text is among the children."""

    name: str
    attributes: dict[str, str]
    children: list[Node | str] = field(default_factory=list)

    @property
    def elements(self) -> list[Node]:
        """The child elements."""
        return [child for child in self.children if isinstance(child, Node)]

    @property
    def text(self) -> str:
        """The text directly inside."""
        return "".join(child for child in self.children if isinstance(child, str))


def looks_like_svg(data: bytes) -> bool:
    """Tell whether bytes may be an SVG: markup, whatever its encoding."""
    head = data[:1024].replace(b"\x00", b"").lstrip(b"\xef\xbb\xbf\xff\xfe \t\r\n")
    return head.startswith((b"<?xml", b"<svg", b"<!--", b"<!DOCTYPE svg"))


def parse_svg(data: bytes) -> Node:
    """Return the root element; raises InvalidSvg for what is no harmless SVG."""
    if len(data) > MAX_BYTES:
        raise InvalidSvg(f"the SVG is too large: the limit is {MAX_BYTES} bytes")
    reader = _Reader()
    parser = expat.ParserCreate(namespace_separator=" ")
    parser.buffer_text = True
    parser.StartElementHandler = reader.start
    parser.EndElementHandler = reader.end
    parser.CharacterDataHandler = reader.characters
    parser.EntityDeclHandler = reader.entity
    parser.AttlistDeclHandler = reader.attribute
    parser.ProcessingInstructionHandler = reader.instruction
    try:
        parser.Parse(data, True)
    except (expat.ExpatError, LookupError, ValueError) as error:
        if isinstance(error, InvalidSvg):
            raise
        raise InvalidSvg("the SVG is damaged or incomplete") from None
    if reader.root is None or reader.root.name != "svg":
        raise InvalidSvg("the file is XML, but no SVG")
    return reader.root


class _Reader:
    """Builds the tree, and stops at the first thing that does not belong into a picture."""

    def __init__(self) -> None:
        self.root: Node | None = None
        self._open: list[Node | None] = []  # None: an element of another namespace, left out with its content
        self._count = 0

    def entity(self, *declaration: Any) -> None:
        """Refuse entities: none is needed, and they grow without bound."""
        raise InvalidSvg("the SVG declares entities")

    def attribute(self, element: str, name: str, type_: str, default: str | None, required: int) -> None:
        """Refuse attributes with a default value: every element would have them without a letter."""
        if default is not None:
            raise InvalidSvg("the SVG declares attributes of its own")

    def instruction(self, target: str, data: str) -> None:
        """Refuse style sheets from elsewhere."""
        if target.lower() == "xml-stylesheet":
            raise InvalidSvg("the SVG refers to another file or address")

    def start(self, tag: str, given: dict[str, str]) -> None:
        """Open an element."""
        self._count += 1
        if self._count > MAX_NODES:
            raise InvalidSvg(f"the SVG has more than {MAX_NODES} elements")
        if len(self._open) >= MAX_DEPTH:
            raise InvalidSvg(f"the SVG is nested deeper than {MAX_DEPTH} elements")
        namespace, _, name = tag.rpartition(" ")
        if name.lower() in _SCRIPTING or namespace == XHTML_NAMESPACE:
            raise InvalidSvg(f"the SVG contains <{name[:40]}>")
        attributes = {_local(key): value for key, value in given.items()}
        _check(name, attributes)
        strange = namespace not in ("", SVG_NAMESPACE) or (bool(self._open) and self._open[-1] is None)
        # A style counts for the whole drawing, wherever it stands: its text is checked when it ends.
        node = None if strange and name != "style" else Node(name, attributes)
        parent = self._open[-1] if self._open else None
        if parent is not None and node is not None and not strange:
            parent.children.append(node)
        elif not self._open:
            self.root = node
        self._open.append(node)

    def end(self, tag: str) -> None:
        """Close an element."""
        node = self._open.pop()
        if node is not None and node.name == "style":
            _check_css(node.text)

    def characters(self, text: str) -> None:
        """Add text to the open element."""
        if self._open and self._open[-1] is not None:
            self._open[-1].children.append(text)


def _local(key: str) -> str:
    """Return an attribute's name without its namespace; only links keep their meaning without it."""
    namespace, _, name = key.rpartition(" ")
    if namespace.endswith("/xlink") or not namespace:
        return name
    return f"{'xml' if namespace == XML_NAMESPACE else 'other'}:{name}"


def _check(name: str, attributes: dict[str, str]) -> None:
    """Raise InvalidSvg for attributes that run, load or lead somewhere."""
    for key, value in attributes.items():
        local = key.rpartition(":")[2].lower()
        if local.startswith("on") and local.isalpha():
            raise InvalidSvg(f'the SVG has an event handler ("{key[:40]}")')
        if local in ("href", "src"):
            _check_link(name, value)
        elif key == "xml:base" or (local == "attributename" and value.lower().endswith("href")):
            raise InvalidSvg("the SVG refers to another file or address")
        elif "(" in value or "@" in value or "\\" in value or ":" in value:
            _check_css(value)


def _check_link(name: str, value: str) -> None:
    target = value.strip()
    if (name == "a" and target.lower().startswith(_LINKS)) or target.startswith("#") or not target:
        return
    if name in ("image", "feImage") and _EMBEDDED.match(target):
        return
    raise InvalidSvg("the SVG refers to another file or address")


def _check_css(text: str) -> None:
    """Raise InvalidSvg for style text that loads something; comments and escapes hide nothing."""
    plain = re.sub(r"/\*.*?(\*/|$)", "", _CSS_ESCAPE.sub(_unescaped, text), flags=re.DOTALL).lower()
    loads = any(first != "#" for first in _URL.findall(plain))
    if loads or "@import" in plain or "image-set(" in plain or "expression(" in plain:
        raise InvalidSvg("the SVG refers to another file or address")
    if re.match(r"[\s\x00-\x20]*(javascript|vbscript)\s*:", plain):
        raise InvalidSvg("the SVG contains a script")


def _unescaped(match: re.Match[str]) -> str:
    code = int(match[1], 16) if match[1] else ord(match[2])
    return chr(code) if 0 < code < 0x110000 else "\ufffd"


# ---------------------------------------------------------------- facts


def length(text: str | None, whole: float | None = None) -> float | None:
    """Return a length in CSS pixels; a percentage is of `whole`, None when it is none or cannot be known."""
    match = _LENGTH.fullmatch(text or "")
    if match is None:
        return None
    unit = (match[2] or "").lower()
    if unit == "%":
        return None if whole is None else _bounded(float(match[1]) * whole / 100)
    return _bounded(float(match[1]) * UNITS[unit])


def _bounded(value: float) -> float:
    return min(max(value, -1e9), 1e9) if math.isfinite(value) else 0.0


def view_box(root: Node) -> tuple[float, float, float, float] | None:
    """Return the viewBox: x, y, width, height; None when there is none or it is empty."""
    parts = re.split(r"[\s,]+", root.attributes.get("viewBox", "").strip())
    try:
        x, y, width, height = (_bounded(float(part)) for part in parts[:5])
    except ValueError:
        return None
    return (x, y, width, height) if width > 0 and height > 0 else None


def svg_size(root: Node) -> tuple[float, float]:
    """Return width and height in CSS pixels: as given, else by the viewBox."""
    box = view_box(root)
    width, height = length(root.attributes.get("width")), length(root.attributes.get("height"))
    width, height = (side if side and side > 0 else None for side in (width, height))
    if width is None and height is None:
        width, height = box[2:] if box else DEFAULT_SIZE
    elif width is None or height is None:
        ratio = box[2] / box[3] if box else DEFAULT_SIZE[0] / DEFAULT_SIZE[1]
        width, height = width or (height or 1.0) * ratio, height or (width or 1.0) / ratio
    return min(max(width, 0.01), MAX_SIDE), min(max(height, 0.01), MAX_SIDE)


def embedded_images(root: Node) -> list[bytes]:
    """Return the raster images inside; raises InvalidSvg when one is not base64."""
    found, left = [], [root]
    while left:
        node = left.pop()
        left += node.elements
        if node.name in ("image", "feImage") and not node.attributes.get("href", "#").startswith("#"):
            content = embedded_image(node.attributes["href"])
            if content is None:
                raise InvalidSvg("an image inside of the SVG is damaged")
            found.append(content)
    return found


def embedded_image(link: str) -> bytes | None:
    """Return the content of a data URI of a raster image; None for anything else."""
    head = _EMBEDDED.match(link)
    if head is None:
        return None
    try:
        return base64.b64decode("".join(link[head.end() :].split()), validate=True)
    except (binascii.Error, ValueError):
        return None
