"""Running the graph and telling what happens."""

from __future__ import annotations

import json
import os
import sys
from argparse import ArgumentParser, Namespace
from typing import Any

from openai import OpenAIError

from rag_graphs.export.script.parts.given import GRAPH, TITLE
from rag_graphs.graphs.state import Document, RagState, Turn, start, stop_reason


def main() -> None:
    """Answer each question by itself."""
    args = arguments()
    for question in args.question:
        answer(start(question), args.path)


def main_of_conversation() -> None:
    """Answer the questions one after the other, each in the light of those before it."""
    args, history = arguments(), list[Turn]()
    for question in args.question:
        history = [*history, Turn(question=question, answer=answer(start(question, history), args.path))]


def arguments() -> Namespace:
    """Read the command line."""
    sys.stdout.reconfigure(errors="replace")  # type: ignore[union-attr]
    parser = ArgumentParser(description=TITLE)
    parser.add_argument("question", nargs="+", help="a question, in quotes")
    parser.add_argument("--path", action="store_true", help="end with the path and the stop reason as JSON")
    return parser.parse_args()


def answer(state: RagState, with_path: bool) -> str:
    """Run the graph, print each step, then the answer and why the run stopped."""
    path: list[str] = []
    run: Any = GRAPH.compile().stream(state, {"recursion_limit": 1_000}, stream_mode=["tasks", "custom", "values"])
    try:
        for mode, part in run:
            if mode == "tasks" and "input" in part:
                path.append(part["name"])
                say(f"{len(path)}. {part['name']}")
            elif mode != "values":
                tell(part.get("result") or part)
            else:
                state = RagState(**part)
    except OpenAIError as error:
        # some servers repeat the key that they refuse
        message = str(error).replace(os.environ.get("OPENAI_API_KEY") or "\0", "(the key)")
        raise SystemExit(f"The model could not be asked: {message}") from None
    for line in ["", *state.answer.splitlines()]:
        say(line)
    for number, document in enumerate(used_documents(state), 1):
        say(f"[{number}] {document.title} {document.source}")
    say(f"Stopped: {stop_reason(state)}")
    if with_path:
        print(json.dumps({"path": path, "stop_reason": stop_reason(state), "answer": state.answer}))
    return state.answer


def used_documents(state: RagState) -> list[Document]:
    """The documents that the answer cites."""
    return state.answers[-1].documents if state.answers else []


def tell(told: dict[str, Any]) -> None:
    """Print what a node decided, or reports while it runs."""
    for document in told.get("documents", []) if told.get("kind") == "retrieved" else []:
        say(f"   found: {document.title or document.source}")
    if grade := told.get("grade"):
        score = "" if grade.score is None else f" {grade.score:.2f}"
        of = "" if told["index"] is None else f" of document {told['index'] + 1}"
        say(f"   {grade.aspect}{of}: {grade.label}{score} {grade.reason or grade.error}")
    choices = {"route": "target", "decision": "retrieve", "complexity": "label", "evaluation": "action"}
    for name, chosen in choices.items():
        if name in told:
            say(f"   {name}: {getattr(told[name], chosen)} {told[name].reason}")
    for name in ("query", "message"):
        if name in told:
            say(f"   {name}: {told[name]}")
    if told.get("kind") == "drafted":
        say(f"   draft {told['index'] + 1}: {told['draft'].text}")
    if chain := told.get("chain"):
        say(f"   reasoned: {chain[-1].sentence}")


def say(text: str) -> None:
    """Print a line. What documents and models wrote must not steer the terminal."""
    print("".join(sign if sign.isprintable() else " " for sign in text).rstrip(), flush=True)
