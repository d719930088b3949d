"""The database, by SQLAlchemy: runs with their events, and each visitor's list of sources and choices."""

from rag_graphs.store.conversation_rows import ConversationRow, TurnRow
from rag_graphs.store.history import RunRow
from rag_graphs.store.store import Store

__all__ = ["ConversationRow", "RunRow", "Store", "TurnRow"]
