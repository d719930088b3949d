"""Running the graph and telling what happens."""

from __future__ import annotations

import json
import os
import sys
from argparse import ArgumentParser
from collections.abc import Iterator
from typing import Any, cast

from langchain_core.runnables import RunnableConfig
from openai import OpenAIError

from rag_graphs.export.script.parts.given import GRAPH, TITLE
from rag_graphs.graphs.state import RagState, Turn, start, stop_reason

FENCE = 1_000
"""LangGraph's own bound of steps. The budgets end a run long before."""


def follow(question: str, history: list[Turn]) -> tuple[RagState, list[str]]:
    """Run the graph on a question and print each node as it starts. Returns the final state and the path."""
    state, path = start(question, history), list[str]()
    config: RunnableConfig = {"recursion_limit": FENCE}
    stream = GRAPH.compile().stream(state, config, stream_mode=["tasks", "custom", "values"])
    for mode, part in cast(Iterator[tuple[str, Any]], stream):
        if mode == "custom":
            tell(part)
        elif mode == "tasks" and "input" in part:
            path.append(part["name"])
            say(f"{len(path)}. {part['name']}")
        elif mode == "tasks":
            tell_update(dict(part["result"] or {}))
        elif mode == "values":
            state = RagState(**dict(part))
    return state, path


def tell_update(update: dict[str, Any]) -> None:
    """Print what a node decided: where the question goes, what is searched for next, what was reasoned."""
    if query := update.get("query"):
        say(f"   query: {query}")
    for name, said in (
        ("route", "target"),
        ("decision", "retrieve"),
        ("complexity", "label"),
        ("evaluation", "action"),
    ):
        if made := update.get(name):
            say(f"   {name}: {getattr(made, said)} {made.reason}")
    if (chain := update.get("chain")) and chain[-1].sentence:
        say(f"   reasoned: {chain[-1].sentence}")


def tell(event: dict[str, Any]) -> None:
    """Print what a node reports while it runs."""
    kind = event["kind"]
    if kind == "retrieved":
        for document in event["documents"]:
            say(f"   found: {document.title or document.source}")
    elif kind == "graded":
        grade, index = event["grade"], event["index"]
        score = "" if grade.score is None else f" {grade.score:.2f}"
        about = "" if index is None else f" document {index + 1}"
        say(f"   {grade.aspect}{about}: {grade.label}{score} {grade.reason or grade.error}")
    elif kind == "drafted":
        say(f"   draft {event['index'] + 1}: {event['draft'].text}")
    elif kind == "warned":
        say(f"   note: {event['message']}")


def say(text: str) -> None:
    """Print a line. What documents and models wrote must not steer the terminal."""
    print("".join(c if c.isprintable() else " " for c in text).rstrip(), flush=True)


def answered(question: str, history: list[Turn], *, as_json: bool) -> str:
    """Answer one question, print the answer, what it rests on and why the run stopped; return the answer."""
    try:
        state, path = follow(question, history)
    except OpenAIError as error:
        # some servers repeat the key that they refuse
        words = str(error).replace(os.environ.get("OPENAI_API_KEY") or "\0", "(the key)")
        raise SystemExit(f"The model could not be asked: {words}") from None
    say("")
    for line in state.answer.splitlines():
        say(line)
    for number, document in enumerate(state.answers[-1].documents if state.answers else [], 1):
        say(f"[{number}] {document.title} {document.source}")
    say(f"Stopped: {stop_reason(state)}")
    if as_json:
        print(json.dumps({"path": path, "stop_reason": stop_reason(state), "answer": state.answer}))
    return state.answer


def parser() -> ArgumentParser:
    """The script's arguments."""
    made = ArgumentParser(description=TITLE)
    made.add_argument("question", nargs="+", help="a question, in quotes")
    made.add_argument("--path", action="store_true", help="print the path and the stop reason as JSON at the end")
    return made


def main() -> None:
    """Answer each question by itself."""
    for stream in (sys.stdout, sys.stderr):
        stream.reconfigure(errors="replace")  # type: ignore[union-attr]
    args = parser().parse_args()
    for question in args.question:
        answered(question, [], as_json=args.path)
