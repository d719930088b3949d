"""Write a graph as DOT, with the `graphviz` package.

A label is a node of its own on its edge: dot then keeps labels clear of boxes, of lines and of one another, and the line
stops for them. No label holds text, so that no font is looked for and every machine computes the same positions.
"""

from __future__ import annotations

import graphviz

from rag_graphs.views.diagram.drawing import Node, Variant
from rag_graphs.views.diagram.geometry import Box
from rag_graphs.views.diagram.plan import Link, Shape
from rag_graphs.views.diagram.ways import Style


def write(shape: Shape, style: Style, variant: Variant, nodes: list[Node], plan: list[tuple[Link, Box | None]]) -> str:
    """Return the DOT text. Nodes are n0, n1, …; the label of an edge is l0, l1, …. The `comment` of an edge is its number
    and a letter: a before the label, b after it."""
    graph = graphviz.Digraph(
        graph_attr={
            "rankdir": "LR" if style.across else "TB",
            "nodesep": str(style.apart / 72),
            "ranksep": str(style.ranks / 72),
        },
        node_attr={"fixedsize": "true", "label": "", "shape": "box"},
    )
    number = {node.name: f"n{i}" for i, node in enumerate(nodes)}
    happy = set(zip(shape.happy_path, shape.happy_path[1:], strict=False))
    order = [nodes[0], *reversed(nodes[1:-1]), nodes[-1]] if variant.reverse else nodes
    for node in order:
        shape_ = {} if node.lines else {"shape": "circle"}
        graph.node(number[node.name], **_size(node.box), **shape_, **_main(node.name in shape.happy_path))
    for pair in variant.beside:
        _level(graph, [number[name] for name in pair])
    for i, (link, label) in list(enumerate(plan))[:: -1 if variant.reverse else 1]:
        main = (link.source, link.target) in happy
        _edge(graph, f"{i}", link, label, number, main, style.across, variant)
    return str(graph.source)


def _size(box: Box) -> dict[str, str]:
    return {"width": str(box.width / 72), "height": str(box.height / 72)}


def _main(yes: bool) -> dict[str, str]:
    """Put the nodes of the happy path into one group, because dot keeps a group on a straight line."""
    return {"group": "main"} if yes else {}


def _level(graph: graphviz.Digraph, names: list[str]) -> None:
    with graph.subgraph() as rank:
        rank.attr(rank="same")
        for name in names:
            rank.node(name)


def _edge(
    graph: graphviz.Digraph,
    key: str,
    link: Link,
    label: Box | None,
    number: dict[str, str],
    main: bool,
    across: bool,
    variant: Variant,
) -> None:
    """Write one edge, in two halves around its label. What leads back is written forwards, with the arrow at its start."""
    turned = _turned(link, variant)
    ends = (number[link.target], number[link.source]) if turned else (number[link.source], number[link.target])
    common = {"weight": "20" if main else "1", "arrowhead": "none", "arrowtail": "none", "dir": "both"}
    arrow = {"arrowtail" if turned else "arrowhead": "normal"}
    if label is None:
        graph.edge(*ends, comment=f"{key}b", **(common | arrow))
        return
    graph.node(f"l{key}", **_size(label), **_main(main))
    enter, leave = ("n", "s") if across == link.level else ("w", "e")
    first, second = ("b", "a") if turned else ("a", "b")
    here, there = (arrow, {}) if turned else ({}, arrow)
    graph.edge(ends[0], f"l{key}:{enter}", comment=f"{key}{first}", **(common | here))
    graph.edge(f"l{key}:{leave}", ends[1], comment=f"{key}{second}", **(common | there))
    if link.level:
        _level(graph, [ends[0], f"l{key}", ends[1]])


def _turned(link: Link, variant: Variant) -> bool:
    if not link.level:
        return link.back
    pair = (link.source, link.target)
    if pair in variant.beside:
        return pair in variant.flipped
    return pair[::-1] in variant.beside and pair[::-1] not in variant.flipped
