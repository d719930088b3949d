"""Draw the panel Chain: the class of the question, and for class C the ladder of searches and sentences that lead to the
answer."""

from __future__ import annotations

from collections.abc import Mapping

from rag_graphs.graphs.state import Complexity, Document
from rag_graphs.runs.from_trace import Rung, chain_of
from rag_graphs.runs.trace import Trace
from rag_graphs.views.document_link import named
from rag_graphs.views.render import empty, text, verdict
from rag_graphs.views.translation import _, plural
from rag_graphs.views.verdict_words import class_words


def chain_html(trace: Trace | None, shown: Mapping[str, int]) -> str:
    """Draw the whole panel. `shown`: the number that each document has in the panel Documents."""
    chain = chain_of(trace) if trace else None
    if trace is None or chain is None or chain.complexity is None:
        return empty(
            _(
                "The class of the question is shown here: A needs no search, B one, C one after the other. For C each round "
                "adds a rung: what was searched for, what was new in it, and the sentence that was concluded."
            )
        )
    if not chain.rungs:
        return _class(chain.complexity) + empty(_without_rungs(chain.complexity))
    rungs = "".join(_rung(n, rung, shown, trace) for n, rung in enumerate(chain.rungs, 1))
    total = plural(chain.gathered, "{n} document gathered", "{n} documents gathered")
    return f'{_class(chain.complexity)}<ol class="ladder">{rungs}</ol><p class="note">{text(total)}</p>'


def _class(complexity: Complexity) -> str:
    why = complexity.error or complexity.reason
    badge = verdict("unclear" if complexity.error else "plain", class_words(complexity))
    return f'<p class="say">{badge} {text(why)}</p>'


def _without_rungs(complexity: Complexity) -> str:
    if complexity.error or complexity.label == "B":
        return _("One search is enough, so there is no chain: what it finds stands under Documents.")
    if complexity.label == "A":
        return _("No search is needed, so there is no chain: the model answers from what it knows.")
    return _("The first rung appears with the first search.")


def _rung(number: int, rung: Rung, shown: Mapping[str, int], trace: Trace) -> str:
    items = "".join(_document(document, shown, new=new) for document, new in rung.found)
    searching = not rung.found and trace.active == "retrieve_more" and not rung.sentence
    nothing = verdict("busy", _("searching")) if searching else text(_("Nothing was found."))
    documents = f'<ul class="rf">{items}</ul>' if items else f'<p class="rf wait">{nothing}</p>'
    final = " final" if rung.final else ""
    return (
        f'<li class="rung{final}"><p class="rq"><span>{text(_("Search {n}").format(n=number))}</span> '
        f"<q>{text(rung.query, 400)}</q></p>{documents}{_sentence(rung, trace)}</li>"
    )


def _document(document: Document, shown: Mapping[str, int], *, new: bool) -> str:
    badge = verdict("new", _("new")) if new else verdict("plain", _("held already"))
    return f"<li>{named(document, shown)} {badge}</li>"


def _sentence(rung: Rung, trace: Trace) -> str:
    if rung.sentence:
        mark = f' <span class="chip on">{text(_("reaches the answer"))}</span>' if rung.reached else ""
        return f'<p class="rs">{text(rung.sentence, 1000)}{mark}</p>'
    if trace.active == "reason_step":
        return f'<p class="rs">{verdict("busy", _("reasoning"))}</p>'
    if rung.final:
        return f'<p class="rs wait">{text(_("Nothing more could be concluded."))}</p>'
    return ""
