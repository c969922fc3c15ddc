"""Images as PDF holds them. JPEG and most PNG files are passed through as they are, without decoding.

What a file becomes is remembered by the process, since logos come back with every document. Colour profiles
are dropped: the colours are taken as sRGB.
"""

from __future__ import annotations

import struct
from collections.abc import Callable, Iterator
from dataclasses import replace
from io import BytesIO
from typing import TYPE_CHECKING, Any, Final

import deflate

from config.kept import Kept
from config.large_images import turn_for
from config.value import value
from rendering.formats.base import RenderError
from templates_app.resolved import ImageFile

if TYPE_CHECKING:
    from PIL.Image import Image

Matrix = tuple[float, float, float, float, float, float]

_SIGNATURE: Final = b"\x89PNG\r\n\x1a\n"
_GRAY, _RGB, _PALETTE = 0, 2, 3  # colour types of PNG that have no alpha channel
_SPACES: Final = {1: "/DeviceGray", 3: "/DeviceRGB", 4: "/DeviceCMYK"}
# How a unit square is turned for each EXIF orientation, the picture's corner to be upright again.
TURNS: Final[dict[int, Matrix]] = {
    2: (-1, 0, 0, 1, 1, 0),
    3: (-1, 0, 0, -1, 1, 1),
    4: (1, 0, 0, -1, 0, 1),
    5: (0, -1, -1, 0, 1, 1),
    6: (0, -1, 1, 0, 0, 1),
    7: (0, 1, 1, 0, 0, 0),
    8: (0, 1, -1, 0, 1, 0),
}
# A lossy WebP of more pixels becomes a JPEG again: a photograph kept without loss is five to ten times as
# large. Smaller ones (icons, logos) stay lossless, their edges would show the second loss and nothing is won.
_SMALL: Final = 128 * 128
_QUALITY: Final = 90
_FAST: Final = 3  # compression level: level 6 takes twice the time for a twentieth less

_encoded: Final = Kept[tuple[bytes, Any], "Encoded"](32 << 20)  # by the file and by what made it


class _NotPlain(Exception):
    """The file needs a decoder: it cannot be passed through."""


@value
class Encoded:
    """An image XObject: the inside of its dictionary without colour space, and its data as written.

    `palette` is an RGB table when the samples are indexes. `turn` maps the unit square to itself, for images
    that are stored lying on their side.
    """

    entries: str
    space: str
    data: bytes
    palette: bytes = b""
    mask: Encoded | None = None
    turn: Matrix | None = None

    @property
    def size(self) -> int:
        """Bytes that it takes in memory, about."""
        return len(self.data) + len(self.palette) + 500 + (self.mask.size if self.mask else 0)


def encode(image: ImageFile, *, only_rgb: bool = False) -> Encoded:
    """Return an image as PDF holds it. Raises RenderError for one that cannot be read.

    `only_rgb`: one whose colours are a printer's inks (CMYK) gets those of a screen.
    """
    content = image.content
    encoded = _kept(content, _encode)
    if only_rgb and encoded.space == _SPACES[4]:
        encoded = _kept(content, _decode)
    return encoded


def _kept(content: bytes, make: Callable[[bytes], Encoded]) -> Encoded:
    return _encoded.get((content, make), lambda: make(content), lambda made: len(content) + made.size)


def _encode(content: bytes) -> Encoded:
    try:
        if content[:3] == b"\xff\xd8\xff":
            return _jpeg(content)
        if content[:8] == _SIGNATURE:
            return _png(content)
    except (_NotPlain, struct.error, IndexError, ValueError):
        pass  # odd or damaged: the decoder knows
    return _decode(content)


# ---------------------------------------------------------------- JPEG


def _jpeg(content: bytes) -> Encoded:
    """Pass a JPEG through: baseline or progressive, of 8 bits."""
    orientation, adobe = 1, False
    for marker, start, stop in _segments(content):
        if marker == 0xE1 and content[start : start + 6] == b"Exif\0\0":
            orientation = _orientation(content[start + 6 : stop])
        elif marker == 0xEE and content[start : start + 5] == b"Adobe":
            adobe = True
        elif marker in (0xC0, 0xC1, 0xC2):
            bits, height, width, components = struct.unpack_from(">BHHB", content, start)
            if bits != 8 or components not in _SPACES or not (width and height) or b"\xff\xd9" not in content:
                break
            # Photoshop writes CMYK with the inks inverted, and everybody who reads the mark expects it.
            decode = "/Decode[1 0 1 0 1 0 1 0]" if components == 4 and adobe else ""
            entries = f"/Width {width}/Height {height}/BitsPerComponent 8{decode}/Filter/DCTDecode"
            return Encoded(entries, _SPACES[components], content, turn=TURNS.get(orientation))
        elif 0xC3 <= marker <= 0xCF and marker not in (0xC4, 0xCC):
            break  # lossless or arithmetic coding, which PDF does not know
    raise _NotPlain


def _segments(content: bytes) -> Iterator[tuple[int, int, int]]:
    """Yield marker, start and end of each segment up to the first scan; raises IndexError when cut off."""
    at = 2
    while True:
        if content[at] != 0xFF:
            raise ValueError("no marker")
        marker = content[at + 1]
        if marker == 0xFF:  # fill byte
            at += 1
        elif marker == 0x01 or 0xD0 <= marker <= 0xD7:
            at += 2
        elif marker in (0xD8, 0xD9, 0xDA):
            return
        else:
            length = content[at + 2] << 8 | content[at + 3]
            yield marker, at + 4, at + 2 + length
            at += 2 + length


def _orientation(exif: bytes) -> int:
    """Return the orientation (1 to 8) of a TIFF header; 1 when it tells none or is damaged."""
    order = "<" if exif[:2] == b"II" else ">"
    try:
        (at,) = struct.unpack_from(order + "I", exif, 4)
        (count,) = struct.unpack_from(order + "H", exif, at)
        for entry in range(at + 2, at + 2 + 12 * count, 12):
            tag, _, _, value = struct.unpack_from(order + "HHIH", exif, entry)
            if tag == 0x0112:
                return int(value)
    except struct.error:
        pass
    return 1


# ---------------------------------------------------------------- PNG


def _png(content: bytes) -> Encoded:
    """Pass a PNG through: PDF reads the same deflated and filtered rows (predictor 15)."""
    width, height, bits, color, _, _, interlaced = struct.unpack_from(">IIBBBBB", content, 16)
    if interlaced or color not in (_GRAY, _RGB, _PALETTE):
        raise _NotPlain
    palette, rows = b"", []
    for kind, start, stop in _chunks(content):
        if kind == b"tRNS":
            raise _NotPlain
        if kind == b"PLTE" and color == _PALETTE:
            palette = content[start:stop]
        elif kind == b"IDAT":
            rows.append(content[start:stop])
    if not rows or not (width and height) or (color == _PALETTE and not palette):
        raise ValueError("incomplete")
    colors = 3 if color == _RGB else 1
    entries = (
        f"/Width {width}/Height {height}/BitsPerComponent {bits}/Filter/FlateDecode"
        f"/DecodeParms<</Predictor 15/Colors {colors}/BitsPerComponent {bits}/Columns {width}>>"
    )
    return Encoded(entries, _SPACES[colors], rows[0] if len(rows) == 1 else b"".join(rows), palette)


def _chunks(content: bytes) -> Iterator[tuple[bytes, int, int]]:
    """Yield kind, start and end of the chunks; raises ValueError for a damaged or missing one."""
    at, end = 8, len(content)
    view = memoryview(content)
    while at + 12 <= end:
        length, kind = struct.unpack_from(">I4s", content, at)
        start, stop = at + 8, at + 8 + length
        if stop + 4 > end:
            break
        if deflate.crc32(view[at + 4 : stop]) != int.from_bytes(view[stop : stop + 4], "big"):
            raise ValueError("checksum")
        if kind == b"IEND":
            return
        yield kind, start, stop
        at = stop + 4
    raise ValueError("cut off")


# ---------------------------------------------------------------- everything else


def _decode(content: bytes) -> Encoded:
    """Decode an image and write it anew: what is opaque as RGB or gray, transparency as a mask."""
    from PIL import Image, ImageOps  # not at the top: most documents need no decoder

    try:
        with Image.open(BytesIO(content), formats=("PNG", "JPEG", "WEBP")) as image:
            pixels = image.width * image.height
            with turn_for(pixels):
                image.load()
                lossy = pixels > _SMALL and _is_lossy_webp(content)
                return _written(ImageOps.exif_transpose(image), lossy=lossy)
    except Exception as error:  # decoders of damaged data fail in all sorts of ways
        raise RenderError("Image cannot be read") from error


def _is_lossy_webp(content: bytes) -> bool:
    at, end = 12, len(content)
    while content[:4] == b"RIFF" and at + 8 <= end:
        kind, length = struct.unpack_from("<4sI", content, at)
        if kind in (b"VP8 ", b"VP8L"):
            return bool(kind == b"VP8 ")
        at += 8 + length + length % 2
    return False


def _written(image: Image, *, lossy: bool) -> Encoded:
    mask = None
    if image.mode.startswith("I"):
        image = _eight_bits(image)
    elif image.has_transparency_data:
        image = image.convert("LA" if image.mode in ("1", "L", "LA") else "RGBA")
        alpha = image.getchannel("A")
        if alpha.getextrema() != (255, 255):
            mask = _saved(alpha)
        image = image.convert(image.mode.removesuffix("A"))
    if image.mode not in ("1", "L", "P", "RGB"):
        image = image.convert("RGB")
    return replace(_saved(image, lossy=lossy), mask=mask)


def _eight_bits(image: Image) -> Image:
    """Return 16 bits of gray as 8; a plain conversion would make white of everything above 255."""
    return image.convert("I").point(lambda value: value * (1 / 256)).convert("L")


def _saved(image: Image, *, lossy: bool = False) -> Encoded:
    """Have Pillow write a file that can be passed through: its encoder picks good row filters."""
    out = BytesIO()
    if lossy:
        image.convert("RGB").save(out, "JPEG", quality=_QUALITY, subsampling=0)
        return _jpeg(out.getvalue())
    for stray in ("transparency", "icc_profile", "exif"):
        image.info.pop(stray, None)
    image.save(out, "PNG", compress_level=_FAST)
    return _png(out.getvalue())
