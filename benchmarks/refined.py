"""Corrective RAG with refinement on a question set: actions by kind of question, and answer inclusion beside `crag`.

    python -m benchmarks.refined DATA [--library FOLDER] [--half 1] [--budgets 500 1000 2000]

DATA as in benchmarks/qa.py; the web is its web.jsonl. The evaluator's weights and thresholds come from half 0 of the questions
(benchmarks/evaluator.py), the figures from half 1. The documents that a graph hands to `generate` are cut to the same number of
characters for both strategies, and the built-in engine answers from what is left. Prints Markdown.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from benchmarks import qa
from benchmarks.metrics import Mean, cut, includes, mean
from rag_graphs import Settings, Trace, build_components, get_strategy, load_settings, run
from rag_graphs.graphs.components import Components, GenerateRequest, SearchWeb
from rag_graphs.graphs.state import Draft, Strip

STRATEGIES = ("crag", "crag-refined")
ACTIONS = ("correct", "ambiguous", "incorrect")
REFERENCED = ("single", "multi_hop", "web_only")
"""Kinds with short reference answers that some passage holds."""
WHOLE = 0
"""The budget that cuts nothing."""

Inclusion = dict[tuple[str, int, str], bool]
"""(strategy, budget, "context" or "answer") -> whether it holds a reference answer."""


@dataclass(frozen=True)
class Outcome:
    """What became of a question: crag-refined's action and its strips, and where a reference answer was held."""

    question: qa.Question
    action: str
    library: list[Strip]
    web: list[Strip]
    characters: dict[str, int]
    held: Inclusion


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("data", type=Path)
    parser.add_argument("--library", type=Path, help="a folder to keep the index in, so that the next time is faster")
    parser.add_argument("--half", type=int, choices=[0, 1], default=1)
    parser.add_argument("--budgets", type=int, nargs="*", default=[500, 1000, 2000])
    parser.add_argument("--strip", type=float, help="another threshold for strips")
    given = parser.parse_args()
    settings = load_settings(web="off", strip_threshold=given.strip)
    corpus, search = qa.load(given.data, given.library, settings), qa.web(given.data, settings.web_results)
    budgets = [*given.budgets, WHOLE]
    found = []
    for n, question in enumerate(q for q in qa.questions(given.data) if q.half == given.half):
        found.append(outcome(question, corpus, search, settings, budgets))
        if n % 20 == 19:
            print(f"{n + 1} questions", file=sys.stderr)
    print("\n\n".join([actions(found), inclusion(found, budgets), strips(found)]))


def outcome(
    question: qa.Question, corpus: qa.Corpus, search: SearchWeb, settings: Settings, budgets: Sequence[int]
) -> Outcome:
    """Puts a question to both strategies, then cuts what each handed to `generate`."""
    components = replace(build_components(settings, corpus.library, corpus.sources), search_web=search)
    held: Inclusion = {}
    characters: dict[str, int] = {}
    traces: dict[str, Trace] = {}
    for strategy in STRATEGIES:
        traces[strategy], request = handed_over(strategy, question.text, components, settings)
        characters[strategy] = sum(len(d.text) for d in request.documents)
        for budget in budgets:
            held |= {
                (strategy, budget, where): includes(text, question.answers, question.language)
                for where, text in context_and_answer(request, budget or sys.maxsize, components)
            }
    state = traces["crag-refined"].state
    origin = {s.document.id: s.document.origin for s in state.seen}
    return Outcome(
        question=question,
        action=state.evaluation.action if state.evaluation else "",
        library=[s for s in state.strips if origin[s.document] == "library"],
        web=[s for s in state.strips if origin[s.document] == "web"],
        characters=characters,
        held=held,
    )


def handed_over(
    strategy: str, question: str, components: Components, settings: Settings
) -> tuple[Trace, GenerateRequest]:
    """A run in which nothing is written, and what `generate` was given."""
    requests: list[GenerateRequest] = []

    def listen(request: GenerateRequest) -> Iterator[str | Draft]:
        requests.append(request)
        yield Draft(text="")

    silent = replace(components, generate=listen)
    trace = Trace(list(run(get_strategy(strategy), question, silent, settings)))
    return trace, requests[-1]


def context_and_answer(request: GenerateRequest, budget: int, components: Components) -> Iterator[tuple[str, str]]:
    """The documents' text within a budget of characters, and what the generator writes from it."""
    texts = cut([d.text for d in request.documents], budget)
    yield "context", "\n\n".join(texts)
    documents = [replace(d, text=text) for d, text in zip(request.documents, texts, strict=False)]
    *_, draft = components.generate(replace(request, documents=documents, rejected=[]))
    yield "answer", draft.text if isinstance(draft, Draft) and not draft.abstained else ""


def actions(found: Sequence[Outcome]) -> str:
    """Shares of the three actions by kind of question."""
    lines = ["| kind | n | correct | ambiguous | incorrect |", "|---|---|---|---|---|"]
    for kind in qa.KINDS:
        own = [o.action for o in found if o.question.kind == kind]
        shares = " | ".join(str(mean([a == action for a in own])) for action in ACTIONS)
        lines.append(f"| {kind} | {len(own)} | {shares} |")
    return "\n".join(lines)


def inclusion(found: Sequence[Outcome], budgets: Sequence[int]) -> str:
    """Answer inclusion of both strategies, and the difference question by question."""
    head = [f"{where}: {name}" for where in ("context", "answer") for name in (*STRATEGIES, "difference")]
    lines = ["| budget | kind | n | " + " | ".join(head) + " |", "|---" * (len(head) + 3) + "|"]
    for budget in budgets:
        for kind in ("all", *REFERENCED):
            own = [o for o in found if o.question.kind in (REFERENCED if kind == "all" else (kind,))]
            figures = [m for where in ("context", "answer") for m in compared(own, budget, where)]
            named = budget or f"none (mean {_length(own)})"
            lines.append(f"| {named} | {kind} | {len(own)} | " + " | ".join(map(str, figures)) + " |")
    return "\n".join(lines)


def compared(own: Sequence[Outcome], budget: int, where: str) -> list[Mean]:
    """Inclusion of each strategy, and the second's less the first's."""
    first, second = ([o.held[strategy, budget, where] for o in own] for strategy in STRATEGIES)
    return [mean(first), mean(second), mean([int(b) - int(a) for a, b in zip(first, second, strict=True)])]


def strips(found: Sequence[Outcome]) -> str:
    """Share of the strips that a question keeps, by action."""
    lines = ["| action | questions | strips | kept, library | kept, web |", "|---|---|---|---|---|"]
    for action in ACTIONS:
        own = [o for o in found if o.action == action]
        count = sum(len(o.library) + len(o.web) for o in own)
        lines.append(
            f"| {action} | {len(own)} | {count} | {_kept([o.library for o in own])} | {_kept([o.web for o in own])} |"
        )
    return "\n".join(lines)


def _kept(found: Sequence[Sequence[Strip]]) -> Mean:
    return mean([sum(s.kept for s in own) / len(own) for own in found if own])


def _length(own: Sequence[Outcome]) -> str:
    return ", ".join(f"{sum(o.characters[s] for o in own) / max(1, len(own)):.0f}" for s in STRATEGIES)


if __name__ == "__main__":
    main()
