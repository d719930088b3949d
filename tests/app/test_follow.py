"""Following a run: every frame shows all that is visible, and the last one shows the end."""

from __future__ import annotations

from typing import Any, cast

from rag_graphs import Run, Trace, play
from rag_graphs.ui.shared.follow import BETWEEN_NODES, follow
from tests.app.made import trace


class Scripted:
    """A run that shows one more event each time somebody waits for news, or none in a while of silence."""

    def __init__(self, made: Trace, silences: int = 0) -> None:
        self.made, self.visible, self.silences = made, 0, silences

    def wait(self, seen: int, timeout: float) -> bool:
        if self.silences and seen == self.visible == 3:
            self.silences -= 1
            return False
        self.visible = min(len(self.made), max(self.visible, seen) + 1)
        return True

    @property
    def ended(self) -> bool:
        return self.visible == len(self.made)

    def events(self) -> list[Any]:
        return list(self.made.events[: self.visible])


def frames(run: object) -> list[Trace]:
    drawn: list[Trace] = []
    follow(cast("Run", run), drawn.append, rest=lambda _: None)
    return drawn


def test_a_replayed_run_is_drawn_to_its_end() -> None:
    made = trace("self-rag")
    assert frames(play(made, 0.0))[-1].events == made.events


def test_every_node_is_lit_in_some_frame() -> None:
    made = trace("self-rag")
    assert [n for n in dict.fromkeys(t.active for t in frames(Scripted(made))) if n] == made.path


def test_a_frame_waits_a_moment_for_the_node_that_starts() -> None:
    drawn = frames(Scripted(trace("self-rag")))
    between = [t for t in drawn[:-1] if t.events[-1].kind in BETWEEN_NODES]
    assert len(between) < len(drawn) / 3


def test_silence_draws_again_so_that_a_click_is_noticed() -> None:
    silent = [len(t) for t in frames(Scripted(trace("naive"), silences=5))]
    assert silent.count(3) >= 2
    assert len(silent) > len(frames(Scripted(trace("naive"))))


def test_frames_never_go_back() -> None:
    lengths = [len(t) for t in frames(Scripted(trace("crag")))]
    assert lengths == sorted(lengths)
