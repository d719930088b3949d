"""The state that all graphs share, and pure functions that read it.

The state holds plain data only, and lists rather than tuples, because LangGraph's checkpointer returns tuples as lists. An
*update* is a dict of changed fields, which is what a LangGraph node returns; `apply` makes the next state from it.
"""

from __future__ import annotations

from dataclasses import dataclass, field, fields, replace
from typing import Any, Literal

Update = dict[str, Any]

Origin = Literal["library", "web"]
Target = Literal["vectorstore", "web search", "no retrieval"]


@dataclass(frozen=True, kw_only=True)
class Document:
    """A chunk that a search returned. `score` is the search's own, in 0-1, and only shown; None if the search gives none."""

    id: str
    text: str
    source: str
    title: str = ""
    heading: str = ""
    position: int = 0
    language: str = ""
    origin: Origin = "library"
    score: float | None = None


@dataclass(frozen=True, kw_only=True)
class Grade:
    """A verdict with its reason. `passed`: None means unclear. `label`: the scale's own word. `score`: in 0-1, or None where
    the grader gave none. `error`: why there is no verdict. `probabilities`: the model's probability of each word of the
    scale, empty where it gave none."""

    aspect: Literal["relevance", "groundedness", "usefulness"]
    passed: bool | None
    label: str
    score: float | None = None
    reason: str = ""
    error: str = ""
    probabilities: dict[str, float] = field(default_factory=dict)


@dataclass(frozen=True, kw_only=True)
class Decision:
    """The decision whether to retrieve at all. `probability`: P(yes) / (P(yes) + P(no)), None where the model gave none.
    `attempt`: an answer without documents that the decision was made from, if one was tried."""

    retrieve: bool
    probability: float | None = None
    reason: str = ""
    error: str = ""
    attempt: str = ""


Level = Literal["A", "B", "C"]


@dataclass(frozen=True, kw_only=True)
class Complexity:
    """How much retrieval a question needs: A none, B one search, C several searches in turn (Adaptive-RAG, 3.2)."""

    label: Level
    reason: str = ""
    error: str = ""


@dataclass(frozen=True, kw_only=True)
class Thresholds:
    """The thresholds that turn an evaluator's scores (0-1) into actions: a document over `upper` is correct, one under `lower`
    incorrect, and a strip under `strip` is dropped (CRAG, 4.3 and 4.4). They fit one `evaluator` only; `measured`: they were
    chosen by measurements of it."""

    evaluator: str = ""
    measured: bool = False
    upper: float = 0.7
    lower: float = 0.3
    strip: float = 0.5


Action = Literal["correct", "ambiguous", "incorrect"]


@dataclass(frozen=True, kw_only=True)
class Evaluation:
    """The action that the retrieval evaluator's scores of all documents lead to."""

    action: Action
    thresholds: Thresholds = field(default_factory=Thresholds)
    reason: str = ""


@dataclass(frozen=True, kw_only=True)
class Strip:
    """One to three sentences of a document: the characters from `start` to `end` of its text. `document`: the document's id.
    `score`: in 0-1, None where the evaluator gave none."""

    document: str
    start: int
    end: int
    score: float | None = None
    kept: bool = False


@dataclass(frozen=True, kw_only=True)
class JudgedDraft:
    """An answer from one document alone, with the model's three judgements of it (Self-RAG's ISREL, ISSUP and ISUSE).
    `likelihood`: the geometric mean of its tokens' probabilities, None where the model gave none."""

    document: Document
    text: str
    relevance: Grade
    support: Grade
    use: Grade
    likelihood: float | None = None


@dataclass(frozen=True, kw_only=True)
class Link:
    """One round of searching and reasoning in turn: the query, the ids of the documents it found and of those that are `new`,
    then the sentence of reasoning from all documents so far. `final`: the chain ends here, because the sentence states the
    answer or says nothing new."""

    query: str
    found: list[str] = field(default_factory=list)
    new: list[str] = field(default_factory=list)
    sentence: str = ""
    final: bool = False


@dataclass(frozen=True, kw_only=True)
class Route:
    """Where a question goes, and why."""

    target: Target
    reason: str = ""
    score: float | None = None
    error: str = ""


@dataclass(frozen=True, kw_only=True)
class Rewrite:
    """A rewritten query. `note`: what the rewriter did, for example that it changed the language."""

    query: str
    note: str = ""


@dataclass(frozen=True, kw_only=True)
class Draft:
    """A finished answer text. `abstained`: the text says that the documents do not hold the answer."""

    text: str
    abstained: bool = False


@dataclass(frozen=True, kw_only=True)
class Seen:
    """A document that any search of this run returned, with its latest grade."""

    document: Document
    grade: Grade | None = None


AnswerKind = Literal["from documents", "from the model", "abstained", "gave up"]


@dataclass(frozen=True, kw_only=True)
class Answer:
    """One attempt at an answer, with the documents that it was written from (citation n means documents[n - 1])."""

    text: str
    kind: AnswerKind = "from documents"
    query: str = ""
    documents: list[Document] = field(default_factory=list)
    grounded: Grade | None = None
    useful: Grade | None = None


@dataclass(frozen=True, kw_only=True)
class Turn:
    """An earlier question of this conversation and its answer."""

    question: str
    answer: str


@dataclass(frozen=True, kw_only=True)
class RagState:
    """The state of a run. `question` never changes. `condensed`: in a conversation, the same question in words that can be
    understood without the earlier turns. `query`: what searches receive."""

    question: str = ""
    history: list[Turn] = field(default_factory=list)
    condensed: str = ""
    query: str = ""
    queries: list[str] = field(default_factory=list)
    route: Route | None = None
    decision: Decision | None = None
    complexity: Complexity | None = None
    retrieved: list[Document] = field(default_factory=list)
    relevance: list[Grade] = field(default_factory=list)
    documents: list[Document] = field(default_factory=list)
    seen: list[Seen] = field(default_factory=list)
    evaluation: Evaluation | None = None
    strips: list[Strip] = field(default_factory=list)
    drafts: list[JudgedDraft] = field(default_factory=list)
    chain: list[Link] = field(default_factory=list)
    answer: str = ""
    answers: list[Answer] = field(default_factory=list)
    grounded: Grade | None = None
    useful: Grade | None = None
    feedback: str = ""
    rewrites: int = 0
    regenerations: int = 0
    searches: int = 0
    steps: int = 0
    search_error: str = ""
    notes: list[str] = field(default_factory=list)

    @property
    def asked(self) -> str:
        """Return the question as graders, router and writers receive it: condensed, if it was."""
        return self.condensed or self.question


StopReason = Literal[
    "useful", "answered", "not verified", "no relevant documents", "retry budget spent",
    "from the model, without sources", "search unavailable",
    "spending cap reached", "stopped", "failed", "interrupted",
]  # fmt: skip


def start(question: str, history: list[Turn] | None = None) -> RagState:
    """Return the state at the start of a run."""
    return RagState(question=question, query=question, queries=[question], history=list(history or []))


def apply(state: RagState, update: Update) -> RagState:
    """Return the state after a node returned `update`. Raises TypeError for a key that the state does not declare, which
    LangGraph itself would drop without a warning."""
    return replace(state, **update)


def field_names() -> set[str]:
    """Return the names of the state's fields."""
    return {f.name for f in fields(RagState)}


def best_attempt(answers: list[Answer]) -> Answer | None:
    """Return the best attempt: grounded before not grounded, then the higher usefulness, then the later. Texts that only say
    that nothing was found do not count; None if there is no other."""
    attempts = [a for a in answers if a.kind in ("from documents", "from the model")]

    def rank(a: Answer) -> tuple[bool, float]:
        return a.grounded is not None and a.grounded.passed is True, (a.useful.score or 0.0) if a.useful else 0.0

    return max(reversed(attempts), key=rank, default=None)


def stop_reason(state: RagState) -> StopReason:
    """Return why a run ended, judged from its final state. Runs that failed or were stopped have other reasons."""
    nothing: StopReason = "search unavailable" if state.search_error else "no relevant documents"
    if not state.answers:
        return nothing
    last = state.answers[-1]
    if last.kind == "gave up":
        return "retry budget spent" if best_attempt(state.answers[:-1]) else nothing
    if last.kind == "abstained":
        return nothing
    if last.kind == "from the model":
        return "from the model, without sources"
    if last.grounded is None or last.useful is None:
        return "answered"
    return "useful" if last.grounded.passed and last.useful.passed else "not verified"
