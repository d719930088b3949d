"""From some definitions to all that they need, as the text of one file: imports inside the project are taken out, and fields
that nothing reads are left out."""

from __future__ import annotations

import ast
from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass, field
from typing import TypeAlias

from rag_graphs.export.script.folding import Edit, folded_expressions, folded_lines, live
from rag_graphs.export.script.modules import BundleError, Definition, Import, find, module
from rag_graphs.settings import Settings

Place: TypeAlias = tuple[str, str]
"""(module, name)"""


@dataclass
class Bundle:
    """What was taken under these settings: definitions, imports from outside, and the names that the script itself writes
    down (`given`)."""

    settings: Settings
    definitions: dict[Place, Definition] = field(default_factory=dict)
    imports: set[tuple[str, Import]] = field(default_factory=set)
    given: set[str] = field(default_factory=set)

    def nodes(self) -> Iterator[ast.AST]:
        """What the taken definitions are made of."""
        for taken in self.definitions.values():
            yield from live(taken.node, self.settings)

    def attributes_of(self, owner: str) -> set[str]:
        """The attributes that the taken definitions read of a name, however it is written (settings, SETTINGS)."""
        nodes = (n for n in self.nodes() if isinstance(n, ast.Attribute) and isinstance(n.value, ast.Name))
        return {n.attr for n in nodes if isinstance(n.value, ast.Name) and n.value.id.casefold() == owner}

    def texts_of(self, variable: str, function: str) -> set[str]:
        """The texts that the taken definitions give to a variable, or to a function as its first argument."""
        found: list[ast.expr] = []
        for node in self.nodes():
            if (
                isinstance(node, ast.Assign)
                and isinstance(node.targets[0], ast.Name)
                and node.targets[0].id == variable
            ):
                found.append(node.value)
            elif isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == function:
                found += node.args[:1]
        nodes = (n for e in found for n in live(e, self.settings))
        return {n.value for n in nodes if isinstance(n, ast.Constant) and isinstance(n.value, str)}


def gather(
    roots: Collection[Place], given: Collection[Place], kept: Mapping[Place, Collection[str]], settings: Settings
) -> Bundle:
    """Everything that the roots need under these settings. `given`: written down by the script itself. `kept`: of these classes
    only these fields are taken. Raises BundleError where two definitions have one name."""
    bundle, names = Bundle(settings), dict[str, Place]()
    left = [find_definition(*root) for root in roots]
    while left:
        found = left.pop()
        place = (found.home.name, found.name)
        if place in bundle.definitions:
            continue
        if found.declared or place in given:
            bundle.given.add(found.name)
            continue
        if names.setdefault(found.name, place) != place:
            raise BundleError(f"{found.name} is defined in {place[0]} and in {names[found.name][0]}: rename one.")
        bundle.definitions[place] = found
        for name, needed in _needs(found, kept.get(place), settings):
            if isinstance(needed, Import):
                bundle.imports.add((needed.name or name, needed))
            else:
                left.append(needed)
    return bundle


def find_definition(module_name: str, name: str) -> Definition:
    """A definition of the project. Raises BundleError where the name stands for something else."""
    found = find(module_name, name)
    if isinstance(found, Import):
        raise BundleError(f"{module_name}.{name} comes from elsewhere.")
    return found


def text_of(taken: Definition, settings: Settings, kept: Collection[str] | None = None) -> str:
    """The definition as it stands in its file, without the names of the project's modules, without the branches that these
    settings never take and without the fields that are not `kept`."""
    lines = list(taken.home.lines)
    gone, left = folded_lines(taken.node, settings)
    choices = list(folded_expressions(taken.node, lines, settings))
    names = [e for e in _edits(taken) if not any(c[0] == e[0] and c[1] <= e[1] < c[2] for c in choices)]
    for row, begin, end, new in sorted([*choices, *names], reverse=True):
        lines[row] = lines[row][:begin] + new + lines[row][end:]
    dropped = gone | {
        row
        for name, (first, last) in taken.fields.items()
        if kept is not None and name not in kept
        for row in range(first, last + 1)
    }
    rows = (row for row in range(taken.first, taken.last + 1) if row not in dropped)
    return b"".join(lines[row - 1].removeprefix(b"    " if row in left else b"") for row in rows).decode()


def _needs(
    taken: Definition, kept: Collection[str] | None, settings: Settings
) -> Iterator[tuple[str, Definition | Import]]:
    """The definitions and imports that a definition reads, each with the name that it has there."""
    home = taken.home
    for node in _nodes(taken, kept, settings):
        if isinstance(node, ast.Import | ast.ImportFrom):
            raise BundleError(f"{home.name}.{taken.name} imports inside: import at the top.")
        if isinstance(node, ast.Attribute) and (owner := _module_of(home.name, node)):
            yield node.attr, find_definition(owner, node.attr)
        elif isinstance(node, ast.Name) and node.id != taken.name:
            if node.id in home.definitions:
                yield node.id, home.definitions[node.id]
            elif node.id in home.imports and not home.imports[node.id].whole:
                yield node.id, find(home.name, node.id)


def _nodes(taken: Definition, kept: Collection[str] | None, settings: Settings) -> Iterator[ast.AST]:
    if not isinstance(taken.node, ast.ClassDef) or kept is None:
        yield from live(taken.node, settings)
        return
    parts: list[ast.AST] = [*taken.node.decorator_list, *taken.node.bases]
    for statement in taken.node.body:
        target = statement.target if isinstance(statement, ast.AnnAssign) else None
        if not isinstance(target, ast.Name) or target.id in kept:
            parts.append(statement)
    for part in parts:
        yield from live(part, settings)


def _edits(taken: Definition) -> Iterator[Edit]:
    """For each name that is written otherwise in one file."""
    home = taken.home
    bound = {n.id for n in ast.walk(taken.node) if isinstance(n, ast.Name) and isinstance(n.ctx, ast.Store)}
    bound |= {n.arg for n in ast.walk(taken.node) if isinstance(n, ast.arg)}
    for node in ast.walk(taken.node):
        if isinstance(node, ast.Attribute) and _module_of(home.name, node):
            if node.attr in bound:
                raise BundleError(
                    f"{home.name}.{taken.name} has a variable {node.attr}, which would hide the function."
                )
            end = node.end_col_offset or 0
            yield node.lineno - 1, node.col_offset, end - len(node.attr.encode()), b""
        elif isinstance(node, ast.Name) and (found := home.imports.get(node.id)) and found.renamed_from(node.id):
            yield node.lineno - 1, node.col_offset, node.end_col_offset or 0, found.name.encode()


def _module_of(home: str, node: ast.Attribute) -> str:
    """The project's module that an attribute is read of, "" where it is none."""
    found = module(home).imports.get(node.value.id) if isinstance(node.value, ast.Name) else None
    return found.whole if found else ""
