"""The panels of the Ask page: markup from traces, at every moment of every kind of run."""

from __future__ import annotations

import re
from dataclasses import replace

import pytest

from rag_graphs import Trace, all_strategies, get_strategy, load_settings
from rag_graphs.graphs.state import Draft
from rag_graphs.runs.trace import ModelCalled
from rag_graphs.ui.shared.steps import label, step_at
from rag_graphs.views import now_line
from rag_graphs.views.answer import about_html, answer_html, cited
from rag_graphs.views.chain_panel import chain_html
from rag_graphs.views.code_panel import code_html
from rag_graphs.views.diagram_settings import nodes_of, settings_of, strategy_name
from rag_graphs.views.documents import documents_html
from rag_graphs.views.documents_seen import Found, found, grades_documents, numbers
from rag_graphs.views.drafts_panel import drafts_html, head_html
from rag_graphs.views.node_words import words_in
from rag_graphs.views.queries import changed, queries_html
from rag_graphs.views.refinement_panel import action_html, strips_html
from rag_graphs.views.state_panel import state_html
from rag_graphs.views.timeline import cost, duration, timeline_html
from rag_graphs.views.verdicts import verdicts_html
from tests.app.made import FURTHER, all_hostile, failing, hostile, many_runs, trace
from tests.fakes import DOCS, HIT, fake


def panels(made: Trace | None, key: str) -> dict[str, str]:
    """Every panel's markup by its name."""
    strategy, settings = get_strategy(key), settings_of(made, load_settings())
    nodes, title = nodes_of(key, settings), strategy_name(strategy)
    grades = grades_documents(nodes)
    entries = found(made, grades=grades) if made else []
    return {
        "now": now_line.now_html(made, title, nodes) if made else now_line.idle_html(title),
        "answer": answer_html(made, entries, nodes),
        "documents": documents_html(entries, searched=bool(entries), grades=grades),
        "queries": queries_html(made, nodes),
        "verdicts": verdicts_html(made, nodes, title),
        "state": state_html(made),
        "timeline": timeline_html(made, 0.9),
        "code": code_html(strategy, settings, made),
        **own(made, key, entries),
    }


def own(made: Trace | None, key: str, entries: list[Found]) -> dict[str, str]:
    """The panel that the strategy has to itself."""
    if key == "self-rag-critique":
        return {"own": head_html(made) + drafts_html(made, None, entries)}
    if key == "crag-refined":
        return {"own": action_html(made, None, entries) + strips_html(made, None, entries)}
    return {"own": chain_html(made, numbers(entries))} if key == "adaptive-complexity" else {}


def shown(made: Trace, panel: str) -> str:
    """The text of a panel, without tags."""
    return re.sub(r"<[^>]+>", " ", panels(made, made.head.strategy)[panel]).replace("&#58;", ":")


def test_a_run_without_a_search_says_that_it_has_no_documents() -> None:
    assert "made no search" in documents_html([], searched=False, grades=True, over=True)
    assert "made no search" not in documents_html([], searched=False, grades=True)
    assert "The search found nothing" in documents_html([], searched=True, grades=True, over=True)


@pytest.mark.parametrize("made", many_runs(), ids=lambda m: m.head.strategy)
def test_every_panel_shows_something_at_every_moment(made: Trace) -> None:
    for count in range(1, len(made) + 1):
        for name, markup in panels(made.upto(count), made.head.strategy).items():
            assert re.sub(r"<[^>]+>", "", markup).strip(), (name, count)
            assert "\n" not in markup, "a line end would end the HTML block"


@pytest.mark.parametrize("key", all_strategies())
def test_every_panel_shows_something_before_a_run(key: str) -> None:
    assert all(re.sub(r"<[^>]+>", "", markup).strip() for markup in panels(None, key).values())


@pytest.mark.parametrize("key", all_strategies())
def test_nothing_from_outside_becomes_markup(key: str) -> None:
    components = all_hostile() if key in FURTHER else hostile()
    for name, markup in panels(trace(key, "<b>x</b> ![q](http://evil.example)", components), key).items():
        assert not re.search(r"<(img|script|b>x)", markup), name
        assert "javascript" not in " ".join(re.findall(r'(?:href|src)="([^"]*)"', markup)), name
        assert ":material" not in markup, name


def test_a_citation_shows_the_number_of_its_document_in_the_panel() -> None:
    made = trace("self-rag", components=fake(relevant=[[False, True, False, True]]))
    entries = found(made, grades=True)
    markup = cited("One. [1] Two. [2] Three. [1, 2]", made.state.documents, entries)
    assert re.findall(r'href="#doc(\d)"', markup) == ["2", "4", "2", "4"]


def test_a_citation_of_a_number_that_was_not_given_is_marked() -> None:
    markup = cited("One. [1] Two. [7]", [DOCS[0]], found(trace("self-rag"), grades=True))
    assert 'class="cite bad"' in markup
    assert "7?" in markup
    assert "Cites [7], but 1 document was given." in markup


def test_citations_of_web_pages_are_told_apart() -> None:
    made = trace("crag", components=fake(relevant=[[False]]))
    assert 'class="cite web"' in panels(made, "crag")["answer"]


def test_rejected_documents_stay_and_are_marked() -> None:
    documents = panels(trace("self-rag"), "self-rag")["documents"]
    assert documents.count('class="doc yes kept"') == 1
    assert documents.count('class="doc no"') == 3
    assert "1 of 4 kept" in documents


def test_documents_wait_then_are_graded_one_by_one() -> None:
    made = trace("self-rag")
    at = [i for i, e in enumerate(made.events, 1) if e.kind in ("retrieved", "graded")]
    states = [[e.status for e in found(made.upto(n), grades=True)] for n in at[:3]]
    assert states[0] == ["waiting"] * 4
    assert states[1] == ["yes", "busy", "busy", "busy"]
    assert states[2] == ["yes", "no", "busy", "busy"]


def test_a_relevant_document_is_kept_as_soon_as_it_is_graded() -> None:
    made = trace("self-rag")
    graded = [i for i, e in enumerate(made.events, 1) if e.kind == "graded" and e.index is not None]
    kept = [[e.kept for e in found(made.upto(n), grades=True)] for n in (graded[0] - 1, graded[0], graded[3])]
    assert kept == [[False] * 4, [True, False, False, False], [True, False, False, False]]
    assert "1 of 4 kept" in panels(made.upto(graded[3]), "self-rag")["documents"]


def test_an_unclear_document_is_said_to_be_dropped() -> None:
    documents = panels(trace("self-rag", components=fake(relevant=[[True, None, False, False]])), "self-rag")[
        "documents"
    ]
    assert 'class="doc unclear"' in documents
    assert "Dropped, because its relevance is unclear." in documents


def test_web_hits_are_told_apart_from_the_library() -> None:
    made = trace("crag", components=fake(relevant=[[False]]))
    entries = found(made, grades=True)
    assert [e.document.id for e in entries if e.status == "web"] == [HIT.id]
    documents = shown(made, "documents")
    assert "On the web, for" in documents
    assert "from the web" in documents


def test_a_document_without_a_grader_is_not_graded() -> None:
    assert {e.status for e in found(trace("naive"), grades=False)} == {"plain"}
    assert "not graded" in shown(trace("naive"), "documents")


def test_a_document_is_set_for_reading() -> None:
    marked = replace(DOCS[0], text="## A heading\n\nRun `venv`.\n\n```\n    x = 1\n```")
    entry = replace(found(trace("naive"), grades=False)[0], document=marked)
    card = documents_html([entry], searched=True, grades=False)
    assert '<span class="why m">Run venv. x = 1</span>' in card
    assert '<b>A heading</b><br>Run <code>venv</code>.<div class="code">    x = 1</div>' in card


def test_changed_words_are_marked_and_neighbouring_changes_are_one() -> None:
    assert changed("How to cook a bagel", "recipe for a bagel") == (
        '<del class="w">How to cook</del> <ins class="w">recipe for</ins> a bagel'
    )
    assert changed("야구에서", "야구가") == '야구<del class="w">에서</del> <ins class="w">가</ins>'
    assert "<del" not in changed("Bagel", "bagel")


def test_queries_list_each_rewrite_with_its_note() -> None:
    made = trace("self-rag", components=fake(relevant=[[False]]))
    queries = shown(made, "queries")
    assert all(f"Rewrite {n}" in queries for n in (1, 2, 3))
    assert "None was needed." in shown(trace("self-rag"), "queries")
    assert "Rewrite" not in shown(trace("naive"), "queries")


def test_the_route_is_shown_with_its_reason() -> None:
    queries = shown(trace("adaptive", components=fake(route="web search")), "queries")
    assert "to the web" in queries
    assert "scripted" in queries


def test_each_attempt_has_its_verdicts() -> None:
    made = trace("self-rag", components=fake(verdicts=[(False, True), (True, True)]))
    verdicts = shown(made, "verdicts")
    assert "Attempt 1" in verdicts
    assert "Attempt 2" in verdicts
    assert "not grounded" in verdicts
    assert "Disregarded, because the answer is not grounded." in verdicts
    assert "attempt 2" in shown(made, "answer")
    assert "does not grade its answer" in shown(trace("crag"), "verdicts")


def test_the_state_names_what_each_node_changed() -> None:
    state = panels(trace("self-rag"), "self-rag")["state"]
    assert state.count('<details class="st"') == 4
    assert state.count(" open>") == 1
    assert re.search(r"1 Retrieve</b> <span[^>]*>retrieved, documents, seen", state)
    assert '<del class="w">empty</del>' in state


def test_the_timeline_is_honest_about_calls_and_tokens() -> None:
    assert cost(0, 0, 0) == "0 calls"
    assert cost(1, 10, 5) == "1 call, 15 tokens"
    assert cost(2, None, None) == "2 calls, tokens unknown"
    made = trace("naive")
    call = ModelCalled(node="generate", attempt=1, role="generate", model="m")
    events = [*made.events[:-3], call, *made.events[-3:]]
    assert "1 call, tokens unknown" in shown(Trace(events), "timeline")
    assert shown(made, "timeline").count("0 calls") == 3


def test_durations_have_the_digits_that_tell_something() -> None:
    assert [duration(s) for s in (0.004, 0.314, 4.61)] == ["0.004 s", "0.31 s", "4.6 s"]


def test_the_now_line_says_what_is_going_on() -> None:
    made = trace("self-rag")
    graded = [i for i, e in enumerate(made.events, 1) if e.kind == "graded"]
    assert "Grading documents" in shown(made.upto(graded[1]), "now")
    assert "2 of 4 graded, 1 relevant so far" in shown(made.upto(graded[1]), "now")
    assert "Useful" in shown(made, "now")
    assert "0 of 3 rewrites" in shown(made, "now")
    assert "Corrective RAG does not check its answer." in shown(trace("crag"), "now")


def test_a_failure_is_told_in_words_where_it_happened() -> None:
    made = trace("self-rag", components=failing())
    assert "In “Generate”: The model server refused the connection." in shown(made, "now")
    assert "Start it, or choose another model." in shown(made, "answer")
    assert "relevant" in shown(made, "documents")


def test_an_abstaining_answer_and_a_run_that_gave_up_say_so() -> None:
    made = trace("self-rag", components=fake(relevant=[[False]]))
    assert "No relevant documents" in shown(made, "now")
    assert "Gave up" in shown(made, "answer")
    assert "No attempt at an answer was made" in shown(made, "verdicts")


def test_steps_are_the_nodes_and_the_end() -> None:
    made = trace("self-rag")
    assert [label(made, i) for i in range(5)] == [
        "1 Retrieve",
        "2 Grade documents",
        "3 Generate",
        "4 Grade answer",
        "End",
    ]
    second = step_at(made, 1)
    assert (second.number, second.of, second.stage.active) == (2, 4, "grade_documents")
    assert second.trace.path == ["retrieve", "grade_documents"]
    assert step_at(made, 4).number == 0


def test_a_step_is_told_as_one() -> None:
    made = trace("self-rag", components=fake(relevant=[[False], [True]]))
    step = step_at(made, 2)
    line = now_line.now_html(
        step.trace, "Self-RAG", nodes_of("self-rag", load_settings()), step=step.number, steps=step.of
    )
    assert "Step 3 of 7&#58; the query is rewritten" in line
    assert "none of 4 documents was relevant" in line


def test_bold_survives_and_tags_do_not() -> None:
    components = fake(generate=lambda request: iter([Draft(text="**Bold** <b>no</b>")]))
    answer = panels(trace("naive", components=components), "naive")["answer"]
    assert "<strong>Bold</strong>" in answer
    assert "&lt;b&gt;no" in answer


def test_the_same_document_found_again_stays_one_card() -> None:
    made = trace("self-rag", components=fake(relevant=[[False], [True]]))
    entries = found(made, grades=True)
    assert [e.number for e in entries] == [1, 2, 3, 4]
    assert all(e.again == 1 for e in entries)
    assert replace(entries[0], again=0).status == "yes"


@pytest.mark.parametrize(("score", "why"), [(0.5, "the action is ambiguous"), (0.1, "the action is incorrect")])
def test_a_query_for_the_web_is_explained_by_the_action(score: float, why: str) -> None:
    made = trace("crag-refined", components=fake(scores=[score]))
    before = made.upto(made.steps()[made.path.index("rewrite_query")])
    assert why in words_in(before, "rewrite_query").explain(before)
    assert why not in words_in(before, "retrieve").explain(before)


def test_before_any_run_the_answer_says_what_the_strategy_does() -> None:
    strategy = get_strategy("crag-refined")
    assert strategy.summary in about_html(strategy, None)
    assert about_html(strategy, trace("crag-refined")) == ""
