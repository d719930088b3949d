"""Every outcome of every conditional edge."""

from dataclasses import replace

import pytest

from rag_graphs.graphs import routes
from rag_graphs.graphs.state import RagState, Route, start
from rag_graphs.settings import Settings
from tests.fakes import DOCS, grounded, relevance, useful

ASKED = start("Why?")
SETTINGS = Settings(max_rewrites=2, max_regenerations=1, min_relevant_share=0.7)


@pytest.mark.parametrize(
    ("kept", "rewrites", "outcome"),
    [(1, 0, "some relevant"), (1, 2, "some relevant"), (0, 0, "none relevant"), (0, 1, "none relevant"), (0, 2, "budget spent")],
)  # fmt: skip
def test_any_relevant(kept: int, rewrites: int, outcome: str) -> None:
    state = replace(ASKED, documents=DOCS[:kept], rewrites=rewrites)
    assert routes.any_relevant(SETTINGS)(state) == outcome


@pytest.mark.parametrize(
    ("kept", "found", "outcome"),
    [
        (4, 4, "enough relevant"),
        (3, 4, "enough relevant"),
        (2, 4, "too few relevant"),
        (0, 4, "too few relevant"),
        (0, 0, "too few relevant"),
    ],
)
def test_enough_relevant(kept: int, found: int, outcome: str) -> None:
    state = replace(ASKED, documents=DOCS[:kept], retrieved=DOCS[:found])
    assert routes.enough_relevant(SETTINGS)(state) == outcome


def test_a_document_that_is_kept_although_unclear_is_not_relevant() -> None:
    state = replace(ASKED, documents=DOCS, retrieved=DOCS, relevance=[relevance(True), *[relevance(None)] * 3])
    assert routes.enough_relevant(Settings(min_relevant_share=0.25))(state) == "too few relevant"
    assert routes.enough_relevant(Settings(min_relevant_share=0.24))(state) == "enough relevant"


def test_the_share_must_be_exceeded_and_not_only_reached() -> None:
    state = replace(ASKED, documents=DOCS[:2], retrieved=DOCS)
    assert routes.enough_relevant(Settings(min_relevant_share=0.5))(state) == "too few relevant"
    assert routes.enough_relevant(Settings(min_relevant_share=0.49))(state) == "enough relevant"


@pytest.mark.parametrize(
    ("g", "u", "regenerations", "rewrites", "outcome"),
    [
        (True, True, 0, 0, "useful"),
        (True, True, 1, 2, "useful"),
        (True, False, 0, 0, "not useful"),
        (True, False, 0, 1, "not useful"),
        (True, False, 0, 2, "budget spent"),
        (False, True, 0, 0, "not grounded"),
        (False, False, 0, 2, "not grounded"),
        (False, None, 0, 0, "not grounded"),
        (False, True, 1, 0, "budget spent"),
        (None, True, 0, 0, "not verified"),
        (None, False, 0, 0, "not verified"),
        (True, None, 0, 0, "not verified"),
        (None, None, 1, 2, "not verified"),
    ],
)
def test_answer_verdict(g: bool | None, u: bool | None, regenerations: int, rewrites: int, outcome: str) -> None:
    state = replace(ASKED, grounded=grounded(g), useful=useful(u), regenerations=regenerations, rewrites=rewrites)
    assert routes.answer_verdict(SETTINGS)(state) == outcome


def test_an_answer_without_grades_never_loops() -> None:
    assert routes.answer_verdict(SETTINGS)(ASKED) == "not verified"


@pytest.mark.parametrize(
    ("route", "outcome"),
    [
        (Route(target="vectorstore"), "vectorstore"),
        (Route(target="web search"), "web search"),
        (Route(target="web search", error="unreadable"), "vectorstore"),
        (None, "vectorstore"),
    ],
)
def test_chosen_route(route: Route | None, outcome: str) -> None:
    assert routes.chosen_route(replace(ASKED, route=route)) == outcome


def test_edges_change_nothing() -> None:
    state = replace(ASKED, documents=DOCS, retrieved=DOCS, grounded=grounded(False), useful=useful(True))
    before = RagState(**vars(state))
    for edge in (
        routes.any_relevant(SETTINGS),
        routes.enough_relevant(SETTINGS),
        routes.answer_verdict(SETTINGS),
        routes.chosen_route,
    ):
        assert edge(state) == edge(state)
    assert state == before
