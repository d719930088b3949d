"""PDF files: what is read of them, what is told of them, and what hostile ones cannot do."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path

import hypothesis
import pytest
from hypothesis import given
from hypothesis import strategies as st

from rag_graphs.errors import SourceError
from rag_graphs.library import Library
from rag_graphs.library.bounds import Bounds, Extracted
from rag_graphs.library.read import apart, reader
from rag_graphs.library.read.apart import read_apart
from rag_graphs.library.read.kinds import PDF
from rag_graphs.library.read.lines import paragraphs, vocabulary, without_repeats
from rag_graphs.library.read.pdf import read_pdf
from rag_graphs.library.read.read import read
from rag_graphs.library.read.titles import first_line, sensible
from rag_graphs.library.split.split import split
from rag_graphs.settings import Settings
from tests.library.conftest import Server, WordVectors
from tests.library.papers import Objects, locked, packed, pdf, stream, typed

LAMP = [
    "The lighthouse of the northern cape was built by two brothers, who car-",
    "ried every stone up the path by hand. It burned whale oil at first, and",
    "electric light came late.",
    "The fog-horn is older than the lamp: a fog-horn was blown by hand there",
    "before anybody thought of a tower, and it is blown once a year, on the day of",
]
LATER = [
    "the founding. The keepers lived below the lamp with their families, and the",
    "children went to school by boat when the weather let them.",
]


def extract(body: bytes, bounds: Bounds | None = None) -> Extracted:
    return read_pdf(body, bounds or Bounds())


def refused(body: bytes, bounds: Bounds | None = None) -> SourceError:
    with pytest.raises(SourceError) as caught:
        extract(body, bounds)
    assert str(caught.value).endswith(".")
    return caught.value


def test_pages_are_headings_and_lines_are_paragraphs_again() -> None:
    found = extract(pdf([LAMP, LATER], "The northern cape"))
    assert found.title == "The northern cape"
    assert found.warnings == ()
    assert found.text == (
        "###### Page 1\n\nThe lighthouse of the northern cape was built by two brothers, who carried every stone up the path "
        "by hand. It burned whale oil at first, and electric light came late.\n\nThe fog-horn is older than the lamp: a "
        "fog-horn was blown by hand there before anybody thought of a tower, and it is blown once a year, on the day of the "
        "founding.\n\n###### Page 2\n\nThe keepers lived below the lamp with their families, and the children went to school "
        "by boat when the weather let them."
    )


def test_a_chunk_says_on_which_pages_it_stands() -> None:
    short = extract(pdf([["One lamp burns."], ["Two lamps burn."], ["Three lamps burn."]])).text
    long = extract(pdf([LAMP * 3, LAMP * 3])).text
    count = WordVectors().count_tokens
    assert [piece.heading for piece in split(short, count, 100)] == ["Pages 1–3"]
    assert {piece.heading for piece in split(long, count, 100)} == {"Page 1", "Page 2"}


def test_heads_feet_and_page_numbers_are_left_out() -> None:
    pages = [
        [
            f"The Cape Almanac {1900 + n} ",
            f"Keeper {name} wrote the {name} part.",
            "Nothing else happened.",
            f"Page {n} of 4",
        ]
        for n, name in enumerate(["first", "second", "third", "last"], 1)
    ]
    text = extract(pdf(pages)).text
    assert re.findall(r"Almanac \d+", text) == ["Almanac 1901"]  # the first may be the title
    assert "of 4" not in text
    assert all(f"Keeper {name}" in text for name in ("first", "second", "third", "last"))
    assert "\n\n1" not in extract(pdf([[*LAMP, "1"]])).text


def test_what_repeats_in_the_middle_or_differs_stays() -> None:
    pages = [
        [f"{name} words on top", *LAMP, "Refrain.", *LAMP, f"{name} words below"] for name in ("Alpha", "Beta", "Gamma")
    ]
    assert without_repeats(pages) == pages
    counted = [["Chapter 1", "a"], ["Chapter 7", "b"], ["Chapter 9", "c"]]
    assert without_repeats(counted) == counted


@pytest.mark.parametrize(
    ("lines", "expected"),
    [
        (["a sentence that is long enough to be a para-", "graph of its own, and then some more words"], "paragraph"),
        (["a well-known co-", "operation of a well-", "known man: well-known cooperation"], "cooperation of a well-known man"),
        (["日本の北の岬には灯台があり、二人の兄弟が石を運", "んで建てたものである。"], "石を運んで建てた"),
        (["soft\u00ad", "ware that is read by nobody at all"], "software that"),
    ],
)  # fmt: skip
def test_parted_words_are_joined(lines: list[str], expected: str) -> None:
    assert expected in "\n".join(paragraphs(lines, vocabulary([lines])))


def test_items_of_a_list_stay_apart() -> None:
    lines = [
        "What a keeper needs every day of the long northern winter:",
        "• a lamp that burns",
        "• oil",
        "1. first",
        "2) second",
    ]
    assert paragraphs(lines, frozenset()) == lines


@hypothesis.settings(deadline=None, max_examples=60)
@given(st.lists(st.lists(st.text(min_size=1, max_size=12).filter(str.strip), max_size=8), min_size=1, max_size=5))
def test_no_letter_is_lost_but_repeats(pages: list[list[str]]) -> None:
    for page, kept in zip(pages, without_repeats(pages), strict=True):
        assert any(page[n:][: len(kept)] == kept for n in range(len(page) + 1))
    for page in pages:
        letters = [c for line in page for c in line if c.isalnum()]
        assert [c for p in paragraphs(page, frozenset()) for c in p if c.isalnum()] == letters


def test_a_pdf_without_text_layer_is_said_to_be_one() -> None:
    error = refused(pdf([stream(b"/I Do"), stream(b"/I Do")], picture=True))
    assert error.kind == "scanned PDF"
    assert "no text layer" in str(error)
    assert refused(pdf([["Scanned by Scanner"], ["Scanned by Scanner"]], picture=True)).kind == "scanned PDF"
    assert refused(pdf([stream(b"")])).kind == "empty page"
    mixed = extract(pdf([LAMP, stream(b"/I Do"), LATER], picture=True))
    assert mixed.warnings == ("1 of 3 pages hold no text, perhaps only pictures",)


def test_signs_without_letters_are_told() -> None:
    def unmapped(objects: Objects) -> None:
        objects[3] = (
            b"<< /Type /Font /Subtype /Type1 /BaseFont /ABCDEF+Odd /Encoding << /Differences [97 /g1 /g2 /g3] >> >>"
        )

    body = pdf([stream(b"BT /F1 11 Tf 50 800 Td (" + b"\\001\\002\\003\\004" * 60 + b") Tj ET")], change=unmapped)
    assert refused(body).kind in ("unreadable text", "empty page")


@pytest.mark.parametrize("algorithm", ["RC4-128", "AES-128", "AES-256"])
def test_passwords(algorithm: str) -> None:
    assert refused(locked(pdf([LAMP]), user="open", algorithm=algorithm)).kind == "encrypted"
    assert "two brothers" in extract(locked(pdf([LAMP]), user="", algorithm=algorithm)).text


@pytest.mark.parametrize(
    ("title", "kept"),
    [
        ("The northern cape", "The northern cape"),
        ("Microsoft Word - A report on lamps", "A report on lamps"),
        ("Microsoft Word - report-final.docx", ""),
        ("paper.tex", ""),
        ("Untitled 2", ""),
        ("  ", ""),
        ("4711-2", ""),
    ],
)
def test_titles_that_programs_write_are_not_believed(title: str, kept: str) -> None:
    assert sensible(title) == kept


@pytest.mark.usefixtures("near")
def test_the_first_line_that_can_be_a_title() -> None:
    assert (
        first_line(["arXiv:2310.11511v1 [cs.CL] 17 Oct 2023", "12", "A long title that goes", "on here"])
        == "A long title that goes on here"
    )
    assert first_line([]) == ""
    assert read(pdf([["12"] * 3]), "", "https://example.org/files/lamp%20list.pdf").title == "lamp list.pdf"


def test_bounds_on_pages_characters_and_time() -> None:
    body = pdf([LAMP] * 6)
    for bounds in (Bounds(pages=2), Bounds(characters=700), Bounds(seconds=0)):
        found = extract(body, bounds)
        assert "of 6 pages were read" in found.warnings[0]
        assert len(found.text) <= bounds.characters
        assert "###### Page 4" not in found.text
    assert extract(body, Bounds(pages=6)).warnings == ()


def test_text_that_looks_like_markdown_is_only_text() -> None:
    text = extract(
        pdf([["###### Page 99", "```", "<script>alert(1)</script> said nobody", "# include <stdio.h>"], LAMP])
    ).text
    assert re.findall(r"^#+ .*", text, re.MULTILINE) == ["###### Page 1", "###### Page 2"]
    assert "\n```" not in text


Spoil = Callable[[Objects], None]


def loop_of_pages(objects: Objects) -> None:
    objects[2] = b"<< /Type /Pages /Count 1 /Kids [2 0 R 10 0 R] >>"


def endless_count(objects: Objects) -> None:
    objects[2] = b"<< /Type /Pages /Count 999999999 /Kids [10 0 R] >>"


def forms_in_forms(objects: Objects) -> None:
    objects[10] = objects[10].replace(b"/Font", b"/XObject << /X 6 0 R >> /Font")
    objects[11] = stream(b"/X Do")
    objects[6] = stream(
        b"/X Do /X Do", b"/Type /XObject /Subtype /Form /BBox [0 0 9 9] /Resources << /XObject << /X 6 0 R >> >>"
    )


def nested_arrays(objects: Objects) -> None:
    objects[11] = stream(b"[" * 50_000)


def wrong_references(objects: Objects) -> None:
    objects[10] = b"<< /Type /Page /Parent 99 0 R /Contents [98 0 R 11 0 R] /Resources 97 0 R /MediaBox 96 0 R >>"


def bomb(objects: Objects) -> None:
    objects[11] = packed(b"BT " + bytes(200_000_000) + b" ET")


def many_bombs(objects: Objects) -> None:
    objects[6] = packed(bytes(70_000_000))
    objects[10] = objects[10].replace(b"/Contents 11 0 R", b"/Contents [" + b"6 0 R " * 500 + b"]")


def work_without_end(objects: Objects) -> None:
    objects[11] = packed(b"BT /F1 1 Tf " + b"(a) Tj [(b) 9 (c)] TJ 1 0 0 1 5 5 Tm " * 700_000 + b"ET")


@pytest.mark.parametrize("spoil", [loop_of_pages, endless_count, forms_in_forms, nested_arrays, wrong_references])
def test_spoiled_files_end_in_text_or_in_words(spoil: Spoil) -> None:
    found = reader.answer(PDF, pdf([LAMP], change=spoil), Bounds(seconds=3))
    if "error" in found:
        assert found["error"] in ("damaged", "empty page", "too large")
        assert found["message"].endswith(".")
    else:
        assert found["text"].startswith("###### Page 1")


@pytest.mark.parametrize("spoil", [bomb, many_bombs, work_without_end])
def test_what_would_never_end_is_ended(spoil: Spoil) -> None:
    body = pdf([LAMP], change=spoil)
    with pytest.raises(SourceError) as caught:
        read_apart(PDF, body, Bounds(seconds=1, start=2.5, memory=500_000_000))
    assert caught.value.kind in ("unreadable page", "too large", "damaged")


@pytest.mark.parametrize("body", [b"%PDF-1.4 text", b"%PDF-", pdf([LAMP])[:400], b"%PDF-1.7\n" + bytes(5000)])
@pytest.mark.usefixtures("near")
def test_damaged_files(body: bytes) -> None:
    with pytest.raises(SourceError) as caught:
        read(body, "application/pdf", "https://example.org/a.pdf")
    assert caught.value.kind in ("damaged", "empty page")


def test_actions_and_enclosures_are_not_touched() -> None:
    def act(objects: Objects) -> None:
        objects[1] = (
            b"<< /Type /Catalog /Pages 2 0 R /OpenAction << /S /JavaScript /JS (app.alert\\(1\\)) >>"
            b" /Names << /EmbeddedFiles << /Names [(evil.txt) << /Type /Filespec /EF << /F 6 0 R >> >>] >> >> >>"
        )
        objects[6] = stream(b"Embedded words", b"/Type /EmbeddedFile")

    text = extract(pdf([LAMP], change=act)).text
    assert "two brothers" in text
    assert "alert" not in text
    assert "Embedded" not in text


def test_the_reading_process_knows_no_key(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    spy = tmp_path / "spy.py"
    spy.write_text(
        "import json, os; print(json.dumps({'error': 'told', 'message': ' '.join(os.environ)}))", encoding="utf-8"
    )
    monkeypatch.setenv("OPENAI_API_KEY", "sk-secret")
    monkeypatch.setattr(apart, "MODULE", "spy")
    monkeypatch.syspath_prepend(str(tmp_path))
    with pytest.raises(SourceError) as caught:
        read_apart(PDF, b"")
    assert "PYTHONPATH" in str(caught.value)
    assert "KEY" not in str(caught.value)


@pytest.mark.usefixtures("near")
def test_by_address_whatever_the_server_says(library: Library, server: Server, settings: Settings) -> None:
    body = pdf([LAMP, LATER], "The northern cape")
    for path, kind in (("/a", "text/html"), ("/b.pdf", "application/octet-stream")):
        report = library.load_url(server.put(path, body, kind=kind), settings)
        assert report.ok, report.message
        assert report.source is not None
        assert (report.source.kind, report.source.title, report.source.language) == ("PDF", "The northern cape", "en")
    hits = library.search("Who carried the stones?", [report.source.id], settings)
    assert hits[0].document.heading.startswith("Page")


@pytest.mark.usefixtures("near")
def test_large_documents_are_loaded_where_large_pages_are_not(
    library: Library, server: Server, settings: Settings
) -> None:
    body = pdf([LAMP, stream(b"% " + b"x" * 6_000_000)])
    assert library.load_url(server.put("/a", body, kind="application/pdf"), settings).ok
    assert (
        library.load_url(server.put("/b", b"word " * 1_200_000, kind="application/octet-stream"), settings).status
        != "loaded"
    )
    assert (
        library.load_url(server.put("/c.pdf", b"word " * 1_200_000, kind="text/plain"), settings).status == "too large"
    )


@pytest.mark.usefixtures("near")
def test_an_upload_is_named_by_its_file_and_nothing_else(library: Library, settings: Settings) -> None:
    body = pdf([LAMP])
    report = library.load_upload("C:\\Users\\ruth\\..\\cape\u202e.pdf", body, settings)
    assert report.source is not None
    assert (report.address, report.source.address) == ("cape .pdf", "cape .pdf")
    assert library.load_upload("../../etc/passwd", b"root", settings).address == "passwd"
    assert library.load_upload("", b"\x89PNG\r\n\x1a\n", settings).address == "file"
    assert library.load_upload("a.md", f"# Cape\n\n{' '.join(LAMP)}".encode(), settings).ok
    assert library.load_upload("big.txt", b"a" * 20_000_001, settings).status == "too large"
    assert len(library.load_upload("x" * 500 + ".pdf", b"", settings).address) == 120


def test_typed_lines_are_what_the_tests_think() -> None:
    assert b"(a\\(b\\)) Tj" in typed(["a(b)"])


def test_in_a_process_of_its_own(library: Library, settings: Settings, tmp_path: Path) -> None:
    path = tmp_path / "cape.pdf"
    path.write_bytes(pdf([LAMP, LATER], "The northern cape"))
    [report] = library.load_many([str(path)], settings, files=True)
    assert report.ok, report.message
    assert report.source is not None
    assert (report.source.kind, report.source.title, report.address) == ("PDF", "The northern cape", str(path))
