"""The Strategies page: every strategy with its graph, what is said of it, its questions and its code."""

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace

import pytest
from streamlit.testing.v1 import AppTest

from rag_graphs.graphs.outline import outline_of
from rag_graphs.graphs.parity import PARITY
from rag_graphs.graphs.source_code import edge_codes, graph_code, node_codes
from rag_graphs.graphs.strategies import all_strategies, get_strategy
from rag_graphs.graphs.strategy import Example
from rag_graphs.settings import Settings
from rag_graphs.ui.shared import session
from rag_graphs.ui.shared.style import stylesheet
from rag_graphs.ui.strategies import strategy_panel
from rag_graphs.views import render
from rag_graphs.views import stylesheet as views_stylesheet
from rag_graphs.views.diagram import marks
from rag_graphs.views.diagram_panel import diagram_html, legend_html
from rag_graphs.views.parity_panel import parity_html
from tests.fakes import OURS
from tests.views.diagram.runs import NONE_RELEVANT, during, stopped, trace

PAGE = Path(__file__).resolve().parents[3] / "pages/inspect/strategies.py"
EXAMPLE = Example(
    question="What is <b>it</b>?",
    collections=("relationships",),
    shows="A rewrite.",
    path=("retrieve",),
    stop_reason="useful",
    settings=(("max_rewrites", 1),),
)


@pytest.fixture(autouse=True)
def _a_new_visitor(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(session, "settings", Settings)
    monkeypatch.setattr(session, "source_ids", list)
    monkeypatch.setattr(session, "workspace", lambda: SimpleNamespace(library=None))


def open_page(strategy: str = "") -> AppTest:
    page = AppTest.from_file(str(PAGE), default_timeout=20)
    if strategy:
        page.query_params["strategy"] = strategy
    page.run()
    assert not page.exception
    return page


def markup(page: AppTest) -> str:
    return "\n".join(m.value for m in page.markdown)


class TestChoice:
    @pytest.mark.parametrize("key", all_strategies())
    def test_an_address_leads_to_each_strategy(self, key: str) -> None:
        page = open_page(key)
        strategy, text = get_strategy(key), markup(page)
        assert render.text(strategy.summary) in text
        assert strategy.source.url in text.replace("&#58;", ":")
        for line in (*strategy.strengths, *strategy.limits):
            assert render.text(line) in text
        assert 'class="rg wide"' in text
        assert len(page.code) == 1 + len(outline_of(strategy, Settings()).nodes) + len(edge_codes(strategy, Settings()))

    def test_without_an_address_the_first_one_is_shown_and_named_in_it(self) -> None:
        page = open_page()
        assert page.query_params["strategy"] == "self-rag"

    def test_another_one_can_be_chosen(self) -> None:
        page = open_page("crag")
        page.button_group(key="shown_strategy").set_value("adaptive").run()
        assert page.query_params["strategy"] == "adaptive"
        assert get_strategy("adaptive").summary in markup(page)

    def test_a_strategy_that_does_not_exist_is_said_to_be_none(self) -> None:
        page = open_page("magic")
        assert "magic" in page.warning[0].value
        assert get_strategy("self-rag").summary in markup(page)


class TestExamples:
    def test_each_has_its_question_escaped_and_a_button(self, monkeypatch: pytest.MonkeyPatch) -> None:
        known = {key: replace(s, examples=(EXAMPLE,)) for key, s in all_strategies().items()}
        monkeypatch.setattr(strategy_panel, "all_strategies", lambda: known)
        page = open_page("crag")
        assert "What is &lt;b&gt;it&lt;/b&gt;?" in markup(page)
        assert [b.label for b in page.button] == ["Ask this"]

    def test_it_hands_over_what_the_ask_page_needs(self) -> None:
        assert strategy_panel.preset(get_strategy("crag"), EXAMPLE) == {
            "strategy": "crag",
            "question": EXAMPLE.question,
            "collections": ["relationships"],
            "settings": {"max_rewrites": 1},
        }


class TestBudgets:
    def test_loops_show_the_budgets_of_the_settings(self) -> None:
        lines = strategy_panel.budgets(get_strategy("self-rag"), Settings(max_rewrites=5))
        assert lines[0] == "At most 5 rewrites of the query."

    def test_crag_shows_its_threshold_and_naive_that_it_has_no_loop(self) -> None:
        assert "70%" in strategy_panel.budgets(get_strategy("crag"), Settings())[0]
        assert strategy_panel.budgets(get_strategy("naive"), Settings()) == ("No loops: each node runs once at most.",)


class TestCode:
    @pytest.mark.parametrize("key", all_strategies())
    def test_every_node_shows_its_factory(self, key: str) -> None:
        strategy = get_strategy(key)
        found = node_codes(strategy, Settings())
        assert [c.node for c in found] == list(outline_of(strategy, Settings()).nodes)
        assert all(c.says and c.code.startswith("def ") for c in found)
        assert graph_code(strategy).startswith("def build(")

    def test_a_factory_that_calls_another_shows_both(self) -> None:
        refine = next(c for c in node_codes(get_strategy("crag-refined"), Settings()) if c.node == "refine_web")
        assert refine.says == "Reduce the web's documents to the strips that matter for the question."
        assert refine.code.startswith("def refine_web(")
        assert "def _refining(" in refine.code

    @pytest.mark.parametrize("key", all_strategies())
    def test_every_conditional_edge_shows_its_function_and_its_outcomes(self, key: str) -> None:
        strategy = get_strategy(key)
        drawn = [e for e in outline_of(strategy, Settings()).edges if e.outcome]
        found = edge_codes(strategy, Settings())
        assert [(c.node, *end) for c in found for end in c.ends] == [(e.source, e.outcome, e.target) for e in drawn]
        assert all(c.says and c.code.startswith("def ") for c in found)

    def test_code_without_a_file_is_empty(self) -> None:
        scope: dict[str, Callable[..., object]] = {}
        exec(compile("def build(c, settings): ...", "<nowhere>", "exec"), scope)
        assert graph_code(replace(get_strategy("naive"), build=scope["build"])) == ""


class TestParity:
    @pytest.mark.parametrize("key", all_strategies())
    def test_every_aspect_says_what_this_strategy_does(self, key: str) -> None:
        table = PARITY.get(get_strategy(key).family)
        every = [k for row in table.rows for here in row.here for k in here.keys] if table else []
        for row in table.rows if table and key in (*every, *OURS) else ():
            named = [key for here in row.here for key in here.keys]
            assert len(named) == len(set(named)), row.aspect
            assert key in named or any(not here.keys for here in row.here), row.aspect

    def test_only_strategies_of_the_family_are_named(self) -> None:
        for family, table in PARITY.items():
            known = {key for key, strategy in all_strategies().items() if strategy.family == family}
            assert {key for row in table.rows for here in row.here for key in here.keys} <= known
            assert all(row.paper and row.common and row.here for row in table.rows)

    def test_the_strategy_that_is_shown_stands_out(self) -> None:
        shown = parity_html(get_strategy("crag-refined"))
        assert "<code class=on>crag-refined</code> The paper&#x27;s three." in shown
        assert '<p class="other"><code>crag</code>' in shown
        assert "https&#58;//arxiv.org/abs/2401.15884" in shown
        assert "4.4; appendix B.2" in shown
        other = parity_html(get_strategy("self-rag"))
        assert other.index("<code class=on>self-rag</code>") < other.index("<code>self-rag-critique</code>")


class TestPanel:
    def test_the_legend_shows_what_can_be_seen_now(self) -> None:
        whole = trace("self-rag", relevant=NONE_RELEVANT)
        part = during(whole, "rewrite_query")
        assert legend_words(legend_html()) == ["waiting", "running", "done", "path taken"]
        assert legend_words(legend_html(marks(part))) == ["waiting", "running", "done", "path taken"]
        assert legend_words(legend_html(marks(whole))) == ["done", "path taken", "not visited"]
        assert legend_words(legend_html(marks(stopped(part)))) == [
            "done",
            "path taken",
            "broke off here",
            "not visited",
        ]

    def test_a_small_diagram_comes_alone(self) -> None:
        small = diagram_html(get_strategy("crag"), Settings(), compact=True)
        assert 'class="rg compact"' in small
        assert 'class="rg wide"' not in small

    def test_the_stylesheet_holds_colours_diagram_and_pages(self) -> None:
        css = stylesheet()
        assert css.startswith(views_stylesheet.stylesheet())
        assert (
            css.index("--rg-on:light-dark(") < css.index(".rg .active") < css.index(".now {") < css.index(".about ul")
        )


def legend_words(legend: str) -> list[str]:
    return [part.split("</span>")[0] for part in legend.split("</i>")[1:]]
