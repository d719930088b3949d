"""What this visitor's runs have used of chat models since their session began."""

from __future__ import annotations

from dataclasses import dataclass, field

from rag_graphs import Run, Spending, UnknownRun, cost_of, spent
from rag_graphs.ui.shared import session, visit


@dataclass(frozen=True)
class Total:
    """Sums over the runs that used a model. `cost`: of those that had prices, each at its own; None without any."""

    runs: int = 0
    spending: Spending = field(default_factory=Spending)
    cost: float | None = None


def count(run: Run) -> None:
    """A run of this visitor began: it counts from now on."""
    visit.counted.get_kept().append(run.id)


def spending_so_far() -> Total:
    """The sums by now, runs that go on included."""
    runs, spending, costs = 0, Spending(), []
    known = visit.accounts.get_kept()
    for run_id in visit.counted.get():
        used, cost = known[run_id] if run_id in known else _account(run_id, known)
        runs += used.calls > 0
        spending = spending.plus(used)
        costs += [cost] if cost is not None and used.calls else []
    return Total(runs=runs, spending=spending, cost=sum(costs) if costs else None)


def _account(run_id: str, known: dict[str, tuple[Spending, float | None]]) -> tuple[Spending, float | None]:
    """What a run has used; remembered once it is over."""
    try:
        trace = session.workspace().runs.trace(run_id)
    except UnknownRun:
        return Spending(), None
    used = spent(trace.events)
    account = used, cost_of(used, trace.head.settings)
    if trace.ended:
        known[run_id] = account
    return account
