"""Interleaved reasoning on a chat model: the next sentence from all documents so far (Adaptive-RAG's multi-step answer)."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from rag_graphs.engines.llm.chat import Chat, warn
from rag_graphs.engines.llm.replies import citations, without_fence, without_thinking
from rag_graphs.engines.prompts import numbered, render
from rag_graphs.graphs.components import Components, ReasonRequest, Thought
from rag_graphs.language.clean_text import clean_query
from rag_graphs.settings import Settings

_MARKS = re.compile(
    r"^\W{0,6}(?:next sentence|next step|step \d{1,2}|reasoning|thought)\s*:\s*|^\s*(?:[-*•>]|\d{1,2}[.)])\s+",
    re.IGNORECASE,
)
_END = re.compile(r"[.!?][\"'”’)\]]*(?=\s)|[。！？]")
_NO_END = re.compile(
    r"(?:\b\w|\b(?:mr|mrs|ms|dr|st|prof|no|vs|etc|approx|fig|ca|bzw|z\. ?b|e\.g|i\.e))\.$", re.IGNORECASE
)
ANSWER = re.compile(
    r"\bthe (?:final )?answer (?:is|to [^:.]{1,200} is)\s*:"
    r"|^\W*(?:so|therefore|thus|hence),? the (?:final )?answer is\b(?! (?:not|un))"
    r"|\b(?:die antwort (?:ist|lautet)|la réponse est|la respuesta es|la risposta è|a resposta é|het antwoord is|ответ)\s*:"
    r"|答案是|答えは|답은",
    re.IGNORECASE,
)
"""The form that the prompt asks for, or that form in the language of the question."""
LONGEST_READ = 20_000
LONGEST_SHORT = 12
"""Characters of an abbreviation at most, with what stands before it."""


class Reasoner:
    """Reasons one sentence at a time."""

    def __init__(self, chat: Chat, settings: Settings, fallback: Components) -> None:
        self._chat, self._settings, self._fallback = chat, settings, fallback

    def reason(self, request: ReasonRequest) -> Thought:
        """The next sentence. Of several only the first counts: what follows it should be looked up first, not guessed. Where
        the model writes nothing, the built-in engine steps in and says so."""
        prompt = render(
            "reason_step",
            self._settings.prompts,
            documents=numbered([(d.title, d.text) for d in request.documents]),
            question=request.question,
            chain="\n".join(request.chain) or "(nothing yet)",
        )
        sentence = next_sentence(self._chat.ask("reason_step", prompt).text, request.chain)
        if sentence:
            return Thought(sentence=sentence, final=bool(ANSWER.search(sentence)))
        warn(f"The model “{self._chat.service.model}” wrote nothing. This step is the built-in engine's.")
        return self._fallback.reason(request)


def next_sentence(reply: str, chain: Sequence[str]) -> str:
    """The first sentence of a reply that the chain does not hold yet (a model may begin with what it was shown), else its
    first one; without thinking, fence, list marks, quotes and citations, at most as long as a query. "" where it has none."""
    text = without_fence(without_thinking(reply[:LONGEST_READ]))
    lines = (_MARKS.sub("", _MARKS.sub("", line)) for line in text.splitlines())
    found = [clean_query(sentence) for line in lines for sentence in _sentences(_plain(line))]
    sentences = [sentence for sentence in found if re.search(r"\w", sentence)]
    return next((s for s in sentences if s not in chain), sentences[0] if sentences else "")


def _plain(line: str) -> str:
    return re.sub(r"\s*\[\d{1,3}\]", "", citations(line)).replace("**", "").strip()


def _sentences(line: str) -> Iterator[str]:
    begin = 0
    for end in _END.finditer(line):
        if not _NO_END.search(line[max(begin, end.start() - LONGEST_SHORT) : end.start() + 1]):
            yield line[begin : end.end()]
            begin = end.end()
    yield line[begin:]
