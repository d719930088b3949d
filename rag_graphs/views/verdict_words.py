"""Name verdicts: grades, routes, actions, classes of a question, stop reasons; and draw their badges."""

from __future__ import annotations

from rag_graphs.graphs.state import Complexity, Grade
from rag_graphs.views.render import attribute, text, verdict
from rag_graphs.views.translation import _

MARKS = {"yes": "✓", "no": "✕", "plain": ""}
"""The sign of a stop reason, by its colour."""
ACTIONS = {"correct": "yes", "ambiguous": "unclear", "incorrect": "no"}
"""The colour of each of the retrieval evaluator's actions."""
SCALES = frozenset({"fully supported", "partially supported", "no support", "1", "2", "3", "4", "5"})
"""Self-RAG's scales of an answer, whose words say all: another number beside them would not be the one that counts."""


def badge(grade: Grade) -> str:
    """Draw a grade of an answer or of a draft, with its reason as a tip."""
    score = "" if grade.score is None or grade.label in SCALES else f" {grade.score:.2f}"
    return verdict(kind_of(grade), words_of(grade) + score, tip=grade.error or grade.reason)


def kind_of(grade: Grade) -> str:
    """Return the colour of a badge: what stands in the middle of its scale is neither good nor bad."""
    if grade.label in ("partially supported", "3"):
        return "part"
    return "unclear" if grade.passed is None else "yes" if grade.passed else "no"


def words_of(grade: Grade) -> str:
    """Return the verdict in words."""
    own = {
        "relevant": _("relevant"),
        "irrelevant": _("irrelevant"),
        "fully supported": _("fully supported"),
        "partially supported": _("partially supported"),
        "no support": _("no support"),
    }
    if grade.label in own:
        return own[grade.label]
    if grade.aspect == "usefulness" and grade.label in ("1", "2", "3", "4", "5"):
        return _("useful {n} of 5").format(n=grade.label)
    verdicts = {
        ("relevance", True): _("relevant"),
        ("relevance", False): _("not relevant"),
        ("relevance", None): _("relevant? unclear"),
        ("groundedness", True): _("grounded"),
        ("groundedness", False): _("not grounded"),
        ("usefulness", True): _("useful"),
        ("usefulness", False): _("not useful"),
        ("groundedness", None): _("grounded? unclear"),
        ("usefulness", None): _("useful? unclear"),
    }
    return verdicts[(grade.aspect, grade.passed)]


def target_name(target: str) -> str:
    """Say where a route leads."""
    names = {
        "vectorstore": _("to the library"),
        "web search": _("to the web"),
        "no retrieval": _("straight to the model"),
    }
    return names.get(target, target)


def meaning(action: str) -> str:
    """Say what one of the retrieval evaluator's actions leads to."""
    meanings = {
        "correct": _("The library’s documents are refined."),
        "ambiguous": _("The library’s documents are refined, and the web is searched as well."),
        "incorrect": _("The library’s documents are thrown away, and the web is searched."),
    }
    return meanings.get(action, "")


def class_words(complexity: Complexity) -> str:
    """Return a class of complexity with what it means; one that could not be read counts as B."""
    classes = {
        "A": _("A, no search"),
        "B": _("B, one search"),
        "C": _("C, one search after the other"),
    }
    return classes["B" if complexity.error else complexity.label]


def stop_chip(reason: str, strategy: str) -> tuple[str, str, str]:
    """Return a stop reason's colour (yes, no, plain), its words and its meaning."""
    chips = {
        "useful": ("yes", _("Useful"), _("Rests on the documents and answers the question.")),
        "answered": ("plain", _("Answered"), _("{strategy} does not check its answer.").format(strategy=strategy)),
        "not verified": ("plain", _("Not verified"), _("The answer could not be checked to the end.")),
        "no relevant documents": ("no", _("No relevant documents"), _("Nothing that was found answers the question.")),
        "retry budget spent": (
            "no",
            _("Retry budget spent"),
            _("No attempt passed every check; this is the best one."),
        ),
        "from the model, without sources": ("plain", _("Without sources"), _("The model answered from what it knows.")),
        "search unavailable": ("no", _("Search unavailable"), _("A web search was needed and could not be made.")),
        "spending cap reached": ("no", _("Spending cap"), _("The run had spent what it may.")),
        "stopped": ("plain", _("Stopped"), _("The run was stopped. What it found so far stays below.")),
        "failed": ("no", _("Failed"), _("Something went wrong.")),
        "interrupted": ("plain", _("Interrupted"), _("The server ended before the run did. This is what it had done.")),
    }
    return chips.get(reason, ("plain", reason.capitalize(), ""))


def stop_chip_html(reason: str, strategy: str, *, big: bool = False) -> str:
    """Draw the stop reason as a chip with its meaning; `strategy` is a title. A run that goes on has none yet."""
    if not reason:
        return verdict("busy", _("Running"))
    colour, words, meaning = stop_chip(reason, strategy)
    mark = f"{MARKS[colour]} " if MARKS[colour] else ""
    size = " big" if big else ""
    return f'<span class="chip{size} {colour}" title="{attribute(meaning)}">{mark}{text(words)}</span>'
