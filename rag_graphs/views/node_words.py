"""Say what there is to say of each node, in one table: what it is for, what it is doing, what it did, what came of it, what
explains it.

`NODE_WORDS` at the end is that table. The functions before it read the last two from a run."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

from pydantic import TypeAdapter

from rag_graphs.graphs.critique_scores import critique_score, recorded_weights
from rag_graphs.graphs.source_code import node_codes
from rag_graphs.graphs.state import JudgedDraft
from rag_graphs.graphs.strategies import all_strategies
from rag_graphs.graphs.strategy import Strategy
from rag_graphs.runs.from_trace import drafts_of, searched_for
from rag_graphs.runs.trace import Trace
from rag_graphs.settings import Settings, load_settings
from rag_graphs.views.diagram_settings import settings_of
from rag_graphs.views.node_run import NodeRun
from rag_graphs.views.translation import _, plural
from rag_graphs.views.verdict_words import class_words, meaning, target_name

_DRAFT = TypeAdapter(JudgedDraft)


@dataclass(frozen=True, kw_only=True)
class NodeWords:
    """Hold the words of a node."""

    purpose: str
    """What it is for: the second line of its box before it runs."""
    doing: str
    """What is going on while it runs: the now-line."""
    did: str
    """What happened in it: a step of a run that is over."""
    result: Callable[[NodeRun], str] = lambda run: ""
    """What came of its last run, in two or three words that fit into its box; "" where its purpose stays."""
    explain: Callable[[Trace], str]
    """What the now-line says besides, while it runs and after it: from the events so far."""


def node_name(node: str) -> str:
    """Return the name of a node for people: Grade documents for grade_documents."""
    return _(node.replace("_", " ").capitalize())


def node_words(node: str, strategy: Strategy | None, settings: Settings) -> NodeWords:
    """Return the words of a node. For a node that is not in the table they are made of its name and of the first sentence of
    its docstring, which is looked up in `strategy` under these settings."""
    return NODE_WORDS.get(node) or _derived_words(node, strategy, settings.model_dump_json())


@lru_cache(maxsize=256)
def _derived_words(node: str, strategy: Strategy | None, settings: str) -> NodeWords:
    # as JSON the settings hold no secrets, and building a graph takes milliseconds
    codes = node_codes(strategy, load_settings().as_recorded(json.loads(settings))) if strategy else []
    says = next((code.says for code in codes if code.node == node), "")
    name = node_name(node)
    return NodeWords(purpose=says, doing=name, did=name.lower(), explain=lambda trace: says)


def words_in(trace: Trace, node: str) -> NodeWords:
    """Return the words of a node of this run, whose strategy may be unknown here."""
    words = NODE_WORDS.get(node)
    return words or node_words(node, all_strategies().get(trace.head.strategy), settings_of(trace, load_settings()))


def _count(n: int, one: str, many: str, none: str) -> str:
    return none if n == 0 else one if n == 1 else many.format(n=n)


def _documents_found(run: NodeRun) -> str:
    return _count(run.found, _("1 document"), _("{n} documents"), _("nothing found")) if run.over else _("searching")


def _pages_found(run: NodeRun) -> str:
    if run.update is None:
        return _("searching")
    if run.update.get("search_error"):
        return _("search failed")
    return _count(run.found, _("1 web page"), _("{n} web pages"), _("nothing found"))


def _documents_graded(run: NodeRun) -> str:
    if not run.over:
        return _("{k} of {n} graded").format(k=len(run.grades), n=run.found)
    return _("{k} of {n} relevant").format(k=sum(p is True for p in run.grades.values()), n=run.found)


def _attempt(run: NodeRun) -> str:
    if run.number > 1:
        return _("attempt {n}").format(n=run.number)
    return _("written") if run.over else _("writing")


def _answer_graded(run: NodeRun) -> str:
    if not run.over:
        return _("{k} of {n} graded").format(k=len(run.grades), n=2)
    grounded, useful = (run.grades.get((aspect, None)) for aspect in ("groundedness", "usefulness"))
    if not grounded:
        return _("not grounded") if grounded is False else _("grounded? unclear")
    words = {True: _("grounded, useful"), False: _("not useful"), None: _("useful? unclear")}
    return words[useful]


def _rewrite(run: NodeRun) -> str:
    return _("rewrite {n}").format(n=run.number)


def _route(run: NodeRun) -> str:
    target = ((run.update or {}).get("route") or {}).get("target", "")
    return target_name(target)


def _decision(run: NodeRun) -> str:
    decision = run.changed("decision")
    if not decision:
        return ""
    return _("retrieve") if decision.get("retrieve") else _("not needed")


def _drafted(run: NodeRun) -> str:
    return _("{k} of {n} drafted").format(k=len(run.grades), n=run.found)


def _best_draft(run: NodeRun) -> str:
    if not run.over:
        return _("ranking")
    drafts = run.changed("drafts")
    if not run.changed("grounded") or not drafts:
        return _("none is of use")
    best = _DRAFT.validate_python(drafts[0])
    return _("best: {score:.2f}").format(score=critique_score(best, recorded_weights(run.settings)).total)


def _action(run: NodeRun) -> str:
    evaluation = run.changed("evaluation")
    if not evaluation:
        return _("{k} of {n} scored").format(k=len(run.grades), n=run.found)
    return _(str(evaluation.get("action", "")))


def _strips_kept(run: NodeRun) -> str:
    strips: list[dict[str, Any]] | None = run.changed("strips")
    if strips is None:
        return _("cutting, scoring")
    own = strips[run.strips :]
    return _("{k} of {n} strips").format(k=sum(bool(s.get("kept")) for s in own), n=len(own))


def _class(run: NodeRun) -> str:
    words = {"A": _("A: no search"), "B": _("B: one search"), "C": _("C: several steps")}
    made = run.changed("complexity") or {}
    return "" if not made else words["B" if made.get("error") else made.get("label", "B")]


def _new_documents(run: NodeRun) -> str:
    chain = run.changed("chain")
    if not chain:
        return _("searching")
    new = len(chain[-1].get("new", ()))
    return _("nothing new") if not new else _("{n} new").format(n=new)


def _step(run: NodeRun) -> str:
    return _("step {n}").format(n=run.number)


def _completed(run: NodeRun) -> str:
    if not run.over:
        return ""
    return _("made complete") if run.changed("condensed") else _("unchanged")


def _retrieving(trace: Trace) -> str:
    last = trace.visits[-1]
    found = [e for e in trace.events if e.kind == "retrieved" and e.at >= last.at]
    query = _("for “{query}”").format(query=searched_for(last))
    if not found:
        return query
    words = f"{query}, {plural(len(found[-1].documents), '{n} found', '{n} found')}"
    if last.node == "retrieve_more" and last.after and last.after.chain:
        words += ", " + plural(len(last.after.chain[-1].new), "{n} of them new", "{n} of them new")
    return words


def _grading(trace: Trace) -> str:
    last = trace.visits[-1]
    total = len(last.before.retrieved)
    landed = {
        e.index: e.grade
        for e in trace.events
        if e.kind == "graded" and e.attempt == last.attempt and e.index is not None
    }
    relevant = sum(g.passed is True for g in landed.values())
    if not total:
        return _("nothing was found")
    if last.after is not None or len(landed) == total:
        return _("{n} of {total} relevant").format(n=relevant, total=total)
    return _("{done} of {total} graded, {n} relevant so far").format(done=len(landed), total=total, n=relevant)


def _writing(trace: Trace) -> str:
    last = trace.visits[-1]
    given = plural(len(last.before.documents), "from {n} document", "from {n} documents")
    if last.before.grounded is not None and last.before.grounded.passed is False:
        return _("again, {given}: the last attempt was not grounded").format(given=given)
    if last.before.useful is not None and last.before.useful.passed is False:
        return _("again, {given}: the last attempt was not useful").format(given=given)
    return given


def _judging(trace: Trace) -> str:
    last = trace.visits[-1]
    words = {
        ("groundedness", True): _("grounded"),
        ("groundedness", False): _("not grounded"),
        ("groundedness", None): _("grounded: unclear"),
        ("usefulness", True): _("useful"),
        ("usefulness", False): _("not useful"),
        ("usefulness", None): _("useful: unclear"),
    }
    landed = [e.grade for e in trace.events if e.kind == "graded" and e.index is None and e.attempt == last.attempt]
    return ", ".join(words[(g.aspect, g.passed)] for g in landed) or _("is it grounded, is it useful?")


def _rewriting(trace: Trace) -> str:
    last = trace.visits[-1]
    before = last.before
    if before.evaluation is not None:
        ambiguous = before.evaluation.action == "ambiguous"
        return (
            _("for the web as well: the action is ambiguous")
            if ambiguous
            else _("for the web: the action is incorrect")
        )
    if before.useful is not None and before.useful.passed is False:
        return _("the answer was not useful")
    relevant = sum(g.passed is True for g in before.relevance)
    if not before.retrieved:
        return _("nothing was found")
    if relevant:
        return _("only {n} of {total} documents relevant").format(n=relevant, total=len(before.retrieved))
    return _("none of {total} documents was relevant").format(total=len(before.retrieved))


def _routing(trace: Trace) -> str:
    after = trace.visits[-1].after
    if after is None or after.route is None:
        return _("where does the question go?")
    return after.route.error or after.route.reason


def _deciding(trace: Trace) -> str:
    after = trace.visits[-1].after
    decision = after.decision if after else None
    if decision is None:
        return _("is a search needed at all?")
    words = _("yes, search first") if decision.retrieve else _("no, answer at once")
    if decision.probability is not None:
        words += " " + _("(probability {p:.2f})").format(p=decision.probability)
    why = decision.error or decision.reason
    return f"{words}: {why}" if why else words


def _drafting(trace: Trace) -> str:
    drafts = drafts_of(trace)
    total = len(drafts.landed) + len(drafts.waiting) if drafts else 0
    if drafts is None or not total:
        return _("nothing was found")
    return _("{done} of {total} drafted and judged").format(done=len(drafts.landed), total=total)


def _ranking(trace: Trace) -> str:
    drafts = drafts_of(trace)
    order = drafts.ranking(drafts.weights) if drafts else []
    if drafts is None or not order or not drafts.may_win(order[0][0]):
        return _("no draft is of use")
    best, score = order[0]
    return _("the best, from “{title}”, has {score:.2f}").format(
        title=best.document.title or best.document.id, score=score.total
    )


def _evaluating(trace: Trace) -> str:
    last = trace.visits[-1]
    if last.after is not None and last.after.evaluation is not None:
        action = last.after.evaluation.action
        return f"{_(action)}: {meaning(action)}"
    landed = {e.index for e in trace.events if e.kind == "graded" and e.attempt == last.attempt}
    return _("{done} of {total} scored").format(done=len(landed), total=len(last.before.retrieved))


def _refining(trace: Trace) -> str:
    last = trace.visits[-1]
    if last.after is None:
        return _("which sentences matter?")
    strips = last.after.strips[len(last.before.strips) :]
    return _("{n} of {total} strips kept").format(n=sum(s.kept for s in strips), total=len(strips))


def _classifying(trace: Trace) -> str:
    after = trace.visits[-1].after
    complexity = after.complexity if after else None
    if complexity is None:
        return _("none, one search, or one after the other?")
    why = complexity.error or complexity.reason
    return f"{class_words(complexity)}. {why}".strip()


def _reasoning(trace: Trace) -> str:
    after = trace.visits[-1].after
    if after is None or not after.chain:
        return plural(len(trace.visits[-1].before.documents), "from {n} document", "from {n} documents")
    return after.chain[-1].sentence or _("nothing more can be concluded")


def _condensing(trace: Trace) -> str:
    after = trace.visits[-1].after
    if after is None:
        return _("from what was said before")
    return f"“{after.condensed}”" if after.condensed else _("it stands alone already")


NODE_WORDS: dict[str, NodeWords] = {
    "retrieve": NodeWords(
        purpose=_("find documents"),
        doing=_("Searching the library"),
        did=_("the library is searched"),
        result=_documents_found,
        explain=_retrieving,
    ),
    "grade_documents": NodeWords(
        purpose=_("relevant?"),
        doing=_("Grading documents"),
        did=_("the documents are graded"),
        result=_documents_graded,
        explain=_grading,
    ),
    "generate": NodeWords(
        purpose=_("write the answer"),
        doing=_("Writing the answer"),
        did=_("the answer is written"),
        result=_attempt,
        explain=_writing,
    ),
    "grade_answer": NodeWords(
        purpose=_("grounded? useful?"),
        doing=_("Grading the answer"),
        did=_("the answer is graded"),
        result=_answer_graded,
        explain=_judging,
    ),
    "rewrite_query": NodeWords(
        purpose=_("in other words"),
        doing=_("Rewriting the query"),
        did=_("the query is rewritten"),
        result=_rewrite,
        explain=_rewriting,
    ),
    "search_web": NodeWords(
        purpose=_("look outside"),
        doing=_("Searching the web"),
        did=_("the web is searched"),
        result=_pages_found,
        explain=_retrieving,
    ),
    "route_question": NodeWords(
        purpose=_("where to?"),
        doing=_("Choosing a route"),
        did=_("the route is chosen"),
        result=_route,
        explain=_routing,
    ),
    "give_up": NodeWords(
        purpose=_("what is missing"),
        doing=_("Giving up"),
        did=_("the run gives up"),
        explain=lambda trace: _("the budget is spent"),
    ),
    "decide_retrieval": NodeWords(
        purpose=_("search at all?"),
        doing=_("Deciding about a search"),
        did=_("it is decided whether to search"),
        result=_decision,
        explain=_deciding,
    ),
    "generate_directly": NodeWords(
        purpose=_("without sources"),
        doing=_("Answering from the model"),
        did=_("the model answers"),
        result=_attempt,
        explain=lambda trace: _("without any document"),
    ),
    "draft_answers": NodeWords(
        purpose=_("a draft a document"),
        doing=_("Drafting answers"),
        did=_("answers are drafted"),
        result=_drafted,
        explain=_drafting,
    ),
    "rank_drafts": NodeWords(
        purpose=_("the best one first"),
        doing=_("Ranking the drafts"),
        did=_("the drafts are ranked"),
        result=_best_draft,
        explain=_ranking,
    ),
    "evaluate_retrieval": NodeWords(
        purpose=_("correct?"),
        doing=_("Scoring documents"),
        did=_("the documents are scored"),
        result=_action,
        explain=_evaluating,
    ),
    "refine": NodeWords(
        purpose=_("keep what matters"),
        doing=_("Refining the library’s documents"),
        did=_("the library’s documents are refined"),
        result=_strips_kept,
        explain=_refining,
    ),
    "refine_web": NodeWords(
        purpose=_("keep what matters"),
        doing=_("Refining the web’s documents"),
        did=_("the web’s documents are refined"),
        result=_strips_kept,
        explain=_refining,
    ),
    "classify_complexity": NodeWords(
        purpose=_("how hard?"),
        doing=_("Judging the question"),
        did=_("the question is judged"),
        result=_class,
        explain=_classifying,
    ),
    "retrieve_more": NodeWords(
        purpose=_("find what is new"),
        doing=_("Searching the library"),
        did=_("the library is searched"),
        result=_new_documents,
        explain=_retrieving,
    ),
    "reason_step": NodeWords(
        purpose=_("think one step"),
        doing=_("Reasoning one step"),
        did=_("one step is reasoned"),
        result=_step,
        explain=_reasoning,
    ),
    "condense_question": NodeWords(
        purpose=_("make it complete"),
        doing=_("Completing the question"),
        did=_("the question is made complete"),
        result=_completed,
        explain=_condensing,
    ),
}
"""Every node of the strategies that come along, by name."""
