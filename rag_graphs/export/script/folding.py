"""What the visitor's settings decide once and for all: of `if settings.gate == "off"` a script keeps only the branch that it
takes, so that it shows the graph that the visitor saw."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from rag_graphs.settings import Settings

Edit = tuple[int, int, int, bytes]
"""(line from 0, from, to, text in its place)"""


def live(root: ast.AST, settings: Settings) -> Iterator[ast.AST]:
    """All nodes below `root`, in no particular order, that are not in a branch which these settings never take, nor in a test
    that they decide."""
    left = [root]
    while left:
        node = left.pop()
        taken = _taken(node, settings)
        if taken is not None:
            left += taken
            continue
        yield node
        left += ast.iter_child_nodes(node)


def folded_lines(root: ast.AST, settings: Settings) -> tuple[set[int], set[int]]:
    """Of decided `if` statements: the lines (from 1) that go, and those that move to the left."""
    gone, left = set[int](), set[int]()
    for node in ast.walk(root):
        if not isinstance(node, ast.If) or (taken := _taken(node, settings)) is None:
            continue
        kept = {row for s in taken for row in range(s.lineno, (s.end_lineno or s.lineno) + 1)}
        gone |= set(range(node.lineno, (node.end_lineno or node.lineno) + 1)) - kept
        left |= kept
    return gone, left


def folded_expressions(root: ast.AST, source: list[bytes], settings: Settings) -> Iterator[Edit]:
    """Of decided `a if … else b` on one line: the one that is taken, in place of both."""
    for node in ast.walk(root):
        if isinstance(node, ast.IfExp) and node.lineno == node.end_lineno and (taken := _taken(node, settings)):
            text = source[node.lineno - 1][taken[0].col_offset : taken[0].end_col_offset]
            yield node.lineno - 1, node.col_offset, node.end_col_offset or 0, text


def _taken(node: ast.AST, settings: Settings) -> list[ast.stmt] | list[ast.expr] | None:
    """The branch of an `if` that the settings decide; None where they do not."""
    if not isinstance(node, ast.If | ast.IfExp):
        return None
    true = _decided(node.test, settings)
    if true is None:
        return None
    if isinstance(node, ast.IfExp):
        return [node.body if true else node.orelse]
    return node.body if true else node.orelse


def _decided(test: ast.expr, settings: Settings) -> bool | None:
    """Whether `settings.name == "text"` (or !=) is true; None for any other test."""
    if not isinstance(test, ast.Compare) or len(test.ops) != 1:
        return None
    owner, (operator,), (value,) = test.left, test.ops, test.comparators
    if not isinstance(owner, ast.Attribute) or not isinstance(owner.value, ast.Name):
        return None
    if owner.value.id.casefold() != "settings" or not isinstance(value, ast.Constant):
        return None
    same = bool(getattr(settings, owner.attr) == value.value)
    return same if isinstance(operator, ast.Eq) else not same if isinstance(operator, ast.NotEq) else None
