"""What page code refers to by name; one dictionary serves all pages."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from rendering.formats.pdf.write.file import PdfFile
from rendering.formats.pdf.write.images import Encoded, Matrix, encode
from templates_app.resolved import ImageFile


class SharedResources:
    """Images and opacities of a document, each once. An image is written where it is first used."""

    def __init__(
        self, file: PdfFile, *, only_rgb: bool = False, check_time: Callable[[], None] = lambda: None
    ) -> None:
        """Reserve the dictionary's number. `only_rgb`: no image has the inks of a printer as its colours.

        `check_time` is called before an image is written, which may take seconds, and may raise.
        """
        self._file = file
        self._only_rgb = only_rgb
        self._check_time = check_time
        self._pictures: dict[bytes, tuple[str, Matrix | None, bool]] = {}
        self._objects: dict[str, int] = {}
        self._opacities: dict[str, str] = {}
        self.number = file.reserve()
        self.blends = False  # something transparent was used since this was last set to False

    def picture(self, image: ImageFile) -> tuple[str, Matrix | None]:
        """Return the name of an image, and how to turn it upright; raises RenderError."""
        found = self._pictures.get(image.content)
        if found is None:
            self._check_time()
            encoded = encode(image, only_rgb=self._only_rgb)
            name = f"Im{len(self._pictures) + 1}"
            self._objects[name] = _write(encoded, self._file)
            found = self._pictures[image.content] = (name, encoded.turn, encoded.mask is not None)
        self.blends |= found[2]
        return found[:2]

    def opacity(self, value: float) -> str:
        """Return the name of a graphics state of this opacity."""
        self.blends = True
        percent = round(min(max(value, 0.0), 1.0) * 100)
        name = f"G{percent}"
        self._opacities[name] = f"<</ca {percent / 100}/CA {percent / 100}>>"
        return name

    def write(self, fonts: Mapping[str, int]) -> None:
        """Write the dictionary; `fonts` are object numbers by name."""
        kinds = {
            "Font": {name: f" {number} 0 R" for name, number in fonts.items()},
            "XObject": {name: f" {number} 0 R" for name, number in self._objects.items()},
            "ExtGState": self._opacities,
        }
        code = [
            f"/{kind}<<{''.join(f'/{name}{value}' for name, value in members.items())}>>"
            for kind, members in kinds.items()
            if members
        ]
        self._file.put(self.number, f"<<{''.join(code)}>>")


def _write(image: Encoded, file: PdfFile) -> int:
    entries = f"/Type/XObject/Subtype/Image{image.entries}"
    if image.mask is not None:
        entries += f"/SMask {_write(image.mask, file)} 0 R"
    space = image.space
    if image.palette:
        last = len(image.palette) // 3 - 1
        space = f"[/Indexed/DeviceRGB {last} {file.binary(image.palette[: 3 * last + 3])}]"
    return file.add_stream(image.data, f"{entries}/ColorSpace{space}", raw=True)
