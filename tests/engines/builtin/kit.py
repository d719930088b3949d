"""A little library in memory, and documents of our own writing, for the built-in engine's tests."""

import math
from collections import Counter
from dataclasses import dataclass
from typing import Any

from rag_graphs.engines.builtin.engine import builtin_components
from rag_graphs.graphs.components import Components, GenerateRequest
from rag_graphs.graphs.state import Document, Draft, Grade
from rag_graphs.language.text import tokens
from rag_graphs.settings import Settings


def doc(key: str, text: str, title: str = "", language: str = "en") -> Document:
    return Document(id=key, text=text, source=f"https://example.org/{key}", title=title, language=language)


LIGHTHOUSE = doc(
    "lighthouse",
    "The lighthouse of Oddwick was built in 1847 from grey granite. Its lamp stands 41 metres above the sea and was lit by "
    "whale oil at first. Martha Pell kept the light for thirty years. Today the tower is a museum.",
    "The lighthouse of Oddwick",
)
SOUP = doc(
    "soup",
    "Leek soup is cooked from leeks, potatoes and stock. Simmer the vegetables for twenty minutes and blend them. A spoonful "
    "of cream makes the soup smooth.",
    "Leek soup",
)
BICYCLE = doc(
    "bicycle",
    "A bicycle chain should be cleaned every three hundred kilometres. Wipe it with a dry cloth, then put one drop of oil on "
    "each link. A dirty chain wears out the sprockets.",
    "Caring for a bicycle chain",
)
TEA = doc(
    "tea", "Green tea tastes bitter when the water is too hot. Let it cool to 80 degrees before pouring.", "Green tea"
)
DOCUMENTS = [LIGHTHOUSE, SOUP, BICYCLE, TEA]


@dataclass
class Found:
    document: Document


class WordStatistics:
    def __init__(self, documents: list[Document]) -> None:
        self.count = len(documents)
        self.frequency = Counter(t for d in documents for t in set(tokens(f"{d.title} {d.text}")))

    def idf(self, token: str) -> float:
        return math.log(1 + (self.count + 0.5) / (self.frequency[token] + 0.5))


class LittleLibrary:
    """Ranks by shared tokens; has no stored vectors."""

    def __init__(self, documents: list[Document]) -> None:
        self.documents = documents

    def vectors(self, ids: list[str], embedder: str) -> dict[str, list[float]]:
        return {}

    def statistics(self, sources: list[str], settings: Settings) -> WordStatistics:
        return WordStatistics(self.documents)

    def search(self, query: str, sources: list[str], settings: Settings, k: int | None = None) -> list[Found]:
        asked = set(tokens(query))
        ranked = sorted(self.documents, key=lambda d: -len(asked & set(tokens(f"{d.title} {d.text}"))))
        return [Found(d) for d in ranked[: k or settings.k]]


def engine(documents: list[Document] | None = None, **values: Any) -> Components:
    found = DOCUMENTS if documents is None else documents
    settings = Settings(_env_file=None).change(**values)  # type: ignore[call-arg]
    return builtin_components(settings, LittleLibrary(found), ["s"] if found else [], lambda query: [])  # type: ignore[arg-type]


def answer(components: Components, question: str, documents: list[Document], **values: Any) -> Draft:
    pieces = list(components.generate(GenerateRequest(question=question, documents=documents, **values)))
    draft = pieces[-1]
    assert isinstance(draft, Draft)
    assert "".join(p for p in pieces[:-1] if isinstance(p, str)) == draft.text
    return draft


def grades(components: Components, question: str, documents: list[Document], text: str) -> dict[str, Grade]:
    return {g.aspect: g for g in components.grade_answer(question, documents, text)}
