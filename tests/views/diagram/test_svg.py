"""The drawing itself: it says what the code says, and during a run only classes and texts change."""

import re
from collections.abc import Callable, Iterator
from types import SimpleNamespace
from typing import get_args
from xml.etree import ElementTree

import pytest

from rag_graphs.graphs.outline import outline_of
from rag_graphs.graphs.strategies import all_strategies, get_strategy
from rag_graphs.runs.trace import Trace
from rag_graphs.settings import Settings
from rag_graphs.views import diagram, translation
from rag_graphs.views.diagram import both_ways, draw, marks, standalone
from rag_graphs.views.diagram.choice import layout
from rag_graphs.views.diagram.marking import IDLE, Marks
from rag_graphs.views.diagram.svg import render
from rag_graphs.views.diagram.ways import Way
from tests.views.diagram.graphs import ODD
from tests.views.diagram.runs import NONE_RELEVANT, during, stopped, trace

WAYS: tuple[Way, ...] = get_args(Way)
SETTINGS = Settings()
SVG = "{http://www.w3.org/2000/svg}"
GIVES_UP = trace("self-rag", relevant=NONE_RELEVANT)


def parsed(svg: str) -> ElementTree.Element:
    return ElementTree.fromstring(svg)


def groups(svg: str, kind: str) -> Iterator[ElementTree.Element]:
    return (g for g in parsed(svg).iter(f"{SVG}g") if kind in g.get("class", "").split())


def classes(svg: str) -> dict[str, str]:
    """Each node's classes by its name."""
    found = {}
    for kind in ("node", "stop"):
        for group in groups(svg, kind):
            found[group.findtext(f"{SVG}title", "")] = group.get("class", "")
    return found


def texts(element: ElementTree.Element) -> list[str]:
    return ["".join(t.itertext()) for t in element.iter(f"{SVG}text")]


class TestSameAsTheCode:
    @pytest.mark.parametrize("key", all_strategies())
    @pytest.mark.parametrize("way", WAYS)
    def test_its_nodes_and_edges_are_those_of_the_graph(self, key: str, way: Way) -> None:
        outline = outline_of(get_strategy(key), SETTINGS)
        svg = draw(get_strategy(key), SETTINGS, way=way)
        assert set(classes(svg)) == {"START", *outline.nodes, "END"}
        drawn = [(g.get("data-from"), g.get("data-to")) for g in groups(svg, "edge")]
        assert sorted(drawn) == sorted({(e.source, e.target) for e in outline.edges})

    @pytest.mark.parametrize("key", all_strategies())
    @pytest.mark.parametrize("way", ["wide", "tall"])
    def test_every_outcome_stands_at_its_edge(self, key: str, way: Way) -> None:
        expected: dict[tuple[str, str], list[str]] = {}
        for edge in outline_of(get_strategy(key), SETTINGS).edges:
            expected.setdefault((edge.source, edge.target), []).append(edge.outcome)
        for group in groups(draw(get_strategy(key), SETTINGS, way=way), "edge"):
            outcomes = [re.sub(r" ?\d+/\d+.*", "", t) for t in texts(group)]
            assert [o for o in outcomes if o] == [
                o for o in expected[(group.get("data-from", ""), group.get("data-to", ""))] if o
            ]

    def test_a_loop_shows_how_much_of_its_budget_is_spent(self) -> None:
        before = texts(parsed(draw(get_strategy("self-rag"), SETTINGS)))
        assert "0/3 rewrites" in before
        assert "not grounded 0/2" in before
        after = texts(parsed(draw(get_strategy("self-rag"), SETTINGS, marks(GIVES_UP))))
        assert "3/3 rewrites" in after


def translate(monkeypatch: pytest.MonkeyPatch, words: Callable[[str], str]) -> None:
    """Show every text as `words` has it, and forget the shapes that were made with other words."""
    monkeypatch.setattr(translation, "_translations", lambda: SimpleNamespace(gettext=words))
    monkeypatch.setattr(diagram, "_SHAPES", {})


class TestDuringARun:
    @pytest.mark.parametrize("way", WAYS)
    def test_only_classes_and_texts_change(self, way: Way) -> None:
        def skeleton(run: Trace | None) -> list[tuple[str, dict[str, str]]]:
            root = parsed(draw(get_strategy("self-rag"), SETTINGS, marks(run), way=way))
            changing = ("class", "aria-label")
            return [(e.tag, {k: v for k, v in e.attrib.items() if k not in changing}) for e in root.iter()]

        middle = during(GIVES_UP, "grade_documents", 3)
        assert skeleton(None) == skeleton(middle) == skeleton(stopped(middle)) == skeleton(GIVES_UP)

    def test_before_it_every_node_waits(self) -> None:
        assert set(classes(draw(get_strategy("crag"), SETTINGS)).values()) == {
            "node idle",
            "stop idle",
            "stop end idle",
        }

    def test_the_running_node_is_active_and_past_ones_are_done(self) -> None:
        found = classes(draw(get_strategy("self-rag"), SETTINGS, marks(during(GIVES_UP, "rewrite_query"))))
        assert found["rewrite_query"] == "node active"
        assert found["retrieve"] == found["grade_documents"] == "node done"
        assert found["generate"] == "node idle"
        assert (found["START"], found["END"]) == ("stop done", "stop end idle")

    def test_a_node_that_ran_again_shows_how_often(self) -> None:
        svg = draw(get_strategy("self-rag"), SETTINGS, marks(GIVES_UP))
        assert classes(svg)["retrieve"] == "node done again"
        (group,) = (g for g in groups(svg, "node") if g.findtext(f"{SVG}title") == "retrieve")
        assert "4×" in texts(group)

    def test_after_it_what_was_not_visited_is_told_apart(self) -> None:
        svg = draw(get_strategy("self-rag"), SETTINGS, marks(GIVES_UP))
        assert classes(svg)["generate"] == "node skip"
        taken = {(g.get("data-from"), g.get("data-to")) for g in groups(svg, "taken")}
        assert ("grade_documents", "give_up") in taken
        skipped = {(g.get("data-from"), g.get("data-to")) for g in groups(svg, "edge") if g.get("class") == "edge skip"}
        assert taken | skipped == {(g.get("data-from"), g.get("data-to")) for g in groups(svg, "edge")}

    def test_only_the_outcomes_that_were_taken_are_marked(self) -> None:
        svg = draw(get_strategy("self-rag"), SETTINGS, marks(trace("self-rag")))
        hits = ["".join(t.itertext()) for t in parsed(svg).iter(f"{SVG}text") if t.get("class") == "ol hit"]
        assert hits == ["some relevant", "useful"]

    def test_the_edge_that_led_to_the_running_node_is_the_latest(self) -> None:
        svg = draw(get_strategy("self-rag"), SETTINGS, marks(during(GIVES_UP, "retrieve", 2)))
        (latest,) = groups(svg, "latest")
        assert (latest.get("data-from"), latest.get("data-to")) == ("rewrite_query", "retrieve")

    def test_a_run_that_broke_off_shows_where(self) -> None:
        broken = stopped(during(GIVES_UP, "grade_documents"))
        svg = draw(get_strategy("self-rag"), SETTINGS, marks(broken))
        assert classes(svg)["grade_documents"] == "node halted"
        assert classes(svg)["generate"] == "node skip"


class TestMarkup:
    def test_ids_have_no_hyphens_and_appear_once_on_a_page(self) -> None:
        page = "".join(both_ways(s, SETTINGS, prefix=f"run {key}") for key, s in all_strategies().items())
        ids = re.findall(r' id="([^"]*)"', page)
        assert len(ids) == len(set(ids))
        assert all(re.fullmatch(r"\w+", one) for one in ids)

    def test_it_is_one_line_that_markdown_leaves_alone(self) -> None:
        page = both_ways(get_strategy("adaptive"), SETTINGS, marks(trace("adaptive")))
        assert page.startswith("<div ")
        assert "\n" not in page

    def test_what_is_written_on_it_is_escaped(self, monkeypatch: pytest.MonkeyPatch) -> None:
        hostile = "</text><script>alert(1)</script>:material/close:"
        sub = {"retrieve": hostile}
        translate(monkeypatch, lambda text: f'"<b>{text}&')
        page = draw(get_strategy("crag"), SETTINGS, sub=sub)
        assert "<script" not in page
        assert "<b>" not in page
        assert ":material" not in page
        parsed(page)

    def test_what_a_record_from_elsewhere_holds_is_escaped_on_one_line(self) -> None:
        hostile = "<img src=x onerror=alert(1)>\r\r![](http://example.org/x.png)"
        data = GIVES_UP.to_json()
        data["events"][0]["settings"]["max_rewrites"] = hostile
        for event in data["events"]:
            if event["kind"] == "edge_taken" and event["outcome"]:
                event["outcome"] = hostile
        known = Trace.from_json(data)
        page = both_ways(get_strategy("self-rag"), SETTINGS, marks(known))
        assert "<img" not in page
        assert not re.search(r"[\r\n\u2028\x85]", page)
        parsed(standalone(get_strategy("self-rag"), SETTINGS, known))

    @pytest.mark.parametrize("name", ODD)
    def test_any_graph_makes_well_formed_markup(self, name: str) -> None:
        svg = render(
            layout(ODD[name], "wide"), "wide", IDLE, SETTINGS, prefix="x", sublines={}, description='a "graph" <'
        )
        assert parsed(svg).get("aria-label") == 'a "graph" <'

    def test_a_text_that_is_too_long_is_cut(self) -> None:
        page = draw(get_strategy("naive"), SETTINGS, sub={"retrieve": "a very long line that no box could ever hold"})
        (line,) = (t for t in texts(parsed(page)) if t.startswith("a very"))
        assert line.endswith("…")

    def test_names_and_outcomes_can_be_translated(self, monkeypatch: pytest.MonkeyPatch) -> None:
        dutch = {"Retrieve": "Zoek", "enough relevant": "genoeg"}
        translate(monkeypatch, lambda text: dutch.get(text, text))
        assert {"Zoek", "genoeg"} <= set(texts(parsed(draw(get_strategy("crag"), SETTINGS))))


class TestFile:
    @pytest.mark.parametrize("key", all_strategies())
    def test_it_is_a_document_with_its_own_colours(self, key: str) -> None:
        document = standalone(get_strategy(key), SETTINGS, trace(key))
        assert document.startswith("<?xml")
        root = parsed(document.partition("\n")[2])
        assert root.tag == f"{SVG}svg"
        assert "var(" not in document
        assert "prefers-color-scheme:dark" in document

    def test_it_needs_no_run(self) -> None:
        assert "node idle" in standalone(get_strategy("naive"), SETTINGS)


def test_marks_without_a_run_are_idle() -> None:
    assert marks(None) is IDLE
    assert Marks() == IDLE
