"""What is sent round: it opens elsewhere, loads nothing, runs nothing, and says what the run did."""

from __future__ import annotations

import html
import re
import struct
from html.parser import HTMLParser
from xml.etree import ElementTree

import pytest

from rag_graphs.errors import SetupError, TraceError
from rag_graphs.export import FORMATS, as_html, as_json, as_png, as_svg, export_run, file_name
from rag_graphs.export.report import picture
from rag_graphs.graphs.components import Thought
from rag_graphs.graphs.state import Document
from rag_graphs.graphs.strategies import all_strategies, get_strategy
from rag_graphs.runs.runner import run
from rag_graphs.runs.trace import Trace
from rag_graphs.samples import recorded_runs
from rag_graphs.settings import Settings
from rag_graphs.views.diagram import FONT, FONT_FILE, diagram_css, draw, marks
from tests.app.made import FURTHER, all_hostile, critical
from tests.fakes import fake
from tests.traces.conftest import recorded

NASTY = """</title></style><script>alert(1)</script><img src=x onerror=alert(1)>"' onload='x' javascript:alert(1) \u202e[1]"""
EVERY_RUN = pytest.mark.parametrize("trace", [r.trace for r in recorded_runs()], ids=[r.key for r in recorded_runs()])


class Page(HTMLParser):
    """What a browser would make of a report."""

    def __init__(self, html: str) -> None:
        super().__init__()
        self.tags: list[tuple[str, dict[str, str | None]]] = []
        self.words: list[str] = []
        self.feed(html)
        self.close()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append((tag, dict(attrs)))

    def handle_data(self, data: str) -> None:
        self.words.append(data)

    @property
    def text(self) -> str:
        return " ".join("".join(self.words).split())


def harmless(html: str) -> Page:
    """Nothing in it is run, and nothing loaded from anywhere."""
    page = Page(html)
    names = {tag for tag, _ in page.tags}
    assert not names & {
        "script",
        "img",
        "iframe",
        "object",
        "embed",
        "link",
        "base",
        "form",
        "input",
        "video",
        "use",
        "image",
    }
    for tag, attributes in page.tags:
        assert not [
            a for a in attributes if a.startswith("on") or a in ("src", "srcset", "xlink:href", "data", "action")
        ]
        if "href" in attributes:
            assert tag == "a"
            assert re.match(r"#doc\d+$|https?://", attributes["href"] or "")
    policy = next(a["content"] for t, a in page.tags if t == "meta" and "http-equiv" in a)
    assert policy == (
        "default-src 'none'; style-src 'unsafe-inline'; font-src data:; base-uri 'none'; form-action 'none'"
    )
    styles = re.findall(r"<style>(.*?)</style>", html, re.DOTALL)
    assert not re.search(r"@import|url\((?!data:font/woff2;base64,[\w+/=]+\))|expression", "".join(styles))
    return page


@EVERY_RUN
def test_a_report_holds_the_run_and_loads_nothing(trace: Trace) -> None:
    page = harmless(as_html(trace))
    for expected in (
        trace.head.question,
        *(s.document.title for s in trace.state.seen),
        *(g.reason for d, g in trace.grades if d is None),
        *trace.state.notes,
        trace.head.run_id,
        "min_relevant_share",
        "RAG Graphs 0.1.0",
        f"{trace.head.started[:4]}",
    ):
        assert " ".join(expected.split()) in page.text
    assert [a["id"] for t, a in page.tags if t == "article" and (a["class"] or "").startswith("doc ")] == [
        f"doc{n + 1}" for n in range(len(trace.state.seen))
    ]


def test_citations_lead_to_their_documents() -> None:
    trace = recorded("self-rag", relevant=[[False, False, True, False]])
    html = as_html(trace)
    assert trace.text == "An answer. [1]"
    # the first document that the model was given is the third that was seen
    assert '<a class="cite" href="#doc3" title="Page 3" aria-label="Document 3">3</a>' in html
    assert '<article class="doc yes kept" id="doc3">' in html
    assert '<article class="doc no" id="doc1">' in html


def test_the_text_of_a_document_that_was_kept_stands_open() -> None:
    html = as_html(recorded("self-rag", relevant=[[False, False, True, False]]))
    card = dict(re.findall(r'id="(doc\d)">.*?<details( open)?>', html))
    assert card == {"doc1": "", "doc2": "", "doc3": " open", "doc4": ""}


def test_a_citation_of_nothing_is_marked() -> None:
    trace = recorded("naive", retrieve=lambda q: [])
    assert '<span class="cite bad" title="Cites [1], but 0 documents were given.">1?</span>' in as_html(trace)


def test_the_citations_of_an_attempt_lead_to_its_documents() -> None:
    html = as_html(recorded("self-rag", verdicts=[(False, True), (True, True)]))
    attempts = html[html.index('<ol class="att">') :].partition("</ol>")[0]
    assert attempts.count('href="#doc1"') == 2


def test_hostile_texts_stay_texts() -> None:
    documents = [
        Document(id="d1", text=NASTY, source="javascript:alert(1)", title=NASTY, heading=NASTY),
        Document(id="d2", text=NASTY, source='https://x.example/"onmouseover="alert(1)', title="data:text/html,x"),
        Document(id="d3", text="\ud800", source="https://[not-an-address", title="file:///etc/passwd"),
    ]
    made = run(get_strategy("self-rag"), NASTY, fake(retrieve=lambda q: documents), Settings())
    page = harmless(export_run(Trace(list(made)), "html").decode())
    assert "<script>alert(1)</script>" in page.text
    assert {a["href"] for t, a in page.tags if t == "a" and (a["href"] or "").startswith("http")} == {
        'https://x.example/"onmouseover="alert(1)'
    }


@pytest.mark.parametrize("key", FURTHER)
def test_hostile_drafts_strips_and_sentences_stay_texts(key: str) -> None:
    made = run(get_strategy(key), NASTY, all_hostile(), Settings())
    page = harmless(export_run(Trace(list(made)), "html").decode())
    assert page.text.count("<script>alert(1)</script>") > 3


def test_drafts_stand_by_rank_with_the_parts_of_each_score() -> None:
    page = harmless(as_html(recorded("self-rag-critique", draft=critical().draft)))
    assert "The scores come from plain verdicts, each counted as certain" in page.text
    # relevance 1.00, support 1.00, use 0.5 * -0.5
    best = r"1 ?1 ?Page 1.*1\.75.*relevant ?fully supported ?useful 2 of 5 ?relevance 1\.00.*support 1\.00.*use −0\.25 = 1\.75"
    assert re.search(best, page.text)
    weights = "The weights of this run: relevance × 1, support × 1, use × 0.5, text × 0."
    assert weights in page.text
    assert page.text.index("1.75") < page.text.index("1.50")


def test_kept_strips_are_marked_in_the_text_of_their_document() -> None:
    trace = recorded(
        "crag-refined",
        scores=[0.9, 0.1],
        decompose=lambda text: [(0, 4), (4, len(text))],
        score_strips=lambda q, strips: ((i, [0.1, 0.9]) for i, _ in enumerate(strips)),
    )
    html = as_html(trace)
    strips = re.sub(r"<sup[^>]*>", "<sup>", html)
    assert '<span class="drop">Text</span><sup>0.10</sup> <mark class="keep">1.</mark><sup>0.90</sup>' in strips
    assert "document 1&#58; 0.90" in html
    assert "document 2&#58; 0.10" in html


def test_a_chain_is_listed_with_what_was_new() -> None:
    thoughts = [Thought(sentence="Page 1 names Page 2."), Thought(sentence="So it is 12.", final=True)]
    page = harmless(as_html(recorded("adaptive-complexity", complexity="C", thoughts=thoughts)))
    assert "Search 1 Why?" in page.text
    assert "Search 2 Page 1 names Page 2." in page.text
    assert page.text.count("held already") == 4
    assert "So it is 12. reaches the answer" in page.text


@pytest.mark.parametrize("key", list(all_strategies()))
def test_every_strategy_has_a_report_and_pictures(key: str) -> None:
    trace = recorded(key)
    harmless(as_html(trace))
    root = ElementTree.fromstring(as_svg(trace))
    taken = [g for g in root.iter() if "taken" in (g.get("class") or "").split()]
    assert len(taken) == len(set((e.source, e.target) for e in trace.edges))
    png = as_png(trace)
    assert png.startswith(b"\x89PNG\r\n")
    width, height = struct.unpack(">II", png[16:24])
    assert width > 800
    assert height > 100


@pytest.mark.parametrize("count", [1, 3, 8, 14])
def test_an_unfinished_run_can_be_sent_round_too(count: int) -> None:
    part = recorded("self-rag").upto(count)
    assert "Not finished" in harmless(as_html(part)).text
    cut_off = Trace.from_json(as_json(part))
    assert "Interrupted" in harmless(as_html(cut_off)).text


@EVERY_RUN
def test_the_json_opens_again(trace: Trace) -> None:
    assert Trace.from_json(as_json(trace)).events == trace.events


def test_no_key_is_in_any() -> None:
    settings = Settings(openai_api_key="sk-secret-key", tavily_api_key="tvly-secret-key")  # type: ignore[arg-type]
    trace = Trace(list(run(get_strategy("self-rag"), "Why?", fake(), settings)))
    for form in FORMATS:
        assert b"secret-key" not in export_run(trace, form)
    told = trace.to_json()
    told["events"][0]["settings"]["openai_api_key"] = "sk-secret-key"
    assert "secret-key" not in as_html(Trace.from_json(told))


def test_a_run_of_an_unknown_strategy() -> None:
    told = recorded("naive").to_json()
    told["events"][0]["strategy"] = "of-the-future"
    trace = Trace.from_json(told)
    assert "is not known here" in harmless(as_html(trace)).text
    with pytest.raises(TraceError, match="of-the-future"):
        as_svg(trace)


def drawn_texts(key: str) -> set[str]:
    """The texts of a strategy's diagram, before a run and after it."""
    strategy, trace = get_strategy(key), recorded(key)
    drawings = (
        draw(strategy, Settings(), prefix="before"),
        draw(strategy, Settings(), marks(trace), prefix="after"),
    )
    elements = (e for d in drawings for e in ElementTree.fromstring(d).iter("{http://www.w3.org/2000/svg}text"))
    return {"".join(e.itertext()) for e in elements} - {""}


def as_picture(text: str, weight: int = 400) -> bytes:
    style = f'y="30" font-family="{FONT}" font-weight="{weight}"'
    page = '<svg xmlns="http://www.w3.org/2000/svg" width="400" height="40">'
    return picture.rendered(f"{page}<text {style}>{html.escape(text)}</text></svg>", machine_fonts=False)


def rename(monkeypatch: pytest.MonkeyPatch, old: str, new: str) -> None:
    """Have a text of every diagram read otherwise."""
    monkeypatch.setattr(picture, "draw", lambda *given, **named: draw(*given, **named).replace(f">{old}<", f">{new}<"))


class TestFont:
    """No test here asks for the machine's fonts: there may be none."""

    @pytest.mark.parametrize("key", list(all_strategies()))
    def test_every_text_leaves_its_own_mark(self, key: str) -> None:
        texts = drawn_texts(key)
        assert len({as_picture(text) for text in texts} - {as_picture("")}) == len(texts) > 5

    def test_every_character_of_european_languages_and_every_sign_leaves_a_mark(self) -> None:
        letters = "".join(chr(c) for c in (*range(0x21, 0x7F), *range(0xA1, 0xAD), *range(0xAE, 0x180)))
        signs = "ȘșȚțẞ‐‑–—‘’‚“”„†•…‰‹›⁄€№™←↑→↓↔−×÷≈≠≤≥∞√∑∂∆∏∫■□▲▶▼◀●○✓✗"
        blank = as_picture("")
        assert [c for c in letters + signs if as_picture(c) == blank] == []

    def test_each_weight_of_the_stylesheet_looks_different(self) -> None:
        weights = {int(w) for w in re.findall(r"font-weight: (\d+)", diagram_css())}
        assert weights == {500, 600, 700}
        assert len({as_picture("Grade", w) for w in (400, *weights)}) == 4

    @pytest.mark.parametrize("key", list(all_strategies()))
    def test_a_picture_needs_no_font_of_the_machine(self, key: str, monkeypatch: pytest.MonkeyPatch) -> None:
        trace = recorded(key)
        png = as_png(trace, machine_fonts=False)
        assert png == as_png(trace)
        rename(monkeypatch, "Generate" if "generate" in trace.path else "Retrieve", "")
        assert png != as_png(trace, machine_fonts=False)

    @pytest.mark.parametrize(("word", "script"), [("문서", "Hangul"), ("文書", "Chinese"), ("وثيقة", "Arabic")])
    def test_letters_that_no_font_has_are_named(self, word: str, script: str, monkeypatch: pytest.MonkeyPatch) -> None:
        rename(monkeypatch, "Retrieve", word)
        with pytest.raises(SetupError, match=rf"{script}.*fonts-noto"):
            as_png(recorded("naive"), machine_fonts=False)

    def test_the_machine_is_asked_for_other_letters(self, monkeypatch: pytest.MonkeyPatch) -> None:
        asked: list[bool] = []
        monkeypatch.setattr(picture, "_is_drawn", lambda c, machine_fonts: machine_fonts or c.isascii() or c in "×…")
        monkeypatch.setattr(picture, "rendered", lambda svg, machine_fonts: asked.append(machine_fonts) or b"")
        as_png(recorded("naive"))
        rename(monkeypatch, "Retrieve", "문서")
        as_png(recorded("naive"))
        assert asked == [False, True]

    def test_the_licence_is_beside_it_and_its_reserved_name_is_not_used(self) -> None:
        assert "SIL OPEN FONT LICENSE Version 1.1" in (FONT_FILE.parent / "OFL.txt").read_text(encoding="utf-8")
        assert "Source" not in FONT
        assert "SourceSans3".encode("utf-16-be") not in FONT_FILE.read_bytes()


@pytest.mark.parametrize(
    ("question", "name"),
    [
        ("How to improve relationships", "naive-how-to-improve-relationships-"),
        ("../../etc/passwd\0", "naive-etc-passwd-"),
        ("야구에서 홈런이 뭐야?", "naive-20"),
        ("x" * 500, "naive-xxx"),
    ],
)
def test_the_name_of_a_file_is_plain(question: str, name: str) -> None:
    made = file_name(recorded("naive", question), "html")
    assert made.startswith(name)
    assert re.fullmatch(r"[a-z0-9-]{1,100}\.html", made)


def test_the_version_is_that_of_the_project() -> None:
    import tomllib
    from pathlib import Path

    from rag_graphs.version import VERSION

    project = tomllib.loads((Path(__file__).parents[2] / "pyproject.toml").read_text(encoding="utf-8"))
    assert project["project"]["version"] == VERSION


def test_the_changed_words_of_a_query_are_marked() -> None:
    html = as_html(recorded("self-rag", relevant=[[False], [True]]))
    assert re.search(r'<div>Why\? ?<ins class="w">\(1\)</ins>', html)
