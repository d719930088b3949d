"""What the built-in engine can answer without any source: small talk and arithmetic. Everything else needs documents, for it
knows nothing by itself."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass

from rag_graphs.engines.builtin.arithmetic import calculate
from rag_graphs.engines.builtin.own_phrases import phrase
from rag_graphs.engines.builtin.small_talk import small_talk
from rag_graphs.graphs.components import GenerateRequest
from rag_graphs.graphs.state import Decision, Draft, Grade
from rag_graphs.language.phrases import is_abstaining

KNOWS_NOTHING = "The built-in engine knows nothing by itself; whatever asks for a fact needs documents."
_PIECE = re.compile(r"\S+\s*")
_TALK = {
    "greeting": "A greeting",
    "thanks": "A word of thanks",
    "goodbye": "A goodbye",
    "identity": "A question about this program itself",
}


@dataclass(frozen=True)
class Direct:
    """An answer that rests on no source, and why none is needed."""

    answer: str
    reason: str


def sourceless(question: str) -> Direct | None:
    """The answer to a question that needs no source at all; None for any other."""
    if talk := small_talk(question):
        return Direct(talk.reply, f"{_TALK[talk.talk]} needs no source.")
    if calculation := calculate(question):
        return Direct(f"{calculation}", "Plain arithmetic needs no source: it is calculated.")
    return None


def generate_directly(request: GenerateRequest) -> Iterator[str | Draft]:
    """Yields the answer word by word, then the Draft. Abstains where a source is needed."""
    direct = sourceless(request.question)
    text = direct.answer if direct else phrase("only quotes", request.question)
    yield from _PIECE.findall(text)
    yield Draft(text=text, abstained=direct is None)


def decide_retrieval(question: str, attempt: str, judge: Callable[[str, str], Grade]) -> Decision:
    """The plain verdict, from the question or from an attempt to answer it without documents. `judge` grades the usefulness
    of an answer to a question; what the attempt claims cannot be checked without documents, and the reason says so. The
    engine has no probabilities, so there is none."""
    if direct := sourceless(question):
        return Decision(retrieve=False, reason=direct.reason)
    if not attempt.strip():
        return Decision(retrieve=True, reason=KNOWS_NOTHING)
    if is_abstaining(attempt):
        return Decision(retrieve=True, reason="The attempt without documents says that it holds no answer.")
    grade = judge(question, attempt)
    if grade.passed:
        return Decision(retrieve=False, reason=f"The attempt seems to answer, unchecked: {grade.reason}")
    return Decision(retrieve=True, reason=f"The attempt without documents does not answer: {grade.reason}")
