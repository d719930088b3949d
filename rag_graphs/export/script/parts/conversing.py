"""Running a conversation: each question after the first is understood in the light of those before it."""

from __future__ import annotations

import sys
from collections.abc import Iterator

from rag_graphs.engines.llm.history import told
from rag_graphs.export.script.parts.asking import ask, filled
from rag_graphs.export.script.parts.running import answered, parser
from rag_graphs.export.script.parts.writing import first_line, from_memory
from rag_graphs.graphs.components import GenerateRequest
from rag_graphs.graphs.state import Draft, Rewrite, Turn


def standing_alone(question: str, history: list[Turn]) -> Rewrite:
    """A follow-up question in words that stand alone."""
    if not history:
        return Rewrite(query=question)
    prompt = filled("condense_question", question=question, history=told(history))
    return Rewrite(query=first_line(ask("rewrite", prompt).text))


def write_in_conversation(request: GenerateRequest) -> Iterator[str | Draft]:
    """An answer without documents, after the turns before it."""
    yield from_memory(request.question, told(request.history))


def main_of_conversation() -> None:
    """Answer the questions one after the other, each with those before it."""
    for stream in (sys.stdout, sys.stderr):
        stream.reconfigure(errors="replace")  # type: ignore[union-attr]
    args = parser().parse_args()
    history: list[Turn] = []
    for question in args.question:
        answer = answered(question, history, as_json=args.path)
        history = [*history, Turn(question=question, answer=answer)]
