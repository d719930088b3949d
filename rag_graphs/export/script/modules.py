"""The project's own source, read as text: which module defines what, and what each definition reads."""

from __future__ import annotations

import ast
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache, cached_property
from pathlib import Path

from rag_graphs.errors import RagGraphsError

PACKAGE = "rag_graphs"
ROOT = Path(__file__).resolve().parents[2]


class BundleError(RagGraphsError):
    """A source has something that the bundler cannot carry over. For a strategy of the project a bug: the tests bundle each."""


@dataclass(frozen=True)
class Import:
    """What a module's name stands for: `name` of `module`, or the module itself where `name` is empty."""

    module: str
    name: str

    @property
    def ours(self) -> bool:
        return self.module.split(".")[0] == PACKAGE

    def renamed_from(self, here: str) -> bool:
        """Is it called otherwise where it is imported?"""
        return bool(self.name) and not self.whole and self.name != here

    @property
    def whole(self) -> str:
        """The project's module that the name stands for, "" where it stands for something else."""
        full = f"{self.module}.{self.name}" if self.name else self.module
        return full if self.ours and _path(full) else ""


@dataclass(frozen=True, eq=False)
class Definition:
    """A function, class or value at the top of a module: the lines from `first` to `last`, with the comment above it, its
    decorators, and the docstring below it. `declared`: it has a type but no value."""

    home: Module
    name: str
    node: ast.stmt
    first: int
    last: int

    @property
    def declared(self) -> bool:
        return isinstance(self.node, ast.AnnAssign) and self.node.value is None

    @property
    def fields(self) -> dict[str, tuple[int, int]]:
        """The annotated fields of a class, each with its lines, the docstring below it included."""
        body = self.node.body if isinstance(self.node, ast.ClassDef) else []
        found = [(i, s) for i, s in enumerate(body) if isinstance(s, ast.AnnAssign) and isinstance(s.target, ast.Name)]
        return {s.target.id: (s.lineno, _end(body, i)) for i, s in found if isinstance(s.target, ast.Name)}


@dataclass(frozen=True, eq=False)
class Module:
    """A module of the project. `lines` are bytes: the positions that `ast` tells count bytes."""

    name: str
    source: str

    @cached_property
    def lines(self) -> list[bytes]:
        return self.source.encode().splitlines(keepends=True)

    @cached_property
    def tree(self) -> ast.Module:
        return ast.parse(self.source)

    @cached_property
    def imports(self) -> dict[str, Import]:
        """What its names that come from elsewhere stand for; those for type checkers only included."""
        return dict(_imports(self.tree.body))

    @cached_property
    def definitions(self) -> dict[str, Definition]:
        found: dict[str, Definition] = {}
        for i, statement in enumerate(self.tree.body):
            for name in _defined(statement):
                first = min([statement.lineno, *(d.lineno for d in getattr(statement, "decorator_list", []))])
                while first > 1 and self.lines[first - 2].startswith(b"#"):
                    first -= 1
                found[name] = Definition(self, name, statement, first, _end(self.tree.body, i))
        return found


@cache
def module(name: str) -> Module:
    """A module of the project, or that of a strategy from outside, by its name. Raises BundleError where there is none."""
    path = _path(name)
    if path is None:
        raise BundleError(f"There is no module {name}.")
    return Module(name, path.read_text(encoding="utf-8"))


def _path(name: str) -> Path | None:
    if name.split(".", maxsplit=1)[0] != PACKAGE:
        file = getattr(sys.modules.get(name), "__file__", None)
        return Path(file) if file else None
    place = ROOT.joinpath(*name.split(".")[1:])
    return next((p for p in (place.with_suffix(".py"), place / "__init__.py") if p.is_file()), None)


def find(module_name: str, name: str) -> Definition | Import:
    """The definition that a name of a module stands for, through however many re-exports; an Import where it comes from
    outside of the project or is a module. Raises BundleError where nothing has that name."""
    home = module(module_name)
    if name in home.definitions:
        return home.definitions[name]
    found = home.imports.get(name)
    if found is None:
        raise BundleError(f"{module_name} has no {name}.")
    if not found.ours or found.whole:
        return found
    return find(found.module, found.name)


def _imports(body: list[ast.stmt]) -> Iterator[tuple[str, Import]]:
    for statement in body:
        if isinstance(statement, ast.Import):
            yield from ((a.asname or a.name.split(".")[0], Import(a.name, "")) for a in statement.names)
        elif isinstance(statement, ast.ImportFrom) and statement.module != "__future__":
            yield from ((a.asname or a.name, Import(statement.module or "", a.name)) for a in statement.names)
        elif isinstance(statement, ast.If) and ast.unparse(statement.test) == "TYPE_CHECKING":
            yield from _imports(statement.body)


def _defined(statement: ast.stmt) -> Iterator[str]:
    if isinstance(statement, ast.FunctionDef | ast.ClassDef):
        yield statement.name
    targets = statement.targets if isinstance(statement, ast.Assign) else [getattr(statement, "target", None)]
    for target in targets:
        for part in target.elts if isinstance(target, ast.Tuple) else [target]:
            if isinstance(part, ast.Name):
                yield part.id


def _end(body: list[ast.stmt], index: int) -> int:
    """The last line of a statement, with the text that explains it below."""
    statement = body[index]
    below = body[index + 1] if index + 1 < len(body) else None
    explained = isinstance(below, ast.Expr) and isinstance(below.value, ast.Constant)
    is_value = isinstance(statement, ast.Assign | ast.AnnAssign)
    return (below if is_value and explained and below else statement).end_lineno or statement.lineno
