"""The guard on spending: what a run has used of chat models, and whether that is more than it may."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, fields, replace
from typing import Any

from rag_graphs.runs.events import ModelCalled, RunEvent
from rag_graphs.settings import Settings


@dataclass(frozen=True, kw_only=True)
class Spending:
    """Calls and tokens so far. `unknown` counts the calls whose server told no tokens: sums are then lower bounds."""

    calls: int = 0
    prompt_tokens: int = 0
    completion_tokens: int = 0
    unknown: int = 0

    def add(self, call: ModelCalled) -> Spending:
        """With one more call."""
        told = call.prompt_tokens is not None and call.completion_tokens is not None
        return replace(
            self,
            calls=self.calls + 1,
            prompt_tokens=self.prompt_tokens + (call.prompt_tokens or 0),
            completion_tokens=self.completion_tokens + (call.completion_tokens or 0),
            unknown=self.unknown + (not told),
        )

    def plus(self, other: Spending) -> Spending:
        """Both together."""
        return Spending(**{f.name: getattr(self, f.name) + getattr(other, f.name) for f in fields(self)})

    @property
    def tokens(self) -> int:
        return self.prompt_tokens + self.completion_tokens

    def cost(self, settings: Settings) -> float | None:
        """In the currency of the prices that the visitor entered (per million tokens); None without prices."""
        return cost_of(self, {"price_prompt": settings.price_prompt, "price_completion": settings.price_completion})

    def over(self, settings: Settings) -> str:
        """Why the run may make no further call, in words; empty while it may. A bound of 0 is no bound."""
        cost = self.cost(settings)
        if settings.max_calls and self.calls >= settings.max_calls:
            return f"This run has made {self.calls} model calls, as many as it may."
        if settings.max_tokens and self.tokens >= settings.max_tokens:
            return f"This run has used {self.tokens} tokens; {settings.max_tokens} are the most that it may."
        if settings.max_cost and cost is not None and cost >= settings.max_cost:
            return f"This run has cost {cost:.4f}; {settings.max_cost:.4f} is the most that it may."
        return ""


def cost_of(spending: Spending, prices: Mapping[str, Any]) -> float | None:
    """In the currency of the prices (of a million tokens), as a trace records them with its settings; None without. A record
    may come from anyone: what is no price counts as none."""
    prompt, completion = (_price(prices.get(name)) for name in ("price_prompt", "price_completion"))
    if not prompt and not completion:
        return None
    return (spending.prompt_tokens * prompt + spending.completion_tokens * completion) / 1_000_000


def _price(recorded: Any) -> float:
    known = isinstance(recorded, (int, float)) and not isinstance(recorded, bool) and 0 <= recorded < 1e12
    return float(recorded) if known else 0.0


def guard(settings: Settings) -> Callable[[int, list[dict[str, Any]]], str]:
    """What a call meter asks before each call: why it must not be made, or ''. Calls in flight count as calls already."""

    def refuse(begun: int, ended: list[dict[str, Any]]) -> str:
        return replace(spent(ModelCalled(**call) for call in ended), calls=begun).over(settings)

    return refuse


def spent(events: Iterable[RunEvent]) -> Spending:
    """What these events used."""
    total = Spending()
    for event in events:
        if event.kind == "model_called":
            total = total.add(event)
    return total
