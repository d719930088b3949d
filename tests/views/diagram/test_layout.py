"""Positions: nothing overlaps, nothing leaves the drawing, nothing is too small to read, and it is the same every time."""

import subprocess
import sys
from collections.abc import Sequence
from itertools import combinations
from typing import get_args

import pytest

from rag_graphs.graphs.strategies import all_strategies
from rag_graphs.settings import Settings
from rag_graphs.views.diagram import NARROWEST, both_ways, draw
from rag_graphs.views.diagram.choice import layout
from rag_graphs.views.diagram.drawing import Layout, badge
from rag_graphs.views.diagram.geometry import Box, Point, crossings, flatten
from rag_graphs.views.diagram.ways import Way
from tests.views.diagram.graphs import ALL, OTHERS, STRATEGIES, WITH_SETTINGS

WAYS: tuple[Way, ...] = get_args(Way)
EVERY = [(name, way) for name in ALL for way in WAYS]


@pytest.fixture(scope="module")
def layouts() -> dict[str, Layout]:
    """Every graph, drawn in every way, by a name to find it by."""
    return {f"{name}-{way}": layout(ALL[name], way) for name, way in EVERY}


def labels(one: Layout) -> list[Box]:
    return [edge.label for edge in one.edges if edge.label]


def boxes(one: Layout) -> list[Box]:
    return [*(node.box for node in one.nodes), *labels(one)]


def touches(box: Box, point: Point) -> bool:
    """On its border or next to it."""
    return abs(point[0] - box.x) < box.width / 2 + 3 and abs(point[1] - box.y) < box.height / 2 + 3


def listed(breaches: Sequence[object]) -> str:
    return "\n".join(map(str, breaches))


def inside(box: Box, point: Point) -> bool:
    """Well inside: a line may touch the box that it starts from."""
    return abs(point[0] - box.x) < box.width / 2 - 2 and abs(point[1] - box.y) < box.height / 2 - 2


class TestRoom:
    """One test a rule, over all layouts; each lists every breach."""

    def test_boxes_and_labels_stay_clear_of_one_another(self, layouts: dict[str, Layout]) -> None:
        breaches = [
            (name, one, other)
            for name, placed in layouts.items()
            for one, other in combinations(boxes(placed), 2)
            if one.overlaps(other)
        ]
        assert not breaches, listed(breaches)

    def test_no_line_runs_through_a_box_or_a_label(self, layouts: dict[str, Layout]) -> None:
        breaches = [
            (name, edge.link, point)
            for name, placed in layouts.items()
            for edge in placed.edges
            for curve in edge.curves
            for point in flatten(curve, 12)
            if any(inside(box, point) for box in boxes(placed))
        ]
        assert not breaches, listed(breaches)

    def test_everything_lies_within_the_drawing(self, layouts: dict[str, Layout]) -> None:
        outside: list[object] = []
        for name, placed in layouts.items():
            for box in boxes(placed):
                if box.left < 0 or box.top < 0 or box.right > placed.width or box.bottom > placed.height:
                    outside.append((name, box))
            for edge in placed.edges:
                for x, y in [edge.tip, *(p for curve in edge.curves for p in flatten(curve))]:
                    if not (0 <= x <= placed.width and 0 <= y <= placed.height):
                        outside.append((name, edge.link, x, y))
        assert not outside, listed(outside)

    def test_every_edge_that_has_something_to_say_has_its_label(self, layouts: dict[str, Layout]) -> None:
        breaches = [
            (name, edge.link)
            for name, placed in layouts.items()
            for edge in placed.edges
            if (edge.label is not None) != bool(placed.style.label and edge.link.lines("0/1"))
        ]
        assert not breaches, listed(breaches)

    def test_every_arrow_ends_at_its_target(self, layouts: dict[str, Layout]) -> None:
        breaches = []
        for name, placed in layouts.items():
            targets = {node.name: node.box for node in placed.nodes}
            for edge in placed.edges:
                target = targets[edge.link.target]
                across, down = abs(edge.tip[0] - target.x), abs(edge.tip[1] - target.y)
                if across > target.width / 2 + 3 or down > target.height / 2 + 3:
                    breaches.append((name, edge.link, edge.tip))
        assert not breaches, listed(breaches)

    def test_every_line_begins_at_its_source_and_stops_on_both_sides_of_its_label(
        self, layouts: dict[str, Layout]
    ) -> None:
        breaches: list[object] = []
        for name, placed in layouts.items():
            sources = {node.name: node.box for node in placed.nodes}
            for edge in placed.edges:
                ends = [end for curve in edge.curves for end in (curve[0], curve[-1])]
                begun = any(touches(sources[edge.link.source], end) for end in ends)
                stops = sum(touches(edge.label, end) for end in ends) if edge.label else 2
                if not begun or stops < 2:  # a short line may touch its label with its tip as well
                    breaches.append((name, edge.link, ends))
        assert not breaches, listed(breaches)

    def test_no_badge_hides_an_arrow(self, layouts: dict[str, Layout]) -> None:
        breaches = []
        for name, placed in layouts.items():
            for node in placed.nodes:
                x, y = badge(node.box, node.corner)
                hidden = (e for e in placed.edges if (e.tip[0] - x) ** 2 + (e.tip[1] - y) ** 2 <= 9**2)
                breaches += [(name, node.name, edge.link) for edge in hidden]
        assert not breaches, listed(breaches)


class TestSize:
    @pytest.mark.parametrize("name", STRATEGIES | OTHERS)
    def test_nothing_is_smaller_than_11_pixels_on_a_phone(self, name: str) -> None:
        ways: list[Way] = ["tall", "compact"]
        shown = next(one for one in (layout(ALL[name], way) for way in ways) if _smallest(one) >= 11)
        assert shown.width > 0

    @pytest.mark.parametrize("key", all_strategies())
    def test_what_a_phone_shows_is_sent(self, key: str) -> None:
        markup = both_ways(all_strategies()[key], Settings())
        tall = layout(STRATEGIES[key], "tall")
        assert ('class="rg compact"' in markup) == (_smallest(tall) < 11)

    @pytest.mark.parametrize("key", ["naive", "self-rag", "crag", "adaptive"])
    def test_it_keeps_its_labels_on_a_phone(self, key: str) -> None:
        assert _smallest(layout(STRATEGIES[key], "tall")) >= 11

    def test_self_rag_and_crag_have_no_crossing_lines_across(self) -> None:
        for key in ("naive", "self-rag", "crag"):
            ends = [(e.link.source, e.link.target) for e in layout(STRATEGIES[key], "wide").edges]
            assert len(ends) == len(set(ends))
            assert crossings_of(layout(STRATEGIES[key], "wide")) == 0

    @pytest.mark.parametrize("key", sorted(set(STRATEGIES) - {"adaptive", "adaptive-direct"}))
    def test_no_other_has_crossing_lines_across(self, key: str) -> None:
        assert crossings_of(layout(STRATEGIES[key], "wide")) == 0

    @pytest.mark.parametrize("name", WITH_SETTINGS)
    def test_what_settings_put_in_front_stands_on_the_main_line(self, name: str) -> None:
        one = layout(WITH_SETTINGS[name], "wide")
        heights = {node.name: round(node.box.y) for node in one.nodes}
        assert len({heights[node] for node in WITH_SETTINGS[name].happy_path}) == 1
        assert crossings_of(one) == 0

    def test_adaptive_has_one_crossing_at_most(self) -> None:
        for way in WAYS:
            assert all(crossings_of(layout(STRATEGIES[key], way)) <= 1 for key in ("adaptive", "adaptive-direct"))


def _smallest(one: Layout) -> float:
    """The smallest text on a phone, in pixels."""
    sizes = [size for size in (one.style.name, one.style.sub, one.style.label) if size]
    return min(sizes) * min(1.0, NARROWEST / one.width)


def crossings_of(one: Layout) -> int:
    return crossings([flatten(curve) for edge in one.edges for curve in edge.curves])


class TestSameEveryTime:
    def test_another_process_draws_the_same(self) -> None:
        code = (
            "from rag_graphs.views.diagram import both_ways; from rag_graphs.settings import Settings;"
            "from rag_graphs.graphs.strategies import all_strategies;"
            "import sys; sys.stdout.write(''.join(both_ways(s, Settings()) for s in all_strategies().values()))"
        )
        here = "".join(both_ways(strategy, Settings()) for strategy in all_strategies().values())
        there = subprocess.run(
            [sys.executable, "-c", code], capture_output=True, text=True, check=True, env={"PYTHONHASHSEED": "12345"}
        )
        assert there.stdout == here

    def test_budgets_do_not_move_anything(self) -> None:
        strategy = all_strategies()["self-rag"]
        few = draw(strategy, Settings(max_rewrites=1, max_regenerations=0))
        many = draw(strategy, Settings(max_rewrites=10, max_regenerations=10))
        assert few.replace("0/1 ", "0/10 ").replace(" 0/0", " 0/10") == many
