"""Passwords and permissions of a PDF, as other programs understand them."""

from __future__ import annotations

import io
from dataclasses import replace

from pypdf import PdfReader
from pypdf.constants import UserAccessPermissions

from rendering.formats.pdf.write.encryption import permissions
from templates_app.passwords import prepared
from templates_app.resolved import Protection
from tests.rendering.writing import DOCUMENT, everything, line, read, write


def test_each_password_opens_and_others_do_not() -> None:
    data = write(*everything(), document=replace(DOCUMENT, protection=Protection("gehëim", "öwner")))
    assert data.startswith(b"%PDF-2.0")
    assert b"Writing" not in data
    assert b"example.com" not in data
    for secret, rights in (("gehëim", 1), ("öwner", 2), ("", 0), ("geheim", 0)):
        reader = PdfReader(io.BytesIO(data))
        assert int(reader.decrypt(secret)) == rights
        if rights:
            assert reader.metadata is not None
            assert reader.metadata.title == DOCUMENT.title
            assert "cell" in reader.pages[0].extract_text()
            assert reader.xmp_metadata is not None
            assert [image.image.size for image in reader.pages[0].images] == [(60, 40)] * 4  # type: ignore[union-attr]


def test_without_an_owners_password_nobody_is_owner() -> None:
    data = write([line(1, 1, "x")], document=replace(DOCUMENT, protection=Protection("user", "")))
    for secret, rights in (("user", 1), ("", 0)):
        assert int(PdfReader(io.BytesIO(data)).decrypt(secret)) == rights
    data = write([line(1, 1, "x")], document=replace(DOCUMENT, protection=Protection("", "")))
    assert int(PdfReader(io.BytesIO(data)).decrypt("")) == 1


def test_permissions() -> None:
    flags = UserAccessPermissions
    granted = {
        "allow_print": flags.PRINT | flags.PRINT_TO_REPRESENTATION,
        "allow_copy": flags.EXTRACT,
        "allow_change": flags.MODIFY | flags.ADD_OR_MODIFY | flags.FILL_FORM_FIELDS | flags.ASSEMBLE_DOC,
    }
    nothing = Protection("", "o", allow_print=False, allow_copy=False, allow_change=False)
    for name, flag in granted.items():
        value = permissions(replace(nothing, **{name: True}))  # type: ignore[arg-type]
        assert value < 0
        for other in granted.values():
            assert bool(value & other) == (other is flag)
        assert value & flags.EXTRACT_TEXT_AND_GRAPHICS
        reader = read([], document=replace(DOCUMENT, protection=replace(nothing, **{name: True})))  # type: ignore[arg-type]
        assert reader.user_access_permissions is not None
        assert reader.user_access_permissions & flag == flag


def test_passwords_are_prepared_as_readers_do() -> None:
    assert prepared("a\u00adb") == b"ab"
    assert prepared("a\u00a0b") == b"a b"
    assert prepared("\u2168") == b"IX"
    assert prepared("ﬁ" * 200) == (b"fi" * 64)[:127]
    assert prepared("\ud800") == b"?"


def test_equal_passwords_do_not_make_equal_keys() -> None:
    protection = Protection("user", "owner")

    def perms(file_id: bytes) -> str:
        from rendering.formats.pdf.write.encryption import Cipher

        cipher = Cipher(protection, file_id)
        assert cipher.encrypt(b"a") != cipher.encrypt(b"b")
        return cipher.dictionary()

    assert perms(b"one") != perms(b"two")
