"""Words that carry grammar rather than subject, by language. Used to find content words and to guess the language of a
short text. Written down for this project; kept short on purpose: idf does the rest."""

from __future__ import annotations

from functools import cache

from rag_graphs.language.casefold import fold

__all__ = ["ASKING", "LANGUAGES", "all_function_words", "fold", "function_words"]

_WORDS = {
    "en": """a an the this that these those some any each every all both either neither no not nor and or but if then than
        so as of at by for from in into on onto off out over under up down to toward with without within about above after
        before again against between during through until while because since though although also too very just only
        own same such more most much many few less least other another i me my mine we us our ours you your yours he him
        his she her hers it its they them their theirs one ones who whom whose what which when where why how is am are was
        were be been being do does did done doing have has had having can could may might must shall should will would
        there here s t re ve ll d m don doesn didn isn aren wasn weren won wouldn couldn shouldn whats hows tell please give
        me""",
    "es": """el la los las un una unos unas lo al del de en a por para con sin sobre entre desde hasta hacia segun tras y e o
        u ni que si no pero mas como cuando donde quien quienes cual cuales cuanto cuantos cuanta cuantas cuyo cuya porque se
        su sus mi mis tu tus le les me te nos es son era eran fue fueron ser sido estar esta estan estaba este esto estos
        estas ese esa esos esas aquel ha han habia hay muy tambien ya cada otro otra otros otras que cual qué""",
    "nl": """de het een en of maar want dus als dan dat die dit deze der des van in op aan bij met zonder voor door tot
        naar uit over onder tussen na om te er hier daar waar wie wat welke welk wanneer waarom hoe hoeveel is zijn was waren
        ben bent wordt worden werd werden heb hebt heeft hebben had hadden kan kunnen kon zal zullen zou moet moeten niet
        geen wel ook nog al ik je jij u hij zij ze we wij jullie hun hen hem haar mijn jouw uw ons onze zich het""",
    "de": """der die das den dem des ein eine einen einem einer eines kein keine und oder aber denn sondern wenn als dass
        ob weil wie so in im an am auf aus bei beim mit nach von vom vor zu zum zur uber unter durch fur gegen ohne um bis
        seit wahrend zwischen ist sind war waren sein bin wird werden wurde wurden worden hat haben hatte hatten kann
        konnen konnte muss mussen soll sollen nicht auch noch nur sehr schon mehr ich du er sie es wir ihr sich mich dich
        ihm ihn ihnen mein dein unser wer wen wem was welche welcher welches welchem welchen wann wo woher wohin warum
        wieso wieviel viele dieser diese dieses diesem diesen jener man""",
    "fr": """le la les l un une des du de d au aux a en dans par pour sur sous avec sans entre vers chez depuis pendant et
        ou ni mais donc car si que qu qui quoi dont quand comment combien pourquoi quel quelle quels quelles lequel
        laquelle ce c cet cette ces est sont etait etaient fut etre ete ai as ont avait avaient il elle ils elles on je j tu
        nous vous me m te se s son sa ses mon ma mes ton leur leurs lui y ne n pas plus tres aussi tout tous toute toutes
        plusieurs""",
    "it": """il lo la i gli le l un uno una del dello della dei degli delle di a al allo alla ai agli alle da dal dalla in
        nel nello nella nei nelle con su sul sulla per tra fra e ed o ma se che chi cui non come quando dove perche quale
        quali quanto quanti quanta quante cosa sono era erano fu essere stato stata stati ha hanno aveva ho si suo sua suoi
        sue mio tuo noi voi loro questo questa questi queste quello quella piu molto anche ogni cos dov qual""",
    "pt": """o a os as um uma uns umas do da dos das de em no na nos nas ao aos por pelo pela para com sem sobre entre ate
        desde e ou mas se que quem qual quais quando onde como porque quanto quantos quanta quantas nao foi foram era eram
        ser sido esta estao este esta estes estas esse essa isso aquele ha tem tinha sao mais muito tambem ja seu sua seus
        suas meu minha eu tu ele ela eles elas nos voce voces lhe""",
    "ru": """и в во не что он на я с со как а то все она так его но да ты к у же вы за бы по только ее мне было вот от меня
        еще нет о из ему теперь когда даже ну ли если уже или ни быть был него до вас нибудь опять уж вам ведь там потом
        себя ничего ей может они тут где есть надо ней для мы тебя их чем была сам чтоб без будто чего раз тоже себе под
        будет ж тогда кто этот того потому этого какой какая какое какие каком каких каким какую сколько почему зачем
        который которая которое которые которых котором была были было является это эта эти при об между""",
    "ar": """في من على الى إلى عن مع هو هي هم هذا هذه ذلك تلك التي الذي الذين ان أن إن كان كانت يكون ما ماذا من متى اين أين
        كيف لماذا لم لن لا قد كم هل او أو و ثم كل بعد قبل عند بين حتى حيث اي أي أية غير منذ كما لكن وقد تم""",
    "ko": """이 그 저 것 이것 그것 저것 여기 거기 우리 때문 경우 수 등 및 또 또는
        그리고 그러나 하지만 무엇 무엇인가 무엇인가요 무엇입니까 뭐 뭐야 뭐지 뭔가 뭔가요
        뭘까 누구 누가 언제 어디 어디서 어떻게 어떤 어느 왜 몇 얼마 얼마나 하는 하다 한다 있는 있다 있나 있나요 없는 되는
        된다 대해 대한 대하여 관해 관한 알려줘 알려주세요 설명해줘 설명해 인가 인가요 입니까 이야 야 할까 하나요 하나""",
    "zh": "的 了 是 在 和 与 及 或 也 之 其 这 那 哪 些 什 么 谁 吗 呢 吧 于 被 把 很 怎 样",
}


_ASKING = """mean means meaning meant define defined definition called name named known describe explain difference example
    examples work works significado definicion llama significa betekent betekenis heet bedeutet bedeutung heisst nennt
    genannt signifie signification appelle significato chiama significa значит означает называется 의미 뜻 정의"""

ASKING = frozenset(fold(w) for w in _ASKING.split())
"""Words that say how the answer should look, not what it is about."""


@cache
def function_words(language: str) -> frozenset[str]:
    """The folded function words of a language; empty for a language that has no list."""
    return frozenset(fold(w) for w in _WORDS.get(language, "").split())


@cache
def all_function_words() -> frozenset[str]:
    """The function words of every language that has a list."""
    return frozenset().union(*(function_words(language) for language in _WORDS))


LANGUAGES = tuple(_WORDS)
"""Languages that have a list of function words."""
