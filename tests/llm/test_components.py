"""What a run is built from follows from the settings alone, and is said in one line."""

from __future__ import annotations

from typing import Any

import pytest

from rag_graphs.components import build_components
from rag_graphs.errors import SetupError
from rag_graphs.settings import Settings
from tests.llm.conftest import KEY

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


def test_a_missing_key_is_said_before_a_run() -> None:
    with pytest.raises(SetupError, match="Tavily key"):
        built(web="tavily")
