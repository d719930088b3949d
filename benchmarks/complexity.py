"""What adaptive-complexity gains: its classifier against the kinds of questions, and its chain of searches against one search
that returns as many documents.

    python -m benchmarks.complexity DATA [--library FOLDER]

DATA as in benchmarks/qa.py. Rules and thresholds were chosen on half 0; half 1 reports.
"""

from __future__ import annotations

import argparse
from collections.abc import Callable
from dataclasses import dataclass, replace
from pathlib import Path

from benchmarks import qa
from benchmarks.metrics import mean
from rag_graphs import load_settings
from rag_graphs.engines.builtin.complexity import classify
from rag_graphs.engines.builtin.engine import builtin_components
from rag_graphs.engines.builtin.extract import pick
from rag_graphs.engines.builtin.reasoning import LOOKUPS
from rag_graphs.graphs.components import Components, ReasonRequest, Thought
from rag_graphs.graphs.state import Complexity
from rag_graphs.graphs.strategies import get_strategy
from rag_graphs.runs.runner import run
from rag_graphs.runs.trace import Trace

HALVES = {0: "chosen on", 1: "held out"}


@dataclass(frozen=True)
class Ran:
    """A question's run beside one search for as many documents: whether each found all gold passages."""

    question: qa.Question
    documents: int
    rounds: int
    chain: bool
    naive: bool


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("data", type=Path)
    parser.add_argument("--library", type=Path, help="a folder to keep the index in, so that the next time is faster")
    given = parser.parse_args()
    asked = qa.questions(given.data)
    for half, name in HALVES.items():
        print(f"classifier, {name}: {classified([q for q in asked if q.half == half])}")
    settings = load_settings(web="off")
    corpus = qa.load(given.data, given.library, settings)
    own = builtin_components(settings, corpus.library, corpus.sources, lambda query: [])
    forced = replace(own, classify=lambda question: Complexity(label="C"))
    several = [q for q in asked if q.kind == "multi_hop"]
    for name, components in (
        ("class C forced", forced),
        ("as classified", own),
        ("class C forced, each step a quoted sentence", replace(forced, reason=quoting(corpus, own))),
    ):
        runs = [ran(q, corpus, components) for q in several]
        for half, told in HALVES.items():
            print(f"{name}, {told}: {gained([r for r in runs if r.question.half == half])}")


def classified(asked: list[qa.Question]) -> str:
    """Precision and recall of class C for questions with several gold passages, among those that the corpus answers, in
    English: the others have one passage each."""
    pairs = [
        (classify(q.text).label == "C", q.kind == "multi_hop")
        for q in asked
        if q.language == "en" and q.kind in ("single", "natural", "multi_hop")
    ]
    right = [several for said, several in pairs if said]
    found = [said for said, several in pairs if several]
    return (
        f"precision {mean(right)} (n = {len(right)}), recall {mean(found)} (n = {len(found)}), {len(pairs)} questions"
    )


def quoting(corpus: qa.Corpus, own: Components) -> Callable[[ReasonRequest], Thought]:
    """For comparison: each step is the best sentence of the documents that the chain does not hold yet."""
    from rag_graphs.engines.builtin.claims import flat
    from rag_graphs.engines.builtin.engine import Engine

    engine = Engine(corpus.settings, corpus.library, corpus.sources)

    def reason(request: ReasonRequest) -> Thought:
        found = engine.measure(request.question, request.documents)
        avoid = {flat(s) for s in request.chain}
        best = pick(request.question, request.documents, found, most=1, avoid=avoid)
        final = not best or len(request.chain) >= LOOKUPS
        return Thought(sentence=best[0].text if best else "", final=final)

    return reason


def ran(question: qa.Question, corpus: qa.Corpus, components: Components) -> Ran:
    """One run of the strategy, and one search for as many documents as it ended with."""
    strategy = get_strategy("adaptive-complexity")
    state = Trace(list(run(strategy, question.text, components, corpus.settings, sources=corpus.sources))).state
    once = components.retrieve_many(question.text, len(state.documents))

    def all_found(documents: list[str]) -> bool:
        return question.gold <= {corpus.passage_of.get(d, "") for d in documents}

    return Ran(
        question=question,
        documents=len(state.documents),
        rounds=len(state.chain) or 1,
        chain=all_found([d.id for d in state.documents]),
        naive=all_found([d.id for d in once]),
    )


def gained(runs: list[Ran]) -> str:
    """Shares with all gold passages, and the mean of the differences by question."""
    return (
        f"n = {len(runs)}, all gold passages {mean([r.chain for r in runs])}, one search {mean([r.naive for r in runs])}, "
        f"difference {mean([r.chain - r.naive for r in runs])}; {mean([r.documents for r in runs]).value:.1f} documents, "
        f"{mean([r.rounds for r in runs]).value:.1f} searches"
    )


if __name__ == "__main__":
    main()
