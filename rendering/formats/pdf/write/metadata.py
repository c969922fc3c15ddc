"""What a file says about itself: the Info dictionary and the same as XMP (ISO 32000-2, 14.3)."""

from __future__ import annotations

import hashlib
import struct
from datetime import UTC
from functools import lru_cache
from typing import Final

from config.patterns import late
from config.value import value
from rendering.formats.pdf.typeset.clean import one_line
from rendering.formats.pdf.write.file import PdfFile
from templates_app.resolved import ResolvedDocument

PRODUCER: Final = "Document Rendering Service"
_ARCHIVE: Final = "http://www.aiim.org/pdfa/ns/id/"  # the names by which a file says that it is PDF/A
_SRGB: Final = "sRGB IEC61966-2.1"
_PROFILE_MADE: Final = struct.pack(">6H", 2026, 1, 1, 0, 0, 0)  # in place of the time of the day
_NOT_XML: Final = late("[\x00-\x08\x0b\x0c\x0e-\x1f\ud800-\udfff\ufffe\uffff]")
_XMP: Final = """<?xpacket begin="\ufeff" id="W5M0MpCehiHzreSzNTczkc9d"?>
<x:xmpmeta xmlns:x="adobe:ns:meta/"><rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#">
<rdf:Description rdf:about="" xmlns:dc="http://purl.org/dc/elements/1.1/" \
xmlns:xmp="http://ns.adobe.com/xap/1.0/" xmlns:pdf="http://ns.adobe.com/pdf/1.3/"%s>
<dc:format>application/pdf</dc:format>
%s
</rdf:Description></rdf:RDF></x:xmpmeta>
<?xpacket end="r"?>"""


@value
class Metadata:
    """Title and the like as both places tell them: one line, without what cannot be shown."""

    title: str
    author: str
    subject: str
    language: str
    moment: str  # UTC, such as 2026-01-31T12:00:00
    archive: str = ""  # the level of PDF/A-2: "U" for text that can be found, "A" for structure as well

    @classmethod
    def of(cls, document: ResolvedDocument) -> Metadata:
        """Take what a document says; a date without a zone is taken as UTC."""
        moment = document.created_at
        return cls(
            one_line(document.title),
            one_line(document.author),
            one_line(document.subject),
            one_line(document.language).replace("_", "-"),
            (moment.astimezone(UTC) if moment.tzinfo else moment).isoformat()[:19],
            ("A" if document.tagged else "U") if document.archivable else "",
        )

    def write_info(self, file: PdfFile) -> int:
        """Write the Info dictionary and return its number."""
        told = (("Title", self.title), ("Author", self.author), ("Subject", self.subject))
        digits = self.moment.replace("-", "").replace(":", "").replace("T", "")
        date = file.text(f"D:{digits}+00'00'")
        return file.add(
            "<<"
            + "".join([f"/{name}{file.text(value)}" for name, value in told if value])
            + f"/Producer{file.text(PRODUCER)}/CreationDate{date}/ModDate{date}>>"
        )

    def write_xmp(self, file: PdfFile) -> int:
        """Write the XMP stream and return its number; not packed, since some look for it in the bytes."""
        lines = []
        if self.title:
            lines.append(f"<dc:title>{_alternatives(self.title)}</dc:title>")
        if self.author:
            author = _escape(self.author)
            lines.append(f"<dc:creator><rdf:Seq><rdf:li>{author}</rdf:li></rdf:Seq></dc:creator>")
        if self.subject:
            lines.append(f"<dc:description>{_alternatives(self.subject)}</dc:description>")
        if self.language:
            language = _escape(self.language)
            lines.append(f"<dc:language><rdf:Bag><rdf:li>{language}</rdf:li></rdf:Bag></dc:language>")
        lines += [
            f"<xmp:CreateDate>{self.moment}Z</xmp:CreateDate>",
            f"<xmp:ModifyDate>{self.moment}Z</xmp:ModifyDate>",
            f"<pdf:Producer>{PRODUCER}</pdf:Producer>",
        ]
        names = ""
        if self.archive:
            names = f' xmlns:pdfaid="{_ARCHIVE}"'
            lines.append(
                f"<pdfaid:part>2</pdfaid:part><pdfaid:conformance>{self.archive}</pdfaid:conformance>"
            )
        data = (_XMP % (names, "\n".join(lines))).encode("utf-8")
        return file.add_stream(data, "/Type/Metadata/Subtype/XML", raw=True)


def identity(document: ResolvedDocument) -> bytes:
    """Return what tells documents apart before they are written: their date, title and paper."""
    page = document.page
    told = (document.created_at.isoformat(), document.title, document.author, document.subject)
    return hashlib.sha256(repr((*told, document.language, page.width, page.height)).encode()).digest()


def output_intents(file: PdfFile) -> str:
    """Write what the colours of a file mean; return the entry of the catalogue (ISO 19005-2, 6.2.3)."""
    profile = file.add_stream(_srgb(), "/N 3")
    name = file.text(_SRGB)
    registry = file.text("http://www.color.org")
    intents = file.add(
        f"[<</Type/OutputIntent/S/GTS_PDFA1/OutputConditionIdentifier{name}/Info{name}"
        f"/RegistryName{registry}/DestOutputProfile {profile} 0 R>>]"
    )
    return f"/OutputIntents {intents} 0 R"


@lru_cache(maxsize=1)
def _srgb() -> bytes:
    """Return the colour profile of sRGB, always the same bytes."""
    from PIL import ImageCms  # not at the top: few documents are for archives

    profile = ImageCms.ImageCmsProfile(ImageCms.createProfile("sRGB")).tobytes()
    return profile[:24] + _PROFILE_MADE + profile[36:]


def _alternatives(text: str) -> str:
    return f'<rdf:Alt><rdf:li xml:lang="x-default">{_escape(text)}</rdf:li></rdf:Alt>'


def _escape(text: str) -> str:
    kept = text if text.isprintable() else _NOT_XML.sub("", text)
    # As `xml.sax.saxutils` does, whose import loads sockets and TLS.
    return kept.replace("&", "&amp;").replace(">", "&gt;").replace("<", "&lt;")
