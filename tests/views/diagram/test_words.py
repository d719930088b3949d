"""The words on a drawing and about it."""

from dataclasses import replace

import pytest
from langgraph.graph import END, START, StateGraph

from rag_graphs.errors import SearchUnavailable
from rag_graphs.graphs import nodes
from rag_graphs.graphs.components import Thought
from rag_graphs.graphs.outline import outline_of
from rag_graphs.graphs.state import RagState, Rewrite
from rag_graphs.graphs.strategies import all_strategies, get_strategy
from rag_graphs.runs.runner import run
from rag_graphs.runs.trace import Trace
from rag_graphs.settings import Settings
from rag_graphs.views.diagram import IDLE, describe, draw, marks, subline
from rag_graphs.views.diagram.measure import shorten, width, wrap
from rag_graphs.views.diagram_settings import settings_of
from rag_graphs.views.node_words import NODE_WORDS, node_words
from tests.fakes import fake, judged
from tests.views.diagram.runs import NONE_RELEVANT, during, stopped, trace


def sublines(made: Trace) -> dict[str, str]:
    """The second line of each node of a run's graph."""
    strategy, settings = get_strategy(made.head.strategy), settings_of(made, Settings())
    known = marks(made)
    return {node: subline(node, known, strategy, settings) for node in outline_of(strategy, settings).nodes}


@pytest.mark.parametrize("key", all_strategies())
def test_every_node_has_words_and_each_of_the_project_has_them_in_the_table(key: str) -> None:
    strategy, settings = get_strategy(key), Settings(gate="question", conversing=True)
    names = outline_of(strategy, settings).nodes
    assert {name for name in names if hasattr(nodes, name)} <= set(NODE_WORDS)
    assert all(node_words(name, strategy, settings).purpose for name in names)


def ask_the_class(state: object) -> dict[str, object]:
    """Let the class vote on the answer. Nothing else happens here."""
    return {}


def test_a_node_of_a_strategy_from_elsewhere_has_words_of_its_name_and_docstring() -> None:
    def build(components: object, settings: Settings) -> StateGraph[RagState]:
        graph = StateGraph(RagState)
        graph.add_node("ask_the_class", ask_the_class)
        graph.add_edge(START, "ask_the_class")
        graph.add_edge("ask_the_class", END)
        return graph

    strategy = replace(get_strategy("naive"), key="vote", build=build, happy_path=())
    words = node_words("ask_the_class", strategy, Settings())
    assert (words.doing, words.did) == ("Ask the class", "ask the class")
    assert words.purpose == words.explain(trace("naive")) == "Let the class vote on the answer."
    assert "Let the" in draw(strategy, Settings())
    assert node_words("ask_the_class", None, Settings()).purpose == ""


class TestSublines:
    def test_before_a_run_they_are_the_purposes(self) -> None:
        strategy = get_strategy("crag")
        lines = {node: subline(node, IDLE, strategy, Settings()) for node in outline_of(strategy, Settings()).nodes}
        assert lines == {node: NODE_WORDS[node].purpose for node in lines}

    def test_after_a_run_they_tell_what_came_of_each_node(self) -> None:
        lines = sublines(trace("self-rag"))
        assert lines["retrieve"] == "4 documents"
        assert lines["grade_documents"] == "1 of 4 relevant"
        assert lines["generate"] == "written"
        assert lines["grade_answer"] == "grounded, useful"
        assert lines["give_up"] == NODE_WORDS["give_up"].purpose

    def test_they_count_while_a_grader_runs(self) -> None:
        whole = trace("self-rag")
        started = during(whole, "grade_documents")
        assert sublines(started)["grade_documents"] == "0 of 4 graded"
        assert sublines(whole.upto(len(started) + 2))["grade_documents"] == "2 of 4 graded"

    def test_a_rewrite_and_a_second_attempt_have_their_number(self) -> None:
        again = trace("self-rag", verdicts=[(False, True), (True, False), (True, True)])
        assert sublines(again)["generate"] == "attempt 3"
        assert sublines(again)["rewrite_query"] == "rewrite 1"

    @pytest.mark.parametrize(
        ("verdict", "line"),
        [
            ((False, True), "not grounded"),
            ((True, False), "not useful"),
            ((None, True), "grounded? unclear"),
            ((True, None), "useful? unclear"),
        ],
    )
    def test_the_verdict_on_the_answer(self, verdict: tuple[bool | None, bool | None], line: str) -> None:
        assert sublines(trace("self-rag", verdicts=[verdict]))["grade_answer"] == line

    def test_where_the_route_led_and_what_the_web_gave(self) -> None:
        lines = sublines(trace("adaptive", route="web search"))
        assert lines["route_question"] == "to the web"
        assert lines["search_web"] == "1 web page"

    def test_a_search_that_failed_or_found_nothing(self) -> None:
        def fails(query: str) -> None:
            raise SearchUnavailable("off")

        assert sublines(trace("crag", relevant=NONE_RELEVANT, search_web=fails))["search_web"] == "search failed"
        assert sublines(trace("crag", relevant=NONE_RELEVANT, hits=[]))["search_web"] == "nothing found"
        assert sublines(trace("naive", retrieve=lambda query: []))["retrieve"] == "nothing found"


class TestSublinesOfTheFurtherStrategies:
    def test_drafts_are_counted_and_the_best_one_has_its_score(self) -> None:
        whole = trace("self-rag-critique")
        assert sublines(whole)["decide_retrieval"] == "retrieve"
        assert sublines(whole)["draft_answers"] == "4 of 4 drafted"
        assert sublines(whole)["rank_drafts"] == "best: 2.50"
        assert sublines(during(whole, "draft_answers"))["draft_answers"] == "0 of 4 drafted"
        none = trace("self-rag-critique", draft=lambda q, docs: ((i, judged(d, False)) for i, d in enumerate(docs)))
        assert sublines(none)["rank_drafts"] == "none is of use"
        assert sublines(trace("self-rag-critique", retrieval=False))["decide_retrieval"] == "not needed"

    def test_the_action_and_the_strips_of_library_and_web_apart(self) -> None:
        scores = [[0.9, 0.1], [0.9, 0.1], [0.9, 0.1], [0.9, 0.1]]
        whole = trace(
            "crag-refined",
            scores=[0.5],
            decompose=lambda text: [(0, 3), (3, len(text))],
            score_strips=lambda q, strips: ((i, scores[i]) for i, _ in enumerate(strips)),
        )
        lines = sublines(whole)
        assert (lines["evaluate_retrieval"], lines["refine"], lines["refine_web"]) == (
            "ambiguous",
            "4 of 8 strips",
            "1 of 2 strips",
        )
        assert sublines(during(whole, "evaluate_retrieval"))["evaluate_retrieval"] == "0 of 4 scored"

    def test_the_class_and_each_step_of_the_chain(self) -> None:
        thoughts = [Thought(sentence="One."), Thought(sentence="Two.", final=True)]
        lines = sublines(trace("adaptive-complexity", complexity="C", thoughts=thoughts))
        assert lines["classify_complexity"] == "C: several steps"
        assert (lines["retrieve_more"], lines["reason_step"]) == ("nothing new", "step 2")
        assert sublines(trace("adaptive-complexity", complexity="A"))["classify_complexity"] == "A: no search"

    @pytest.mark.parametrize(("condensed", "line"), [("How is it?", "made complete"), ("How?", "unchanged")])
    def test_a_question_that_was_made_complete(self, condensed: str, line: str) -> None:
        components = fake(condense=lambda question, history: Rewrite(query=condensed))
        events = run(get_strategy("naive"), "How?", components, Settings(conversing=True), history=[])
        assert sublines(Trace(list(events)))["condense_question"] == line


class TestDescription:
    def test_before_a_run(self) -> None:
        text = describe(get_strategy("crag"), marks(None))
        assert text == "Graph of Corrective RAG (CRAG). Nothing has run yet."

    def test_it_tells_the_path_and_what_runs_now(self) -> None:
        part = during(trace("self-rag"), "generate")
        text = describe(get_strategy("self-rag"), marks(part))
        assert text == (
            "Graph of Self-RAG. Path so far: Retrieve, Grade documents, some relevant: Generate. Now running: Generate."
        )

    def test_it_tells_where_a_run_broke_off(self) -> None:
        part = stopped(during(trace("naive"), "retrieve"))
        assert describe(get_strategy("naive"), marks(part)).endswith("Broke off in: Retrieve.")

    def test_it_ends_with_the_end(self) -> None:
        assert describe(get_strategy("naive"), marks(trace("naive"))).endswith("Generate, end.")


class TestMeasure:
    def test_a_bold_or_larger_text_is_wider(self) -> None:
        assert width("some relevant", 13) < width("some relevant", 13, bold=True) < width("some relevant", 16)

    def test_a_square_sign_is_as_wide_as_the_font_is_high(self) -> None:
        assert width("야구", 10) == 20

    def test_a_name_is_broken_where_both_lines_are_short(self) -> None:
        assert wrap("Grade documents", 14, 200) == ("Grade documents",)
        assert wrap("Grade the documents", 14, 90) == ("Grade the", "documents")
        assert wrap("Verification", 14, 20) == ("Verification",)

    def test_a_text_is_cut_to_its_room(self) -> None:
        assert shorten("short", 12, 100) == "short"
        assert shorten("much too long", 12, 50).endswith("…")
        assert width(shorten("much too long", 12, 50), 12) <= 50
