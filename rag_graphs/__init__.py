"""RAG Graphs: see, teach and compare self-correcting retrieval-augmented generation.

The public names: all that pages, the user interface and the command line may import. They are loaded when first used, so
that importing the package costs nothing.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from rag_graphs.checks import Check, planned, tried
    from rag_graphs.comparison import Comparison, Side, compare
    from rag_graphs.component_types import Components
    from rag_graphs.components import build_components
    from rag_graphs.conversation import is_name as is_conversation
    from rag_graphs.conversation import without_citations
    from rag_graphs.critique import Score, Weights, by_probability
    from rag_graphs.diagram import both_ways, describe, diagram_css, draw, marks, standalone, sublines, tokens, warm
    from rag_graphs.difference import difference as word_difference
    from rag_graphs.errors import (
        LibraryError,
        RagGraphsError,
        SearchUnavailable,
        ServiceError,
        SettingsError,
        SetupError,
        SourceError,
        TooManyRuns,
        TraceError,
        UnknownRun,
    )
    from rag_graphs.events import VERSION as TRACE_VERSION
    from rag_graphs.events import EdgeTaken, RunEvent, RunStopped
    from rag_graphs.export import FORMATS, Format, export_run, file_name
    from rag_graphs.forking import prepare as prepare_fork
    from rag_graphs.graphs import outline_of
    from rag_graphs.library import Hit, Library, LoadReport
    from rag_graphs.library import Source as LoadedSource
    from rag_graphs.live import Run, play
    from rag_graphs.llm.offered import offered_models
    from rag_graphs.pacing import node_by_node
    from rag_graphs.parity import PARITY, Parity
    from rag_graphs.parity import Row as ParityRow
    from rag_graphs.prompts import PROMPTS
    from rag_graphs.prompts import check as check_prompt
    from rag_graphs.recorded import read_file
    from rag_graphs.runner import fork, run
    from rag_graphs.samples import collections
    from rag_graphs.script import export_script, script_name
    from rag_graphs.settings import KEYS, PACES, Settings, load_settings, no_color
    from rag_graphs.source_code import EdgeCode, NodeCode, edge_codes, graph_code, node_codes
    from rag_graphs.spending import Spending, cost_of, spent
    from rag_graphs.state import (
        Answer,
        Complexity,
        Decision,
        Document,
        Evaluation,
        Grade,
        JudgedDraft,
        Link,
        RagState,
        Route,
        Seen,
        StopReason,
        Strip,
        Thresholds,
        Turn,
    )
    from rag_graphs.store import ConversationRow, RunRow, Store, TurnRow
    from rag_graphs.strategies import all_strategies, get_strategy
    from rag_graphs.strategy import END, START, Edge, Example, Outline, Strategy
    from rag_graphs.trace import Trace, Visit
    from rag_graphs.views import (
        Drafts,
        Refinement,
        Rung,
        chain_of,
        cut_at,
        drafts_of,
        not_passed,
        other_thresholds,
        refinement_of,
        searched_for,
    )
    from rag_graphs.visitors import Allowance, allowance
    from rag_graphs.whatif import (
        AnswerChange,
        Change,
        ChoiceChange,
        DocumentChange,
        Offer,
        QueryChange,
        RelevanceChange,
        VerdictChange,
        offers_at,
        offers_now,
        parse_change,
        update_at,
        update_now,
        visit_named,
    )
    from rag_graphs.whatif.moments import GRADERS
    from rag_graphs.workspace import LONGEST_QUESTION, Workspace, checked, open_workspace

_ROOMS = {
    "checks": ["Check", "planned", "tried"],
    "comparison": ["Comparison", "Side", "compare"],
    "component_types": ["Components"],
    "components": ["build_components"],
    "conversation": ["without_citations"],
    "critique": ["Score", "Weights", "by_probability"],
    "diagram": [
        "both_ways",
        "describe",
        "diagram_css",
        "draw",
        "marks",
        "standalone",
        "sublines",
        "tokens",
        "warm",
    ],
    "errors": [
        "LibraryError",
        "RagGraphsError",
        "SearchUnavailable",
        "ServiceError",
        "SettingsError",
        "SetupError",
        "SourceError",
        "TooManyRuns",
        "TraceError",
        "UnknownRun",
    ],
    "events": ["EdgeTaken", "RunEvent", "RunStopped"],
    "export": ["FORMATS", "Format", "export_run", "file_name"],
    "library": ["Hit", "Library", "LoadReport"],
    "recorded": ["read_file"],
    "runner": ["fork", "run"],
    "live": ["Run", "play"],
    "pacing": ["node_by_node"],
    "parity": ["PARITY", "Parity"],
    "llm.offered": ["offered_models"],
    "prompts": ["PROMPTS"],
    "samples": ["collections"],
    "script": ["export_script", "script_name"],
    "settings": ["KEYS", "PACES", "Settings", "load_settings", "no_color"],
    "source_code": ["EdgeCode", "NodeCode", "edge_codes", "graph_code", "node_codes"],
    "spending": ["Spending", "cost_of", "spent"],
    "state": [
        "Answer",
        "Complexity",
        "Decision",
        "Document",
        "Evaluation",
        "Grade",
        "JudgedDraft",
        "Link",
        "RagState",
        "Route",
        "Seen",
        "StopReason",
        "Strip",
        "Thresholds",
        "Turn",
    ],
    "store": ["ConversationRow", "RunRow", "Store", "TurnRow"],
    "strategies": ["all_strategies", "get_strategy"],
    "strategy": ["END", "START", "Edge", "Example", "Outline", "Strategy"],
    "graphs": ["outline_of"],
    "trace": ["Trace", "Visit"],
    "views": [
        "Drafts",
        "Refinement",
        "Rung",
        "chain_of",
        "cut_at",
        "drafts_of",
        "not_passed",
        "other_thresholds",
        "refinement_of",
        "searched_for",
    ],
    "visitors": ["Allowance", "allowance"],
    "whatif": [
        "AnswerChange",
        "Change",
        "ChoiceChange",
        "DocumentChange",
        "Offer",
        "QueryChange",
        "RelevanceChange",
        "VerdictChange",
        "offers_at",
        "offers_now",
        "parse_change",
        "update_at",
        "update_now",
        "visit_named",
    ],
    "whatif.moments": ["GRADERS"],
    "workspace": ["LONGEST_QUESTION", "Workspace", "checked", "open_workspace"],
}
_HOME = {name: (room, name) for room, names in _ROOMS.items() for name in names} | {
    "LoadedSource": ("library", "Source"),
    "TRACE_VERSION": ("events", "VERSION"),
    "ParityRow": ("parity", "Row"),
    "is_conversation": ("conversation", "is_name"),
    "prepare_fork": ("forking", "prepare"),
    "word_difference": ("difference", "difference"),
    "check_prompt": ("prompts", "check"),
}

__all__ = sorted(_HOME)  # noqa: PLE0605 - the names live in one table


def __getattr__(name: str) -> Any:
    if name not in _HOME:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    room, original = _HOME[name]
    return getattr(import_module(f"{__name__}.{room}"), original)
