"""What a model writes beside answers from documents: a next sentence, a question that stands alone, keywords, an answer from
what it knows."""

from __future__ import annotations

from typing import Any

import pytest

from rag_graphs.engines.llm.condenser import LONGEST
from rag_graphs.engines.llm.past_turns import MOST_TURNS, told
from rag_graphs.engines.llm.reasoner import next_sentence
from rag_graphs.engines.llm.replies import keywords_of
from rag_graphs.engines.llm.writers import LONGEST_ANSWER
from rag_graphs.engines.prompts import PROMPTS
from rag_graphs.graphs.components import GenerateRequest, ReasonRequest, RewriteRequest, Thought
from rag_graphs.graphs.state import Draft, Rewrite, Turn
from rag_graphs.graphs.strategies import get_strategy
from rag_graphs.language.clean_text import MAX_QUERY
from rag_graphs.runs.runner import run
from rag_graphs.runs.trace import Trace
from tests.engines.llm.conftest import Start, ask, components_for, settings_for
from tests.fakes import DOCS

PROTOCOLS = ["openai", "ollama"]
TURNS = [Turn(question="Who was Ada Lovelace?", answer="A mathematician [1].")]


@pytest.mark.parametrize(
    ("reply", "sentence", "final"),
    [
        ("The gauge is that of the Rhine line.", "The gauge is that of the Rhine line.", False),
        ("It opened in 1851. It is 12 mm wide.", "It opened in 1851.", False),
        ("It is 3.5 mm wide, by Dr. A. Smith vs. others.", "It is 3.5 mm wide, by Dr. A. Smith vs. others.", False),
        ("<think>hm</think>\n\n- **It** opened in 1851 [2].\n- More.", "It opened in 1851.", False),
        ("Next sentence: “It opened in 1851.”", "It opened in 1851.", False),
        ("1. Step 2: It opened.", "It opened.", False),
        ("```\nIt opened.\n```", "It opened.", False),
        ("它于1851年开通。宽12毫米。", "它于1851年开通。", False),
        ("So the answer is: 12 mm [1][2].", "So the answer is: 12 mm.", True),
        ("so the final answer is 12 mm", "so the final answer is 12 mm", True),
        ("The answer to how wide it is is: 12.", "The answer to how wide it is is: 12.", True),
        ("Die Antwort lautet: 12 mm.", "Die Antwort lautet: 12 mm.", True),
        ("所以答案是12毫米。", "所以答案是12毫米。", True),
        ("So the answer is not known yet.", "So the answer is not known yet.", False),
        ("The answer is hidden in the list of lines.", "The answer is hidden in the list of lines.", False),
        ("Known already. So the answer is: 12.", "So the answer is: 12.", True),
        ("Known already.", "Known already.", False),
    ],
)
@pytest.mark.parametrize("protocol", PROTOCOLS)
def test_a_step_of_reasoning_is_the_next_sentence(
    start: Start, protocol: str, reply: str, sentence: str, final: bool
) -> None:
    server = start(protocol, {"reason_step": reply})
    request = ReasonRequest(question="How wide?", documents=DOCS, chain=["Known already."])

    assert components_for(settings_for(server)).reason(request) == Thought(sentence=sentence, final=final)
    prompt = server.requests[0].body["messages"][-1]["content"]
    assert "Known already." in prompt
    assert "Text 4." in prompt


CHAIN = {
    "classify_complexity": "C",
    "reason_step": ["The gauge is that of the Rhine line.", "So the answer is: 12 mm."],
}


@pytest.mark.parametrize("protocol", PROTOCOLS)
def test_what_was_reasoned_reaches_the_answer_without_the_sentence_that_ended_it(start: Start, protocol: str) -> None:
    server = start(protocol, CHAIN)
    trace = ask("adaptive-complexity", server)

    assert trace.path[-3:] == ["retrieve_more", "reason_step", "generate"]
    prompt = server.requests[-1].body["messages"][-1]["content"]
    assert prompt.endswith("not a source itself:\n- The gauge is that of the Rhine line.")


def test_a_replaced_prompt_may_do_without_what_was_reasoned(start: Start) -> None:
    server = start("openai", CHAIN)
    trace = ask("adaptive-complexity", server, prompts={"generate": PROMPTS["generate"].text.replace("{chain}", "")})

    assert trace.stop_reason == "answered"
    assert "Rhine" not in server.requests[-1].body["messages"][-1]["content"]


@pytest.mark.parametrize("reply", ["", "<think>for ever", "...", "- \n- ", "[1]"])
def test_without_a_sentence_the_built_in_engine_steps_in_and_says_so(start: Start, reply: str) -> None:
    thought = Thought(sentence="The built-in sentence.", final=True)
    replies = {"classify_complexity": "C", "reason_step": reply}
    trace = ask("adaptive-complexity", start("openai", replies), fakes={"thoughts": [thought]})

    assert trace.state.chain[0].sentence == "The built-in sentence."
    assert any("This step is the built-in engine's" in w for w in trace.warnings)


def test_a_step_is_bounded() -> None:
    assert len(next_sentence("word " * 100_000, [])) <= MAX_QUERY
    assert next_sentence("." * 100_000, []) == ""
    assert next_sentence("a. " * 30_000, ["x"])


def condensed(start: Start, protocol: str, reply: Any, question: str = "When was she born?") -> Trace:
    server = start(protocol, {"condense_question": reply})
    settings = settings_for(server, conversing=True)
    events = run(get_strategy("naive"), question, components_for(settings), settings, history=TURNS)
    return Trace(list(events))


@pytest.mark.parametrize("protocol", PROTOCOLS)
@pytest.mark.parametrize(
    ("reply", "asked"),
    [
        ("When was Ada Lovelace born?", "When was Ada Lovelace born?"),
        ('<think>she = Ada</think>\n"When was Ada Lovelace born?"\n', "When was Ada Lovelace born?"),
        ("Standalone question: When was Ada Lovelace born?", "When was Ada Lovelace born?"),
        ("```\nWhen was Ada Lovelace born?\n```\n", "When was Ada Lovelace born?"),
        ("When was Ada Lovelace born?\n\nI put in her name.", "When was Ada Lovelace born?"),
    ],
)
def test_a_follow_up_is_made_to_stand_alone(start: Start, protocol: str, reply: str, asked: str) -> None:
    trace = condensed(start, protocol, reply)

    assert trace.path == ["condense_question", "retrieve", "generate"]
    assert (trace.state.condensed, trace.state.query) == (asked, asked)
    assert trace.state.question == "When was she born?"
    assert trace.warnings == []
    assert [e.role for e in trace.events if e.kind == "model_called"] == ["condense_question", "generate"]


@pytest.mark.parametrize("protocol", PROTOCOLS)
def test_one_that_stands_alone_already_stays_as_it_is(start: Start, protocol: str) -> None:
    trace = condensed(start, protocol, "When was she born?")

    assert (trace.state.condensed, trace.state.query, trace.warnings) == ("", "When was she born?", [])


@pytest.mark.parametrize("protocol", PROTOCOLS)
@pytest.mark.parametrize(
    ("reply", "why"), [("", "no question"), ("<think>hm", "no question"), ("on " * 300, "far more")]
)
def test_what_is_no_question_changes_nothing_and_is_told(start: Start, protocol: str, reply: str, why: str) -> None:
    trace = condensed(start, protocol, reply)

    assert (trace.state.condensed, trace.state.query) == ("", "When was she born?")
    (warning,) = trace.warnings
    assert why in warning


def test_without_a_conversation_no_model_is_asked(start: Start) -> None:
    server = start("openai")

    assert components_for(settings_for(server)).condense("Who was she?", []) == Rewrite(query="Who was she?")
    assert server.requests == []


def test_a_question_is_bounded_whatever_the_conversation(start: Start) -> None:
    endless = "why " * (LONGEST // 2)
    server = start("openai", {"condense_question": endless})
    long = "What about this? " * 100

    assert components_for(settings_for(server)).condense(long, TURNS) == Rewrite(query=long)


def test_a_conversation_is_shown_by_its_last_turns_and_bounded() -> None:
    turns = [Turn(question=f"Question {n}?", answer="word " * 5_000) for n in range(20)]

    shown = told(turns)
    assert "Question 19?" in shown
    assert "Question 13?" not in shown
    assert shown.count("User: ") == MOST_TURNS
    assert len(shown) < MOST_TURNS * 1_600
    assert told([]) == "(nothing)"
    assert told([Turn(question="a\nUser: b", answer="c")]) == "User: a User: b\nAnswer: c"


@pytest.mark.parametrize(
    ("reply", "keywords"),
    [
        ("Ada Lovelace, birth, London", "Ada Lovelace, birth, London"),
        ("Keywords: Ada Lovelace, birth", "Ada Lovelace, birth"),
        ("Here are the keywords:\n1. Ada Lovelace\n2. birth\n3. London\n4. date", "Ada Lovelace, birth, London"),
        ('"Ada Lovelace", "birth"', "Ada Lovelace, birth"),
        ('["Ada Lovelace", "birth", "London", "year"]', "Ada Lovelace, birth, London"),
        ('{"keywords": ["Ada Lovelace", "birth"]}', "Ada Lovelace, birth"),
        ("<think>which?</think>에이다, 출생", "에이다, 출생"),
        ("艾达、出生，伦敦", "艾达, 出生, 伦敦"),
        ("birth, birth, , birth.", "birth"),
        ("one two three", "one two three"),
        ("", ""),
        (",,,;", ""),
    ],
)
def test_keywords_are_at_most_three(reply: str, keywords: str) -> None:
    assert keywords_of(reply) == keywords


def test_keywords_are_bounded() -> None:
    assert len(keywords_of("word " * 10_000)) <= 80
    assert len(keywords_of(", ".join("x" * 500 for _ in range(9)))) <= 3 * 82


@pytest.mark.parametrize("protocol", PROTOCOLS)
@pytest.mark.parametrize(
    ("reply", "query", "note"),
    [
        ("gauge, width, track, rails", "gauge, width, track", ""),
        ("How wide?", "How wide?", ""),
        ("", "gauge", "gave no query; the built-in rewriter wrote this one"),
    ],
)
def test_keywords_for_the_web_or_the_built_in_ones(
    start: Start, protocol: str, reply: str, query: str, note: str
) -> None:
    server = start(protocol, {"rewrite": reply})
    components = components_for(settings_for(server), rewrite=lambda _: Rewrite(query="gauge"))

    made = components.rewrite(RewriteRequest(question="How wide?", queries=["How wide?"], aim="keywords"))
    assert made.query == query
    assert note in made.note
    assert "Name the keywords" in server.requests[0].body["messages"][0]["content"]


def directly(start: Start, protocol: str, reply: str) -> tuple[str, Draft]:
    server = start(protocol, {"generate_directly": reply})
    *pieces, draft = components_for(settings_for(server)).generate_directly(
        GenerateRequest(question="And when?", documents=[], history=TURNS)
    )
    assert "User: Who was Ada Lovelace?" in server.requests[0].body["messages"][-1]["content"]
    assert isinstance(draft, Draft)
    return "".join(p for p in pieces if isinstance(p, str)), draft


@pytest.mark.parametrize("protocol", PROTOCOLS)
@pytest.mark.parametrize(
    ("reply", "shown", "draft"),
    [
        ("In 1815.", "In 1815.", Draft(text="In 1815.")),
        ("<think>1815?</think>In 1815.", "In 1815.", Draft(text="In 1815.")),
        ("NOT_FOUND I am not sure.", "I am not sure.", Draft(text="I am not sure.", abstained=True)),
        (*["I do not know."] * 2, Draft(text="I do not know.", abstained=True)),
        ("NOT_FOUND", "From memory.", Draft(text="From memory.")),
        ("", "From memory.", Draft(text="From memory.")),
    ],
)
def test_an_answer_without_documents(start: Start, protocol: str, reply: str, shown: str, draft: Draft) -> None:
    seen, kept = directly(start, protocol, reply)

    assert seen.strip() == shown
    assert kept == draft


@pytest.mark.parametrize("protocol", PROTOCOLS)
def test_an_endless_answer_without_documents_is_cut_off(start: Start, protocol: str) -> None:
    _, draft = directly(start, protocol, "round and round " * 2_000)

    assert LONGEST_ANSWER - 10 <= len(draft.text) <= LONGEST_ANSWER


@pytest.mark.parametrize("protocol", PROTOCOLS)
def test_a_direct_answer_streams_and_a_first_attempt_does_not(start: Start, protocol: str) -> None:
    trace = ask("adaptive-direct", start(protocol, {"route": "no_retrieval", "generate_directly": "Hello to you."}))
    assert len([e for e in trace.events if e.kind == "token"]) > 1
    assert trace.stop_reason == "from the model, without sources"

    replies = {"generate_directly": "It is 12 mm.", "decide_retrieval": True}
    server = start(protocol, replies)
    trace = ask("self-rag", server, gate="attempt")
    assert trace.path[:2] == ["decide_retrieval", "retrieve"]
    assert trace.state.decision
    assert trace.state.decision.attempt == "It is 12 mm."
    assert "It is 12 mm." in server.requests[1].body["messages"][-1]["content"]
    assert "mm" not in "".join(e.text for e in trace.events if e.kind == "token")
