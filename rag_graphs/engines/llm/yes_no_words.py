"""Words that models use for yes and no, in the languages in which they were seen to answer."""

from __future__ import annotations


def _table(words: str) -> frozenset[str]:
    return frozenset(words.split())


YES = _table(
    """
    yes y yeah yep yup true correct affirmative positive pass passed ✓ ✔ ✔️ ✅ 👍
    はい ええ 예 네 是 是的 对 對 有 sí si sì oui ja да так sim tak ano áno igen evet ναι כן نعم أجل हाँ हां जी ใช่ có vâng ya
    iya kyllä jah jā taip da ndiyo بله ہاں হ্যাঁ ஆம்
    """
)

NO = _table(
    """
    no n nope nay false incorrect negative fail failed ✗ ✘ ✖ ❌ 👎
    いいえ いや 아니요 아니오 아뇨 아니 否 不 不是 不对 不對 没有 non nein nee nej nei нет ні não nao nie ne nem hayır hayir όχι
    לא لا كلا नहीं नही ไม่ ไม่ใช่ không tidak bukan ei nē nu hapana خیر نہیں না இல்லை
    """
)

GOOD = _table(
    """
    relevant related supported grounded useful helpful entailed answers
    relevante relevantes pertinent pertinente relevanter релевантен релевантный релевантно 関連あり 相关 相關 有关 관련있음
    """
)

BAD = _table(
    """
    irrelevant unrelated unsupported ungrounded useless unhelpful hallucinated hallucination
    irrelevante irrelevantes нерелевантен нерелевантный нерелевантно 関連なし 不相关 不相關 无关 無關 관련없음
    """
)

NEGATIONS = _table(
    """
    not no isn't isnt aren't doesn't don't wasn't never hardly cannot can't without nor nicht kein keine non pas не niet
    """
)

HEDGES = _table(
    """
    whether if maybe perhaps possibly partially partly somewhat unclear unsure undetermined uncertain unknown depends
    determine ambiguous either neither
    """
)

VERDICT_KEYS = (
    *("score", "binary_score", "verdict", "answer", "relevant", "is_relevant", "relevance", "grounded", "is_grounded"),
    *("groundedness", "supported", "is_supported", "useful", "is_useful", "usefulness", "result", "decision", "grade"),
    *("label", "judgement", "judgment", "passed", "value", "response", "output", "yes"),
)
"""Keys under which models put a verdict, the likeliest first."""

REASON_KEYS = ("reason", "reasoning", "explanation", "rationale", "justification", "comment", "why")
