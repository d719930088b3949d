"""The panel Code: which node's code is open and lit, and which outcome of the edge behind it is marked."""

from __future__ import annotations

import re
from typing import Any

import pytest

from rag_graphs.graphs.strategies import all_strategies, get_strategy
from rag_graphs.runs.trace import Trace
from rag_graphs.settings import Settings
from rag_graphs.views import code_panel
from rag_graphs.views.code_panel import code_html
from rag_graphs.views.python_code import python_html
from tests.views.diagram.runs import NONE_RELEVANT, during, stopped, trace

RUN = trace("self-rag", relevant=NONE_RELEVANT)


def panel(known: Trace | None, strategy: str = "self-rag", settings: Settings | None = None) -> str:
    return code_html(get_strategy(strategy), settings or Settings(), known)


def opened(markup: str) -> list[tuple[str, str]]:
    """(classes, name) of each node whose code is open."""
    return re.findall(r'<details class="cn ([^"]*)" open><summary><b>([^<]*)</b>', markup)


def outcomes(markup: str) -> list[str]:
    """The outcomes that are marked as taken."""
    return re.findall(r'<li class="on"><b>([^<]*)</b>', markup)


class TestWhichNode:
    def test_before_a_run_the_first_is_open_and_none_is_lit(self) -> None:
        assert opened(panel(None)) == [("", "Retrieve")]
        assert outcomes(panel(None)) == []

    def test_during_a_run_the_one_that_runs_is_lit(self) -> None:
        now = panel(during(RUN, "rewrite_query"))
        assert opened(now) == [("at", "Rewrite query")]
        assert '<span class="chip on">running</span>' in now
        assert '<details class="cn done"><summary><b>Grade documents</b>' in now

    def test_after_a_run_the_last_one_is(self) -> None:
        assert opened(panel(RUN)) == [("at", "Give up")]
        assert "running" not in panel(RUN)

    def test_a_run_that_was_cut_off_shows_where(self) -> None:
        assert opened(panel(stopped(during(RUN, "rewrite_query")))) == [("at", "Rewrite query")]

    @pytest.mark.parametrize("key", all_strategies())
    def test_each_strategy_lists_its_nodes(self, key: str) -> None:
        markup = panel(trace(key), key)
        assert len(opened(markup)) == 1
        assert markup.count("<details") == len(re.findall(r"<summary><b>", markup)) > 1
        assert "\n" not in markup


class TestTheEdge:
    def test_each_step_marks_the_outcome_that_followed(self) -> None:
        for stop, visit in zip(RUN.steps(), RUN.visits, strict=False):
            followed = next((e.outcome for e in RUN.edges[visit.index + 1 :] if e.source == visit.node), "")
            assert outcomes(panel(RUN.upto(stop))) == ([followed] if followed else []), visit.node

    def test_while_a_node_runs_nothing_is_marked(self) -> None:
        assert outcomes(panel(during(RUN, "grade_documents"))) == []

    def test_a_plain_edge_says_where_it_leads(self) -> None:
        assert "Then → Grade documents" in panel(None)

    def test_the_gate_is_there_when_it_is_on(self) -> None:
        assert opened(panel(None, settings=Settings(gate="question"))) == [("", "Decide retrieval")]


def test_what_was_worked_out_is_used_again_and_never_fills_the_memory(monkeypatch: pytest.MonkeyPatch) -> None:
    kept: dict[tuple[str, str], Any] = {}
    monkeypatch.setattr(code_panel, "_KEPT", kept)
    monkeypatch.setattr(code_panel, "MOST_KEPT", 2)
    for k in (5, 5, 6):
        panel(None, settings=Settings(k=k))
    held = list(kept.values())
    assert len(held) == 2
    panel(None, settings=Settings(k=5))
    assert list(kept.values()) == held
    assert next(iter(kept.values())) is held[0]
    panel(None, settings=Settings(k=7))
    assert len(kept) == 1, "the third emptied it"


class TestPythonCode:
    def test_it_is_escaped_and_told_apart(self) -> None:
        code = 'def f(x: int) -> str:\n    """Says <b>."""\n    return "&" if x else ":a:"  # <i>\n'
        assert python_html(code) == (
            '<span class="k">def</span> <span class="d">f</span>(x&#58; int) -&gt; str&#58;<br>    '
            '<span class="c">&quot;&quot;&quot;Says &lt;b&gt;.&quot;&quot;&quot;</span><br>    '
            '<span class="k">return</span> <span class="s">&quot;&amp;&quot;</span> <span class="k">if</span> x '
            '<span class="k">else</span> <span class="s">&quot;&#58;a&#58;&quot;</span>  <span class="c"># &lt;i&gt;</span>'
        )

    @pytest.mark.parametrize("code", ["def (:\n  '", "", "'''", "한국어 = 1\n", "if x:\n    y\n  z\n"])
    def test_code_that_is_none_is_still_shown(self, code: str) -> None:
        shown = re.sub(r"<(?!br>)[^>]+>", "", python_html(code)).replace("<br>", "\n").replace("&#58;", ":")
        assert shown.replace("&#x27;", "'").strip() == code.strip()
