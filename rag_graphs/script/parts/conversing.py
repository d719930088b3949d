"""Running a conversation: each question after the first is understood in the light of those before it."""

from __future__ import annotations

import sys

from rag_graphs.script.parts.running import answered, parser
from rag_graphs.state import Turn


def main_of_conversation() -> None:
    """Answer the questions one after the other, each with those before it."""
    for stream in (sys.stdout, sys.stderr):
        stream.reconfigure(errors="replace")  # type: ignore[union-attr]
    args = parser().parse_args()
    history: list[Turn] = []
    for question in args.question:
        answer = answered(question, history, as_json=args.path)
        history = [*history, Turn(question=question, answer=answer)]
