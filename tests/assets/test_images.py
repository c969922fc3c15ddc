"""What counts as an image, whatever its file name says."""

import struct
import zlib
from collections.abc import Iterator
from io import BytesIO

import pytest
from PIL import Image

from assets.images import ImageInfo, InvalidImage, inspect_image, prepare_image, read_header
from tests.png import chunk, png_file

LIMIT = 1_000_000


def picture(form: str, size: tuple[int, int] = (40, 20), mode: str = "RGB", **options: object) -> bytes:
    out = BytesIO()
    Image.effect_noise(size, 60).convert(mode).save(out, form, **options)
    return out.getvalue()


def png_header(width: int, height: int) -> bytes:
    """A PNG that claims a size and holds next to nothing."""
    return png_file(struct.pack(">IIBBBBB", width, height, 8, 2, 0, 0, 0), b"\0" * 64)


@pytest.mark.parametrize(
    ("form", "content_type"), [("PNG", "image/png"), ("JPEG", "image/jpeg"), ("WEBP", "image/webp")]
)
def test_content_decides(form: str, content_type: str) -> None:
    assert inspect_image(picture(form), LIMIT) == ImageInfo(content_type, 40, 20)


@pytest.mark.parametrize("mode", ["1", "L", "LA", "P", "RGB", "RGBA", "I;16"])
def test_every_png_mode_is_taken(mode: str) -> None:
    out = BytesIO()
    Image.new(mode, (3, 2)).save(out, "PNG")
    assert inspect_image(out.getvalue(), LIMIT).width == 3


@pytest.mark.parametrize("form", ["GIF", "BMP", "TIFF", "ICO", "PPM"])
def test_other_formats_are_refused(form: str) -> None:
    with pytest.raises(InvalidImage, match="not a PNG, JPEG, WebP or SVG image"):
        inspect_image(picture(form), LIMIT)


@pytest.mark.parametrize(
    "data",
    [
        b"<svg xmlns='http://www.w3.org/2000/svg'><script/></svg>",
        b"%PDF-1.7",
        b"GIF89a",
        b"\x89PNG\r\n\x1a\n",
        b"\xff\xd8\xff",
        b"\0" * 99,
    ],
)
def test_what_is_no_image_is_refused(data: bytes) -> None:
    with pytest.raises(InvalidImage):
        inspect_image(data, LIMIT)


def test_empty_file() -> None:
    with pytest.raises(InvalidImage, match="the file is empty"):
        inspect_image(b"", LIMIT)


@pytest.mark.parametrize("form", ["PNG", "JPEG", "WEBP"])
def test_truncated_data_is_refused(form: str) -> None:
    data = picture(form, (200, 200))
    with pytest.raises(InvalidImage, match="damaged or incomplete|not a PNG"):
        inspect_image(data[: len(data) // 2], LIMIT)


def test_flipped_bytes_in_a_png_are_noticed() -> None:
    data = bytearray(picture("PNG", (200, 200)))
    data[len(data) // 2] ^= 0xFF
    with pytest.raises(InvalidImage, match="damaged or incomplete"):
        inspect_image(bytes(data), LIMIT)


@pytest.mark.parametrize("size", [(1001, 1000), (60_000, 60_000), (2**31 - 1, 2**31 - 1), (1, 2_000_000)])
def test_pixel_bombs_are_refused_before_decoding(
    size: tuple[int, int], monkeypatch: pytest.MonkeyPatch
) -> None:
    def never(self: Image.Image) -> None:
        raise AssertionError("decoded")

    monkeypatch.setattr("PIL.PngImagePlugin.PngImageFile.load", never)
    with pytest.raises(InvalidImage, match="pixels"):
        inspect_image(png_header(*size), LIMIT)


def test_exactly_the_limit_is_allowed() -> None:
    assert inspect_image(picture("PNG", (40, 20)), 800).height == 20
    with pytest.raises(InvalidImage, match=r"40 x 20 pixels; the limit is 799 in total \(MAX_IMAGE_PIXELS\)"):
        inspect_image(picture("PNG", (40, 20)), 799)


def test_text_bomb_in_a_png() -> None:
    body = b"Comment\0\0" + zlib.compress(b"a" * 80_000_000, 9)
    data = picture("PNG")
    with pytest.raises(InvalidImage):
        inspect_image(data[:33] + chunk(b"zTXt", body) + data[33:], LIMIT)


def pictures_of_many_parts() -> Iterator[tuple[str, bytes, bytes]]:
    """A name, a picture with as many parts as are read, and one with more than any has."""
    png, jpeg = picture("PNG"), picture("JPEG", progressive=True)
    profile = chunk(b"iCCP", b"sRGB\0\0" + zlib.compress(bytes(900_000)))
    yield (
        "chunks",
        png[:33] + chunk(b"teSt", b"") * 2000 + png[33:],
        png[:33] + chunk(b"teSt", b"") * 10_001 + png[33:],
    )
    yield "profiles", png, png[:33] + profile * 2 + png[33:]
    # The last scan, which is empty, over all pixels again.
    scan = jpeg[jpeg.rindex(b"\xff\xda") : -2]
    yield "scans", jpeg[:-2] + scan * 20 + jpeg[-2:], jpeg[:-2] + scan * 100 + jpeg[-2:]
    for name, part in (
        ("segments", b"\xff\xe5\0\2"),
        ("comments", b"\xff\xfe\0\3x"),
        ("fill bytes", b"\xff"),
    ):
        yield name, jpeg[:2] + part * 500 + jpeg[2:], jpeg[:2] + part * 10_001 + jpeg[2:]


@pytest.mark.parametrize(
    ("few", "many"), [pytest.param(few, many, id=name) for name, few, many in pictures_of_many_parts()]
)
def test_a_picture_of_more_parts_than_any_has_is_not_decoded(
    few: bytes, many: bytes, monkeypatch: pytest.MonkeyPatch
) -> None:
    """300 scans in 160 kB took eleven seconds, two million chunks half a minute."""
    assert inspect_image(few, LIMIT).width == 40
    monkeypatch.setattr("PIL.Image.open", None)
    for look in (inspect_image, prepare_image):
        with pytest.raises(InvalidImage, match="too many parts"):
            look(many, LIMIT)


def test_what_stands_behind_a_picture_is_none_of_its_parts() -> None:
    """Phones put a film there."""
    film = b"\xff\xda\0\2" * 20_000
    assert inspect_image(picture("JPEG") + film, LIMIT).width == 40


def test_png_and_jpeg_are_kept_byte_for_byte() -> None:
    for form, content_type in (("PNG", "image/png"), ("JPEG", "image/jpeg")):
        data = picture(form)
        assert prepare_image(data, LIMIT) == (data, ImageInfo(content_type, 40, 20))


@pytest.mark.parametrize("mode", ["RGB", "RGBA"])
def test_webp_becomes_png_with_the_same_pixels(mode: str) -> None:
    data = picture("WEBP", mode=mode, lossless=True)
    stored, info = prepare_image(data, LIMIT)
    assert info == inspect_image(stored, LIMIT) == ImageInfo("image/png", 40, 20)
    with Image.open(BytesIO(data)) as before, Image.open(BytesIO(stored)) as after:
        assert before.convert("RGBA").tobytes() == after.convert("RGBA").tobytes()


def test_a_photo_that_lies_on_its_side_is_turned_upright() -> None:
    exif = Image.Exif()
    exif[0x0112] = 6
    stored, info = prepare_image(picture("JPEG", (40, 20), exif=exif), LIMIT)
    assert info == inspect_image(stored, LIMIT) == ImageInfo("image/jpeg", 20, 40)
    with Image.open(BytesIO(stored)) as turned:
        assert turned.getexif().get(0x0112, 1) == 1


def test_the_size_is_the_one_that_is_seen() -> None:
    for orientation in range(1, 9):
        exif = Image.Exif()
        exif[0x0112] = orientation
        lying = orientation > 4
        for form in ("JPEG", "PNG"):
            data = picture(form, (40, 20), exif=exif)
            info = inspect_image(data, LIMIT)
            assert (info.width, info.height) == ((20, 40) if lying else (40, 20))
            assert read_header(data, LIMIT) == info


def test_odd_orientations_are_none() -> None:
    exif = Image.Exif()
    exif[0x0112] = 77
    data = picture("JPEG", (40, 20), exif=exif)
    assert prepare_image(data, LIMIT) == (data, ImageInfo("image/jpeg", 40, 20))


def test_a_phone_photo_with_several_pictures_is_a_jpeg() -> None:
    out = BytesIO()
    first, second = (Image.new("RGB", (8, 8), colour) for colour in ("red", "blue"))
    first.save(out, "MPO", save_all=True, append_images=[second])
    stored, info = prepare_image(out.getvalue(), LIMIT)
    assert info == ImageInfo("image/jpeg", 8, 8)
    assert stored == out.getvalue()
