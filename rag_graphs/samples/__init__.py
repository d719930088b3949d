"""What ships for trying things out: a sample library in named collections, a sample web, and recorded runs.

A page is a Markdown file `<name>.<language>.md` whose first line is its title. Addresses are made up and stable: they lie
under `.example`, which no one can own (RFC 2606), and nothing is ever fetched from them.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection as Names
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from importlib.resources.abc import Traversable

from rag_graphs.graphs.strategy import Example, Strategy
from rag_graphs.runs.trace import Trace

LIBRARY_ADDRESS = "https://sample.rag-graphs.example"
WEB_ADDRESS = "https://web.rag-graphs.example"

_COLLECTIONS = (
    ("relationships", "Relationships and habits", "en", "A made-up newsletter on living together and on habits that stay."),
    ("language-models", "Language models", "en", "Agents and their memory, prompting, attacks, retrieval, evaluation."),
    ("langgraph-ko", "LangGraph (Korean)", "ko", "Parallel nodes, reducers, conversations and conditional edges."),
    ("baseball-ko", "Baseball rules (Korean)", "ko", "Home runs, innings and outs, balls and strikes."),
    ("baseball-es", "Baseball (Spanish)", "es", "What a home run is."),
)  # fmt: skip

_RUNS = (
    ("clean-hit", "A clean hit", "relationships",
     "Some documents are relevant and some are not; the answer rests on the relevant ones."),
    ("gives-up", "One that gives up", "relationships",
     "The library does not hold the answer. After three rewrites the run says so."),
    ("asks-the-web", "One that asks the web", "relationships",
     "No document is relevant, so the query is rewritten for a web search."),
    ("rewrite-rescues", "A rewrite that rescues", "relationships",
     "The first search finds the wrong passage. In other words the query finds the right one."),
    ("rejected", "Rejected documents", "language-models",
     "Three of four documents are rejected. One is too little to answer from, so the web is asked as well."),
    ("careless", "A careless answer is caught", "relationships",
     "The first answer says more than its documents do. The check sends it back, and the second one passes."),
    ("routed", "A route to the web", "relationships",
     "A router sees that the library is no cookbook and goes to the web at once, where another run gives up."),
    ("no-web", "The web search is down", "relationships",
     "The library has nothing, and the web cannot be searched. The run says which of the two failed."),
    ("korean", "In Korean", "langgraph-ko",
     "Asked in Korean, answered in Korean: all four documents are relevant, and the answer credits its sources."),
    ("flipped", "One verdict flipped", "relationships",
     "A fork of the clean hit: its one relevant document counts as not relevant, and the run goes another way."),
    ("drafts", "Drafts that are ranked", "language-models",
     "Two drafts are spoilt. Three judgements of each draft tell, and weights decide which draft wins."),
    ("refined", "Both places, refined", "relationships",
     "Not sure enough to trust, not bad enough to throw away: strips of the library and of the web are kept."),
    ("chain", "One search after the other", "relationships",
     "Who it was has to be found before one can look up where she lives."),
    ("follow-up", "A follow-up question", "relationships",
     "Alone it says too little. It is made to stand alone from the question before it, and then searched for."),
)  # fmt: skip


@dataclass(frozen=True, kw_only=True)
class SamplePage:
    """A page of our own writing. `text` is Markdown and begins with the title; `language` is an ISO 639-1 code."""

    key: str
    title: str
    text: str
    language: str
    address: str


@dataclass(frozen=True, kw_only=True)
class Collection:
    """Pages on one theme that are loaded together. `language` is that of most of them."""

    key: str
    title: str
    language: str
    summary: str
    pages: tuple[SamplePage, ...]


@dataclass(frozen=True, kw_only=True)
class RecordedRun:
    """A run of the built-in engine on collections of the sample library, to be played without running anything."""

    key: str
    title: str
    lesson: str
    trace: Trace
    collections: tuple[str, ...] = ()


@cache
def collections() -> dict[str, Collection]:
    """The sample library: its collections by key, in the order in which they are shown."""
    return {
        key: Collection(key=key, title=title, language=language, summary=summary, pages=_pages("library", key))
        for key, title, language, summary in _COLLECTIONS
    }


@cache
def web_pages() -> list[SamplePage]:
    """The pages of the sample web, by name."""
    return list(_pages("web"))


@cache
def recorded_runs() -> list[RecordedRun]:
    """The recorded runs in the order in which they are offered."""
    return [
        RecordedRun(key=key, title=title, lesson=lesson, trace=_recorded(key), collections=(collection,))
        for key, title, collection, lesson in _RUNS
    ]


def _recorded(key: str) -> Trace:
    return Trace.from_json(_text(_folder("runs") / f"{key}.json"))


def suggestions(strategy: Strategy, loaded: Names[str]) -> list[Example]:
    """The strategy's suggested questions whose collections are all loaded. The collections take turns, so that the first few
    show all of a large library."""
    have = set(loaded)
    turns: Counter[tuple[str, ...]] = Counter()
    fitting: list[tuple[int, Example]] = []
    for example in strategy.examples:
        if set(example.collections) <= have:
            fitting.append((turns[example.collections], example))
            turns[example.collections] += 1
    return [example for _, example in sorted(fitting, key=lambda pair: pair[0])]


def _pages(*folder: str) -> tuple[SamplePage, ...]:
    found = sorted((f for f in _folder(*folder).iterdir() if f.name.endswith(".md")), key=lambda f: f.name)
    base = WEB_ADDRESS if folder == ("web",) else f"{LIBRARY_ADDRESS}/{folder[-1]}"
    return tuple(_page(file, base) for file in found)


def _page(file: Traversable, base: str) -> SamplePage:
    key, language, _ = file.name.split(".")
    text = _text(file)
    title = text.partition("\n")[0].removeprefix("# ").strip()
    return SamplePage(key=key, title=title, text=text, language=language, address=f"{base}/{key}")


def _folder(*parts: str) -> Traversable:
    return files(__name__).joinpath(*parts)


def _text(file: Traversable) -> str:
    return file.read_text(encoding="utf-8")
