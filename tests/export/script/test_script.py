"""What is written into a script: settings, prompts and documents as they are, as data; no key, no address; nothing too large."""

from __future__ import annotations

import ast
import subprocess
import sys
from dataclasses import replace
from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import settings as hypothesis_settings
from hypothesis import strategies as st

from rag_graphs.engines.prompts import PROMPTS
from rag_graphs.export.script import export_script, of_documents, of_samples, script_name, script_of
from rag_graphs.export.script.literals import text_literal
from rag_graphs.export.script.passages import MOST_BYTES, MOST_DOCUMENTS
from rag_graphs.export.script.source import ScriptError, Sources
from rag_graphs.graphs.state import Document, field_names
from rag_graphs.graphs.strategies import all_strategies, get_strategy
from rag_graphs.graphs.strategy import Strategy
from rag_graphs.settings import Settings
from tests.export.script.kit import KEY, run_scripts
from tests.servers.openai import OpenAIServer

HOSTILE = (
    "'''", '"""', "\\", '\\"""\nimport os\nos.abort()\n"""', "\x00", "\r\n", "\u2028", "\ud800", "\u202e", "{question}",
    "%s", "# x\n'", '"', "\\N{DASH}", "a\\", '""', 'x"""',
)  # fmt: skip
TEXTS = st.text(st.one_of(st.characters(codec=None), st.sampled_from("'\"\\\n\r\x00{}#\ud83d")), max_size=60)
VARIANTS: list[tuple[str, dict[str, Any]]] = [
    *((key, {}) for key in all_strategies()),
    ("self-rag", {"gate": "question"}),
    ("self-rag", {"gate": "attempt", "strictness": "strict"}),
    ("self-rag-web", {"search_when": "any irrelevant", "web": "off"}),
    ("crag", {"web": "tavily", "embeddings": "openai:text-embedding-3-small"}),
    ("crag-refined", {"evaluator_upper": 0.9, "model": "ollama:qwen3:8b", "conversing": True}),
    ("naive", {"model_generate": "openai:large", "model": "openai:small"}),
]


FEW = hypothesis_settings(max_examples=12, deadline=None)
"""A whole script takes a fifth of a second; the literals in it are tried by themselves as well."""


def script(key: str = "self-rag", documents: tuple[Document, ...] = (), **settings: Any) -> str:
    carried = of_documents(documents, "Railways.") if documents else of_samples(get_strategy(key))
    return script_of(get_strategy(key), Settings().change(**settings), carried).decode()


def document(text: str, title: str = "A page") -> Document:
    return Document(id="d1", text=text, source="https://example.org/a", title=title)


def value_of(text: str, name: str) -> Any:
    """The literal that a script gives to a name."""
    for statement in ast.parse(text).body:
        targets = statement.targets if isinstance(statement, ast.Assign) else [getattr(statement, "target", None)]
        if any(isinstance(t, ast.Name) and t.id == name for t in targets):
            return ast.literal_eval(statement.value)  # type: ignore[attr-defined]
    raise AssertionError(name)


def passages(text: str) -> list[str]:
    """The texts of the library's passages in a script."""
    return [passage for page in value_of(text, "LIBRARY") for _, passage in page["passages"]]


class TestData:
    @pytest.mark.parametrize("text", HOSTILE)
    def test_hostile_texts_stay_texts(self, text: str) -> None:
        made = script(
            "adaptive", (document(f"a{text}", title=text),), prompts={"route": f"{text} {{question}} {{description}}"}
        )
        (page,) = value_of(made, "LIBRARY")
        assert (page["passages"], page["title"]) == ([("", f"a{text}")], text)
        compile(made, "script", "exec")

    @given(TEXTS)
    def test_any_text_survives_as_a_literal(self, text: str) -> None:
        written = text_literal(text)
        assert ast.literal_eval(written) == text
        written.encode()

    @FEW
    @given(TEXTS, TEXTS, TEXTS)
    def test_any_documents_prompts_and_descriptions_make_a_script(self, text: str, title: str, about: str) -> None:
        carried = of_documents([document(text, title)], about)
        settings = Settings(prompts={"route": f"{{question}} {{description}} {text}"})
        made = script_of(get_strategy("adaptive"), settings, carried).decode()
        assert passages(made) == [text]
        assert value_of(made, "DESCRIPTION") == about

    def test_many_documents_are_cut_and_it_is_said(self) -> None:
        made = script("naive", tuple(document(f"{n}") for n in range(MOST_DOCUMENTS + 12)))
        assert len(passages(made)) == MOST_DOCUMENTS
        assert "the first 300 of 312" in " ".join(made.split())

    def test_long_documents_are_cut_as_well(self) -> None:
        made = script("naive", tuple(document("가" * 5_000) for _ in range(40)))
        assert 15 < len(passages(made)) < 20
        assert len(made.encode()) < MOST_BYTES + 100_000

    def test_without_documents_it_carries_those_of_its_questions(self) -> None:
        assert "passages of the sample library" in " ".join(script("naive").split())
        assert any("bagel" in text for text in passages(script("naive")))

    def test_pages_that_are_not_indexed_are_said_to_be_missing(self) -> None:
        class Source:
            def __init__(self, name: str, chunks: int) -> None:
                self.id, self.chunks = name, chunks

        class Shelf:
            def sources(self, ids: object, settings: object) -> list[Source]:
                return [Source("a", 2), Source("b", 0)]

            def chunks(self, source_id: str, settings: object) -> list[Document]:
                assert source_id == "a", "nothing may be indexed for a script"
                return [document("One."), document("Two.")]

            def describe(self, ids: object) -> str:
                return "Railways."

        made = export_script(get_strategy("naive"), Settings(), Shelf(), ["a", "b"]).decode()
        assert passages(made) == ["One.", "Two."]
        assert "not indexed under these settings are missing: 1." in " ".join(made.split())


class TestChoices:
    def test_no_key_and_no_address_is_in_it(self) -> None:
        secrets = {"openai_api_key": KEY, "tavily_api_key": KEY, "openai_base_url": "http://user:pw@inside.example/v1"}
        for key in ("naive", "crag-refined", "adaptive-direct"):
            made = script(key, model="openai:small", web="tavily", ollama_host="http://inside.example", **secrets)
            assert KEY not in made
            assert "inside.example" not in made

    def test_the_settings_that_something_reads_are_in_it(self) -> None:
        made = script(max_rewrites=7, k=9, drafts=8)
        assert "max_rewrites: int = 7" in made
        assert "k: int = 9" in made
        assert "drafts" not in made

    def test_replaced_prompts_are_in_it_and_no_prompt_that_is_not_asked(self) -> None:
        made = script(prompts={"grade_usefulness": "Useful? {question} {answer}"})
        assert value_of(made, "PROMPTS")["grade_usefulness"] == ("", "Useful? {question} {answer}")
        assert PROMPTS["grade_usefulness"].system.splitlines()[0] not in made
        assert PROMPTS["draft"].system.splitlines()[0] not in made

    def test_a_choice_of_the_graph_is_a_setting_of_the_script(self) -> None:
        assert 'gate: str = "question"' in script(gate="question")
        assert 'gate: str = "off"' in script()

    def test_the_prompt_is_as_strict_as_the_settings(self) -> None:
        prompts = {
            "grade_relevance": "Plain? {question} {document}",
            "grade_relevance_strict": "Strict? {question} {document}",
        }
        assert value_of(script(), "PROMPTS")["grade_relevance"][0] == PROMPTS["grade_relevance"].system
        made = script(strictness="strict")
        assert value_of(made, "PROMPTS")["grade_relevance"][0] == PROMPTS["grade_relevance_strict"].system
        assert value_of(script(prompts=prompts), "PROMPTS")["grade_relevance"][1] == prompts["grade_relevance"]
        made = script(strictness="strict", prompts=prompts)
        assert value_of(made, "PROMPTS")["grade_relevance"][1] == prompts["grade_relevance_strict"]

    def test_the_built_in_engine_becomes_a_model(self) -> None:
        assert 'MODEL = os.environ.get("MODEL", "gpt-4o-mini")' in script()
        assert '"generate": "large"' in script(model="openai:small", model_generate="openai:large")

    def test_thresholds_for_the_built_in_engine_s_scores_stay_behind(self) -> None:
        own, model = (script("crag-refined", evaluator_upper=0.9, model=m) for m in ("builtin", "openai:small"))
        assert "evaluator_upper: float | None = None" in own
        assert "Thresholds that were set for the built-in engine" in " ".join(own.split())
        assert "evaluator_upper: float | None = 0.9" in model

    def test_only_what_the_state_needs_is_left_of_it(self) -> None:
        assert "class JudgedDraft" not in script()
        assert "strips" not in script()
        assert "class JudgedDraft" in script("self-rag-critique")


def value_free(text: str) -> str:
    """The class of settings in a script."""
    return text.partition("class Settings:")[2].partition("SETTINGS =")[0]


def test_scripts_pass_ruff(tmp_path: Path) -> None:
    for number, (key, settings) in enumerate(VARIANTS):
        (tmp_path / f"{number}_{script_name(get_strategy(key))}").write_text(script(key, **settings), encoding="utf-8")
    command = [sys.executable, "-m", "ruff", "check", "--isolated", "--no-cache", str(tmp_path)]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout


def test_without_a_key_and_with_a_wrong_one_it_says_so(tmp_path: Path) -> None:
    path = tmp_path / "naive.py"
    path.write_text(script("naive", model="openai:small"), encoding="utf-8")
    with OpenAIServer(key="sk-right") as server:
        wrong = {"OPENAI_API_KEY": KEY, "OPENAI_BASE_URL": server.base_url}
        cases = [{"script": str(path), "arguments": ["Why?"], "environment": e} for e in ({}, wrong)]
        without, refused = run_scripts(cases, tmp_path)
    assert (without["code"], refused["code"]) == (1, 1)
    assert "OPENAI_API_KEY" in without["failed"]
    assert "Incorrect API key provided: Bearer (the key)" in refused["failed"]
    assert KEY not in refused["failed"] + refused["printed"]
    assert "Traceback" not in without["failed"] + refused["failed"]


@pytest.mark.parametrize(("key", "settings"), VARIANTS)
def test_the_state_has_every_field_that_is_read_or_changed(key: str, settings: dict[str, Any]) -> None:
    tree = ast.parse(script(key, **settings))
    (state,) = [n for n in tree.body if isinstance(n, ast.ClassDef) and n.name == "RagState"]
    declared = {ast.unparse(s.target) for s in state.body if isinstance(s, ast.AnnAssign)}
    nodes = list(ast.walk(tree))
    read = {n.attr for n in nodes if isinstance(n, ast.Attribute) and ast.unparse(n.value) == "state"} - {"asked"}
    helpers = [n for n in nodes if isinstance(n, ast.FunctionDef) and n.returns and ast.unparse(n.returns) == "Update"]
    dicts = [d for helper in helpers for d in ast.walk(helper) if isinstance(d, ast.Dict)]
    texts = {str(k.value) for d in dicts if "kind" not in ast.unparse(d) for k in d.keys if isinstance(k, ast.Constant)}
    assert read
    assert read | (texts & field_names()) <= declared


def test_scripts_are_short() -> None:
    lines = {key: len(script(key).splitlines()) for key in all_strategies()}
    assert lines["naive"] < 350
    assert max(lines.values()) < 1_060


OUTSIDE = """
from __future__ import annotations

from langgraph.graph import END, START, StateGraph
from langgraph.types import StreamWriter
{imports}
from rag_graphs.graphs import nodes
from rag_graphs.graphs.components import Components
from rag_graphs.graphs.state import RagState
from rag_graphs.settings import Settings

SHORTEST = 3


def shorten(state: RagState, writer: StreamWriter) -> dict[str, object]:
    kept = state.documents[:SHORTEST]
    return {{"documents": kept}}


def build(c: Components, settings: Settings) -> StateGraph[RagState]:
    graph = StateGraph(RagState)
    graph.add_node("retrieve", nodes.retrieve(c.retrieve))
    graph.add_node("shorten", {shorten})
    graph.add_node("generate", nodes.generate(c.generate))
    graph.add_edge(START, "retrieve")
    graph.add_edge("retrieve", "shorten")
    graph.add_edge("shorten", "generate")
    graph.add_edge("generate", END)
    return graph
"""


def from_outside(folder: Path, imports: str = "", shorten: str = "shorten") -> Strategy:
    """A strategy of a file outside of the package, loaded as a file by its path is."""
    path = folder / "teachers_own.py"
    path.write_text(OUTSIDE.format(imports=imports, shorten=shorten), encoding="utf-8")
    spec = spec_from_file_location("teachers_own", path)
    assert spec
    assert spec.loader
    module = module_from_spec(spec)
    spec.loader.exec_module(module)
    return replace(get_strategy("naive"), key="teachers-own", title="The teacher's own", build=module.build)


class TestFromOutside:
    def test_a_strategy_from_a_file_of_one_s_own_runs_as_a_script(self, tmp_path: Path) -> None:
        strategy = from_outside(tmp_path)
        made = script_of(strategy, Settings().change(model="openai:small", k=4), of_samples(strategy))
        (tmp_path / script_name(strategy)).write_bytes(made)
        with OpenAIServer(key=KEY) as server:
            environment = {"OPENAI_API_KEY": KEY, "OPENAI_BASE_URL": server.base_url}
            case = {"script": str(tmp_path / script_name(strategy)), "arguments": ["--path", "How to improve?"]}
            (told,) = run_scripts([{**case, "environment": environment}], tmp_path)
        assert told["failed"] == ""
        assert told["path"] == ["retrieve", "shorten", "generate"]
        assert "[3]" in told["printed"]
        assert "[4]" not in told["printed"]

    def test_one_that_needs_another_package_says_so(self, tmp_path: Path) -> None:
        strategy = from_outside(tmp_path, "import streamlit", "streamlit.cache_data(shorten)")
        with pytest.raises(ScriptError, match="uses streamlit, which a script does not have"):
            script_of(strategy, Settings(), of_samples(strategy))

    def test_one_without_source_code_says_so(self) -> None:
        made: dict[str, Any] = {}
        exec("def build(c, settings): ...", made)
        with pytest.raises(ScriptError, match="its source code cannot be read"):
            Sources.of(made["build"], "Mine")
