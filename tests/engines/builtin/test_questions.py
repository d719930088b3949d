"""What a question asks for, and whether an answer holds one."""

import pytest

from rag_graphs.engines.builtin.questions import holds, kind_of


@pytest.mark.parametrize(
    ("question", "kind"),
    [
        ("When was the bagel method invented?", "when"),
        ("In what year did it end?", "when"),
        ("When is a red flag raised?", "condition"),
        ("When should I prune roses?", "condition"),
        ("When does water boil?", "condition"),
        ("When will the bridge open?", "when"),
        ("When did the war end?", "when"),
        ("When is the next eclipse due?", "when"),
        ("In what year does it end?", "when"),
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
        ("등대는 언제 지어졌나요?", "when"),
        ("한글은 언제 만들었어?", "when"),
        ("생일이 언제야?", "when"),
        ("캐시는 언제 쓰나요?", "condition"),
        ("언제 비밀번호를 바꿔야 하나요?", "condition"),
        ("이 값은 언제 필요해?", "condition"),
        ("재시도가 있으면 언제 끝나나요?", "condition"),
        ("什么是检索增强生成？", "what is"),
        ("什么时候应该使用缓存？", "condition"),
        ("长城什么时候建成的？", "when"),
        ("キャッシュはいつ使いますか？", "condition"),
        ("灯台はいつ建てられましたか？", "when"),
        ("¿Cuándo nació?", "when"),
        ("¿Cuándo se construyó el faro?", "when"),
        ("¿Cuándo se usa el subjuntivo?", "condition"),
        ("Wann wird der Block ausgeführt?", "condition"),
        ("Wann verwendet man den Konjunktiv?", "condition"),
        ("Wann wurde der Turm gebaut?", "when"),
        ("Wann ist Goethe gestorben?", "when"),
        ("Wanneer moet ik de ketting smeren?", "condition"),
        ("Wanneer is Rembrandt geboren?", "when"),
        ("Quand faut-il arroser ?", "condition"),
        ("Quand est né Victor Hugo ?", "when"),
        ("Quando si usa il congiuntivo?", "condition"),
        ("Quando è stata costruita la torre?", "when"),
        ("Quando devo podar as rosas?", "condition"),
        ("Quando se fundou a cidade?", "when"),
        ("Когда выполняется блок?", "condition"),
        ("متى يغلي الماء؟", "condition"),
        ("متى ولد ابن سينا؟", "when"),
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
        ("condition", "The flag is raised as soon as the wind gets up.", True),
        ("condition", "It is raised at 10:30.", True),
        ("condition", "Die Fahne wird gehisst, sobald der Wind auffrischt.", True),
        ("condition", "바람이 세지면 깃발을 올린다.", True),
        ("condition", "The flag is red. [1]", None),
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
