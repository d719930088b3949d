"""What a question asks for, and whether an answer holds one."""

import pytest

from rag_graphs.builtin.questions import holds, kind_of


@pytest.mark.parametrize(
    ("question", "kind"),
    [
        ("When was the bagel method invented?", "when"),
        ("In what year did it end?", "when"),
        ("What happened when Rome fell?", "other"),
        ("How many players are there?", "number"),
        ("Who wrote it?", "who"),
        ("Where is Oddwick?", "where"),
        ("Why do cats purr?", "why"),
        ("What's the bagel method?", "what is"),
        ("How to cook a bagel?", "how to"),
        ("How to improve relationships", "how to"),
        ("야구에서 홈런이 뭐야?", "what is"),
        ("홈런은 몇 점이야?", "number"),
        ("언제 만들어졌나요?", "when"),
        ("什么是检索增强生成？", "what is"),
        ("¿Cuándo nació?", "when"),
        ("Wie viele Spieler gibt es?", "number"),
        ("Wie schreibt man das?", "how to"),
        ("Qu'est-ce que la mémoire ?", "what is"),
        ("Когда это было?", "when"),
        ("كم عدد اللاعبين؟", "number"),
        ("memory", "other"),
    ],
)
def test_the_first_question_word_tells(question: str, kind: str) -> None:
    assert kind_of(question) == kind


@pytest.mark.parametrize(
    ("kind", "text", "verdict"),
    [
        ("when", "It was built in 1847. [1]", True),
        ("when", "It was built on a rock. [1847]", False),
        ("when", "1847년에 지어졌다.", True),
        ("when", "En marzo.", True),
        ("number", "It has 41 steps.", True),
        ("number", "It has forty steps.", True),
        ("number", "It has steps. [2]", False),
        ("who", "The light was kept by Martha Pell.", True),
        ("who", "The light was kept well.", False),
        ("who", "마사가 지켰다.", None),
        ("what is", "Anything.", None),
    ],
)
def test_the_kind_of_answer_is_recognised_by_its_form(kind: str, text: str, verdict: bool | None) -> None:
    assert holds(kind, text) is verdict  # type: ignore[arg-type]
