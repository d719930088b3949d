"""The part of the report that a strategy has to itself: its drafts, its refinement, its chain, as the run left them."""

from __future__ import annotations

from collections.abc import Mapping

from rag_graphs.export.report.documents import cited, passage
from rag_graphs.export.report.markup import badge, link, text
from rag_graphs.export.report.words import Words, verdict
from rag_graphs.graphs.critique_scores import Score, Weights, by_probability
from rag_graphs.graphs.state import Document, Grade, JudgedDraft, Strip
from rag_graphs.runs.from_trace import Refinement, Rung, chain_of, cut_at, drafts_of, refinement_of
from rag_graphs.runs.trace import Trace

ACTIONS = {"correct": "yes", "ambiguous": "unclear", "incorrect": "no"}
LONGEST = 2000


def drafts(trace: Trace, _: Words) -> str:
    """Each draft by rank, with its judgements and the parts of its score; nothing for a run without drafts."""
    known = drafts_of(trace)
    if known is None or not known.landed:
        return ""
    sources = {
        True: _("The scores come from the model’s probabilities (Self-RAG, equations 3 and 4)."),
        False: _("The scores come from plain verdicts, each counted as certain."),
        None: _("Where the model told probabilities the scores come from those; a plain verdict counts as certain."),
    }
    source = sources[by_probability(known.landed)]
    told = any(draft.likelihood is not None for draft in known.landed)
    ranking = enumerate(known.ranking(known.weights), 1)
    rows = [_draft(n, draft, score, trace, _, told=told) for n, (draft, score) in ranking]
    titles = ["", _("Draft"), _("Relevance"), _("Support"), _("Use"), *([_("Text")] if told else []), _("Score")]
    heads = "".join(f"<th>{text(title)}</th>" for title in titles)
    body = f'<table class="drafts"><tr>{heads}</tr>{"".join(rows)}</table>'
    return f"<p>{text(source)} {text(_scoring(known.weights, _))}</p>{body}"


def _scoring(weights: Weights, _: Words) -> str:
    """How the judgements make a score."""
    words = _(
        "Each judgement counts with its weight, and a score is their sum: relevance (1 or 0) × {relevance:g}, support (fully "
        "1, partially 0.5, none 0) × {support:g}, use (1 to 5 count −1 to 1) × {use:g}."
    )
    return words.format(relevance=weights.relevance, support=weights.support, use=weights.use)


def _draft(rank: int, draft: JudgedDraft, score: Score, trace: Trace, _: Words, *, told: bool) -> str:
    parts = ((draft.relevance, score.relevance), (draft.support, score.support), (draft.use, score.use))
    graded = "".join(f"<td>{_judgement(grade)}<br>{_figure(value)}</td>" for grade, value in parts)
    likely = "" if draft.likelihood is None else _figure(score.likelihood)
    text_cell = f"<td>{likely}</td>" if told else ""
    words = cited(trace, draft.text[:LONGEST], [draft.document], _) if draft.text else text(_("No draft was made."))
    return (
        f'<tr><td><b>{rank}</b></td><td dir="auto"><small>{_named(draft.document, _numbers(trace))}</small><br>'
        f"{words}</td>{graded}{text_cell}<td><b>{_figure(score.total)}</b></td></tr>"
    )


def _figure(value: float) -> str:
    """A number with a minus sign that is one, and none before a zero."""
    return f"{round(value, 2) + 0.0:.2f}".replace("-", "−")


def _judgement(grade: Grade) -> str:
    """A verdict in the scale's own word; the number below it is its weighted part of the score."""
    kind = verdict(grade)[0]
    words = verdict(grade)[1] if grade.aspect == "usefulness" else grade.label
    return badge("unclear" if grade.label in ("partially supported", "3") else kind, words or "unclear")


def refinement(trace: Trace, _: Words) -> str:
    """The action, its thresholds and scores, and each document with its kept strips marked; nothing for other runs."""
    known = refinement_of(trace)
    if known is None or not known.scored:
        return ""
    numbers = _numbers(trace)
    refined = [known.texts[i] for i in dict.fromkeys(s.document for s in known.strips) if i in known.texts]
    bodies = "".join(_refined(d, [s for s in known.strips if s.document == d.id], numbers, _) for d in refined)
    return _action(known, numbers, _) + bodies


def _action(known: Refinement, numbers: Mapping[str, int], _: Words) -> str:
    scores = ", ".join(
        _("document {n}: {score}").format(n=numbers.get(d.id, "?"), score=_score(g.score if g else None))
        for d, g in known.scored
    )
    if known.evaluation is None:
        return f"<p>{text(scores)}</p>"
    limits = known.evaluation.thresholds
    words = _(
        "correct above {upper:g}, incorrect below {lower:g}, strips kept from {strip:g} on; evaluator: {evaluator}"
    )
    said = words.format(upper=limits.upper, lower=limits.lower, strip=limits.strip, evaluator=limits.evaluator or "?")
    action = known.evaluation.action
    return f"<p>{badge(ACTIONS[action], _(action))} {text(scores)}</p><p><small>{text(said)}</small></p>"


def _refined(document: Document, strips: list[Strip], numbers: Mapping[str, int], _: Words) -> str:
    said = _("{kept} of {n} strips kept").format(kept=sum(s.kept for s in strips), n=len(strips))
    body = "".join(_piece(piece, strip) for piece, strip in cut_at(document.text, strips))
    return (
        f'<div class="refined"><h3>{_named(document, numbers)} '
        f'<small>{text(said)}</small></h3><blockquote dir="auto">{body}</blockquote></div>'
    )


def _piece(piece: str, strip: Strip | None) -> str:
    body = piece.strip()
    around = piece.partition(body) if body else (piece, "", "")
    if not body or strip is None:
        return f"{around[0]}<span class='drop'>{passage(body)}</span>{around[2]}"
    tag = ("<mark>", "</mark>") if strip.kept else ("<span class='drop'>", "</span>")
    return f"{around[0]}{tag[0]}{passage(body)}{tag[1]}<sup>{_score(strip.score)}</sup>{around[2]}"


def _score(score: float | None) -> str:
    return "–" if score is None else f"{score:.2f}"


def chain(trace: Trace, _: Words) -> str:
    """The class of the question with its reason, and each round of a chain; nothing for other runs."""
    known = chain_of(trace)
    if known.complexity is None:
        return ""
    made = known.complexity
    top = f"<p>{badge('plain', made.label)} {text(made.error or made.reason, 1000)}</p>"
    numbers = _numbers(trace)
    rungs = "".join(_rung(rung, numbers, _) for rung in known.rungs)
    return top + (f'<ol class="ladder">{rungs}</ol>' if rungs else "")


def _rung(rung: Rung, numbers: Mapping[str, int], _: Words) -> str:
    found = "".join(
        f"<li>{_named(document, numbers)} {badge('plain', _('new') if new else _('held already'))}</li>"
        for document, new in rung.found
    )
    final = " " + badge("plain", _("reaches the answer")) if rung.reached else ""
    return (
        f'<li><p><small>{text(_("Searched for"))}</small> <q dir="auto">{text(rung.query, 1000)}</q></p><ul>{found}</ul>'
        f'<p dir="auto">{text(rung.sentence, 2000)}{final}</p></li>'
    )


def _numbers(trace: Trace) -> dict[str, int]:
    """The number of each document in this report."""
    return {s.document.id: n for n, s in enumerate(trace.state.seen, 1)}


def _named(document: Document, numbers: Mapping[str, int]) -> str:
    number = numbers.get(document.id)
    cite = f'<a class="cite" href="#d{number}">{number}</a> ' if number else ""
    return f"{cite}{link(document.source, document.title or document.source or document.id)}"
