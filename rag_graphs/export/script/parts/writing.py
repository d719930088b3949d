"""Texts that the model writes: answers, steps of reasoning, queries; and the closing text of a run that gives up."""

from __future__ import annotations

import re
from collections.abc import Iterator

from rag_graphs.engines.llm.reasoner import ANSWER, next_sentence
from rag_graphs.engines.llm.replies import citations, without_thinking
from rag_graphs.engines.llm.writers import MARK, NOT_FOUND, UNGIVEN, UNKNOWN
from rag_graphs.engines.prompts import led_by
from rag_graphs.export.script.parts.asking import ask, filled
from rag_graphs.export.script.parts.given import DESCRIPTION, SETTINGS, Prompt
from rag_graphs.export.script.parts.judging import shown
from rag_graphs.graphs.components import GenerateRequest, ReasonRequest, RewriteRequest, Thought
from rag_graphs.graphs.state import Answer, Draft, Rewrite
from rag_graphs.language.clean_text import MAX_QUERY
from rag_graphs.language.phrases import says_nothing_found

ABSTAINING = "The documents do not hold an answer to this question."
NOT_KNOWN = "The model does not know the answer to this question."


def write_answer(request: GenerateRequest) -> Iterator[str | Draft]:
    """An answer from numbered documents; a second attempt is told what was wrong with the first."""
    if not request.documents:
        yield Draft(text=ABSTAINING, abstained=True)
        return
    values: dict[str, object] = {
        "question": request.question,
        "documents": shown(request.documents),
        "sentences": SETTINGS.max_sentences,
        "chain": led_by(request.chain),
        "previous": request.previous,
        "feedback": request.feedback or UNGIVEN,
    }
    prompt = filled("generate_again" if request.previous else "generate", **values)
    yield read_answer(ask("generate", marked(prompt, MARK)).text, ABSTAINING)


def write_from_memory(request: GenerateRequest) -> Iterator[str | Draft]:
    """An answer without documents."""
    yield from_memory(request.question, "(nothing)")


def from_memory(question: str, history: str) -> Draft:
    """What the model knows by itself, after these turns of a conversation."""
    prompt = filled("generate_directly", question=question, history=history, sentences=SETTINGS.max_sentences)
    return read_answer(ask("generate", marked(prompt, UNKNOWN)).text, NOT_KNOWN)


def marked(prompt: Prompt, mark: str) -> Prompt:
    """A prompt that asks for the marker, in its constant part if it has one."""
    return Prompt(prompt.system + mark, prompt.user) if prompt.system else Prompt("", prompt.user + mark)


def read_answer(reply: str, otherwise: str) -> Draft:
    """The answer of a reply, without thinking and marker. It abstains where it has the marker, unless it cites documents all
    the same, or says in common words what the marker says; `otherwise`: its text where none is left."""
    written = without_thinking(reply)
    text = citations(written.replace(NOT_FOUND, "")).strip()
    if seen := NOT_FOUND in written:
        text = text.lstrip(" \n*`]\"':.,-")
    leading = written.lstrip(" \n*`[\"'#").startswith(NOT_FOUND)
    cites = bool(re.search(r"\[\d+\]", text))
    abstained = not text or leading or (seen and not cites) or says_nothing_found(text)
    return Draft(text=text or otherwise, abstained=abstained)


def reason_on(request: ReasonRequest) -> Thought:
    """One sentence of reasoning from all documents so far; "So the answer is" ends the chain."""
    chain = "\n".join(request.chain) or "(nothing yet)"
    prompt = filled("reason_step", documents=shown(request.documents), question=request.question, chain=chain)
    sentence = next_sentence(ask("generate", prompt).text, request.chain)
    return Thought(sentence=sentence, final=bool(ANSWER.search(sentence)))


def query_for_library(request: RewriteRequest) -> Rewrite:
    """The question in other words, for the library."""
    tried = _listed(request.queries)
    prompt = filled("rewrite_library", question=request.question, queries=tried, description=DESCRIPTION)
    return Rewrite(query=first_line(ask("rewrite", prompt).text)[:MAX_QUERY])


def query_for_web(request: RewriteRequest) -> Rewrite:
    """The question as a query for the web."""
    prompt = filled("rewrite_web", question=request.question, queries=_listed(request.queries))
    return Rewrite(query=first_line(ask("rewrite", prompt).text)[:MAX_QUERY])


def keywords_for_web(request: RewriteRequest) -> Rewrite:
    """At most three keywords of the question."""
    reply = first_line(ask("rewrite", filled("keywords_web", question=request.question)).text)
    words = [word.strip() for word in reply.split(",") if word.strip()]
    return Rewrite(query=", ".join(words[:3])[:MAX_QUERY])


def closing_text(question: str, best: Answer | None, queries: list[str], search_error: str) -> str:
    """The text of a run that gives up: the best attempt, said to be unverified, or what could not be found."""
    failed = [f"The web search failed: {search_error}"] if search_error else []
    if best is not None:
        return " ".join(["This is the best attempt; it could not be verified:", best.text, *failed])
    tried = ", ".join(f"“{query}”" for query in dict.fromkeys(queries))
    return " ".join(["I could not find this in the library.", f"Searched for: {tried}.", *failed])


def first_line(reply: str) -> str:
    """The first line of a reply, without thinking, list marks and quotes."""
    line = next((line for line in without_thinking(reply).splitlines() if line.strip()), "")
    return re.sub(r"^\s*(?:[-*•]|\d{1,2}[.)])\s+", "", line).strip().strip("\"'`“”").strip()


def _listed(queries: list[str]) -> str:
    return "\n".join(f"- {query}" for query in queries)
