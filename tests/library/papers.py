"""PDF and Word files for tests, written here byte by byte or part by part."""

from __future__ import annotations

import io
import zipfile
import zlib
from collections.abc import Callable, Sequence

Objects = dict[int, bytes]
"""The objects of a PDF by number. 1 is the catalogue, 2 the page tree, 3 the font, 4 the properties."""

WORD = "application/vnd.openxmlformats-officedocument.wordprocessingml"
OFFICE = "http://schemas.openxmlformats.org/officeDocument/2006/relationships"
MAIN = "http://schemas.openxmlformats.org/wordprocessingml/2006/main"


def stream(data: bytes, more: bytes = b"") -> bytes:
    """A stream object as it is."""
    return b"<< /Length %d %s >>\nstream\n%s\nendstream" % (len(data), more, data)


IMAGE = stream(b"x", b"/Subtype /Image /Width 1 /Height 1 /ColorSpace /DeviceGray /BitsPerComponent 8")


def packed(data: bytes) -> bytes:
    """A stream object, packed."""
    return stream(zlib.compress(data), b"/Filter /FlateDecode")


def typed(lines: Sequence[str]) -> bytes:
    """A page's instructions that draw these lines, from the top, in Latin letters."""
    shown = b"".join(
        b"(%s) Tj T*\n" % line.encode("cp1252").replace(b"\\", b"\\\\").replace(b"(", b"\\(").replace(b")", b"\\)")
        for line in lines
    )
    return b"BT /F1 11 Tf 14 TL 50 800 Td\n" + shown + b"ET"


def pdf(
    pages: Sequence[Sequence[str] | bytes],
    title: str = "",
    *,
    picture: bool = False,
    change: Callable[[Objects], None] | None = None,
) -> bytes:
    """A PDF of these pages, each given by its lines or as a stream object; `picture` puts an image on each; `change` may
    spoil the objects before they are written."""
    resources = b"/Font << /F1 3 0 R >>" + (b" /XObject << /I 5 0 R >>" if picture else b"")
    objects: Objects = {
        1: b"<< /Type /Catalog /Pages 2 0 R >>",
        3: b"<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica /Encoding /WinAnsiEncoding >>",
        4: b"<< /Title (%s) >>" % title.encode("cp1252"),
        5: IMAGE if picture else b"null",
    }
    kids = []
    for n, page in enumerate(pages):
        number = 10 + 2 * n
        kids.append(b"%d 0 R" % number)
        objects[number] = (
            b"<< /Type /Page /Parent 2 0 R /MediaBox [0 0 595 842] /Resources << %s >> /Contents %d 0 R >>"
            % (resources, number + 1)
        )
        objects[number + 1] = page if isinstance(page, bytes) else stream(typed(page))
    objects[2] = b"<< /Type /Pages /Count %d /Kids [%s] >>" % (len(kids), b" ".join(kids))
    if change:
        change(objects)
    return _written(objects)


def _written(objects: Objects) -> bytes:
    out = bytearray(b"%PDF-1.7\n")
    places = {}
    for number, body in sorted(objects.items()):
        places[number] = len(out)
        out += b"%d 0 obj\n%s\nendobj\n" % (number, body)
    start, size = len(out), max(objects) + 1
    out += b"xref\n0 %d\n" % size
    for number in range(size):
        out += b"%010d 00000 n \n" % places[number] if number in places else b"0000000000 65535 f \n"
    return bytes(out + b"trailer\n<< /Size %d /Root 1 0 R /Info 4 0 R >>\nstartxref\n%d\n%%%%EOF\n" % (size, start))


def locked(body: bytes, *, user: str, owner: str = "secret", algorithm: str = "AES-256") -> bytes:
    """The same PDF with passwords to open (`user`, may be empty) and to change it."""
    from pypdf import PdfReader, PdfWriter

    writer = PdfWriter(clone_from=PdfReader(io.BytesIO(body)))
    writer.encrypt(user, owner, algorithm=algorithm)
    out = io.BytesIO()
    writer.write(out)
    return out.getvalue()


def word(body: str, **parts: str | bytes) -> bytes:
    """A Word file whose body is this XML; `parts` replaces or adds parts by names in which __ stands for / and _ for a dot."""
    document = f'<w:document xmlns:w="{MAIN}" xmlns:mc="http://schemas.openxmlformats.org/markup-compatibility/2006"><w:body>{body}</w:body></w:document>'
    note = paragraph("As told by Ruth.")
    made: dict[str, str | bytes] = {
        "[Content_Types].xml": (
            '<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types">'
            '<Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/>'
            '<Default Extension="xml" ContentType="application/xml"/>'
            '<Default Extension="bin" ContentType="application/octet-stream"/>'
            f'<Override PartName="/word/document.xml" ContentType="{WORD}.document.main+xml"/>'
            f'<Override PartName="/word/styles.xml" ContentType="{WORD}.styles+xml"/></Types>'
        ),
        "_rels/.rels": relations(("officeDocument", "word/document.xml", "")),
        "word/_rels/document.xml.rels": relations(("styles", "styles.xml", ""), ("footnotes", "footnotes.xml", "")),
        "word/document.xml": document,
        "word/styles.xml": f'<w:styles xmlns:w="{MAIN}"/>',
        "word/footnotes.xml": f'<w:footnotes xmlns:w="{MAIN}"><w:footnote w:id="2">{note}</w:footnote></w:footnotes>',
    }
    names = {
        "types": "[Content_Types].xml",
        "rels": "_rels/.rels",
        "document": "word/document.xml",
        "links": "word/_rels/document.xml.rels",
    }
    made |= {names.get(key, key.replace("__", "/").replace("_", ".")): part for key, part in parts.items()}
    return archive(made)


def archive(parts: dict[str, str | bytes]) -> bytes:
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as packed_parts:
        for name, part in parts.items():
            packed_parts.writestr(name, part)
    return out.getvalue()


def relations(*links: tuple[str, str, str]) -> str:
    """The relations of a part: (type, target, "External" or "")."""
    made = "".join(
        f'<Relationship Id="r{n}" Type="{OFFICE}/{kind}" Target="{target}"{f" TargetMode={mode!r}" if mode else ""}/>'
        for n, (kind, target, mode) in enumerate(links)
    )
    return f'<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships">{made}</Relationships>'


def paragraph(text: str, properties: str = "") -> str:
    """A paragraph of one run."""
    return f"<w:p>{f'<w:pPr>{properties}</w:pPr>' if properties else ''}<w:r><w:t xml:space='preserve'>{text}</w:t></w:r></w:p>"
