"""What each odd reply to a question for yes or no is read as. None: it is asked once more, then it is unclear."""

import math
from typing import Any

import pytest

from rag_graphs.engines.llm.verdict_replies import Verdict, read_verdict, yes_probability

REPLIES: list[tuple[str, bool | None]] = [
    # plain words
    ("yes", True),
    ("Yes", True),
    ("YES!", True),
    ("yes.", True),
    ('"yes"', True),
    ("**Yes**", True),
    (" \n yes\n", True),
    ("No", False),
    ("no.", False),
    ("Nope", False),
    ("true", True),
    ("False", False),
    ("✅", True),
    ("❌ not about it", False),
    # with a reason
    ("Yes, the document names the gauge.", True),
    ("Yes. No date is given, but the name is.", True),
    ("No, it is about bagels.", False),
    ("No - the document does not say yes to it.", False),
    ("Yes\n\nThe document covers the topic.", True),
    # JSON, more or less
    ('{"score": "yes"}', True),
    ('{"score": "no", "reason": "It is about something else."}', False),
    ('{"binary_score": true}', True),
    ('{"binary_score": "No"}', False),
    ('{"Score": "YES"}', True),
    ('{"Binary Score": "yes"}', True),
    ("{'score': 'yes', 'reason': 'it\\'s there'}", True),
    ("{'relevant': True}", True),
    ('{"relevance": "not relevant"}', False),
    ('{"score": 1}', True),
    ('{"score": 0}', False),
    ('{"score": "1"}', True),
    ('{"score": 0.9, "reason": "nearly all"}', True),
    ('{"score": ["yes"]}', True),
    ('{"result": {"score": "no"}}', False),
    ('{"grade": {"verdict": "yes", "reason": "x"}}', True),
    ('{"verdict_for_document": "yes"}', True),
    ('```json\n{"score": "yes"}\n```', True),
    ('Here is my verdict:\n```json\n{"score": "no"}\n```\nI hope this helps.', False),
    ('{"score": "yes", "reason": "the document sta', True),
    ('{"score": "yes"}{"score": "yes"}', True),
    ('[{"score": "no"}]', False),
    # after thinking
    ("<think>Hmm, no, not relevant? Or yes.</think>yes", True),
    ('<think>\nlong\n</think>\n\n{"score": "no"}', False),
    ("the opening tag is missing, yes </think> no", False),
    ("<think>never closed, so there is no answer: yes", None),
    ("<thinking>x</thinking><reflection>no</reflection> Yes", True),
    # behind a label, or at the end
    ("Score: yes", True),
    ("Answer: No.", False),
    ("Final answer: **yes**", True),
    ("The verdict is no", False),
    ("Relevance: 0", False),
    ("The document speaks of gauges.\n\nScore: relevant", True),
    ("Let me look at the document. It names the gauge.\nyes", True),
    # other words for it
    ("relevant", True),
    ("Irrelevant", False),
    ("not relevant", False),
    ("The document is relevant to the question.", True),
    ("The document isn't relevant.", False),
    ("The document does not contain any relevant information.", False),
    ("unsupported", False),
    ("Not irrelevant.", True),
    ("non-relevant", False),
    # other languages
    ("はい", True),
    ("はい、関連しています。", True),
    ("いいえ", False),
    ("예", True),
    ("네, 관련이 있습니다.", True),
    ("아니요.", False),
    ("是", True),
    ("是的，文档提到了。", True),
    ("否", False),
    ("不是。", False),
    ("相关", True),
    ("无关", False),
    ("sí", True),
    ("Sí, lo dice.", True),
    ("oui", True),
    ("Non, pas du tout.", False),
    ("Ja.", True),
    ("Nein", False),
    ("да", True),
    ("Нет, не относится.", False),
    ("نعم", True),
    ("لا", False),
    ("हाँ", True),
    ("नहीं", False),
    ("evet", True),
    ("hayır", False),
    # numbers
    ("1", True),
    ("0", False),
    ("0.8", True),
    ("0,2", False),
    ("4/5", True),
    ("2 out of 10", False),
    ("90%", True),
    ("0.5", None),
    ("3", None),
    ("5/10", None),
    ('{"score": 4}', None),
    # not a verdict
    ("", None),
    ("   \n", None),
    ("null", None),
    ("{}", None),
    ('{"score": null}', None),
    ('{"score": ""}', None),
    ('{"score": "maybe"}', None),
    ('{"irrelevant": "yes"}', None),
    ('{"hallucination": "no"}', None),
    ("yes and no", None),
    ("yes or no", None),
    ("yes/no", None),
    ('{"score": "yes" or "no"}', None),
    ('{"score": "yes|no"}', None),
    ("Yes. No.", None),
    ("No. Yes.", None),
    ('{"score": "yes"} {"score": "no"}', None),
    ("Relevance: yes\nAnswer: no", None),
    ("partially", None),
    ("I cannot determine whether the document is relevant.", None),
    ("I'm sorry, but I can't help with that.", None),
    ("The document is about the Victorian railway.", None),
    ("Yesterday the weather was fine.", None),
    ("Nobody knows.", None),
    ("예를 들어 문서에서", None),
    ("asdf {{{{ ]] \x00", None),
    ("{" * 5000, None),
    ("[" * 50_000, None),
]


@pytest.mark.parametrize(("reply", "passed"), REPLIES, ids=[repr(r)[:40] for r, _ in REPLIES])
def test_a_reply_is_read_as(reply: str, passed: bool | None) -> None:
    assert read_verdict(reply).passed is passed


def test_the_table_is_long_enough() -> None:
    assert len(REPLIES) >= 40


@pytest.mark.parametrize(
    ("reply", "verdict"),
    [
        ('{"score": "no", "reason": "It is about bagels."}', Verdict(False, "It is about bagels.")),
        ("Yes, it names the gauge.", Verdict(True, "it names the gauge.")),
        ("No: nothing on it", Verdict(False, "nothing on it")),
        ('{"score": 0.75, "explanation": "mostly"}', Verdict(True, "mostly", 0.75)),
        ("4/5", Verdict(True, "", 0.8)),
        ("yes", Verdict(True)),
    ],
)
def test_the_reason_and_the_model_s_own_score_are_kept(reply: str, verdict: Verdict) -> None:
    assert read_verdict(reply) == verdict


def test_a_reason_is_bounded() -> None:
    assert len(read_verdict("Yes, " + "because " * 500).reason) <= 300


def token(text: str, p: float, **others: float) -> dict[str, Any]:
    tops = [{"token": t, "logprob": math.log(q)} for t, q in {text: p, **others}.items()]
    return {"token": text, "logprob": math.log(p), "top_logprobs": tops}


def test_the_probability_of_yes_is_its_share_of_yes_and_no() -> None:
    assert yes_probability([token("yes", 0.6, no=0.2, maybe=0.2)], True) == pytest.approx(0.75)
    assert yes_probability([token("No", 0.6, **{" yes": 0.1, "Yes": 0.1})], False) == pytest.approx(0.25)


def test_in_json_the_token_of_the_verdict_counts() -> None:
    json_tokens = [token(t, 1.0) for t in ('{"', "score", '":', ' "')]
    assert yes_probability([*json_tokens, token("yes", 0.9, no=0.1), token('"}', 1.0)], True) == pytest.approx(0.9)


@pytest.mark.parametrize(
    ("tokens", "passed"),
    [
        ([], True),
        ([token("relevant", 1.0)], True),
        ([token("yes", 0.9, no=0.1)], False),
        ([token("yes", 0.9, no=0.1)], None),
        ([{"token": "yes"}], True),
        ([{"token": None, "logprob": None}], True),
    ],
)
def test_a_score_is_never_invented(tokens: list[dict[str, Any]], passed: bool | None) -> None:
    assert yes_probability(tokens, passed) is None
