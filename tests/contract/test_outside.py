"""Strategies from outside: a file or a package is enough for all that the tests ask, and a broken one harms no other."""

from __future__ import annotations

import re
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from streamlit.testing.v1 import AppTest

from rag_graphs.cli.main import main
from rag_graphs.errors import SettingsError, TraceError
from rag_graphs.export.script import of_samples, script_of
from rag_graphs.graphs import strategies
from rag_graphs.graphs.outside import BrokenStrategy, outside_strategies
from rag_graphs.graphs.source_code import edge_codes, graph_code, node_codes
from rag_graphs.graphs.strategies import all_strategies, broken_strategies, get_strategy
from rag_graphs.runs.runner import run
from rag_graphs.runs.trace import Trace
from rag_graphs.security.visitors import allowance
from rag_graphs.settings import Settings
from rag_graphs.store import Store
from rag_graphs.ui.shared import session
from rag_graphs.ui.traces.importing import known
from rag_graphs.views import diagram_settings
from tests.conftest import ROOT, clean_environment
from tests.fakes import OURS, fake
from tests.readme import README, strategy_example

WEB_ONLY = strategy_example(README.read_text(encoding="utf-8")).replace("Naive RAG", "Web RAG")
"""The README's example, in a family of its own."""

OWN_NODE = '''
def look_closer():
    """Keep the first two documents."""

    def look(state: RagState) -> dict[str, object]:
        return {"documents": state.documents[:2]}

    return look


def after_look(state: RagState) -> str:
    """Go to the web where the library has nothing."""
    return "something" if state.documents else "nothing"


def build(c: Components, settings: Settings) -> StateGraph[RagState]:
    graph = StateGraph(RagState)
    graph.add_node("retrieve", nodes.retrieve(c.retrieve))
    graph.add_node("look_closer", look_closer())
    graph.add_node("search_web", nodes.search_web(c.search_web))
    graph.add_node("generate", nodes.generate(c.generate))

    graph.add_edge(START, "retrieve")
    graph.add_edge("retrieve", "look_closer")
    graph.add_conditional_edges("look_closer", after_look, {"something": "generate", "nothing": "search_web"})
    graph.add_edge("search_web", "generate")
    graph.add_edge("generate", END)
    return graph


'''
HEAD, BUILD_AND_END = WEB_ONLY.split("def build(")
END_OF_FILE = "STRATEGY = " + BUILD_AND_END.split("STRATEGY = ")[1]
LOOKS_CLOSER = (
    HEAD
    + OWN_NODE
    + END_OF_FILE.replace("web-only", "looks-closer").replace('("START", "search_web", "generate", "END")', "()")
)
"""A strategy with a node and a conditional edge of its own."""

TESTED = (
    "contract/test_strategies.py",
    "property/test_budgets.py",
    "property/test_forks.py",
    "property/test_whatif.py",
    "runs/test_steps.py",
    "conversation/test_workspace.py",
    "traces/test_replay.py",
    "traces/test_export.py",
    "export/script/test_paths.py",
    "app/test_own_panels.py",
    "app/test_ask_panels.py",
    "app/test_code_panel.py",
    "views/diagram/test_strategies_page.py",
    "views/diagram/test_svg.py",
    "views/diagram/test_layout.py",
    "views/diagram/test_words.py",
)
"""The tests with a case for every strategy."""
FURTHER = (
    "contract/test_strategies.py::test_the_strategies_are_found_in_their_order",
    "samples/test_examples.py::test_each_strategy_of_ours_has_examples",
    "export/script/test_paths.py::test_every_strategy_of_ours_has_a_case_of_its_own",
    "engines/llm/test_faults.py::test_no_key_in_anything_that_is_written",
    "test_readme.py::test_every_strategy_is_listed",
    "cli/test_commands.py::test_strategies_lists_graphs",
)
"""Tests that look at all strategies at once."""

Discover = Callable[..., dict[str, str]]


@pytest.fixture
def discover(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Discover]:
    """Start anew with these files, given by name; returns the problems by name."""

    def forget() -> None:
        strategies._find.cache_clear()
        diagram_settings.families.cache_clear()

    def found(**files: str) -> dict[str, str]:
        for name, text in files.items():
            (tmp_path / f"{name}.py").write_text(text, encoding="utf-8")
        monkeypatch.setenv("RAG_STRATEGIES", str(tmp_path))
        forget()
        return {b.name: b.problem for b in broken_strategies()}

    yield found
    monkeypatch.undo()
    forget()


def load(named: str, taken: tuple[str, ...] = OURS) -> tuple[list[str], list[BrokenStrategy]]:
    """The keys of the strategies that a value of the setting gives, and the broken ones."""
    usable, broken = outside_strategies(Settings().change(strategies=named), taken)
    return [s.key for s in usable], broken


def test_a_file_is_all_that_the_tests_ask_of_a_strategy(tmp_path: Path) -> None:
    (tmp_path / "web_only.py").write_text(WEB_ONLY, encoding="utf-8")
    (tmp_path / "looks_closer.py").write_text(LOOKS_CLOSER, encoding="utf-8")

    files = dict.fromkeys(f"tests/{name.split('::')[0]}" for name in (*TESTED, *FURTHER))
    names = ["web-only", "looks-closer", *(name.split("::")[1] for name in FURTHER)]
    choice = ["-k", " or ".join(names), "-m", "not browser"]
    done = subprocess.run(
        [sys.executable, "-m", "pytest", "-q", "-rA", "-p", "no:cacheprovider", *files, *choice],
        cwd=ROOT,
        env=clean_environment(RAG_STRATEGIES=str(tmp_path)),
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stdout[-6000:]
    passed = re.findall(r"^PASSED (\S+)", done.stdout, re.MULTILINE)
    for key in ("web-only", "looks-closer"):
        assert {name.split("::")[0] for name in passed if key in name} == {f"tests/{file}" for file in TESTED}
    assert {f"tests/{name}" for name in FURTHER} <= set(passed)


def test_every_test_with_a_case_for_each_strategy_is_among_them() -> None:
    """A new one belongs into the list above."""
    each = re.compile(r"parametrize\(\s*\"(key|variant)\", (list\()?(all_strategies\(|KEYS|VARIANTS)")
    files = {path.relative_to(ROOT / "tests").as_posix(): path for path in ROOT.glob("tests/**/test_*.py")}
    assert {name for name, path in files.items() if each.search(path.read_text(encoding="utf-8"))} <= set(TESTED)


BROKEN = {
    "a syntax error": ("STRATEGY = Strategy(\n", "SyntaxError in line 1"),
    "no STRATEGY": ("x = 1\n", "It has no STRATEGY"),
    "another type": ("STRATEGY = {'key': 'web-only'}\n", "is of type dict"),
    "an exception": (f"{WEB_ONLY}\nraise ValueError('/srv/secret')\n", "ValueError in line 38 stopped it"),
    "an exit": (f"{WEB_ONLY}\nraise SystemExit(3)\n", "SystemExit in line 38 stopped it"),
    "a module that is not there": ("import no_such_module_at_all\n", "ModuleNotFoundError in line 1"),
    "a key of ours": (WEB_ONLY.replace("web-only", "crag"), "Its key 'crag' is in use already"),
    "a key with spaces": (WEB_ONLY.replace("web-only", "Web only"), "Its key 'Web only' is not a valid one"),
    "a key that leaves its folder": (WEB_ONLY.replace("web-only", "../x"), "is not a valid one"),
    "a key that is a number": (WEB_ONLY.replace('"web-only"', "5"), "Its key cannot be used"),
    "a key that cannot be one": (WEB_ONLY.replace('"web-only"', "[]"), "Its key cannot be used"),
    "a text for a tuple": (WEB_ONLY.replace('("Needs no library.",)', '"Needs"'), "Its strengths cannot be used"),
    "a field that there is none": (WEB_ONLY.replace("order=50", "colour=50"), "TypeError in line"),
    "a title that is empty": (WEB_ONLY.replace('title="Web only"', 'title=" "', 1), "Its title is empty"),
    "build that is no function": (WEB_ONLY.replace("build=build", "build=5"), "Its build cannot be used"),
    "build that raises": (WEB_ONLY.replace("    return graph", "    return 1 / 0"), "ZeroDivisionError in line 20"),
    "build that exits": (WEB_ONLY.replace("    return graph", "    raise SystemExit"), "SystemExit in line 20"),
    "build that returns nothing": (WEB_ONLY.replace("    return graph", "    pass"), "returned a NoneType"),
    "a compiled graph": (WEB_ONLY.replace("return graph", "return graph.compile()"), "CompiledStateGraph"),
    "another state": (WEB_ONLY.replace("= StateGraph(RagState)", "= StateGraph(dict)"), "another state"),
    "an edge to nowhere": (WEB_ONLY.replace('"search_web", "generate")\n', '"search_web", "judge")\n'), "`judge`"),
    "a loop without an end": (WEB_ONLY.replace('("generate", END)', '("generate", "search_web")'), "leads to END"),
    "side by side": (
        WEB_ONLY.replace("    return graph", '    graph.add_edge("search_web", END)\n    return graph'),
        "must have one edge that leaves it",
    ),
    "no path map": (LOOKS_CLOSER.replace(', {"something": "generate", "nothing": "search_web"}', ""), "path map"),
    "outcomes that are no texts": (LOOKS_CLOSER.replace('{"something":', "{True:"), "path map"),
    "a way that is not there": (
        WEB_ONLY.replace('"START", "search_web", "gen', '"START", "retrieve", "gen'),
        "Its happy_path names an edge from START to retrieve",
    ),
}


@pytest.mark.parametrize("name", BROKEN)
def test_a_broken_strategy_is_named_and_the_others_work(name: str, tmp_path: Path) -> None:
    text, problem = BROKEN[name]
    (tmp_path / "broken.py").write_text(text, encoding="utf-8")
    (tmp_path / "good.py").write_text(LOOKS_CLOSER.replace("looks-closer", "good"), encoding="utf-8")
    usable, broken = load(str(tmp_path))
    assert usable == ["good"]
    assert [b.name for b in broken] == ["broken.py"]
    assert problem in broken[0].problem
    assert str(tmp_path) not in broken[0].problem
    assert "secret" not in broken[0].problem
    assert broken[0].problem.endswith(".")
    assert str(tmp_path / "broken.py") in broken[0].place


def test_files_and_folders_are_named_in_any_mixture(tmp_path: Path) -> None:
    for name in ("one", "two", "three", "_hidden"):
        place = tmp_path / ("folder" if name in ("two", "_hidden") else "")
        place.mkdir(exist_ok=True)
        (place / f"{name}.py").write_text(WEB_ONLY.replace("web-only", name.strip("_")), encoding="utf-8")
    one, three, folder = tmp_path / "one.py", tmp_path / "three.py", tmp_path / "folder"
    assert load(f"{one}, {three} ,{folder},") == (["one", "three", "two"], [])
    assert load(f"{three}{':' if sys.platform != 'win32' else ';'}{one},{one}") == (["three", "one"], [])
    assert load(" ") == ([], [])


@pytest.mark.parametrize(
    ("named", "problem"),
    [
        ("/nowhere/at/all.py", "There is no such file"),
        ("~nobody-of-this-name/x.py", "There is no such file"),
        (f"{'x' * 5000}.py", "There is no such file"),
        (str(README), "It is not a Python file"),
        (str(ROOT / "rag_graphs/samples/web"), "It is not a Python file"),
        ("\0.py", "There is no such file"),
    ],
)
def test_a_path_that_leads_nowhere_is_said_to(named: str, problem: str) -> None:
    usable, broken = load(named)
    assert usable == []
    assert problem in broken[0].problem


def test_an_installed_package_brings_strategies(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    info = tmp_path / "course_strategies-1.0.dist-info"
    info.mkdir()
    (info / "METADATA").write_text("Metadata-Version: 2.1\nName: course-strategies\nVersion: 1.0\n", encoding="utf-8")
    points = (
        "[rag_graphs.strategies]\na = course_a\nb = course_b:OTHER\nc = course_c\nd = course_b:NONE\ne = course_a\n"
    )
    (info / "entry_points.txt").write_text(points, encoding="utf-8")
    (tmp_path / "course_a.py").write_text(WEB_ONLY, encoding="utf-8")
    (tmp_path / "course_b.py").write_text(
        LOOKS_CLOSER.replace("STRATEGY =", "OTHER =").replace("looks-closer", "b"), encoding="utf-8"
    )
    monkeypatch.syspath_prepend(str(tmp_path))

    usable, broken = outside_strategies(Settings(), OURS)
    assert [s.key for s in usable] == ["web-only", "b"]
    assert {b.name: b.problem.split(" stopped")[0] for b in broken} == {
        "c (course-strategies)": "ModuleNotFoundError",
        "d (course-strategies)": "AttributeError",
        "e (course-strategies)": "Its key 'web-only' is in use already. Choose another key.",
    }
    assert "No module named 'course_c'" in broken[0].place
    assert graph_code(usable[0]).startswith("def build(")
    script = script_of(usable[1], Settings(), of_samples(usable[1])).decode()
    assert "def look_closer(" in script
    assert "course_" not in script


class TestInTheApp:
    def test_they_come_after_ours_and_are_run_recorded_and_replayed(self, discover: Discover, tmp_path: Path) -> None:
        assert discover(web_only=WEB_ONLY.replace("order=50", "order=-9"), looks_closer=LOOKS_CLOSER) == {}
        assert list(all_strategies()) == [*OURS, "web-only", "looks-closer"]
        assert list(diagram_settings.families())[-2:] == ["Web RAG", "Naive RAG"]
        trace = Trace(list(run(get_strategy("looks-closer"), "Why?", fake(), Settings())))
        assert trace.path == ["retrieve", "look_closer", "generate"]
        assert len(trace.state.documents) == 2
        store = Store(tmp_path / "data")
        store.begin(trace.head, "visitor-of-the-tests")
        store.append(trace.head.run_id, 0, trace.events)
        assert [trace.to_json()] == [t.to_json() for t in [store.trace(trace.head.run_id)] if t]
        store.close()
        assert known(trace) is trace

    def test_a_run_of_one_that_is_gone_is_said_to_be_none(self, discover: Discover) -> None:
        discover(web_only=WEB_ONLY)
        trace = Trace(list(run(get_strategy("web-only"), "Why?", fake(), Settings())))
        discover(web_only="")
        with pytest.raises(TraceError, match="strategy web-only, which this server does not have"):
            known(trace)

    def test_their_code_can_be_read(self, discover: Discover) -> None:
        discover(looks_closer=LOOKS_CLOSER)
        strategy = get_strategy("looks-closer")
        assert graph_code(strategy).startswith("def build(")
        codes = {c.node: c for c in node_codes(strategy, Settings())}
        assert codes["look_closer"].says == "Keep the first two documents."
        assert codes["look_closer"].code.startswith("def look_closer(")
        assert codes["retrieve"].says
        assert [c.name for c in edge_codes(strategy, Settings())] == ["after_look"]

    def test_settings_with_which_one_cannot_be_built_are_an_error_in_words(self, discover: Discover) -> None:
        picky = WEB_ONLY.replace("    return graph", "    return graph if settings.k < 9 else 1 / 0")
        assert discover(web_only=picky) == {}
        with pytest.raises(SettingsError, match=r"web-only cannot build its graph with these settings"):
            node_codes(get_strategy("web-only"), Settings(k=9))

    def test_the_command_line_names_the_broken_ones(
        self, discover: Discover, capsys: pytest.CaptureFixture[str], tmp_path: Path
    ) -> None:
        discover(web_only=WEB_ONLY, broken="raise OSError('reason')")
        assert main(["strategies"]) == 0
        out, err = capsys.readouterr()
        assert "web-only  Web only  Web RAG" in out
        assert "The strategy broken.py from outside is left out. OSError in line 1 stopped it from loading." in err
        assert f"({tmp_path / 'broken.py'} OSError: reason)" in err
        assert main(["strategies", "--set", "strategies=x.py"]) == 2
        assert "RAG_STRATEGIES" in capsys.readouterr().err

    def test_the_page_names_the_broken_ones_and_shows_the_others(
        self, discover: Discover, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
    ) -> None:
        monkeypatch.setattr(session, "settings", Settings)
        monkeypatch.setattr(session, "source_ids", list)
        discover(looks_closer=LOOKS_CLOSER, broken=f"open({str(tmp_path / 'secret')!r})")
        page = AppTest.from_file(str(ROOT / "pages/inspect/strategies.py"), default_timeout=20)
        page.query_params["strategy"] = "looks-closer"
        page.run()
        assert not page.exception
        said = " ".join([*(m.value for m in page.markdown), *(w.value for w in page.warning)])
        assert "Web RAG" in said
        assert 'role="table"' not in said, "its family has no table"
        assert [w.value.replace("\\", "") for w in page.warning] == [
            "The strategy broken.py from outside is left out. "
            "FileNotFoundError in line 1 stopped it from loading. Correct the code."
        ]
        assert str(tmp_path) not in said


def test_no_visitor_can_name_a_strategy_or_see_where_ours_are() -> None:
    server = Settings().change(strategies="/srv/course/x.py")
    mine = allowance(server, {"strategies": "/tmp/evil.py"}, {}, local=True).settings
    assert mine.strategies == "/srv/course/x.py"
    assert "srv" not in str(server.public())
    assert server.as_recorded({"strategies": "/tmp/evil.py"}).strategies == "/srv/course/x.py"
