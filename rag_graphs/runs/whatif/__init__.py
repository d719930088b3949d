"""What if: a verdict, a query, a route, a document or an answer of a run is another one. Pure: from a run, a place in it and a
wish to the update of the state with which the run goes on from there.

    offers_at(trace, visit)              what can be changed there, with a label in words
    update_at(trace, visit, change)      the update to fork with
    offers_now(trace), update_now(trace, change)   the same for a run in step mode that waits
    parse_change(text)                   a change from its JSON form

The edges that follow are not chosen here: the graph takes those that the changed state implies.
"""

from rag_graphs.runs.whatif.changes import (
    AnswerChange,
    Change,
    ChoiceChange,
    DocumentChange,
    QueryChange,
    RelevanceChange,
    VerdictChange,
    parse_change,
)
from rag_graphs.runs.whatif.moments import Moment, moment_at
from rag_graphs.runs.whatif.offers import Offer, offers_at, offers_now
from rag_graphs.runs.whatif.updating import update_at, update_now, visit_named

__all__ = [
    "AnswerChange",
    "Change",
    "ChoiceChange",
    "DocumentChange",
    "Moment",
    "Offer",
    "QueryChange",
    "RelevanceChange",
    "VerdictChange",
    "moment_at",
    "offers_at",
    "offers_now",
    "parse_change",
    "update_at",
    "update_now",
    "visit_named",
]
