"""What a run is built from follows from the settings alone, and is said in one line."""

from __future__ import annotations

from typing import Any

import pytest

from rag_graphs.engines.build import build_components
from rag_graphs.errors import SetupError
from rag_graphs.graphs.components import RewriteRequest
from rag_graphs.settings import Settings
from tests.engines.llm.conftest import KEY, Start, settings_for

LIBRARY: Any = type("Library", (), {"vectors": None, "describe": lambda self, ids: "x"})()


def built(**settings: Any) -> Any:
    return build_components(Settings().change(openai_api_key=KEY, **settings), LIBRARY, [])


@pytest.mark.parametrize(
    ("settings", "engine"),
    [
        ({}, "Built-in engine, "),
        ({"model": "openai:a"}, "Model openai:a, "),
        (
            {"model_generate": "ollama:b", "web": "off"},
            "Built-in engine grades and routes; ollama:b writes; Built-in engine rewrites, ",
        ),
    ],
)
def test_the_description_names_what_is_used(settings: dict[str, Any], engine: str) -> None:
    assert built(**settings).description.startswith(engine)


def test_a_role_without_a_model_stays_built_in() -> None:
    plain, mixed = built(), built(model_generate="openai:a")

    assert mixed.grade_relevance.__qualname__ == plain.grade_relevance.__qualname__
    assert mixed.generate.__qualname__ != plain.generate.__qualname__
    assert built(model="openai:a").conclude is plain.conclude


@pytest.mark.parametrize(
    ("question", "reply", "note"),
    [
        (
            "바겔 방법은 언제 만들어졌나요?",
            "When was the bagel method invented?",
            "changed the language of the query (ko to en)",
        ),
        (
            "When was the bagel method invented?",
            "바겔 방법이 만들어진 때",
            "changed the language of the query (en to ko)",
        ),
        ("바겔 방법은 언제 만들어졌나요?", "bagel method invention", "in another script than the question"),
        ("When was the bagel method invented?", "bagel method invention", ""),
        ("바겔 방법은 언제 만들어졌나요?", "바겔 방법 bagel method", ""),
        ("Wie breit ist die Spur?", "1435", ""),
        ("When was the bagel method invented?", "", "built-in rewriter wrote this one"),
    ],
)
def test_a_model_s_query_in_another_language_is_told(start: Start, question: str, reply: str, note: str) -> None:
    components = build_components(settings_for(start("openai", {"rewrite": reply})), LIBRARY, [])
    made = components.rewrite(RewriteRequest(question=question, queries=[question]))
    assert note in made.note
    assert bool(made.note) == bool(note)
    assert built().rewrite(RewriteRequest(question=question, queries=[])).note.startswith("Kept the key words")


def test_a_missing_key_is_said_before_a_run() -> None:
    with pytest.raises(SetupError, match="Tavily key"):
        built(web="tavily")
