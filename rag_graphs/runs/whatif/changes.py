"""The changes that can be wished for, as plain values with a JSON form."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import BaseModel, ConfigDict, Field, StrictBool, StrictInt, StrictStr, TypeAdapter, ValidationError

from rag_graphs.errors import SettingsError

DocumentRef = Annotated[StrictInt, Field(ge=1)] | Annotated[StrictStr, Field(max_length=500)]
"""A document's number among those that the run had seen by then, counted from 1 as on the page; or its id."""


class _Change(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid", str_max_length=20_000)


class RelevanceChange(_Change):
    """{"change": "relevance", "document": 2, "passed": true}: a document gets another grade; what is kept follows."""

    change: Literal["relevance"] = "relevance"
    document: DocumentRef
    passed: StrictBool | None


class VerdictChange(_Change):
    """{"change": "groundedness", "passed": false}: an answer gets another grade."""

    change: Literal["groundedness", "usefulness"]
    passed: StrictBool | None


class QueryChange(_Change):
    """{"change": "query", "query": "other words"}: the next search receives other words. The question stays."""

    change: Literal["query"] = "query"
    query: str = Field(min_length=1, max_length=2000)


class ChoiceChange(_Change):
    """{"change": "route", "to": "web search"}: another outcome is chosen where a node chooses."""

    change: Literal["route", "decision", "evaluation", "complexity"]
    to: str = Field(max_length=64)


class DocumentChange(_Change):
    """{"change": "drop", "document": 2}: a kept document goes; "keep": one that was seen and dropped comes back."""

    change: Literal["drop", "keep"]
    document: DocumentRef


class AnswerChange(_Change):
    """{"change": "answer", "text": "…"}: another answer goes on to be graded."""

    change: Literal["answer"] = "answer"
    text: str = Field(min_length=1)


Change = Annotated[
    RelevanceChange | VerdictChange | QueryChange | ChoiceChange | DocumentChange | AnswerChange,
    Field(discriminator="change"),
]
_CHANGE: TypeAdapter[Change] = TypeAdapter(Change)
KINDS = (
    "relevance",
    "groundedness",
    "usefulness",
    "query",
    "route",
    "decision",
    "evaluation",
    "complexity",
    "drop",
    "keep",
    "answer",
)


def parse_change(text: str) -> Change:
    """A change from its JSON form. Raises SettingsError, in words, for what is none."""
    try:
        return _CHANGE.validate_json(text)
    except ValidationError as error:
        first = error.errors(include_url=False, include_input=False)[0]
        where = ".".join(str(part) for part in first["loc"][1:])
        says = {
            "json_invalid": "It is not JSON.",
            "union_tag_invalid": f'"change" is one of {", ".join(KINDS)}.',
            "union_tag_not_found": f'It has no "change", which is one of {", ".join(KINDS)}.',
        }.get(first["type"], f"{where}: {first['msg']}." if where else f"{first['msg']}.")
        raise SettingsError(
            f'This change cannot be read. {says} An example: {{"change": "relevance", "document": 2, "passed": true}}'
        ) from None
