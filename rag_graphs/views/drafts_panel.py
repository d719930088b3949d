"""Draw the panel Drafts: a card for each draft, its score as a bar and in words."""

from __future__ import annotations

from dataclasses import asdict

from rag_graphs.graphs.critique_scores import Score, Weights, by_probability
from rag_graphs.graphs.state import Document, Grade, JudgedDraft
from rag_graphs.runs.from_trace import Drafts, drafts_of
from rag_graphs.runs.trace import Trace
from rag_graphs.views.answer import cited
from rag_graphs.views.document_link import named, title_of
from rag_graphs.views.documents_seen import Found, numbers
from rag_graphs.views.render import attribute, empty, text, verdict
from rag_graphs.views.translation import _
from rag_graphs.views.verdict_words import kind_of, words_of

PARTS = ("relevance", "support", "use", "likelihood")


def part_names() -> dict[str, str]:
    """Return the names of a score's parts, in the order of the bar."""
    return {"relevance": _("relevance"), "support": _("support"), "use": _("use"), "likelihood": _("text")}


def head_html(trace: Trace | None, *, weighted: bool = False) -> str:
    """Say where the scores come from and how they are made. `weighted`: name the run's weights as well, for readers without
    sliders."""
    drafts = drafts_of(trace) if trace else None
    if drafts is None or not (drafts.landed or drafts.waiting):
        if trace is not None and drafts is not None:
            return empty(_("No document was found, so nothing was drafted."))
        if trace is not None and trace.ended:
            return empty(_("Nothing was drafted in this run."))
        return empty(
            _(
                "A draft of the answer from each document appears here, with three judgements on it: is the document "
                "relevant, does it support the draft, is the draft useful? The best one becomes the answer."
            )
        )
    return f'<p class="say">{text(_source(drafts))}</p>{_how(drafts.weights if weighted else None)}'


def _how(weights: Weights | None) -> str:
    """Say what is judged, what each word of a judgement counts, and how the three make a score."""
    questions = {
        "ISREL": _("Is the document relevant to the question? Relevant counts 1, irrelevant 0."),
        "ISSUP": _("Does the document support the draft? Fully counts 1, partially 0.5, no support 0."),
        "ISUSE": _("How useful is the draft as an answer? 5 of 5 counts 1, then 0.5, 0, −0.5, and 1 of 5 counts −1."),
    }
    rows = "".join(f"<dt>{name}</dt><dd>{text(words)}</dd>" for name, words in questions.items())
    total = _("Each is multiplied by its weight. The sum is the draft’s score, and the highest score wins.")
    if weights is not None:
        each = _("relevance × {relevance:g}, support × {support:g}, use × {use:g}, text × {likelihood:g}")
        total += " " + _("The weights of this run: {weights}.").format(weights=each.format(**asdict(weights)))
    title = _("What is judged, and how it makes a score")
    return f'<details class="how"><summary>{text(title)}</summary><dl>{rows}</dl><p>{text(total)}</p></details>'


def _source(drafts: Drafts) -> str:
    if not drafts.landed:
        return _("Each document gets a draft of its own.")
    probable = by_probability(drafts.landed)
    if probable:
        return _("The scores come from the model’s probabilities (Self-RAG, equations 3 and 4).")
    if probable is None:
        return _("Where the model told probabilities the scores come from those; a plain verdict counts as certain.")
    return _("The scores come from plain verdicts, each counted as certain: no probabilities were told.")


def drafts_html(trace: Trace | None, weights: Weights | None, entries: list[Found]) -> str:
    """Draw the drafts as these weights rank them (the run's own where none are given), and those still to come."""
    drafts = drafts_of(trace) if trace else None
    if drafts is None:
        return ""
    tried = weights or drafts.weights
    order, before = drafts.ranking(tried), drafts.ranking(drafts.weights)
    ranks = {draft.document.id: n for n, (draft, _score) in enumerate(before, 1)}
    scale = _Scale(order, tried)
    winner = before[0][0] if before and drafts.may_win(before[0][0]) else None
    cards = [
        _card(n, pair, ranks, _note(n, pair[0], winner, drafts), scale, entries) for n, pair in enumerate(order, 1)
    ]
    cards += [_waiting(document, entries) for document in drafts.waiting]
    return f'{_verdict(drafts, order, before)}<div class="drafts">{"".join(cards)}</div>'


def _verdict(drafts: Drafts, order: list[tuple[JudgedDraft, Score]], before: list[tuple[JudgedDraft, Score]]) -> str:
    """Say what other weights would have changed; nothing while drafts are being written or where the order is the run's."""
    if drafts.usable is None or not order or not drafts.may_win(order[0][0]):
        return ""
    level = sum(drafts.may_win(draft) and score.total == order[0][1].total for draft, score in order)
    tie = " " + _("Where scores are equal, the document that was found first comes first.") if level > 1 else ""
    now, then = order[0][0].document, before[0][0].document
    moved = sum(a[0].document.id != b[0].document.id for a, b in zip(order, before, strict=True))
    if now.id != then.id:
        sentence = _("With these weights “{now}” would have won instead of “{then}”.")
        return f'<p class="what">{text(sentence.format(now=title_of(now), then=title_of(then)) + tie)}</p>'
    if moved:
        return f'<p class="what">{text(_("With these weights the same draft wins; others change places.") + tie)}</p>'
    return f'<p class="say">{text(tie.strip())}</p>' if tie else ""


class _Scale:
    """Hold the common scale of the bars: from the worst to the best score that these weights allow."""

    def __init__(self, order: list[tuple[JudgedDraft, Score]], weights: Weights) -> None:
        likelihood = weights.likelihood if any(d.likelihood is not None for d, _score in order) else 0.0
        self.low = min([0.0, *(s.use for _d, s in order)])
        self.span = max(0.01, weights.relevance + weights.support + weights.use + likelihood - self.low)

    def share(self, value: float) -> float:
        """Return a length as a percentage of the whole."""
        return 100 * value / self.span

    def place(self, value: float) -> float:
        """Return a value's place on the scale, in per cent."""
        return self.share(value - self.low)


def _card(
    rank: int,
    pair: tuple[JudgedDraft, Score],
    ranks: dict[str, int],
    note: tuple[str, str],
    scale: _Scale,
    entries: list[Found],
) -> str:
    draft, score = pair
    kind, remark = note
    facts = f'<p class="facts">{text(remark)}</p>' if remark else ""
    words = draft.text or _("No draft was made.")
    body = cited(words, [draft.document], entries) if draft.text else f'<span class="wait">{text(words)}</span>'
    return (
        f'<article class="draft {kind}"><div class="top"><b class="no">{rank}</b>{named(draft.document, numbers(entries))}'
        f'{_moved(rank, ranks[draft.document.id])}<b class="tot">{figure(score.total)}</b></div>'
        f'<p class="dt">{body}</p><p class="vds">{_badges(draft)}</p>{_bar(draft, score, scale)}{facts}</article>'
    )


def _moved(rank: int, before: int) -> str:
    if rank == before:
        return ""
    sign = "▲" if rank < before else "▼"
    return f'<span class="mv">{sign} {text(_("from {n}").format(n=before))}</span>'


def _badges(draft: JudgedDraft) -> str:
    grades: list[Grade] = [draft.relevance, draft.support, draft.use]
    return "".join(verdict(kind_of(g), words_of(g), tip=g.error or g.reason) for g in grades)


def figure(value: float) -> str:
    """Write a number with a true minus sign, and without one before a zero."""
    return f"{round(value, 2) + 0.0:.2f}".replace("-", "−")


def _bar(draft: JudgedDraft, score: Score, scale: _Scale) -> str:
    """Draw the score as a bar of its parts, and write the same in words and numbers."""
    parts = {name: getattr(score, name) for name in PARTS if name != "likelihood" or draft.likelihood is not None}
    pieces, words, right = [], [], 0.0
    for name, value in parts.items():
        start = value if value < 0 else right
        right += max(0.0, value)
        left, width = scale.place(start), scale.share(abs(value))
        pieces.append(f'<i class="{name}" style="left&#58;{left:.1f}%;width&#58;{width:.1f}%"></i>')
        words.append(f'<span><i class="{name}"></i>{text(part_names()[name])} {figure(value)}</span>')
    zero = f'<b style="left&#58;{scale.place(0):.1f}%"></b>' if scale.low < 0 else ""
    return (
        f'<div class="sb" aria-hidden="true">{"".join(pieces)}{zero}</div>'
        f'<p class="parts">{" + ".join(words)} = <b>{figure(score.total)}</b></p>'
    )


def _note(rank: int, draft: JudgedDraft, winner: JudgedDraft | None, drafts: Drafts) -> tuple[str, str]:
    """Say what is special about a draft: a class for its card, and the words."""
    if drafts.usable is None:
        return "", ""
    if not draft.text:
        return "out", ""
    if not drafts.may_win(draft):
        return "out", _("Cannot win: its document is not relevant.")
    if draft is winner:
        return ("best", _("The answer of this run.")) if rank == 1 else ("was", _("The answer of this run."))
    return ("best", _("With these weights it would be the answer.")) if rank == 1 else ("", "")


def _waiting(document: Document, entries: list[Found]) -> str:
    tip = attribute(_("Its draft is being written"))
    return (
        f'<article class="draft wait" title="{tip}"><div class="top"><b class="no">–</b>{named(document, numbers(entries))}'
        f"{verdict('busy', _('drafting'))}</div></article>"
    )
