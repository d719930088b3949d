"""What a what-if changed, in words: read from the states of parent and child where they part."""

from __future__ import annotations

from collections.abc import Iterator

from rag_graphs.graphs.state import Document, RagState
from rag_graphs.runs.comparison import Comparison
from rag_graphs.runs.trace import Trace
from rag_graphs.views.translation import _
from rag_graphs.views.verdict_words import target_name


def change_words(parent: Trace, child: Trace, comparison: Comparison) -> list[str]:
    """Each change in a few words; empty where nothing was changed."""
    shared = len(comparison.path)
    before, after = _state(parent, shared), _state(child, shared)
    words = [*_query(before, after), *_route(before, after), *_relevance(before, after)]
    words += _documents(before, after) if not words else []
    words += [*_verdicts(before, after), *_answer(before, after)]
    if not words and comparison.related and comparison.changed:
        words.append(_("another {fields}").format(fields=", ".join(comparison.changed)))
    return words


def _state(trace: Trace, shared: int) -> RagState:
    """The state after the last shared node, with what was changed there."""
    return trace.visits[shared].before if shared < len(trace.visits) else trace.state


def _query(before: RagState, after: RagState) -> Iterator[str]:
    if after.query != before.query:
        yield _("the query is “{query}”").format(query=after.query)


def _route(before: RagState, after: RagState) -> Iterator[str]:
    if after.route and after.route != before.route:
        yield _("the question goes {where}").format(where=target_name(after.route.target))


def _relevance(before: RagState, after: RagState) -> Iterator[str]:
    for document, old, new in zip(after.retrieved, before.relevance, after.relevance, strict=False):
        if old.passed is not new.passed:
            yield _("“{title}” is {grade}").format(title=_name(document), grade=_(new.label))


def _documents(before: RagState, after: RagState) -> Iterator[str]:
    old, new = ({d.id: d for d in state.documents} for state in (before, after))
    for document in [d for key, d in old.items() if key not in new]:
        yield _("“{title}” is dropped").format(title=_name(document))
    for document in [d for key, d in new.items() if key not in old]:
        yield _("“{title}” is kept").format(title=_name(document))


def _verdicts(before: RagState, after: RagState) -> Iterator[str]:
    for old, new in ((before.grounded, after.grounded), (before.useful, after.useful)):
        if new and (old is None or old.passed is not new.passed):
            yield _("the answer is {grade}").format(grade=_(new.label))


def _answer(before: RagState, after: RagState) -> Iterator[str]:
    if after.answer != before.answer:
        yield _("another answer is written")


def _name(document: Document) -> str:
    return document.heading or document.title or document.source
