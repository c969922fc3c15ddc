"""Links and pictures in the cells of worksheets."""

from __future__ import annotations

import io

import pytest
from PIL import Image

from config.kept import Kept
from rendering.formats.base import Limits
from rendering.formats.xlsx import links, pictures
from templates_app.resolved import ImageFile, ResolvedTable
from tests.rendering.resolved import document, workbook_bytes
from tests.rendering.sheets import both
from tests.rendering.tables import column, table


class TestLinks:
    URLS = ("https://example.com/a?b=c&d=é#top", None, "mailto:ann@example.com", 'https://example.com/a b"<>')

    def wanted(self) -> ResolvedTable:
        first = column("L", display="link", links=self.URLS)
        return table([first], [["one"], ["two"], [3], [None]])

    def test_real_hyperlinks(self) -> None:
        sheet = both(self.wanted())[0].active
        found = [
            cell.hyperlink and (cell.hyperlink.target, cell.hyperlink.location) for cell in sheet["A"][1:]
        ]
        assert found == [
            ("https://example.com/a?b=c&d=é", "top"),
            None,
            ("mailto:ann@example.com", None),
            ("https://example.com/a%20b%22%3C%3E", None),
        ]
        assert [c.value for c in sheet["A"][1:]] == ["one", "two", 3, self.URLS[3]]
        assert sheet["A2"].font.underline

    @pytest.mark.parametrize(
        ("target", "taken"),
        [
            ("https://[::1]:8000/x", True),
            ("https://ann:secret@exämple.com", True),
            ("HTTP://a_b.example", True),
            ("mailto:a@b?subject=x y", True),
            ("tel:+43 1 2345", True),
            ("https://[::1/", False),
            ("https://a b/", False),
            ("https://example.com:99999/", False),
            ("https://example.com:x/", False),
            ("https://@/", False),
            ("https://example.com/" + "😀" * 1100, False),
        ],
    )
    def test_addresses_without_a_host_are_no_links(self, target: str, taken: bool) -> None:
        """Programs refuse a whole workbook for one relationship that is no URI."""
        found = links.Links()
        assert [found.add("A1", target), found.add("A2", target)] == [taken, taken]
        assert len(found.targets()) == taken

    def test_as_many_as_excel_takes(self, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr(links, "MOST_LINKS", 2)
        sheet = both(self.wanted())[0].active
        assert [bool(c.hyperlink) for c in sheet["A"]] == [False, True, False, True, False]
        assert not sheet["A5"].font.underline


class TestImages:
    def picture(self, kind: str) -> ImageFile:
        out = io.BytesIO()
        Image.new("RGB", (200, 100)).save(out, kind)
        return ImageFile(out.getvalue(), f"image/{kind.lower()}", 200, 100)

    def test_in_cells(self) -> None:
        images = [self.picture("PNG"), None, self.picture("JPEG"), self.picture("WEBP")]
        images += [ImageFile(b"<svg/>", "image/svg+xml", 10, 10), ImageFile(b"broken", "image/png", 10, 10)]
        first = column("P", display="image", images=images)
        sheet = both(table([first], [[None]] * 6))[0].active
        assert [image.anchor._from.row for image in sheet._images] == [1, 3, 4]
        assert sheet.row_dimensions[2].height == 45
        heights = {image.anchor.to.row - image.anchor._from.row for image in sheet._images}
        assert heights == {0}

    def test_drawings_are_left_out_and_keep_no_room(self) -> None:
        drawings = [ImageFile(b"<svg/>", "image/svg+xml", 1000, 100)] * 2
        sheet = both(table([column("P", display="image", images=drawings)], [[None]] * 2))[0].active
        assert not sheet._images
        assert sheet.row_dimensions[2].height is None
        assert sheet.column_dimensions["A"].width < 12

    @pytest.mark.parametrize("size", [(400, 100), (3000, 50), (40, 100)])
    def test_no_picture_reaches_into_the_next_column(self, size: tuple[int, int]) -> None:
        out = io.BytesIO()
        Image.new("RGB", size).save(out, "PNG")
        image = ImageFile(out.getvalue(), "image/png", *size)
        first = column("P", display="image", images=[image])
        found = both(table([first, "Name"], [[None, "x"]]))[0].active._images[0].anchor
        assert (found._from.col, found.to.col) == (0, 0)

    def test_a_webp_in_every_row_is_converted_once(self, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr(pictures, "_converted", Kept[bytes, bytes](2**20))
        found: list[bytes] = []

        def as_png(webp: bytes) -> bytes:
            found.append(webp)
            return self.picture("PNG").content

        monkeypatch.setattr(pictures, "_as_png", as_png)
        first = column("P", display="image", images=[self.picture("WEBP") for _ in range(30)])
        assert len(both(table([first], [[None]] * 30))[0].active._images) == 30
        assert len(found) == 1

    def test_each_picture_looks_at_the_time(self, monkeypatch: pytest.MonkeyPatch) -> None:
        looked: list[Limits] = []
        monkeypatch.setattr(Limits, "check_time", lambda self: looked.append(self))
        first = column("P", display="image", images=[self.picture("WEBP")] * 30)
        workbook_bytes(document(table([first], [[None]] * 30)))
        assert len(looked) >= 30
