"""Marks that only step mode and the comparison of two runs have."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from rag_graphs import Trace, get_strategy, load_settings
from rag_graphs.graphs.strategy import END, START
from rag_graphs.runs.events import RunEvent
from rag_graphs.runs.live import play
from rag_graphs.runs.runner import run
from rag_graphs.ui.shared import panels
from rag_graphs.ui.shared.follow import follow
from rag_graphs.views.diagram import describe, draw, marks
from tests.fakes import fake
from tests.runs.conftest import in_steps

SELF_RAG = get_strategy("self-rag")


def test_the_node_before_which_a_run_waits_is_marked_and_named() -> None:
    events = []
    for event in in_steps(SELF_RAG, fake(), load_settings()):
        events.append(event)
        if event.kind == "paused" and event.node == "generate":
            break
    waiting = marks(Trace(events))
    assert waiting.node("generate") == "next"
    assert waiting.node("grade_documents") == "done"
    assert "Waiting before: Generate." in describe(SELF_RAG, waiting)
    picture = draw(SELF_RAG, load_settings(), waiting)
    assert 'class="node next"><title>generate' in picture
    assert ">II</text>" in picture


def test_what_only_the_shared_part_passed_is_marked_as_shared() -> None:
    trace = Trace(list(run(SELF_RAG, "Why?", fake(relevant=[[False], [True]]), load_settings())))
    assert trace.path[:4] == ["retrieve", "grade_documents", "rewrite_query", "retrieve"]
    shared = marks(trace).sharing(trace.path[:3], trace.edges[:3], trace.path[3:], trace.edges[3:])
    assert shared.node("rewrite_query") == "shared"
    assert shared.node("retrieve") == "done"
    assert shared.node("generate") == "done"
    assert (shared.node(START), shared.node(END)) == ("shared", "done")
    picture = draw(SELF_RAG, load_settings(), shared, way="compact")
    assert 'class="node shared"><title>rewrite_query' in picture
    assert picture.count("edge shared") == 2


class Counted(tuple[RunEvent, ...]):
    """Events that count how often somebody goes through them."""

    passes = 0

    def __iter__(self) -> Iterator[RunEvent]:
        type(self).passes += 1
        return super().__iter__()


def test_a_frame_reads_the_events_once_for_the_diagram_and_its_legend(monkeypatch: pytest.MonkeyPatch) -> None:
    trace = Trace(list(run(SELF_RAG, "Why?", fake(), load_settings())))
    drawn: list[str] = []
    monkeypatch.setattr(panels.Slot, "draw", lambda slot, markup, **_: drawn.append(markup))
    monkeypatch.setattr(panels.Stage, "_sentence", lambda *_: "")
    stage = panels.Stage(SELF_RAG, load_settings(), running=True)
    trace.events = Counted(trace.events)
    Counted.passes = 0
    stage.draw(trace)
    assert any("1 of 4 relevant" in markup for markup in drawn)
    assert any('class="legend"' in markup for markup in drawn)
    assert Counted.passes == 1


def test_following_draws_what_the_page_has_drawn_without_reading_it_again() -> None:
    live = play(Trace(list(run(SELF_RAG, "Why?", fake(), load_settings()))), 0.0)
    while not live.ended:
        live.wait(len(live.events()), 1)
    known, drawn = Trace(live.events()), list[Trace]()
    follow(live, drawn.append, known=known, rest=lambda _: None)
    assert len(drawn) == 1
    assert drawn[0] is known
