"""Texts that the model writes: answers, steps of reasoning, queries; and the closing text of a run that gives up."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from rag_graphs.export.script.parts.chat_model import ask, filled, shown
from rag_graphs.export.script.parts.given import DESCRIPTION, SETTINGS
from rag_graphs.graphs.components import GenerateRequest, ReasonRequest, RewriteRequest, Thought
from rag_graphs.graphs.state import Answer, Draft, Rewrite, Turn

NO_ANSWER = "The documents do not hold an answer to this question."
NOT_KNOWN = "The model does not know the answer to this question."
REJECTED = "It states what the documents do not state, or it does not answer the question."
SAYS_NOTHING_FOUND = re.compile(
    r"\b(?:documents?|sources?|library|context|text)\b.{0,40}\b(?:do(?:es)? not|don['’]t|doesn['’]t)\b.{0,30}"
    r"\b(?:hold|contain|mention|say|state|answer|provide|include|give)|\bno answer\b|"
    r"\b(?:could|can)(?: ?not|['’]t) (?:be )?(?:find|found|answer)|\bi do(?: not|n['’]t) know\b|"
    r"찾지 못|답이 없|没有.{0,8}答案|答えがありません|見つかりません",
    re.IGNORECASE,
)


def write_answer(request: GenerateRequest) -> Iterator[str | Draft]:
    """Write an answer from numbered documents."""
    yield answer_from_documents("generate", request)


def write_answer_again(request: GenerateRequest) -> Iterator[str | Draft]:
    """Write an answer from numbered documents; a second attempt is told what was wrong with the first."""
    why = {"previous": request.previous, "feedback": request.feedback or REJECTED}
    yield answer_from_documents("generate_again" if request.previous else "generate", request, **why)


def write_answer_after_reasoning(request: GenerateRequest) -> Iterator[str | Draft]:
    """Write an answer from numbered documents and from the reasoning that led to them."""
    steps = "\n".join(f"- {' '.join(sentence.split())}" for sentence in request.chain)
    chain = f"\n\nReasoning that led to these documents, not a source itself:\n{steps}" if steps else ""
    yield answer_from_documents("generate", request, chain=chain)


def answer_from_documents(prompt: str, request: GenerateRequest, **more: str) -> Draft:
    """Ask for an answer from the documents, or for the word NOT_FOUND."""
    if not request.documents:
        return Draft(text=NO_ANSWER, abstained=True)
    rule = "\n\nIf the documents do not hold the answer, begin your reply with the word NOT_FOUND."
    values = {"documents": shown(request.documents), "chain": "", "sentences": SETTINGS.max_sentences, **more}
    messages = filled(prompt, rule, question=request.question, **values)
    return read_answer(ask("generate", messages), NO_ANSWER)


def write_from_memory(request: GenerateRequest) -> Iterator[str | Draft]:
    """Write an answer without documents, after the turns of the conversation."""
    values = {"history": told(request.history), "sentences": SETTINGS.max_sentences}
    rule = "\n\nIf you do not know the answer, begin your reply with the word NOT_FOUND."
    messages = filled("generate_directly", rule, question=request.question, **values)
    yield read_answer(ask("generate", messages), NOT_KNOWN)


def read_answer(reply: str, otherwise: str) -> Draft:
    """Return the answer of a reply. It abstains where it begins with NOT_FOUND, or says in common words that it found nothing."""
    text = citations(reply.replace("NOT_FOUND", "")).strip()
    if "NOT_FOUND" in reply:
        text = text.lstrip(" \n*`]\"':.,-")
    begins = reply.lstrip(" \n*`[\"'#").startswith("NOT_FOUND")
    nothing = "NOT_FOUND" in reply or (len(text) < 300 and bool(SAYS_NOTHING_FOUND.search(text)))
    abstained = not text or begins or (nothing and not re.search(r"\[\d+\]", text))
    return Draft(text=text or otherwise, abstained=abstained)


def citations(text: str) -> str:
    """Write every citation in one form: [1][3]."""
    cited = r"(?i)[\[【]\s*(?:documents?|docs?|sources?|nr|no)?[.#\s]*(\d{1,3}(?:\s*[,;、&]\s*\d{1,3})*)\s*[\]】]"
    return re.sub(cited, lambda found: "".join(f"[{number}]" for number in re.findall(r"\d+", found[1])), text)


def told(history: Sequence[Turn]) -> str:
    """Return the last turns of a conversation as prompts show them."""
    pairs = [(" ".join(t.question.split())[:500], " ".join(t.answer.split())[:1_000]) for t in history[-6:]]
    return "\n".join(f"User: {question}\nAnswer: {answer}" for question, answer in pairs) or "(nothing)"


def make_standalone(question: str, history: list[Turn]) -> Rewrite:
    """Put a follow-up question into words that stand alone."""
    if not history:
        return Rewrite(query=question)
    return Rewrite(
        query=first_line(ask("rewrite", filled("condense_question", question=question, history=told(history))))
    )


def query_for_library(request: RewriteRequest) -> Rewrite:
    """Put the question into other words for the library."""
    values = {"queries": "\n- ".join(["", *request.queries]).strip(), "description": DESCRIPTION}
    return Rewrite(query=first_line(ask("rewrite", filled("rewrite_library", question=request.question, **values))))


def query_for_web(request: RewriteRequest) -> Rewrite:
    """Put the question into a query for the web."""
    values = {"queries": "\n- ".join(["", *request.queries]).strip()}
    return Rewrite(query=first_line(ask("rewrite", filled("rewrite_web", question=request.question, **values))))


def keywords_for_web(request: RewriteRequest) -> Rewrite:
    """Name at most three keywords of the question."""
    reply = first_line(ask("rewrite", filled("keywords_web", question=request.question)))
    words = [word.strip() for word in reply.split(",") if word.strip()]
    return Rewrite(query=", ".join(words[:3]))


def first_line(reply: str) -> str:
    """Return the first line of a reply, without list marks and quotes, as long as a search takes it."""
    line = next((line for line in reply.splitlines() if line.strip()), "")
    return re.sub(r"^\s*(?:[-*•]|\d{1,2}[.)])\s+", "", line).strip(" \t\"'`“”")[:400]


def reason_on(request: ReasonRequest) -> Thought:
    """Reason one sentence from all documents so far; "the answer is" ends the chain."""
    chain = "\n".join(request.chain) or "(nothing yet)"
    messages = filled("reason_step", documents=shown(request.documents), question=request.question, chain=chain)
    lines = [
        re.sub(
            r"^\W*(?:next sentence|next step|step \d+|reasoning|thought)\s*:|^\s*(?:[-*•>]|\d+[.)])\s",
            "",
            line,
            flags=re.IGNORECASE,
        )
        for line in ask("generate", messages).splitlines()
    ]
    # a full stop after one letter or a title is an abbreviation
    ends = re.compile(r"(?<!\b\w)(?<!\b[MDS][rst])(?<!\bMrs)(?<=[.!?])\s+|(?<=[。！？])")
    sentences = [first_line(citations(s)) for line in lines for s in ends.split(line) if re.search(r"\w", s)]
    sentence = next((s for s in sentences if s not in request.chain), sentences[0] if sentences else "")
    return Thought(
        sentence=sentence,
        final=bool(re.search(r"\bthe (?:final )?answer is\b|答案是|答えは|답은", sentence, re.IGNORECASE)),
    )


def closing_text(question: str, best: Answer | None, queries: list[str], search_error: str) -> str:
    """Give up: return the best attempt, said to be unverified, or what was searched for in vain."""
    failed = f" The web search failed: {search_error}" if search_error else ""
    if best is not None:
        return f"This is the best attempt; it could not be verified: {best.text}{failed}"
    tried = ", ".join(f"“{query}”" for query in dict.fromkeys(queries))
    return f"I could not find this in the library. Searched for: {tried}.{failed}"
