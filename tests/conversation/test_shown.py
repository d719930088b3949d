"""Where a run of a conversation is shown, it says what went before and how its question was understood."""

from __future__ import annotations

import pytest

from rag_graphs.export import export_run
from rag_graphs.graphs.outline import outline_of
from rag_graphs.graphs.state import Rewrite, Turn
from rag_graphs.graphs.strategies import all_strategies
from rag_graphs.runs.trace import Trace
from rag_graphs.ui.shared.session import load_settings
from rag_graphs.ui.shared.shown import Shown
from rag_graphs.ui.traces.run_head import title_html
from rag_graphs.views.diagram_settings import nodes_of, settings_of
from rag_graphs.views.queries import queries_html
from tests.conversation.conftest import ALONE, FIRST, FOLLOW_UP, TURN, recorded, talking

MARKUP = '<img src=x onerror="alert(1)">'


def follow_up() -> Trace:
    components = talking(condense=lambda question, history: Rewrite(query=ALONE, note="Added: the bagel method."))
    return recorded(FOLLOW_UP, [TURN], components=components)


def queries(trace: Trace) -> str:
    nodes = nodes_of(trace.head.strategy, settings_of(trace, load_settings()))
    return queries_html(trace, nodes)


def test_the_queries_panel_names_it_and_does_not_count_it_as_a_rewrite() -> None:
    shown = queries(follow_up())
    assert "<span>Understood as</span>" in shown
    assert "Made to stand alone, because questions went before it. Added&#58; the bagel method." in shown
    assert "None was needed." in shown
    assert "Rewrite 1" not in shown
    rewritten = recorded(FOLLOW_UP, [TURN], components=talking(relevant=[[False], [True]]))
    assert rewritten.queries == [FOLLOW_UP, ALONE, f"{ALONE} (2)"]
    assert queries(rewritten).count("Rewrite ") == 1


def test_what_changed_nothing_is_not_shown() -> None:
    for trace in (recorded("Why?", [TURN]), recorded()):
        assert "Understood as" not in queries(trace)
        assert b"Understood as" not in export_run(trace, "html")


def test_the_report_tells_the_conversation_and_the_understanding() -> None:
    report = export_run(follow_up(), "html").decode()
    assert f"Understood as&#58; <b>{ALONE}</b>" in report
    assert "The conversation before it" in report
    assert report.index(FIRST) < report.index('<h2 class="ph">Answer')
    assert "Made to stand alone" in report
    assert "The conversation before it" not in export_run(recorded(), "html").decode()


def test_the_json_has_all_of_it() -> None:
    trace = Trace.from_json(export_run(follow_up(), "json"))
    assert (trace.head.history, trace.state.condensed) == ([TURN], ALONE)


@pytest.mark.parametrize("kind", ["svg", "html"])
def test_the_picture_is_drawn_by_the_runs_own_settings(kind: str) -> None:
    assert b"<title>condense_question</title>" in export_run(follow_up(), kind)  # type: ignore[arg-type]
    assert b"<title>condense_question</title>" not in export_run(recorded(), kind)  # type: ignore[arg-type]


def test_the_page_draws_it_by_the_runs_own_settings() -> None:
    mine = load_settings()
    trace = follow_up()
    assert nodes_of("self-rag", settings_of(trace, mine))[-1] == "condense_question"
    assert settings_of(trace, mine).conversing
    assert not settings_of(recorded(), mine.change(conversing=True)).conversing


def test_the_traces_page_says_how_it_was_understood() -> None:
    trace = follow_up()
    shown = Shown(run_id="r1", strategy="self-rag", question=FOLLOW_UP, trace=trace)
    assert f"Understood as&#58; <b>{ALONE}</b>" in title_html(shown)


def test_markup_stays_text() -> None:
    history = [Turn(question=MARKUP, answer=MARKUP)]
    components = talking(condense=lambda question, told: Rewrite(query=f"{question} {MARKUP}", note=MARKUP))
    trace = recorded(FOLLOW_UP, history, components=components)
    shown = Shown(run_id="r1", strategy="self-rag", question=FOLLOW_UP, trace=trace)
    for text in (queries(trace), export_run(trace, "html").decode(), title_html(shown)):
        assert "&lt;img" in text
        assert "<img" not in text


def test_the_node_comes_first_whatever_the_strategy() -> None:
    for strategy in all_strategies().values():
        edges = outline_of(strategy, load_settings().change(conversing=True)).edges
        assert (edges[0].source, edges[0].target) == ("START", "condense_question")
