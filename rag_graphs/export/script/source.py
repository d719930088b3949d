"""Find the definitions that a script is made of: read as text from the files in which they stand, and copied whole."""

from __future__ import annotations

import ast
import inspect
import re
import sys
from collections.abc import Callable, Collection, Iterator, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from importlib.util import find_spec, resolve_name
from pathlib import Path
from textwrap import wrap
from typing import Any, TypeAlias

from rag_graphs.errors import RagGraphsError

PACKAGE = "rag_graphs"
ALLOWED = {*sys.stdlib_module_names, "langgraph", "langchain_openai", "langchain_core", "openai"}
"""What a script may import: langgraph, langchain-openai and what these bring along."""
MARKS = re.compile(rb"\s*# (?:type: ignore|fmt: skip|noqa).*")
"""Comments for the project's own tools."""
WIDTH = 118
Place: TypeAlias = tuple[str, str]
"""(module, name)"""


class ScriptError(RagGraphsError):
    """Say why a strategy cannot be written as one script."""


@dataclass(frozen=True)
class Import:
    """Describe what a name stands for: `name` of `module`, or the module itself where `name` is empty."""

    module: str
    name: str


@dataclass(frozen=True, eq=False)
class Definition:
    """Describe a function, class or value at the top of a module, from line `first` to line `last`."""

    home: Module
    name: str
    node: ast.stmt
    first: int
    last: int

    @property
    def place(self) -> Place:
        """Return its module and its name."""
        return self.home.name, self.name

    @property
    def is_declared(self) -> bool:
        """Has it a type but no value? Then the exporter writes it."""
        return isinstance(self.node, ast.AnnAssign) and self.node.value is None

    @property
    def fields(self) -> dict[str, ast.AnnAssign]:
        """Return the annotated fields of a class."""
        body = self.node.body if isinstance(self.node, ast.ClassDef) else []
        return {ast.unparse(s.target): s for s in body if isinstance(s, ast.AnnAssign)}

    def nodes(self, kept: Collection[str] | None = None) -> Iterator[ast.AST]:
        """Return the syntax nodes of the definition. `kept`: of a class only these fields count."""
        dropped = set(self.fields.values()) if kept is not None else set()
        dropped = {statement for statement in dropped if ast.unparse(statement.target) not in (kept or ())}
        waiting: list[ast.AST] = [self.node]
        while waiting:
            node = waiting.pop()
            yield node
            waiting += [child for child in ast.iter_child_nodes(node) if child not in dropped]


@dataclass(frozen=True, eq=False)
class Module:
    """Hold a file of source code. `lines` are bytes, because `ast` counts columns in bytes."""

    name: str
    text: str

    @cached_property
    def lines(self) -> list[bytes]:
        return self.text.encode().splitlines(keepends=True)

    @cached_property
    def tree(self) -> ast.Module:
        return ast.parse(self.text)

    @cached_property
    def imports(self) -> dict[str, Import]:
        """Return what its imported names stand for, those for type checkers included."""
        return dict(_imports(self.name, self.tree.body))

    @cached_property
    def definitions(self) -> dict[str, Definition]:
        body, definitions = self.tree.body, dict[str, Definition]()
        for statement in body:
            first = min([statement.lineno, *(d.lineno for d in getattr(statement, "decorator_list", []))])
            while first > 1 and self.lines[first - 2].startswith(b"#"):
                first -= 1
            for name in _names(statement):
                definitions[name] = Definition(self, name, statement, first, statement.end_lineno or first)
        return definitions


@dataclass
class Sources:
    """Hold the modules read so far. `own`: the top package of the strategy, which is copied like the project's own."""

    own: str
    modules: dict[str, Module] = field(default_factory=dict)
    instead: dict[Place, Place] = field(default_factory=dict)
    """Definitions that others take the place of."""

    @classmethod
    def of(cls, build: Callable[..., Any], title: str) -> Sources:
        """Begin with the file of the function that builds a graph. Raises ScriptError where it cannot be read."""
        name, function = getattr(build, "__module__", ""), getattr(build, "__name__", "")
        try:
            text = Path(inspect.getsourcefile(build) or "").read_text(encoding="utf-8")
        except (OSError, TypeError, UnicodeDecodeError):
            raise ScriptError(f"“{title}” cannot be written as a script: its source code cannot be read.") from None
        module = Module(name, text)
        if function not in module.definitions:
            raise ScriptError(
                f"“{title}” cannot be written as a script: its graph is not built by a function at the top of its file."
            )
        return cls(name.split(".")[0], {name: module})

    def module(self, name: str) -> Module | None:
        """Return a module of the project or of the strategy's package; None for any other name. Nothing is imported."""
        if name not in self.modules:
            top, *below = name.split(".")
            spec = find_spec(top) if top in (PACKAGE, self.own) else None
            roots = (spec.submodule_search_locations or []) if spec else []
            places = [Path(root, *below) for root in roots]
            files = [f for p in places for f in (p / "__init__.pyi", p / "__init__.py", p.with_suffix(".py"))]
            file = next((f for f in files if f.is_file()), None)
            if file is None:
                return None
            self.modules[name] = Module(name, file.read_text(encoding="utf-8"))
        return self.modules[name]

    def find(self, module_name: str, name: str) -> Definition | Import:
        """Return the definition behind a name of a module, through any re-exports; an Import where it comes from elsewhere."""
        module = self.module(module_name)
        if module is None:
            return Import(module_name, name)
        if (other := self.instead.get((module_name, name))) is not None:
            return self.find(*other)
        if name in module.definitions:
            return module.definitions[name]
        if name in module.imports:
            target = module.imports[name]
            whole = f"{target.module}.{target.name}" if target.name else target.module
            return Import(whole, "") if self.module(whole) else self.find(target.module, target.name)
        raise ScriptError(f"{module_name} defines no {name}.")

    def replaced(self, taken: Definition) -> Definition:
        """Return the definition that this one takes the place of, itself where it takes no other's."""
        place = next((old for old, new in self.instead.items() if new == taken.place), taken.place)
        return self.modules[place[0]].definitions[place[1]]

    def definition(self, module_name: str, name: str) -> Definition:
        """Return a definition that is known to exist."""
        definition = self.find(module_name, name)
        if isinstance(definition, Import):
            raise ScriptError(f"{module_name}.{name} comes from {definition.module}.")
        return definition

    def needs(self, taken: Definition, kept: Collection[str] | None) -> Iterator[tuple[str, Definition | Import]]:
        """Return what a definition refers to, by its name there: other definitions, and imports from elsewhere."""
        home = taken.home
        for node in taken.nodes(kept):
            if isinstance(node, ast.Import | ast.ImportFrom):
                raise ScriptError(f"{home.name}.{taken.name} imports inside a function: import at the top of the file.")
            if isinstance(node, ast.Attribute) and (owner := self._owner(home, node)):
                yield node.attr, self.find(owner, node.attr)
            elif not isinstance(node, ast.Name) or node.id == taken.name or self._is_module(home, node.id):
                continue
            elif node.id in home.definitions or node.id in home.imports:
                yield node.id, self.find(home.name, node.id)

    def text(self, taken: Definition, kept: Collection[str] | None) -> str:
        """Return a definition as it stands in its file, with short docstrings, and names written as one file needs them."""
        lines = list(taken.home.lines)
        for row, begin, end, new in sorted(self._edits(taken), reverse=True):
            lines[row] = lines[row][:begin] + new + lines[row][end:]
        for first, last, docstring in sorted(_docstrings(taken), reverse=True):
            lines[first - 1] = docstring.encode()
            lines[first:last] = [b""] * (last - first)
        for name, statement in taken.fields.items():
            if kept is not None and name not in kept:
                last = statement.end_lineno or statement.lineno
                lines[statement.lineno - 1 : last] = [b""] * (last - statement.lineno + 1)
        texts = [n for n in taken.nodes() if isinstance(n, ast.Constant | ast.JoinedStr)]
        whole = {row for n in texts for row in range(n.lineno, n.end_lineno or n.lineno)}  # rows that end inside a text
        numbered = enumerate(lines[taken.first - 1 : taken.last], taken.first)
        blank = isinstance(taken.node, ast.FunctionDef) and _builds_graph(taken.node)  # there blank lines make groups
        rows = (MARKS.sub(b"", line) for row, line in numbered if blank or line.strip() or row in whole)
        return b"".join(rows).decode()

    def _edits(self, taken: Definition) -> Iterator[tuple[int, int, int, bytes]]:
        """Find each name that is written otherwise in one file: (row, from, to, new text)."""
        home = taken.home
        stored = {n.id for n in taken.nodes() if isinstance(n, ast.Name) and isinstance(n.ctx, ast.Store)}
        for node in taken.nodes():
            end = getattr(node, "end_col_offset", 0) or 0
            if isinstance(node, ast.Attribute) and self._owner(home, node):
                if node.attr in stored:
                    raise ScriptError(f"{home.name}.{taken.name} has a variable of the function's name {node.attr}.")
                yield node.lineno - 1, node.col_offset, end - len(node.attr.encode()), b""
            elif isinstance(node, ast.Name) and node.id in home.imports:
                found = self.find(home.name, node.id)
                if isinstance(found, Definition) and found.name != node.id:
                    yield node.lineno - 1, node.col_offset, end, found.name.encode()

    def _owner(self, home: Module, node: ast.Attribute) -> str:
        """Return the module to be copied that an attribute is read of, "" where it is none."""
        if isinstance(node.value, ast.Name) and self._is_module(home, node.value.id):
            found = self.find(home.name, node.value.id)
            return found.module if isinstance(found, Import) else ""
        return ""

    def _is_module(self, home: Module, name: str) -> bool:
        found = self.find(home.name, name) if name in home.imports else None
        return isinstance(found, Import) and not found.name and self.module(found.module) is not None


@dataclass
class Copied:
    """Hold what a script copies: definitions by name, imports from elsewhere as (module, name, name here), and the names
    that the exporter has to write."""

    definitions: dict[str, Definition] = field(default_factory=dict)
    imports: set[tuple[str, str, str]] = field(default_factory=set)
    written: set[str] = field(default_factory=set)


def gather(
    sources: Sources,
    roots: Collection[Definition],
    *,
    written: Collection[Place] = (),
    kept: Mapping[Place, Collection[str]] | None = None,
) -> Copied:
    """Return the roots and everything that they need. `written`: the exporter writes these itself. `kept`: of these classes
    only these fields are copied. Raises ScriptError for what one file cannot hold."""
    copied, waiting = Copied(), list(roots)
    while waiting:
        taken = waiting.pop()
        if taken.is_declared or taken.place in written:
            copied.written.add(taken.name)
            continue
        known = copied.definitions.setdefault(taken.name, taken)
        if known is not taken:
            if known.place != taken.place:
                raise ScriptError(f"{taken.name} is defined in {taken.home.name} and in {known.home.name}: rename one.")
            continue
        for here, needed in sources.needs(taken, (kept or {}).get(taken.place)):
            if isinstance(needed, Definition):
                if copied.definitions.get(needed.name) is not needed:
                    waiting.append(needed)
            elif needed.module.split(".")[0] not in ALLOWED:
                raise ScriptError(
                    f"{taken.home.name} uses {needed.module}, which a script does not have: "
                    "it runs with langgraph and langchain-openai alone."
                )
            else:
                copied.imports.add((needed.module, needed.name, here))
    return copied


def _imports(home: str, body: list[ast.stmt]) -> Iterator[tuple[str, Import]]:
    for statement in body:
        if isinstance(statement, ast.Import):
            yield from ((a.asname or a.name.split(".")[0], Import(a.name, "")) for a in statement.names)
        elif isinstance(statement, ast.ImportFrom) and statement.module != "__future__":
            module = "." * statement.level + (statement.module or "")
            package = home if home == PACKAGE else home.rpartition(".")[0]
            module = resolve_name(module, package) if statement.level and package else module
            yield from ((a.asname or a.name, Import(module, a.name)) for a in statement.names)
        elif isinstance(statement, ast.If) and ast.unparse(statement.test) == "TYPE_CHECKING":
            yield from _imports(home, statement.body)


def _names(statement: ast.stmt) -> Iterator[str]:
    """Return the names that a statement defines."""
    if isinstance(statement, ast.FunctionDef | ast.ClassDef):
        yield statement.name
    targets = statement.targets if isinstance(statement, ast.Assign) else [getattr(statement, "target", None)]
    for target in targets:
        for part in target.elts if isinstance(target, ast.Tuple) else [target]:
            if isinstance(part, ast.Name):
                yield part.id


def _text_of(statement: ast.stmt | None) -> str | None:
    """Return the text of a statement that is a text alone, None for any other."""
    if isinstance(statement, ast.Expr) and isinstance(statement.value, ast.Constant):
        return statement.value.value if isinstance(statement.value.value, str) else None
    return None


def _builds_graph(function: ast.FunctionDef) -> bool:
    return any(isinstance(n, ast.Attribute) and n.attr == "add_node" for n in ast.walk(function))


def _docstrings(taken: Definition) -> Iterator[tuple[int, int, str]]:
    """Return each docstring's lines and its first sentence, which takes their place."""
    for node in ast.walk(taken.home.tree):
        body = getattr(node, "body", [])
        for statement in body if isinstance(body, list) else []:
            if (text := _text_of(statement)) and "\\" not in text and taken.first <= statement.lineno <= taken.last:
                indent = " " * statement.col_offset
                lines = wrap(f'"""{first_sentence(text)}"""', WIDTH - len(indent))
                yield (
                    statement.lineno,
                    statement.end_lineno or statement.lineno,
                    f"\n{indent}".join(["", *lines])[1:] + "\n",
                )


def first_sentence(text: str) -> str:
    """Return the first sentence of a docstring."""
    return re.split(r"(?<=[.?]) (?=[A-Z`(])", " ".join(text.split()))[0]
