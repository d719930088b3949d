"""Draw the panel Refinement: the axis with its bands, the action in words, documents with their strips."""

from __future__ import annotations

from rag_graphs.graphs.state import Document, Grade, Strip, Thresholds
from rag_graphs.runs.from_trace import Refinement, cut_at, refinement_of
from rag_graphs.runs.trace import Trace
from rag_graphs.views.document_link import named
from rag_graphs.views.documents_seen import Found, numbers
from rag_graphs.views.reading import readable_line
from rag_graphs.views.render import attribute, empty, text, verdict
from rag_graphs.views.translation import _, plural
from rag_graphs.views.verdict_words import ACTIONS, meaning

LANE = 0.055
"""Scores closer than this stand above one another on the axis."""
NEAR = 0.1
"""Thresholds closer than this would be written over one another."""


def action_html(trace: Trace | None, tried: Thresholds | None, entries: list[Found]) -> str:
    """Draw the axis and the action. `tried`: thresholds other than the run's, if a slider was moved."""
    refinement = refinement_of(trace) if trace else None
    if trace is None or refinement is None:
        return empty(
            _(
                "Each document found gets a score between 0 and 1; two thresholds make an action of the scores. Then each "
                "document is cut into strips, and only those that matter are kept. Both are shown here."
            )
        )
    if not refinement.scored:
        return empty(_("The search found nothing, so there was nothing to score: the web is searched."))
    if refinement.evaluation is None:
        return _axis(refinement, None, numbers(entries))
    limits = tried or refinement.evaluation.thresholds
    return _axis(refinement, limits, numbers(entries)) + _action(refinement, limits) + _origin(refinement, trace)


def _action(refinement: Refinement, limits: Thresholds) -> str:
    assert refinement.evaluation is not None
    own = refinement.evaluation.action
    now = refinement.action_under(limits) if limits != refinement.evaluation.thresholds else own
    why = _why(now, limits) if refinement.action_under(limits) == now else ""
    sentence = f"{verdict(ACTIONS[now], _(now))} {text(f'{why} {meaning(now)}'.strip())}"
    if now == own:
        return f'<p class="say">{sentence}</p>'
    instead = _("With these thresholds, instead of {action}:").format(action=_(own))
    return f'<p class="what">{text(instead)} {sentence}</p>'


def _why(action: str, limits: Thresholds) -> str:
    """Name the rule that led from the scores to the action."""
    words = {
        "correct": _("A document scores above {upper:g}."),
        "ambiguous": _("No document scores above {upper:g}, but not all score below {lower:g}."),
        "incorrect": _("Every document scores below {lower:g}."),
    }
    return words[action].format(upper=limits.upper, lower=limits.lower)


def _origin(refinement: Refinement, trace: Trace) -> str:
    """Say whose thresholds these are."""
    assert refinement.evaluation is not None
    limits, settings = refinement.evaluation.thresholds, trace.head.settings
    by_hand = [n for n in ("evaluator_upper", "evaluator_lower", "strip_threshold") if settings.get(n) is not None]
    words = _(
        "The run’s thresholds are {upper:g} and {lower:g}, for strips {strip:g}. They belong to the evaluator “{evaluator}” and "
        "follow the levels that its prompt describes: for this model they were not measured."
    )
    if limits.measured:
        words = _(
            "The run’s thresholds are {upper:g} and {lower:g}, for strips {strip:g}. They belong to the evaluator "
            "“{evaluator}”: chosen on one half of a set of questions, checked on the other (docs/measurements.md)."
        )
    if by_hand:
        words = _(
            "The run’s thresholds are {upper:g} and {lower:g}, for strips {strip:g}, set by hand for the evaluator "
            "“{evaluator}”."
        )
    name = limits.evaluator or _("unknown")
    sentence = words.format(upper=limits.upper, lower=limits.lower, strip=limits.strip, evaluator=name)
    return f'<p class="note x">{text(sentence)}</p>'


def _axis(refinement: Refinement, limits: Thresholds | None, shown: dict[str, int]) -> str:
    """Draw scores from 0 to 1 as dots with their documents' numbers, over the bands of the three actions."""
    lanes: list[float] = []
    dots, labels = [], []
    scores = [(d, g) for d, g in refinement.scored if g is not None and g.score is not None]
    for document, grade in sorted(scores, key=lambda pair: pair[1].score or 0.0):
        score = min(1.0, max(0.0, grade.score or 0.0))
        lane = next((n for n, last in enumerate(lanes) if score - last >= LANE), len(lanes))
        lanes[lane : lane + 1] = [score]
        number = shown.get(document.id, 0)
        place = f"left&#58;{100 * score:.1f}%;bottom&#58;{lane * 1.6 + 0.3:.1f}rem"
        dots.append(f'<b style="{place}" title="{attribute(document.title)}">{number}</b>')
        labels.append(_("document {n}: {score:.2f}").format(n=number, score=score))
    label = attribute(_("Scores from 0 to 1. {scores}.").format(scores=", ".join(labels) or _("None yet")))
    height = max(1, len(lanes)) * 1.6 + 1.8
    bands = _bands(limits) if limits else '<span class="zone" style="left&#58;0;width&#58;100%"></span>'
    return (
        f'<p class="say">{text(_("Each dot is a document; how far right it stands is its score."))}</p>'
        f'<div class="axis" role="img" aria-label="{label}"><div class="dots" style="height&#58;{height:.1f}rem">{bands}'
        f'{"".join(dots)}</div><div class="ends"><span>0</span>{_ticks(limits)}<span>1</span></div></div>'
    )


def _bands(limits: Thresholds) -> str:
    edges = {"no": (0.0, limits.lower), "unclear": (limits.lower, limits.upper), "yes": (limits.upper, 1.0)}
    names = {"no": _("incorrect"), "unclear": _("ambiguous"), "yes": _("correct")}
    return "".join(
        f'<span class="zone {kind}" style="left&#58;{100 * a:.1f}%;width&#58;{100 * (b - a):.1f}%">'
        f"<i>{text(names[kind])}</i></span>"
        for kind, (a, b) in edges.items()
    )


def _ticks(limits: Thresholds | None) -> str:
    if limits is None:
        return ""
    # two that are close stand on either side of the gap between them
    sides = ("under", "over") if 0 < limits.upper - limits.lower < NEAR else ("", "")
    places = dict(zip((limits.lower, limits.upper), sides, strict=True))
    return "".join(
        f'<span class="tick {side}" style="left&#58;{100 * at:.1f}%">{at:.2f}</span>'
        for at, side in places.items()
        if (NEAR if side == "under" else 0.04) < at < (1 - NEAR if side == "over" else 0.96)
    )


def strips_html(trace: Trace | None, tried: Thresholds | None, entries: list[Found]) -> str:
    """Draw each document in full, its kept strips standing out and its dropped ones faded."""
    refinement = refinement_of(trace) if trace else None
    if trace is None or refinement is None or not refinement.scored:
        return ""
    own = refinement.evaluation.thresholds if refinement.evaluation else None
    moved = tried is not None and own is not None and tried.strip != own.strip
    strips = refinement.strips_under(tried.strip) if moved and tried else refinement.strips
    grades = refinement.grades_under(tried) if tried else {d.id: g for d, g in refinement.scored}
    web = [refinement.texts[s.document] for s in refinement.strips if s.document in refinement.texts]
    documents = {d.id: d for d in [*(d for d, _grade in refinement.scored), *web]}
    shown = numbers(entries)
    cards = [
        _document(d, grades.get(d.id), [s for s in strips if s.document == d.id], _fate(refinement, d, trace), shown)
        for d in documents.values()
    ]
    return f'{_sum(refinement, strips, moved=moved)}<div class="drafts">{"".join(cards)}</div>'


def _sum(refinement: Refinement, strips: list[Strip], *, moved: bool) -> str:
    if not strips:
        return ""
    kept = sum(s.kept for s in strips)
    sentence = _(
        "{kept} of {total} strips are kept, at most {most} of the library and {most} of the web. A strip is one to three "
        "sentences."
    )
    if moved:
        sentence = _("With this threshold {kept} of {total} strips would be kept; the run kept {run}.")
    words = sentence.format(
        kept=kept, total=len(strips), most=refinement.most, run=sum(s.kept for s in refinement.strips)
    )
    return f'<p class="{"what" if moved else "say"}">{text(words)}</p>'


def _fate(refinement: Refinement, document: Document, trace: Trace) -> str:
    """Say what happened to a document that has no strips."""
    if refinement.evaluation and refinement.evaluation.action == "incorrect" and document.origin == "library":
        return _("thrown away whole")
    return _("not refined") if trace.ended else _("not refined yet")


def _document(document: Document, grade: Grade | None, strips: list[Strip], fate: str, shown: dict[str, int]) -> str:
    kept = sum(s.kept for s in strips)
    summary = plural(len(strips), "{kept} of {n} strip kept", "{kept} of {n} strips kept", kept=kept)
    summary = summary if strips else fate
    body = "".join(_piece(piece, strip) for piece, strip in cut_at(document.text, strips))
    top = f'<div class="top">{named(document, shown)}{_badge(document, grade)}</div>'
    flag = " open" if strips else ""
    return (
        f'<article class="draft strips{"" if strips else " out"}">{top}<details{flag}><summary>{text(summary)}</summary>'
        f'<div class="st-text">{body}</div></details></article>'
    )


def _badge(document: Document, grade: Grade | None) -> str:
    if document.origin == "web":
        return verdict("web", _("from the web"))
    if grade is None:
        return verdict("busy", _("scoring"))
    score = "" if grade.score is None else f" {grade.score:.2f}"
    words = _(grade.label) if grade.label in ACTIONS else grade.label or _("unclear")
    return verdict(ACTIONS.get(grade.label, "unclear"), words + score)


def _piece(piece: str, strip: Strip | None) -> str:
    """Draw a strip, or the text between strips. Spaces and line ends around it stay."""
    body = piece.strip()
    before, _body, after = piece.partition(body) if body else (piece, "", "")
    if not body:
        return _gap(before)
    if strip is None:
        return f'{_gap(before)}<span class="drop">{readable_line(body)}</span>{_gap(after)}'
    tip = attribute(_("no score") if strip.score is None else _("score of this strip, from 0 to 1"))
    score = "–" if strip.score is None else f"{strip.score:.2f}"
    tag = ('<mark class="keep">', "</mark>") if strip.kept else ('<span class="drop">', "</span>")
    mark = f'<sup class="sc" title="{tip}">{score}</sup>'
    return f"{_gap(before)}{tag[0]}{readable_line(body)}{tag[1]}{mark}{_gap(after)}"


def _gap(space: str) -> str:
    return "<br>" if "\n" in space or "\r" in space else " " if space else ""
