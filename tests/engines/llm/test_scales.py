"""The words and the probabilities of Self-RAG's three judgements, read out of replies and of their tokens."""

from __future__ import annotations

import math
from typing import Any

import pytest

from rag_graphs.engines.llm.fields import fields_of, first, named
from rag_graphs.engines.llm.scales import ISREL, ISSUP, ISUSE, Scale, likelihood, probabilities, text_of
from rag_graphs.graphs.critique_scores import RELEVANCE, SUPPORT, USE
from tests.servers.script import draft_says, log_probabilities

FULL, PART, NONE = SUPPORT


@pytest.mark.parametrize("scale", [ISREL, ISSUP, ISUSE], ids=lambda s: s.aspect)
def test_the_levels_are_those_of_the_critique_score(scale: Scale) -> None:
    worth = {"relevance": RELEVANCE, "groundedness": SUPPORT, "usefulness": USE}[scale.aspect]
    assert list(scale.words) == list(scale.worth) == list(worth)
    assert all(scale.label(word) == level for level, words in scale.words.items() for word in (level, *words))


@pytest.mark.parametrize(
    ("scale", "text", "label"),
    [
        (ISREL, "Relevant.", "relevant"),
        (ISREL, " **irrelevant** ", "irrelevant"),
        (ISREL, "not_relevant", "irrelevant"),
        (ISREL, "true", "relevant"),
        (ISREL, "False", "irrelevant"),
        (ISREL, "relevant, because it names the gauge", "relevant"),
        (ISREL, "relevant or irrelevant", ""),
        (ISREL, "relevant, or rather irrelevant", ""),
        (ISREL, "somewhat", ""),
        (ISREL, "", ""),
        (ISSUP, "Fully supported", FULL),
        (ISSUP, "fully_supported", FULL),
        (ISSUP, "fully supported by the document", FULL),
        (ISSUP, "Partly", PART),
        (ISSUP, "partially: the width is stated", PART),
        (ISSUP, "No", NONE),
        (ISSUP, "no claim is left out", ""),
        (ISSUP, "fully|partially|no", ""),
        (ISSUP, "supported", ""),
        (ISUSE, "4", "4"),
        (ISUSE, "4/5", "4"),
        (ISUSE, "5 out of 5", "5"),
        (ISUSE, "3.0", "3"),
        (ISUSE, "2 - touches the subject", "2"),
        (ISUSE, "4/10", ""),
        (ISUSE, "4.5", ""),
        (ISUSE, "-4", ""),
        (ISUSE, "4-5", ""),
        (ISUSE, "4, maybe 5", ""),
        (ISUSE, "0", ""),
        (ISUSE, "6", ""),
        (ISUSE, "45", ""),
        (ISUSE, "x" * 100_000, ""),
    ],
)
def test_a_text_names_a_level_or_none(scale: Scale, text: str, label: str) -> None:
    assert scale.label(text) == label


@pytest.mark.parametrize(
    ("scale", "token", "label"),
    [
        (ISREL, "relevant", "relevant"),
        (ISREL, ' "rel', "relevant"),
        (ISREL, "IR", "irrelevant"),
        (ISREL, "i", "irrelevant"),
        (ISREL, "not", "irrelevant"),
        (ISREL, '"', ""),
        (ISREL, " ", ""),
        (ISREL, "perhaps", ""),
        (ISREL, None, ""),
        (ISSUP, "f", FULL),
        (ISSUP, "Ġpart", PART),
        (ISSUP, "no", NONE),
        (ISSUP, "not", NONE),
        (ISSUP, "fullyish", ""),
        (ISUSE, ": 5", "5"),
        (ISUSE, "4,", "4"),
        (ISUSE, "6", ""),
    ],
)
def test_a_token_begins_one_level_or_none(scale: Scale, token: object, label: str) -> None:
    assert scale.begun(token) == label


def token(text: str, p: float = 1.0, raw: list[int] | None = None, **others: float) -> dict[str, Any]:
    tops = [{"token": t, "logprob": math.log(q)} for t, q in others.items()]
    return {"token": text, "logprob": math.log(p), "bytes": raw, "top_logprobs": tops}


def tokens(*values: dict[str, Any] | str) -> list[dict[str, Any]]:
    return [token(v) if isinstance(v, str) else v for v in values]


def test_the_alternatives_of_the_token_that_begins_the_value_are_summed_by_level() -> None:
    reply = tokens(
        '{"', "relevant", '":', ' "', token("ir", 0.5, ir=0.5, rel=0.2, relevant=0.1, Irre=0.05), "relevant", '"}'
    )

    told = probabilities(reply, "relevant", ISREL, "irrelevant")
    assert told == pytest.approx({"relevant": 0.3, "irrelevant": 0.55})


def test_the_token_itself_counts_where_the_server_leaves_it_out_of_its_alternatives() -> None:
    reply = tokens('{"useful": ', token("4", 0.6, **{"5": 0.3, "**": 0.1}), "}")

    assert probabilities(reply, "useful", ISUSE, "4") == pytest.approx({"5": 0.3, "4": 0.6, "3": 0, "2": 0, "1": 0})


def test_a_quote_may_be_part_of_the_token() -> None:
    reply = tokens('{"supported":', token(' "part', 0.7, **{' "part': 0.7, ' "fully': 0.2, ' "no': 0.1}), 'ially"}')

    assert probabilities(reply, "supported", ISSUP, PART) == pytest.approx({FULL: 0.2, PART: 0.7, NONE: 0.1})


def test_the_words_of_a_draft_are_not_taken_for_its_judgement() -> None:
    draft = '{"draft": "He wrote \\"relevant\\": \\"irrelevant\\" [1].", "relevant": "'
    reply = tokens(*draft, token("relevant", 0.9, relevant=0.9, irrelevant=0.1), '"}')

    assert probabilities(reply, "relevant", ISREL, "relevant") == pytest.approx({"relevant": 0.9, "irrelevant": 0.1})


def test_thinking_before_the_reply_is_passed_over() -> None:
    thought = '<think>{"relevant": "irrelevant"}?</think>{"relevant": "'
    reply = tokens(*thought, token("relevant", 0.9, relevant=0.9, irrelevant=0.1), '"}')

    assert probabilities(reply, "relevant", ISREL, "relevant")["relevant"] == pytest.approx(0.9)


def test_characters_that_are_spread_over_tokens_shift_nothing() -> None:
    first, second = token("\ufffd", raw=[0xE6, 0x97]), token("\ufffd", raw=[0xA5])
    reply = tokens('{"draft": "', first, second, '", "useful": ', token("5", 0.8, **{"5": 0.8, "4": 0.2}), "}")

    assert text_of(reply)[0] == '{"draft": "日", "useful": 5}'
    assert probabilities(reply, "useful", ISUSE, "5")["4"] == pytest.approx(0.2)


@pytest.mark.parametrize(
    ("value", "label"),
    [
        (token("relevant", 0.3, irrelevant=0.6), "relevant"),  # the likeliest level is another
        (token("relevant", 0.9, irrelevant=0.1), "irrelevant"),  # another level was read
        (token("relevant", 0.9, irrelevant=0.1), ""),
        ({"token": "relevant"}, "relevant"),
        ({"token": "relevant", "logprob": None, "top_logprobs": None}, "relevant"),
        ({"token": "relevant", "logprob": float("nan"), "top_logprobs": ["x", 3, {"token": 3}]}, "relevant"),
        ({"token": "relevant", "logprob": True, "bytes": ["a"]}, "relevant"),
    ],
)
def test_probabilities_that_contradict_or_say_nothing_are_none(value: dict[str, Any], label: str) -> None:
    assert probabilities(tokens('{"relevant": "', value, '"}'), "relevant", ISREL, label) == {}


@pytest.mark.parametrize("reply", [[], tokens("yes"), [{}], [{"token": None, "bytes": [300]}]])
def test_tokens_without_the_value_tell_nothing(reply: list[dict[str, Any]]) -> None:
    assert probabilities(reply, "relevant", ISREL, "relevant") == {}
    assert likelihood(reply, "draft") is None


def test_the_likelihood_is_the_geometric_mean_over_the_draft_s_own_tokens() -> None:
    reply = tokens(
        token('{"draft": "', 0.001), token("It", 0.5), token(" is", 0.8), token(" 12", 0.4), token('"}', 0.001)
    )

    # (0.5 * 0.8 * 0.4) ** (1 / 3)
    assert likelihood(reply, "draft") == pytest.approx(0.16 ** (1 / 3), abs=1e-12)


def test_a_likelihood_with_a_gap_is_not_known() -> None:
    assert likelihood(tokens('{"draft": "', token("It", 0.5), {"token": " is"}, '"}'), "draft") is None
    assert likelihood(tokens('{"draft": "', "", '"}'), "draft") is None


def test_the_stand_in_tells_the_probabilities_that_a_test_plans() -> None:
    chances = {"relevant": {"relevant": 0.6, "ir": 0.2}, "useful": {"4": 0.5, "5": 0.25}}
    reply = log_probabilities(draft_says("It is 12 [1].", useful=4, chances=chances, p_token=0.5), "schema")

    assert probabilities(reply, "relevant", ISREL, "relevant") == pytest.approx({"relevant": 0.6, "irrelevant": 0.2})
    assert probabilities(reply, "useful", ISUSE, "4")["5"] == pytest.approx(0.25)
    assert probabilities(reply, "supported", ISSUP, FULL) == pytest.approx({FULL: 0.5, PART: 0, NONE: 0})
    assert likelihood(reply, "draft") == pytest.approx(0.5)


@pytest.mark.parametrize(
    ("reply", "values"),
    [
        ('{"a": "x", "b": 2}', {"a": "x", "b": "2"}),
        ("{'a': 'it\\'s', 'b': True}", {"a": "it's", "b": "True"}),
        ('{"A": "x \\"y\\": \\"z\\"", "Is B": null}', {"a": 'x "y": "z"', "is_b": "null"}),
        ('```json\n{"a": "line\\nline"}\n```', {"a": "line\nline"}),
        ('{"r": {"a": 0.5}}', {"a": "0.5"}),
        ('{"a": 0,7, "b": 7/10, "c": 70 %}', {"a": "0,7", "b": "7/10", "c": "70 %"}),
        ('{"a": "1", "a": "2"}', {"a": "2"}),
        ('{"a": "bad \\q escape"}', {"a": "bad \\q escape"}),
        ("no field: at all", {}),
        ("", {}),
        ('{"' * 20_000, {}),
        ('"a":' * 20_000, {"a": "a"}),
    ],
)
def test_the_fields_of_a_reply(reply: str, values: dict[str, str]) -> None:
    assert {key: value.text for key, value in fields_of(reply).items()} == values


def test_a_value_that_is_cut_short_is_not_whole() -> None:
    for reply in ('{"a": "x", "b": "irrel', '{"a": "x", "b": 0.', "{'a': 'x', 'b': 'irrel"):
        found = fields_of(reply)
        assert (found["a"].whole, found["b"].whole) == (True, False)
        assert first(found, ("b", "a")) == "x"


def test_lines_are_read_where_there_is_no_json() -> None:
    found = named("**Draft:** It is 12 [1].\n- Useful = 4\nRelevant : yes", ("draft", "useful", "relevant"))

    assert {key: value.text for key, value in found.items()} == {
        "draft": "It is 12 [1].",
        "useful": "4",
        "relevant": "yes",
    }
    assert named("<think>Useful: 4</think>Useful: 5", ("useful",))["useful"].text == "5"
    assert named("\n" * 50_000 + "*" * 50_000 + ":", ("useful",)) == {}
