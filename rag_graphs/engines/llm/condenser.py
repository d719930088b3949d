"""Making a follow-up question stand alone, on a chat model."""

from __future__ import annotations

from rag_graphs.engines.llm.chat import Chat, warn
from rag_graphs.engines.llm.past_turns import told
from rag_graphs.engines.llm.replies import query_of
from rag_graphs.engines.prompts import render
from rag_graphs.graphs.state import Rewrite, Turn
from rag_graphs.settings import Settings

LONGEST = 2_000
"""Characters of a question at most."""
TIMES = 4
"""A question more often as long as the follow-up and its last turn's together is no rewording but something else."""


class Condenser:
    """Puts a follow-up question into words that stand alone."""

    def __init__(self, chat: Chat, settings: Settings) -> None:
        self._chat, self._settings = chat, settings

    def condense(self, question: str, history: list[Turn]) -> Rewrite:
        """The question in one line that stands alone; unchanged without a conversation, and where the model gives nothing of
        use, which is then told."""
        if not history:
            return Rewrite(query=question)
        prompt = render("condense_question", self._settings.prompts, history=told(history), question=question)
        reply = self._chat.ask("condense_question", prompt)
        condensed = query_of(reply.text, 2 * LONGEST)
        most = min(LONGEST, TIMES * (len(question) + len(history[-1].question)))
        if condensed and len(condensed) <= most:
            return Rewrite(query=condensed)
        what = "far more than a question" if condensed else "no question"
        warn(f"The model wrote {what} where it was to make this one stand alone. It is asked as it is.")
        return Rewrite(query=question)
