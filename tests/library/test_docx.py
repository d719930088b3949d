"""Word documents: what is read of them, what is told of them, and what hostile ones cannot do."""

from __future__ import annotations

import io
import struct
from pathlib import Path

import docx
import pytest

from rag_graphs.errors import SourceError
from rag_graphs.library import Library
from rag_graphs.library.bounds import Bounds, Extracted
from rag_graphs.library.read import reader
from rag_graphs.library.read.kinds import WORD
from rag_graphs.library.read.read import read
from rag_graphs.library.read.word import read_word
from rag_graphs.settings import Settings
from tests.library.conftest import PROSE, Server
from tests.library.papers import archive, paragraph, relations, word


def extract(body: bytes, bounds: Bounds | None = None) -> Extracted:
    return read_word(body, bounds or Bounds())


def kind_of_failure(body: bytes) -> str:
    found = reader.answer(WORD, body, Bounds())
    assert found["message"].endswith(".")
    return str(found["error"])


def written() -> bytes:
    """A document as python-docx, and much like it Word, writes them."""
    document = docx.Document()
    document.core_properties.title = "Word Document"
    document.add_heading("The northern cape", 0)
    document.add_paragraph(PROSE)
    document.add_heading("Keepers", 1)
    document.add_paragraph("Ruth", "List Bullet")
    document.add_paragraph("Jonas", "List Bullet")
    document.add_paragraph("First the oil.", "List Number")
    document.add_heading("Wages", 2)
    table = document.add_table(2, 2)
    for cell, text in zip(
        [c for row in table.rows for c in row.cells], ["Year", "Pay", "1874", "12 | 13"], strict=True
    ):
        cell.text = text
    document.add_paragraph("# not a heading")
    document.sections[0].header.paragraphs[0].text = "Head of every page"
    out = io.BytesIO()
    document.save(out)
    return out.getvalue()


def test_headings_lists_and_tables() -> None:
    found = extract(written())
    assert found.title == "The northern cape"
    assert found.text == (
        f"# The northern cape\n\n{PROSE.strip()}\n\n# Keepers\n\n- Ruth\n- Jonas\n- First the oil.\n\n## Wages\n\n"
        "| Year | Pay |\n| --- | --- |\n| 1874 | 12 \\| 13 |\n\n\\# not a heading"
    )


def test_titles_come_from_the_text_then_from_the_properties() -> None:
    document = docx.Document()
    document.core_properties.title = "Lamps of the north"
    document.add_paragraph(PROSE)
    out = io.BytesIO()
    document.save(out)
    assert extract(out.getvalue()).title == "Lamps of the north"


def test_text_in_all_the_places_where_it_stands() -> None:
    deletion = "<w:del><w:r><w:delText>Deleted.</w:delText></w:r></w:del>"
    insertion = f"<w:p><w:ins><w:r><w:t>Inserted words.</w:t></w:r></w:ins>{deletion}</w:p>"
    moved = "<w:p><w:moveFrom><w:r><w:t>Moved away.</w:t></w:r></w:moveFrom></w:p>"
    control = f"<w:sdt><w:sdtContent>{paragraph('Controlled words.')}</w:sdtContent></w:sdt>"
    box = f"<w:txbxContent>{paragraph('Boxed words.')}</w:txbxContent>"
    choice = f"<mc:Choice>{box}</mc:Choice><mc:Fallback>{box}</mc:Fallback>"
    boxed = f"<w:p><w:r><mc:AlternateContent>{choice}</mc:AlternateContent></w:r></w:p>"
    link = "<w:p><w:hyperlink><w:r><w:t>Linked</w:t><w:tab/><w:t>words</w:t><w:br/><w:t>below</w:t></w:r></w:hyperlink></w:p>"
    note = "<w:p><w:r><w:t>It is said.</w:t></w:r><w:r><w:footnoteReference w:id='2'/></w:r></w:p>"
    seen = "<w:r><w:rPr><w:vanish w:val='0'/></w:rPr><w:t>Seen</w:t></w:r>"
    hidden = f"<w:p><w:r><w:rPr><w:vanish/></w:rPr><w:t>Hidden words</w:t></w:r>{seen}</w:p>"
    field = "<w:p><w:r><w:instrText>HYPERLINK x</w:instrText></w:r><w:r><w:t>Field</w:t></w:r></w:p>"
    text = extract(word(insertion + moved + control + boxed + link + note + hidden + field)).text
    assert text == (
        "Inserted words.\n\nControlled words.\n\nBoxed words.\n\nLinked words\nbelow\n\nIt is said.\n\nNote: As told by Ruth.\n\n"
        "Seen\n\nField"
    )


def test_headings_by_style_by_outline_and_in_other_languages() -> None:
    styles = (
        '<w:styles xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main">'
        '<w:style w:styleId="berschrift2"><w:name w:val="heading 2"/></w:style>'
        '<w:style w:styleId="Mine"><w:name w:val="Mine"/><w:basedOn w:val="berschrift2"/></w:style>'
        '<w:style w:styleId="Loop"><w:name w:val="Loop"/><w:basedOn w:val="Loop"/></w:style></w:styles>'
    )
    body = (
        paragraph("German", '<w:pStyle w:val="berschrift2"/>')
        + paragraph("Own", '<w:pStyle w:val="Mine"/>')
        + paragraph("Outline", '<w:outlineLvl w:val="0"/>')
        + paragraph("Body", '<w:outlineLvl w:val="9"/>')
        + paragraph("Looped", '<w:pStyle w:val="Loop"/>')
        + paragraph("Item", '<w:numPr><w:ilvl w:val="1"/><w:numId w:val="3"/></w:numPr>')
        + paragraph("No item", '<w:numPr><w:ilvl w:val="0"/><w:numId w:val="0"/></w:numPr>')
    )
    text = extract(word(body, word__styles_xml=styles)).text
    assert text == "## German\n\n## Own\n\n# Outline\n\nBody\n\nLooped\n\n  - Item\n\nNo item"


def cells(*texts: str, more: str = "") -> str:
    return "<w:tr>" + "".join(f"<w:tc><w:tcPr>{more}</w:tcPr>{paragraph(t)}</w:tc>" for t in texts) + "</w:tr>"


def test_tables_that_only_arrange_and_wide_ones() -> None:
    layout = f"<w:tbl>{cells('Left part.', 'Right part.')}</w:tbl>"
    both = cells("Both", more="<w:gridSpan w:val='2'/>")
    spanned = f"<w:tbl>{both}{cells('a', 'b')}</w:tbl>"
    endless = cells("a", "b", more="<w:gridSpan w:val='999999999'/>")
    huge = f"<w:tbl>{endless}{cells('c', 'd')}</w:tbl>"
    assert extract(word(layout)).text == "Left part.\n\nRight part."
    assert extract(word(spanned)).text == "| Both |  |\n| --- | --- |\n| a | b |"
    assert len(extract(word(huge)).text) < 1000


def test_bounds_on_characters() -> None:
    found = extract(word(paragraph("Words of the keeper. ") * 100), Bounds(characters=500))
    assert len(found.text) == 500
    assert "only the first 500 characters" in found.warnings[0]


BILLION = (
    '<!DOCTYPE x [<!ENTITY a "ha">'
    + "".join(f'<!ENTITY {chr(98 + n)} "{f"&{chr(97 + n)};" * 20}">' for n in range(10))
    + '<!ENTITY file SYSTEM "file:///etc/passwd">]>'
)


def test_entities_are_not_unfolded() -> None:
    ns = 'xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main"'
    document = f"{BILLION}<w:document {ns}><w:body>{paragraph('Seen &k; &file; words')}</w:body></w:document>"
    found = reader.answer(WORD, word("", document=document), Bounds())
    if "error" not in found:
        assert len(found["text"]) < 100
        assert "root:" not in found["text"]


def test_what_unfolds_too_far_is_refused() -> None:
    assert kind_of_failure(word("x", word__media__a_bin=bytes(120_000_000))) == "too large"
    assert kind_of_failure(word(paragraph("x"), word__comments_xml=b" " * 31_000_000)) == "too large"
    assert kind_of_failure(word("x", **{f"word__p{n}_bin": b"" for n in range(5001)})) == "too large"


def test_a_part_that_lies_about_its_size_is_not_unfolded() -> None:
    body = bytearray(word(paragraph("x" * 5_000_000)))
    place = body.rindex(b"PK\x01\x02", 0, body.rindex(b"word/document.xml"))  # its entry in the directory
    body[place + 24 : place + 28] = struct.pack("<I", 1000)
    assert kind_of_failure(bytes(body)) == "damaged"


@pytest.mark.parametrize(
    "body",
    [
        word("<w:p>" * 20_000),
        word("<w:p><w:r>" * 5000 + "</w:r></w:p>" * 5000),
        word(paragraph("x"), document=b"\x00\x01"),
        word(paragraph("x"), rels=relations(("officeDocument", "word/none.xml", ""))),
        word(paragraph("x"), types="<Types/>"),
        archive({"word/document.xml": "x"}),
        word(paragraph("x"))[:300],
        b"PK\x03\x04 word/document.xml",
    ],
)
def test_damaged_files(body: bytes) -> None:
    assert kind_of_failure(body) == "damaged"


def test_relatives_of_the_format_are_told() -> None:
    types = '<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types">{}</Types>'
    assert (
        "macros"
        in reader.answer(
            WORD, word("x", types=types.format("application/vnd.ms-word.document.macroEnabled.main+xml")), Bounds()
        )["message"]
    )
    strict = relations(("officeDocument", "word/document.xml", "")).replace(
        "schemas.openxmlformats.org/officeDocument/2006", "purl.oclc.org/ooxml/officeDocument"
    )
    assert "strict" in reader.answer(WORD, word("x", rels=strict), Bounds())["message"]
    for body, kind in (
        (b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1" + bytes(500) + "EncryptedPackage".encode("utf-16-le"), "encrypted"),
        (b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1" + bytes(500) + "WordDocument".encode("utf-16-le"), "Office document"),
        (archive({"[Content_Types].xml": "x", "ppt/presentation.xml": "x"}), "Office document"),
        (archive({"mimetype": "application/vnd.oasis.opendocument.text"}), "Office document"),
    ):
        with pytest.raises(SourceError) as caught:
            read(body, "", "report.docx")
        assert caught.value.kind == kind
    assert kind_of_failure(word("")) == "empty page"


def test_nothing_that_lies_elsewhere_is_fetched(server: Server) -> None:
    far = server.put("/secret", "Words from afar")
    links = relations(
        ("styles", "styles.xml", ""), ("attachedTemplate", far, "External"), ("image", far, "External"),
        ("footnotes", far, "External"), ("aFChunk", far, "External"), ("oleObject", far, "External"),
    )  # fmt: skip
    text = extract(word(paragraph("Near words."), links=links)).text
    assert text == "Near words."
    assert server.asked == []


@pytest.mark.usefixtures("near")
def test_by_address_by_upload_and_with_a_wrong_type(library: Library, server: Server, settings: Settings) -> None:
    for report in (
        library.load_url(server.put("/a", written(), kind="text/html"), settings),
        library.load_upload("cape.docx", written(), settings),
    ):
        assert report.ok, report.message
        assert report.source is not None
        assert (report.source.kind, report.source.title, report.source.language) == (
            "Word document",
            "The northern cape",
            "en",
        )
    assert report.address == "cape.docx"
    headings = {chunk.heading for chunk in library.chunks(report.source.id, settings)}
    assert any("Keepers" in heading for heading in headings)


def test_in_a_process_of_its_own(library: Library, settings: Settings, tmp_path: Path) -> None:
    path = tmp_path / "cape.docx"
    path.write_bytes(written())
    [report] = library.load_many([str(path)], settings, files=True)
    assert report.ok, report.message
    assert report.address == str(path)
