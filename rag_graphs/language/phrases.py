"""Sentences that an engine says itself, in twelve languages, and whether a text says one of them or the like."""

from __future__ import annotations

import re
from functools import cache

from rag_graphs.language.casefold import fold

LONGEST_NEWS = 300
"""Characters up to which an answer without a citation may be nothing but the news that nothing was found."""

PHRASES: dict[str, dict[str, str]] = {
    "en": {
        "abstain": "The documents do not hold an answer to this question.",
        "only quotes": "The built-in engine only quotes documents: without any it has no answer to this question.",
        "unverified": "This is the best attempt; it could not be verified:",
        "not found": "I could not find this in the library.",
        "tried": "Searched for: {queries}.",
        "web failed": "The web search failed: {error}",
        "quoted": "The sources say, in their own language:",
        "so the answer": "So the answer is:",
    },
    "es": {
        "abstain": "Los documentos no contienen la respuesta a esta pregunta.",
        "only quotes": "El motor integrado solo cita documentos: sin ninguno no tiene respuesta a esta pregunta.",
        "unverified": "Este es el mejor intento; no se pudo verificar:",
        "not found": "No he podido encontrar esto en la biblioteca.",
        "tried": "Búsquedas realizadas: {queries}.",
        "web failed": "La búsqueda en la web falló: {error}",
        "quoted": "Las fuentes dicen, en su propio idioma:",
        "so the answer": "Así que la respuesta es:",
    },
    "nl": {
        "abstain": "De documenten bevatten geen antwoord op deze vraag.",
        "only quotes": "De ingebouwde engine citeert alleen documenten: zonder documenten heeft hij geen antwoord op deze vraag.",
        "unverified": "Dit is de beste poging; die kon niet worden bevestigd:",
        "not found": "Ik kon dit niet in de bibliotheek vinden.",
        "tried": "Gezocht naar: {queries}.",
        "web failed": "Het zoeken op het web is mislukt: {error}",
        "quoted": "De bronnen zeggen, in hun eigen taal:",
        "so the answer": "Dus het antwoord is:",
    },
    "de": {
        "abstain": "Die Dokumente enthalten keine Antwort auf diese Frage.",
        "only quotes": "Die eingebaute Engine zitiert nur Dokumente: Ohne Dokumente hat sie keine Antwort auf diese Frage.",
        "unverified": "Dies ist der beste Versuch; er ließ sich nicht bestätigen:",
        "not found": "Das konnte ich in der Bibliothek nicht finden.",
        "tried": "Gesucht wurde nach: {queries}.",
        "web failed": "Die Suche im Web ist fehlgeschlagen: {error}",
        "quoted": "Die Quellen sagen, in ihrer eigenen Sprache:",
        "so the answer": "Die Antwort ist also:",
    },
    "fr": {
        "abstain": "Les documents ne contiennent pas de réponse à cette question.",
        "only quotes": "Le moteur intégré ne fait que citer des documents : sans eux, il n'a pas de réponse à cette question.",
        "unverified": "Voici la meilleure tentative ; elle n'a pas pu être vérifiée :",
        "not found": "Je n'ai pas pu trouver cela dans la bibliothèque.",
        "tried": "Recherches effectuées : {queries}.",
        "web failed": "La recherche sur le web a échoué : {error}",
        "quoted": "Les sources disent, dans leur propre langue :",
        "so the answer": "La réponse est donc :",
    },
    "it": {
        "abstain": "I documenti non contengono una risposta a questa domanda.",
        "only quotes": "Il motore integrato cita soltanto documenti: senza documenti non ha una risposta a questa domanda.",
        "unverified": "Questo è il tentativo migliore; non è stato possibile verificarlo:",
        "not found": "Non ho trovato questo nella biblioteca.",
        "tried": "Ricerche fatte: {queries}.",
        "web failed": "La ricerca sul web non è riuscita: {error}",
        "quoted": "Le fonti dicono, nella loro lingua:",
        "so the answer": "Quindi la risposta è:",
    },
    "pt": {
        "abstain": "Os documentos não contêm uma resposta a esta pergunta.",
        "only quotes": "O motor integrado apenas cita documentos: sem nenhum, não tem resposta a esta pergunta.",
        "unverified": "Esta é a melhor tentativa; não foi possível verificá-la:",
        "not found": "Não consegui encontrar isto na biblioteca.",
        "tried": "Pesquisas feitas: {queries}.",
        "web failed": "A pesquisa na web falhou: {error}",
        "quoted": "As fontes dizem, na sua própria língua:",
        "so the answer": "Portanto, a resposta é:",
    },
    "ko": {
        "abstain": "문서에는 이 질문에 대한 답이 없습니다.",
        "only quotes": "내장 엔진은 문서를 인용하기만 합니다. 문서 없이는 이 질문에 답할 수 없습니다.",
        "unverified": "가장 나은 답변이지만 확인하지 못했습니다:",
        "not found": "라이브러리에서 이 내용을 찾지 못했습니다.",
        "tried": "검색한 내용: {queries}.",
        "web failed": "웹 검색에 실패했습니다: {error}",
        "quoted": "출처에 쓰인 언어 그대로 옮깁니다:",
        "so the answer": "따라서 답은 다음과 같습니다:",
    },
    "zh": {
        "abstain": "文档中没有这个问题的答案。",
        "only quotes": "内置引擎只引用文档：没有文档，它无法回答这个问题。",
        "unverified": "这是最好的一次尝试，但无法核实：",
        "not found": "我在资料库中没有找到这个内容。",
        "tried": "搜索过：{queries}。",
        "web failed": "网络搜索失败：{error}",
        "quoted": "以下为来源原文：",
        "so the answer": "所以答案是：",
    },
    "ja": {
        "abstain": "文書にはこの質問への答えがありません。",
        "only quotes": "内蔵エンジンは文書を引用するだけです。文書なしではこの質問に答えられません。",
        "unverified": "最も良い回答ですが、確認できませんでした：",
        "not found": "ライブラリにはこの内容が見つかりませんでした。",
        "tried": "検索した内容：{queries}。",
        "web failed": "ウェブ検索に失敗しました：{error}",
        "quoted": "出典の原文は次のとおりです：",
        "so the answer": "したがって答えは次のとおりです：",
    },
    "ru": {
        "abstain": "В документах нет ответа на этот вопрос.",
        "only quotes": "Встроенный движок только цитирует документы: без них у него нет ответа на этот вопрос.",
        "unverified": "Это лучшая попытка; подтвердить её не удалось:",
        "not found": "Мне не удалось найти это в библиотеке.",
        "tried": "Искали: {queries}.",
        "web failed": "Поиск в интернете не удался: {error}",
        "quoted": "Источники говорят на своём языке:",
        "so the answer": "Итак, ответ:",
    },
    "ar": {
        "abstain": "لا تحتوي الوثائق على إجابة عن هذا السؤال.",
        "only quotes": "المحرك المدمج يقتبس من الوثائق فقط، وبدونها ليس لديه جواب عن هذا السؤال.",
        "unverified": "هذه أفضل محاولة، ولم يمكن التحقق منها:",
        "not found": "لم أتمكن من العثور على هذا في المكتبة.",
        "tried": "عمليات البحث: {queries}.",
        "web failed": "فشل البحث في الويب: {error}",
        "quoted": "تقول المصادر بلغتها:",
        "so the answer": "إذن الجواب هو:",
    },
}  # fmt: skip


@cache
def _every(name: str) -> tuple[str, ...]:
    return tuple(fold(phrases[name]).rstrip(".。:： ") for phrases in PHRASES.values())


def is_phrase(name: str, text: str) -> bool:
    """Whether a text begins with this phrase, in any language."""
    return fold(text).lstrip().startswith(_every(name))


def without_lead_ins(text: str) -> str:
    """An answer without the phrases that introduce it in our own words: they claim nothing."""
    for phrases in PHRASES.values():
        for name in ("unverified", "quoted"):
            text = text.replace(phrases[name], " ")
    return text


_NOT_FOUND = re.compile(
    r"\b(?:documents?|sources?|library|context|text)\b.{0,40}\b(?:do(?:es)? not|don['’]t|doesn['’]t)\b.{0,30}"
    r"\b(?:hold|contain|mention|say|state|answer|provide|include|give)|"
    r"\b(?:could|can)(?: ?not|['’]t) (?:be )?(?:find|found|answer)|\bi do(?: not|n['’]t) know\b|\bno answer\b|"
    r"찾지 못|답이 없|没有.{0,8}答案|"
    r"答えがありません|見つかりません",
    re.IGNORECASE,
)


def is_abstaining(answer: str) -> bool:
    """Whether an answer says that the documents do not hold the answer, in a phrase of our own or in common words."""
    own = any(is_phrase(name, answer) for name in ("abstain", "only quotes", "not found"))
    return own or says_nothing_found(answer)


def says_nothing_found(answer: str) -> bool:
    """Whether a short answer without a citation says so in common words."""
    return len(answer) < LONGEST_NEWS and not re.search(r"\[\d+\]", answer) and bool(_NOT_FOUND.search(answer))
