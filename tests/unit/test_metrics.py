"""The benchmarks' metrics, on cases worked by hand."""

import pytest

from benchmarks.metrics import cut, includes, mean, normalised


@pytest.mark.parametrize(
    ("text", "language", "tokens"),
    [
        ("The Cat, a dog!", "en", ["cat", "dog"]),
        ("well-known (1,000)", "en", ["wellknown", "1000"]),
        ("Der Hund und eine Katze", "de", ["hund", "und", "katze"]),
        ("El perro y la casa", "es", ["perro", "y", "casa"]),
        ("中国的 首都。", "zh", ["中", "国", "的", "首", "都"]),
        ("NBA总决赛", "zh", ["nba", "总", "决", "赛"]),
        ("Кто там?", "ru", ["кто", "там"]),
        ("A", "ru", ["a"]),
        ("", "en", []),
    ],
)
def test_normalising(text: str, language: str, tokens: list[str]) -> None:
    assert normalised(text, language) == tokens


@pytest.mark.parametrize(
    ("text", "answers", "held"),
    [
        ("It was built in 1847.", ["1"], False),
        ("It has 1 door.", ["1"], True),
        ("Built by the Gold Coast.", ["gold coast", "nobody"], True),
        ("Gold on the coast", ["gold coast"], False),
        ("Anything", [], False),
        ("Anything", ["the"], False),
        ("", ["x"], False),
    ],
)
def test_inclusion_at_word_boundaries(text: str, answers: list[str], held: bool) -> None:
    assert includes(text, answers) is held


def test_inclusion_in_chinese_by_character() -> None:
    assert includes("首都是北京市。", ["北京"], "zh")
    assert not includes("首都是北京市。", ["南京"], "zh")


@pytest.mark.parametrize(
    ("budget", "kept"),
    [(0, []), (3, ["abc"]), (4, ["abcd"]), (6, ["abcd"]), (7, ["abcd", "e"]), (99, ["abcd", "efgh"])],
)
def test_texts_are_cut_to_a_budget_with_the_blank_line_between_them(budget: int, kept: list[str]) -> None:
    assert cut(["abcd", "efgh"], budget) == kept
    assert len("\n\n".join(kept)) <= budget


def test_a_mean_carries_its_interval_and_its_number() -> None:
    found = mean([0.0, 1.0] * 50)
    assert (found.n, found.value) == (100, 0.5)
    assert found.low == pytest.approx(0.4, abs=0.02)  # 0.5 less 1.96 times 0.05
    assert found.high == pytest.approx(0.6, abs=0.02)
    assert str(mean([1.0, 1.0])) == "1.00 [1.00, 1.00]"


def test_a_mean_over_nothing_is_undefined() -> None:
    assert str(mean([])) == "–"
    assert mean([]).value is None


def test_the_same_values_give_the_same_interval() -> None:
    assert mean([0.0, 1.0, 1.0]) == mean([0.0, 1.0, 1.0])
