"""Graders on a chat model: each asks for one word, yes or no, and reads whatever comes back."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Literal

from rag_graphs.engines.llm.chat import Chat
from rag_graphs.engines.llm.side_by_side import Once, settled
from rag_graphs.engines.llm.verdict_replies import Verdict, read_verdict, yes_probability
from rag_graphs.engines.prompts import Rendered, numbered, render
from rag_graphs.graphs.state import Document, Grade
from rag_graphs.settings import Settings

Aspect = Literal["relevance", "groundedness", "usefulness"]

LABELS: dict[Aspect, tuple[str, str]] = {
    "relevance": ("relevant", "not relevant"),
    "groundedness": ("grounded", "not grounded"),
    "usefulness": ("useful", "not useful"),
}
AGAIN = "\n\nAn earlier reply could not be read. Reply with one word and nothing else: yes or no."


def schema(key: str, values: Sequence[str | int]) -> dict[str, object]:
    """The JSON schema of a reply that chooses one of `values`, all words or all whole numbers, and gives its reason."""
    # without defaults and optional keys, which strict servers refuse; the verdict first, so that its probability is known
    kind = "integer" if isinstance(values[0], int) else "string"
    return {
        "type": "object",
        "properties": {key: {"type": kind, "enum": list(values)}, "reason": {"type": "string"}},
        "required": [key, "reason"],
        "additionalProperties": False,
    }


VERDICT = schema("score", ["yes", "no"])


class Graders:
    """The graders of one run. Identical requests are asked once."""

    def __init__(self, chat: Chat, settings: Settings) -> None:
        self._chat, self._settings = chat, settings
        self._once: Once[Grade] = Once()

    def grade_relevance(self, question: str, documents: list[Document]) -> Iterator[tuple[int, Grade]]:
        """Grades each document, side by side."""
        prompt = "grade_relevance_strict" if self._settings.strictness == "strict" else "grade_relevance"

        def call(document: Document) -> Callable[[], Grade]:
            shown = numbered([(document.title, document.text)])
            return lambda: self._grade("relevance", self._render(prompt, question=question, document=shown))

        yield from settled([call(d) for d in documents], lambda _, error: unclear("relevance", str(error)))

    def grade_answer(self, question: str, documents: list[Document], answer: str) -> Iterator[Grade]:
        """Grades groundedness and usefulness, side by side."""
        shown = numbered([(d.title, d.text) for d in documents])
        grounded = self._render("grade_groundedness", question=question, documents=shown, answer=answer)
        useful = self._render("grade_usefulness", question=question, answer=answer)
        calls = [lambda: self._grade("groundedness", grounded), lambda: self._grade("usefulness", useful)]
        aspects: tuple[Aspect, Aspect] = ("groundedness", "usefulness")
        for _, grade in settled(calls, lambda index, error: unclear(aspects[index], str(error))):
            yield grade

    def _render(self, role: str, **values: object) -> Rendered:
        return render(role, self._settings.prompts, **values)

    def _grade(self, aspect: Aspect, prompt: Rendered) -> Grade:
        return self._once((aspect, prompt), lambda: self._ask(aspect, prompt))

    def _ask(self, aspect: Aspect, prompt: Rendered) -> Grade:
        role = f"grade_{aspect}"
        reply = self._chat.ask(role, prompt, VERDICT)
        verdict = read_verdict(reply.text)
        if verdict.passed is None:
            reply = self._chat.ask(role, prompt._replace(user=prompt.user + AGAIN))
            verdict = read_verdict(reply.text)
            if verdict.passed is not None:
                self._chat.prefers_words()
        probability = yes_probability(reply.tokens, verdict.passed)
        return _grade(aspect, verdict, probability, reply.text)


def _grade(aspect: Aspect, verdict: Verdict, probability: float | None, reply: str) -> Grade:
    if verdict.passed is None:
        return unclear(aspect, unreadable("gave no verdict", reply))
    label = LABELS[aspect][0 if verdict.passed else 1]
    score = verdict.score if probability is None else probability
    return Grade(aspect=aspect, passed=verdict.passed, label=label, score=score, reason=verdict.reason)


def unclear(aspect: Aspect, error: str) -> Grade:
    """A grade without a verdict."""
    return Grade(aspect=aspect, passed=None, label="unclear", error=error)


def unreadable(what: str, reply: str) -> str:
    """A sentence on a reply that could not be read, also when it was asked for again."""
    return f"The model was asked twice and {what} that can be read. Its reply: {excerpt(reply)}"


def excerpt(text: str) -> str:
    """The beginning of a reply in one line, for a sentence about it."""
    line = " ".join(text.split())
    return f"“{line[:120]}{'…' if len(line) > 120 else ''}”" if line else "nothing at all."
