"""The library as a whole, with an embedder that needs no weights."""

from __future__ import annotations

import gc
import sqlite3
import subprocess
import sys
import threading
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from rag_graphs.errors import LibraryError, SetupError, SourceError
from rag_graphs.library import Library, LoadedSource, LoadReport, Progress
from rag_graphs.library.index import vectors as vectors_module
from rag_graphs.library.index.ownership import own, release
from rag_graphs.settings import Settings
from rag_graphs.workspace.sample_library import load_samples
from tests.library.conftest import ARTICLE, PROSE, Embedders, Server, page

KOREAN = page(
    f"<main><h1>등대</h1><p>{'등대는 두 형제가 북쪽 곶에 세웠습니다. 고래 기름으로 불을 밝혔습니다. ' * 10}</p></main>",
    lang="ko",
)
BEES = page(
    "<main><h1>Bees</h1><p>"
    + "Bees carry pollen from flower to flower and store honey for the winter. " * 12
    + "</p></main>",
    title="Bees",
)


def loaded(report: LoadReport) -> LoadedSource:
    assert report.ok, report.message
    assert report.source is not None
    return report.source


def test_a_page_is_loaded_and_described(library: Library, server: Server, settings: Settings) -> None:
    report = library.load_url(server.put("/a", ARTICLE), settings)
    source = loaded(report)
    assert (report.status, report.address) == ("loaded", server.url("/a"))
    assert (source.title, source.kind, source.language) == ("The lighthouse", "HTML", "en")
    assert source.encoding == "UTF-8 from header"
    assert source.characters == len(f"# The lighthouse\n\n{PROSE.strip()}")
    assert source.size == len(ARTICLE)
    assert source.chunks == len(library.chunks(source.id, settings)) > 0
    assert library.sources([source.id, "unknown"], settings) == [source]


def test_loading_twice_costs_nothing_and_duplicates_nothing(
    library: Library, server: Server, settings: Settings, embedders: Embedders
) -> None:
    url = server.put("/a", ARTICLE)
    first = loaded(library.load_url(url, settings))
    embedded = list(embedders.embedded("minilm"))
    again = library.load_url(url, settings)
    assert (again.status, again.ok, again.source) == ("already there", True, first)
    assert embedders.embedded("minilm") == embedded
    assert len(library.search("lamp", [first.id, first.id], settings, k=20)) == first.chunks


def test_the_same_content_at_two_addresses_is_embedded_once_and_cited_as_each_visitor_loaded_it(
    library: Library, server: Server, settings: Settings, embedders: Embedders
) -> None:
    one = loaded(library.load_url(server.put("/a", ARTICLE), settings))
    embedded = list(embedders.embedded("minilm"))
    two = loaded(library.load_url(server.put("/b", ARTICLE), settings))
    assert embedders.embedded("minilm") == embedded
    assert one.id != two.id
    assert {h.document.source for h in library.search("lamp", [one.id], settings)} == {server.url("/a")}
    assert {h.document.source for h in library.search("lamp", [two.id], settings)} == {server.url("/b")}
    both = library.search("lamp", [one.id, two.id], settings, k=20)
    assert len(both) == len({h.document.id for h in both}) == one.chunks


def test_a_changed_page_is_another_source(library: Library, server: Server, settings: Settings) -> None:
    one = loaded(library.load_url(server.put("/a", ARTICLE), settings))
    two = loaded(library.load_url(server.put("/a", BEES), settings))
    assert one.id != two.id
    assert {h.document.title for h in library.search("bees", [two.id], settings)} == {"Bees"}


def test_nobody_sees_the_sources_of_another(library: Library, server: Server, settings: Settings) -> None:
    one = loaded(library.load_url(server.put("/a", ARTICLE), settings))
    two = loaded(library.load_url(server.put("/b", BEES), settings))
    for query in ("bees honey pollen", "lamp lighthouse", "anything at all"):
        assert {h.document.source for h in library.search(query, [one.id], settings, k=20)} <= {one.address}
        assert {h.document.source for h in library.search(query, [two.id], settings, k=20)} <= {two.address}
    assert library.search("bees", [], settings) == []
    assert library.search("bees", ["unknown"], settings) == []


def test_one_bad_address_harms_no_other(library: Library, server: Server, settings: Settings) -> None:
    server.put("/a", ARTICLE)
    server.put("/wall", page("<p>Enable JavaScript and cookies to continue</p>", title="Just a moment..."))
    server.put("/b", BEES)
    addresses = [
        "",
        *(server.url(p) for p in ("/a", "/missing", "/wall")),
        "http://10.0.0.1/",
        "  ",
        server.url("/b"),
        server.url("/a"),
    ]
    reports = list(library.load_many(addresses, settings))
    assert [r.status for r in reports] == ["loaded", "not found", "bot wall", "refused address", "loaded"]
    assert [r.ok for r in reports] == [True, False, False, False, True]
    assert all(r.message and r.source is None for r in reports if not r.ok)


@pytest.mark.usefixtures("near")
def test_files_are_read_only_when_that_is_asked_for(library: Library, settings: Settings, tmp_path: Path) -> None:
    path = tmp_path / "notes.md"
    path.write_text(f"# My notes\n\n{PROSE}", encoding="utf-8")
    [report] = library.load_many([str(path)], settings, files=True)
    assert (loaded(report).kind, loaded(report).title) == ("Markdown", "My notes")
    for address in (str(path), path.as_uri()):
        [refused] = library.load_many([address], settings)
        assert not refused.ok
    [missing] = library.load_many([str(tmp_path / "none.md")], settings, files=True)
    assert missing.status == "not found"
    [folder] = library.load_many([str(tmp_path)], settings, files=True)
    assert folder.status == "not readable"
    pdf = tmp_path / "a.html"
    pdf.write_bytes(b"%PDF-1.4 text")
    assert library.load_file(pdf, settings).status == "damaged"


def test_pasted_text(library: Library, settings: Settings) -> None:
    source = loaded(library.load_text(f"## Lamps\n\n{PROSE}", "My lamp notes", settings))
    assert (source.title, source.kind, source.address) == ("My lamp notes", "pasted text", "pasted text: My lamp notes")
    assert library.load_text(f"## Lamps\n\n{PROSE}", "My lamp notes", settings).status == "already there"
    assert library.load_text("   ", "Nothing", settings).status == "empty page"
    assert library.load_text("x" * 5_000_001, "Much", settings).status == "too large"


def test_samples(library: Library, settings: Settings) -> None:
    reports = list(load_samples(library, ["baseball-ko"], settings))
    assert reports
    assert all(loaded(r).collection == "baseball-ko" for r in reports)
    assert all(loaded(r).address.startswith("https://sample.rag-graphs.example/") for r in reports)
    with pytest.raises(SourceError, match="baseball-ko"):
        list(load_samples(library, ["no-such"], settings))


def test_each_language_has_its_embedder_unless_one_is_chosen(
    library: Library, server: Server, settings: Settings, embedders: Embedders
) -> None:
    english = loaded(library.load_url(server.put("/a", ARTICLE), settings))
    korean = loaded(library.load_url(server.put("/k", KOREAN), settings))
    assert [library.embedder_for(s, settings) for s in (english, korean)] == ["minilm", "e5"]
    assert embedders.embedded("e5")
    assert all("등대" in text for text in embedders.embedded("e5"))
    hits = library.search("등대", [english.id, korean.id], settings)
    assert hits[0].document.language == "ko"
    forced = settings.change(embeddings="e5")
    assert library.embedder_for(english, forced) == "e5"


def test_another_embedding_model_or_chunk_size_indexes_what_is_needed(
    library: Library, server: Server, settings: Settings, embedders: Embedders
) -> None:
    ids = [loaded(library.load_url(server.put(p, body), settings)).id for p, body in (("/a", ARTICLE), ("/k", KOREAN))]
    assert list(library.prepare(ids, settings)) == []
    forced = settings.change(embeddings="e5")
    told = list(library.prepare(ids, forced))
    assert {p.title for p in told} == {"The lighthouse"}
    assert {p.embedder for p in told} == {"e5"}
    assert told[0].done == 0
    assert told[-1].done == told[-1].total
    assert list(library.prepare(ids, forced)) == []
    smaller = settings.change(chunk_size=40)
    assert len(library.chunks(ids[0], smaller)) > len(library.chunks(ids[0], settings))
    assert all(len(h.document.text) < 500 for h in library.search("lamp", ids, smaller))
    before = len(embedders.embedded("minilm"))
    library.search("lamp", ids, settings)
    assert len(embedders.embedded("minilm")) == before


def test_loading_again_under_other_settings_says_what_was_done(
    library: Library, server: Server, settings: Settings
) -> None:
    url = server.put("/a", ARTICLE)
    library.load_url(url, settings)
    report = library.load_url(url, settings.change(embeddings="e5"))
    assert report.status == "loaded"
    assert "e5" in report.message


def test_progress_is_reported_while_loading(library: Library, server: Server, settings: Settings) -> None:
    seen: list[Progress] = []
    long = page("<main><h1>Long</h1>" + "".join(f"<h2>Part {n}</h2><p>{PROSE}</p>" for n in range(40)) + "</main>")
    source = loaded(library.load_url(server.put("/a", long), settings, seen.append))
    assert [p.done for p in seen] == sorted(p.done for p in seen)
    assert len(seen) > 2
    assert seen[-1].done == seen[-1].total == source.chunks


def test_thirty_visitors_who_load_the_same_page_embed_it_once(
    library: Library, server: Server, settings: Settings, embedders: Embedders
) -> None:
    url = server.put("/a", ARTICLE)
    start = threading.Barrier(30)

    def visit(_: int) -> LoadReport:
        start.wait(20)
        return library.load_url(url, settings)

    with ThreadPoolExecutor(30) as pool:
        reports = list(pool.map(visit, range(30)))
    assert len({loaded(r).id for r in reports}) == 1
    assert len(embedders.embedded("minilm")) == loaded(reports[0]).chunks
    with ThreadPoolExecutor(8) as pool:
        found = list(pool.map(lambda _: library.search("lamp", [loaded(reports[0]).id], settings), range(30)))
    assert all(hits == found[0] for hits in found)


def test_a_failing_embedder_harms_neither_the_library_nor_the_next_try(
    server: Server, settings: Settings, embedders: Embedders
) -> None:
    fails = [True]

    def find(name: str, chosen: Settings) -> object:
        if fails:
            raise SetupError("The key is missing. Set OPENAI_API_KEY.")
        return embedders(name, chosen)

    library = Library(None, allowed_hosts=frozenset([server.name]), find_embedder=find)  # type: ignore[arg-type]
    url = server.put("/a", ARTICLE)
    report = library.load_url(url, settings)
    assert (report.ok, report.status) == (False, "not indexed")
    assert "OPENAI_API_KEY" in report.message
    fails.clear()
    assert library.load_url(url, settings).ok


def test_what_is_stored_is_there_after_a_restart(
    server: Server, settings: Settings, embedders: Embedders, tmp_path: Path
) -> None:
    hosts = frozenset([server.name])
    first = Library(tmp_path, allowed_hosts=hosts, find_embedder=embedders)
    source = loaded(first.load_url(server.put("/a", ARTICLE), settings))
    hits = first.search("lamp oil", [source.id], settings)
    embedded = list(embedders.embedded("minilm"))
    again = Library(tmp_path, allowed_hosts=hosts, find_embedder=embedders)
    assert again.sources([source.id], settings) == [source]
    assert again.search("lamp oil", [source.id], settings) == hits
    assert embedders.embedded("minilm") == embedded


def test_vectors_and_statistics(library: Library, server: Server, settings: Settings) -> None:
    source = loaded(library.load_url(server.put("/a", ARTICLE), settings))
    ids = [d.id for d in library.chunks(source.id, settings)]
    vectors = library.vectors([*ids, "unknown"], "minilm")
    assert set(vectors) == set(ids)
    assert all(sum(x * x for x in v) == pytest.approx(1, abs=1e-4) for v in vectors.values())
    assert library.vectors(ids, "e5") == {}
    statistics = library.statistics([source.id], settings)
    assert statistics.documents == source.chunks
    assert statistics.frequency["lamp"] >= 1
    assert statistics.idf("no-such-token") > statistics.idf("lamp") > 0
    assert library.statistics([], settings).documents == 0


def test_description(library: Library, server: Server, settings: Settings) -> None:
    ids = [loaded(library.load_url(server.put(p, b), settings)).id for p, b in (("/a", ARTICLE), ("/b", BEES))]
    text = library.describe(ids)
    assert text.startswith("2 sources: The lighthouse; Bees.")
    assert "honey" in text
    assert len(text) <= 700
    assert "empty" in library.describe([])
    many = [loaded(library.load_text(f"{PROSE} {n}", f"A rather long title {n} " * 9, settings)).id for n in range(12)]
    assert len(library.describe(many)) <= 700


def test_a_temporary_library_leaves_nothing_behind(embedders: Embedders, settings: Settings) -> None:
    library = Library(None, find_embedder=embedders)
    library.load_text(PROSE, "Lamp", settings)
    folder = library._catalogue._path.parent
    other = Library(None, find_embedder=embedders)
    assert other._catalogue._path.parent != folder
    assert folder.exists()
    del library
    gc.collect()
    assert not folder.exists()


def test_a_damaged_folder_is_told_with_what_to_do(tmp_path: Path, embedders: Embedders, settings: Settings) -> None:
    (tmp_path / "library.sqlite3").write_bytes(b"no database, but long enough to be looked at as one" * 100)
    with pytest.raises(LibraryError, match="move the data folder away"):
        Library(tmp_path, find_embedder=embedders)


def test_a_damaged_index_is_told_with_what_to_do(tmp_path: Path, embedders: Embedders, settings: Settings) -> None:
    (tmp_path / "vectors").mkdir()
    (tmp_path / "vectors" / "chroma.sqlite3").write_bytes(b"no database, but long enough to be looked at as one" * 100)
    library = Library(tmp_path, find_embedder=embedders)
    with pytest.raises(LibraryError, match="move the data folder away"):
        library.load_text(PROSE, "Lamp", settings)


def test_a_library_of_another_version_is_told(tmp_path: Path, embedders: Embedders) -> None:
    Library(tmp_path, find_embedder=embedders)
    db = sqlite3.connect(tmp_path / "library.sqlite3")
    db.execute("PRAGMA user_version = 99")
    db.commit()
    db.close()
    with pytest.raises(LibraryError, match="another version"):
        Library(tmp_path, find_embedder=embedders)


def test_a_folder_that_cannot_be_made_is_told(tmp_path: Path, embedders: Embedders) -> None:
    (tmp_path / "file").write_text("x")
    with pytest.raises(LibraryError, match="RAG_DATA_DIR"):
        Library(tmp_path / "file" / "library", find_embedder=embedders)


def test_a_second_process_is_kept_out_of_the_index(tmp_path: Path, embedders: Embedders, settings: Settings) -> None:
    library = Library(tmp_path, find_embedder=embedders)
    library.load_text(PROSE, "Lamp", settings)
    owned = str(tmp_path / "vectors")
    code = f"from pathlib import Path; from rag_graphs.library.index.ownership import own; own(Path({owned!r}))"
    second = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert second.returncode != 0
    assert "Another process uses the library" in second.stderr


def test_a_killed_owner_leaves_the_index_free(tmp_path: Path) -> None:
    code = f"from pathlib import Path; from rag_graphs.library.index.ownership import own; own(Path({str(tmp_path)!r}))"
    waiting = f"{code}; print('owned', flush=True); input()"
    with subprocess.Popen([sys.executable, "-c", waiting], stdin=subprocess.PIPE, stdout=subprocess.PIPE) as first:
        assert first.stdout is not None
        assert first.stdout.readline() == b"owned\n"
        with pytest.raises(LibraryError, match="Another process uses the library"):
            own(tmp_path)
        first.kill()
    own(tmp_path)
    release(tmp_path)
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0


def test_vectors_of_another_length_are_told(tmp_path: Path, embedders: Embedders, settings: Settings) -> None:
    library = Library(tmp_path, find_embedder=embedders)
    library.load_text(PROSE, "Lamp", settings)
    embedders.made["minilm"].dimension = 32
    with pytest.raises(LibraryError, match="another length"):
        library.load_text(PROSE * 2, "Lamp two", settings)


def test_no_model_is_ever_downloaded_by_the_index() -> None:
    """Chroma's own embedding function would fetch one at the first text that it embeds itself."""
    source = Path(vectors_module.__file__).read_text(encoding="utf-8")
    assert "embedding_function=None" in source
    assert "documents=" not in source
