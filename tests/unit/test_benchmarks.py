"""The arithmetic of `make bench`."""

from benchmarks.ask import delays, row


def test_each_node_is_matched_within_its_own_time() -> None:
    started = [(10.0, "a"), (11.0, "b"), (12.0, "a"), (13.0, "c")]
    lit = [(10.05, "a"), (12.5, "a"), (13.2, "c")]
    assert [None if d is None else round(d, 3) for d in delays(started, lit)] == [0.05, None, 0.5, 0.2]


def test_the_table_tells_median_and_nearest_rank() -> None:
    assert row("x", [float(n) for n in range(1, 101)], "aim").split() == ["x", "100", "50", "95", "100", "aim"]
