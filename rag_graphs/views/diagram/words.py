"""Find the words on and about a drawing: what each node is for or what came of it, and the path in a sentence."""

from __future__ import annotations

from rag_graphs.graphs.strategy import END, Strategy
from rag_graphs.settings import Settings
from rag_graphs.views.diagram.marking import Marks
from rag_graphs.views.node_words import node_name, node_words
from rag_graphs.views.translation import _


def subline(node: str, marks: Marks, strategy: Strategy, settings: Settings) -> str:
    """Return the second line of a node's box: what it is for, and from its first visit on what came of the last one."""
    words, run = node_words(node, strategy, settings), marks.runs.get(node)
    return (words.result(run) if run else "") or words.purpose


def describe(strategy: Strategy, marks: Marks) -> str:
    """Put the drawing into words, for those who do not see it: the path so far and what runs now."""
    if not marks.begun:
        return _("Graph of {title}. Nothing has run yet.").format(title=strategy.title)
    steps = []
    for edge in marks.edges:
        outcome = f"{_(edge.outcome)}: " if edge.outcome else ""
        steps.append(outcome + (_("end") if edge.target == END else node_name(edge.target)))
    path = ", ".join(steps) or _("nothing yet")
    now = _("Now running: {node}.").format(node=node_name(marks.active)) if marks.active else ""
    if marks.next:
        now = _("Waiting before: {node}.").format(node=node_name(marks.next))
    if marks.halted:
        now = _("Broke off in: {node}.").format(node=node_name(marks.halted))
    return f"{_('Graph of {title}. Path so far: {path}.').format(title=strategy.title, path=path)} {now}".strip()
